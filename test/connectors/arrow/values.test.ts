/**
 * Arrow of a server that may be anybody's: written by a library that shares nothing with the reader, whole and then broken.
 * Values of a real Spark are read in `test/engines/spark.test.ts`.
 */
import {
  binary,
  bool,
  type DataType,
  dateMillisecond,
  decimal,
  dictionary,
  duration,
  field,
  int32,
  int64,
  interval,
  largeBinary,
  largeList,
  largeUtf8,
  list,
  map,
  nullType,
  struct,
  TimeUnit,
  timeNanosecond,
  timestamp,
  uint8,
  utf8,
} from "@uwdata/flechette";
import { Builder } from "flatbuffers";
import { describe, expect, it } from "vitest";
import { ArrowError, readArrowStream } from "../../../src/connectors/arrow/stream.ts";
import { rowReader } from "../../../src/connectors/arrow/values.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import type { Row } from "../../../src/result/types.ts";
import { arrow } from "../../support/spark-arrow.ts";

function read(bytes: Uint8Array, most = Number.POSITIVE_INFINITY): { readonly kinds: string[]; readonly rows: Row[] } {
  const { fields, batches } = readArrowStream(bytes);
  const reader = rowReader(fields);
  const rows: Row[] = [];
  for (const part of batches) {
    for (const batch of reader.batches(part)) {
      rows.push(...batch);
      if (rows.length >= most) break;
    }
  }
  return { kinds: reader.columns.map(({ type }) => type.kind), rows };
}

const MILLISECOND = TimeUnit.MILLISECOND;
const US = TimeUnit.MICROSECOND;

describe("types that Spark has under settings of its own, and with later versions", () => {
  it.each<[string, DataType, readonly unknown[], readonly unknown[]]>([
    ["long texts", largeUtf8(), ["a", null, ""], ["a", null, ""]],
    ["long bytes", largeBinary(), [Uint8Array.of(7), null], [Uint8Array.of(7), null]],
    ["long lists", largeList(int32()), [[1, null], null, []], [[1, null], null, []]],
    ["times", timeNanosecond(), [1_000_000_000n, null], [1_000_000_000, null]],
    ["instants of other zones", timestamp(US, "Asia/Tokyo"), [null], [null]],
    [
      "booleans",
      bool(),
      [true, false, null, true, true, true, true, true, false],
      [true, false, null, ...[true, true, true, true, true, false]],
    ],
  ])("%s", (_, type, values, expected) => {
    expect(read(arrow({ c: [values, type] })).rows.map(([value]) => value)).toEqual(expected);
  });

  it.each<[string, DataType]>([
    ["dates in milliseconds", dateMillisecond()],
    ["durations in milliseconds", duration(MILLISECOND)],
    ["unsigned integers", uint8()],
    ["decimals of 256 bits", decimal(50, 2, 256)],
  ])("%s are none of Spark's", (_, type) => {
    const { fields } = readArrowStream(arrow({ c: [[null], type] }));
    expect(() => rowReader(fields)).toThrow(ConnectorFailure);
  });

  it("texts that are listed apart are none of Spark's", () => {
    expect(() => readArrowStream(arrow({ c: [["a", "b", "a"], dictionary(utf8())] }))).toThrow(ArrowError);
  });
});

const NESTED = struct([
  field("a", list(utf8())),
  field("m", map(utf8(), int64())),
  field("d", decimal(38, 3)),
  field("b", binary()),
]);

function nested(): Uint8Array {
  const value = { a: ["x", null], m: new Map([["k", 1n]]), d: 5, b: Uint8Array.of(1, 2) };
  return arrow({
    s: [[value, null, value], NESTED],
    n: [[null, null, null], nullType()],
    i: [[1, 2, null], int32()],
    e: [[1n, null, 3n], duration(US)],
    v: [[14, 1, null], interval(0)],
  });
}

it("nested values are read as they were written", () => {
  const { kinds, rows } = read(nested());
  expect(kinds).toEqual(["struct", "null", "int32", "interval", "interval"]);
  const value = [["x", null], [["k", 1n]], "5.000", Uint8Array.of(1, 2)];
  const time = (microseconds: bigint) => ({ months: 0, days: 0, microseconds });
  const months = (count: number) => ({ months: count, days: 0, microseconds: 0n });
  expect(rows).toEqual([
    [value, null, 1, time(1n), months(14)],
    [null, null, 2, null, months(1)],
    [value, null, null, time(3n), null],
  ]);
});

