/**
 * One specification for every source: what is printed as a name or a string is read back, by the source's own lexical rules, as
 * the name or string that was meant, and nothing more; or it is refused. Reading shares nothing with printing but the rules.
 */
import { describe, expect, it, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { LEXICAL_RULES } from "../../../src/planner/dialects/lexical.ts";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { tokenize } from "../../../src/planner/substitute/tokens.ts";
import { isReservedAsName } from "../../../src/planner/syntax/keywords.ts";
import type { LexicalRules } from "../../../src/planner/syntax/lexical-rules.ts";
import { lexNativeExpression } from "../../../src/planner/syntax/native.ts";
import { printExpression } from "../../../src/planner/syntax/printer.ts";
import { needsQuotes, quotedName, quotedString } from "../../../src/planner/syntax/quoting.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { Random } from "../../support/random-query.ts";
import { PLANNED_SOURCES } from "../../support/statements.ts";

const ALL = Object.entries(LEXICAL_RULES) as [DataSource, LexicalRules][];
const ROOTS = [...new Map(ALL.map(([, rules]) => [rules.name, rules])).entries()];

const WRITTEN: readonly string[] = [
  ..."' '' \" \"\" ` `` [ ] [] ]] ; -- # // /* */ $$ $a$ \\ \\' \\\\ \\\\' '\\ \\n \\u0041 \\% \\_ $\u007bx} {{x}} :x ? @x %s".split(
    " ",
  ),
  ...[
    "a b",
    " ",
    "it's",
    "'; DROP TABLE t; --",
    "\\'; DROP TABLE t; --",
    "') OR ('1' = '1",
    "a\nb",
    "a\r\nb",
    "a\\\nb",
  ],
  ...[
    "a\\\r\nb",
    "'\n'",
    "\t",
    "größe",
    "名前",
    "😀",
    "e\u0301",
    "\u2019",
    "\u00a0",
    "\ufeff",
    "\u2028",
    "\x01",
    "\x7f",
  ],
  ...["q'[x]'", "E'a'", "U&'\\0041'", "x'1f'", "'''", '"""', "SELECT", "select", "order", "ORDER", "a.b", "a$b", "1a"],
];

const PIECES = [
  "'",
  '"',
  "`",
  "[",
  "]",
  "\\",
  "\n",
  "\r",
  ";",
  "-",
  "-",
  "/",
  "*",
  "#",
  "$",
  "a",
  "Z",
  "1",
  "_",
  " ",
  "é",
];

function randomText(random: Random): string {
  return Array.from({ length: 1 + random.below(8) }, () => random.pick(PIECES)).join("");
}

const RANDOM = Array.from({ length: 2000 }, (_, seed) => randomText(new Random(seed)));

/** The source's reading: one token, and its value. */
function readBack(text: string, rules: LexicalRules): { readonly kind: string; readonly value: string } {
  const tokens = tokenize(text, rules, DEFAULT_LIMITS);
  expect(tokens.length, text).toBe(1);
  const [token] = tokens;
  return { kind: token?.kind ?? "", value: token?.value ?? "" };
}

describe.each(ROOTS)("%s", (_, rules) => {
  it("reads back every string that it prints", () => {
    let said = 0;
    for (const value of ["", ...WRITTEN, ...RANDOM]) {
      const quoted = quotedString(value, rules);
      if ("unsayable" in quoted) continue;
      said++;
      expect(readBack(quoted.text, rules), value).toEqual({ kind: "string", value });
      // The reader of native SQL must find the end of the text at the same position.
      expect(lexes(`f(${quoted.text})`, rules), value).toBe(true);
    }
    expect(said).toBeGreaterThan(1900);
  });

  it("reads back every name that it prints", () => {
    let said = 0;
    for (const name of [...WRITTEN, ...RANDOM]) {
      const quoted = quotedName(name, rules);
      if ("unsayable" in quoted) continue;
      said++;
      expect(readBack(quoted.text, rules), name).toEqual({ kind: "name", value: name });
      expect(lexNativeExpression(quoted.text, { ...rules, spellings: { types: {}, functions: {} } }).bareName).toBe(
        name,
      );
    }
    expect(said).toBeGreaterThan(900);
  });

  it("leaves quotes away only where a bare name is one word that means itself", () => {
    for (const name of [...WRITTEN, ...RANDOM, "a", "abc_1", "Abc", "A", "_", "left", "user", "table"]) {
      if (needsQuotes(name, rules)) continue;
      expect(readBack(name, rules), name).toEqual({ kind: "word", value: name });
      expect(isReservedAsName(name)).toBe(false);
      const folded = { upper: name.toUpperCase(), lower: name.toLowerCase(), exact: name, ignore: name };
      expect(folded[rules.folding]).toBe(name);
    }
  });

  it.each(["a\0b", "\0", "\ud800", "a\udc00"])("says no %j", (text) => {
    expect(quotedString(text, rules)).toEqual({ unsayable: "the character NUL or half of a surrogate pair" });
    expect(quotedName(text, rules)).toEqual({ unsayable: "the character NUL or half of a surrogate pair" });
  });
});

function lexes(text: string, rules: LexicalRules): boolean {
  try {
    lexNativeExpression(text, { ...rules, spellings: { types: {}, functions: {} } });
    return true;
  } catch (error) {
    // Three quotes in a row are read as something else there, and no text of a modeller's may hold them.
    if (error instanceof PlannerError && rules.tripleQuotes) return true;
    throw error;
  }
}

test.each<[string, keyof typeof LEXICAL_RULES, string]>([
  ["it's", "postgres", "'it''s'"],
  ["it's", "mysql", "'it''s'"],
  ["it's", "bigquery", "'it\\'s'"],
  ["it's", "spark", "'it\\'s'"],
  ["a\\b", "postgres", "'a\\b'"],
  ["a\\b", "mssql", "'a\\b'"],
  ["a\\b", "redshift", "'a\\\\b'"],
  ["a\\b", "clickhouse", "'a\\\\b'"],
  ["a\nb", "trino", "'a\nb'"],
  ["a\nb", "bigquery", "'a\\nb'"],
])("%j on %s", (value, source, text) => expect(quotedString(value, LEXICAL_RULES[source])).toEqual({ text }));

test("SQL Server would join the lines of a string behind a backslash", () => {
  for (const value of ["a\\\nb", "a\\\r\nb"]) {
    expect(quotedString(value, LEXICAL_RULES.mssql)).toEqual({ unsayable: "a backslash at the end of a line" });
  }
});

describe.each(PLANNED_SOURCES)("the target %s", (source) => {
  const target = targetOf(source);

  it("has the lexical rules of its source for printing and for the modeller's own text", () => {
    expect(target.print.lexical).toBe(LEXICAL_RULES[source]);
    const { spellings: _spellings, foreign: _foreign, ...rules } = target.native;
    expect(rules).toEqual(LEXICAL_RULES[source]);
  });

  it("plans names and strings that its own rules read back", () => {
    for (const written of [...WRITTEN, ...RANDOM.slice(0, 200)]) {
      const manifest = manifestOf({
        catalog: "c",
        schema: "s",
        models: [{ name: "t", tableReference: { table: `t ${written}` }, columns: [{ name: "c", type: "VARCHAR" }] }],
      });
      const alias = `x ${written}`;
      const name = `"${alias.replaceAll('"', '""')}"`;
      // Within a query of its own: columns of answers cannot be called all of this on BigQuery (`output-names.ts`).
      const inner = `SELECT c AS ${name} FROM t WHERE c = '${written.replaceAll("'", "''")}'`;
      const sql = `SELECT q.${name} FROM (${inner}) AS q`;
      const rules = LEXICAL_RULES[source];
      const said = [quotedString(written, rules), quotedString(alias, rules), quotedName(alias, rules)];
      const unsayable = said.flatMap((each) => ("unsayable" in each ? [each.unsayable] : []));
      if (unsayable.length > 0) {
        expect(() => planned(sql, manifest, { source }), written).toThrow(unsayable[0]);
        continue;
      }
      // The names of one collation on MySQL and MariaDB, each in a comment that only the one reads.
      const text = planned(sql, manifest, { source }).sql.replaceAll(
        /\/\*!80017 \w+ \*\/ \/\*M! \w+ \*\//g,
        "collation",
      );
      const tokens = tokenize(text, LEXICAL_RULES[source], DEFAULT_LIMITS);
      const values = (kind: string): readonly string[] =>
        tokens.filter((token) => token.kind === kind).map((each) => each.value);
      expect(values("string"), written).toContain(written);
      expect(values("name"), written).toEqual(expect.arrayContaining([alias, `t ${written}`]));
      expect(values("comment"), written).toEqual([]);
    }
  });

  it("refuses NUL with the place of it", () => {
    const span = { start: 3, end: 5 };
    const print = (value: string) => printExpression({ kind: "string", value, span }, target.print);
    expect(() => print("a\0")).toThrow(expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", span }));
  });
});

describe.each(ROOTS.filter(([, { bareNames }]) => bareNames !== undefined))("bare names of %s", (_, rules) => {
  it.each(["a", "_", "a_0z", "z9"])("%j needs no quotes", (name) => {
    expect(rules.bareNames?.test(name)).toBe(true);
    expect(needsQuotes(name, rules)).toBe(false);
  });

  it.each(["", "0a", "A", "aB", "a-b", "é", "select"])("%j needs quotes", (name) => {
    expect(needsQuotes(name, rules)).toBe(true);
  });
});
