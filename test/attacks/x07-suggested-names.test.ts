/** No message names a column that its reader may not see, by whatever way the name that was not found is reached. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { manifestOf, planned, plannedCube } from "../support/plan.ts";

const DENIED = {
  columnLevelAccessControl: {
    name: "clerks",
    requiredProperties: [{ name: "level", required: true }],
    operator: "EQUALS",
    threshold: { value: "1", dataType: "NUMERIC" },
  },
};
const column = (name: string, type: string, more: object = {}) => ({ name, type, ...more });

/** `more`: of the manifest's models, which a modeller has misspelt something in. */
function manifestWith({
  columns = [],
  rule,
  cubes = [],
}: {
  columns?: object[];
  rule?: string;
  cubes?: object[];
} = {}) {
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: [
      {
        name: "orders",
        tableReference: { table: "orders" },
        primaryKey: "id",
        columns: [
          column("id", "INTEGER"),
          column("customer_id", "INTEGER"),
          column("customer", "customer", { relationship: "orders_customer" }),
          column("secret_note", "VARCHAR", DENIED),
          column("secret_plan", "VARCHAR", { isHidden: true }),
          column("secret_twice", "VARCHAR", { isCalculated: true, expression: "concat(secret_note, secret_note)" }),
          column("secret_path", "VARCHAR", { isCalculated: true, expression: "customer.secret_ssn" }),
          ...columns,
        ],
        ...(rule !== undefined && {
          rowLevelAccessControls: [{ name: "r", requiredProperties: [], condition: rule }],
        }),
      },
      {
        name: "customer",
        tableReference: { table: "customer" },
        primaryKey: "id",
        columns: [
          column("id", "INTEGER"),
          column("name", "VARCHAR"),
          column("secret_ssn", "VARCHAR", DENIED),
          column("secret_margin", "DOUBLE", { isHidden: true }),
          column("region", "region", { relationship: "customer_region" }),
        ],
      },
      {
        name: "region",
        tableReference: { table: "region" },
        primaryKey: "name",
        columns: [column("name", "VARCHAR"), column("secret_code", "VARCHAR", DENIED)],
      },
    ],
    relationships: [
      {
        name: "orders_customer",
        models: ["orders", "customer"],
        joinType: "MANY_TO_ONE",
        condition: "orders.customer_id = customer.id",
      },
      {
        name: "customer_region",
        models: ["customer", "region"],
        joinType: "MANY_TO_ONE",
        condition: "customer.name = region.name",
      },
    ],
    cubes: [
      {
        name: "sales",
        baseObject: "orders",
        measures: [{ name: "secret_sum", expression: "count(secret_note)", type: "BIGINT" }],
        dimensions: [{ name: "secret_by", expression: "customer.secret_ssn", type: "VARCHAR" }],
      },
      ...cubes,
    ],
  });
}

const SESSION = new Map([["level", "7"]]);

function shownBy(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    return [error.message, error.hint, ...error.suggestions].join("\n");
  }
  throw new Error("planned");
}

const settings = { source: "postgres", session: SESSION } as const;

describe("names that callers write", () => {
  test.each([
    "SELECT customer.secret_snn FROM orders",
    "SELECT customer.secret FROM orders",
    "SELECT o.customer.secret_ss FROM orders o",
    "SELECT orders.customer.secret_marginn FROM orders",
    "SELECT customer.region.secret_codes FROM orders",
    "SELECT c.region.secret_cod FROM customer c",
    "SELECT id FROM orders WHERE customer.secret_sssn = 'x'",
    "SELECT id FROM orders ORDER BY customer.secret_sn",
    "SELECT count(*) FROM orders GROUP BY customer.secret_ssnn",
    "SELECT (SELECT o.customer.secret_sn) FROM orders o",
    "SELECT o.id FROM orders o JOIN customer c ON o.customer.secret_sn = c.name",
    "SELECT secret_not FROM orders",
    "SELECT secret_twic FROM orders",
    "SELECT secret_pat FROM orders",
    "SELECT orders.secret_pla FROM orders",
    "SELECT * EXCEPT (secret_not) FROM orders",
    "SELECT secret_not FROM (SELECT * FROM orders) q",
    "WITH q AS (SELECT * FROM orders) SELECT q.secret_not FROM q",
    "SELECT 1 FROM orders a JOIN orders b USING (secret_not)",
    "SELECT secret_su FROM sales",
    "SELECT secret_b FROM sales",
  ])("%s", (sql) => {
    expect(shownBy(() => planned(sql, manifestWith(), settings))).not.toMatch(
      /secret_(note|plan|twice|path|ssn|margin|code|sum|by)\b/,
    );
  });

  test.each([
    { cube: "sales", measures: ["secret_su"] },
    { cube: "sales", dimensions: ["secret_bb"] },
  ])("$cube asked for $measures $dimensions", (cube) => {
    expect(shownBy(() => plannedCube(cube, manifestWith(), settings))).not.toMatch(/secret_(sum|by|note|ssn)\b/);
  });

  test("a name that may be seen is suggested still", () => {
    expect(shownBy(() => planned("SELECT customer.nam FROM orders", manifestWith(), settings))).toContain('"name"');
  });
});

describe("names in the manifest's own text, whose errors callers read", () => {
  const shown = (more: Parameters<typeof manifestWith>[0], sql: string): string =>
    shownBy(() => planned(sql, manifestWith(more), settings));
  const calculated = (expression: string) => ({
    columns: [column("made", "VARCHAR", { isCalculated: true, expression })],
  });

  test.each<[what: string, more: Parameters<typeof manifestWith>[0], sql: string]>([
    ["a calculated column", calculated("concat(secret_not, 'x')"), "SELECT made FROM orders"],
    ["a path of one", calculated("customer.secret_sn"), "SELECT made FROM orders"],
    ["an aggregate of one", calculated("max(customer.secret_sn)"), "SELECT made FROM orders"],
    ["a row rule", { rule: "secret_not = 'x'" }, "SELECT id FROM orders"],
    ["a path of a row rule", { rule: "customer.secret_sn = 'x'" }, "SELECT id FROM orders"],
    ["a subquery of a row rule", { rule: "id IN (SELECT secret_sn FROM customer)" }, "SELECT id FROM orders"],
    [
      "a name in a subquery of a row rule",
      { rule: "EXISTS (SELECT 1 FROM customer c WHERE c.secret_marg = 1)" },
      "SELECT id FROM orders",
    ],
    [
      "a measure",
      {
        cubes: [
          {
            name: "more",
            baseObject: "orders",
            measures: [{ name: "m", expression: "max(secret_not)", type: "VARCHAR" }],
          },
        ],
      },
      "SELECT m FROM more",
    ],
    [
      "a measure over hidden columns",
      {
        cubes: [
          {
            name: "more",
            baseObject: "orders",
            measures: [{ name: "m", expression: "max(secret_pla)", type: "VARCHAR" }],
          },
        ],
      },
      "SELECT m FROM more",
    ],
  ])("%s", (_what, more, sql) => {
    expect(shown(more, sql)).not.toMatch(/secret_(note|plan|twice|path|ssn|margin|code|sum|by)\b/);
  });
});
