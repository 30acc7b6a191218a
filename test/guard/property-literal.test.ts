import { describe, expect, it } from "vitest";
import { listLiteralOf, literalOf, operatorProperties } from "../../src/guard/property-literal.ts";
import { parseSessionValue } from "../../src/planner/access/session-value.ts";

/** Characters that end, hide or join literals in some SQL dialect. */
const PIECES = [
  "'",
  "''",
  "\\",
  "\\'",
  "--",
  "/*",
  "*/",
  ";",
  "\n",
  "\r",
  "\t",
  "$$",
  "$a$",
  "E'",
  "U&'",
  "@user",
  "{{x}}",
  '"',
  "`",
  "%",
  "\u2019",
  "\u00a0",
  "\u2028",
  "東",
  "😀",
  "a",
  " OR 1=1",
  ")",
  "]",
  ",",
  "\u0001",
];

/** Mulberry32. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const next = random(7);
const text = (): string =>
  Array.from({ length: 1 + Math.floor(next() * 6) }, () => PIECES[Math.floor(next() * PIECES.length)] ?? "").join("");

describe("values as literals", () => {
  it("are each one literal of the planner's, with the same value: 5,000 texts made to break out", () => {
    for (let count = 0; count < 5000; count++) {
      const value = text();
      expect(parseSessionValue(literalOf(value) ?? "", "p"), JSON.stringify(value)).toMatchObject({
        kind: "string",
        value,
      });
    }
  });

  it("and so are lists of them", () => {
    for (let count = 0; count < 1000; count++) {
      const values = Array.from({ length: 1 + Math.floor(next() * 4) }, text);
      expect(parseSessionValue(listLiteralOf(values) ?? "", "p"), JSON.stringify(values)).toMatchObject({
        kind: "array",
        elements: values.map((value) => ({ kind: "string", value })),
      });
    }
  });

  it.each([
    [0, "0"],
    [-0, "0"],
    [-1.5, "-1.5"],
    [2 ** 53 - 1, "9007199254740991"],
    [true, "TRUE"],
    [false, "FALSE"],
    ["", "''"],
  ])("%j is %s", (value, literal) => {
    expect(literalOf(value)).toBe(literal);
    expect(() => parseSessionValue(literal, "p")).not.toThrow();
  });

  it.each([
    [2 ** 53],
    [1e21],
    [1e-7],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    ["a\0"],
    ["\ud800"],
    [null],
    [{}],
    [[]],
    [undefined],
  ])("%j is none", (value) => {
    expect(literalOf(value)).toBeUndefined();
  });

  it("stop the start where the operator's cannot be said", () => {
    expect(operatorProperties({ a: "b" })).toEqual(new Map([["a", "'b'"]]));
    expect(() => operatorProperties({ a: "hunter2\0" })).toThrow(
      "SESSION_PROPERTIES: a is a value that SQL cannot say",
    );
  });
});
