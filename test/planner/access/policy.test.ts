import { describe, expect, test } from "vitest";
import type { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { Plan } from "../../../src/planner/plan.ts";
import { manifestOf, type PlanSettings, planned } from "../../support/plan.ts";

const level = (required: boolean, defaultExpr?: string): object => ({
  name: "clearance",
  requiredProperties: [{ name: "Level", required, ...(defaultExpr !== undefined && { defaultExpr }) }],
  operator: "GREATER_THAN",
  threshold: "5",
});

const rowRule = (name: string, property: string, required: boolean): object => ({
  name,
  requiredProperties: [{ name: property, required }],
  condition: `owner = @${property}`,
});

/** `orders` with its rules, beside `items`, whose rows lead to it and which has none. */
function shop({ rows = [], column = undefined as object | undefined, broken = false, views = {} } = {}) {
  const ruled = column === undefined ? {} : { columnLevelAccessControl: column };
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "orders",
        tableReference: { schema: "s", table: "orders" },
        primaryKey: "key",
        rowLevelAccessControls: rows,
        columns: [
          { name: "key", type: "INTEGER", ...ruled },
          { name: "owner", type: "VARCHAR" },
          { name: "salary", type: "INTEGER", ...ruled },
          { name: "twice", type: "INTEGER", isCalculated: true, expression: "salary * 2" },
          { name: "four_times", type: "INTEGER", isCalculated: true, expression: "twice * 2" },
          { name: "items", type: "items", relationship: "items_orders" },
          { name: "item_count", type: "BIGINT", isCalculated: true, expression: "count(items.id)" },
        ],
      },
      {
        name: "items",
        tableReference: { schema: "s", table: "items" },
        primaryKey: "id",
        columns: [
          { name: "id", type: "INTEGER" },
          { name: "order_key", type: "INTEGER" },
          { name: "order", type: "orders", relationship: "items_orders" },
          { name: "order_owner", type: "VARCHAR", isCalculated: true, expression: '"order".owner' },
          { name: "order_salary", type: "INTEGER", isCalculated: true, expression: '"order".salary' },
          { name: "order_twice", type: "INTEGER", isCalculated: true, expression: '"order".twice' },
        ],
      },
      ...(broken ? [{ name: "broken", tableReference: 7, columns: [] }] : []),
    ],
    relationships: [
      {
        name: "items_orders",
        models: ["items", "orders"],
        joinType: "MANY_TO_ONE",
        condition: "items.order_key = orders.key",
      },
    ],
    views: [
      { name: "salaries", statement: "SELECT owner, salary FROM orders" },
      { name: "keyless", statement: "SELECT owner FROM orders" },
      { name: "everything", statement: "SELECT * FROM orders" },
      ...Object.entries(views).map(([name, statement]) => ({ name, statement })),
    ],
    metrics: [
      {
        name: "Lines",
        baseObject: "orders",
        dimension: [
          { name: "owner", type: "VARCHAR" },
          { name: "salary", type: "INTEGER" },
        ],
        measure: [{ name: "lines", type: "BIGINT", expression: "count(*)" }],
      },
    ],
    cubes: [
      {
        name: "pay_cube",
        baseObject: "pay",
        measures: [
          { name: "n", type: "BIGINT", expression: "count(*)" },
          { name: "most", type: "INTEGER", expression: "max(salary)" },
        ],
        dimensions: [
          { name: "owner", type: "VARCHAR", expression: "owner" },
          { name: "amount", type: "INTEGER", expression: "salary" },
        ],
      },
      {
        name: "line_cube",
        baseObject: "orders",
        measures: [{ name: "lines", type: "BIGINT", expression: "count(*)" }],
        dimensions: [{ name: "salary", type: "INTEGER", expression: "salary" }],
      },
    ],
  });
}

const withLevel = (text?: string): PlanSettings =>
  text === undefined ? { source: "postgres" } : { source: "postgres", session: new Map([["level", text]]) };
const namesOf = ({ columns }: Plan): readonly string[] => columns.map(({ name }) => name);

function errorOf(run: () => unknown): PlannerError {
  try {
    run();
  } catch (error) {
    return error as PlannerError;
  }
  throw new Error("planned");
}

