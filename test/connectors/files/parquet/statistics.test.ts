import { expect, it } from "vitest";
import type { Field, Struct } from "../../../../src/connectors/files/parquet/compact-protocol.ts";
import { mayHold } from "../../../../src/connectors/files/parquet/statistics.ts";
import type { ScanFilter, ScanValue } from "../../../../src/planner/plan.ts";

const integer = (value: bigint): Field => ({ type: "integer", width: 6, value });
const struct = (fields: Readonly<Record<number, Field>>): Field => ({
  type: "struct",
  value: new Map(entries(fields)),
});
const entries = (fields: Readonly<Record<number, Field>>): [number, Field][] =>
  Object.entries(fields).map(([id, field]) => [Number(id), field]);

function bytes(length: number, write: (view: DataView) => void): Uint8Array {
  const view = new DataView(new ArrayBuffer(length));
  write(view);
  return new Uint8Array(view.buffer);
}
const int32 = (value: number): Uint8Array => bytes(4, (view) => view.setInt32(0, value, true));
const int64 = (value: bigint): Uint8Array => bytes(8, (view) => view.setBigInt64(0, value, true));
const float = (value: number): Uint8Array => bytes(4, (view) => view.setFloat32(0, value, true));
const double = (value: number): Uint8Array => bytes(8, (view) => view.setFloat64(0, value, true));
const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** A schema's element by its physical type, converted type and logical type. */
function element(
  physical: number,
  converted?: number,
  logical?: Field,
  more: Readonly<Record<number, Field>> = {},
): Struct {
  return new Map(
    entries({
      1: integer(BigInt(physical)),
      ...more,
      ...(converted !== undefined && { 6: integer(BigInt(converted)) }),
      ...(logical && { 10: logical }),
    }),
  );
}
const number = (value: string): ScanValue => ({ kind: "number", text: value });
const INT32 = element(1);
const STRING = element(6, 0, struct({ 1: struct({}) }));
const DATE = element(1, 6, struct({ 6: struct({}) }));
const MICROS = element(2, 10);
const DECIMAL = element(7, undefined, struct({ 5: struct({ 1: integer(2n), 2: integer(9n) }) }));
const UNSIGNED = element(1, 13, struct({ 10: struct({ 1: integer(32n), 2: { type: "boolean", value: false } }) }));

type Case = readonly [
  what: string,
  schema: Struct,
  least: Uint8Array,
  most: Uint8Array,
  operator: ScanFilter["operator"],
  value: ScanValue,
  expected: boolean,
];
const CASES: readonly Case[] = [
  ["a number among them", INT32, int32(-5), int32(5), "=", number("0"), true],
  ["the least", INT32, int32(-5), int32(5), "<=", number("-5"), true],
  ["less than the least", INT32, int32(-5), int32(5), "<", number("-5"), false],
  ["more than the most", INT32, int32(-5), int32(5), ">", number("4.9"), true],
  ["between whole numbers, beyond the most", INT32, int32(-5), int32(5), ">=", number("5.1"), false],
  ["a text for numbers", INT32, int32(-5), int32(5), "=", { kind: "text", text: "9" }, true],
  ["a number for texts", STRING, text("a"), text("b"), "=", number("9"), true],
  ["an exponent", INT32, int32(-5), int32(5), ">", number("1e9"), true],
  ["bounds of another width", INT32, int64(-5n), int64(5n), ">", number("9"), true],
  ["bounds the wrong way round", INT32, int32(5), int32(-5), "=", number("9"), true],
  ["numbers without signs", UNSIGNED, int32(-5), int32(5), "=", number("9"), true],
  [
    "a repeated column",
    element(1, undefined, undefined, { 3: integer(2n) }),
    int32(0),
    int32(5),
    "=",
    number("9"),
    true,
  ],
  ["a decimal", DECIMAL, new Uint8Array([0xff, 0x9c]), new Uint8Array([0, 100]), "=", number("-1.00"), true],
  ["a decimal below", DECIMAL, new Uint8Array([0xff, 0x9c]), new Uint8Array([0, 100]), "<", number("-1"), false],
  [
    "a decimal of more digits",
    DECIMAL,
    new Uint8Array([0xff, 0x9c]),
    new Uint8Array([0, 100]),
    ">",
    number("0.999"),
    true,
  ],
  ["a day", DATE, int32(0), int32(1), "=", { kind: "date", text: "1970-01-02" }, true],
  ["a day after", DATE, int32(0), int32(1), ">=", { kind: "date", text: "1970-01-03" }, false],
  [
    "a moment of the last day",
    DATE,
    int32(0),
    int32(1),
    ">=",
    { kind: "timestamp", text: "1970-01-02 00:00:01" },
    false,
  ],
  ["before 1970", MICROS, int64(-1n), int64(-1n), "=", { kind: "timestamp", text: "1969-12-31 23:59:59.999999" }, true],
  [
    "a microsecond off",
    MICROS,
    int64(-1n),
    int64(-1n),
    "<",
    { kind: "timestamp", text: "1969-12-31 23:59:59.999999" },
    false,
  ],
  ["a text beyond another's beginning", STRING, text("a"), text("ab"), ">", { kind: "text", text: "ab" }, false],
  ["texts by their bytes", STRING, text("z"), text("é"), "=", { kind: "text", text: "{" }, true],
  ["above a float, which NaN is", element(4), float(0), float(1), ">", number("5"), true],
  ["below a float", element(4), float(1.1), float(2), "<", number("1.1"), false],
  ["below a float that is rounded", element(4), float(1.3), float(2), "<", number("1.3"), true],
  ["a float in either precision", element(4), float(1.1), float(1.1), "=", number("1.1"), true],
  ["another float", element(4), float(1.1), float(1.1), "=", number("1.2"), false],
  ["a double", element(5), double(1.1), double(2), "<", number("1.1"), false],
  ["a double without bounds", element(5), double(Number.NaN), double(2), "<", number("1.1"), true],
  [
    "a number beyond doubles",
    element(5),
    double(1.1),
    double(Number.POSITIVE_INFINITY),
    "=",
    number(`1${"0".repeat(400)}`),
    true,
  ],
];

it.each(CASES)("%s", (_, schema, least, most, operator, value, expected) => {
  const statistics = struct({ 5: { type: "binary", value: most }, 6: { type: "binary", value: least } });
  expect(mayHold({ column: "x", operator, values: [value] }, schema, new Map([[12, statistics]]))).toBe(expected);
});

it("leaves out a group that holds nothing but NULL, and none of which nothing is told", () => {
  const filter: ScanFilter = { column: "x", operator: "=", values: [number("1")] };
  const allNull = new Map(entries({ 5: integer(7n), 12: struct({ 3: integer(7n) }) }));
  expect(mayHold(filter, INT32, allNull)).toBe(false);
  expect(mayHold(filter, INT32, new Map(entries({ 5: integer(7n), 12: struct({ 3: integer(6n) }) })))).toBe(true);
  expect(mayHold(filter, INT32, new Map())).toBe(true);
});
