/** Chains of inner joins whose first equality stands in a later join, on the real engine. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClickHouseTestDatabase, startClickHouse } from "../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { manifestOfTable, planned } from "../support/plan.ts";

const MANIFEST = manifestOfTable({ o: "INTEGER", p: "VARCHAR", n: "INTEGER" });
const settings = { session_timezone: "UTC", join_use_nulls: "1", cast_keep_nullable: "1" };

/** The join of the first ON, and the condition that it lacks. */
const CHAINS: readonly (readonly [chain: string, missing: string])[] = [
  ["t a JOIN t b ON a.p < b.p JOIN t c ON a.o = c.o AND b.o = c.o AND b.p < c.p", "a.o = b.o"],
  ["t a JOIN t b ON a.n < b.n JOIN t c ON a.o = c.o AND b.o = c.o", "a.o = b.o"],
  ["t a JOIN t b ON a.p <> b.p JOIN t c ON a.o = c.o JOIN t d ON d.o = b.o AND d.n = c.n AND c.o = d.o", "a.o = b.o"],
];

describe.runIf(hasClickHouse())("joins of ClickHouse", () => {
  let server: ClickHouseTestDatabase;
  beforeAll(async () => {
    server = await startClickHouse();
    await server.query("CREATE TABLE t (o Int32, p Nullable(String), n Int32) ENGINE = MergeTree ORDER BY o");
    await server.query(
      "INSERT INTO t SELECT number % 80, if(number % 9 = 0, NULL, concat('p', toString(number % 17))), number % 13 FROM numbers(600)",
    );
  });
  afterAll(() => server.stop());

  test.each(CHAINS)("%s: the same rows without a product of tables", async (chain, missing) => {
    const text = (from: string): string =>
      planned(`SELECT count(*), sum(a.n + b.n) FROM ${from}`, MANIFEST, { source: "clickhouse" }).sql;
    const asked = text(chain);
    const plain = text(chain.replace(" ON ", ` ON ${missing} AND `));
    expect(plain).toContain(" ON ");
    const rows = await server.query(asked, settings);
    expect(rows).toEqual(await server.query(plain, settings));
    expect(Number(rows[0]?.[0])).toBeGreaterThan(100);
    const explained = (await server.query(`EXPLAIN actions = 1 ${asked}`, settings)).flat().join("\n");
    expect(explained).toMatch(/Type: INNER/i);
    expect(explained).not.toMatch(/Type: CROSS/i);
  });
});

test.skipIf(hasClickHouse())(WITHOUT_CLICKHOUSE, () => {});
