import { expect, test } from "vitest";
import { JsonOutput } from "../../../../src/result/encode/json-bytes/output.ts";

const textOf = (out: JsonOutput): string => new TextDecoder().decode(out.take());

test("integers around every power of ten and of two", () => {
  const out = new JsonOutput();
  for (let power = 0; power <= 63; power++) {
    for (const base of [10n, 2n]) {
      for (const near of [-1n, 0n, 1n]) {
        for (const sign of [-1n, 1n]) {
          const value = sign * (base ** BigInt(power) + near);
          if (BigInt.asIntN(64, value) === value) {
            out.integer64(Number(value >> 32n), Number(value & 0xffff_ffffn));
            expect(textOf(out)).toBe(String(value));
          }
          if (Number.isSafeInteger(Number(value))) {
            out.integer(Number(value));
            expect(textOf(out)).toBe(String(value));
          }
        }
      }
    }
  }
  out.integer64(0xffff_ffff, 0xffff_ffff);
  expect(textOf(out)).toBe("18446744073709551615");
});

test("it grows, keeps what it has, and can forget its end", () => {
  const out = new JsonOutput();
  const parts: string[] = [];
  for (let index = 0; index < 3000; index++) {
    const part = `${index}é"\n`;
    const bytes = new TextEncoder().encode(part);
    out.string(bytes, 0, bytes.length);
    const { length } = out;
    out.text("not this — ");
    out.truncate(length);
    parts.push(JSON.stringify(part));
  }
  expect(textOf(out)).toBe(parts.join(""));
  expect(out.length).toBe(0);
});
