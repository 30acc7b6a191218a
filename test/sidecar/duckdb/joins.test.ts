import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { ask, calling, connectTo, makeWith, type Playground, playground, rowsOf, statement } from "./fixtures.ts";

let ground: Playground;
let connector: Connector;

beforeAll(async () => {
  ground = playground();
  await makeWith([
    `COPY (SELECT 5000 - i AS k, i AS x FROM range(5000) AS r(i)) TO '${ground.root}/many.parquet'`,
    `COPY (SELECT i AS x FROM range(2) AS r(i)) TO '${ground.root}/few.parquet'`,
  ]);
  connector = await connectTo(ground);
});
afterAll(async () => {
  await connector.close();
  ground.remove();
});

test("a join does not decide which rows a LIMIT takes", async () => {
  // In DuckDB 1.4 it did in some runs only: whichever side was there first (duckdb/duckdb#22963).
  for (let run = 0; run < 30; run++) {
    const { rows } = await ask(
      connector,
      `SELECT l.k FROM '${ground.root}/few.parquet' AS u
       JOIN (SELECT k, x FROM '${ground.root}/many.parquet' ORDER BY k, x LIMIT 10 OFFSET 1) AS l ON l.x = u.x`,
    );
    expect(rows).toEqual([]);
  }
});

test.each([
  ["where the plan says so", true, ""],
  ["and nowhere else", undefined, "join_filter_pushdown"],
] as const)("joins may filter %s", async (_, joinsMayFilter, disabled) => {
  const plain = statement("SELECT current_setting('disabled_optimizers') AS x");
  const stream = await connector.query({ ...plain, ...(joinsMayFilter && { joinsMayFilter }) }, calling());
  expect(await rowsOf(stream)).toEqual([[disabled]]);
});
