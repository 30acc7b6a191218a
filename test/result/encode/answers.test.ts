import { describe, expect, test } from "vitest";
import { parseColumnDtypes } from "../../../src/result/conversion/column-dtypes.ts";
import { encoders } from "../../../src/result/encode/encoders.ts";
import type { ProfileName } from "../../../src/result/encode/profiles.ts";
import { canonicalDecimal } from "../../../src/result/text/decimal.ts";
import type { Batch, Column, LogicalType, Value } from "../../../src/result/types.ts";
import { columnsOf, encode, resultOf, textOf } from "../streams.ts";

const describeFailure = (): object => ({});
const INT32: LogicalType = { kind: "int32" };
const STRING: LogicalType = { kind: "string" };
const LOCAL: LogicalType = { kind: "timestamp", unit: "us", zone: undefined };
const ZONED: LogicalType = { kind: "timestamp", unit: "us", zone: "UTC" };

function json(columns: readonly Column[], batches: readonly Batch[], profile: ProfileName): Promise<string> {
  return textOf(encode(encoders.json, resultOf(columns, batches), { profile, describeFailure }));
}

const micros = (instant: string): bigint => BigInt(Date.parse(instant)) * 1000n;

const ORDERS: readonly Column[] = [
  { name: "orderkey", type: INT32 },
  { name: "custkey", type: INT32 },
  { name: "orderstatus", type: STRING },
  { name: "totalprice", type: STRING },
  { name: "orderdate", type: { kind: "date" } },
  { name: "order_cust_key", type: STRING },
  { name: "timestamp", type: LOCAL },
  { name: "timestamptz", type: ZONED },
  { name: "test_null_time", type: LOCAL },
  { name: "bytea_column", type: { kind: "binary" } },
];
const FIRST_ORDER: readonly Value[] = [
  1,
  370,
  "O",
  "172799.49",
  9_497,
  "1_370",
  micros("2024-01-01T23:59:59Z"),
  micros("2024-01-01T23:59:59Z"),
  null,
  new TextEncoder().encode("abc"),
];

describe("outputs that the retired service asserts", () => {
  test("the standard query in modern", async () => {
    expect(await json(ORDERS, [[FIRST_ORDER]], "modern")).toBe(
      '{"columns":["orderkey","custkey","orderstatus","totalprice","orderdate","order_cust_key","timestamp",' +
        '"timestamptz","test_null_time","bytea_column"],"data":[[1,370,"O","172799.49","1996-01-02","1_370",' +
        '"2024-01-01 23:59:59.000000","2024-01-01 23:59:59.000000 +00:00",null,"616263"]],"dtypes":{' +
        '"orderkey":"int32","custkey":"int32","orderstatus":"string","totalprice":"string",' +
        '"orderdate":"date32[day]","order_cust_key":"string","timestamp":"timestamp[us]",' +
        '"timestamptz":"timestamp[us, tz=UTC]","test_null_time":"timestamp[us]","bytea_column":"binary"}}',
    );
  });

  test("the standard query in classic", async () => {
    expect(JSON.parse(await json(ORDERS, [[FIRST_ORDER]], "classic"))).toEqual({
      columns: ORDERS.map((column) => column.name),
      data: [[1, 370, "O", "172799.49", 820540800000, "1_370", 1704153599000, 1704153599000, null, "616263"]],
      dtypes: {
        orderkey: "int32",
        custkey: "int32",
        orderstatus: "object",
        totalprice: "object",
        orderdate: "object",
        order_cust_key: "object",
        timestamp: "datetime64[ns]",
        timestamptz: "datetime64[ns, UTC]",
        test_null_time: "datetime64[ns]",
        bytea_column: "object",
      },
    });
  });

  test("LIMIT 0 keeps columns and dtypes", async () => {
    expect(await json([{ name: "a", type: INT32 }], [], "modern")).toBe(
      '{"columns":["a"],"data":[],"dtypes":{"a":"int32"}}',
    );
    const full = JSON.parse(await json(ORDERS, [[FIRST_ORDER]], "modern"));
    expect(JSON.parse(await json(ORDERS, [], "modern"))).toEqual({ ...full, data: [] });
  });

  const DECIMAL: LogicalType = { kind: "decimal" };
  test.each<[string, LogicalType, Value, string]>([
    ["0.0123e-3", DECIMAL, canonicalDecimal("0.0123e-3") ?? "", '"0.0000123"'],
    ["1.23e+4", DECIMAL, canonicalDecimal("1.23e+4") ?? "", '"12300.0"'],
    ["-4.56e-3", DECIMAL, canonicalDecimal("-4.56e-3") ?? "", '"-0.00456"'],
    ["7.89e0", DECIMAL, canonicalDecimal("7.89e0") ?? "", '"7.89"'],
    ["0e0", DECIMAL, canonicalDecimal("0e0") ?? "", '"0"'],
    ["123.456", DECIMAL, "123.456", '"123.456"'],
    ["-123.456", DECIMAL, "-123.456", '"-123.456"'],
    ["0.00000123", DECIMAL, "0.00000123", '"1.23e-6"'],
    ["123.0000", DECIMAL, "123.0000", '"123.0"'],
    ["0.0", DECIMAL, "0.0", '"0"'],
    ["0", INT32, 0, "0"],
    ["0e-9", DECIMAL, "0.000000000", '"0"'],
    ["-1", INT32, -1, "-1"],
    ["9999999999", { kind: "int64" }, 9_999_999_999n, "9999999999"],
    ["1.23e4 + 4.56", DECIMAL, "12304.56", '"12304.56"'],
    ["-1.23e-4 - 123.45", DECIMAL, "-123.450123", '"-123.450123"'],
    ["0.0123e-5 * 1000", DECIMAL, "0.000123000", '"0.000123"'],
    ["123.45 / 1.23e2", { kind: "float64" }, 1.0036585365853659, "1.0036585365853659"],
    ["FLOAT NaN", { kind: "float64" }, Number.NaN, "null"],
    ["FLOAT Infinity", { kind: "float64" }, Number.POSITIVE_INFINITY, "null"],
    ["FLOAT -Infinity", { kind: "float64" }, Number.NEGATIVE_INFINITY, "null"],
    ["FLOAT NULL", { kind: "float64" }, null, "null"],
    ["CAST(123.456 AS FLOAT)", { kind: "float32" }, Math.fround(123.456), "123.45600128173828"],
    ["CAST(1.23e4 AS DECIMAL(10,5))", DECIMAL, "12300.00000", '"12300.0"'],
    ["CAST(1.234e+14 AS DECIMAL(20,0))", DECIMAL, "123400000000000", '"123400000000000.0"'],
    ["CAST(1.234e+15 AS DECIMAL(20,0))", DECIMAL, "1234000000000000", '"1234000000000000.0"'],
    ["CAST(1.123456789 AS DECIMAL(20,9))", DECIMAL, "1.123456789", '"1.123456789"'],
    ["clickhouse sum", DECIMAL, "2860895.79", '"2860895.79"'],
    ["oracle NUMBER(10,2)", DECIMAL, "12345678.12", '"12345678.12"'],
  ])("%s", async (_, type, value, expected) => {
    expect(await json(columnsOf(type), [[[value]]], "modern")).toContain(`"data":[[${expected}]]`);
  });
});

