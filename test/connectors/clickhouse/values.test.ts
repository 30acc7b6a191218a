/** Values of every type, as ClickHouse's engine sends them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClickHouseTestDatabase, startClickHouse } from "../../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../../support/clickhouse-server.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { openOn, rowsOf } from "./fixture.ts";

const days = (...parts: Parameters<typeof Date.UTC>) => Date.UTC(...parts) / 86_400_000;
const interval = (parts: object) => ({ months: 0, days: 0, microseconds: 0n, ...parts });
const LOCAL = (unit: string) => ({ kind: "timestamp", unit, zone: undefined });

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse's engine" : WITHOUT_CLICKHOUSE, () => {
  let database: ClickHouseTestDatabase;
  beforeAll(async () => {
    database = await startClickHouse();
  });
  afterAll(() => database?.stop());

  it.each<[string, unknown, unknown]>([
    ["true", true, { kind: "boolean" }],
    ["toInt8(-128)", -128, { kind: "int8" }],
    ["toInt16(-32768)", -32768, { kind: "int16" }],
    ["toInt32(-2147483648)", -2147483648, { kind: "int32" }],
    ["toInt64(-9223372036854775808)", -9223372036854775808n, { kind: "int64" }],
    ["toUInt8(255)", 255, { kind: "uint8" }],
    ["toUInt16(65535)", 65535, { kind: "uint16" }],
    ["toUInt32(4294967295)", 4294967295, { kind: "uint32" }],
    ["toUInt64(18446744073709551615)", 18446744073709551615n, { kind: "uint64" }],
    ["toInt128('-170141183460469231731687303715884105728')", `${-(2n ** 127n)}`, { kind: "decimal" }],
    ["toUInt128('340282366920938463463374607431768211455')", `${2n ** 128n - 1n}`, { kind: "decimal" }],
    [`toInt256('${-(2n ** 255n)}')`, `${-(2n ** 255n)}`, { kind: "decimal" }],
    [`toUInt256('${2n ** 256n - 1n}')`, `${2n ** 256n - 1n}`, { kind: "decimal" }],
    ["toFloat32(1.1)", Math.fround(1.1), { kind: "float32" }],
    ["toFloat64(1) / 3", 1 / 3, { kind: "float64" }],
    ["nan", Number.NaN, { kind: "float64" }],
    ["-inf", Number.NEGATIVE_INFINITY, { kind: "float64" }],
    ["toFloat64('-0')", -0, { kind: "float64" }],
    ["toBFloat16(1.5)", 1.5, { kind: "float32" }],
    ["toDecimal32('-0.05', 2)", "-0.05", { kind: "decimal", precision: 9, scale: 2 }],
    ["CAST('1234567.89' AS Decimal(18, 2))", "1234567.89", { kind: "decimal", precision: 18, scale: 2 }],
    [
      "CAST('-99999999999999999999999999999999999999' AS Decimal(38, 0))",
      `-${"9".repeat(38)}`,
      { kind: "decimal", precision: 38, scale: 0 },
    ],
    [
      `CAST('-0.${"0".repeat(75)}1' AS Decimal(76, 76))`,
      `-0.${"0".repeat(75)}1`,
      { kind: "decimal", precision: 76, scale: 76 },
    ],
    ["'a\\0é𝒳'", "a\0é𝒳", { kind: "string" }],
    ["repeat('ab', 100)", "ab".repeat(100), { kind: "string" }],
    ["toFixedString('ab', 4)", "ab", { kind: "string" }],
    ["CAST('b''c' AS Enum8('a' = -1, 'b''c' = 2))", "b'c", { kind: "string" }],
    ["CAST('x' AS Enum16('x' = 1000))", "x", { kind: "string" }],
    ["toUUID('12151fd2-7586-11e9-8f9e-2a86e4085a59')", "12151fd2-7586-11e9-8f9e-2a86e4085a59", { kind: "uuid" }],
    ["toIPv4('10.0.255.1')", "10.0.255.1", { kind: "string" }],
    ["toIPv6('2001:db8::1:0:0:1')", "2001:db8::1:0:0:1", { kind: "string" }],
    ["toIPv6('::')", "::", { kind: "string" }],
    ["toIPv6('1:0:2:0:3:4:5:6')", "1:0:2:0:3:4:5:6", { kind: "string" }],
    ["toIPv6('::ffff:1.2.3.4')", "::ffff:1.2.3.4", { kind: "string" }],
    ["toDate('2149-06-06')", days(2149, 5, 6), { kind: "date" }],
    ["toDate32('1900-01-01')", days(1900, 0, 1), { kind: "date" }],
    ["toDateTime('2024-02-29 12:34:56')", BigInt(Date.UTC(2024, 1, 29, 12, 34, 56) / 1000), LOCAL("s")],
    [
      "toDateTime('2024-07-01 12:00:00', 'Europe/Berlin')",
      BigInt(Date.UTC(2024, 6, 1, 10) / 1000),
      { kind: "timestamp", unit: "s", zone: "Europe/Berlin" },
    ],
    ["toDateTime64('1969-12-31 23:59:59.9', 1)", -100n, LOCAL("ms")],
    ["toDateTime64('2020-01-01 00:00:00', 0)", 1577836800n, LOCAL("s")],
    ["toDateTime64('2020-01-01 00:00:00.12345', 5)", 1577836800123450n, LOCAL("us")],
    [
      "toDateTime64('2020-01-01 00:00:00.123456789', 9, 'UTC')",
      1577836800123456789n,
      { kind: "timestamp", unit: "ns", zone: "UTC" },
    ],
    ["CAST('-30:00:01' AS Time)", -108001, { kind: "time", unit: "s" }],
    ["CAST('01:02:03.5' AS Time64(2))", 3723500, { kind: "time", unit: "ms" }],
    ["INTERVAL -14 MONTH", interval({ months: -14 }), { kind: "interval" }],
    ["INTERVAL 2 WEEK", interval({ days: 14 }), { kind: "interval" }],
    ["INTERVAL -90000000000 MICROSECOND", interval({ days: -1, microseconds: -3_600_000_000n }), { kind: "interval" }],
    ["INTERVAL 90 MINUTE", interval({ microseconds: 5_400_000_000n }), { kind: "interval" }],
    ["NULL", null, { kind: "null" }],
    ["CAST(NULL AS Nullable(Decimal(9, 2)))", null, { kind: "decimal", precision: 9, scale: 2 }],
    ["toLowCardinality('x')", "x", { kind: "string" }],
    ["CAST(NULL AS LowCardinality(Nullable(String)))", null, { kind: "string" }],
    ["[]", [], { kind: "list", element: { kind: "null" } }],
    ["[1, NULL, 3]", [1, null, 3], { kind: "list", element: { kind: "uint8" } }],
    ["[['a'], []]", [["a"], []], { kind: "list", element: { kind: "list", element: { kind: "string" } } }],
    [
      "CAST((1, 'x') AS Tuple(a Int32, `b ``c(` Nullable(String)))",
      [1, "x"],
      {
        kind: "struct",
        fields: [
          { name: "a", type: { kind: "int32" } },
          { name: "b `c(", type: { kind: "string" } },
        ],
      },
    ],
    [
      "tuple(1, 2.5)",
      [1, 2.5],
      {
        kind: "struct",
        fields: [
          { name: "1", type: { kind: "uint8" } },
          { name: "2", type: { kind: "float64" } },
        ],
      },
    ],
    [
      "map('b', [1], 'a', [])",
      [
        ["b", [1]],
        ["a", []],
      ],
      { kind: "map", key: { kind: "string" }, value: { kind: "list", element: { kind: "uint8" } } },
    ],
    ["CAST((1.5, -2) AS Point)", [1.5, -2], expect.objectContaining({ kind: "struct" })],
    [
      "CAST([[(0, 0), (1, 0)]] AS Polygon)",
      [
        [
          [0, 0],
          [1, 0],
        ],
      ],
      expect.objectContaining({ kind: "list" }),
    ],
    [`'{"a":{"b":9007199254740993},"c":null}'::JSON`, '{"a":{"b":9007199254740993}}', { kind: "json" }],
    ["CAST(7 AS SimpleAggregateFunction(sum, UInt64))", 7n, { kind: "uint64" }],
  ])("%s", async (sql, value, type) => {
    expect(await rowsOf(database, `SELECT ${sql} AS v`)).toEqual({ types: [type], rows: [[value]] });
  });

  it("columns of nested tables are arrays", async () => {
    await database.query("CREATE TABLE n (k Int8, n Nested(a Int8, b String)) ENGINE = MergeTree ORDER BY k");
    await database.query("INSERT INTO n VALUES (1, [1, 2], ['x', 'y'])");
    expect((await rowsOf(database, "SELECT n.a, n.b FROM n")).rows).toEqual([
      [
        [1, 2],
        ["x", "y"],
      ],
    ]);
  });

  it("values that share a dictionary, and rows longer than a piece of the answer, arrive one for one", async () => {
    const sql = `SELECT toLowCardinality(toString(number % 3)), repeat('é', number % 5 * 40000), range(number % 4)
      FROM numbers(400)`;
    const { rows } = await rowsOf(database, sql);
    expect(rows).toHaveLength(400);
    rows.forEach((row, n) => {
      expect(row).toEqual([String(n % 3), "é".repeat((n % 5) * 40000), Array.from({ length: n % 4 }, (_, i) => i)]);
    });
  });

  it.each([
    ["unhex('ff')"],
    ["toNullable(unhex('ff'))"],
    ["toLowCardinality(toNullable(unhex('ff')))"],
    ["toFixedString(unhex('ff'), 1)"],
  ])("%s is bytes where the plan declares its column as bytes", async (sql) => {
    const connector = await openOn(database);
    const columns = [{ name: "v", type: { kind: "binary" }, nullable: true }] as const;
    const result = await connector.query({ ...plain(`SELECT ${sql} AS v`), columns }, patient());
    expect([result.columns[0]?.type, await drain(result)]).toEqual([{ kind: "binary" }, [[Uint8Array.of(0xff)]]]);
    await connector.close();
  });

  it.each([
    [`'["x", null]'`, [["x", null]]],
    ["CAST(NULL AS Nullable(String))", [null]],
    ["['x']", [["x"]]],
  ])("%s is a list where the plan has an array", async (sql, row) => {
    const connector = await openOn(database);
    const columns = [{ name: "v", type: { kind: "array", element: { kind: "text" } }, nullable: true }] as const;
    const result = await connector.query({ ...plain(`SELECT ${sql} AS v`), columns }, patient());
    expect([result.columns[0]?.type.kind, await drain(result)]).toEqual(["list", [row]]);
    await connector.close();
  });

  it.each([
    ["unhex('ff')", "bytes that are not UTF-8", "Select hex(x), or give the column the type BYTEA in the manifest."],
    ["INTERVAL 1 NANOSECOND", "an interval of nanoseconds", "Cast the column to String."],
  ])("%s has no canonical value, which says the column", async (sql, problem, hint) => {
    const failure = await failureOf(rowsOf(database, `SELECT ${sql} AS v`));
    expect(failure).toMatchObject({
      reason: "SOURCE_ERROR",
      message: `Column "v" holds a value that cannot be represented: ${problem}.`,
      hint,
    });
  });

  it.each(["CAST(1 AS Variant(UInt8, String))", "CAST(1 AS Dynamic)", "sumState(1)", "[CAST(1 AS Dynamic)]"])(
    "%s is not supported",
    async (sql) => {
      const failure = await failureOf(rowsOf(database, `SELECT ${sql} AS v`));
      expect(failure.reason).toBe("SOURCE_ERROR");
      expect(failure.message).toMatch(/^Column "v" has type .*, which is not supported on ClickHouse\.$/);
    },
  );
});
