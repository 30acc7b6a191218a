/** Cubes as relations: what SQL over a cube means is said by SQL over its base (docs/decisions/0045-cubes-in-sql.md#decision). */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { planned } from "../../support/plan.ts";
import { openShops, refusal, type Shop, shopWith } from "./shop.ts";

const manifest = shopWith();
const SIZE = "CASE WHEN qty > 2 OR price > 50 THEN 'large' ELSE 'small' END";

let shops: readonly Shop[] = [];
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ shops, stop } = await openShops());
});
afterAll(() => stop());

const MEANS: readonly (readonly [about: string, overCube: string, overBase: string])[] = [
  [
    "dimensions are filtered before grouping, measures after",
    "SELECT state, revenue FROM sales WHERE size = 'small' AND n > 0 ORDER BY revenue DESC, state",
    `SELECT state, sum(total) AS revenue FROM sale WHERE ${SIZE} = 'small' GROUP BY state HAVING count(*) > 0 ORDER BY 2 DESC, 1`,
  ],
  [
    "a sum of a measure is the measure",
    "SELECT state, sum(revenue), SUM(n), sum(margin), max(price), sum(large), sum(revenue) / 2, 1 + sum(n) FROM sales GROUP BY state ORDER BY sum(revenue) DESC, state",
    `SELECT state, sum(total), count(*), sum(price - CASE id WHEN 1 THEN 4 WHEN 2 THEN 5 WHEN 3 THEN 6 WHEN 4 THEN 1 WHEN 5 THEN 2 ELSE 3 END), max(price), count(*) FILTER (WHERE ${SIZE} = 'large'), sum(total) / 2, 1 + count(*) FROM sale GROUP BY state ORDER BY sum(total) DESC, state`,
  ],
  ["a sum of counts has fractions in a quotient", "SELECT sum(n) / 4 FROM sales", "SELECT count(*) / 4.0 FROM sale"],
  [
    "groups that a sum of a measure chooses",
    "SELECT state, sum(n) AS k FROM sales GROUP BY 1 HAVING sum(n) > 1",
    "SELECT state, count(*) AS k FROM sale GROUP BY 1 HAVING count(*) > 1",
  ],
  ["a measure alone has one row", "SELECT revenue FROM sales", "SELECT sum(total) FROM sale"],
  [
    "a measure over no rows has one row too",
    "SELECT revenue, n FROM sales WHERE state = 'none'",
    "SELECT sum(total), count(*) FROM sale WHERE false",
  ],
  [
    "a condition on a measure can take that row away",
    "SELECT n FROM sales WHERE n > 100",
    "SELECT 1 FROM sale WHERE false",
  ],
  ["dimensions alone are their distinct values", "SELECT state FROM sales", "SELECT DISTINCT state FROM sale"],
  [
    "so they are with DISTINCT",
    "SELECT DISTINCT state FROM sales ORDER BY state",
    "SELECT DISTINCT state FROM sale ORDER BY 1",
  ],
  [
    "measures of measures",
    "SELECT doubled FROM sales",
    "SELECT CAST(sum(total) / count(*) AS double precision) * 2 + count(*) FROM sale",
  ],
  ["names in texts are no names of measures", "SELECT marker FROM sales", "SELECT 'revenue' FROM sale LIMIT 1"],
  [
    "a measure named like its column",
    "SELECT state, price FROM sales",
    "SELECT state, max(price) FROM sale GROUP BY 1",
  ],
  ["hidden columns of the base", "SELECT margin FROM sales", "SELECT sum(price) - 18 FROM sale"],
  [
    "paths in dimensions",
    "SELECT country, buyer, n FROM sales",
    "SELECT customer.nation.name, customer.name, count(*) FROM sale GROUP BY 1, 2",
  ],
  ["paths in measures", "SELECT buyers FROM sales", "SELECT count(DISTINCT customer.name) FROM sale"],
  [
    "dimensions in measures",
    "SELECT state, large FROM sales",
    `SELECT state, sum(CASE WHEN ${SIZE} = 'large' THEN 1 ELSE 0 END) FROM sale GROUP BY 1`,
  ],
  [
    "MEASURE and AGG mean the measure",
    "SELECT state, MEASURE(revenue), agg(N) FROM sales GROUP BY state HAVING measure(n) > 1",
    "SELECT state, sum(total), count(*) FROM sale GROUP BY state HAVING count(*) > 1",
  ],
  [
    "MEASURE in WHERE",
    "SELECT state FROM sales WHERE MEASURE(n) > 1",
    "SELECT state FROM sale GROUP BY 1 HAVING count(*) > 1",
  ],
  [
    "GROUP BY of expressions over dimensions",
    "SELECT date_trunc('month', day) AS m, upper(state) AS s, MEASURE(revenue) FROM sales GROUP BY 1, s ORDER BY 1, 2",
    "SELECT date_trunc('month', sold) AS m, upper(state) AS s, sum(total) FROM sale GROUP BY 1, 2 ORDER BY 1, 2",
  ],
  [
    "GROUP BY groups by what it names, selected or not",
    "SELECT revenue FROM sales GROUP BY state",
    "SELECT sum(total) FROM sale GROUP BY state",
  ],
  [
    "ROLLUP",
    "SELECT state, size, n FROM sales GROUP BY ROLLUP (state, size)",
    `SELECT state, ${SIZE}, count(*) FROM sale GROUP BY ROLLUP (state, ${SIZE})`,
  ],
  ["GROUP BY ()", "SELECT n FROM sales GROUP BY ()", "SELECT count(*) FROM sale"],
  [
    "what is made of keys and measures",
    "SELECT state, CASE WHEN n > 1 THEN 'many' ELSE upper(state) END FROM sales",
    "SELECT state, CASE WHEN count(*) > 1 THEN 'many' ELSE upper(state) END FROM sale GROUP BY 1",
  ],
  [
    "conditions over keys and measures together",
    "SELECT state, n FROM sales WHERE state = 'new' OR n > 2",
    "SELECT state, count(*) FROM sale GROUP BY 1 HAVING state = 'new' OR count(*) > 2",
  ],
  [
    "aggregates that only look at values",
    "SELECT min(day), max(day), count(DISTINCT state) FROM sales WHERE n > 1",
    "SELECT min(sold), max(sold), count(DISTINCT state) FROM sale",
  ],
  [
    "windows over groups",
    "SELECT state, revenue, rank() OVER (ORDER BY revenue DESC) AS r, sum(n) OVER w AS t, count(*) OVER () AS g FROM sales WINDOW w AS (PARTITION BY state)",
    "SELECT state, sum(total), rank() OVER (ORDER BY sum(total) DESC), count(*), 4 FROM sale GROUP BY 1",
  ],
  [
    "QUALIFY",
    "SELECT state, n FROM sales QUALIFY row_number() OVER (ORDER BY n DESC) = 1",
    "SELECT state, count(*) FROM sale GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
  ],
  [
    "DISTINCT ON",
    "SELECT DISTINCT ON (state) state, size, n FROM sales ORDER BY state, size",
    `SELECT DISTINCT ON (state) state, ${SIZE}, count(*) FROM sale GROUP BY 1, 2 ORDER BY 1, 2`,
  ],
  [
    "every member by *",
    'SELECT * EXCEPT (moment, day, "Odd Name", doubled, average) FROM sales',
    `SELECT state, ${SIZE}, customer.name, customer.nation.name, gift, sum(total), count(*), count(DISTINCT customer.name),
       sum(CASE WHEN ${SIZE} = 'large' THEN 1 ELSE 0 END), max(price), sum(price - CASE id WHEN 1 THEN 4 WHEN 2 THEN 5 WHEN 3 THEN 6 WHEN 4 THEN 1 WHEN 5 THEN 2 ELSE 3 END), 'revenue'
     FROM sale GROUP BY 1, 2, 3, 4, 5`,
  ],
  [
    "names that need quotes, and every spelling of the cube's name",
    'SELECT k."Odd Name" FROM c.s.SALES k UNION ALL SELECT s.sales."Odd Name" FROM sales',
    'SELECT * FROM (SELECT DISTINCT "Odd ""Col" FROM sale) a UNION ALL SELECT * FROM (SELECT DISTINCT "Odd ""Col" FROM sale) b',
  ],
  [
    "a subquery among conditions on dimensions",
    "SELECT state, n FROM sales k WHERE EXISTS (SELECT 1 FROM customer WHERE customer.name = k.buyer AND nation_id = 2)",
    "SELECT state, count(*) FROM sale WHERE customer.nation_id = 2 GROUP BY 1",
  ],
  [
    "a subquery among conditions on measures",
    "SELECT state FROM sales WHERE revenue > (SELECT avg(total) FROM sale)",
    "SELECT state FROM sale GROUP BY 1 HAVING sum(total) > (SELECT avg(total) FROM sale)",
  ],
  [
    "a subquery in the select list",
    "SELECT state, (SELECT max(qty) FROM sale WHERE sale.state = k.state) FROM sales AS k",
    "SELECT state, max(CASE WHEN state IS NULL THEN NULL ELSE qty END) FROM sale GROUP BY state",
  ],
  [
    "a cube inside a subquery that the query around it correlates",
    "SELECT name, (SELECT revenue FROM sales WHERE buyer = customer.name) AS r FROM customer",
    "SELECT customer.name, sum(s.total) FROM customer LEFT JOIN sale s ON s.customer_id = customer.id GROUP BY customer.id, customer.name",
  ],
  ["a cube in EXISTS", "SELECT 1 WHERE EXISTS (SELECT state FROM sales WHERE n > 2)", "SELECT 1"],
  [
    "a common table, and counting groups",
    "WITH t AS (SELECT state, n FROM sales) SELECT count(*), sum(n), max(n) FROM t",
    "SELECT 4, 6, 3",
  ],
  [
    "columns of an alias are all members in their order",
    "SELECT count(*) FROM sales AS k(a, b, c) WHERE c = 'paid'",
    "SELECT 3",
  ],
  [
    "a join over one dimension",
    "SELECT customer.name, k.revenue FROM customer LEFT JOIN sales k ON k.buyer = customer.name",
    "SELECT customer.name, sum(s.total) FROM customer LEFT JOIN sale s ON s.customer_id = customer.id GROUP BY customer.id, customer.name",
  ],
  [
    "a cube joined with itself, every occurrence by itself",
    "SELECT a.state, a.n, b.n FROM sales a JOIN sales b USING (state) WHERE a.n > 1",
    "SELECT state, count(*), count(*) FROM sale WHERE state IS NOT NULL GROUP BY 1 HAVING count(*) > 1",
  ],
  [
    "aggregates over a joined cube take its rows",
    "SELECT nation.name, sum(k.revenue), count(k.buyer) FROM nation LEFT JOIN sales k ON k.country = nation.name GROUP BY 1",
    "SELECT nation.name, t.r, t.n FROM nation LEFT JOIN (SELECT customer.nation_id AS i, sum(total) AS r, count(DISTINCT customer.name) AS n FROM sale GROUP BY 1) t ON t.i = nation.id",
  ],
  [
    "a joined cube's measure without dimensions",
    "SELECT name, n FROM nation CROSS JOIN sales",
    "SELECT name, 6 FROM nation",
  ],
  [
    "a cube over a view",
    "SELECT state, most, n FROM big",
    "SELECT state, max(total), count(*) FROM sale WHERE qty > 1 GROUP BY 1",
  ],
  ["a view over a cube", "SELECT * FROM by_state", "SELECT state, sum(total) FROM sale GROUP BY 1 HAVING count(*) > 1"],
];

