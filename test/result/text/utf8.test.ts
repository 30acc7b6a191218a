import { describe, expect, test } from "vitest";
import { endOfAscii, isUtf8 } from "../../../src/result/text/utf8.ts";
import { seededRandom } from "../streams.ts";

function isDecoded(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The bytes at which the rules of UTF-8 change. */
const EDGES = [
  0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef,
  0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff,
];

describe("what is UTF-8", () => {
  test("as the platform says, for every sequence of up to four bytes at which a rule changes", () => {
    const judge = (bytes: readonly number[]): void => {
      const sequence = Uint8Array.from(bytes);
      if (isUtf8(sequence, 0, sequence.length) !== isDecoded(sequence))
        expect(bytes).toBe("judged as the platform does");
      if (bytes.length < 4) for (const next of EDGES) judge([...bytes, next]);
    };
    judge([]);
  });

  test("within its bounds only", () => {
    const bytes = new TextEncoder().encode("aé😀z");
    expect(isUtf8(bytes, 1, 7)).toBe(true);
    expect(isUtf8(bytes, 1, 6)).toBe(false);
    expect(isUtf8(bytes, 2, 7)).toBe(false);
  });

  test("for texts that are cut and changed anywhere", () => {
    const random = seededRandom(11);
    for (let round = 0; round < 5000; round++) {
      const bytes = new TextEncoder().encode("naïve — 真夜中 😀 ok \u07ff\u0800\uffff\u{10ffff}");
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      const from = Math.floor(random() * bytes.length);
      const part = bytes.subarray(from, from + Math.floor(random() * bytes.length));
      expect(isUtf8(bytes, from, from + part.length)).toBe(isDecoded(part));
    }
  });
});

test("where ASCII ends", () => {
  const bytes = Uint8Array.of(65, 127, 128, 65);
  expect([endOfAscii(bytes, 0, 4), endOfAscii(bytes, 0, 2), endOfAscii(bytes, 3, 4)]).toEqual([2, 2, 4]);
});
