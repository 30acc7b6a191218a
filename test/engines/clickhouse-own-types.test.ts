/** Columns of ClickHouse's own types, declared by their own names and by those of metadata, on the real engine. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clickHouseTypeName } from "../../src/connectors/catalog/clickhouse.ts";
import { type ClickHouseTestDatabase, startClickHouse } from "../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { manifestOfTable, planned } from "../support/plan.ts";

const TYPES = {
  id: "Int32",
  e: "Enum8('new' = 1, 'paid' = 2)",
  n: "Nullable(Enum16('x' = 300, 'y' = 5))",
  b: "DateTime('Europe/Berlin')",
  a: "DateTime64(3, 'America/New_York')",
  f: "FixedString(8)",
  ip: "IPv4",
};
const NAMED = manifestOfTable(TYPES);
const REPORTED = manifestOfTable(
  Object.fromEntries(Object.entries(TYPES).map(([name, type]) => [name, clickHouseTypeName(type)])),
);

const ANSWERS: readonly (readonly [sql: string, rows: readonly (readonly string[])[]])[] = [
  [
    "SELECT upper(e), lower(e), length(e) FROM t ORDER BY id",
    [
      ["NEW", "new", "3"],
      ["PAID", "paid", "4"],
    ],
  ],
  ["SELECT id FROM t WHERE e LIKE 'p%' OR e IN ('other', 'none')", [["2"]]],
  ["SELECT coalesce(n, 'none') FROM t ORDER BY id", [["x"], ["none"]]],
  ["SELECT min(n), max(e) FROM t", [["x", "paid"]]],
  ["SELECT length(f), f || '!' FROM t WHERE id = 1", [["3", "abc!"]]],
  ["SELECT ip || '', upper(ip) FROM t WHERE id = 1", [["10.0.0.1", "10.0.0.1"]]],
  // 00:30 of Berlin's first of January is the last of December in UTC.
  [
    "SELECT extract(hour FROM b), extract(year FROM b), b::text FROM t WHERE id = 1",
    [["23", "2023", "2023-12-31 23:30:00+00"]],
  ],
  ["SELECT id FROM t WHERE b >= TIMESTAMPTZ '2024-01-01 00:00:00+00'", [["2"]]],
  ["SELECT date_trunc('month', a)::date::text FROM t ORDER BY id", [["2024-01-01"], ["2024-02-01"]]],
];

describe.runIf(hasClickHouse())("ClickHouse's own types", () => {
  let server: ClickHouseTestDatabase;
  const settings = { session_timezone: "UTC", join_use_nulls: "1", cast_keep_nullable: "1" };
  beforeAll(async () => {
    server = await startClickHouse();
    const columns = Object.entries(TYPES).map(([name, type]) => `${name} ${type}`);
    await server.query(`CREATE TABLE t (${columns.join(", ")}) ENGINE = MergeTree ORDER BY id`);
    await server.query(`INSERT INTO t VALUES
      (1, 'new', 'x', toDateTime('2023-12-31 23:30:00', 'UTC'), toDateTime64('2024-01-01 03:00:00', 3, 'UTC'), 'abc', '10.0.0.1'),
      (2, 'paid', NULL, toDateTime('2024-01-31 23:30:00', 'UTC'), toDateTime64('2024-02-01 03:00:00', 3, 'UTC'), 'defg', '10.0.0.2')`);
  });
  afterAll(() => server.stop());

  describe.each([
    ["by their own names", NAMED],
    ["by the names of metadata", REPORTED],
  ])("%s", (_names, manifest) => {
    test.each(ANSWERS)("%s", async (sql, rows) => {
      expect(await server.query(planned(sql, manifest, { source: "clickhouse" }).sql, settings)).toEqual(rows);
    });
  });
});

test.skipIf(hasClickHouse())(WITHOUT_CLICKHOUSE, () => {});
