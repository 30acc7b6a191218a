/**
 * Judges a range of seeds in a process of its own: only from outside can a hang be seen, and a file that ends native DuckDB ends its
 * process. Another process goes on behind that seed.
 */
import { fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addReport, emptyReport, type FilesReport, PLACES } from "./report.ts";

/** How long one seed may take before it counts as hung. A statement ends after 20 s by itself. */
const HANG_MILLISECONDS = 120_000;

export async function runFiles(first: number, count: number): Promise<FilesReport> {
  const total = emptyReport();
  const end = first + count;
  for (let next = first; next < end; ) {
    const { report, stopped } = await runUntilStopped(next, end - next);
    addReport(total, report);
    if (stopped === undefined) break;
    const { seed } = stopped;
    // DuckDB 1.4.4 sometimes waits for ever, or ends, when one process has opened hundreds of its instances.
    const again = await runUntilStopped(seed, 1);
    addReport(total, again.report);
    if (again.stopped === undefined) total.once.push(`seed ${seed}, ${described(stopped)}`);
    else if (again.stopped.place === "native" && again.stopped.how !== HANGS) total.crashes.push(seed);
    else total.findings.push({ seed, problem: described(again.stopped) });
    next = seed + 1;
  }
  return total;
}

const HANGS = "hangs";

const described = ({ place, how }: Stop): string => `the process ${how} in the ${place} engine`;

interface Stop {
  readonly seed: number;
  readonly place: string;
  readonly how: string;
}

async function runUntilStopped(
  first: number,
  count: number,
): Promise<{ readonly report: FilesReport; readonly stopped: Stop | undefined }> {
  const directory = mkdtempSync(join(tmpdir(), "siskin-files-fuzz-"));
  const progress = join(directory, "seed");
  const child = fork(
    fileURLToPath(new URL("./judging-process.ts", import.meta.url)),
    [first, count, progress].map(String),
    {
      execArgv: ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"],
      serialization: "advanced",
      // Files of the process, too, are left behind by a crash.
      env: { ...process.env, TMPDIR: directory },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    },
  );
  let report = emptyReport();
  let watch: NodeJS.Timeout | undefined;
  try {
    const stopped = await new Promise<Stop | undefined>((resolve, reject) => {
      let seen: number | undefined;
      watch = setInterval(() => {
        const at = placeIn(progress);
        if (at !== undefined && at.seed === seen) resolve({ ...at, how: HANGS });
        seen = at?.seed;
      }, HANG_MILLISECONDS);
      child.on("message", (told) => {
        report = told as FilesReport;
      });
      child.once("error", reject);
      child.once("exit", (code, signal) => {
        const at = placeIn(progress);
        if (code === 0) resolve(undefined);
        else if (at === undefined) reject(new Error(`the process ended with ${signal ?? code} before its first seed`));
        else resolve({ ...at, how: `ends with ${signal ?? code}` });
      });
    });
    return { report, stopped };
  } finally {
    clearInterval(watch);
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
}

/** `undefined` while the process is still being started. */
function placeIn(progress: string): { readonly seed: number; readonly place: string } | undefined {
  try {
    const bytes = readFileSync(progress);
    return { seed: bytes.readInt32LE(0), place: PLACES[bytes.readInt32LE(4)] ?? "" };
  } catch {
    return undefined;
  }
}
