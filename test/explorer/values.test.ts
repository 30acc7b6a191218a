import { describe, expect, test } from "vitest";
import { type ColumnKind, exactText, kindOf, shownText, typeLabel } from "../../src/explorer/values.ts";

describe("kinds and labels of types", () => {
  test.each<[type: string, kind: ColumnKind, label: string]>([
    ["int64", "number", "int64"],
    ["uint8", "number", "uint8"],
    ["float64", "number", "float64"],
    ["decimal128(15, 2)", "number", "decimal(15,2)"],
    ["decimal", "number", "decimal"],
    ["date32[day]", "time", "date"],
    ["timestamp[us]", "time", "timestamp"],
    ["timestamp[us, tz=UTC]", "time", "timestamp with time zone"],
    ["bool", "flag", "bool"],
    ["string", "text", "text"],
    ["interval", "text", "interval"],
    ["list<int32>", "text", "list<int32>"],
  ])("%s", (type, kind, label) => {
    expect([kindOf(type), typeLabel(type)]).toEqual([kind, label]);
  });
});

describe("values", () => {
  test.each<[value: unknown, kind: ColumnKind, shown: string, exact: string]>([
    ["1582062.06", "number", "1,582,062.06", "1582062.06"],
    [
      "-1234567890123456789012345678.10",
      "number",
      "-1,234,567,890,123,456,789,012,345,678.10",
      "-1234567890123456789012345678.10",
    ],
    [999, "number", "999", "999"],
    [-1000, "number", "-1,000", "-1000"],
    ["1e+300", "number", "1e+300", "1e+300"],
    ["NaN", "number", "NaN", "NaN"],
    ["12345", "text", "12345", "12345"],
    ["", "text", "", ""],
    [true, "flag", "true", "true"],
    [["a", 1], "text", '["a",1]', '["a",1]'],
    [null, "text", "", ""],
  ])("%s as %s", (value, kind, shown, exact) => {
    expect([shownText(value, kind), exactText(value)]).toEqual([shown, exact]);
  });
});
