// Builds the package: one module in dist/index.js, and its types. `npm pack` runs it.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const out = process.argv[2] ?? path("dist");

rmSync(out, { recursive: true, force: true });
await build({
  entryPoints: [path("src/index.ts")],
  outfile: `${out}/index.js`,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  logLevel: "error",
});
const compiler = path("../../node_modules/.bin/tsc");
const settings = ["--project", path("tsconfig.json"), "--outDir", out, "--rootDir", path("src")];
const single = ["--composite", "false", "--incremental", "false", "--tsBuildInfoFile", "null"];
execFileSync(compiler, [...settings, ...single], { stdio: "inherit" });
// Declarations name modules as they are published.
for (const file of globSync(`${out}/*.d.ts`)) {
  writeFileSync(file, readFileSync(file, "utf8").replaceAll(/(from ".\/\w+)\.ts"/g, '$1.js"'));
}
