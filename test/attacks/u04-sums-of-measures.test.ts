/** `sum(measure)` over a cube was refused, though reporting tools can write nothing else. */
import { describe, expect, it } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { manifestOf, planned } from "../support/plan.ts";

const member = (name: string, expression: string, type: string) => ({ name, expression, type });
const MANIFEST = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "sale",
      tableReference: { table: "sale" },
      columns: [
        { name: "state", type: "VARCHAR" },
        { name: "price", type: "DECIMAL(10,2)" },
      ],
    },
  ],
  cubes: [
    {
      name: "sales",
      baseObject: "sale",
      dimensions: [member("state", "state", "VARCHAR")],
      measures: [
        member("revenue", "sum(price)", "DECIMAL"),
        member("orders", "count(*)", "BIGINT"),
        member("least", "min(price)", "DECIMAL"),
        member("most", "max(price)", "DECIMAL"),
        member("states", "count(DISTINCT state)", "BIGINT"),
        member("ratio", "sum(price) / count(*)", "DECIMAL"),
      ],
    },
  ],
});

const sqlOf = (sql: string): string => planned(sql, MANIFEST, { source: "duckdb" }).sql;

function reasonOf(sql: string): string {
  try {
    return sqlOf(sql);
  } catch (error) {
    if (!(error instanceof PlannerError)) throw error;
    return `${error.reason}: ${error.message} ${error.hint ?? ""}`;
  }
}

describe("aggregates of a cube's measures", () => {
  it.each([
    ["sum(revenue)", "revenue"],
    ["SUM(orders)", "orders"],
    ["min(least)", "least"],
    ["max(most)", "most"],
  ])("%s is the measure", (aggregate, measure) => {
    const query = (item: string) => `SELECT state, ${item} AS m FROM sales GROUP BY state ORDER BY state`;
    expect(reasonOf(query(aggregate))).toBe(sqlOf(query(measure)));
  });

  it("sorts and filters groups by a sum of a measure", () => {
    const query = (m: string) => `SELECT state FROM sales GROUP BY state HAVING ${m} > 10 ORDER BY ${m} DESC`;
    expect(reasonOf(query("sum(revenue)"))).toBe(sqlOf(query("revenue")));
  });

  it.each([
    ["sum(states)", "only sums and counts of rows add up"],
    ["sum(ratio)", "only sums and counts of rows add up"],
    ["min(revenue)", "no least value"],
    ["max(orders)", "no greatest value"],
    ["avg(revenue)", "an aggregate already"],
    ["count(*)", "count the groups"],
  ])("%s is refused with the reason", (aggregate, reason) => {
    expect(reasonOf(`SELECT ${aggregate} FROM sales`)).toContain(reason);
    expect(reasonOf(`SELECT ${aggregate} FROM sales`)).toMatch(/^INVALID_QUERY/);
  });
});
