import { describe, expect, test } from "vitest";
import { manifestOf, planned } from "../../support/plan.ts";

interface Rules {
  readonly a?: string;
  readonly b?: string;
  readonly c?: string;
}

/** Three models in a row, a → b → c by key, with a rule for some; calculated columns and views lead round corners. */
function manifestWith(rules: Rules) {
  const ruled = (name: keyof Rules) => {
    const condition = rules[name];
    return condition === undefined
      ? {}
      : { rowLevelAccessControls: [{ name: `rule of ${name}`, requiredProperties: [], condition }] };
  };
  const model = (name: keyof Rules, columns: readonly object[]): object => ({
    name,
    tableReference: { schema: "s", table: name },
    primaryKey: "id",
    ...ruled(name),
    columns: [
      { name: "id", type: "INTEGER" },
      { name: "next_id", type: "INTEGER" },
      { name: "x", type: "INTEGER" },
      { name: "day", type: "DATE" },
      ...columns,
    ],
  });
  const calculated = (name: string, expression: string) => ({ name, type: "BIGINT", isCalculated: true, expression });
  const handle = (name: string, type: string, relationship: string) => ({ name, type, relationship });
  const relation = (from: string, to: string) => ({
    name: `${from}_${to}`,
    models: [from, to],
    joinType: "MANY_TO_ONE",
    condition: `${from}.next_id = ${to}.id`,
  });
  const cube = (name: string, baseObject: string) => ({
    name,
    baseObject,
    measures: [{ name: "total", expression: "sum(x)", type: "BIGINT" }],
    dimensions: [],
    timeDimensions: [],
  });
  const metric = (name: string, baseObject: string, expression: string) => ({
    name,
    baseObject,
    dimension: [{ name: "id", type: "INTEGER" }],
    measure: [{ name: "n", type: "BIGINT", expression }],
    timeGrain: [{ name: "at", refColumn: "day", dateParts: ["YEAR"] }],
  });
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      model("a", [
        { name: "c", type: "INTEGER" },
        handle("b", "b", "a_b"),
        calculated("far", "b.x"),
        calculated("farther", "b.far"),
      ]),
      model("b", [
        handle("a_rows", "a", "a_b"),
        handle("c", "c", "b_c"),
        calculated("a_sum", "sum(a_rows.x)"),
        calculated("far", "c.x"),
      ]),
      model("c", [handle("b_rows", "b", "b_c"), calculated("b_sum", "sum(b_rows.x)")]),
      { name: "on_a", baseObject: "a", columns: [{ name: "x", type: "INTEGER" }] },
      { name: "on_view", baseObject: "outer_view", columns: [{ name: "x", type: "INTEGER" }] },
    ],
    cubes: [
      { ...cube("far_cube", "a"), dimensions: [{ name: "there", expression: "far", type: "INTEGER" }] },
      cube("a_cube", "a"),
      cube("view_cube", "a_view"),
    ],
    metrics: [
      {
        ...metric("far_metric", "a", "count(*)"),
        timeGrain: [{ name: "at", refColumn: "far", dateParts: ["YEAR"] }],
      },
      metric("a_metric", "a", "sum(x)"),
      metric("b_metric", "b", "sum(c.x)"),
      metric("all_a", "a_metric", "sum(n)"),
    ],
    cumulativeMetrics: [
      {
        name: "a_running",
        baseObject: "a",
        measure: { name: "n", type: "BIGINT", operator: "sum", refColumn: "x" },
        window: { name: "w", refColumn: "day", timeUnit: "YEAR", start: "2024-01-01", end: "2024-12-31" },
      },
    ],
    relationships: [relation("a", "b"), relation("b", "c")],
    views: [
      { name: "a_view", statement: "SELECT id, x FROM a" },
      { name: "outer_view", statement: "WITH v AS (SELECT * FROM a_view) SELECT x FROM v" },
      { name: "star_view", statement: "SELECT * FROM a" },
      { name: "far_view", statement: "SELECT 1 AS far" },
      { name: "path_view", statement: "SELECT a.b.x AS x FROM a" },
    ],
  });
}

