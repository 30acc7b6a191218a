/** The process that plans: writes the seed it is at into a file, and sends its report. */
import { openSync, writeSync } from "node:fs";
import { type Range, runShard } from "./shard.ts";

const [first = "", count = "", sampleEvery = "", progress = ""] = process.argv.slice(2);
const range: Range = { first: Number(first), count: Number(count), sampleEvery: Number(sampleEvery) };
const file = openSync(progress, "w");
const current = new Int32Array(1);

const report = runShard(range, (seed) => {
  current[0] = seed;
  writeSync(file, current, 0, 4, 0);
});
process.send?.(report, undefined, undefined, () => process.disconnect());
