/** Regular expressions in words that POSIX's and Perl's engines read alike. */
import { describe, expect, test } from "vitest";
import { type PlainWords, plainExpression } from "../../../../src/planner/lowering/patterns/plain-expressions.ts";
import { re2Pattern } from "../../../../src/planner/lowering/patterns/regular-expressions.ts";
import { text } from "../../../../src/planner/syntax/build.ts";

const WORDS: PlainWords = { sign: "list", bothCases: false, keepsGroups: false };

function plain(pattern: string, words: Partial<PlainWords> = {}): string | undefined {
  const read = re2Pattern(text(pattern, { span: { start: 0, end: 1 } }));
  return read.kind === "string" ? plainExpression(read.value, { ...WORDS, ...words }) : undefined;
}

const BLANKS =
  "\t\n\f\r \v\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\u2028\u2029";

describe("in lists", () => {
  test.each([
    ["abc", "abc"],
    ["a.b", "a.b"],
    ["\\d{4}-\\d{3}", "[0-9]{4}-[0-9]{3}"],
    ["\\D+", "[^0-9]+"],
    ["^a|b$", "^a|b$"],
    ["\\Aa", "^a"],
    ["(?:ab|c)+", "(ab|c)+"],
    ["a\\.b\\*\\(\\[\\]", "a[.]b[*][(][[][]]"],
    ["[\\d.]", "[0-9.]"],
    ["[]a]", "[]a]"],
    ["[a^]", "[a^]"],
    ["[^^]", "[^^]"],
    ["[\\-a]", "[a-]"],
    ["[[:xdigit:]]", "[0-9A-Fa-f]"],
    ["\\s+", `[${BLANKS}]+`],
    ["\\S", `[^${BLANKS}]`],
    ["a\\tb", "a\tb"],
  ])("%j", (pattern, expected) => expect(plain(pattern)).toBe(expected));

  test.each([
    ...[
      "\\w",
      "[[:alpha:]]",
      "[[:upper:]]",
      "a*?",
      "a\\^b",
      "a\\\\b",
      "[\\\\a]",
      "[[a]",
      "(a|)",
      "[^\\x01-\\x7f]",
      "\\x01",
    ],
    ...["(", "a**"],
  ])("%j is refused", (pattern) => expect(plain(pattern)).toBeUndefined());
});

test("signs behind backslashes", () => {
  expect(plain("a\\.\\^\\\\", { sign: "backslash" })).toBe("a\\.\\^\\\\");
  expect(plain("[.]", { sign: "backslash" })).toBe("\\.");
});

test("both cases", () => {
  expect(plain("aÉ1", { bothCases: true })).toBe("[aA][Éé]1");
  expect(plain("[a-cX]", { bothCases: true })).toBe("[a-cA-CXx]");
  expect(plain("[^a]", { bothCases: true })).toBe("[^aA]");
  expect(plain("[à-ü]", { bothCases: true })).toBeUndefined();
});

test("groups whose numbers count, and another end", () => {
  expect(plain("(a)(?:b)", { keepsGroups: true })).toBeUndefined();
  expect(plain("(a)(b)$", { keepsGroups: true, end: "(?!.)" })).toBe("(a)(b)(?!.)");
});
