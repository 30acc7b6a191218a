/** Regular expressions as LIKE with classes; `test/engines/like-classes.test.ts` compares the meaning with PostgreSQL's. */
import { describe, expect, test } from "vitest";
import { firstMatch, likePatterns } from "../../../../src/planner/lowering/patterns/like-classes.ts";

const ways = (pattern: string, isFolded = false): readonly string[] | undefined =>
  likePatterns(pattern, isFolded)?.map((each) =>
    each.map((test) => (test.negated ? `not ${test.pattern}` : test.pattern)).join(" and "),
  );

describe("a test", () => {
  test.each<[string, readonly string[]]>([
    ["[0-9]", ["%[0-9]%"]],
    ["\\d", ["%[0-9]%"]],
    ["\\D", ["%[^0-9]%"]],
    ["^A", ["A%"]],
    ["^a.*b$", ["a%b"]],
    ["^\\d{5}$", ["[0-9][0-9][0-9][0-9][0-9]"]],
    ["(GmbH|AG)$", ["%GmbH", "%AG"]],
    ["^a{1,2}b?$", ["a", "ab", "aa", "aab"]],
    ["a+", ["%a%"]],
    ["a+b", ["%ab%"]],
    ["ab*", ["%a%"]],
    ["^x*", ["%"]],
    ["^\\d+$", ["[0-9]% and not %[^0-9]%"]],
    ["^\\d*$", ["% and not %[^0-9]%"]],
    ["^a\\d{2,}b$", ["a[0-9][0-9]%b and not a%[^0-9]%b"]],
    ["^[^@]+$", ["[^@]% and not %@%"]],
    ["[-' ]", ["%[-' ]%"]],
    ["100%_[[]", ["%100[%][_][[]%"]],
    ["[%_]", ["%[%_]%"]],
    ["[^ -~]", ["%[^ -~]%"]],
    ["]", ["%]%"]],
    ["a|^b", ["%a%", "b%"]],
    ["", ["%"]],
  ])("of %j", (pattern, expected) => expect(ways(pattern)).toEqual(expected));

  test("of letters in either case", () => {
    expect(ways("^Ab[0-9c-e]é", true)).toEqual(["[Aa][bB][0-9c-eC-E][éÉ]%"]);
    expect(ways("ß", true)).toEqual(["%ß%"]);
  });

  /** A character beyond U+FFFF may be two for a collation. */
  test.each([
    ...["^.$", "^.{2}", "^[^a][0-9]", "[^a][^b]", "[^a].*[^b]", "^[^0-9]$", "[^a]b[^c]d"],
    ...["😀", "[😀]", "[a-😀]"],
  ])("of %j is refused: it counts characters", (pattern) => expect(ways(pattern)).toBeUndefined());

  test.each([
    ...["a+b+$", "^a+b", "-rc\\d+$", "^\\d+,\\d+$", "(ab)+$", "^(a|b)+$", "[]a]", "[^]]", "[\\pL]", "a^b", "a$b"],
    ...["(a|b)(a|b)(a|b)(a|b)", "a{0,20}$", "^[ab]{1000}$", "a**", "(", "a)", "a{2,1}"],
  ])("of %j is refused", (pattern) => expect(ways(pattern)).toBeUndefined());
});

describe("the first match", () => {
  test.each<[string, string, number, string]>([
    ["[aeiou]", "%[aeiou]%", 1, "none"],
    [",\\d\\d ", "%,[0-9][0-9] %", 4, "none"],
    ["str\\.$", "%str.", 4, "none"],
    ["^ab", "ab%", 2, "none"],
    ["\\D.*$", "%[^0-9]%", 1, "all"],
    ["[0-9*]+.*", "%[0-9*]%", 1, "all"],
    ["^a.*$", "a%", 1, "all"],
    ["PO-[0-9]+", "%PO-[0-9]%", 4, "%[^0-9]%"],
    ["^[0-9 -]+", "[-0-9 ]%", 1, "%[^-0-9 ]%"],
    ["ab*", "%a%", 1, "%[^b]%"],
    ["[^,]+", "%[^,]%", 1, "%,%"],
    ["a\\d{2,}", "%a[0-9][0-9]%", 3, "%[^0-9]%"],
  ])("of %j", (pattern, begins, length, ends) => {
    const { rest, ...first } = firstMatch(pattern, false) ?? { rest: "none" };
    expect({ ...first, rest: typeof rest === "string" ? rest : rest.pattern }).toMatchObject({
      pattern: begins,
      length,
      rest: ends,
    });
  });

  test.each<[string, object]>([
    ["(ab)", { skipped: 0, length: 2, withRest: true }],
    ["#(\\d+)", { skipped: 1, length: 1, withRest: true }],
    ["a(b[cd])e$", { skipped: 1, length: 2, withRest: false }],
  ])("with the group of %j", (pattern, group) => {
    expect(firstMatch(pattern, false, 1)?.group).toEqual(group);
  });

  test.each(["(a)b+", "(ab)+", "((a)b)", "a(b)?"])("with the group of %j is refused", (pattern) =>
    expect(firstMatch(pattern, false, 1)).toBeUndefined(),
  );

  test.each([
    "[^a]",
    "a|b",
    "ab?",
    ".",
    ".*a",
    "",
    "[^a]b.*",
    "^$",
    "a.*b",
    "a+$",
    "a*",
    "a.*?",
    "ab*?",
    "[^x]b*",
    "[^a]{2,}",
  ])("of %j is refused", (pattern) => expect(firstMatch(pattern, false)).toBeUndefined());
});
