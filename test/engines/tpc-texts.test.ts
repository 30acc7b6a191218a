/**
 * TPC-H and TPC-DS: every query parses, what is printed reads back as the same and prints the same again, and PostgreSQL
 * plans the printed text as it plans the original (docs/decisions/0042-judging-answers.md).
 */
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { printed, query } from "../planner/syntax/parsing.ts";
import { shape } from "../planner/syntax/same-tree.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type Benchmark, tryLoadTpc } from "./tpc.ts";
import { createTables } from "./tpc-tables.ts";

const outcome = tryLoadTpc();

if ("notRun" in outcome) {
  describe("TPC corpora", () => {
    it.skip(`not run: ${outcome.notRun}`, () => {});
    console.warn(`TPC corpora: not run: ${outcome.notRun}`);
  });
} else {
  describe("TPC-H", () => check(outcome.corpus.tpch, 22));
  describe("TPC-DS", () => check(outcome.corpus.tpcds, 99));
}

function check(benchmark: Benchmark, count: number): void {
  let database: TestDatabase;
  let client: pg.Client;

  beforeAll(async () => {
    database = await startPostgres();
    client = await database.connect();
    await createTables(client, benchmark.tables);
  });

  afterAll(async () => {
    await database?.stop();
  });

  it(`has ${count} queries`, () => {
    expect(benchmark.queries.length).toBe(count);
  });

  it.each(benchmark.queries.map((text, index) => ({ number: index + 1, text })))("query $number", async ({ text }) => {
    const tree = query(text);
    const sql = printed(tree);
    expect(shape(query(sql))).toBe(shape(tree));
    expect(printed(query(sql))).toBe(sql);
    expect(await planOf(client, sql)).toEqual(await planOf(client, text));
  });
}

async function planOf(client: pg.Client, sql: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ "QUERY PLAN": string }>(`EXPLAIN (VERBOSE) ${sql}`);
  return rows.map((row) => spelledAlike(row["QUERY PLAN"]));
}

/** PostgreSQL remembers whether a call was written with FROM and FOR; the tree does not. */
function spelledAlike(line: string): string {
  return line.replace(/SUBSTRING\(([\w.]+) FROM (\d+) FOR (\d+)\)/g, '"substring"($1, $2, $3)');
}