describe("columns that a rule withholds", () => {
  const manifest = shop({ column: level(true) });

  test.each([
    ["SELECT * FROM orders", ["owner", "item_count"]],
    ["SELECT o.* FROM orders o JOIN items i ON true", ["owner", "item_count"]],
    ["SELECT * FROM everything", ["owner", "item_count"]],
    ["SELECT * FROM keyless", ["owner"]],
    ["SELECT count(*) FROM orders", ["count(*)"]],
    ["SELECT * FROM items", ["id", "order_key", "order_owner"]],
    ["SELECT order_owner FROM items", ["order_owner"]],
    ["SELECT i.order.owner FROM items i", ["owner"]],
    ["SELECT item_count FROM orders", ["item_count"]],
    ["SELECT a.owner FROM orders a NATURAL JOIN orders b", ["owner"]],
  ])("%s", (sql, names) => {
    expect(namesOf(planned(sql, manifest, withLevel("1")))).toEqual(names);
  });

  test.each([
    ["SELECT salary FROM orders", "salary"],
    ["SELECT twice FROM orders", "salary"],
    ["SELECT four_times FROM orders", "salary"],
    ["SELECT key FROM orders", "key"],
    ["SELECT order_salary FROM items", "salary"],
    ["SELECT order_twice FROM items", "salary"],
    ["SELECT i.order.salary FROM items i", "salary"],
    ["SELECT i.order.four_times FROM items i", "salary"],
    ["SELECT salary FROM salaries", "salary"],
    ["SELECT 1 FROM orders ORDER BY SALARY", "salary"],
    ["SELECT 1 FROM orders a JOIN orders b USING (key)", "key"],
  ])("%s is refused by the name of the column with the rule", (sql, column) => {
    const error = errorOf(() => planned(sql, manifest, withLevel("1")));
    expect(error.reason).toBe("ACCESS_DENIED");
    expect(error.message).toContain(
      `Permission Denied: Access denied to column "orders"."${column}": violates access control rule "clearance"`,
    );
    expect(error.span).toBeDefined();
  });

  test("who may see them sees all", () => {
    const plan = planned("SELECT * FROM orders", manifest, withLevel("6"));
    expect(namesOf(plan)).toEqual(["key", "owner", "salary", "twice", "four_times", "item_count"]);
    expect(plan.restricted).toBe(false);
  });

  test.each([
    "SELECT owne FROM orders",
    "SELECT salar FROM orders",
    "SELECT o.x FROM orders o",
    "SELECT x FROM orders",
  ])("%s: no suggestion names them", (sql) => {
    for (const settings of [withLevel("1"), withLevel()]) {
      const { reason, message, hint, suggestions } = errorOf(() => planned(sql, manifest, settings));
      expect(reason).toBe("COLUMN_NOT_FOUND");
      expect([message, hint, ...suggestions].join().replace("salar ", "")).not.toMatch(/salary|twice|four_times|key/);
    }
  });

  test("a property is required only by those who need the column", () => {
    expect(namesOf(planned("SELECT owner FROM orders", manifest, withLevel()))).toEqual(["owner"]);
    for (const sql of ["SELECT salary FROM orders", "SELECT * FROM orders"]) {
      expect(errorOf(() => planned(sql, manifest, withLevel())).reason).toBe("SESSION_PROPERTY_REQUIRED");
    }
  });
});

