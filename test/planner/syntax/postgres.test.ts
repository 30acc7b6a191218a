/** PostgreSQL itself as the judge of words and precedence. */
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { INPUT_LANGUAGE } from "../../../src/planner/dialects/input.ts";
import { keywordFacts } from "../../../src/planner/syntax/keywords.ts";
import { printExpression } from "../../../src/planner/syntax/printer.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";
import { errorOf, expression } from "./parsing.ts";
import { random } from "./random.ts";

let database: TestDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await startPostgres();
  client = await database.connect();
});

afterAll(async () => {
  await database?.stop();
});

const CLASSES: { readonly [catcode: string]: string } = { R: "reserved", T: "type", C: "column", U: "unreserved" };

describe("the keyword table", () => {
  it("gives every word PostgreSQL's class and says whether it needs AS as an alias", async () => {
    const { rows } = await client.query<{ word: string; catcode: string; barelabel: boolean }>(
      "SELECT word, catcode, barelabel FROM pg_get_keywords()",
    );
    expect(rows.length).toBeGreaterThan(400);
    for (const { word, catcode, barelabel } of rows) {
      const facts = keywordFacts(word);
      // Unreserved words that the grammar never asks for are ordinary names, which may be an alias without AS.
      expect(facts ?? { keywordClass: "unreserved", bareLabel: true }, word).toEqual({
        keywordClass: CLASSES[catcode],
        bareLabel: barelabel,
      });
    }
  });
});

/**
 * A type of its own for which every operator exists and every result is a value of it again, so that any chain of
 * operators can be analysed, and a view shows with parentheses how PostgreSQL read it.
 */
const ALGEBRA = `
  CREATE TYPE u AS ENUM ('x');
  CREATE FUNCTION one(u) RETURNS u IMMUTABLE LANGUAGE sql AS 'SELECT $1';
  CREATE FUNCTION two(u, u) RETURNS u IMMUTABLE LANGUAGE sql AS 'SELECT $1';
  CREATE FUNCTION test(u, u) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT true';
  CREATE FUNCTION holds(u) RETURNS boolean IMMUTABLE LANGUAGE sql AS 'SELECT true';
  CREATE FUNCTION value(boolean) RETURNS u IMMUTABLE LANGUAGE sql AS $$SELECT 'x'::u$$;
  CREATE CAST (u AS boolean) WITH FUNCTION holds(u) AS IMPLICIT;
  CREATE CAST (boolean AS u) WITH FUNCTION value(boolean) AS IMPLICIT;
  CREATE TABLE t (a u, b u, c u, d u);
`;
const VALUES = "+ - * / % ^ || & | # << >> -> ->> #> #>> @> <@ && ^@".split(" ");
const COMPARISONS = "= <> < <= > >=".split(" ");
const TESTS = [...COMPARISONS, ..."~ ~* !~ !~* ~~ ~~* !~~ !~~*".split(" ")];

/** Random chains of operators without parentheses, and a few with. */
function chain(pick: <T>(list: readonly T[]) => T, length: number): string {
  const operand = (): string => {
    const column = pick(["a", "b", "c", "d"]);
    return pick([
      () => `- ${operand()}`,
      () => `NOT ${operand()}`,
      () => `~ ${operand()}`,
      () => `${column}::u`,
      () => `(${chain(pick, 1)})`,
      ...Array.from({ length: 8 }, () => () => column),
    ])();
  };
  const step = (): string =>
    pick([
      ...Array.from({ length: 6 }, () => () => `${pick(VALUES)} ${operand()}`),
      ...Array.from({ length: 4 }, () => () => `${pick(TESTS)} ${operand()}`),
      () => pick(["IS NULL", "IS NOT TRUE", "ISNULL", "NOTNULL", "::u", "NOT IN (b)"]),
      () => `IS ${pick(["", "NOT "])}DISTINCT FROM ${operand()}`,
      () => `${pick(["", "NOT "])}${pick(["LIKE", "ILIKE"])} ${operand()}`,
      () => `${pick(["", "NOT "])}BETWEEN ${pick(["", "SYMMETRIC "])}${operand()} AND ${operand()}`,
      () => `IN (${operand()}, ${operand()})`,
      () => `${pick(COMPARISONS)} ANY (ARRAY[a, b])`,
      () => `${pick(["AND", "OR"])} ${operand()}`,
    ])();
  return [operand(), ...Array.from({ length }, step)].join(" ");
}

describe("precedence", () => {
  beforeAll(async () => {
    await client.query(ALGEBRA);
    for (const operator of VALUES) {
      await client.query(`CREATE OPERATOR ${operator} (LEFTARG = u, RIGHTARG = u, FUNCTION = two)`);
    }
    for (const operator of TESTS) {
      await client.query(`CREATE OPERATOR ${operator} (LEFTARG = u, RIGHTARG = u, FUNCTION = test)`);
    }
    for (const operator of ["+", "-", "~"]) {
      await client.query(`CREATE OPERATOR ${operator} (RIGHTARG = u, FUNCTION = one)`);
    }
  });

  /** The expression with PostgreSQL's own parentheses; `undefined` when it is no SQL, `null` when it has no type. */
  async function read(text: string): Promise<string | null | undefined> {
    try {
      await client.query(`CREATE OR REPLACE TEMP VIEW v AS SELECT (${text})::text AS x FROM t`);
    } catch (error) {
      return (error as { code?: string }).code === "42601" ? undefined : null;
    }
    const { rows } = await client.query<{ definition: string }>(
      "SELECT pg_get_viewdef('v'::regclass, false) AS definition",
    );
    return rows[0]?.definition;
  }

  it("reads and prints chains of operators as PostgreSQL does", async () => {
    const { pick } = random(2024);
    let compared = 0;
    let refused = 0;
    for (let i = 0; i < 250; i++) {
      const text = chain(pick, 1 + (i % 4));
      const theirs = await read(text);
      if (theirs === undefined) {
        expect(errorOf(() => expression(text)).reason, text).toBe("SYNTAX");
        refused++;
        continue;
      }
      const ours = printExpression(expression(text), INPUT_LANGUAGE);
      if (theirs !== null) {
        expect(await read(ours), `${text} was printed as ${ours}`).toBe(theirs);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(120);
    expect(refused).toBeGreaterThan(10);
  });
});
