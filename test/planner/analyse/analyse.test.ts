import { describe, expect, it, test } from "vitest";
import { type AnalyseRequest, analyseStatement, type QueryAnalysis } from "../../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { manifestOf } from "../../support/plan.ts";

const column = (name: string, more: object = {}): object => ({ name, type: "INTEGER", ...more });

const MANIFEST = manifestOf({
  catalog: "wren",
  schema: "test",
  models: [
    {
      name: "customer",
      tableReference: { table: "customer" },
      columns: [
        ...["custkey", "name", "address", "nationkey", "phone", "acctbal", "mktsegment", "comment"].map((name) =>
          column(name),
        ),
        column("total", { isCalculated: true, expression: "acctbal * 2" }),
        column("secret", { isHidden: true }),
        column("orders", { type: "orders", relationship: "CustomerOrders" }),
      ],
    },
    {
      name: "orders",
      tableReference: { table: "orders" },
      columns: [
        "orderkey",
        "custkey",
        "orderstatus",
        "totalprice",
        "orderdate",
        "orderpriority",
        "clerk",
        "shippriority",
        "comment",
      ]
        .map((name) => column(name))
        .concat(
          column("buyer", { type: "customer", relationship: "CustomerOrders" }),
          column("unseen", { type: "customer", relationship: "CustomerOrders", isHidden: true }),
        ),
    },
    {
      name: "visits",
      tableReference: { table: "visits" },
      columns: [column("id"), column("shop"), column("amount"), column("day")],
    },
    { name: "broken", tableReference: { table: "b" }, columns: [column("a"), column("a")] },
  ],
  relationships: [
    {
      name: "CustomerOrders",
      models: ["customer", "orders"],
      joinType: "ONE_TO_MANY",
      condition: "customer.custkey = orders.custkey",
    },
  ],
  views: [{ name: "seen", statement: "SELECT custkey FROM customer" }],
});

