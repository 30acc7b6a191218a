/** Unpacks Spark with its Spark Connect server from PyPI, and a Java for it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JavaWanted, javaHome } from "./java.ts";

export interface SparkRelease {
  readonly version: string;
  /** Spark Connect in Maven's repository, if PyPI's package does not contain it. */
  readonly jar?: string;
}

/** The version for the suites. The dependencies of the package's Python are omitted, because nothing runs it. */
export const SPARK: SparkRelease = { version: "4.0.1" };
/** The oldest version that statements are planned for (docs/decisions/0057-spark-releases.md#decision). */
export const SPARK_3_5: SparkRelease = { version: "3.5.7", jar: "org.apache.spark:spark-connect_2.12:3.5.7" };

const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";
const JAVA: JavaWanted = { oldest: 17, newest: 21, release: "21.0.8.2" };

/** Returns whether it had to be fetched. `directory` gets `pyspark/`, which is Spark's home, and the file `java-home`. */
export function unpackSpark({ version: release, jar }: SparkRelease, directory: string): boolean {
  const done = join(directory, "java-home");
  const version = join(directory, "version");
  const wanted = `pyspark==${release}`;
  if (existsSync(done) && existsSync(version) && readFileSync(version, "utf8") === wanted) return false;
  const work = `${directory}.unpacking`;
  rmSync(work, { recursive: true, force: true });
  try {
    mkdirSync(work, { recursive: true });
    run("python3", ["-m", "venv", join(work, "python")]);
    const options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-compile"];
    run(join(work, "python/bin/python"), ["-m", "pip", "install", ...options, wanted]);
    const [python = ""] = readdirSync(join(work, "python/lib"));
    renameSync(join(work, "python/lib", python, "site-packages/pyspark"), join(work, "pyspark"));
    rmSync(join(work, "python"), { recursive: true });
    if (jar !== undefined) {
      run("mvn", ["-q", "-B", COPY, `-Dartifact=${jar}`, `-DoutputDirectory=${join(work, "pyspark/jars")}`]);
    }
    rmSync(directory, { recursive: true, force: true });
    renameSync(work, directory);
    writeFileSync(version, wanted);
    writeFileSync(done, javaHome(JAVA, join(directory, "java")));
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(program: string, words: readonly string[]): void {
  execFileSync(program, words, { stdio: ["ignore", "ignore", "inherit"] });
}
