/** Pages that say more than they hold, or hold more than they say: what room they take is told before they take it. */
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Field, Struct } from "../../../../../src/connectors/files/parquet/compact-protocol.ts";
import type { Leaf } from "../../../../../src/connectors/files/parquet/values/column-tree.ts";
import { leafType } from "../../../../../src/connectors/files/parquet/values/leaf-type.ts";
import { type PageRoom, readChunk } from "../../../../../src/connectors/files/parquet/values/pages.ts";

const GZIP = 2;
const BROTLI = 4;
const UNCOMPRESSED = 0;
const INT64 = 2n;

const integer = (value: number | bigint): Field => ({ type: "integer", width: 5, value: BigInt(value) });

/** A required column of whole numbers. */
function column(): Leaf {
  const element: Struct = new Map([[1, integer(INT64)]]);
  const type = leafType(element);
  if (type === undefined) throw new Error("no type");
  return { column: "c", index: 0, element, type, maxDefinition: 0, maxRepetition: 0 };
}

const chunkOf = (codec: number, values: number): { readonly metadata: Struct } => ({
  metadata: new Map([
    [4, integer(codec)],
    [5, integer(values)],
  ]),
});

function varint(value: number): readonly number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(Math.floor(value / 128))];
}

/** A field of 32 bits, one behind the one before, in Thrift's compact form. */
const next = (value: number): readonly number[] => [0x15, ...varint(value * 2)];

/** A data page, plain, with its head. */
function page(body: Uint8Array, { size, values }: { readonly size: number; readonly values: number }): Uint8Array {
  const head = [...next(0), ...next(size), ...next(body.length), 0x2c];
  const data = [...next(values), ...next(0), ...next(3), ...next(3), 0];
  return Uint8Array.from([...head, ...data, 0, ...body]);
}

interface Told extends PageRoom {
  held: number;
  most: number;
  unpacked: number;
}

function room(limit = Number.POSITIVE_INFINITY): Told {
  const told: Told = {
    held: 0,
    most: 0,
    unpacked: 0,
    hold: (bytes) => {
      told.held += bytes;
      told.most = Math.max(told.most, told.held);
    },
    unpack: (bytes) => {
      told.unpacked += bytes;
      if (told.unpacked > limit) throw new Error("too much");
    },
  };
  return told;
}

const numbers = (...values: readonly bigint[]): Uint8Array => new Uint8Array(BigInt64Array.from(values).buffer);

describe("the room that pages take", () => {
  it.each([
    ["packed", GZIP, gzipSync(numbers(1n, 2n)), 16],
    ["as they are", UNCOMPRESSED, numbers(1n, 2n), 0],
  ])("is told, %s", (_, codec, body, bytes) => {
    const told = room();
    const { count, values } = readChunk(column(), chunkOf(codec, 2), page(body, { size: 16, values: 2 }), told);
    expect([count, values.count, values.size]).toEqual([2, 2, 16]);
    expect(told).toMatchObject({ held: bytes, unpacked: bytes });
  });

  it("is all of a page where one value of it is kept", () => {
    const large = 8 * 1024 * 1024;
    const body = brotliCompressSync(new Uint8Array(large));
    expect(body.length).toBeLessThan(100);
    const told = room();
    readChunk(column(), chunkOf(BROTLI, 1), page(body, { size: large, values: 1 }), told);
    expect(told).toMatchObject({ held: large, unpacked: large });
  });

  it("is given up with a page of which nothing is kept, and told again with each that is unpacked", () => {
    const large = 1024 * 1024;
    const empty = page(brotliCompressSync(new Uint8Array(large)), { size: large, values: 0 });
    const last = page(brotliCompressSync(numbers(7n)), { size: 8, values: 1 });
    const pages = new Uint8Array(Buffer.concat([...Array.from({ length: 50 }, () => empty), last]));
    const told = room();
    readChunk(column(), chunkOf(BROTLI, 1), pages, told);
    expect(told).toMatchObject({ held: 8, most: large, unpacked: 50 * large + 8 });
    expect(() => readChunk(column(), chunkOf(BROTLI, 1), pages, room(10 * large))).toThrow("too much");
  });
});

describe("what a page says of itself", () => {
  it.each<[what: string, body: Uint8Array, said: { size: number; values: number }, codec: number, message: RegExp]>([
    ["more bytes than it unpacks to", gzipSync(numbers(1n)), { size: 16, values: 1 }, GZIP, /not as long/],
    ["fewer", gzipSync(numbers(1n, 2n)), { size: 8, values: 1 }, GZIP, /not as long|broken/],
    ["bytes that none has", gzipSync(numbers(1n)), { size: 20 * 1024 * 1024, values: 1 }, GZIP, /a page of \d+ bytes/],
    ["more values than its column", numbers(1n, 2n), { size: 16, values: 3 }, UNCOMPRESSED, /more values/],
    ["values that it has no bytes for", numbers(1n), { size: 8, values: 2 }, UNCOMPRESSED, /end too early/],
    ["gzip of what is none", numbers(1n), { size: 8, values: 1 }, GZIP, /broken/],
  ])("%s", (_, body, said, codec, message) => {
    expect(() => readChunk(column(), chunkOf(codec, 2), page(body, said), room())).toThrow(message);
  });
});
