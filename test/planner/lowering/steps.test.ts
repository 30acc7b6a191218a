/**
 * A replacement for a construct returns the construct's rows: DuckDB supports all constructs, so its own target and one
 * that lacks a fact of its grammar are run on it side by side.
 */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { expandModels } from "../../../src/planner/expand/statement.ts";
import type { Grammar } from "../../../src/planner/lowering/grammar.ts";
import { lowerQuery } from "../../../src/planner/lowering/lower.ts";
import { print } from "../../../src/planner/syntax/printer.ts";
import { LATERAL_AGGREGATES, LATERAL_CHAINS, LATERAL_ROWS, LATERAL_VALUES } from "../../parity/lateral-queries.ts";
import { boundStatement } from "../../support/bound.ts";
import { manifestOf } from "../../support/plan.ts";

const duckdb = targetOf("duckdb");
const manifest = manifestOf({ catalog: "c", schema: "s", models: [] });

function planned(sql: string, grammar: Partial<Grammar>): string {
  const { query, context } = boundStatement(sql, manifest, { source: "duckdb", session: new Map() });
  // It has windows by name, too, if not those that are made of others.
  const target = { ...duckdb, grammar: { ...duckdb.grammar, windowClause: true, ...grammar } };
  return print(lowerQuery(expandModels(query, context, target), context, target), target.print);
}

let connection: DuckDBConnection;
let instance: DuckDBInstance;
beforeAll(async () => {
  instance = await DuckDBInstance.create(":memory:");
  connection = await instance.connect();
});
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

async function rowsOf(sql: string): Promise<readonly string[]> {
  const { getRowsJson } = await connection
    .runAndReadAll(sql)
    .then((reader) => ({ getRowsJson: () => reader.getRowsJson() }));
  // How wide an integer is differs.
  return getRowsJson().map((row) => JSON.stringify(row.map(String)));
}

const A = "(VALUES (1, 'x', 10), (2, 'y', NULL), (2, 'z', 30), (NULL, 'n', 40), (4, 'w', 5)) AS a(k, s, v)";
const B = "(VALUES (1, 'one', 100), (2, 'two', 200), (NULL, 'none', 300), (5, 'five', NULL)) AS b(k, t, w)";
const C = "(VALUES (1, TRUE), (5, FALSE), (6, NULL)) AS c(k, f)";