describe("what an answer looks like", () => {
  test("names may repeat; their dtypes collapse, the last one standing", async () => {
    const columns: readonly Column[] = [
      { name: "id", type: INT32 },
      { name: "n", type: INT32 },
      { name: "id", type: STRING },
    ];
    expect(await json(columns, [[[1, 2, "x"]]], "modern")).toBe(
      '{"columns":["id","n","id"],"data":[[1,2,"x"]],"dtypes":{"id":"string","n":"int32"}}',
    );
  });

  test("dtypes keep the columns' order and every name, whatever it is", async () => {
    const names = ["b", "10", "9", "__proto__", 'quo"te', "真夜中", "\ud800", ""];
    const columns = names.map((name): Column => ({ name, type: INT32 }));
    const text = await json(columns, [], "modern");
    expect(text).toContain(
      '"dtypes":{"b":"int32","10":"int32","9":"int32","__proto__":"int32","quo\\"te":"int32","真夜中":"int32",' +
        '"\\ud800":"int32","":"int32"}}',
    );
    expect(JSON.parse(text).columns).toEqual(names);
  });

  test("integers beyond 2^53 are bare and exact beside NULLs", async () => {
    const columns = columnsOf({ kind: "int64" });
    expect(await json(columns, [[[9_007_199_254_740_993n], [null]], [], [[-1n]]], "modern")).toContain(
      '"data":[[9007199254740993],[null],[-1]]',
    );
  });

  test("a result without columns still counts its rows", async () => {
    expect(await json([], [[[], []]], "modern")).toBe('{"columns":[],"data":[[],[]],"dtypes":{}}');
  });

  test("the display zone shows in modern's dtype, not in classic's", async () => {
    const options = { zone: "America/New_York", describeFailure };
    const read = async (profile: ProfileName): Promise<unknown> =>
      JSON.parse(await textOf(encode(encoders.json, resultOf(columnsOf(ZONED, LOCAL), []), { ...options, profile })))
        .dtypes;
    expect(await read("modern")).toEqual({ a: "timestamp[us, tz=America/New_York]", b: "timestamp[us]" });
    expect(await read("classic")).toEqual({ a: "datetime64[ns, UTC]", b: "datetime64[ns]" });
  });

  test("NDJSON: a line that describes, a line per row, a line that ends", async () => {
    const stream = resultOf(columnsOf(INT32, STRING), [[[1, "x\ny"]], [[2, null]]]);
    expect(await textOf(encode(encoders.ndjson, stream, { profile: "modern", describeFailure }))).toBe(
      '{"columns":["a","b"],"dtypes":{"a":"int32","b":"string"}}\n[1,"x\\ny"]\n[2,null]\n{"end":{"rows":2}}\n',
    );
  });

  test("NDJSON with types by position: names may repeat, and dtypes call several kinds strings", async () => {
    const columns = columnsOf(INT32, { kind: "uuid" }, { kind: "json" }, { kind: "decimal" }, STRING);
    const named = columns.map((column) => ({ ...column, name: "a" }));
    const options = { profile: "modern", describeFailure, columnTypes: true } as const;
    const [head = ""] = (await textOf(encode(encoders.ndjson, resultOf(named, []), options))).split("\n");
    expect(JSON.parse(head)).toMatchObject({
      dtypes: { a: "string" },
      types: ["int32", "uuid", "json", "decimal", "string"],
    });
  });

  test("NDJSON without rows", async () => {
    const stream = resultOf(columnsOf(INT32), []);
    expect(await textOf(encode(encoders.ndjson, stream, { profile: "classic", describeFailure }))).toBe(
      '{"columns":["a"],"dtypes":{"a":"int32"}}\n{"end":{"rows":0}}\n',
    );
  });

  test("content types and what each format does when it fails late", () => {
    expect(Object.values(encoders).map(({ contentType, lateFailure }) => [contentType, lateFailure])).toEqual([
      ["application/json", "break-off"],
      ["application/x-ndjson", "error-line"],
      ["text/csv", "break-off"],
    ]);
  });
});

