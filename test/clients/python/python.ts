/** Runs the suites of `clients/python/tests`. */
import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const CLIENT = join(import.meta.dirname, "../../../clients/python");

/** The first interpreter that the client supports, and undefined where there is none. */
export const PYTHON = ["python3", "python3.13", "python3.12", "python3.11", "python3.10"].find((name) => {
  try {
    execFileSync(name, ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
});

export interface SuiteOutcome {
  /** Number of tests that ran, and of those that were skipped. */
  readonly ran: number;
  readonly skipped: number;
}

/** Throws with the output of a suite that fails. */
export async function runSuites(
  python: string,
  suites: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<SuiteOutcome> {
  const paths = [join(CLIENT, "src"), environment["PYTHONPATH"]].filter((path) => path !== undefined);
  const { stderr } = await promisify(execFile)(
    python,
    ["-B", "-W", "error::DeprecationWarning", "-m", "unittest", ...suites],
    {
      cwd: join(CLIENT, "tests"),
      env: { ...process.env, no_proxy: "127.0.0.1", ...environment, PYTHONPATH: paths.join(":") },
      maxBuffer: 1 << 24,
    },
  );
  return {
    ran: Number(/Ran (\d+) test/.exec(stderr)?.[1]),
    skipped: Number(/skipped=(\d+)/.exec(stderr)?.[1] ?? 0),
  };
}
