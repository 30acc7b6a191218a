import { expect, test } from "vitest";
import { type DataSource, statementOf } from "../../../src/planner/plan.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const RULED = { name: "r", requiredProperties: [], condition: "x > 1" };
const column = (name: string, more: object = {}): object => ({ name, type: "bigint", ...more });
const MODELS = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    { name: "a", tableReference: { table: "a.parquet" }, columns: [column("k"), column("x")] },
    {
      name: "b",
      tableReference: { table: "b.parquet" },
      columns: [column("k"), column("x"), column("native", { expression: "#1 + 1" })],
    },
    {
      name: "ruled",
      tableReference: { table: "c.parquet" },
      columns: [column("k"), column("x")],
      rowLevelAccessControls: [RULED],
    },
    { name: "free", refSql: "SELECT * FROM 'x.parquet' LIMIT 5", columns: [column("k")] },
  ],
});

const mayFilter = (sql: string, source: DataSource): true | undefined =>
  statementOf(planned(sql, MODELS, { source })).joinsMayFilter;

const JOIN = "SELECT a.x FROM a JOIN b ON a.k = b.k";

test.each([
  JOIN,
  `${JOIN} WHERE b.x = 3 ORDER BY a.x LIMIT 5 OFFSET 1`,
  "SELECT a.x FROM a, b WHERE a.k = b.k",
  "SELECT DISTINCT a.x, count(*) AS n FROM a JOIN b ON a.k = b.k GROUP BY a.x HAVING count(*) > 1",
  "WITH q AS (SELECT k, sum(x) AS s FROM b GROUP BY k) SELECT a.x, q.s FROM a JOIN q ON q.k = a.k",
  `${JOIN} UNION ALL SELECT x FROM a`,
  "SELECT a.x, row_number() OVER (ORDER BY a.x) AS n FROM a LEFT JOIN b ON a.k = b.k",
])("joins of files may filter: %s", (sql) => {
  expect(mayFilter(sql, "local_file")).toBe(true);
  expect(mayFilter(sql, "minio_file")).toBe(true);
  expect(mayFilter(sql, "postgres")).toBeUndefined();
});

test.each([
  ["there is none", "SELECT x FROM a"],
  ["LIMIT", "SELECT q.x FROM (SELECT k, x FROM a ORDER BY x LIMIT 9) AS q JOIN b ON q.k = b.k"],
  ["OFFSET", "SELECT q.x FROM (SELECT k, x FROM a ORDER BY x OFFSET 9) AS q JOIN b ON q.k = b.k"],
  ["LIMIT of a common table", "WITH q AS (SELECT k FROM a ORDER BY k LIMIT 9) SELECT b.x FROM b JOIN q ON q.k = b.k"],
  ["LIMIT of an operand", `(${JOIN} LIMIT 5) UNION ALL SELECT x FROM a`],
  ["DISTINCT ON", "SELECT q.x FROM (SELECT DISTINCT ON (k) k, x FROM a ORDER BY k, x) AS q JOIN b ON q.x = b.k"],
  ["sets of groups", "SELECT q.s FROM (SELECT k, sum(x) AS s FROM a GROUP BY ROLLUP (k)) AS q JOIN b ON q.k = b.k"],
  ["a query as a value", `${JOIN} WHERE a.x = (SELECT max(x) FROM b)`],
  ["EXISTS", `${JOIN} WHERE EXISTS (SELECT 1 FROM b AS c WHERE c.k = a.x)`],
  ["IN", `${JOIN} WHERE a.x IN (SELECT x FROM b)`],
  ["ANY", `${JOIN} WHERE a.x < ANY (SELECT x FROM b)`],
  ["LATERAL", "SELECT a.x FROM a JOIN b ON a.k = b.k, LATERAL (SELECT a.x + 1 AS y) AS l"],
  ["a function", "SELECT a.x FROM a JOIN b ON a.k = b.k, generate_series(1, 3) AS g(i)"],
  [
    "recursion",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3) SELECT a.x FROM a JOIN r ON a.k = r.n",
  ],
  ["a text of the modeller's", "SELECT b.native FROM a JOIN b ON a.k = b.k"],
  ["a query of the modeller's", "SELECT free.k FROM a JOIN free ON a.k = free.k"],
])("and may not with %s", (_, sql) => {
  expect(mayFilter(sql, "local_file")).toBeUndefined();
});

test("a rule's fence is looked at, too", () => {
  const { sql, joinsMayFilter } = statementOf(
    planned("SELECT a.x FROM a JOIN ruled ON a.k = ruled.k WHERE 1 / ruled.x > 0", MODELS, { source: "local_file" }),
  );
  expect([/ LIMIT | OFFSET /.test(sql), joinsMayFilter]).toEqual([true, undefined]);
});