it("bytes are read from their own, wherever they lie", () => {
  const bytes = nested();
  const pool = new Uint8Array(bytes.length + 3);
  pool.set(bytes, 3);
  expect(read(pool.subarray(3))).toEqual(read(bytes));
});

describe("what is broken is refused, or read as something, and ends", () => {
  const bytes = nested();

  it("at every length", () => {
    for (let length = 0; length < bytes.length; length++) {
      try {
        expect(read(bytes.slice(0, length)).rows.length).toBeLessThanOrEqual(3);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
  });

  it.each([0, 1, 0x7f, 0x80, 0xff])("at every byte, which is then %i", (byte) => {
    for (let at = 0; at < bytes.length; at++) {
      const broken = bytes.slice();
      broken[at] = byte;
      try {
        read(broken, 10_000);
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
    }
  });
});

/** A message with a schema whose fields are all one field, `depth` times over: 2^depth of them, in a few bytes. */
function sharedFields(depth: number): Uint8Array {
  const builder = new Builder(1024);
  const name = builder.createString("f");
  builder.startObject(0);
  const type = builder.endObject();
  let child = 0;
  const vector = (...offsets: readonly number[]): number => {
    builder.startVector(4, offsets.length, 4);
    for (const offset of offsets) builder.addOffset(offset);
    return builder.endVector();
  };
  for (let level = 0; level <= depth; level++) {
    const children = level === 0 ? vector() : vector(child, child);
    builder.startObject(7);
    builder.addFieldOffset(0, name, 0);
    builder.addFieldInt8(2, 13, 0);
    builder.addFieldOffset(3, type, 0);
    builder.addFieldOffset(5, children, 0);
    child = builder.endObject();
  }
  const fields = vector(child);
  builder.startObject(4);
  builder.addFieldOffset(1, fields, 0);
  const schema = builder.endObject();
  builder.startObject(5);
  builder.addFieldInt16(0, 4, 0);
  builder.addFieldInt8(1, 1, 0);
  builder.addFieldOffset(2, schema, 0);
  builder.finish(builder.endObject());
  const message = builder.asUint8Array();
  const length = Math.ceil(message.length / 8) * 8;
  const bytes = new Uint8Array(length + 16);
  new DataView(bytes.buffer).setInt32(0, -1, true);
  new DataView(bytes.buffer).setInt32(4, length, true);
  bytes.set(message, 8);
  return bytes;
}

describe("a few bytes do not become any number of values:", () => {
  it("fields that are one field", () => {
    expect(readArrowStream(sharedFields(2)).fields[0]?.children).toHaveLength(2);
    expect(() => readArrowStream(sharedFields(40))).toThrow("fields without end");
    expect(() => readArrowStream(sharedFields(2000))).toThrow(ArrowError);
  });

  const rewritten = (bytes: Uint8Array, from: readonly number[], to: readonly number[]): Uint8Array => {
    const search = Buffer.from(Int32Array.from(from).buffer);
    const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).lastIndexOf(search);
    expect(at).toBeGreaterThan(0);
    const broken = bytes.slice();
    broken.set(Buffer.from(Int32Array.from(to).buffer), at);
    return broken;
  };

  it.each<[string, readonly number[]]>([
    ["overlapping lists", [0, 6, 0, 6]],
    ["lists beyond their elements", [0, 2, 4, 7]],
    ["lists from before the first", [-2, 2, 4, 6]],
  ])("%s", (_, offsets) => {
    const lists = arrow({
      c: [
        [
          [11, 12],
          [13, 14],
          [15, 16],
        ],
        list(int32()),
      ],
    });
    expect(() => read(rewritten(lists, [0, 2, 4, 6], offsets))).toThrow(/offsets/);
  });

  it("overlapping texts", () => {
    const texts = arrow({ c: [["ab", "cd", "ef"], utf8()] });
    expect(() => read(rewritten(texts, [0, 2, 4, 6], [0, 6, 0, 6]))).toThrow(/offsets/);
  });

  it("NULLs of no type, which take no room", () => {
    const length = 0x7fff_fffe;
    const bytes = rewritten(arrow({ c: [[null, null, null], nullType()] }), [3, 0, 3, 0], [length, 0, length, 0]);
    expect(() => read(bytes)).toThrow("values without end");
  });
});