describe.each(["duckdb", "postgres"] as const)("on %s", (source) => {
  test.each(MEANS)("%s", async (_about, overCube, overBase) => {
    const shop = shops.find(({ name }) => name === source);
    const [actual, expected] = await Promise.all(
      [overCube, overBase].map(async (sql) => (await shop?.rows(planned(sql, manifest, { source }))) ?? []),
    );
    const ordered = [overCube, overBase].every((sql) => /ORDER BY [^()]*$/.test(sql));
    expect(ordered ? actual : actual?.toSorted()).toEqual(ordered ? expected : expected?.toSorted());
    expect(actual?.length === 0).toBe(overBase.includes("WHERE false") && overBase.startsWith("SELECT 1"));
  });
});

/** `‸` marks where the error points. */
const REFUSED: readonly (readonly [about: string, sql: string, reason: string, message: string])[] = [
  ["counting rows", "SELECT ‸count(*) FROM sales", "INVALID_QUERY", "count over a cube"],
  ["summing a dimension", "SELECT ‸count(state) FROM sales", "INVALID_QUERY", "count over a cube"],
  [
    "aggregating a measure",
    "SELECT state, avg(‸revenue) FROM sales GROUP BY 1",
    "INVALID_QUERY",
    "an aggregate already",
  ],
  [
    "adding up counts of distinct values",
    "SELECT sum(‸buyers) FROM sales",
    "INVALID_QUERY",
    "only sums and counts of rows add up",
  ],
  ["adding up a ratio", "SELECT state, sum(‸average) FROM sales", "INVALID_QUERY", "add up"],
  ["the least of sums", "SELECT state, min(‸revenue) FROM sales", "INVALID_QUERY", "no least value"],
  ["the greatest of counts", "SELECT max(‸n) FROM sales", "INVALID_QUERY", "no greatest value"],
  ["a sum of distinct sums", "SELECT sum(DISTINCT ‸revenue) FROM sales", "INVALID_QUERY", "an aggregate already"],
  ["a filtered sum", "SELECT sum(‸n) FILTER (WHERE state = 'new') FROM sales", "INVALID_QUERY", "aggregate already"],
  ["a sum of a sum", "SELECT sum(‸sum(revenue)) FROM sales", "INVALID_QUERY", "is not allowed in"],
  ["naming nothing", "‸SELECT 1 FROM sales", "INVALID_QUERY", "names a dimension or a measure"],
  ["naming nothing in a join", "SELECT name FROM nation, ‸sales", "INVALID_QUERY", "names a dimension or a measure"],
  [
    "an expression over a dimension without GROUP BY",
    "SELECT upper(‸state), n FROM sales",
    "UNGROUPED_COLUMN",
    "state",
  ],
  ["ordering by an unselected dimension", "SELECT n FROM sales ORDER BY ‸state", "UNGROUPED_COLUMN", "state"],
  ["partitioning by one", "SELECT n, rank() OVER (PARTITION BY ‸state) FROM sales", "UNGROUPED_COLUMN", "state"],
  ["a named window over one", "SELECT n FROM sales WINDOW w AS (ORDER BY ‸state)", "UNGROUPED_COLUMN", "state"],
  ["DISTINCT ON one", "SELECT DISTINCT ON (‸state) n FROM sales", "UNGROUPED_COLUMN", "state"],
  ["selecting more than GROUP BY", "SELECT state, ‸size FROM sales GROUP BY state", "UNGROUPED_COLUMN", "size"],
  [
    "OR between a filter and a measure",
    "SELECT n FROM sales WHERE ‸state = 'new' OR n > 2",
    "UNGROUPED_COLUMN",
    "state",
  ],
  ["NOT around both", "SELECT n FROM sales WHERE NOT (‸state = 'new' AND n > 2)", "UNGROUPED_COLUMN", "state"],
  ["grouping by a measure", "SELECT n FROM sales GROUP BY ‸n", "INVALID_QUERY", 'cannot name measure "n"'],
  ["grouping by a measure's position", "SELECT ‸n FROM sales GROUP BY 1", "INVALID_QUERY", 'cannot name measure "n"'],
  ["MEASURE of a dimension", "SELECT ‸MEASURE(state) FROM sales", "INVALID_QUERY", "takes the name of a measure"],
  ["MEASURE of an expression", "SELECT ‸AGG(n + 1) FROM sales", "INVALID_QUERY", "takes the name of a measure"],
  [
    "a measure inside a subquery",
    "SELECT state FROM sales WHERE EXISTS (SELECT 1 FROM sale WHERE qty > ‸sales.n)",
    "INVALID_QUERY",
    "a subquery cannot name measures",
  ],
  [
    "a dimension inside WITH of a subquery",
    "SELECT state FROM sales WHERE EXISTS (WITH t AS (SELECT 1 FROM sale WHERE sale.state = ‸sales.state) SELECT 1 FROM t)",
    "INVALID_QUERY",
    "a subquery cannot name dimensions in WITH",
  ],
  [
    "a filter on a dimension of a joined cube that nothing else names",
    "SELECT nation.name, n FROM nation JOIN sales ON country = nation.name WHERE ‸size = 'large'",
    "INVALID_QUERY",
    "only WHERE names it",
  ],
  ["a column of the base", "SELECT ‸qty FROM sales", "COLUMN_NOT_FOUND", "qty"],
  ["a member that is not there", "SELECT ‸stat FROM sales", "COLUMN_NOT_FOUND", "stat"],
  ["a quoted name in another case", 'SELECT ‸"State" FROM sales', "COLUMN_NOT_FOUND", "State"],
  ["a cube that is not there", "SELECT 1 FROM ‸sale_s", "MODEL_NOT_FOUND", "sale_s"],
];

