/** Words as names: where PostgreSQL takes a word without quotes, where it needs them, and words it does not know. */
import { describe, expect, it } from "vitest";
import type { Identifier } from "../../../src/planner/syntax/tree.ts";
import { errorOf, expression, printed, printedExpression, query } from "./parsing.ts";
import { shape } from "./same-tree.ts";

const PLACES: { readonly [place: string]: (word: string) => string } = {
  column: (word) => `SELECT ${word} FROM t WHERE ${word} > 1 AND ${word} = 2 ORDER BY ${word}`,
  "column between operators": (word) => `SELECT 1 FROM t WHERE ${word} BETWEEN ${word} AND ${word}`,
  "qualified column": (word) => `SELECT t.${word} FROM t`,
  "alias with AS": (word) => `SELECT a AS ${word} FROM t`,
  "alias without AS": (word) => `SELECT a ${word} FROM t`,
  table: (word) => `SELECT 1 FROM ${word} JOIN u ON TRUE`,
  "table alias without AS": (word) => `SELECT 1 FROM t ${word} WHERE TRUE`,
  "column list": (word) => `SELECT 1 FROM t AS x(${word})`,
  "common table": (word) => `WITH ${word} AS (SELECT 1) SELECT 1`,
  function: (word) => `SELECT ${word}(a, 1) FROM t`,
};

/** `y` where the word is taken, in the order of the places above. */
const WORDS: readonly (readonly [taken: string, words: string])[] = [
  [
    "y y y y y y y y y y",
    "name date count key value type text index level label first last id status enum data role version location source " +
      "language month_name hash ordinality partition rows range groups cube rollup sets respect ignore rename qualify " +
      "minus top semi anti asof pivot try safe at zone current unbounded following preceding escape exclude nulls no",
  ],
  ["y y y y n y y y y y", "year month day hour minute second over filter within without varying"],
  ["n n y y y n n n n y", "left right"],
  ["n n y y y n n n n n", "select case when then asc desc table unique primary references check column default"],
  [
    "n n y y n n n n n n",
    "from where group having order limit offset fetch union intersect except window to create on",
  ],
];

const CASES = WORDS.flatMap(([taken, words]) =>
  words.split(" ").flatMap((word) =>
    Object.entries(PLACES).map(([place, text], index) => ({
      word,
      place,
      text: text(word),
      taken: taken.split(" ")[index] === "y",
    })),
  ),
);

describe("words as names", () => {
  it.each(CASES)("$word as $place: $taken", ({ text, taken }) => {
    if (taken) {
      const tree = query(text);
      expect(shape(query(printed(tree)))).toBe(shape(tree));
    } else {
      expect(errorOf(() => query(text)).reason).toBe("SYNTAX");
    }
  });

  it.each(["select", "user", "order", "table", "left", "from", "end", "all"])(
    "%s in quotes is a name anywhere",
    (word) => {
      for (const text of Object.values(PLACES)) {
        const tree = query(text(`"${word}"`));
        expect(shape(query(printed(tree)))).toBe(shape(tree));
      }
    },
  );
});

describe("words that are clauses here and names in PostgreSQL", () => {
  it.each([
    ["SELECT a FROM t QUALIFY x > 1", "SELECT a FROM t QUALIFY x > 1"],
    ["SELECT a FROM t QUALIFY (x)", "SELECT a FROM t QUALIFY x"],
    ["SELECT a FROM t QUALIFY left(x, 1) = 'a'", "SELECT a FROM t QUALIFY left(x, 1) = 'a'"],
    ["SELECT a FROM t QUALIFY NOT x", "SELECT a FROM t QUALIFY NOT x"],
    ["SELECT a FROM t qualify LEFT JOIN u ON TRUE", "SELECT a FROM t AS qualify LEFT JOIN u ON TRUE"],
    ["SELECT a FROM t qualify, u", "SELECT a FROM t AS qualify, u"],
    ["SELECT a qualify FROM t", "SELECT a AS qualify FROM t"],
    ["SELECT a QUALIFY x > 1", "SELECT a QUALIFY x > 1"],
    ["SELECT qualify.qualify FROM qualify", "SELECT qualify.qualify FROM qualify"],
    ["SELECT a FROM t MINUS SELECT b FROM u", "SELECT a FROM t EXCEPT SELECT b FROM u"],
    ["SELECT a FROM t MINUS ALL (SELECT b FROM u)", "SELECT a FROM t EXCEPT ALL SELECT b FROM u"],
    ["SELECT a MINUS SELECT b", "SELECT a EXCEPT SELECT b"],
    ["SELECT a minus FROM t minus WHERE minus > 1", "SELECT a AS minus FROM t AS minus WHERE minus > 1"],
    ["SELECT top, top + 1 FROM t", "SELECT top, top + 1 FROM t"],
    ["SELECT f(x) ignore, f(x) respect FROM t", "SELECT f(x) AS ignore, f(x) AS respect FROM t"],
    ["SELECT a FROM t AS semi JOIN u ON TRUE", "SELECT a FROM t AS semi JOIN u ON TRUE"],
    ["SELECT interval, interval - 1, interval AS day FROM t", "SELECT interval, interval - 1, interval AS day FROM t"],
    ["SELECT try_cast FROM t", "SELECT try_cast FROM t"],
    ["SELECT exists, row, values, position, array_ FROM t", "SELECT exists, row, values, position, array_ FROM t"],
  ])("%s", (text, expected) => {
    expect(printed(query(text))).toBe(expected);
  });
});

describe("how names are written", () => {
  it.each<[string, string, boolean]>([
    ["abc", "abc", false],
    ["AbC", "AbC", false],
    ['"AbC"', "AbC", true],
    ['"a""b"', 'a"b', true],
    ['"a.b"', "a.b", true],
    ['U&"d\\0061ta"', "data", true],
    ["größe", "größe", false],
    ["顧客編號", "顧客編號", false],
    ["_a$1", "_a$1", false],
    ['"""" ', '"', true],
  ])("%s", (text, name, quoted) => {
    const tree = expression(text);
    const [part] = tree.kind === "column" ? tree.parts : ([] as readonly Identifier[]);
    expect(part).toMatchObject({ name, quoted });
  });

  it("keeps the case of names and lowers that of functions", () => {
    expect(printed(query('SELECT Foo.Bar, COUNT(Baz), "Sum"(1) FROM Foo'))).toBe(
      'SELECT Foo.Bar, count(Baz), "Sum"(1) FROM Foo',
    );
  });
});

/** Existing manifests name handles and tables `order` and `group` without quotes (docs/decisions/0017-names-without-case.md). */
describe("reserved words before a dot", () => {
  it.each([
    ['count(order."id")', 'count("order".id)'],
    ["order.x = c.y", '"order".x = c.y'],
    ["sum(group.total)", 'sum("group".total)'],
    ["left.id = right.id", '"left".id = "right".id'],
    ["NOT end.x", 'NOT "end".x'],
    ["user.name", '"user".name'],
    ["array.x[1]", '"array".x[1]'],
    ["case.x", '"case".x'],
    ["null.x", '"null".x'],
    ["order.customer.name", '"order".customer.name'],
  ])("%s", (text, expected) => {
    expect(printedExpression(expression(text))).toBe(expected);
  });
});