describe("views that select what their caller may not name", () => {
  const VIEWS = {
    pay: "SELECT owner, salary, twice AS double, salary + 1, upper(owner) FROM orders",
    whole: "SELECT * FROM pay",
    renamed: "SELECT p.owner AS who, double AS pay FROM pay AS p",
    listed: "SELECT owner, b FROM (SELECT owner, salary FROM orders) AS t (owner, b)",
    by_table: "WITH t AS (SELECT owner, salary FROM orders) SELECT owner FROM t",
    joined: "SELECT o.owner, i.order_salary, i.id FROM orders o JOIN items i ON i.id = 1",
    looked_up: "SELECT id, (SELECT salary FROM orders WHERE owner = 'a') AS found FROM items",
    ranked: "SELECT owner, row_number() OVER (ORDER BY salary) AS place FROM orders",
    replaced: "SELECT * REPLACE (salary AS owner) FROM orders",
    filtered: "SELECT owner FROM orders WHERE salary > 1",
    filtered_below: "SELECT owner FROM (SELECT owner, salary FROM orders) t WHERE salary > 1",
    sorted: "SELECT owner, salary FROM orders ORDER BY salary",
    sorted_by_place: "SELECT owner, salary FROM orders ORDER BY 2",
    sorted_by_alias: "SELECT owner, salary AS s FROM orders ORDER BY s + 1",
    first: "SELECT owner FROM orders ORDER BY salary LIMIT 1",
    grouped: "SELECT owner, salary FROM orders GROUP BY owner, salary",
    grouped_by_place: "SELECT owner, salary FROM orders GROUP BY 1, 2",
    largest: "SELECT owner, max(salary) AS most FROM orders GROUP BY owner",
    total: "SELECT max(salary) AS most FROM orders",
    groups: "SELECT owner FROM orders GROUP BY owner HAVING max(salary) > 1",
    different: "SELECT DISTINCT owner, salary FROM orders",
    distinct_on: "SELECT DISTINCT ON (salary) owner FROM orders",
    united: "SELECT owner, 1 AS x FROM orders UNION ALL SELECT owner, salary FROM orders",
    nested_arm: "SELECT 'a' AS owner, 1 AS x UNION ALL (SELECT owner, salary FROM orders)",
    ranked_first: "SELECT owner FROM orders QUALIFY row_number() OVER (ORDER BY salary) = 1",
    related: "SELECT a.owner FROM orders a JOIN orders b ON a.salary = b.salary",
    used: "SELECT a.owner FROM orders a JOIN orders b USING (salary)",
    chosen: "SELECT id FROM items WHERE id IN (SELECT salary FROM orders)",
    compared: "SELECT id FROM items WHERE id = (SELECT max(salary) FROM orders)",
    repeated: "SELECT owner, unnest(ARRAY[salary, 1]) AS u FROM orders",
    unknown: "SELECT owner, explode(salary) AS u FROM orders",
    by_metric: 'SELECT salary, lines FROM "Lines"',
    by_cube: "SELECT salary, lines FROM line_cube",
    recursive: `WITH RECURSIVE t AS (SELECT owner, 1 AS n FROM orders UNION ALL
      SELECT t.owner, o.salary FROM t JOIN orders o ON o.owner = t.owner WHERE n < 2) SELECT owner FROM t`,
  };
  const manifest = shop({ column: level(true), views: VIEWS });
  const refused = (sql: string): PlannerError => errorOf(() => planned(sql, manifest, withLevel("1")));

  test.each([
    ["SELECT owner FROM pay", ["owner"]],
    ["SELECT * FROM pay", ["owner", "upper(owner)"]],
    ["SELECT count(*) FROM pay", ["count(*)"]],
    ["SELECT p.* FROM pay AS p", ["owner", "upper(owner)"]],
    ["SELECT * FROM whole", ["owner", "upper(owner)"]],
    ["SELECT * FROM renamed", ["who"]],
    ["SELECT * FROM listed", ["owner"]],
    ["SELECT owner FROM by_table", ["owner"]],
    ["SELECT * FROM joined", ["owner", "id"]],
    ["SELECT * FROM looked_up", ["id"]],
    ["SELECT * FROM ranked", ["owner"]],
    ["SELECT a FROM pay AS p (a, b)", ["a"]],
    ["SELECT * FROM pay a NATURAL JOIN pay b", ["owner", "upper(owner)"]],
    ['SELECT * FROM "Lines"', ["owner", "lines"]],
    ['SELECT lines FROM "Lines"', ["lines"]],
    ["SELECT * FROM pay_cube", ["owner", "n"]],
    ["SELECT n FROM pay_cube", ["n"]],
  ])("%s", (sql, names) => {
    const plan = planned(sql, manifest, withLevel("1"));
    expect(namesOf(plan)).toEqual(names);
    expect(plan.restricted).toBe(true);
    expect(plan.sql).not.toMatch(/(?<!AS )\bsalary/);
    expect(plan.reads().flatMap(({ columns }) => columns)).not.toContain("salary");
  });

  test.each([
    ["SELECT salary FROM pay", "salary"],
    ["SELECT DOUBLE FROM pay", "DOUBLE"],
    ['SELECT "salary + 1" FROM pay', '"salary + 1"'],
    ["SELECT owner FROM pay WHERE salary > 1", "salary"],
    ["SELECT owner FROM pay ORDER BY double", "double"],
    ["SELECT count(*) FROM pay GROUP BY salary", "salary"],
    ["SELECT a.owner FROM pay a JOIN pay b USING (salary)", "salary"],
    ["SELECT max(p.salary) FROM pay AS p", "p.salary"],
    ["SELECT pay FROM renamed", "pay"],
    ["SELECT b FROM listed", "b"],
    ["SELECT found FROM looked_up", "found"],
    ["SELECT place FROM ranked", "place"],
    ["SELECT owner FROM replaced", "owner"],
    ['SELECT salary FROM "Lines"', "salary"],
    ['SELECT lines FROM "Lines" WHERE salary > 1', "salary"],
    ["SELECT most FROM pay_cube", "most"],
    ["SELECT n FROM pay_cube WHERE amount = 1", "amount"],
  ])("%s is refused where it is named", (sql, name) => {
    const { reason, span } = refused(sql);
    expect([reason, sql.slice(span?.start, span?.end)]).toEqual(["ACCESS_DENIED", name]);
  });

  test.each([
    ...["filtered", "filtered_below", "sorted", "sorted_by_place", "sorted_by_alias", "first", "grouped"],
    ...["grouped_by_place", "largest", "total", "groups", "different", "distinct_on", "united", "nested_arm"],
    ...["ranked_first", "related", "used", "chosen", "compared", "repeated", "unknown", "by_metric", "by_cube"],
    ...["recursive", '"Lines"'],
  ])("what decides about the rows of %s is used, whatever its caller names", (view) => {
    const sql = `SELECT count(*) FROM ${view}`;
    const error = refused(sql);
    expect(error.reason).toBe("ACCESS_DENIED");
    expect(error.message).toContain('Access denied to column "orders"."salary"');
  });

  test.each(["SELECT salar FROM pay", "SELECT place2 FROM ranked", "SELECT mos FROM pay_cube"])(
    "%s: no suggestion names them",
    (sql) => {
      const { message, hint, suggestions } = refused(sql);
      expect([message, hint, ...suggestions].join().replace("salar ", "")).not.toMatch(/salary|place\b|most/);
    },
  );

  test.each(Object.keys(VIEWS).filter((view) => !["repeated", "unknown", "by_cube"].includes(view)))(
    "who may name them sees all of %s",
    (view) => expect(planned(`SELECT * FROM ${view}`, manifest, withLevel("6")).restricted).toBe(false),
  );
});

