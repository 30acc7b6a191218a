/**
 * A plan must not outlive the next young collection of V8: a closure in a constructor once kept each plan's context until a
 * full collection. The test counts sampled bytes that survive, no time.
 */
import { type HeapProfiler, Session } from "node:inspector/promises";
import { expect, test } from "vitest";
import { manifestOf, planned } from "../support/plan.ts";

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
/** About 3,000 bytes survive; with the closure 56,000 did. */
const MOST_BYTES = 20_000;

function bytesOf(node: HeapProfiler.SamplingHeapProfileNode): number {
  return node.children.reduce((sum, child) => sum + bytesOf(child), node.selfSize);
}

test("plans leave little for a full collection", async () => {
  for (let index = 0; index < WARM_UP; index++) planned(SQL, manifest);
  const session = new Session();
  session.connect();
  await session.post("HeapProfiler.startSampling", {
    samplingInterval: 4096,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: false,
  });
  for (let index = 0; index < PLANS; index++) planned(SQL, manifest);
  const { profile } = await session.post("HeapProfiler.stopSampling");
  session.disconnect();
  expect(bytesOf(profile.head) / PLANS).toBeLessThan(MOST_BYTES);
});
