/** The same cases with the same answers, planned for PostgreSQL and run on it. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { statementOf } from "../../src/planner/plan.ts";
import { readCells } from "../support/canonical-cells.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type OpenedSource, openPostgresDatabase } from "../support/sources.ts";
import { type Engine, FIXTURES, problemWith, QUERY_CASES, type Spelling, spelled } from "./cases.ts";

/** PostgreSQL's different spellings in the fixtures. */
const SPELLINGS: readonly Spelling[] = [
  ["binary64", /\bDOUBLE\b/g, "DOUBLE PRECISION"],
  ["a list of texts", /(?<=,)\[([^\]]*)\]/g, "ARRAY[$1]::VARCHAR[]"],
];

let database: TestDatabase;
let opened: OpenedSource;
/** Number of statements that ran. */
let answers = 0;

const engine: Engine = {
  source: "postgres",
  scaleOfValues: true,
  run: async (plan) => {
    const stream = await opened.connector.query(statementOf(plan), {
      signal: new AbortController().signal,
      timeoutMs: 30_000,
    });
    const { rows } = await readCells(stream);
    answers++;
    return rows;
  },
};

const strictEngine: Engine = { ...engine, textOrder: "code points" };

beforeAll(async () => {
  database = await startPostgres();
  const client = await database.connect();
  // The manifests say `main`, DuckDB's default schema, and a `refSql` leaves it out.
  await client.query(`CREATE SCHEMA main; ALTER DATABASE ${database.database} SET search_path = main`);
  await client.query("SET search_path = main");
  await client.query(spelled(FIXTURES, SPELLINGS));
  opened = await openPostgresDatabase(database);
});

afterAll(async () => {
  await opened?.close();
  await database?.stop();
});

test.each(SPELLINGS)("the fixtures hold %s", (_what, written) => expect(FIXTURES).toMatch(written));

// No case's SQL, expression, `refSql` or condition is one that only DuckDB understands, so that none is left out.
describe.each([...new Set(QUERY_CASES.map(({ topic }) => topic))])("%s", (topic) => {
  test.each(QUERY_CASES.filter((each) => each.topic === topic))("$id $title", async (each) => {
    const before = answers;
    expect(await problemWith(each, engine)).toBeUndefined();
    if (each.expected.type === "rows") expect(answers).toBe(before + 1);
    // The database orders texts by code points as it is: a plan that says so itself has the same rows.
    if (each.expected.type === "rows") expect(await problemWith(each, strictEngine)).toBeUndefined();
  });
});

test("205 cases have rows", () => {
  expect(QUERY_CASES.filter(({ expected }) => expected.type === "rows")).toHaveLength(205);
});
