/** Prints how many sampled bytes a plan leaves for a full collection. Run in a process of its own: others' objects count, too. */
import { type HeapProfiler, Session } from "node:inspector/promises";
import { manifestOf, planned } from "./plan.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "orders",
      tableReference: { table: "orders" },
      columns: ["id", "customer", "amount", "day"].map((name) => ({ name, type: "INTEGER" })),
    },
  ],
});
const SQL = `SELECT customer, sum(amount) AS total, count(*) AS n FROM orders AS o
  WHERE amount > 10 AND id IN (SELECT id FROM orders WHERE day BETWEEN 1 AND 30) GROUP BY customer ORDER BY total DESC LIMIT 10`;

const WARM_UP = 300;
const PLANS = 1000;
const ROUNDS = 10;

function bytesOf(node: HeapProfiler.SamplingHeapProfileNode): number {
  return node.children.reduce((sum, child) => sum + bytesOf(child), node.selfSize);
}

const session = new Session();
session.connect();

async function measured(): Promise<number> {
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 1024,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: false,
  });
  for (let index = 0; index < PLANS; index++) planned(SQL, manifest);
  const { profile } = await session.post("HeapProfiler.stopSampling");
  return bytesOf(profile.head) / PLANS;
}

for (let index = 0; index < WARM_UP; index++) planned(SQL, manifest);
const rounds: number[] = [];
while (rounds.length < ROUNDS) rounds.push(await measured());
session.disconnect();
// V8 at times moves objects out of the young generation that are about to die: the least of several rounds is the plans' own.
console.log(Math.round(Math.min(...rounds)));
