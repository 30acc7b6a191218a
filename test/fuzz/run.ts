/**
 * Runs a range of seeds in a thread of its own. Planning is synchronous: only from outside can a hang be seen and ended,
 * and the thread has the stack of an ordinary process or isolate, so that a recursion without end shows as it would there.
 */
import { Worker } from "node:worker_threads";
import type { Range, ShardReport } from "./shard.ts";

/** How long one seed may keep the thread busy before it counts as hung. A busy machine never stops one for so long. */
const HANG_MILLISECONDS = 60_000;
/** The thread is still being started. */
const NO_SEED = -1;
/** Node's default for its main thread; a Worker would have four times as much. */
const STACK_MEGABYTES = 1;

/** The report of the range; rejects with the seed when one hangs or ends the thread. */
export async function runRange(range: Range, hangMilliseconds = HANG_MILLISECONDS): Promise<ShardReport> {
  const progress = new SharedArrayBuffer(4);
  const current = new Int32Array(progress);
  Atomics.store(current, 0, NO_SEED);
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: { range, progress },
    execArgv: ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"],
    resourceLimits: { stackSizeMb: STACK_MEGABYTES },
  });
  let watch: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ShardReport>((resolve, reject) => {
      let seen = NO_SEED;
      watch = setInterval(() => {
        const seed = Atomics.load(current, 0);
        if (seed !== NO_SEED && seed === seen) reject(new Error(`seed ${seed} hangs: ${rerun(seed)}`));
        seen = seed;
      }, hangMilliseconds);
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", (code) => {
        reject(new Error(`the thread ended with ${code} at seed ${Atomics.load(current, 0)}`));
      });
    });
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}

/** The command that judges one seed alone. */
export function rerun(seed: number): string {
  return `FUZZ_SEED=${seed} FUZZ_INPUTS=1 npx vitest run test/fuzz`;
}
