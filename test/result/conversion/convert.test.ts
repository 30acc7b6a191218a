import { describe, expect, test } from "vitest";
import { parseColumnDtypes } from "../../../src/result/conversion/column-dtypes.ts";
import { convertColumns } from "../../../src/result/conversion/convert.ts";
import { ResultError } from "../../../src/result/failure.ts";
import { prefetch } from "../../../src/result/stream/prefetch.ts";
import type { Column, LogicalType, ResultStream, Value } from "../../../src/result/types.ts";
import { columnsOf, resultOf, rowsOf } from "../streams.ts";

const STRING: LogicalType = { kind: "string" };
const INT32: LogicalType = { kind: "int32" };
const INT64: LogicalType = { kind: "int64" };
const UINT64: LogicalType = { kind: "uint64" };
const FLOAT: LogicalType = { kind: "float64" };
const DECIMAL: LogicalType = { kind: "decimal", precision: 38, scale: 2 };
const BOOLEAN: LogicalType = { kind: "boolean" };
const DATE: LogicalType = { kind: "date" };
const LOCAL: LogicalType = { kind: "timestamp", unit: "us", zone: undefined };
const ZONED: LogicalType = { kind: "timestamp", unit: "us", zone: "UTC" };
const NOON = BigInt(Date.parse("2024-01-01T12:00:00Z")) * 1000n;
const LATE = BigInt(Date.parse("2024-01-02T03:00:00Z")) * 1000n;

function convert(type: LogicalType, dtype: string, values: readonly Value[], zone?: string): ResultStream {
  const parsed = parseColumnDtypes({ a: dtype });
  if (!parsed.ok) throw new Error("The test asks for a type that does not exist.");
  return convertColumns(resultOf(columnsOf(type), [values.map((value) => [value])]), parsed.dtypes, zone);
}

describe("parseColumnDtypes", () => {
  test.each([
    ["string", "string"],
    ["str", "string"],
    ["object", "string"],
    ["int32", "int32"],
    ["int64", "int64"],
    ["int", "int64"],
    ["float", "float64"],
    ["float64", "float64"],
    ["bool", "bool"],
    ["datetime64", "timestamp"],
    ["timestamp", "timestamp"],
    ["date", "date"],
  ])("%s", (name, dtype) => {
    expect(parseColumnDtypes({ a: name })).toEqual({ ok: true, dtypes: new Map([["a", dtype]]) });
  });

  test("unknown names are reported with their columns and what is allowed", () => {
    expect(parseColumnDtypes({ a: "int32", b: "category", c: "Int64", d: "toString" })).toEqual({
      ok: false,
      columns: ["b", "c", "d"],
      allowed: [
        ...["string", "str", "object", "int32", "int64", "int", "float", "float64", "bool"],
        ...["datetime64", "timestamp", "date"],
        ...["int8", "int16", "uint8", "uint16", "uint32", "uint64", "double", "date32[day]"],
      ],
    });
  });
});

describe("values that convert", () => {
  test.each<[LogicalType, string, Value, LogicalType, Value]>([
    [INT64, "str", 9_007_199_254_740_993n, STRING, "9007199254740993"],
    [DECIMAL, "str", "12300.00", STRING, "12300.0"],
    [FLOAT, "str", 1, STRING, "1.0"],
    [FLOAT, "str", Number.NaN, STRING, "NaN"],
    [DECIMAL, "str", "NaN", STRING, "NaN"],
    [BOOLEAN, "str", true, STRING, "true"],
    [DATE, "str", 9_497, STRING, "1996-01-02"],
    [ZONED, "str", NOON, STRING, "2024-01-01 12:00:00.000000 +00:00"],
    [{ kind: "binary" }, "str", Uint8Array.of(97), STRING, "61"],
    [{ kind: "list", element: INT64 }, "str", [1n, null], STRING, "[1,null]"],
    [{ kind: "uuid" }, "object", "x", STRING, "x"],
    [{ kind: "json" }, "str", '{"a": 1}', STRING, '{"a": 1}'],
    [{ kind: "interval" }, "str", { months: 1, days: 0, microseconds: 0n }, STRING, "1 mons"],

    [INT32, "int64", 5, INT64, 5n],
    [INT64, "int32", -2_147_483_648n, INT32, -2_147_483_648],
    [UINT64, "int64", 9_223_372_036_854_775_807n, INT64, 9_223_372_036_854_775_807n],
    [DECIMAL, "int64", "9007199254740993.00", INT64, 9_007_199_254_740_993n],
    [DECIMAL, "int", "-9223372036854775808", INT64, -9_223_372_036_854_775_808n],
    [FLOAT, "int", 3, INT64, 3n],
    [BOOLEAN, "int32", true, INT32, 1],
    [STRING, "int64", " 9007199254740993 ", INT64, 9_007_199_254_740_993n],
    [STRING, "int64", "1.50e1", INT64, 15n],

    [INT64, "float", 9_007_199_254_740_993n, FLOAT, 9_007_199_254_740_992],
    [DECIMAL, "float64", "172799.49", FLOAT, 172799.49],
    [{ kind: "float32" }, "float", 1.1, FLOAT, 1.100000023841858],
    [STRING, "float", "-1.5e3", FLOAT, -1500],
    [STRING, "float", "nan", FLOAT, Number.NaN],
    [BOOLEAN, "float", false, FLOAT, 0],

    [INT64, "bool", 0n, BOOLEAN, false],
    [INT32, "bool", -2, BOOLEAN, true],
    [STRING, "bool", "T", BOOLEAN, true],
    [STRING, "bool", "false", BOOLEAN, false],

    [DATE, "datetime64", 19_723, LOCAL, 1_704_067_200_000_000n],
    [DATE, "datetime64", Number.POSITIVE_INFINITY, LOCAL, "infinity"],
    [STRING, "datetime64", "2024-01-01", STRING, "2024-01-01 00:00:00.000000"],
    [STRING, "datetime64", "2024-01-01T12:00:00Z", STRING, "2024-01-01 12:00:00.000000 +00:00"],
    [STRING, "datetime64", "2024-01-01 12:00:00.5 -05:00", STRING, "2024-01-01 12:00:00.500000 -05:00"],
    [STRING, "timestamp", "12 January", STRING, null],

    [LOCAL, "date", NOON, DATE, 19_723],
    [LOCAL, "date", -1n, DATE, -1],
    [LOCAL, "date", "-infinity", DATE, Number.NEGATIVE_INFINITY],
    [ZONED, "date", LATE, DATE, 19_724],
    [STRING, "date", "1996-01-02", DATE, 9_497],
    [STRING, "date", "1996-01-02 00:00:00", DATE, 9_497],
  ])("%j as %s, case %#", async (type, dtype, value, convertedType, converted) => {
    const stream = convert(type, dtype, [value, null]);
    expect(stream.columns).toEqual([{ name: "a", type: convertedType }]);
    expect(await rowsOf(stream)).toEqual([[converted], [null]]);
  });

  test("an instant's date is that of the zone it is shown in", async () => {
    expect(await rowsOf(convert(ZONED, "date", [LATE], "America/New_York"))).toEqual([[19_723]]);
    expect(await rowsOf(convert({ ...ZONED, zone: "America/New_York" } as LogicalType, "date", [LATE]))).toEqual([
      [19_723],
    ]);
    expect(await rowsOf(convert(LOCAL, "date", [LATE], "America/New_York"))).toEqual([[19_724]]);
  });
});

