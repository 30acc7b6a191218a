/** Unpacks Trino from Maven's central repository, fetched by `mvn`, and a new enough Java for it. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type JavaWanted, javaHome } from "./java.ts";

/** The newest release whose server and plug-ins are in the repository as archives. */
const VERSION = "476";
const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";
const ARCHIVES = [`trino-server-core:${VERSION}:tar.gz`, `trino-memory:${VERSION}:zip`, `trino-tpch:${VERSION}:zip`];
const JAVA: JavaWanted = { oldest: 24, release: "25.0.2.1" };

/** Returns whether it had to be fetched. `directory` gets `server/`, `server/plugin/`, and the file `java-home`. */
export function unpackTrino(directory: string): boolean {
  const done = join(directory, "java-home");
  const version = join(directory, "version");
  if (existsSync(done) && existsSync(version) && readFileSync(version, "utf8") === VERSION) return false;
  const work = `${directory}.unpacking`;
  rmSync(work, { recursive: true, force: true });
  try {
    mkdirSync(join(work, "server/plugin"), { recursive: true });
    for (const archive of ARCHIVES) {
      run("mvn", ["-q", "-B", COPY, `-Dartifact=io.trino:${archive}`, `-DoutputDirectory=${join(work, "archives")}`]);
    }
    for (const name of readdirSync(join(work, "archives"))) {
      const file = join(work, "archives", name);
      if (name.endsWith(".zip")) run("python3", ["-m", "zipfile", "-e", file, join(work, "server/plugin")]);
      else run("tar", ["xzf", file, "-C", join(work, "server"), "--strip-components=1"]);
    }
    rmSync(join(work, "archives"), { recursive: true });
    rmSync(directory, { recursive: true, force: true });
    renameSync(work, directory);
    writeFileSync(version, VERSION);
    writeFileSync(done, javaHome(JAVA, join(directory, "java")));
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function run(program: string, words: readonly string[]): void {
  execFileSync(program, words, { stdio: ["ignore", "ignore", "inherit"] });
}
