/**
 * Patterns are answered on RE2 where its first match is PostgreSQL's longest (or shortest), with the same groups.
 *
 * Searched: 8,000 random patterns of alternatives, groups, and greedy, lazy and counted quantifiers in each other, over 150
 * texts each, whole matches and groups, PostgreSQL 18 against DuckDB 1.4 (`test/parity/random/patterns.ts` goes on).
 */
import { describe, expect, test } from "vitest";
import { type RequestedMatches, re2Match } from "../../../../src/planner/lowering/patterns/matches.ts";
import { re2Pattern } from "../../../../src/planner/lowering/patterns/regular-expressions.ts";
import { text } from "../../../../src/planner/syntax/build.ts";

const matched = (pattern: string, asked: RequestedMatches = {}, flags = ""): string => {
  const { pattern: read } = re2Match(text(pattern, { span: { start: 0, end: 1 } }), flags, asked);
  return read.kind === "string" ? read.value : "";
};
const readAs = (pattern: string): string => {
  const read = re2Pattern(text(pattern, { span: { start: 0, end: 1 } }));
  return read.kind === "string" ? read.value : "";
};
const LENGTHS = "match more or less";

describe("the whole match", () => {
  test.each([
    ...["abc", "a*", "a|b", "[0-9]+", "(?:a|b)+c", "^a|b$", "x.*y", "\\d{1,3}(\\.\\d{1,3}){3}", "(a+)(b+)?", "<.*?>"],
    ...[
      "a.*?b",
      '"[^"]*"',
      "(https?|ftp)://[^/]+",
      "^(a|ab)$",
      "(a|ab)(c|bcd)",
      "(?i)abc",
      "\\s+$",
      "a{2,}?b",
      "(a|)b",
    ],
    ...["^(.*?)-(\\d+)$", "(?:ab)+", "[]a]+", "\\.|,", "[[:alpha:]]+(-[[:alpha:]]+)*", "(^|,)x", "x(,|$)", "a$|ab"],
  ])("of %s", (pattern) => expect(matched(pattern)).toBe(readAs(pattern)));

  test.each([
    ["a|ab", "ab|a"],
    ["(a|ab|abc)d?", "(abc|ab|a)d?"],
    ["^(The|A|An) ?", "^(The|An|A) ?"],
    ["\\d+|\\d+\\.\\d+", "\\d+\\.\\d+|\\d+"],
    ["(?i)a|AB", "(?i)AB|a"],
    ["x(?:|y)", "x(?:y|)"],
  ])("of %s, longer alternatives first", (pattern, expected) => expect(matched(pattern)).toBe(expected));

  test.each([
    ...["a*(ab)?", "x?(xy)?", "a+?b*", "\\d+.*?x", "(a*)*", "\\w+|\\d+-", "a??b|ab+", "x.*?y?"],
    ...["(é|\\w\\d)+", "[^a]*(ba)?", ".*?(ab)*", "(a|b)*?c*"],
  ])("of %s is not settled", (pattern) => expect(() => matched(pattern)).toThrow(LENGTHS));

  test("letters of either case meet where case does not count", () => {
    expect(matched("a*(Ab)?")).toBe("a*(Ab)?");
    expect(() => matched("a*(Ab)?", {}, "i")).toThrow(LENGTHS);
    expect(matched("a*(Ab)?", {}, "ic")).toBe("a*(Ab)?");
  });

  test.each(["(".repeat(5_000), "a**", "*a", "(+a)", "^*", "a{2}{3}", "a|*"])("%s is no pattern", (pattern) =>
    expect(() => matched(pattern)).toThrow("a quantifier of nothing"),
  );

  test("patterns that take too long to follow are refused", () => {
    expect(() => matched(`(?:${"[ab]*a[ab]{200}".repeat(3)})`)).toThrow(LENGTHS);
    expect(() => matched("((((a{1,99}){1,99}){1,99}){1,99}){1,99}")).toThrow(LENGTHS);
  });
});

describe("groups", () => {
  test.each(["(\\w+)@(\\w+)", "^(.*),\\s*(.*)$", "(\\d+) ?(mg|MG|g)", "(\\w)+", "(ab)+", "^(.*?)-(.*)$", "((a)b)c"])(
    "of %s",
    (pattern) => expect(matched(pattern, { groups: "all" })).toBe(readAs(pattern)),
  );

  test.each(["(a?(?:ab)?)b*c", "(a|ab)(c|bcd)", "([ab]*a)+", "(a+|b)+"])("of %s are not settled", (pattern) =>
    expect(() => matched(pattern, { groups: "all" })).toThrow(LENGTHS),
  );

  test.each(["(a)|b", "(a)?b", "(a)*b", "(?:(a)|b)c", "(a){0,2}"])("of %s may be missing", (pattern) => {
    expect(() => matched(pattern, { groups: "all" })).toThrow("groups that a match may go without");
    expect(() => matched(pattern, { groups: "present" })).not.toThrow();
  });

  test("are counted as they are written", () =>
    expect(re2Match(text("\\((a)[(](?:b)(c(d))", { span: { start: 0, end: 1 } }), "", {}).groups).toBe(3));
});

describe("every match", () => {
  const OPEN = [
    "",
    "a*",
    "a{0,2}",
    "(a*)",
    "(a*)+",
    "(a)?",
    "a|b*",
    "(?:a|)",
    "[[:alpha:]]*",
    "\\d*",
    "^",
    "$",
    "(?i)",
  ];
  test.each(OPEN)("of %j, which may match nothing, is refused", (pattern) =>
    expect(() => matched(pattern, { every: true })).toThrow("may match nothing"),
  );

  const CLOSED = ["a", "a+", "a+?", "a?b", "a{2}", "(a*)b", "a|b", "(a|b*)c", "[*]", "[]*]", "[^]a]+", "\\*", "(?i)a"];
  test.each(CLOSED)("of %j", (pattern) => expect(matched(pattern, { every: true })).toBe(pattern));
});

test.each(["^a", "a|^b", "(?:^|,)a", "\\Aa"])("a split at %s is refused: each part would begin a text", (pattern) =>
  expect(() => matched(pattern, { every: true, parts: true })).toThrow("a split at the beginning"),
);

/** One more sign in them doubled the time, once. */
test.each([
  ["escapes", `[${"\\a".repeat(200)}`],
  ["escapes behind a list that ends", `[a][${"\\a".repeat(200)}`],
  ["brackets", "[".repeat(20_000)],
])("brackets that do not end are refused: %s", (_, pattern) => {
  expect(() => matched(pattern)).toThrow("brackets without an end");
});
