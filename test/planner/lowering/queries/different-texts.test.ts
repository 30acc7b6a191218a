/** string_agg of different texts by numbered rows: DuckDB has it itself, and is asked both ways. */
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, test } from "vitest";
import { targetOf } from "../../../../src/planner/dialects/targets.ts";
import { expandModels } from "../../../../src/planner/expand/statement.ts";
import { lowerQuery } from "../../../../src/planner/lowering/lower.ts";
import { print } from "../../../../src/planner/syntax/printer.ts";
import { boundStatement } from "../../../support/bound.ts";
import { manifestOf } from "../../../support/plan.ts";

const duckdb = targetOf("duckdb");
const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });

function planned(sql: string, rankedAggregates: ReadonlySet<string>): string {
  const { query, context } = boundStatement(sql, manifest, { source: "duckdb", session: new Map() });
  const target = { ...duckdb, rewrites: { ...duckdb.rewrites, rankedAggregates } };
  return print(lowerQuery(expandModels(query, context, target), context, target), target.print);
}

const ROWS =
  "(VALUES (1, 'b', 1), (1, 'B', 2), (1, 'a', 3), (2, NULL, 4), (2, 'b ', 5), (2, 'b', 6), (3, NULL, 7), (1, 'b', 8), (NULL, '', 9), (NULL, 'c', 10)) AS t(k, x, v)";

test.each([
  `SELECT k, string_agg(DISTINCT x, '/' ORDER BY x) AS a, count(*) AS n, sum(v) AS s FROM ${ROWS} GROUP BY k ORDER BY k`,
  `SELECT string_agg(DISTINCT upper(x), '/' ORDER BY upper(x) DESC) AS a, string_agg(DISTINCT x, '+') AS b, count(DISTINCT x) AS n FROM ${ROWS}`,
  `SELECT k, string_agg(DISTINCT x, ', ') FILTER (WHERE v > 4) AS a, string_agg(x, '-' ORDER BY v) AS b FROM ${ROWS} GROUP BY k HAVING string_agg(DISTINCT x, '') <> 'x' ORDER BY string_agg(DISTINCT x, ','), k`,
  `SELECT string_agg(DISTINCT x, ',') AS a FROM ${ROWS} WHERE v > 99`,
])("%s", async (sql) => {
  const [whole, numbered] = [planned(sql, new Set()), planned(sql, new Set(["string_agg"]))];
  expect(whole).toMatch(/string_agg\(DISTINCT/);
  expect(numbered).not.toMatch(/string_agg\(DISTINCT/);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const rowsOf = async (text: string) => (await connection.runAndReadAll(text)).getRowsJson();
  expect(await rowsOf(numbered)).toEqual(await rowsOf(whole));
  connection.closeSync();
  instance.closeSync();
});
