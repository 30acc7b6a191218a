import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { LogicalType, Value } from "../../../src/result/types.ts";
import { ask, connectTo, failureOf, type Playground, playground } from "./fixtures.ts";

let ground: Playground;
let connector: Connector;

beforeAll(async () => {
  ground = playground();
  connector = await connectTo(ground);
});
afterAll(async () => {
  await connector.close();
  ground.remove();
});

const int32: LogicalType = { kind: "int32" };
const string: LogicalType = { kind: "string" };
const timestamp = (unit: "s" | "ms" | "us" | "ns", zone?: string): LogicalType => ({ kind: "timestamp", unit, zone });
const decimal = (precision: number, scale: number): LogicalType => ({ kind: "decimal", precision, scale });
const WIDE = decimal(38, 0);
const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);

/** An expression over `VALUES`, its type, and its values; NULL is added to each and must come back. */
const CASES: readonly [expression: string, type: LogicalType, ...values: Value[]][] = [
  ["true, false", { kind: "boolean" }, true, false],
  ["(-128)::tinyint, 127::tinyint", { kind: "int8" }, -128, 127],
  ["(-32768)::smallint, 32767::smallint", { kind: "int16" }, -32768, 32767],
  ["(-2147483648)::integer, 2147483647::integer", int32, -2147483648, 2147483647],
  [
    "(-9223372036854775808)::bigint, 9223372036854775807::bigint",
    { kind: "int64" },
    -9223372036854775808n,
    9223372036854775807n,
  ],
  ["255::utinyint", { kind: "uint8" }, 255],
  ["65535::usmallint", { kind: "uint16" }, 65535],
  ["4294967295::uinteger", { kind: "uint32" }, 4294967295],
  ["18446744073709551615::ubigint", { kind: "uint64" }, 18446744073709551615n],
  [
    "170141183460469231731687303715884105727::hugeint, (-170141183460469231731687303715884105727)::hugeint, (-1)::hugeint, 18446744073709551616::hugeint",
    WIDE,
    "170141183460469231731687303715884105727",
    "-170141183460469231731687303715884105727",
    "-1",
    "18446744073709551616",
  ],
  [
    "340282366920938463463374607431768211455::uhugeint, 1::uhugeint",
    WIDE,
    "340282366920938463463374607431768211455",
    "1",
  ],
  ["1.5::float, 'nan'::float, 'infinity'::float", { kind: "float32" }, 1.5, Number.NaN, Number.POSITIVE_INFINITY],
  ["0.1::double, '-infinity'::double", { kind: "float64" }, 0.1, Number.NEGATIVE_INFINITY],
  ["12.30::decimal(4,2), -0.05::decimal(4,2), 0::decimal(4,2)", decimal(4, 2), "12.30", "-0.05", "0.00"],
  ["-1234567.89::decimal(9,2)", decimal(9, 2), "-1234567.89"],
  [
    "0.3::decimal(18,18), -0.000000000000000001::decimal(18,18)",
    decimal(18, 18),
    "0.300000000000000000",
    "-0.000000000000000001",
  ],
  [
    "12345678901234567890123456789012345678::decimal(38,0), -12345678901234567890123456789012345678::decimal(38,0)",
    decimal(38, 0),
    "12345678901234567890123456789012345678",
    "-12345678901234567890123456789012345678",
  ],
  [
    "12345678901234567890.123456789012345678::decimal(38,18), -0.000000000000000001::decimal(38,18)",
    decimal(38, 18),
    "12345678901234567890.123456789012345678",
    "-0.000000000000000001",
  ],
  [
    "'', 'twelve bytes', 'thirteen bytes', 'é😀', 'a' || repeat('ü', 5000), 'a' || chr(0) || 'b'",
    string,
    "",
    "twelve bytes",
    "thirteen bytes",
    "é😀",
    `a${"ü".repeat(5000)}`,
    "a\0b",
  ],
  [`'{"a": 1.10}'::json`, { kind: "json" }, '{"a": 1.10}'],
  [
    "'00000000-0000-0000-0000-000000000000'::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, '12345678-9abc-def0-1234-56789abcdef0'::uuid",
    { kind: "uuid" },
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "12345678-9abc-def0-1234-56789abcdef0",
  ],
  [
    "''::blob, '\\x00\\xFF'::blob, '\\x01\\x02\\x03\\x04\\x05\\x06\\x07\\x08\\x09\\x0A\\x0B\\x0C\\x0D\\x0E'::blob",
    { kind: "binary" },
    bytes(),
    bytes(0, 255),
    bytes(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14),
  ],
  // Five bits of padding in front of three, all ones, as DuckDB exports them.
  ["'101'::bit", { kind: "binary" }, bytes(5, 0b1111_1101)],
  [
    "date '1970-01-01', date '0044-03-15 (BC)', date '9999-12-31', 'infinity'::date, '-infinity'::date",
    { kind: "date" },
    0,
    -735_160,
    2_932_896,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ],
  [
    "time '00:00:00', time '23:59:59.999999', time '24:00:00'",
    { kind: "time", unit: "us" },
    0,
    86_399_999_999,
    86_400_000_000,
  ],
  [
    "'10:00:00+02'::timetz, '23:59:59.5-03:30'::timetz, '00:00:00+15:59:59'::timetz, '01:02:03.000004-15:59:59'::timetz",
    { kind: "opaque", name: "TIME WITH TIME ZONE" },
    "10:00:00+02",
    "23:59:59.5-03:30",
    "00:00:00+15:59:59",
    "01:02:03.000004-15:59:59",
  ],
  [
    "timestamp '2024-02-29 12:34:56.789012', timestamp '1969-12-31 23:59:59.999999', 'infinity'::timestamp, '-infinity'::timestamp",
    timestamp("us"),
    1_709_210_096_789_012n,
    -1n,
    "infinity",
    "-infinity",
  ],
  ["'2024-02-29 12:34:56'::timestamp_s", timestamp("s"), 1_709_210_096n],
  ["'2024-02-29 12:34:56.789'::timestamp_ms", timestamp("ms"), 1_709_210_096_789n],
  ["'2024-02-29 12:34:56.789012345'::timestamp_ns", timestamp("ns"), 1_709_210_096_789_012_345n],
  ["timestamptz '2024-02-29 12:34:56+02'", timestamp("us", "UTC"), 1_709_202_896_000_000n],
  [
    "interval '14 months 3 days 4 hours', interval '-1 month'",
    { kind: "interval" },
    { months: 14, days: 3, microseconds: 14_400_000_000n },
    { months: -1, days: 0, microseconds: 0n },
  ],
  ["'b'::enum('a', 'b')", string, "b"],
  ["[1, NULL, 3], []::integer[]", { kind: "list", element: int32 }, [1, null, 3], []],
  ["[1, 2]::integer[2]", { kind: "list", element: int32 }, [1, 2]],
  [
    "[['a rather long text'], NULL, []]",
    { kind: "list", element: { kind: "list", element: string } },
    [["a rather long text"], null, []],
  ],
  [
    "{'a': 1, 'b': [1.5::decimal(3,1)]}, {'a': NULL, 'b': NULL}",
    {
      kind: "struct",
      fields: [
        { name: "a", type: int32 },
        { name: "b", type: { kind: "list", element: decimal(3, 1) } },
      ],
    },
    [1, ["1.5"]],
    [null, null],
  ],
  [
    "map {'x': 1, 'y': NULL}, map {}",
    { kind: "map", key: string, value: int32 },
    [
      ["x", 1],
      ["y", null],
    ],
    [],
  ],
  [
    "union_value(k := 1)::union(k integer, t varchar), union_value(t := 'text')::union(k integer, t varchar)",
    {
      kind: "struct",
      fields: [
        { name: "k", type: int32 },
        { name: "t", type: string },
      ],
    },
    [1, null],
    [null, "text"],
  ],
];

