import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it } from "vitest";
import { readStruct, writeStruct } from "../../../../src/connectors/files/parquet/compact-protocol.ts";
import { FooterTooLarge, ParquetFault } from "../../../../src/connectors/files/parquet/fault.ts";
import { footerStart, readFooter, TAIL_BYTES } from "../../../../src/connectors/files/parquet/footer.ts";
import { project } from "../../../../src/connectors/files/parquet/projection.ts";

const directory = mkdtempSync(join(tmpdir(), "siskin-footer-"));
const instance = await DuckDBInstance.create(":memory:");
const connection = await instance.connect();
const path = join(directory, "x.parquet");
await connection.run(`COPY (SELECT i, i::VARCHAR AS s, {'a': i, 'b': [i]} AS n, i / 3 AS d FROM range(5000) t(i))
  TO '${path}' (FORMAT parquet, ROW_GROUP_SIZE 2048)`);
connection.closeSync();
instance.closeSync();
const file = readFileSync(path);
rmSync(directory, { recursive: true });

const tail = file.subarray(file.length - TAIL_BYTES);
const start = footerStart(tail, file.length);
const bytes = file.subarray(start, file.length - TAIL_BYTES);

it("is written as it was read", () => {
  expect(Buffer.from(writeStruct(readStruct(bytes)))).toEqual(Buffer.from(bytes));
});

it("tells columns with what is below them, and groups of rows", () => {
  const { columns, rowGroups } = readFooter({ bytes, start });
  expect(columns.map(({ name, firstLeaf, leaves }) => [name, firstLeaf, leaves])).toEqual([
    ["i", 0, 1],
    ["s", 1, 1],
    ["n", 2, 2],
    ["d", 4, 1],
  ]);
  expect(rowGroups.map(({ rows }) => rows)).toEqual([2048n, 2048n, 904n]);
});

const sign = (text: string, length = bytes.length): Uint8Array => {
  const last = new Uint8Array(TAIL_BYTES);
  new DataView(last.buffer).setUint32(0, length, true);
  last.set(new TextEncoder().encode(text), 4);
  return last;
};
const TAILS: readonly (readonly [what: string, tail: Uint8Array, size: number, message: RegExp])[] = [
  ["of another format", sign("PK\u0003\u0004"), file.length, /no Parquet file/],
  ["cut", new Uint8Array(3), 3, /no Parquet file/],
  ["encrypted", sign("PARE"), file.length, /encrypted/],
  ["longer than the file", sign("PAR1", file.length), file.length, /longer than the file/],
  ["longer than any", sign("PAR1", 0xffff_ffff), 0x2_0000_0000, /larger than/],
];
it.each(TAILS)("refuses a tail that is %s", (_, last, size, message) => {
  expect(() => footerStart(last, size)).toThrow(message);
});

const HOSTILE: readonly (readonly [what: string, bytes: readonly number[]])[] = [
  ["nothing", []],
  ["a number without an end", [0x15, ...Array<number>(20).fill(0xff)]],
  ["a list of more than there is", [0x29, 0xfc, 0xff, 0xff, 0xff, 0x0f]],
  ["structures without an end", Array<number>(5000).fill(0x1c)],
  ["lists without an end", [0x19, ...Array<number>(5000).fill(0x19)]],
  ["a text longer than the file", [0x18, 0xff, 0xff, 0x03]],
  ["no schema", [0]],
];
it.each(HOSTILE)("refuses %s", (_, hostile) => {
  expect(() => readFooter({ bytes: Uint8Array.from(hostile), start })).toThrow(ParquetFault);
});

it("says of one that tells too much that nothing is wrong with it", () => {
  const many = Uint8Array.from([0x19, 0xf3, ...[0xc1, 0x84, 0x3d], ...Array<number>(1_000_001).fill(1), 0]);
  expect(() => readFooter({ bytes: many, start })).toThrow(FooterTooLarge);
  expect(() => footerStart(sign("PAR1", 17 * 1024 * 1024), 0x1_0000_0000)).toThrow(FooterTooLarge);
});

/** `FUZZ_INPUTS` sets how many. */
it("of any bytes makes a fault, or places within the file", () => {
  let seed = 1;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  let faults = 0;
  const count = Number(process.env.FUZZ_INPUTS ?? 2000);
  for (let i = 0; i < count; i++) {
    const changed = Uint8Array.from(bytes);
    for (let n = 0; n <= next(4); n++) changed[next(changed.length)] = next(256);
    try {
      const { ranges, written } = project(readFooter({ bytes: changed, start }), {
        columns: new Set(["s", "n"]),
        uses: [[]],
      });
      expect([4, start]).toContain(written.at(-1)?.at);
      for (const range of ranges) {
        expect(range.start).toBeGreaterThanOrEqual(0);
        expect(range.end).toBeGreaterThan(range.start);
        expect(range.end).toBeLessThanOrEqual(start);
      }
    } catch (error) {
      if (!(error instanceof ParquetFault)) throw error;
      faults++;
    }
  }
  expect(faults).toBeGreaterThan(count / 10);
});