describe("what a plan tells of columns that its caller may not know of", () => {
  const told = (sql: string, text: string): string => {
    const manifest = manifestOf({
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "orders",
          tableReference: { table: "orders" },
          rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "tenant = 1 AND salary > 0" }],
          columns: [
            { name: "owner", type: "VARCHAR" },
            { name: "tenant", type: "INTEGER", isHidden: true },
            { name: "salary", type: "INTEGER", columnLevelAccessControl: level(true) },
            { name: "doubled", type: "INTEGER", isCalculated: true, expression: "tenant * 2" },
          ],
        },
      ],
      cubes: [
        {
          name: "by_tenant",
          baseObject: "orders",
          measures: [{ name: "n", type: "BIGINT", expression: "sum(tenant)" }],
          dimensions: [{ name: "who", type: "INTEGER", expression: "tenant + 1" }],
        },
      ],
    });
    const { reads, lineage } = planned(sql, manifest, withLevel(text));
    return JSON.stringify([reads().map(({ columns }) => columns), lineage().map(({ sources }) => sources)]);
  };

  test.each([
    ["SELECT owner FROM orders", "1", '[[["owner"]],[["orders.owner"]]]'],
    ["SELECT doubled FROM orders", "1", '[[["doubled"]],[["orders.doubled"]]]'],
    ["SELECT who, n FROM by_tenant", "1", "[[[]],[[],[]]]"],
    ["SELECT salary FROM orders", "6", '[[["salary"]],[["orders.salary"]]]'],
  ])("%s", (sql, text, expected) => expect(told(sql, text)).toBe(expected));
});

