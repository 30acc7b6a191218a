/** Every type of BigQuery, as its JSON writes it (https://cloud.google.com/bigquery/docs/reference/standard-sql/data-types). */
import { describe, expect, it } from "vitest";
import { fieldsOf } from "../../../src/connectors/bigquery/answers.ts";
import { columnOf } from "../../../src/connectors/bigquery/values.ts";
import { batchesOfJson } from "../../../src/connectors/http/json-rows.ts";
import type { LogicalType, Value } from "../../../src/result/types.ts";

const column = (field: object) => {
  const [read] = fieldsOf([{ name: "c", mode: "NULLABLE", ...field }], 0);
  if (read === undefined) throw new Error("no field");
  return columnOf(read);
};
const value = (field: object, json: unknown): Value => {
  const [batch] = batchesOfJson([[json]], [column(field)], "STRING");
  return [...(batch ?? [])][0]?.[0] ?? null;
};
const utc: LogicalType = { kind: "timestamp", unit: "us", zone: "UTC" };
const local: LogicalType = { kind: "timestamp", unit: "us", zone: undefined };
const text: LogicalType = { kind: "string" };

/** The digits of BIGNUMERIC's largest value: 39 before the point, 38 behind it. */
const LARGEST = "578960446186580977117854925043439539266.34992332820282019728792003956564819967";

describe("a value", () => {
  it.each<[string, object, string, LogicalType, Value]>([
    ["INT64", { type: "INTEGER" }, "-9223372036854775808", { kind: "int64" }, -9223372036854775808n],
    ["INT64", { type: "INT64" }, "9223372036854775807", { kind: "int64" }, 9223372036854775807n],
    ["FLOAT64", { type: "FLOAT" }, "0.1", { kind: "float64" }, 0.1],
    ["FLOAT64", { type: "FLOAT64" }, "1.5E-300", { kind: "float64" }, 1.5e-300],
    ["FLOAT64", { type: "FLOAT" }, "NaN", { kind: "float64" }, Number.NaN],
    ["FLOAT64", { type: "FLOAT" }, "-Infinity", { kind: "float64" }, Number.NEGATIVE_INFINITY],
    [
      "NUMERIC",
      { type: "NUMERIC" },
      "-99999999999999999999999999999.999999999",
      { kind: "decimal", precision: 38, scale: 9 },
      "-99999999999999999999999999999.999999999",
    ],
    [
      "NUMERIC(10, 2)",
      { type: "NUMERIC", precision: "10", scale: "2" },
      "12.30",
      { kind: "decimal", precision: 10, scale: 2 },
      "12.30",
    ],
    ["NUMERIC(10)", { type: "NUMERIC", precision: "10" }, "12", { kind: "decimal", precision: 10, scale: 0 }, "12"],
    ["BIGNUMERIC", { type: "BIGNUMERIC" }, LARGEST, { kind: "decimal", precision: 76, scale: 38 }, LARGEST],
    [
      "BIGNUMERIC",
      { type: "BIGNUMERIC" },
      "1E-38",
      { kind: "decimal", precision: 76, scale: 38 },
      `0.${"0".repeat(37)}1`,
    ],
    ["BOOL", { type: "BOOLEAN" }, "true", { kind: "boolean" }, true],
    ["BOOL", { type: "BOOL" }, "false", { kind: "boolean" }, false],
    ["STRING", { type: "STRING" }, "it's 𝒳\n", text, "it's 𝒳\n"],
    ["STRING", { type: "STRING" }, "", text, ""],
    ["JSON", { type: "JSON" }, '{"a":12345678901234567890}', { kind: "json" }, '{"a":12345678901234567890}'],
    ["BYTES", { type: "BYTES" }, "AP8=", { kind: "binary" }, new Uint8Array([0, 255])],
    ["DATE", { type: "DATE" }, "0001-01-01", { kind: "date" }, -719162],
    ["DATE", { type: "DATE" }, "9999-12-31", { kind: "date" }, 2932896],
    ["TIME", { type: "TIME" }, "23:59:59.999999", { kind: "time", unit: "us" }, 86399999999],
    ["TIME", { type: "TIME" }, "12:34:56", { kind: "time", unit: "us" }, 45296000000],
    ["DATETIME", { type: "DATETIME" }, "2024-02-29T12:34:56.789", local, 1709210096789000n],
    ["DATETIME", { type: "DATETIME" }, "0001-01-01T00:00:00", local, -62135596800000000n],
    ["TIMESTAMP", { type: "TIMESTAMP" }, "1709210096789001", utc, 1709210096789001n],
    ["TIMESTAMP", { type: "TIMESTAMP", timestampPrecision: "6" }, "-62135596800000000", utc, -62135596800000000n],
    [
      "INTERVAL",
      { type: "INTERVAL" },
      "1-2 3 4:5:6.789",
      { kind: "interval" },
      { months: 14, days: 3, microseconds: 14706789000n },
    ],
    [
      "INTERVAL",
      { type: "INTERVAL" },
      "-1-2 -3 -0:0:0.000001",
      { kind: "interval" },
      { months: -14, days: -3, microseconds: -1n },
    ],
    ["INTERVAL", { type: "INTERVAL" }, "0-0 0 0:0:0", { kind: "interval" }, { months: 0, days: 0, microseconds: 0n }],
    ["GEOGRAPHY", { type: "GEOGRAPHY" }, "POINT(1 2)", { kind: "opaque", name: "GEOGRAPHY" }, "POINT(1 2)"],
    [
      "RANGE<DATE>",
      { type: "RANGE", rangeElementType: { type: "DATE" } },
      "[2024-01-01, UNBOUNDED)",
      { kind: "opaque", name: "RANGE<DATE>" },
      "[2024-01-01, UNBOUNDED)",
    ],
    [
      "RANGE<TIMESTAMP>",
      { type: "RANGE", rangeElementType: { type: "TIMESTAMP" } },
      "[1709210096789001, UNBOUNDED)",
      { kind: "opaque", name: "RANGE<TIMESTAMP>" },
      "[2024-02-29 12:34:56.789001 +00:00, UNBOUNDED)",
    ],
    ["a type that comes to be", { type: "VECTOR" }, "[1]", { kind: "opaque", name: "VECTOR" }, "[1]"],
  ])("of %s: %o %s", (_, field, json, type, expected) => {
    expect(column(field).type).toEqual(type);
    expect(value(field, json)).toEqual(expected);
    expect(value(field, null)).toBeNull();
  });

  it("of ARRAY is of its elements, empty when it is empty", () => {
    const field = { type: "INTEGER", mode: "REPEATED" };
    expect(column(field).type).toEqual({ kind: "list", element: { kind: "int64" } });
    expect(value(field, [{ v: "9007199254740993" }, { v: null }])).toEqual([9007199254740993n, null]);
    expect(value(field, [])).toEqual([]);
  });

  it("of ARRAY<STRUCT<…>> has its parts, however deep", () => {
    const field = {
      type: "RECORD",
      mode: "REPEATED",
      fields: [
        { name: "n", type: "NUMERIC" },
        {
          name: "inner",
          type: "STRUCT",
          fields: [{ name: "t", type: "TIMESTAMP", mode: "REPEATED" }, { type: "STRING" }],
        },
      ],
    };
    expect(column(field).type).toEqual({
      kind: "list",
      element: {
        kind: "struct",
        fields: [
          { name: "n", type: { kind: "decimal", precision: 38, scale: 9 } },
          {
            name: "inner",
            type: {
              kind: "struct",
              fields: [
                { name: "t", type: { kind: "list", element: utc } },
                { name: "", type: text },
              ],
            },
          },
        ],
      },
    });
    const inner = { v: { f: [{ v: [{ v: "1" }] }, { v: null }] } };
    expect(value(field, [{ v: { f: [{ v: "1.5" }, inner] } }, { v: { f: [{ v: null }, { v: null }] } }])).toEqual([
      ["1.5", [[1n], null]],
      [null, null],
    ]);
  });
});