describe("values that would lose something are refused", () => {
  test.each<[LogicalType, string, Value]>([
    [INT64, "int32", 2_147_483_648n],
    [UINT64, "int64", 9_223_372_036_854_775_808n],
    [DECIMAL, "int64", "1.50"],
    [DECIMAL, "int64", "9223372036854775808"],
    [DECIMAL, "int64", "NaN"],
    [FLOAT, "int64", 1.5],
    [FLOAT, "int64", Number.NaN],
    [FLOAT, "int64", 1e300],
    [STRING, "int64", "abc"],
    [STRING, "int64", ""],
    [STRING, "float", "1,5"],
    [DECIMAL, "float", `1${"0".repeat(400)}`],
    [STRING, "bool", "yes"],
    [STRING, "date", "1996-01-02 12:00:00"],
    [STRING, "date", "someday"],
  ])("%j as %s, case %#", async (type, dtype, value) => {
    const reading = rowsOf(convert(type, dtype, [value]));
    await expect(reading).rejects.toBeInstanceOf(ResultError);
    await expect(reading).rejects.toMatchObject({ code: "CONVERSION", column: "a" });
  });

  test("with an error that names column and types, never the value, and closes the source", async () => {
    const source = resultOf([{ name: "price", type: DECIMAL }], [[["1.50"]]]);
    const dtypes = new Map([["price", "int64"]] as const);
    await expect(rowsOf(convertColumns(source, dtypes))).rejects.toMatchObject({
      message: 'Column "price" (decimal128(38, 2)) has a value that is no int64.',
    });
    expect(source.closes()).toBe(1);
  });

  test("in the first rows, before the status is out", async () => {
    await expect(prefetch(convert(DECIMAL, "int64", ["1.50"]))).rejects.toMatchObject({ code: "CONVERSION" });
  });
});

test.each<[LogicalType, string]>([
  [DATE, "int64"],
  [LOCAL, "float"],
  [FLOAT, "bool"],
  [INT32, "datetime64"],
  [INT32, "date"],
  [{ kind: "binary" }, "int32"],
  [{ kind: "list", element: INT32 }, "bool"],
])("%j has no %s at all: refused at once", (type, dtype) => {
  expect(() => convert(type, dtype, [])).toThrow(ResultError);
});

describe("which columns", () => {
  const columns: readonly Column[] = [
    { name: "x", type: INT32 },
    { name: "y", type: INT32 },
    { name: "x", type: DECIMAL },
  ];

  test("every column of a listed name; names that the result lacks are ignored", async () => {
    const source = resultOf(columns, [[[1, 2, "3.00"]]]);
    const stream = convertColumns(
      source,
      new Map([
        ["x", "int64"],
        ["z", "date"],
      ] as const),
    );
    expect(stream.columns.map((column) => column.type.kind)).toEqual(["int64", "int32", "int64"]);
    expect(await rowsOf(stream)).toEqual([[1n, 2, 3n]]);
  });

  test("nothing listed, or all of its type already: the source itself", () => {
    const source = resultOf(columns, []);
    expect(convertColumns(source, undefined)).toBe(source);
    expect(convertColumns(source, new Map())).toBe(source);
    expect(convertColumns(source, new Map([["y", "int32"]] as const))).toBe(source);
    expect(convertColumns(source, new Map([["z", "date"]] as const))).toBe(source);
  });

  test("converting twice is converting once", async () => {
    for (const dtype of ["string", "int64", "float64", "timestamp", "date"] as const) {
      const dtypes = new Map([["a", dtype]]);
      const value = dtype === "timestamp" || dtype === "date" ? "2024-01-01 00:00:00+02" : "15";
      const once = convertColumns(resultOf(columnsOf(STRING), [[[value]]]), dtypes);
      const twice = convertColumns(convertColumns(resultOf(columnsOf(STRING), [[[value]]]), dtypes), dtypes);
      expect(twice.columns).toEqual(once.columns);
      expect(await rowsOf(twice)).toEqual(await rowsOf(once));
    }
  });
});
