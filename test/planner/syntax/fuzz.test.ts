/**
 * Random input, the same on every run: soups of tokens, broken queries, and trees that nobody would write.
 * `SYNTAX_FUZZ` multiplies the counts for a long run.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { INPUT_LANGUAGE } from "../../../src/planner/dialects/input.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { parseExpression, parseQuery } from "../../../src/planner/syntax/parser.ts";
import { print } from "../../../src/planner/syntax/printer.ts";
import type { Expression, Query } from "../../../src/planner/syntax/tree.ts";
import { printed, printedExpression, query } from "./parsing.ts";
import { type Random, random } from "./random.ts";
import { treeDice } from "./random-tree.ts";
import { shape } from "./same-tree.ts";

const FACTOR = Number(process.env.SYNTAX_FUZZ ?? 1);

const FRAGMENTS = [
  ...(
    "SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET FETCH FIRST NEXT ROW ROWS ONLY WITH TIES UNION ALL INTERSECT EXCEPT MINUS " +
    "DISTINCT ON JOIN LEFT RIGHT FULL OUTER INNER CROSS NATURAL USING LATERAL VALUES TABLE AS AND OR NOT IN IS NULL TRUE LIKE " +
    "ILIKE SIMILAR TO ESCAPE BETWEEN SYMMETRIC CASE WHEN THEN ELSE END CAST EXISTS ANY SOME ARRAY ROW INTERVAL DAY DATE TIMESTAMP " +
    "TIME ZONE AT COLLATE OVER PARTITION RANGE UNBOUNDED PRECEDING CURRENT FILTER WITHIN QUALIFY WINDOW ROLLUP GROUPING SETS " +
    "EXTRACT YEAR SUBSTRING FOR POSITION TRIM BOTH OVERLAY PLACING CURRENT_DATE RECURSIVE MATERIALIZED IGNORE NULLS ISNULL " +
    "DELETE INSERT INTO UPDATE SET a b t f count"
  ).split(" "),
  ...[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ".",
    ":",
    "::",
    ":=",
    "=>",
    "*",
    "+",
    "-",
    "/",
    "//",
    "%",
    "^",
    "||",
    "->",
    "->>",
  ],
  ...[
    "=",
    "<>",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "~",
    "!~*",
    "?",
    "?|",
    "&&",
    "@>",
    "#",
    "==",
    "<=>",
    "!",
    "@x",
    "$1",
    "`",
    "\\",
  ],
  ...[
    "1",
    "1.5",
    ".5",
    "1e3",
    "0x1F",
    "1_0",
    "1a",
    "'s'",
    "'",
    '"q"',
    '"',
    "E'\\n'",
    "E'\\",
    "$$d$$",
    "$$",
    "X'1F'",
    "U&'\\0041'",
  ],
  ...["--c\n", "/*c*/", "/*", "*/", "\n", "\t", "\0", "\ud800", "é", "😀", "\u00a0", "‘", "，", ""],
];

/** Anything but a PlannerError that points into the text fails the test. */
function survives(text: string, sessionProperties: boolean): Query | undefined {
  let found: Query | undefined;
  for (const parse of [parseQuery, parseExpression]) {
    try {
      const tree = parse(text, { limits: DEFAULT_LIMITS, sessionProperties });
      if (tree.kind === "query") {
        found = tree;
      }
    } catch (error) {
      if (!(error instanceof PlannerError)) {
        throw new Error(`${JSON.stringify(text)} threw ${error}`, { cause: error });
      }
      const { span } = error;
      expect(span, text).toBeDefined();
      expect(span!.start, text).toBeGreaterThanOrEqual(0);
      expect(span!.end, text).toBeGreaterThanOrEqual(span!.start);
      expect(span!.end, text).toBeLessThanOrEqual(text.length);
      expect(error.message.isWellFormed(), text).toBe(true);
    }
  }
  return found;
}

function soup({ pick, below, chance }: Random): string {
  return Array.from({ length: 1 + below(25) }, () => pick(FRAGMENTS) + (chance(0.8) ? " " : "")).join("");
}

function corpus(): readonly string[] {
  const text = readFileSync(new URL("../../cases/analyst-queries.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { queries: readonly { sql: string }[] }).queries.map(({ sql }) => sql);
}

describe("random text", () => {
  it("of tokens is refused with a place, or parsed", () => {
    const dice = random(7);
    for (let i = 0; i < 2_000 * FACTOR; i++) {
      const tree = survives((dice.chance(0.5) ? "SELECT " : "") + soup(dice), dice.chance(0.2));
      if (tree !== undefined) {
        const text = printed(tree);
        expect(shape(parseQuery(text, { limits: DEFAULT_LIMITS, sessionProperties: true })), text).toBe(shape(tree));
      }
    }
  });

  it("of damaged queries is refused with a place, or parsed", () => {
    const dice = random(11);
    const queries = corpus();
    let accepted = 0;
    for (let i = 0; i < 700 * FACTOR; i++) {
      const whole = dice.pick(queries);
      const at = dice.below(whole.length);
      const cut = dice.below(12);
      const damaged = whole.slice(0, at) + (dice.chance(0.7) ? dice.pick(FRAGMENTS) : "") + whole.slice(at + cut);
      const tree = survives(damaged, false);
      if (tree !== undefined) {
        accepted++;
        const text = printed(tree);
        expect(shape(query(text)), `${damaged}\n${text}`).toBe(shape(tree));
      }
    }
    expect(accepted).toBeGreaterThan(20);
  });

  it("of arbitrary characters is refused with a place, or parsed", () => {
    const dice = random(13);
    for (let i = 0; i < 2_000 * FACTOR; i++) {
      survives(
        Array.from({ length: dice.below(40) }, () =>
          String.fromCharCode(dice.chance(0.9) ? dice.below(128) : dice.below(65_536)),
        ).join(""),
        true,
      );
    }
  });
});

describe("random trees", () => {
  it("of expressions are printed so that they read back the same", () => {
    const dice = treeDice(random(17));
    for (let i = 0; i < 1_200 * FACTOR; i++) {
      const tree: Expression = dice.expression(1 + dice.below(4));
      const text = printedExpression(tree);
      const again = parseExpression(text, { limits: DEFAULT_LIMITS, sessionProperties: true });
      expect(shape(again), text).toBe(shape(tree));
      expect(printedExpression(again)).toBe(text);
    }
  });

  it("of queries are printed so that they read back the same", () => {
    const dice = treeDice(random(19));
    for (let i = 0; i < 500 * FACTOR; i++) {
      const tree = dice.query(1 + dice.below(3));
      const text = print(tree, INPUT_LANGUAGE, { origins: [] });
      const again = parseQuery(text, { limits: DEFAULT_LIMITS, sessionProperties: true });
      expect(shape(again), text).toBe(shape(tree));
      expect(print(again, INPUT_LANGUAGE)).toBe(text);
    }
  });
});
