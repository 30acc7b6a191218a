import { Buffer } from "node:buffer";
import { expect, it } from "vitest";
import type { Statement } from "../../../src/connectors/connector.ts";
import { dorisColumn } from "../../../src/connectors/doris/values.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { UnreadableValue } from "../../../src/connectors/unreadable-value.ts";
import type { SqlType } from "../../../src/planner/plan.ts";
import type { Value } from "../../../src/result/types.ts";

type Meant = Statement["columns"][number]["type"];

const columnOf = (type: number, meant?: Meant) =>
  dorisColumn(
    { name: "c", type, flags: 0, collation: 33, length: 255, decimals: 0, extendedType: undefined, format: undefined },
    meant === undefined ? undefined : ({ name: "c", type: meant } as Statement["columns"][number]),
  );

const list = (element: SqlType): Meant => ({ kind: "array", element });
const NUMBERS = list({ kind: "integer", bits: 64 });

const TEXT = 0xfe;
const LARGEST = "-170141183460469231731687303715884105727";
const LONG = "1234567890123456789012345678901234567890123456789012345678901234567890.123456";

/** Type numbers of a frontend's protocol, and values in their documented form. */
const VALUES: readonly (readonly [
  what: string,
  type: number,
  text: string,
  kind: string,
  value: Value,
  meant?: Meant,
])[] = [
  ["TINYINT", 0x01, "-128", "int8", -128],
  ["BOOLEAN, which the plan knows", 0x01, "1", "boolean", true, { kind: "boolean" }],
  ["SMALLINT", 0x02, "32767", "int16", 32_767],
  ["INT", 0x03, "-2147483648", "int32", -2_147_483_648],
  ["BIGINT", 0x08, "9223372036854775807", "int64", 9_223_372_036_854_775_807n],
  ["FLOAT", 0x04, "1.234568e+07", "float32", Math.fround(1.234568e7)],
  ["DOUBLE", 0x05, "0.0001234567890123457", "float64", 0.000_123_456_789_012_345_7],
  ["DOUBLE that is none", 0x05, "NaN", "float64", Number.NaN],
  ["DOUBLE without end", 0x05, "-Infinity", "float64", Number.NEGATIVE_INFINITY],
  ["DECIMAL of 76 digits", 0xf6, LONG, "decimal", LONG],
  ["LARGEINT", TEXT, LARGEST, "string", LARGEST],
  ["LARGEINT that the plan knows for a decimal", TEXT, LARGEST, "decimal", LARGEST, { kind: "decimal" }],
  ["DATE", 0x0a, "2024-02-29", "date", 19_782],
  ["DATETIME(6)", 0x0c, "2024-02-29 01:02:03.000004", "timestamp", 1_709_168_523_000_004n],
  ["TIME", 0x0b, "-200:13:14.000", "time", -720_794_000_000_000],
  ["VARCHAR", 0x0f, "é😀", "string", "é😀"],
  ["ARRAY", TEXT, '["a", null]', "string", '["a", null]'],
  ["array of texts as JSON", TEXT, '["a",null,"é\\"\\n"]', "list", ["a", null, 'é"\n'], list({ kind: "text" })],
  ["array of numbers as JSON", TEXT, "[9223372036854775807,null]", "list", [9_223_372_036_854_775_807n, null], NUMBERS],
  ["array of booleans as JSON", TEXT, "[true,false]", "list", [true, false], list({ kind: "boolean" })],
  ["JSON that the plan knows", TEXT, '{"a":1}', "json", '{"a":1}', { kind: "json" }],
];

it.each(VALUES.map((each) => ({ name: each[0], each })))("$name is read exactly", ({ each }) => {
  const [, type, text, kind, value, meant] = each;
  const column = columnOf(type, meant);
  expect(column.type.kind).toBe(kind);
  expect(column.read(Buffer.from(text))).toEqual(value);
});

it.each([
  [0xf6, "1e5"],
  [0x05, "many"],
  [0x0a, "0000-00-00"],
])("a value of type %i that is not what its type is written as is refused: %s", (type, text) => {
  expect(() => columnOf(type).read(Buffer.from(text))).toThrow(UnreadableValue);
});

it("a type that Doris is not known to send is refused", () => {
  expect(() => columnOf(0xff)).toThrow(ConnectorFailure);
});
