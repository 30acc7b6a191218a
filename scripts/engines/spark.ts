/** Spark with its server of Spark Connect, as PyPI has it, and a Java that it runs on. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JavaWanted, javaHome } from "./java.ts";

/** Its package holds the jar of Spark Connect, which that of 3.5 does not. What its Python needs is left out: nobody runs it. */
const PACKAGE = "pyspark==4.0.1";
const JAVA: JavaWanted = { oldest: 17, newest: 21, release: "21.0.8.2" };

/** Whether it had to be fetched. `directory` gets `pyspark/`, which is Spark's home, and the file `java-home`. */
export function unpackSpark(directory: string): boolean {
  const done = join(directory, "java-home");
  const version = join(directory, "version");
  if (existsSync(done) && existsSync(version) && readFileSync(version, "utf8") === PACKAGE) return false;
  const work = `${directory}.unpacking`;
  rmSync(work, { recursive: true, force: true });
  try {
    mkdirSync(work, { recursive: true });
    run("python3", ["-m", "venv", join(work, "python")]);
    const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile"];
    run(join(work, "python/bin/python"), ["-m", "pip", "install", ...options, PACKAGE]);
    const [python = ""] = readdirSync(join(work, "python/lib"));
    renameSync(join(work, "python/lib", python, "site-packages/pyspark"), join(work, "pyspark"));
    rmSync(join(work, "python"), { recursive: true });
    rmSync(directory, { recursive: true, force: true });
    renameSync(work, directory);
    writeFileSync(version, PACKAGE);
    writeFileSync(done, javaHome(JAVA, join(directory, "java")));
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(program: string, words: readonly string[]): void {
  execFileSync(program, words, { stdio: ["ignore", "ignore", "inherit"] });
}
