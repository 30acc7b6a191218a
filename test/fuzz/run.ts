/**
 * Runs a range of seeds in a process of its own. Planning is synchronous: only from outside can a hang be seen and ended.
 * A process, and no thread: it has the stack that a recursion without end overflows elsewhere, what the engine says when
 * it dies can be told, and killing it takes nothing with it (V8 can abort the whole process when a thread is terminated).
 */
import { fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Range, ShardReport } from "./shard.ts";

/** How long one seed may keep the process busy before it counts as hung. A busy machine never stops one for so long. */
const HANG_MILLISECONDS = 60_000;

/** The report of the range; rejects with the seed when one hangs or ends the process. */
export async function runRange(range: Range, hangMilliseconds = HANG_MILLISECONDS): Promise<ShardReport> {
  const directory = mkdtempSync(join(tmpdir(), "siskin-fuzz-"));
  const progress = join(directory, "seed");
  const child = fork(
    fileURLToPath(new URL("./planning-process.ts", import.meta.url)),
    [range.first, range.count, range.sampleEvery, progress].map(String),
    {
      execArgv: ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"],
      serialization: "advanced",
      stdio: ["ignore", "inherit", "pipe", "ipc"],
    },
  );
  const lastWords = child.stderr === null ? Promise.resolve("") : text(child.stderr);
  let watch: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ShardReport>((resolve, reject) => {
      let seen: number | undefined;
      watch = setInterval(() => {
        const seed = seedIn(progress);
        if (seed !== undefined && seed === seen) reject(new Error(`seed ${seed} hangs: ${rerun(seed)}`));
        seen = seed;
      }, hangMilliseconds);
      child.once("message", (report) => resolve(report as ShardReport));
      child.once("error", reject);
      child.once("exit", async (code, signal) => {
        const seed = seedIn(progress);
        const end = `the process ended with ${signal ?? code} at seed ${seed}`;
        reject(new Error(`${end}: ${rerun(seed ?? range.first)}\n${await lastWords}`));
      });
    });
  } finally {
    clearInterval(watch);
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  }
}

/** `undefined` while the process is still being started. */
function seedIn(progress: string): number | undefined {
  try {
    return readFileSync(progress).readInt32LE();
  } catch {
    return undefined;
  }
}

/** The command that judges one seed alone. */
export function rerun(seed: number): string {
  return `FUZZ_SEED=${seed} FUZZ_INPUTS=1 npx vitest run test/fuzz`;
}
