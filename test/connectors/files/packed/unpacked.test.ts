/** Compressed texts to their end, however they come in. */
import { constants, gzipSync, zstdCompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { type Packing, packingOf, unpacked } from "../../../../src/connectors/files/packed/unpacked.ts";

const zstd = (text: string): Buffer => zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
/** Blocks of several kinds, more than one of them. */
const LONG = `${Array.from({ length: 40_000 }, (_, i) => `${i * 7919}`).join()}${"z".repeat(300_000)}`;
const SKIPPED = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 9, 9, 9]);

async function* inParts(bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function textOf(packing: Packing, bytes: Uint8Array, length = 65_536): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of unpacked(packing, inParts(bytes, length))) parts.push(part);
  return Buffer.concat(parts).toString();
}

it.each<[what: string, packing: Packing, bytes: Uint8Array, text: string]>([
  ["one member", "gzip", gzipSync("a"), "a"],
  ["several members", "gzip", Buffer.concat([gzipSync("a"), gzipSync(""), gzipSync(LONG)]), `a${LONG}`],
  ["one frame", "zstd", zstd(LONG), LONG],
  ["a frame without a checksum", "zstd", zstdCompressSync(LONG), LONG],
  ["several frames", "zstd", Buffer.concat([zstd("a"), zstd(""), zstd(LONG), zstdCompressSync("b")]), `a${LONG}b`],
  ["frames to skip", "zstd", Buffer.concat([SKIPPED, zstd("a"), SKIPPED, SKIPPED, zstd("b"), SKIPPED]), "ab"],
  ["nothing", "zstd", zstd(""), ""],
])("%s", async (_what, packing, bytes, text) => {
  for (const length of [1, 7, 65_536]) {
    if (bytes.length / length < 20_000) expect(await textOf(packing, bytes, length)).toBe(text);
  }
});

it.each<[what: string, packing: Packing, bytes: Uint8Array]>([
  ["nothing at all, by gzip", "gzip", new Uint8Array()],
  ["nothing at all, by Zstandard", "zstd", new Uint8Array()],
  ["plain text, by gzip", "gzip", Buffer.from("a,b\n1,2\n")],
  ["plain text, by Zstandard", "zstd", Buffer.from("a,b\n1,2\n")],
  ["text behind a frame", "zstd", Buffer.concat([zstd("a"), Buffer.from("b\n1,2\n")])],
  [
    "a checksum of another text",
    "zstd",
    zstd(LONG).map((byte, at, { length }) => (at === length - 1 ? byte ^ 1 : byte)),
  ],
  ["a block of no kind", "zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x00, 0x07, 0x00, 0x00])],
  ["a frame to skip that is cut off", "zstd", Buffer.concat([zstd("a"), SKIPPED.subarray(0, -1)])],
])("%s is told", async (_what, packing, bytes) => {
  await expect(textOf(packing, bytes)).rejects.toThrow();
});

it.each<[packing: Packing, bytes: Uint8Array]>([
  ["gzip", Buffer.concat([gzipSync("abc"), gzipSync("def")])],
  ["zstd", Buffer.concat([zstd("abc"), zstd("def")])],
])("%s that is cut off anywhere within a member is told", async (packing, bytes) => {
  const members = bytes.length / 2;
  for (let length = 1; length < bytes.length; length++) {
    // Where the second one has not begun, nobody can know of it.
    if (length === members) expect(await textOf(packing, bytes.subarray(0, length))).toBe("abc");
    else await expect(textOf(packing, bytes.subarray(0, length)), `${length}`).rejects.toThrow();
  }
});

it("looks back by no more than is allowed", async () => {
  // One raw block, in a frame that says 32 MiB.
  const far = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x78, 0x09, 0x00, 0x00, 0x61]);
  expect(await textOf("zstd", far)).toBe("a");
  const parts = unpacked("zstd", inParts(far, 1000), 23);
  await expect(parts.next()).rejects.toThrow(/too much memory/);
});

it("reads no more of a file than is asked for", async () => {
  let read = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const part of inParts(Buffer.concat([zstd(LONG), zstd(LONG), zstd(LONG)]), 1000)) {
      read += part.length;
      yield part;
    }
  }
  for await (const part of unpacked("zstd", counted())) if (part.length > 0) break;
  expect(read).toBeLessThan(zstd(LONG).length);
});

it.each([
  ["a.csv.gz", "gzip"],
  ["a.ndjson.zst", "zstd"],
  ["a.csv.GZ", undefined],
  ["a.csv", undefined],
])("%s", (name, packing) => expect(packingOf(name)).toBe(packing));