/** `ordered`: the rows come in one order only. */
const CASES: readonly (readonly [lacking: Partial<Grammar>, sql: string, word: RegExp])[] = [
  [
    { fullJoin: false },
    `SELECT a.k, a.s, b.k AS bk, b.t FROM ${A} FULL JOIN ${B} ON a.k = b.k ORDER BY 2, 4`,
    /FULL JOIN/,
  ],
  [{ fullJoin: false }, `SELECT k, s, t FROM ${A} FULL JOIN ${B} USING (k) ORDER BY 1, 2, 3`, /FULL JOIN/],
  [{ fullJoin: false }, `SELECT count(*) FROM ${A} FULL JOIN ${B} ON a.k = b.k AND a.v < b.w`, /FULL JOIN/],
  [
    { fullJoin: false },
    `SELECT a.s, b.t, c.f FROM ${A} FULL JOIN ${B} ON a.k = b.k FULL JOIN ${C} ON c.k = coalesce(a.k, b.k) ORDER BY 1, 2, 3`,
    /FULL JOIN/,
  ],
  [
    { fullJoin: false },
    `SELECT b.t, (SELECT count(*) FROM ${C} WHERE c.k = b.k) AS n FROM ${A} FULL JOIN ${B} ON a.k = b.k WHERE a.s IS NULL OR a.v > 5 ORDER BY 1, 2`,
    /FULL JOIN/,
  ],
  [
    { groupingSets: false },
    `SELECT k, s, sum(v) AS v, grouping(k, s) AS g FROM ${A} GROUP BY ROLLUP (k, s) ORDER BY 1, 2, 4`,
    /ROLLUP/,
  ],
  [
    { groupingSets: false },
    `SELECT k, s, count(*) AS n FROM ${A} GROUP BY CUBE (k, s) HAVING count(*) > 1 ORDER BY 1, 2`,
    /CUBE/,
  ],
  [
    { groupingSets: false },
    `SELECT k, sum(v) AS v FROM ${A} GROUP BY GROUPING SETS ((k), ()) ORDER BY 1, 2`,
    /GROUPING SETS/,
  ],
  [
    { groupingSets: false },
    `SELECT count(*) AS n FROM ${A} WHERE FALSE GROUP BY GROUPING SETS ((k), ())`,
    /GROUPING SETS/,
  ],
  [
    { groupingSets: false },
    `SELECT k, sum(v) AS v, rank() OVER (ORDER BY sum(v) DESC, k) AS r FROM ${A} GROUP BY ROLLUP (k) ORDER BY 3, 1`,
    /ROLLUP/,
  ],
  [
    { havingNamesKeys: false },
    `SELECT upper(s) AS u, sum(v) AS v FROM ${A} GROUP BY upper(s) HAVING upper(s) > 'W' AND count(*) = 1 ORDER BY 1`,
    /HAVING/,
  ],
  [
    { havingNamesKeys: false },
    `SELECT count(*) AS n FROM ${A} GROUP BY k, s HAVING s <> 'x' OR k + 1 = 2 UNION ALL SELECT k FROM ${B} GROUP BY k HAVING k > 1 ORDER BY 1`,
    /HAVING/,
  ],
  [
    { columnsHideTables: "in sort keys" },
    `SELECT k % 2 AS odd, count(*) AS a FROM ${A} GROUP BY k % 2 ORDER BY min(a.v) DESC NULLS LAST, 2 LIMIT 2`,
    /ORDER BY min/,
  ],
  [
    { columnsHideTables: "in sort keys" },
    `SELECT a.s, a.v + b.w AS b, b.t AS a FROM ${A} JOIN ${B} ON a.k = b.k ORDER BY b.w, a.v * -1 NULLS FIRST`,
    /ORDER BY b\.w/,
  ],
  [
    { columnsHideTables: "in all keys" },
    `SELECT coalesce(a.k, 0) AS k, count(*) AS a FROM ${A} GROUP BY a.k HAVING count(a.v) > 0 UNION ALL SELECT 9, 9 ORDER BY 1, 2`,
    /AS a FROM \(VALUES/,
  ],
  [{ distinctOn: false }, `SELECT DISTINCT ON (k) k, s, v FROM ${A} ORDER BY k, v DESC`, /DISTINCT ON/],
  [{ distinctOn: false }, `SELECT DISTINCT ON (k) s FROM ${A} ORDER BY k DESC, s LIMIT 2`, /DISTINCT ON/],
  [
    { aggregateFilter: false },
    `SELECT count(*) FILTER (WHERE v > 5) AS n, sum(v) FILTER (WHERE k = 2) AS s FROM ${A}`,
    /FILTER/,
  ],
  [
    { aggregateFilter: false },
    `SELECT k, count(DISTINCT s) FILTER (WHERE v IS NULL) AS n FROM ${A} GROUP BY k ORDER BY k`,
    /FILTER/,
  ],
  [{ nullsClause: false }, `SELECT k, v FROM ${A} ORDER BY k NULLS FIRST, v DESC NULLS FIRST`, /NULLS/],
  [{ nullsClause: false }, `SELECT DISTINCT k FROM ${A} ORDER BY k NULLS FIRST`, /NULLS/],
  [{ nullsClause: false }, `SELECT k FROM ${A} UNION ALL SELECT w FROM ${B} ORDER BY 1 NULLS FIRST`, /NULLS/],
  [{ nullsClause: false }, `SELECT s, row_number() OVER (ORDER BY v NULLS FIRST) AS r FROM ${A} ORDER BY 2`, /NULLS/],
  [{ valuesQuery: false }, `SELECT s, k FROM ${A} ORDER BY s`, /\(VALUES/],
  [{ valuesQuery: false }, "VALUES (1, 'a'), (2, 'b')", /^VALUES/],
  [
    { derivedColumnLists: false, valuesQuery: false },
    `SELECT q.one, q.two FROM (SELECT k, s FROM ${A}) AS q(one, two) ORDER BY 2`,
    /\(one, two\)/,
  ],
  [
    { windowClause: false },
    `SELECT s, sum(v) OVER w AS a, count(*) OVER (w ROWS UNBOUNDED PRECEDING) AS n FROM ${A} WINDOW w AS (PARTITION BY s ORDER BY k) ORDER BY 1, 2, 3`,
    /WINDOW/,
  ],
  [
    { commonTables: "outermost" },
    `SELECT q.n FROM (WITH x AS (SELECT k + 1 AS n FROM ${A}), y AS (SELECT n FROM x) SELECT n FROM y) AS q ORDER BY 1`,
    /\(WITH/,
  ],
  [
    { conditions: "apart" },
    `SELECT k, v > 1 AS big, (v > 1) IS NOT TRUE AS small, s = 'a' OR NOT (v = 1) AS either FROM ${A} WHERE (k > 1) = TRUE ORDER BY 1, 2`,
    /> 1 AS big|> 1\) AS big|v > 1 IS NOT TRUE|v > 1\) IS NOT TRUE/,
  ],
];

const LATERAL = [LATERAL_VALUES, LATERAL_ROWS, LATERAL_AGGREGATES, LATERAL_CHAINS]
  .flatMap(Object.values<string>)
  .map((sql) => [{ lateral: "none" }, sql, /LATERAL/] as const);

describe("the rows are the same", () => {
  test.each([...CASES, ...LATERAL])("lacking %o: %s", async (lacking, sql, word) => {
    const [whole, without] = [planned(sql, {}), planned(sql, lacking)];
    expect(whole).toMatch(word);
    expect(without).not.toMatch(word);
    expect(await rowsOf(without)).toEqual(await rowsOf(whole));
  });
});

describe("what has no stand-in is refused", () => {
  test.each<readonly [Partial<Grammar>, string, string]>([
    [
      { lateral: "none" },
      `SELECT * FROM ${A} CROSS JOIN LATERAL (SELECT c.w FROM (SELECT b.w FROM ${B} WHERE b.k = a.k) AS c) AS q`,
      "LATERAL",
    ],
    [{ limits: "literal" }, `SELECT k FROM ${A} LIMIT 1 + 1`, "a computed LIMIT or OFFSET"],
    [
      { frames: "rows and ranges" },
      `SELECT sum(v) OVER (ORDER BY k GROUPS 1 PRECEDING) AS x FROM ${A}`,
      "a frame of GROUPS",
    ],
    [
      { outerAggregates: false },
      `SELECT a.k, (SELECT max(b.w) FROM ${B} WHERE b.w > sum(a.v)) AS m FROM ${A} GROUP BY a.k`,
      "an aggregate of the query around",
    ],
    [
      { outerAggregates: false },
      `SELECT a.k, (SELECT b.w FROM ${B} ORDER BY b.w > sum(a.v), b.w LIMIT 1) AS m FROM ${A} GROUP BY a.k`,
      "an aggregate of the query around",
    ],
    [
      { outerAggregates: false },
      `SELECT a.k, (SELECT count(*) FROM ${B} JOIN ${B.replace("AS b", "AS c")} ON c.w > sum(a.v)) AS m FROM ${A} GROUP BY a.k`,
      "an aggregate of the query around",
    ],
  ])("lacking %o: %s", (lacking, sql, what) => {
    expect(() => planned(sql, {})).not.toThrow();
    expect(() => planned(sql, lacking)).toThrow(
      expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", message: expect.stringContaining(what) }),
    );
  });
});
