import { describe, expect, it } from "vitest";
import { databricksTypeName } from "../../../src/connectors/catalog/databricks.ts";
import { isSentAs, typeOf } from "../../../src/connectors/databricks/types.ts";
import type { LogicalType } from "../../../src/result/types.ts";

const INT: LogicalType = { kind: "int32" };
const STRING: LogicalType = { kind: "string" };

describe("a type as results describe it", () => {
  it.each<[string, LogicalType]>([
    ["BOOLEAN", { kind: "boolean" }],
    ["TINYINT", { kind: "int8" }],
    ["SMALLINT", { kind: "int16" }],
    ["int", INT],
    ["BIGINT", { kind: "int64" }],
    ["FLOAT", { kind: "float32" }],
    ["DOUBLE", { kind: "float64" }],
    ["DECIMAL(10,2)", { kind: "decimal", precision: 10, scale: 2 }],
    ["DECIMAL(38)", { kind: "decimal", precision: 38, scale: 0 }],
    ["DECIMAL", { kind: "decimal", precision: 10, scale: 0 }],
    ["STRING", STRING],
    ["STRING COLLATE UNICODE_CI", STRING],
    ["VARCHAR(255)", STRING],
    ["CHAR(3)", STRING],
    ["BINARY", { kind: "binary" }],
    ["DATE", { kind: "date" }],
    ["TIMESTAMP", { kind: "timestamp", unit: "us", zone: "UTC" }],
    ["TIMESTAMP_NTZ", { kind: "timestamp", unit: "us", zone: undefined }],
    ["INTERVAL YEAR TO MONTH", { kind: "interval" }],
    ["INTERVAL DAY TO SECOND", { kind: "interval" }],
    ["INTERVAL HOUR", { kind: "interval" }],
    ["VARIANT", { kind: "json" }],
    ["VOID", { kind: "null" }],
    ["ARRAY<INT>", { kind: "list", element: INT }],
    ["MAP<STRING, ARRAY<INT>>", { kind: "map", key: STRING, value: { kind: "list", element: INT } }],
    ["STRUCT<>", { kind: "struct", fields: [] }],
    [
      "STRUCT<a: INT NOT NULL COMMENT 'it''s, >', `b``:,>`: STRING, c d: DECIMAL(5, 1)>",
      {
        kind: "struct",
        fields: [
          { name: "a", type: INT },
          { name: "b`:,>", type: STRING },
          { name: "c d", type: { kind: "decimal", precision: 5, scale: 1 } },
        ],
      },
    ],
    ["ARRAY<INTERVAL DAY>", { kind: "list", element: { kind: "interval" } }],
  ])("%s", (text, type) => {
    expect(typeOf(text)).toEqual(type);
  });

  it.each([
    "",
    "GEOMETRY(4326)",
    "OBJECT",
    "INT INT",
    "INT<STRING>",
    "ARRAY<INT",
    "ARRAY<INT, INT>",
    "MAP<STRING>",
    "STRUCT<a INT>",
    "STRUCT<a: INT,>",
    "STRUCT<a: NOTHING>",
    "DECIMAL(a,b)",
    `${"ARRAY<".repeat(200)}INT${">".repeat(200)}`,
    "__proto__",
  ])("%s is not known, and stays as it is", (text) => {
    expect(typeOf(text)).toEqual({ kind: "opaque", name: text });
  });
});

describe("values of a type", () => {
  it.each<[string, LogicalType]>([
    ["INT", INT],
    ["VARIANT", STRING],
    ["VARIANT", { kind: "json" }],
    ["GEOMETRY(4326)", STRING],
    ["ARRAY<VARIANT>", { kind: "list", element: STRING }],
    ["STRUCT<a: INT>", { kind: "struct", fields: [{ name: "col1", type: INT }] }],
  ])("%s may come as %o", (text, sent) => {
    expect(isSentAs(typeOf(text), sent)).toBe(true);
  });

  it.each<[string, LogicalType]>([
    ["INT", { kind: "int64" }],
    ["STRING", { kind: "binary" }],
    ["DECIMAL(10,2)", { kind: "decimal", precision: 10, scale: 3 }],
    ["DECIMAL(10,2)", STRING],
    ["TIMESTAMP", { kind: "timestamp", unit: "us", zone: undefined }],
    ["TIMESTAMP", { kind: "timestamp", unit: "ms", zone: "UTC" }],
    ["ARRAY<INT>", STRING],
    ["ARRAY<INT>", { kind: "list", element: STRING }],
    ["MAP<INT, INT>", { kind: "map", key: INT, value: STRING }],
    ["STRUCT<a: INT>", { kind: "struct", fields: [] }],
    ["GEOMETRY(4326)", { kind: "binary" }],
  ])("%s may not come as %o", (text, sent) => {
    expect(isSentAs(typeOf(text), sent)).toBe(false);
  });
});

it.each([
  ["bigint", "BIGINT"],
  ["binary", "BYTEA"],
  ["boolean", "BOOL"],
  ["date", "DATE"],
  ["decimal(10,2)", "DECIMAL"],
  ["double", "DOUBLE"],
  ["float", "FLOAT"],
  ["int", "INTEGER"],
  ["smallint", "SMALLINT"],
  ["string", "STRING"],
  ["string collate UNICODE", "STRING"],
  ["timestamp", "TIMESTAMP"],
  ["timestamp_ntz", "TIMESTAMP"],
  ["tinyint", "TINYINT"],
  ["variant", "VARIANT"],
  ["object", "JSON"],
  ["geography(4326)", "GEOGRAPHY"],
  ["geometry(any)", "GEOMETRY"],
  ["ARRAY<Int>", "array<int>"],
  ["map<string,int>", "map<string,int>"],
  ["struct<a:int>", "struct<a:int>"],
  ["interval year to month", "UNKNOWN"],
  ["void", "UNKNOWN"],
  ["", "UNKNOWN"],
])("metadata calls %s %s", (native, name) => {
  expect(databricksTypeName(native)).toBe(name);
});