describe("values of DuckDB, exactly", () => {
  it.each(CASES)("%s", async (expression, type, ...values) => {
    const list = splitTopLevel(expression);
    expect(list).toHaveLength(values.length);
    const sql = `SELECT * FROM (VALUES ${list.map((value) => `(${value})`).join(", ")}, (NULL)) AS t(v)`;
    const { columns, rows } = await ask(connector, sql);
    expect(columns).toEqual([{ name: "v", type }]);
    expect(rows).toEqual([...values, null].map((value) => [value]));
  });

  it("keeps values apart beyond one chunk, with NULLs in between", async () => {
    const sql = `SELECT i, CASE WHEN i % 3 <> 0 THEN 'a text of some length ' || i END, i::decimal(20, 2), [i, -i]
      FROM range(5000) t(i) ORDER BY i`;
    const { rows } = await ask(connector, sql);
    expect(rows).toHaveLength(5000);
    for (const [i, row] of rows.entries()) {
      const text = i % 3 === 0 ? null : `a text of some length ${i}`;
      expect(row).toEqual([BigInt(i), text, `${i}.00`, [BigInt(i), BigInt(-i)]]);
    }
  });

  it("reads long texts that lie anywhere in memory", async () => {
    const sql = `SELECT v FROM (SELECT i, repeat(chr(97 + (i % 26)::int), 13 + (i % 300)::int) || i AS v FROM range(20000) t(i)) ORDER BY hash(i)`;
    const { rows } = await ask(connector, sql);
    const expected = Array.from(
      { length: 20_000 },
      (_, i) => String.fromCharCode(97 + (i % 26)).repeat(13 + (i % 300)) + i,
    );
    expect(rows.map(([value]) => value).sort()).toEqual(expected.sort());
  });

  it("gives columns of the same name, and without rows the types", async () => {
    const { columns, rows } = await ask(
      connector,
      "SELECT 1 AS a, 'x' AS a, sum(i) AS s FROM range(0) t(i) GROUP BY i",
    );
    expect(columns).toEqual([
      { name: "a", type: int32 },
      { name: "a", type: string },
      { name: "s", type: WIDE },
    ]);
    expect(rows).toEqual([]);
  });

  it("refuses a type that the binding cannot hand over", async () => {
    const failure = await failureOf(ask(connector, "SELECT '10:00:00'::time_ns AS t"));
    expect(failure).toMatchObject({ reason: "SOURCE_ERROR", hint: "Cast the column to text in the model." });
  });
});

/** `a, f(b, c)` → [`a`, `f(b, c)`] */
function splitTopLevel(text: string): string[] {
  const parts: string[] = [""];
  let depth = 0;
  let quoted = false;
  for (const character of text) {
    if (character === "'") quoted = !quoted;
    if (!quoted && "([{".includes(character)) depth++;
    if (!quoted && ")]}".includes(character)) depth--;
    if (!quoted && depth === 0 && character === ",") parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}
