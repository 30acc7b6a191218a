/** A pattern finds the same texts on DuckDB, which has RE2, as on PostgreSQL, or is refused. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planned } from "../../../support/plan.ts";
import { openShops, type Shop, shopWith } from "../../cubes/shop.ts";

const manifest = shopWith();

let shops: readonly Shop[] = [];
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ shops, stop } = await openShops());
});
afterAll(() => stop());

const TEXTS =
  "|a|A|b|ab|aab|abc|a b|a\tb|a\nb|a.b|a\\b|\\|7|a7b|_|-|]|^|é|Ü|ü|aéb|\b|a\bb|\u0001|\u001b|\u000b|\u0085|\u00a0|\u2003|0|a{2}|*|$|z|ß"
    .split("|")
    .concat("|", "a|b");
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const found = (operator: string, pattern: string): string =>
  `SELECT t.n FROM (VALUES ${TEXTS.map((text, n) => `(${n}, ${quoted(text)})`).join(", ")}) AS t(n, x) WHERE t.x ${operator} ${quoted(pattern)} ORDER BY t.n`;

const SAME = [
  ...["\\b", "\\B", "\\e", "\\cA", "\\u0061", "\\U00000061", "\\x61", "\\d", "\\D", "\\w", "\\W", "\\s", "\\S"],
  ...["^a\\bb$", "^a\\Bb$", "^a\\wb$", "^a\\Wb$", "^a\\sb$", "^a\\Sb$", "^\\s*$", "\\Aab", "\\.", "\\\\", "\\*", "\\]"],
  ...["[\\b]", "[^\\ba]", "[\\B]", "[\\w]", "[^\\w]", "[\\s]", "[^\\sa]", "[\\d_]", "[]a]", "[^]a]", "[a\\]b]", "[a-]"],
  ...["[[:alpha:]]", "[^[:alpha:]]", "[[:alnum:]_]", "[[:upper:]]", "[[:lower:]]", "[[:space:]]", "[[:digit:]]"],
  ...[
    "[[:punct:]]",
    "[[:cntrl:]]",
    "[[:xdigit:]]",
    "[é-ü]",
    "a.b",
    "a$|^b",
    "(?:a|b)b",
    "a{2}",
    "a{1,}b",
    "a+?b",
    "(?i)AB",
  ],
];

test.each(SAME.flatMap((pattern) => [["~", pattern] as const, ["~*", pattern] as const]))(
  "x %s '%s'",
  async (operator, pattern) => {
    const rows = await Promise.all(
      shops.map((shop) => shop.rows(planned(found(operator, pattern), manifest, { source: shop.name }))),
    );
    expect(rows[0]).toEqual(rows[1]);
    expect(rows).toHaveLength(2);
  },
);

describe("refused on DuckDB", () => {
  test.each([
    ...[
      "a(?=b)",
      "(?!a)",
      "(?<=a)b",
      "(a)\\1",
      "\\m.",
      ".\\M",
      "a\\yb",
      "\\Y",
      "a\\Z",
      "\\z",
      "\\0",
      "\\012",
      "\\x611",
    ],
    ...["(?n)a.b", "(?s)a.b", "a(?i)b", "(?#c)a", "(?P<n>a)", "***=a.b", "[[.a.]]", "[[=a=]]", "[[:<:]]a", "[[:foo:]]"],
    ...["[\\W]", "[\\S]", "\\pL", "\\Qa\\E", "\\C", "b\\A", "[[:print:]]", "[\\A]", "\\i"],
  ])("%s", (pattern) =>
    expect(() => planned(found("~", pattern), manifest, { source: "duckdb" })).toThrow(/in a regular expression/),
  );
});

test("every function over a pattern reads it alike", () => {
  const sqlOf = (call: string): string => planned(`SELECT ${call} FROM sale`, manifest, { source: "duckdb" }).sql;
  for (const call of [
    "regexp_like(state, '\\b')",
    "regexp_replace(state, '\\b', 'x')",
    "regexp_substr(state, '\\b')",
    "regexp_count(state, '\\b')",
  ]) {
    expect(sqlOf(call)).toContain("'\\x08'");
    expect(sqlOf(call)).not.toContain("'\\b'");
  }
});

test("an escaped backslash begins no escape", () =>
  expect(planned(found("~", "\\\\ma"), manifest, { source: "duckdb" }).sql).toContain("'\\\\ma'"));
