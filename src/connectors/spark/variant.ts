/**
 * Converts a VARIANT to JSON from its two binaries (https://github.com/apache/parquet-format/blob/master/VariantEncoding.md): a
 * value that refers to member names by index, and the list of names. The text equals that of Spark's `to_json`, except for binary
 * fractions, which have the shortest digits that read back as the same number.
 */

import { dateText } from "../../result/text/date.ts";
import { floatNumber } from "../../result/text/float.ts";
import { decimalText } from "../../result/text/scaled-decimal.ts";
import { timestampText } from "../../result/text/timestamp.ts";
import { UnreadableValue } from "../unreadable-value.ts";

const MAX_DEPTH = 500;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Throws `UnreadableValue` for bytes that are not a variant, and for types that JSON cannot represent. */
export function variantJson(value: Uint8Array, metadata: Uint8Array): string {
  try {
    return new VariantReader(value, namesOf(metadata)).json(0, 0);
  } catch (error) {
    if (error instanceof UnreadableValue) throw error;
    throw new UnreadableValue("a VARIANT that is not of its form");
  }
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** An integer of one to four bytes. Throws beyond the end. */
function unsigned(view: DataView, at: number, bytes: number): number {
  let value = 0;
  for (let byte = bytes - 1; byte >= 0; byte--) value = value * 256 + view.getUint8(at + byte);
  return value;
}

/** Reads each name on demand: the list may contain more names than a value uses. */
function namesOf(metadata: Uint8Array): (index: number) => string {
  const view = viewOf(metadata);
  const width = (view.getUint8(0) >> 6) + 1;
  const count = unsigned(view, 1, width);
  const offset = (index: number): number => unsigned(view, 1 + (1 + index) * width, width);
  const texts = 1 + (2 + count) * width;
  return (index) => {
    if (index >= count) throw new RangeError("no such name");
    return utf8.decode(metadata.subarray(texts + offset(index), texts + offset(index + 1)));
  };
}

class VariantReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #nameOf: (index: number) => string;
  /**
   * Limits the number of values: members that share bytes could be any number. In regular variants each member has bytes of its
   * own.
   */
  #left: number;

  constructor(bytes: Uint8Array, nameOf: (index: number) => string) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
    this.#nameOf = nameOf;
    this.#left = bytes.length;
  }

  json(at: number, depth: number): string {
    if (--this.#left < 0 || depth > MAX_DEPTH) throw new RangeError("values without end");
    const head = this.#view.getUint8(at);
    const kind = head >> 2;
    switch (head & 3) {
      case 0:
        return this.#primitive(kind, at + 1);
      case 1:
        return this.#string(at + 1, kind);
      case 2:
        return this.#object(kind, at + 1, depth);
      default:
        return this.#array(kind, at + 1, depth);
    }
  }

  #object(form: number, at: number, depth: number): string {
    const [offsetWidth, idWidth, countWidth] = [(form & 3) + 1, ((form >> 2) & 3) + 1, form & 16 ? 4 : 1];
    const count = unsigned(this.#view, at, countWidth);
    const ids = at + countWidth;
    const offsets = ids + count * idWidth;
    const values = offsets + (count + 1) * offsetWidth;
    return `{${this.#each(count, (index) => {
      const name = this.#nameOf(unsigned(this.#view, ids + index * idWidth, idWidth));
      const value = values + unsigned(this.#view, offsets + index * offsetWidth, offsetWidth);
      return `${JSON.stringify(name)}:${this.json(value, depth + 1)}`;
    })}}`;
  }

  #array(form: number, at: number, depth: number): string {
    const [offsetWidth, countWidth] = [(form & 3) + 1, form & 4 ? 4 : 1];
    const count = unsigned(this.#view, at, countWidth);
    const offsets = at + countWidth;
    const values = offsets + (count + 1) * offsetWidth;
    return `[${this.#each(count, (index) =>
      this.json(values + unsigned(this.#view, offsets + index * offsetWidth, offsetWidth), depth + 1),
    )}]`;
  }

  #each(count: number, text: (index: number) => string): string {
    if (count > this.#left) throw new RangeError("values without end");
    return Array.from({ length: count }, (_, index) => text(index)).join(",");
  }

  #string(at: number, length: number): string {
    return JSON.stringify(utf8.decode(this.#part(at, length)));
  }

  #part(at: number, length: number): Uint8Array {
    if (at + length > this.#bytes.length) throw new RangeError("beyond the end");
    this.#left -= length;
    return this.#bytes.subarray(at, at + length);
  }

  #primitive(type: number, at: number): string {
    const view = this.#view;
    switch (type) {
      case 0:
        return "null";
      case 1:
        return "true";
      case 2:
        return "false";
      case 3:
        return String(view.getInt8(at));
      case 4:
        return String(view.getInt16(at, true));
      case 5:
        return String(view.getInt32(at, true));
      case 6:
        return String(view.getBigInt64(at, true));
      case 7:
        return fraction(view.getFloat64(at, true));
      case 8:
        return decimal(BigInt(view.getInt32(at + 1, true)), view.getUint8(at));
      case 9:
        return decimal(view.getBigInt64(at + 1, true), view.getUint8(at));
      case 10:
        return decimal((view.getBigInt64(at + 9, true) << 64n) | view.getBigUint64(at + 1, true), view.getUint8(at));
      case 11:
        return JSON.stringify(dateText(view.getInt32(at, true)));
      case 12:
        return JSON.stringify(`${shortTimestamp(view.getBigInt64(at, true))}+00:00`);
      case 13:
        return JSON.stringify(shortTimestamp(view.getBigInt64(at, true)));
      case 14:
        return fraction(Number(String(Math.fround(view.getFloat32(at, true)))));
      case 15:
        return JSON.stringify(base64(this.#part(at + 4, view.getUint32(at, true))));
      case 16:
        return this.#string(at + 4, view.getUint32(at, true));
      default:
        throw new UnreadableValue("a VARIANT that holds what JSON has no words for");
    }
  }
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Spark writes fractions that JSON cannot represent as texts. */
function fraction(value: number): string {
  return floatNumber(value) ?? JSON.stringify(String(value));
}

/** Without trailing zeroes, which Spark omits. */
function decimal(unscaled: bigint, scale: number): string {
  const text = decimalText(unscaled.toString(), scale);
  return scale === 0 ? text : text.replace(/\.0+$|(?<!0)0+$/, "");
}

/** Without trailing zeroes of the second's fraction. */
function shortTimestamp(microseconds: bigint): string {
  return timestampText(microseconds, "us").replace(/\.0+$|(?<!0)0+$/, "");
}
