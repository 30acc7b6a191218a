/** Names that the planner must not reveal: hidden columns, relationship handles, physical names. And names that break programs. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { manifestOf, planned } from "../support/plan.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "orders",
      tableReference: { schema: "zz_physical_schema", table: "zz_physical_orders" },
      primaryKey: "id",
      columns: [
        { name: "id", type: "INTEGER", expression: "zz_physical_id" },
        { name: "customer_id", type: "INTEGER", expression: "zz_physical_customer" },
        { name: "status", type: "VARCHAR", expression: "zz_physical_status" },
        { name: "zz_hidden_secret", type: "VARCHAR", isHidden: true },
        { name: "zz_handle", type: "customers", relationship: "orders_customers" },
        { name: "total", type: "DECIMAL(10,2)", expression: "zz_physical_total" },
      ],
    },
    {
      name: "customers",
      refSql: "SELECT * FROM zz_physical_customers",
      primaryKey: "id",
      columns: [
        { name: "id", type: "INTEGER" },
        { name: "name", type: "VARCHAR" },
        { name: "zz_hidden_margin", type: "DOUBLE", isHidden: true },
      ],
    },
  ],
  relationships: [
    {
      name: "orders_customers",
      models: ["orders", "customers"],
      joinType: "MANY_TO_ONE",
      condition: "orders.customer_id = customers.id",
    },
  ],
});

function errorOf(sql: string): PlannerError {
  try {
    planned(sql, manifest, { source: "postgres" });
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error(`planned: ${sql}`);
}

/** Everything of an error that a caller may see, without the words of the query itself. */
function told(error: PlannerError): string {
  return [error.message, error.hint, ...error.suggestions].join("\n");
}

describe("errors do not name what the caller may not see", () => {
  test.each([
    "SELECT idd FROM orders",
    "SELECT o.x FROM orders o",
    "SELECT secret FROM orders",
    "SELECT hidden_secret FROM orders",
    "SELECT orders.physical_id FROM orders",
    "SELECT handle FROM orders",
    "SELECT 1 FROM physical",
    "SELECT 1 FROM physical_orders",
    "SELECT * EXCEPT (hidden) FROM orders",
    "SELECT * RENAME (handle AS x) FROM orders",
    "SELECT 1 FROM orders JOIN customers USING (hidden)",
    "SELECT id FROM orders, customers",
    "SELECT status, count(*) FROM orders",
    "SELECT status + 1 FROM orders",
    "SELECT total = status FROM orders",
    "SELECT id FROM orders WHERE id = 'x'",
    "SELECT upper(total) FROM orders",
    "SELECT max(id) FROM orders WHERE max(id) > 1",
    "SELECT total FROM orders ORDER BY 7",
  ])("%s", (sql) => {
    expect(told(errorOf(sql))).not.toMatch(/zz_/);
  });

  test.each([
    ["a hidden column", "SELECT zz_hidden_secret FROM orders"],
    ["a handle", "SELECT zz_handle FROM orders"],
    ["a physical column", "SELECT zz_physical_id FROM orders"],
    ["a hidden column of a related model", "SELECT zz_hidden_margin FROM customers"],
    ["a physical table", "SELECT 1 FROM zz_physical_orders"],
    ["a physical table with its schema", "SELECT 1 FROM zz_physical_schema.zz_physical_orders"],
    ["a hidden column in a subquery", "SELECT (SELECT o.zz_hidden_secret) FROM orders o"],
    ["a hidden column in ORDER BY", "SELECT id FROM orders ORDER BY zz_hidden_secret"],
    ["a hidden column in USING", "SELECT 1 FROM orders a JOIN orders b USING (zz_hidden_secret)"],
    ["a hidden column by EXCEPT", "SELECT * EXCEPT (zz_hidden_secret) FROM orders"],
    ["a whole row", "SELECT o FROM orders o"],
    ["a field of a whole row", "SELECT (o).zz_hidden_secret FROM orders o"],
    ["DuckDB's columns()", "SELECT columns('.*') FROM orders"],
  ])("%s is as unknown as any other name", (_what, sql) => {
    const secret = errorOf(sql);
    expect(["COLUMN_NOT_FOUND", "MODEL_NOT_FOUND", "FUNCTION_NOT_ALLOWED"]).toContain(secret.reason);
    const other = errorOf(sql.replaceAll(/zz_\w+/g, "qqqqqqqqqqqqqq"));
    const neutral = (error: PlannerError): string => told(error).replaceAll(/zz_\w+|q{14}/g, "?");
    expect(neutral(secret)).toBe(neutral(other));
  });

  test("star and NATURAL pass hidden columns by", () => {
    const names = (sql: string) => planned(sql, manifest, { source: "postgres" }).columns.map((column) => column.name);
    expect(names("SELECT * FROM orders")).toEqual(["id", "customer_id", "status", "total"]);
    expect(names("SELECT * FROM orders a NATURAL JOIN orders b")).toEqual(["id", "customer_id", "status", "total"]);
  });
});