describe("rules whose property is optional and absent", () => {
  const rows = [rowRule("own", "user", false), rowRule("own too", "user", false)] as never[];
  const manifest = shop({ rows, column: level(false) });

  test("are skipped with a warning each, once", () => {
    const plan = planned("SELECT a.* FROM orders a JOIN orders b ON true", manifest, withLevel());
    expect(plan.restricted).toBe(false);
    expect(plan.sql).not.toContain("OFFSET");
    expect(plan.warnings.map(({ code }) => code)).toEqual(Array(plan.warnings.length).fill("ACCESS_RULE_SKIPPED"));
    expect(plan.warnings.map(({ message }) => message).toSorted()).toEqual([
      'column rule "clearance" of model "orders" is skipped: the session property Level is not set',
      'row rule "own too" of model "orders" is skipped: the session property user is not set',
      'row rule "own" of model "orders" is skipped: the session property user is not set',
    ]);
  });

  test("are no warning for queries that do not need them", () => {
    expect(planned("SELECT id FROM items", manifest, withLevel()).warnings).toEqual([]);
  });

  test.each(["SELECT owner FROM orders", "SELECT order_owner FROM items", "SELECT count(*) FROM keyless"])(
    "%s is refused when access control is strict",
    (sql) => {
      const strict = { ...withLevel(), options: { accessControl: "strict" as const } };
      expect(errorOf(() => planned(sql, manifest, strict))).toMatchObject({
        reason: "SESSION_PROPERTY_REQUIRED",
        message: "session property user is required for `own` rule but not found in headers",
      });
      expect(planned("SELECT id FROM items", manifest, strict).warnings).toEqual([]);
    },
  );

  test("strict access control knows defaults", () => {
    const byDefault = shop({ column: level(false, "9") });
    const strict = { ...withLevel(), options: { accessControl: "strict" as const } };
    expect(namesOf(planned("SELECT salary FROM orders", byDefault, strict))).toEqual(["salary"]);
  });
});

describe("whether anything is withheld", () => {
  const user = { source: "postgres" as const, session: new Map([["user", "'ann'"]]) };

  test.each([
    ["a model with a row rule", "SELECT owner FROM orders", true],
    ["a path to it", "SELECT order_owner FROM items", true],
    ["a view over it", "SELECT * FROM keyless", true],
    ["a to-many column of another", "SELECT (SELECT max(item_count) FROM orders) FROM items", true],
    ["a model without", "SELECT id FROM items", false],
  ])("%s: %s", (_what, sql, restricted) => {
    const manifest = shop({ rows: [rowRule("own", "user", true)] as never[] });
    expect(planned(sql, manifest, user).restricted).toBe(restricted);
  });

  test.each<readonly [string, Parameters<typeof shop>[0], PlanSettings, boolean]>([
    ["no rules", {}, user, true],
    ["a row rule of a model that is not read", { rows: [rowRule("own", "user", true)] as never[] }, user, false],
    ["a row rule whose property is missing", { rows: [rowRule("own", "user", true)] as never[] }, withLevel(), false],
    ["a row rule that is skipped", { rows: [rowRule("own", "user", false)] as never[] }, withLevel(), true],
    ["a column rule that withholds", { column: level(true) }, withLevel("1"), false],
    ["a column rule that does not", { column: level(true) }, withLevel("9"), true],
    ["a column rule whose property is wrong", { column: level(true) }, withLevel("admin"), false],
    ["a column rule that is skipped", { column: level(false) }, withLevel(), true],
    ["a model that is broken", { broken: true }, user, false],
  ])("unknown functions with %s (docs/decisions/0019-functions.md#decision)", (_what, rules, settings, allowed) => {
    for (const sql of ["SELECT mystery('select * from s.orders')", "SELECT mystery(id) FROM items"]) {
      if (allowed) expect(planned(sql, shop(rules), settings).warnings).toMatchObject([{ code: "UNKNOWN_FUNCTION" }]);
      else expect(errorOf(() => planned(sql, shop(rules), settings)).reason).toBe("FUNCTION_NOT_ALLOWED");
    }
    expect(() => planned("SELECT upper('x') FROM items", shop(rules), settings)).not.toThrow();
  });
});

test("a rule may read what its user may not", () => {
  const manifest = shop({
    rows: [{ name: "paid", requiredProperties: [], condition: "salary > 0 AND four_times > 4" }] as never[],
    column: level(true),
  });
  expect(planned("SELECT owner FROM orders", manifest, withLevel("1")).sql).toContain("salary > 0");
});
