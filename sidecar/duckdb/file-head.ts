/** The beginning of a file, decompressed as DuckDB would: what can be known of it without looking at its rows. */
import { createReadStream } from "node:fs";
import type { Transform } from "node:stream";
import zlib from "node:zlib";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { ConfinedFile } from "./file-root.ts";

/** As much as DuckDB takes for one line of CSV. */
const LONGEST_LINE = 2 * 1024 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = /^\uFEFF/;

/** The first line without its end; empty for an empty file. Fails with `FILE_INVALID`. */
export async function firstLine(file: ConfinedFile): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of beginningOf(file)) {
    const end = chunk.findIndex((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
    parts.push(end < 0 ? chunk : chunk.subarray(0, end));
    length += chunk.length;
    if (end >= 0) break;
    if (length > LONGEST_LINE)
      throw new ConnectorFailure("FILE_INVALID", `The first line of "${file.name}" has no end.`);
  }
  return Buffer.concat(parts).toString("utf8").replace(BYTE_ORDER_MARK, "");
}

/** The first character that is no blank; undefined when there is none where one would be. Fails with `FILE_INVALID`. */
export async function firstCharacter(file: ConfinedFile): Promise<string | undefined> {
  for await (const chunk of beginningOf(file)) {
    const [found] = /[^\s\uFEFF]/.exec(chunk.toString("utf8")) ?? [];
    if (found !== undefined) return found;
  }
  return undefined;
}

async function* beginningOf(file: ConfinedFile): AsyncGenerator<Buffer, void, undefined> {
  const plain = decompressor(file);
  const bytes = createReadStream(file.path);
  if (plain !== undefined) bytes.on("error", (error) => plain.destroy(error)).pipe(plain);
  try {
    for await (const chunk of plain ?? bytes) yield chunk as Buffer;
  } catch (cause) {
    throw new ConnectorFailure("FILE_INVALID", `"${file.name}" cannot be read.`, { cause });
  } finally {
    plain?.destroy();
    bytes.destroy();
  }
}

/** By the extension, as DuckDB decides. */
function decompressor({ name }: ConfinedFile): Transform | undefined {
  if (/\.gz$/i.test(name)) return zlib.createGunzip();
  if (!/\.zst$/i.test(name)) return undefined;
  // Node has it since 22.15.
  if (zlib.createZstdDecompress === undefined) {
    throw new ConnectorFailure("FILE_INVALID", `"${name}" is compressed by zstd, which this Node cannot read.`, {
      hint: "Run the sidecar with Node 22.15 or newer, or compress the file by gzip.",
    });
  }
  return zlib.createZstdDecompress();
}