describe("columnDtypes", () => {
  async function shown(
    column: Column,
    dtype: string,
    value: Value,
    profile: ProfileName,
  ): Promise<{ data: unknown[][]; dtypes: Record<string, string> }> {
    const parsed = parseColumnDtypes({ [column.name]: dtype });
    if (!parsed.ok) throw new Error("The test asks for a type that does not exist.");
    const stream = resultOf([column], [[[value]]]);
    const options = { profile, columnDtypes: parsed.dtypes, describeFailure };
    return JSON.parse(await textOf(encode(encoders.json, stream, options)));
  }

  test("in classic, a listed date or timestamp is shown as text, as an object column", async () => {
    const date: Column = { name: "d", type: { kind: "date" } };
    const zoned: Column = { name: "t", type: ZONED };
    const at = micros("2024-01-01T23:59:59Z");
    expect(await shown(date, "datetime64", 9_497, "classic")).toMatchObject({
      data: [["1996-01-02 00:00:00.000000"]],
      dtypes: { d: "object" },
    });
    expect(await shown(date, "date", 9_497, "classic")).toMatchObject({
      data: [["1996-01-02"]],
      dtypes: { d: "object" },
    });
    expect(await shown(zoned, "timestamp", at, "classic")).toMatchObject({
      data: [["2024-01-01 23:59:59.000000 +00:00"]],
      dtypes: { t: "object" },
    });
  });

  test("in modern it keeps its Arrow name", async () => {
    const date: Column = { name: "d", type: { kind: "date" } };
    expect(await shown(date, "datetime64", 9_497, "modern")).toMatchObject({
      data: [["1996-01-02 00:00:00.000000"]],
      dtypes: { d: "timestamp[us]" },
    });
  });

  test("numbers become what was asked for", async () => {
    const price: Column = { name: "p", type: { kind: "decimal", precision: 12, scale: 2 } };
    expect(await shown(price, "float", "172799.49", "classic")).toMatchObject({
      data: [[172799.49]],
      dtypes: { p: "float64" },
    });
    expect(await shown(price, "str", "172799.490", "classic")).toMatchObject({
      data: [["172799.49"]],
      dtypes: { p: "object" },
    });
  });
});

describe("decimals whose source tells no size", () => {
  test.each([
    [["1.5"], "decimal128(38, 9)"],
    [["0.50000000000000000000", null, "NaN"], "decimal128(38, 9)"],
    [["0.33333333333333333333"], "decimal128(38, 20)"],
    [["-0.1234567891"], "decimal128(38, 10)"],
    [[`${"9".repeat(30)}.5`, "Infinity"], "decimal256(39, 9)"],
    [[`-${"9".repeat(29)}`], "decimal128(38, 9)"],
    [["9".repeat(29), "0.1234567891"], "decimal256(39, 10)"],
  ] as const)("%j are told as %s", async (values, dtype) => {
    const rows = values.map((value) => [value]);
    const text = await json([{ name: "a", type: { kind: "decimal" } }], [rows], "modern");
    expect(JSON.parse(text).dtypes).toEqual({ a: dtype });
  });
});
