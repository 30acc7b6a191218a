/** Reads the beginning of a file's plain bytes, which reveals some properties without reading rows. */
import { concatenated } from "../../result/bytes.ts";
import { ConnectorFailure } from "../failure.ts";

/** DuckDB's maximum length of a CSV line. */
const LONGEST_LINE = 2 * 1024 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Labels of `TextDecoder`. */
const DECODERS = { "utf-8": "utf-8", "latin-1": "latin1", "utf-16": "utf-16le" } as const;

/** The first line without its end, and without a byte order mark; empty for an empty file. Throws `FILE_INVALID`. */
export async function firstLine(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  encoding: keyof typeof DECODERS = "utf-8",
): Promise<string> {
  const line = encoding === "utf-16" ? await firstWideLine(name, bytes) : await firstNarrowLine(name, bytes);
  return new TextDecoder(DECODERS[encoding]).decode(line);
}

async function firstNarrowLine(name: string, bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    const end = chunk.findIndex((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
    parts.push(end < 0 ? chunk : chunk.subarray(0, end));
    length += chunk.length;
    if (end >= 0) break;
    if (length > LONGEST_LINE) throw new ConnectorFailure("FILE_INVALID", `The first line of "${name}" has no end.`);
  }
  return concatenated(parts);
}

/** UTF-16 of the byte order that DuckDB reads. Throws `FILE_INVALID` for a byte order mark of the other one. */
async function firstWideLine(name: string, bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const units: number[] = [];
  let low: number | undefined;
  for await (const chunk of bytes) {
    for (const byte of chunk) {
      if (low === undefined) low = byte;
      else {
        const unit = low + 256 * byte;
        if (units.length === 0 && unit === SWAPPED_MARK) {
          throw new ConnectorFailure("FILE_INVALID", `"${name}" is big-endian UTF-16, which is not supported.`, {
            hint: "Convert the file to UTF-8, or to little-endian UTF-16.",
          });
        }
        if (unit === LINE_FEED || unit === CARRIAGE_RETURN) return wideBytes(units);
        units.push(unit);
        low = undefined;
      }
    }
    if (2 * units.length > LONGEST_LINE) {
      throw new ConnectorFailure("FILE_INVALID", `The first line of "${name}" has no end.`);
    }
  }
  return wideBytes(units);
}

const SWAPPED_MARK = 0xfffe;

function wideBytes(units: readonly number[]): Uint8Array {
  return Uint8Array.from(units.flatMap((unit) => [unit % 256, Math.floor(unit / 256)]));
}

export async function isEmpty(bytes: AsyncIterable<Uint8Array>): Promise<boolean> {
  for await (const chunk of bytes) if (chunk.length > 0) return false;
  return true;
}

/** The first character that is not a blank; undefined if there is none. */
export async function firstCharacter(bytes: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  for await (const chunk of bytes) {
    const [found] = /[^\s\uFEFF]/.exec(new TextDecoder().decode(chunk)) ?? [];
    if (found !== undefined) return found;
  }
  return undefined;
}
