/** The thread that plans: tells the seed it is at through shared memory, and answers with its report. */
import { parentPort, workerData } from "node:worker_threads";
import { type Range, runShard } from "./shard.ts";

const { range, progress } = workerData as { readonly range: Range; readonly progress: SharedArrayBuffer };
const current = new Int32Array(progress);

parentPort?.postMessage(
  runShard(range, (seed) => {
    Atomics.store(current, 0, seed);
  }),
);
