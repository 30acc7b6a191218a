/** Every type of Snowflake, as its SQL API writes it (https://docs.snowflake.com/developer-guide/sql-api/handling-responses). */
import { describe, expect, it } from "vitest";
import { batchesOfJson } from "../../../src/connectors/http/json-rows.ts";
import { columnOf } from "../../../src/connectors/snowflake/values.ts";
import { BIGINT, BOOLEAN, INTEGER, type SqlType, TEXT } from "../../../src/planner/types.ts";
import type { LogicalType, Value } from "../../../src/result/types.ts";

interface Told {
  readonly type: string;
  readonly precision?: number;
  readonly scale?: number;
}
const column = ({ type, precision, scale }: Told, meant?: SqlType) =>
  columnOf({ name: "c", type, precision, scale }, meant);
const value = (told: Told, json: unknown, meant?: SqlType): Value => {
  const [batch] = batchesOfJson([[json]], [column(told, meant)], "VARCHAR");
  return [...(batch ?? [])][0]?.[0] ?? null;
};
const NUMBER = { type: "FIXED", precision: 38, scale: 0 };
const local: LogicalType = { kind: "timestamp", unit: "ns", zone: undefined };
const utc: LogicalType = { kind: "timestamp", unit: "ns", zone: "UTC" };

describe("a value", () => {
  it.each<[Told, string, LogicalType, Value]>([
    [NUMBER, "-9223372036854775808", { kind: "int64" }, -9223372036854775808n],
    [{ type: "FIXED", precision: 10, scale: 2 }, "123.40", { kind: "decimal", precision: 10, scale: 2 }, "123.40"],
    [
      { type: "FIXED", precision: 38, scale: 37 },
      "9.9999999999999999999999999999999999999",
      { kind: "decimal", precision: 38, scale: 37 },
      "9.9999999999999999999999999999999999999",
    ],
    [{ type: "DECFLOAT" }, "1.5E-10", { kind: "decimal" }, "0.00000000015"],
    [{ type: "REAL" }, "0.1", { kind: "float64" }, 0.1],
    [{ type: "REAL" }, "1.5e+300", { kind: "float64" }, 1.5e300],
    [{ type: "REAL" }, "NaN", { kind: "float64" }, Number.NaN],
    [{ type: "REAL" }, "-inf", { kind: "float64" }, Number.NEGATIVE_INFINITY],
    [{ type: "TEXT" }, "it's 𝒳\n", { kind: "string" }, "it's 𝒳\n"],
    [{ type: "BOOLEAN" }, "true", { kind: "boolean" }, true],
    [{ type: "BINARY" }, "00fF", { kind: "binary" }, new Uint8Array([0, 255])],
    [{ type: "DATE" }, "18262", { kind: "date" }, 18262],
    [{ type: "DATE" }, "-719162", { kind: "date" }, -719162],
    [{ type: "TIME", scale: 9 }, "82919.000000001", { kind: "time", unit: "ns" }, 82919000000001],
    [{ type: "TIMESTAMP_NTZ", scale: 9 }, "1611871777.123456789", local, 1611871777123456789n],
    [{ type: "TIMESTAMP_NTZ", scale: 0 }, "-1.500000000", local, -1500000000n],
    [{ type: "TIMESTAMP_NTZ", scale: 0 }, "-0.000000001", local, -1n],
    [{ type: "TIMESTAMP_LTZ", scale: 9 }, "1611871777.000000000", utc, 1611871777000000000n],
    [{ type: "TIMESTAMP_TZ", scale: 9 }, "1611871777.123456789 960", utc, 1611871777123456789n],
    [{ type: "VARIANT" }, '{"a":12345678901234567890}', { kind: "json" }, '{"a":12345678901234567890}'],
    [{ type: "OBJECT" }, "{}", { kind: "json" }, "{}"],
    [{ type: "ARRAY" }, "[1, undefined]", { kind: "json" }, "[1, undefined]"],
    [{ type: "GEOGRAPHY" }, '{"type":"Point"}', { kind: "opaque", name: "GEOGRAPHY" }, '{"type":"Point"}'],
    [{ type: "VECTOR" }, "[1.0]", { kind: "opaque", name: "VECTOR" }, "[1.0]"],
  ])("of %o: %s", (told, json, type, expected) => {
    expect(column(told).type).toEqual(type);
    expect(value(told, json)).toEqual(expected);
    expect(value(told, null)).toBeNull();
  });

  it("of a NUMBER is a decimal where the plan means one, with all its digits", () => {
    expect(column(NUMBER, { kind: "decimal" }).type).toEqual({ kind: "decimal", precision: 38, scale: 0 });
    expect(value(NUMBER, "9".repeat(38), { kind: "decimal" })).toBe("9".repeat(38));
  });

  it.each<[type: string, element: SqlType, json: string, expected: Value, kind: LogicalType["kind"]]>([
    ["ARRAY", TEXT, "[]", [], "string"],
    ["ARRAY", TEXT, '[\n  "a",\n  null,\n  undefined\n]', ["a", null, null], "string"],
    ["ARRAY", TEXT, '["undefined", "a \\"undefined\\"", undefined]', ["undefined", 'a "undefined"', null], "string"],
    ["VARIANT", TEXT, '["ä,]"]', ["ä,]"], "string"],
    ["ARRAY", BIGINT, "[9223372036854775807, -9223372036854775808, 1]", [2n ** 63n - 1n, -(2n ** 63n), 1n], "int64"],
    ["ARRAY", INTEGER, "[1, undefined, 3]", [1n, null, 3n], "int64"],
    ["ARRAY", BOOLEAN, "[true, null, false]", [true, null, false], "boolean"],
  ])("of an %s is a list where the plan means an array of %o: %s", (type, element, json, expected, kind) => {
    const meant: SqlType = { kind: "array", element };
    expect(column({ type }, meant).type).toEqual({ kind: "list", element: { kind } });
    expect(value({ type }, json, meant)).toEqual(expected);
    expect(value({ type }, null, meant)).toBeNull();
  });

  it("of an array of dates is json", () => {
    expect(column({ type: "ARRAY" }, { kind: "array", element: { kind: "date" } }).type).toEqual({ kind: "json" });
  });

  it.each<[SqlType, string]>([
    [TEXT, "[1]"],
    [TEXT, "{}"],
    [TEXT, "[undefinedly]"],
    [INTEGER, "[1.5]"],
    [INTEGER, '["1"]'],
    [BIGINT, "[9223372036854775808]"],
    [BOOLEAN, "[1]"],
  ])("of an array of %o is not %s", (element, json) => {
    expect(() => value({ type: "ARRAY" }, json, { kind: "array", element })).toThrow();
  });
});

it.each<[Told, unknown]>([
  [NUMBER, "9223372036854775808"],
  [NUMBER, "1.5"],
  [NUMBER, 1],
  [{ type: "FIXED", precision: 10, scale: 2 }, "x"],
  [{ type: "REAL" }, ""],
  [{ type: "BOOLEAN" }, "TRUE"],
  [{ type: "BINARY" }, "0"],
  [{ type: "DATE" }, "2024-02-29"],
  [{ type: "TIME" }, "12:34:56"],
  [{ type: "TIMESTAMP_NTZ" }, "2024-02-29 12:34:56.000"],
  [{ type: "TIMESTAMP_TZ" }, "1611871777.123456789"],
  [{ type: "TEXT" }, ["a"]],
])("%o %o is refused, naming the column and not the value", (told, json) => {
  expect(() => value(told, json)).toThrow(
    expect.objectContaining({ reason: "SOURCE_ERROR", message: expect.stringMatching(/^Column "c" holds/) }),
  );
});
