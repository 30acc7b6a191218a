/**
 * Which of a caller's own errors PostgreSQL meets first depends on its plan, and the plan on statistics over excluded rows. Over
 * HTTP all of these errors look the same under a rule, so that only whether there is one can differ.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgresWorld, type World } from "../security/access-world.ts";
import { type Ask, shopOverHttp } from "../security/shop-over-http.ts";
import { type RunningWorker, startWorker } from "../support/worker.ts";

let world: World;
let ask: Ask;

beforeAll(async () => {
  let worker: RunningWorker;
  [world, worker] = await Promise.all([
    openPostgresWorld(),
    startWorker({ AUTH: "none", ALLOW_PRIVATE_HOSTS: "true", V2_PROFILE: "modern" }),
  ]);
  ask = shopOverHttp(world, worker);
});
afterAll(() => world.close());

test("errors of different classes are one answer", async () => {
  const answers = new Map<string, string>();
  for (const sql of [
    "SELECT CAST(note AS INTEGER) FROM orders",
    "SELECT 100 / (units - units) FROM orders",
    // 54000: a limit of the program
    "SELECT length(repeat(note, 2000000000)) FROM orders",
    "SELECT note FROM orders WHERE length(repeat(note, 1000000000)) > 0",
    // 2201B: an invalid regular expression
    "SELECT note FROM orders WHERE note ~ (note || '(')",
    "SELECT (SELECT o.id FROM orders o WHERE o.id >= m.id OR true) FROM orders m",
    "SELECT sqrt(-units) FROM orders",
  ]) {
    const { status, json } = await ask(sql);
    const { correlationId: _correlation, timestamp: _time, ...rest } = json;
    answers.set(sql, JSON.stringify([status, rest]));
  }
  expect([...new Set(answers.values())], JSON.stringify([...answers], undefined, 1)).toHaveLength(1);
  expect([...answers.values()][0]).toContain('"message":"The data source failed to run the statement."');
});
