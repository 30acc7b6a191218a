/** Long values in answers, which were copied or read again with each piece that came: time by the square of their length. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AnswerReader } from "../../sidecar/mssql/answer-reader.ts";
import { RowReader } from "../../sidecar/mssql/rows.ts";
import { RowStream } from "../../src/connectors/clickhouse/row-stream.ts";

/** Bytes that typed arrays copied since the test began. */
let copied = 0;
beforeEach(() => {
  copied = 0;
  const { set, slice } = Uint8Array.prototype;
  vi.spyOn(Uint8Array.prototype, "set").mockImplementation(function (this: Uint8Array, source, offset) {
    copied += source.length;
    return set.call(this, source, offset);
  });
  vi.spyOn(Uint8Array.prototype, "slice").mockImplementation(function (this: Uint8Array, from, to) {
    const part = slice.call(this, from, to);
    copied += part.length;
    return part as Uint8Array<ArrayBuffer>;
  });
});
afterEach(() => vi.restoreAllMocks());

const bytes = (...parts: (string | number)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.of(part))));

function counted(length: number): number[] {
  const written: number[] = [];
  let left = length;
  for (; left > 127; left = Math.floor(left / 128)) written.push((left & 127) | 128);
  return [...written, left];
}

/** Columns of ClickHouse's binary format. */
const columns = (...types: string[]): Uint8Array =>
  bytes(types.length, ...types.flatMap(() => [1, "c"]), ...types.flatMap((type) => [...counted(type.length), type]));

function rowsOf(stream: RowStream): number {
  let rows = 0;
  const batches = stream.rows();
  for (let next = batches?.next(); next?.done === false; next = batches?.next()) rows += next.value.length;
  return rows;
}

function pushed(stream: RowStream, whole: Uint8Array, piece: number): number {
  let rows = 0;
  for (let at = 0; at < whole.length; at += piece) {
    stream.push(whole.subarray(at, at + piece));
    rows += rowsOf(stream);
  }
  stream.end();
  return rows + rowsOf(stream);
}

const PIECE = 4096;
const TAGS = [null, "0123456789abcdef"];

describe.each(TAGS)("of ClickHouse, with the tag %s,", (tag) => {
  it("a text is copied a few times, whatever its length", () => {
    for (const length of [1_000_000, 8_000_000]) {
      copied = 0;
      const whole = Buffer.concat([columns("String"), bytes(...counted(length)), Buffer.alloc(length, "x")]);
      expect(pushed(new RowStream(tag, false), whole, PIECE)).toBe(1);
      expect(copied).toBeLessThan(12 * length);
    }
  });

  it("a text that is larger than a row may be is refused before it has come", () => {
    const stream = new RowStream(tag, false);
    const whole = Buffer.concat([columns("String"), bytes(...counted(20_000_000)), Buffer.alloc(PIECE, "x")]);
    expect(() => pushed(stream, whole, PIECE)).toThrow(expect.objectContaining({ reason: "SOURCE_ERROR" }));
  });

  it("rows are as large as they may be and no larger, in one piece too", () => {
    const LIMIT = 16 * 1024 * 1024;
    for (const [length, fits] of [
      [LIMIT - 4, true],
      [LIMIT, false],
    ] as const) {
      const whole = Buffer.concat([columns("String"), bytes(...counted(length)), Buffer.alloc(length, "x")]);
      const read = () => pushed(new RowStream(tag, false), whole, whole.length);
      if (fits) expect(read()).toBe(1);
      else expect(read).toThrow(expect.objectContaining({ reason: "SOURCE_ERROR" }));
    }
  });
});

it("an exception of ClickHouse is held up to its limit", () => {
  const stream = new RowStream("0123456789abcdef", false);
  stream.push(columns("String"));
  stream.push(bytes("\r\n__exception__\r\n0123456789abcdef\r\n"));
  copied = 0;
  for (let at = 0; at < 1000; at++) stream.push(Buffer.alloc(PIECE, "x"));
  expect(copied).toBeLessThan(1_000_000);
  expect(stream.exception()?.length).toBeLessThan(64 * 1024);
});

describe("of SQL Server", () => {
  /** A message of one row: a text in chunks of one character each. */
  function packets(chunks: number, packetBytes: number): Buffer[] {
    const chunk = Buffer.alloc(6);
    chunk.writeUInt32LE(2);
    chunk.write("x", 4, "utf16le");
    const length = Buffer.alloc(8, 0xff);
    length.writeUInt8(0xfe);
    const body = Buffer.concat([length, ...Array.from({ length: chunks }, () => chunk), Buffer.alloc(4)]);
    const all: Buffer[] = [];
    for (let at = 0; at < body.length; at += packetBytes) {
      const payload = body.subarray(at, at + packetBytes);
      const header = Buffer.alloc(8);
      header.writeUInt8(4);
      header.writeUInt8(at + packetBytes >= body.length ? 1 : 0, 1);
      header.writeUInt16BE(payload.length + 8, 2);
      all.push(Buffer.concat([header, payload]));
    }
    return all;
  }

  it("chunks of a value are gone over once", async () => {
    const chunks = 20_000;
    const left = packets(chunks, 504);
    const wire = { read: async () => left.shift(), write: async () => {}, close: () => {} };
    const reader = new AnswerReader(wire as never);
    const skip = vi.spyOn(AnswerReader.prototype, "skip");
    const read = (from: AnswerReader, count: number) => from.text(count / 2);
    const rows = new RowReader([{ name: "c", type: { kind: "text" }, framing: "chunks", read } as never]);
    reader.begin();
    for (;;) {
      try {
        expect(rows.read(reader, false)).toEqual(["x".repeat(chunks)]);
        break;
      } catch (error) {
        if (typeof error !== "symbol") throw error;
        await reader.more();
      }
    }
    // Twice the length and the bytes of each chunk, and what was tried for each packet.
    expect(skip.mock.calls.length).toBeLessThan(5 * chunks);
  });

  it("packets in many pieces are copied a few times", async () => {
    const whole = Buffer.concat(packets(5000, 30_000));
    const left = Array.from({ length: Math.ceil(whole.length / 16) }, (_, at) => whole.subarray(at * 16, at * 16 + 16));
    const concat = vi.spyOn(Buffer, "concat");
    const reader = new AnswerReader({ read: async () => left.shift() } as never);
    reader.begin();
    copied = 0;
    while (!reader.isOver) {
      await reader.more();
      reader.at += reader.held;
    }
    expect(concat).not.toHaveBeenCalled();
    expect(copied).toBeLessThan(12 * whole.length);
  });
});
