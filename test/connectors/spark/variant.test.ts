/** VARIANT by its specification; `test/engines/spark.test.ts` reads what a real Spark writes. */
import { describe, expect, it } from "vitest";
import { variantJson } from "../../../src/connectors/spark/variant.ts";
import { UnreadableValue } from "../../../src/connectors/unreadable-value.ts";

const NO_NAMES = Uint8Array.of(1, 0, 0);
/** `a`, `bc` */
const NAMES = Uint8Array.of(1, 2, 0, 1, 3, 97, 98, 99);
const primitive = (type: number, ...bytes: readonly number[]) => Uint8Array.of(type << 2, ...bytes);
const little = (value: bigint, bytes: number) =>
  Array.from({ length: bytes }, (_, i) => Number((value >> BigInt(8 * i)) & 255n));
const doubleBytes = (value: number) => [...new Uint8Array(Float64Array.of(value).buffer)];
const floatBytes = (value: number) => [...new Uint8Array(Float32Array.of(value).buffer)];

it.each<[string, Uint8Array]>([
  ["null", primitive(0)],
  ["true", primitive(1)],
  ["false", primitive(2)],
  ["-128", primitive(3, 0x80)],
  ["-32768", primitive(4, 0, 0x80)],
  ["-2147483648", primitive(5, 0, 0, 0, 0x80)],
  ["-9223372036854775808", primitive(6, ...little(-(2n ** 63n), 8))],
  ["1e300", primitive(7, ...doubleBytes(1e300))],
  ["-0.0", primitive(7, ...doubleBytes(-0))],
  ['"NaN"', primitive(7, ...doubleBytes(Number.NaN))],
  ['"-Infinity"', primitive(7, ...doubleBytes(Number.NEGATIVE_INFINITY))],
  ["-0.05", primitive(8, 2, ...little(-5n, 4))],
  ["1234567890.5", primitive(9, 2, ...little(123456789050n, 8))],
  ["-99999999999999999999999999999999999999", primitive(10, 0, ...little(-(10n ** 38n - 1n), 16))],
  ['"1969-12-31"', primitive(11, ...little(-1n, 4))],
  ['"1970-01-01 00:00:00.000001+00:00"', primitive(12, ...little(1n, 8))],
  ['"1970-01-01 00:01:00"', primitive(13, ...little(60_000_000n, 8))],
  ["0.5", primitive(14, ...floatBytes(0.5))],
  ['"AAE="', primitive(15, 2, 0, 0, 0, 0, 1)],
  ['"é"', primitive(16, 2, 0, 0, 0, 0xc3, 0xa9)],
  ['"a\\"b"', Uint8Array.of((3 << 2) | 1, 97, 34, 98)],
  ['""', Uint8Array.of(1)],
  ["[]", Uint8Array.of(3, 0, 0)],
  ["{}", Uint8Array.of(2, 0, 0)],
  // Two values of one byte each, offsets of one byte.
  ["[null,true]", Uint8Array.of(3, 2, 0, 1, 2, 0, 4)],
  // The same, with counts of four bytes and offsets of two.
  ["[null,true]", Uint8Array.of((0b101 << 2) | 3, 2, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 4)],
])("%s", (expected, bytes) => {
  expect(variantJson(bytes, NO_NAMES)).toBe(expected);
});

it("members have their names, whatever the order of their values", () => {
  // Ids 0 and 1, values at 1 and 0.
  expect(variantJson(Uint8Array.of(2, 2, 0, 1, 1, 0, 2, 0, 4), NAMES)).toBe('{"a":true,"bc":null}');
});

describe("what is no variant is refused:", () => {
  it.each<[string, Uint8Array, Uint8Array]>([
    ["nothing", new Uint8Array(), NO_NAMES],
    ["no names", Uint8Array.of(2, 1, 0, 0, 1, 0), new Uint8Array()],
    ["a name that is not listed", Uint8Array.of(2, 1, 2, 0, 1, 0), NAMES],
    ["a text beyond the end", Uint8Array.of((9 << 2) | 1, 97), NO_NAMES],
    ["a text that is not UTF-8", Uint8Array.of((1 << 2) | 1, 0xff), NO_NAMES],
    ["a value beyond the end", Uint8Array.of(3, 1, 9, 10, 0), NO_NAMES],
    ["a type that JSON has no words for", primitive(20, ...Array.from({ length: 16 }, () => 0)), NO_NAMES],
    ["elements without end", Uint8Array.of((0b101 << 2) | 3, 255, 255, 255, 255), NO_NAMES],
  ])("%s", (_, value, metadata) => {
    expect(() => variantJson(value, metadata)).toThrow(UnreadableValue);
  });

  it("values that are one value, 2^30 times over", () => {
    // Each of thirty lists has two elements, which are both the next one.
    const lists = Array.from({ length: 30 }, () => [3, 2, 0, 0, 0]).flat();
    expect(() => variantJson(Uint8Array.of(...lists, 0), NO_NAMES)).toThrow(UnreadableValue);
  });

  it("lists in lists, as deep as there are bytes", () => {
    const lists = Array.from({ length: 5000 }, () => [3, 1, 0, 0]).flat();
    expect(() => variantJson(Uint8Array.of(...lists, 0), NO_NAMES)).toThrow(UnreadableValue);
  });
});
