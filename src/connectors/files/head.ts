/** Reads the beginning of a file's plain bytes, which reveals some properties without reading rows. */
import { concatenated } from "../../result/bytes.ts";
import { ConnectorFailure } from "../failure.ts";

/** DuckDB's maximum length of a CSV line. */
const LONGEST_LINE = 2 * 1024 * 1024;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** The first line without its end, and without a byte order mark; empty for an empty file. Throws `FILE_INVALID`. */
export async function firstLine(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    const end = chunk.findIndex((byte) => byte === LINE_FEED || byte === CARRIAGE_RETURN);
    parts.push(end < 0 ? chunk : chunk.subarray(0, end));
    length += chunk.length;
    if (end >= 0) break;
    if (length > LONGEST_LINE) throw new ConnectorFailure("FILE_INVALID", `The first line of "${name}" has no end.`);
  }
  return new TextDecoder().decode(concatenated(parts));
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