describe("what is not of its type", () => {
  it.each<[object, unknown]>([
    [{ type: "INTEGER" }, "9223372036854775808"],
    [{ type: "INTEGER" }, "1.5"],
    [{ type: "INTEGER" }, 1],
    [{ type: "FLOAT" }, "0x10"],
    [{ type: "FLOAT" }, ""],
    [{ type: "NUMERIC" }, "NaN"],
    [{ type: "NUMERIC" }, "1e9999"],
    [{ type: "BOOLEAN" }, "TRUE"],
    [{ type: "BYTES" }, "!"],
    [{ type: "DATE" }, "2024-02-30"],
    [{ type: "DATE" }, "10000-01-01 BC "],
    [{ type: "TIME" }, "12:34:56.1234567"],
    [{ type: "DATETIME" }, "2024-02-29T12:34:56Z"],
    [{ type: "DATETIME" }, "2024-02-30T12:34:56"],
    [{ type: "TIMESTAMP" }, "1.709210096789E9"],
    [{ type: "INTERVAL" }, "1-2 3 4:5"],
    [{ type: "INTERVAL" }, "0-0 0 0:0:0.0000001"],
    [{ type: "RANGE", rangeElementType: { type: "DATE" } }, "2024-01-01"],
    [{ type: "STRING" }, { f: [] }],
    [{ type: "STRING", mode: "REPEATED" }, "a"],
    [{ type: "RECORD", fields: [{ name: "a", type: "STRING" }] }, { f: [] }],
  ])("%o %o is refused, naming the column and not the value", (field, json) => {
    expect(() => value(field, json)).toThrow(
      expect.objectContaining({ reason: "SOURCE_ERROR", message: expect.stringMatching(/^Column "c" holds/) }),
    );
  });

  it("a column of finer timestamps is refused before any row", () => {
    expect(() => column({ type: "TIMESTAMP", timestampPrecision: "12" })).toThrow(
      expect.objectContaining({ reason: "SOURCE_ERROR", hint: "Cast the column to TIMESTAMP or STRING." }),
    );
  });

  it("a schema that nests without end is no answer", () => {
    let field: object = { name: "a", type: "STRING" };
    for (let depth = 0; depth < 200; depth++) field = { name: "a", type: "RECORD", fields: [field] };
    expect(() => fieldsOf([field], 0)).toThrow(expect.objectContaining({ reason: "UPSTREAM_PROTOCOL" }));
  });
});
