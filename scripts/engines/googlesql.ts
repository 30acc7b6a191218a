/**
 * Unpacks the reference evaluator of GoogleSQL, BigQuery's SQL, from npm: a native server for each platform, and its message
 * definitions. A quarter of its 340 MB is kept.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = "@fivetrandevelopers/zetasql";
const VERSION = "1.13.0";
const SHA_512 = "yX9Apa968np2Tc+Hrf4Bf6Gz77kQVLIDLaNwovM91VBwyDTDF1C6oglUqmlU6Fe5/TVCExsnIueWiPahrYEITQ==";

/** The package's file names: the name with `.so` is the Linux program, the one without it is for macOS. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "linux-x64": "remote_server.so",
  "linux-arm64": "remote_server_arm.so",
  "darwin-x64": "remote_server",
  "darwin-arm64": "remote_server_arm",
};

/** Returns whether it had to be fetched. `directory` gets the program `server` and `protos/`. */
export function unpackGoogleSql(directory: string): boolean {
  const version = join(directory, "version");
  if (existsSync(version) && readFileSync(version, "utf8") === VERSION) return false;
  const program = PROGRAMS[`${process.platform}-${process.arch}`];
  if (program === undefined) throw new Error(`${PACKAGE} has no server for ${process.platform}-${process.arch}`);
  const work = `${directory}.unpacking`;
  rmSync(work, { recursive: true, force: true });
  try {
    mkdirSync(join(work, "kept"), { recursive: true });
    const options = ["--pack-destination", work, "--ignore-scripts", "--silent"];
    run("npm", ["pack", `${PACKAGE}@${VERSION}`, ...options]);
    const archive = join(work, `fivetrandevelopers-zetasql-${VERSION}.tgz`);
    const found = createHash("sha512").update(readFileSync(archive)).digest("base64");
    if (found !== SHA_512) throw new Error(`${PACKAGE} ${VERSION} is not what it was: sha512-${found}`);
    const inside = "package/lib/zetasql";
    run("tar", ["xzf", archive, "-C", work, `${inside}/${program}`, `${inside}/protos`]);
    copyFileSync(join(work, inside, program), join(work, "kept/server"));
    cpSync(join(work, inside, "protos"), join(work, "kept/protos"), { recursive: true });
    rmSync(directory, { recursive: true, force: true });
    renameSync(join(work, "kept"), directory);
    writeFileSync(version, VERSION);
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(program: string, words: readonly string[]): void {
  execFileSync(program, words, {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
    timeout: 300_000,
  });
}