test.each(REFUSED)("refuses %s", (_about, marked, reason, message) => {
  const at = marked.indexOf("‸");
  const error = refusal(() => planned(marked.replace("‸", ""), manifest));
  expect([error.reason, error.message]).toEqual([reason, expect.stringContaining(message)]);
  expect(error.span?.start).toBe(at);
  expect(error.hint ?? error.suggestions.join()).not.toBe("");
});

test("columns, types, lineage and reads are those of what is computed", () => {
  const plan = planned("SELECT state, buyer, revenue AS r, MEASURE(n) FROM sales", manifest);
  expect(plan.columns).toMatchObject([
    { name: "state", nullable: true },
    { name: "buyer", nullable: true },
    { name: "r", type: { kind: "decimal" }, nullable: true },
    { name: "n", type: { kind: "integer", bits: 64 }, nullable: false },
  ]);
  expect(plan.lineage()).toEqual([
    { column: "state", sources: ["sale.state"] },
    { column: "buyer", sources: ["customer.name"] },
    { column: "r", sources: ["sale.total"] },
    { column: "n", sources: [] },
  ]);
  expect(plan.reads().map(({ model }) => model)).toEqual(["sale", "customer"]);
});

test("a cube over plain columns reads the physical table itself", () => {
  expect(planned("SELECT state, n FROM sales WHERE gift", manifest).sql).toBe(
    "SELECT sale.state, count(*) AS n FROM sale AS sale WHERE sale.gift GROUP BY sale.state",
  );
});