describe("functions that read outside are refused wherever they stand", () => {
  const CALLS = ["pg_read_file('x')", "PG_READ_FILE('x')", "\"pg_read_file\"('x')", "pg_catalog.pg_read_file('x')"];
  test.each([
    "SELECT ?",
    "SELECT 1 WHERE ? = 'x'",
    "SELECT 1 ORDER BY ?",
    "SELECT count(*) GROUP BY ?",
    "SELECT count(*) HAVING ? = 'x'",
    "SELECT 1 LIMIT length(?)",
    "SELECT 1 OFFSET length(?)",
    "SELECT 1 FROM orders a JOIN orders b ON ? = 'x'",
    "SELECT 1 FROM (SELECT ?) d",
    "SELECT 1 FROM LATERAL (SELECT ?) d",
    "WITH c AS (SELECT ?) SELECT 1",
    "VALUES (?)",
    "SELECT count(*) FILTER (WHERE ? = 'x')",
    "SELECT sum(1) OVER (PARTITION BY ?)",
    "SELECT sum(1) OVER w WINDOW w AS (ORDER BY ?)",
    "SELECT string_agg('a', ?)",
    "SELECT string_agg('a', ',' ORDER BY ?)",
    "SELECT CASE WHEN ? = 'x' THEN 1 END",
    "SELECT CAST(? AS json)",
    "SELECT ARRAY[?]",
    "SELECT (?, 1) IN ((1, 2))",
    "SELECT DISTINCT ON (?) 1",
    "SELECT 1 UNION SELECT length(?)",
    "SELECT 1 FROM orders QUALIFY row_number() OVER (ORDER BY ?) = 1",
    "SELECT 1 FROM generate_series(1, length(?))",
    "SELECT * FROM ?",
    "SELECT upper(lower(?))",
    "SELECT my_function(?)",
    "SELECT ? IS NULL",
    "SELECT 1 FETCH FIRST length(?) ROWS ONLY",
  ])("%s", (template) => {
    for (const call of CALLS) {
      const error = errorOf(template.replace("?", () => call));
      expect(["FUNCTION_NOT_ALLOWED", "SYNTAX"], `${call}: ${error.message}`).toContain(error.reason);
    }
    expect(errorOf(template.replace("?", "pg_read_file('x')")).reason).toMatch(/FUNCTION_NOT_ALLOWED|SYNTAX/);
  });
});

describe("names that break programs", () => {
  const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "undefined", "null"];
  const quoted = (name: string): string => `"${name}"`;

  test.each(NAMES)("%s as model, column, alias and common table", (name) => {
    const odd = manifestOf({
      catalog: "c",
      schema: "s",
      models: [
        {
          name,
          tableReference: { schema: "main", table: "t" },
          primaryKey: name,
          columns: [
            { name, type: "INTEGER" },
            { name: "x", type: "INTEGER", isCalculated: true, expression: `${quoted(name)} + 1` },
          ],
        },
      ],
    });
    const n = quoted(name);
    const plan = planned(
      `WITH c${n.slice(1, -1)} AS (SELECT ${n}.${n}, x FROM ${n}) SELECT m.${n} AS ${n}, x FROM ${n} AS m ORDER BY ${n}`,
      odd,
      { source: "postgres" },
    );
    expect(plan.columns.map((column) => column.name)).toEqual([name, "x"]);
    expect(plan.reads()[0]?.columns).toEqual([name, "x"]);
    expect(plan.lineage()).toEqual([
      { column: name, sources: [`${name}.${name}`] },
      { column: "x", sources: [`${name}.x`] },
    ]);
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  test.each(NAMES)("%s is no function, type, column or model by itself", (name) => {
    for (const sql of [
      `SELECT ${quoted(name)} FROM orders`,
      `SELECT 1 FROM ${quoted(name)}`,
      `SELECT o.${quoted(name)} FROM orders o`,
    ]) {
      expect(errorOf(sql).reason).toMatch(/NOT_FOUND/);
    }
    const plan = planned(`SELECT ${quoted(name)}(1)`, manifest, { source: "postgres" });
    expect(plan.warnings.map((warning) => warning.code)).toEqual(["UNKNOWN_FUNCTION"]);
  });

  test.each([
    ["NUL in a text", "SELECT 'a\u0000b'"],
    ["NUL in a name", 'SELECT 1 AS "a\u0000b"'],
    ["half a pair in a text", "SELECT '\ud800'"],
    ["half a pair in a name", 'SELECT 1 AS "\udc00"'],
  ])("%s is refused", (_what, sql) => {
    expect(errorOf(sql).reason).toBe("SYNTAX");
  });
});