function analysed(sql: string, more: Partial<AnalyseRequest> = {}): readonly QueryAnalysis[] {
  const outcome = analyseStatement({ sql, manifest: MANIFEST, limits: DEFAULT_LIMITS, ...more });
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

function only(sql: string): QueryAnalysis {
  const [first, ...others] = analysed(sql);
  expect(others).toEqual([]);
  return first!;
}

const at = (line: number, position: number) => ({ line, column: position });
const items = (sql: string): unknown[] => only(sql).selectItems.map(({ expression }) => expression);
const sourcesOf = (record: { exprSources?: QueryAnalysis["selectItems"][0]["exprSources"] } | undefined): unknown[] =>
  (record?.exprSources ?? []).map(({ sourceDataset, sourceColumn }) => `${sourceDataset}.${sourceColumn}`);

it("answers the example, member by member", () => {
  const sql = "SELECT shop, sum(amount) AS s FROM visits v WHERE day = 1 AND shop = 2 GROUP BY 1 ORDER BY 2 DESC";
  const source = (name: string, position: number) => ({
    expression: name,
    sourceDataset: "visits",
    sourceColumn: name,
    nodeLocation: at(1, position),
  });
  const expected = [
    {
      selectItems: [
        {
          alias: null,
          expression: "shop",
          properties: { includeFunctionCall: "false", includeMathematicalOperation: "false" },
          nodeLocation: at(1, 8),
          exprSources: [source("shop", 8)],
        },
        {
          alias: "s",
          expression: "sum(amount)",
          properties: { includeFunctionCall: "true", includeMathematicalOperation: "false" },
          nodeLocation: at(1, 14),
          exprSources: [source("amount", 18)],
        },
      ],
      relation: { type: "TABLE", alias: "v", tableName: "visits", nodeLocation: at(1, 36) },
      filter: {
        type: "AND",
        left: { type: "EXPR", node: "(day = 1)", nodeLocation: at(1, 51), exprSources: [source("day", 51)] },
        right: { type: "EXPR", node: "(shop = 2)", nodeLocation: at(1, 63), exprSources: [source("shop", 63)] },
        nodeLocation: at(1, 51),
      },
      groupByKeys: [[{ expression: "shop", nodeLocation: at(1, 81), exprSources: [source("shop", 8)] }]],
      sortings: [
        { expression: "s", ordering: "DESCENDING", nodeLocation: at(1, 92), exprSources: [source("amount", 18)] },
      ],
      isSubqueryOrCte: false,
    },
  ];
  expect(JSON.stringify(analysed(sql))).toBe(JSON.stringify(expected));
});

describe("columns behind relationships", () => {
  it.each([
    ["SELECT buyer.name FROM orders", ["customer.name"]],
    ["SELECT o.buyer.name FROM orders o", ["customer.name"]],
    ["SELECT upper(orders.BUYER.Name) FROM orders", ["customer.name"]],
    ["SELECT buyer.orders.clerk FROM orders", ["orders.clerk"]],
    ["SELECT buyer.total + custkey FROM orders", ["customer.total", "orders.custkey"]],
    ["SELECT c.name FROM orders, LATERAL (SELECT buyer.name) AS c", []],
    ["SELECT buyer.name FROM orders a, orders b", []],
    ["SELECT buyer.secret FROM orders", []],
    ["SELECT buyer.nothing FROM orders", []],
    ["SELECT buyer.name.more FROM orders", []],
    ["SELECT unseen.name FROM orders", []],
    ["SELECT buyer.name FROM visits AS buyer, orders", ["customer.name"]],
    ["SELECT buyer.shop FROM visits AS buyer, orders", ["visits.shop"]],
  ])("%s", (sql, expected) => {
    const record = analysed(sql).find(({ isSubqueryOrCte }) => !isSubqueryOrCte);
    expect(sourcesOf(record?.selectItems[0])).toEqual(expected);
  });
});

describe("what tests of the retired service assert", () => {
  it("SELECT * FROM customer", () => {
    const record = only("SELECT * FROM customer");
    expect(record.relation).toEqual({ type: "TABLE", tableName: "customer", nodeLocation: at(1, 15) });
    expect(record.selectItems).toHaveLength(8);
    for (const item of record.selectItems) expect(item.nodeLocation).toEqual(at(1, 8));
    expect(record.selectItems[0]).toMatchObject({
      alias: null,
      expression: "custkey",
      exprSources: [
        { expression: "custkey", sourceDataset: "customer", sourceColumn: "custkey", nodeLocation: at(1, 8) },
      ],
    });
  });

  it("grouping by a position", () => {
    const record = only("SELECT custkey, count(*) FROM customer GROUP BY 1");
    expect(record.selectItems.map(({ nodeLocation }) => nodeLocation)).toEqual([at(1, 8), at(1, 17)]);
    expect(record.relation?.nodeLocation).toEqual(at(1, 31));
    expect(record.groupByKeys).toMatchObject([
      [{ expression: "custkey", nodeLocation: at(1, 49), exprSources: [{ nodeLocation: at(1, 8) }] }],
    ]);
  });

  it("a join", () => {
    const record = only("SELECT * FROM customer c JOIN orders o ON c.custkey = o.custkey");
    expect(record.relation).toEqual({
      type: "INNER_JOIN",
      left: { type: "TABLE", alias: "c", tableName: "customer", nodeLocation: at(1, 15) },
      right: { type: "TABLE", alias: "o", tableName: "orders", nodeLocation: at(1, 31) },
      criteria: { expression: "ON (c.custkey = o.custkey)", nodeLocation: at(1, 43) },
      exprSources: [
        { expression: "c.custkey", sourceDataset: "customer", sourceColumn: "custkey", nodeLocation: at(1, 43) },
        { expression: "o.custkey", sourceDataset: "orders", sourceColumn: "custkey", nodeLocation: at(1, 55) },
      ],
      nodeLocation: at(1, 15),
    });
    expect(record.selectItems).toHaveLength(17);
  });

  it("a filter of OR and AND", () => {
    const { filter } = only("SELECT * FROM customer WHERE custkey = 1 OR (name = 'test' AND address = 'test')");
    expect(filter).toMatchObject({
      type: "OR",
      left: { type: "EXPR", node: "(custkey = 1)", exprSources: [{ nodeLocation: at(1, 30) }] },
      right: { type: "AND", left: { node: "(name = 'test')" }, right: { node: "(address = 'test')" } },
    });
    expect(filter).not.toHaveProperty("exprSources");
  });

  it("grouping by positions and a column that is not selected", () => {
    const { groupByKeys } = only("SELECT custkey, count(*), name FROM customer GROUP BY 1, 3, nationkey");
    expect(groupByKeys.map(([key]) => [key?.nodeLocation, key?.exprSources[0]?.nodeLocation])).toEqual([
      [at(1, 55), at(1, 8)],
      [at(1, 58), at(1, 27)],
      [at(1, 61), at(1, 61)],
    ]);
  });

  it("sorting by positions", () => {
    const { sortings } = only("SELECT custkey, name FROM customer ORDER BY 1 ASC, 2 DESC");
    expect(sortings.map(({ nodeLocation, ordering }) => [nodeLocation, ordering])).toEqual([
      [at(1, 45), "ASCENDING"],
      [at(1, 52), "DESCENDING"],
    ]);
  });

  test.each<[sql: string, tables: string[]]>([
    ["SELECT * FROM customer", ["customer"]],
    ["SELECT custkey, count(*) FROM customer GROUP BY 1", ["customer"]],
    ["WITH t1 AS (SELECT * FROM customer) SELECT * FROM t1", ["customer", "t1"]],
    [
      "SELECT * FROM orders WHERE orderstatus = 'O' UNION SELECT * FROM orders WHERE orderstatus = 'F'",
      ["orders", "orders"],
    ],
  ])("%s reads %j", (sql, tables) => {
    expect(analysed(sql).map(({ relation }) => relation?.tableName)).toEqual(tables);
  });
});

describe("expressions in canonical form", () => {
  test.each<[written: string, text: string]>([
    ["custkey + orderkey", "(custkey + orderkey)"],
    ["mod(custkey + 1, 10)", "mod((custkey + 1), 10)"],
    ["date_trunc('MONTH', orderdate)", "date_trunc('MONTH', orderdate)"],
    ["IF(nationkey = 1 OR nationkey = 2, true, false)", "IF(((nationkey = 1) OR (nationkey = 2)), true, false)"],
    ["CASE WHEN a = 1 THEN 'x' ELSE NULL END", "(CASE WHEN (a = 1) THEN 'x' ELSE null END)"],
    ["CASE a WHEN 1 THEN 2 END", "(CASE a WHEN 1 THEN 2 END)"],
    ["a AND b AND c OR d", "(((a AND b) AND c) OR d)"],
    ["NOT a = b", "(NOT (a = b))"],
    ["-a + - -b * ~c", "(-a + (- -b * ~c))"],
    ["a LIKE 'x%' ESCAPE '!'", "(a LIKE 'x%' ESCAPE '!')"],
    ["a NOT ILIKE 'x'", "(a NOT ILIKE 'x')"],
    ["a NOT SIMILAR TO 'x'", "(a NOT SIMILAR TO 'x')"],
    ["a BETWEEN 1 + 1 AND 3", "(a BETWEEN (1 + 1) AND 3)"],
    ["a NOT BETWEEN SYMMETRIC 1 AND 3", "(a NOT BETWEEN SYMMETRIC 1 AND 3)"],
    ["a NOT IN (1, 2 + 3)", "(a NOT IN (1, (2 + 3)))"],
    ["a IN (SELECT b FROM t WHERE c = 1)", "(a IN (SELECT b FROM t WHERE (c = 1)))"],
    ["EXISTS (SELECT 1)", "(EXISTS (SELECT 1))"],
    ["a > ANY (SELECT 1)", "(a > ANY (SELECT 1))"],
    ["a = ALL (ARRAY[1])", "(a = ALL (ARRAY[1]))"],
    ["a IS NOT NULL", "(a IS NOT NULL)"],
    ["a IS DISTINCT FROM b", "(a IS DISTINCT FROM b)"],
    ["a::varchar(3) || 'it''s'", "(CAST(a AS VARCHAR(3)) || 'it''s')"],
    ["count(DISTINCT a) FILTER (WHERE b > 1)", "count(DISTINCT a) FILTER (WHERE (b > 1))"],
    [
      "rank() OVER (PARTITION BY a ORDER BY b + 1 DESC NULLS LAST)",
      "rank() OVER (PARTITION BY a ORDER BY (b + 1) DESC NULLS LAST)",
    ],
    ["extract(year FROM a + b)", "EXTRACT(YEAR FROM (a + b))"],
    ["(a + b) AT TIME ZONE 'UTC'", "(a + b) AT TIME ZONE 'UTC'"],
    ["DATE '2024-01-02' - INTERVAL '1' DAY", "(DATE '2024-01-02' - INTERVAL '1' DAY)"],
    ['c."Odd ""Name"', 'c."Odd ""Name"'],
    ["Upper.Case", "Upper.Case"],
    ["(SELECT max(a) FROM t)", "(SELECT max(a) FROM t)"],
    ["1.50", "1.50"],
  ])("%s is %s", (written, text) => expect(items(`SELECT ${written} AS x`)).toEqual([text]));

  test.each<[written: string, calls: boolean, computes: boolean]>([
    ["a", false, false],
    ["count(*)", true, false],
    ["a + 1", false, true],
    ["a % 2", false, true],
    ["-a", false, true],
    ["a = 1", false, true],
    ["a AND b", false, false],
    ["a || b", false, false],
    ["NOT a", false, false],
    ["CASE WHEN a > 1 THEN lower(b) END", true, true],
    ["extract(year FROM a)", true, false],
    ["(SELECT max(a + 1))", true, true],
  ])("%s: calls %s, computes %s", (written, calls, computes) => {
    expect(only(`SELECT ${written}`).selectItems[0]?.properties).toEqual({
      includeFunctionCall: String(calls),
      includeMathematicalOperation: String(computes),
    });
  });
});

describe("select lists", () => {
  test.each<[sql: string, expressions: string[]]>([
    ["SELECT v.* FROM visits v, customer", ["id", "shop", "amount", "day"]],
    ["SELECT visits.* FROM test.visits", ["id", "shop", "amount", "day"]],
    ["SELECT test.visits.*, 1 FROM wren.test.visits", ["id", "shop", "amount", "day", "1"]],
    ["SELECT * FROM nosuch", ["*"]],
    ["SELECT n.* FROM nosuch n", ["n.*"]],
    ["SELECT *", ["*"]],
    ["SELECT * FROM seen", ["*"]],
    ["SELECT * FROM visits v JOIN nosuch n ON true", ["id", "shop", "amount", "day", "n.*"]],
    ["WITH visits AS (SELECT 1 AS x) SELECT * FROM visits", ["1", "*"]],
    ["SELECT * EXCEPT (Day, id) FROM visits", ["shop", "amount"]],
    ["SELECT * REPLACE (amount / 2 AS amount) FROM visits", ["id", "shop", "(amount / 2)", "day"]],
  ])("%s", (sql, expressions) => {
    expect(analysed(sql).flatMap(({ selectItems }) => selectItems.map(({ expression }) => expression))).toEqual(
      expressions,
    );
  });

  test.each<[expression: string, sources: string[]]>([
    ["total", ["customer.total"]],
    ["TOTAL", ["customer.total"]],
    ['"TOTAL"', []],
    ["secret", []],
    ["orders", []],
    ["nosuch", []],
    ["c.custkey + c.acctbal", ["customer.custkey", "customer.acctbal"]],
    ["C.custkey", ["customer.custkey"]],
    ["customer.custkey", []],
    ["sum(acctbal) OVER (PARTITION BY name ORDER BY phone)", ["customer.acctbal", "customer.name", "customer.phone"]],
    ["(SELECT max(acctbal) FROM customer)", []],
    ["count(*)", []],
  ])("%s reads %j", (expression, sources) => {
    expect(sourcesOf(only(`SELECT ${expression} FROM customer c`).selectItems[0])).toEqual(sources);
  });

  test.each<[sql: string, sources: string[]]>([
    ["SELECT custkey FROM customer, orders", []],
    ["SELECT orderkey FROM customer, orders", ["orders.orderkey"]],
    ["SELECT j.orderkey FROM (customer c JOIN orders o ON true) AS j", ["orders.orderkey"]],
    ["SELECT o.orderkey FROM (customer c JOIN orders o ON true) AS j", []],
    ["SELECT custkey FROM customer JOIN orders USING (custkey)", ["customer.custkey"]],
    ["SELECT custkey FROM customer NATURAL JOIN orders", ["customer.custkey"]],
    ["SELECT a FROM visits v(a, b)", ["visits.id"]],
    ["SELECT id FROM visits v(a, b)", []],
    ["SELECT day FROM visits v(a, b)", ["visits.day"]],
    ["SELECT x FROM (SELECT id AS x FROM visits) t", []],
    ["SELECT id FROM Visits", ["visits.id"]],
    ['SELECT id FROM "Visits"', []],
    ["SELECT id FROM other.visits", []],
  ])("%s reads %j", (sql, sources) => expect(sourcesOf(analysed(sql).at(-1)?.selectItems[0])).toEqual(sources));
});

describe("relations", () => {
  test.each<[from: string, expected: object]>([
    [
      "visits, customer c, orders",
      {
        type: "IMPLICIT_JOIN",
        left: { type: "IMPLICIT_JOIN", left: { tableName: "visits" }, right: { alias: "c" } },
        right: { tableName: "orders" },
        nodeLocation: at(1, 15),
      },
    ],
    [
      "visits LEFT JOIN customer ON true",
      { type: "LEFT_JOIN", criteria: { expression: "ON true", nodeLocation: at(1, 44) } },
    ],
    ["visits RIGHT JOIN customer ON true", { type: "RIGHT_JOIN" }],
    ["visits FULL JOIN customer ON true", { type: "FULL_JOIN" }],
    ["visits CROSS JOIN customer", { type: "CROSS_JOIN", exprSources: [] }],
    ["visits NATURAL JOIN customer", { type: "INNER_JOIN", exprSources: [] }],
    [
      "customer JOIN orders USING (custkey, comment)",
      {
        type: "INNER_JOIN",
        criteria: { expression: "USING (custkey, comment)", nodeLocation: at(1, 43) },
        exprSources: [
          { expression: "custkey", sourceDataset: "customer", nodeLocation: at(1, 43) },
          { sourceDataset: "orders", nodeLocation: at(1, 43) },
          { sourceDataset: "customer", sourceColumn: "comment", nodeLocation: at(1, 52) },
          { sourceDataset: "orders" },
        ],
      },
    ],
    [
      "(customer JOIN orders ON (customer.custkey = orders.custkey)) JOIN visits ON true",
      {
        type: "INNER_JOIN",
        left: { type: "INNER_JOIN", criteria: { nodeLocation: at(1, 41) }, nodeLocation: at(1, 16) },
        nodeLocation: at(1, 16),
      },
    ],
    ["(customer JOIN orders ON true) AS j", { type: "INNER_JOIN", alias: "j" }],
    [
      "(SELECT id FROM visits) t",
      {
        type: "SUBQUERY",
        alias: "t",
        body: [{ isSubqueryOrCte: true, relation: { tableName: "visits" } }],
        nodeLocation: at(1, 15),
      },
    ],
    ["(SELECT 1 UNION SELECT 2) t", { type: "SUBQUERY", body: [{ isSubqueryOrCte: true }, { isSubqueryOrCte: true }] }],
    ["(VALUES (1, 'a'), (2, 'b')) AS t(a, b)", { type: "TABLE", alias: "t", tableName: "VALUES (1, 'a'), (2, 'b')" }],
    ["unnest(ARRAY[1, 2]) AS u(x)", { type: "TABLE", alias: "u", tableName: "unnest(ARRAY[1, 2])" }],
    [
      "visits v, LATERAL (SELECT v.id) x",
      { right: { body: [{ selectItems: [{ exprSources: [{ sourceDataset: "visits" }] }] }] } },
    ],
    [
      "orders o, LATERAL (SELECT custkey FROM customer a, customer b) x",
      { right: { body: [{ selectItems: [{ exprSources: [] }] }] } },
    ],
    ["visits v, (SELECT v.id) x", { right: { body: [{ selectItems: [{ exprSources: [] }] }] } }],
    ["seen", { type: "TABLE", tableName: "seen" }],
    ["nosuch.table_1", { type: "TABLE", tableName: "nosuch.table_1" }],
    ["WREN.Test.VISITS", { type: "TABLE", tableName: "visits" }],
  ])("FROM %s", (from, expected) => expect(only(`SELECT 1 FROM ${from}`).relation).toMatchObject(expected));

  it("leave out what does not apply", () => {
    expect(only("SELECT 1")).not.toHaveProperty("relation");
    expect(only("SELECT 1")).not.toHaveProperty("filter");
    for (const from of ["visits CROSS JOIN customer", "visits NATURAL JOIN customer", "visits, customer"]) {
      expect(only(`SELECT 1 FROM ${from}`).relation).not.toHaveProperty("criteria");
    }
    expect(only("SELECT 1 FROM visits").relation).not.toHaveProperty("alias");
    expect(only("SELECT 1 FROM visits").relation).not.toHaveProperty("exprSources");
  });
});

describe("blocks", () => {
  test.each<[sql: string, blocks: (readonly [table: string | undefined, nested: boolean])[]]>([
    [
      "WITH a AS (SELECT 1 FROM visits), b AS (SELECT 1 FROM a) SELECT 1 FROM b",
      [
        ["visits", true],
        ["a", true],
        ["b", false],
      ],
    ],
    [
      "(SELECT 1 FROM visits) UNION (SELECT 1 FROM orders) EXCEPT SELECT 2",
      [
        ["visits", false],
        ["orders", false],
        [undefined, false],
      ],
    ],
    ["SELECT 1 FROM visits WHERE id IN (SELECT custkey FROM orders)", [["visits", false]]],
    ["VALUES (1)", [[undefined, false]]],
    ["SELECT 1 FROM visits;", [["visits", false]]],
    [
      "WITH RECURSIVE visits AS (SELECT 1 FROM visits) SELECT id FROM visits",
      [
        ["visits", true],
        ["visits", false],
      ],
    ],
  ])("%s", (sql, blocks) => {
    expect(analysed(sql).map(({ relation, isSubqueryOrCte }) => [relation?.tableName, isSubqueryOrCte])).toEqual(
      blocks,
    );
  });

  it("put the order of a set operation with its last branch", () => {
    const [first, last] = analysed("SELECT id FROM visits UNION SELECT orderkey FROM orders ORDER BY 1 DESC");
    expect(first?.sortings).toEqual([]);
    expect(last?.sortings).toMatchObject([{ expression: "orderkey", ordering: "DESCENDING" }]);
  });
});

describe("keys", () => {
  test.each<[sql: string, keys: string[][]]>([
    ["SELECT id AS shop FROM visits GROUP BY shop", [["visits.shop"]]],
    ["SELECT id AS k FROM visits GROUP BY K", [["visits.id"]]],
    ["SELECT id, day FROM visits GROUP BY (id, day), shop", [["visits.id"], ["visits.day"], ["visits.shop"]]],
    ["SELECT 1 FROM visits GROUP BY ROLLUP (id, day)", [["visits.id", "visits.day"]]],
    ["SELECT 1 FROM visits GROUP BY GROUPING SETS ((id, day), id, ())", [["visits.id", "visits.day", "visits.id"]]],
    ["SELECT 1 FROM visits GROUP BY ()", [[]]],
    ["SELECT id FROM visits GROUP BY 7", [[]]],
  ])("%s", (sql, keys) => {
    expect(only(sql).groupByKeys.map((element) => element.flatMap(sourcesOf))).toEqual(keys);
  });

  it("take an alias for ORDER BY before a column", () => {
    expect(sourcesOf(only("SELECT id AS shop FROM visits ORDER BY shop").sortings[0])).toEqual(["visits.id"]);
    expect(only("SELECT id FROM visits ORDER BY lower(shop)").sortings[0]).toMatchObject({ expression: "lower(shop)" });
  });

  it("know no positions behind columns that nobody knows", () => {
    expect(only("SELECT *, 1 AS one FROM nosuch ORDER BY 2").sortings[0]?.expression).toBe("2");
  });
});

it("nests filters to the left and places them at their leftmost operand", () => {
  expect(only("SELECT 1 FROM visits\nWHERE (id = 1) AND shop = 2\r\nAND NOT day = 3").filter).toMatchObject({
    type: "AND",
    left: { type: "AND", left: { node: "(id = 1)", nodeLocation: at(2, 8) }, right: { nodeLocation: at(2, 20) } },
    right: { type: "EXPR", node: "(NOT (day = 3))", nodeLocation: at(3, 5) },
    nodeLocation: at(2, 8),
  });
});

describe("refusals", () => {
  const repeated = (part: string, times: number, separator = ", "): string => Array(times).fill(part).join(separator);

  test.each<[name: string, sql: string, reason: string]>([
    ["no SQL", "SELEC 1", "SYNTAX"],
    ["an open string", "SELECT 'a", "SYNTAX"],
    ["NUL", "SELECT 'a\0b'", "SYNTAX"],
    ["a statement", "DELETE FROM visits", "UNSUPPORTED_STATEMENT"],
    ["two statements", "SELECT 1; SELECT 2", "SEVERAL_STATEMENTS"],
    ["a faulty model", "SELECT 1 FROM broken", "MANIFEST_DUPLICATE"],
    ["a text past the limit", `SELECT '${"x".repeat(1024 * 1024)}'`, "LIMIT_SIZE"],
    ["deep nesting", `SELECT ${"(".repeat(600)}1${")".repeat(600)}`, "LIMIT_DEPTH"],
    ["stars over stars", `SELECT ${repeated("*", 200_000)} FROM customer`, "LIMIT_SIZE"],
    [
      "positions of a long item",
      `SELECT '${"x".repeat(100_000)}' FROM visits GROUP BY ${repeated("1", 100_000)}`,
      "LIMIT_SIZE",
    ],
    ["conditions by the thousand", `SELECT 1 WHERE ${repeated("a", 1001, " AND ")}`, "LIMIT_DEPTH"],
    ["tables by the thousand", `SELECT 1 FROM ${repeated("visits", 1000)}`, "LIMIT_SIZE"],
  ])("%s", (_name, sql, reason) => {
    expect(() => analysed(sql)).toThrowError(expect.objectContaining({ name: "PlannerError", reason }));
  });

  it("do not concern large statements of plain columns", () => {
    expect(
      only(`SELECT ${repeated("id", 10_000)} FROM visits GROUP BY ${repeated("id", 10_000)}`).groupByKeys,
    ).toHaveLength(10_000);
  });
});