describe("rules that need each other", () => {
  test.each<readonly [string, Rules, string]>([
    ["its own model in a subquery", { a: "x IN (SELECT x FROM a)" }, "a → a"],
    ["its own model in another case", { a: "x IN (SELECT x FROM A)" }, "a → a"],
    ["its own model in a nested subquery", { a: "x IN (SELECT id FROM c WHERE id IN (SELECT x FROM a))" }, "a → a"],
    ["its own model in a common table", { a: "x IN (WITH t AS (SELECT x FROM a) SELECT x FROM t)" }, "a → a"],
    ["its own model by a view", { a: "x IN (SELECT x FROM a_view)" }, "a → a"],
    ["its own model by a view of a view", { a: "x IN (SELECT x FROM outer_view)" }, "a → a"],
    ["its own model by one that is built on it", { a: "x IN (SELECT x FROM on_a)" }, "a → on_a → a"],
    ["its own model by one on a view of it", { a: "x IN (SELECT x FROM on_view)" }, "a → on_view → a"],
    ["its own model by a cube", { a: "x IN (SELECT total FROM a_cube)" }, "a → a"],
    ["its own model by a cube over a view", { a: "x IN (SELECT total FROM view_cube)" }, "a → a"],
    ["its own model by a metric", { a: "x IN (SELECT n FROM a_metric)" }, "a → a"],
    ["its own model by a metric of a metric", { a: "x IN (SELECT n FROM all_a)" }, "a → a"],
    ["a path of a metric", { c: "x IN (SELECT n FROM b_metric)" }, "c → c"],
    ["its own model by a metric's roll-up", { a: "x IN (SELECT n FROM roll_up(a_metric, at, YEAR))" }, "a → a"],
    ["its own model by a cumulative metric", { a: "x IN (SELECT n FROM a_running)" }, "a → a"],
    ["a calculated column in a view's star", { b: "x IN (SELECT far FROM star_view)" }, "b → b"],
    ["a calculated column in a natural join", { b: "EXISTS (SELECT 1 FROM a NATURAL JOIN far_view)" }, "b → b"],
    ["a member in the star of a cube", { b: "x IN (SELECT there FROM (SELECT * FROM far_cube) AS t)" }, "b → b"],
    ["the time of a roll-up", { b: "EXISTS (SELECT 1 FROM roll_up(far_metric, at, YEAR))" }, "b → b"],
    ["two models by subqueries", { a: "x IN (SELECT x FROM b)", b: "x IN (SELECT x FROM a)" }, "a → b → a"],
    ["a path there, a subquery back", { a: "b.x > 0", b: "x IN (SELECT x FROM a)" }, "a → b → a"],
    ["a path of two hops", { a: "b.c.x > 0", c: "x IN (SELECT x FROM a)" }, "a → c → a"],
    ["a calculated column", { a: "far > 0", b: "x IN (SELECT x FROM a)" }, "a → b → a"],
    ["a calculated column of a calculated column", { a: "farther > 0", c: "x IN (SELECT x FROM a)" }, "a → c → a"],
    ["a to-many column back", { a: "b.x > 0", b: "a_sum > 0" }, "a → b → a"],
    ["a calculated column in a subquery", { a: "x IN (SELECT far FROM b)", c: "x IN (SELECT x FROM a)" }, "a → c → a"],
    ["an aggregate over a path", { b: "sum(a_rows.x) > 0", a: "b.x > 0" }, "b → a → b"],
    ["a model without rules that leads back", { a: "x IN (SELECT a_sum FROM b WHERE 1 = 0)" }, "a → a"],
    ["inside a common table of its name", { a: "x IN (WITH a AS (SELECT x FROM a) SELECT x FROM a)" }, "a → a"],
    ["beside a common table", { a: "x IN (WITH t AS (SELECT x FROM c) SELECT x FROM a)" }, "a → a"],
    ["after a common table", { a: "x IN (SELECT x FROM (WITH a AS (SELECT 1) SELECT 1 AS x FROM a) t, a)" }, "a → a"],
    ["before a common table", { a: "x IN (WITH t AS (SELECT x FROM a), a AS (SELECT 1) SELECT x FROM t)" }, "a → a"],
    ["a name with its schema", { a: "x IN (WITH a AS (SELECT x FROM c) SELECT x FROM s.a)" }, "a → a"],
    ["a common table of another case", { a: 'x IN (WITH "A" AS (SELECT x FROM c) SELECT x FROM a)' }, "a → a"],
    [
      "the first rows of a recursive table",
      { a: "x IN (WITH RECURSIVE a AS (SELECT x FROM a UNION SELECT x + 1 FROM a WHERE x < 9) SELECT x FROM a)" },
      "a → a",
    ],
    ["a path in a subquery", { a: "x IN (SELECT c.x FROM b)", c: "x IN (SELECT x FROM a)" }, "a → c → a"],
    ["its own model by a path in a subquery", { b: "EXISTS (SELECT 1 FROM a AS i WHERE i.b.x = 1)" }, "b → b"],
    [
      "an own path named in a subquery",
      { a: "x IN (SELECT id FROM c WHERE id = a.far)", b: "x IN (SELECT x FROM a)" },
      "a → b → a",
    ],
    ["three models", { a: "b.x > 0", b: "c.x > 0", c: "x IN (SELECT x FROM a)" }, "a → b → c → a"],
  ])("%s", (_what, rules, cycle) => {
    const [first] = cycle.split(" ");
    expect(() => planned(`SELECT id FROM ${first}`, manifestWith(rules))).toThrow(
      expect.objectContaining({ reason: "MANIFEST_CYCLE", message: expect.stringContaining(cycle) }),
    );
  });

  test.each<readonly [string, Rules]>([
    ["a chain", { a: "b.x > 0", b: "c.x > 0", c: "x > 0" }],
    ["a common table of the model's name", { a: "x IN (WITH a AS (SELECT x FROM c) SELECT x FROM a)" }],
    ["one that a nested query reads", { a: "x IN (WITH A AS (SELECT x FROM c) SELECT x FROM (SELECT x FROM a) t)" }],
    ["one that another reads", { a: "x IN (WITH a AS (SELECT x FROM c), t AS (SELECT x FROM a) SELECT x FROM t)" }],
    [
      "an own column with the name of another one's",
      { a: "x IN (SELECT id FROM b WHERE id = a.far)", c: "x IN (SELECT x FROM a)" },
    ],
    ["a star that needs no column", { a: "EXISTS (SELECT * FROM b WHERE b.id = a.next_id)" }],
    [
      "a function of a column with a model's name",
      { a: "EXISTS (SELECT 1 FROM generate_series(a.c, 3))", c: "x IN (SELECT x FROM a)" },
    ],
    ["a metric of another", { a: "x IN (SELECT n FROM b_metric)" }],
    ["one model twice", { a: "b.x > 0 AND x IN (SELECT x FROM b)", b: "x > 0" }],
  ])("%s is no cycle", (_what, rules) => {
    expect(() => planned("SELECT id FROM a", manifestWith(rules))).not.toThrow();
  });

  test("a cycle concerns those who read one of its models, by whatever way", () => {
    const manifest = manifestWith({ a: "x IN (SELECT x FROM a)" });
    for (const sql of ["SELECT x FROM a_view", "SELECT a_sum FROM b", "SELECT 1 WHERE EXISTS (SELECT 1 FROM a)"]) {
      expect(() => planned(sql, manifest)).toThrow(expect.objectContaining({ reason: "MANIFEST_CYCLE" }));
    }
    expect(() => planned("SELECT x, far FROM b", manifest)).not.toThrow();
  });
});
