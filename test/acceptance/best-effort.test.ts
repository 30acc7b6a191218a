/**
 * The acceptance cases over models with row rules, planned for every source under `ROW_RULES=besteffort`: whatever a source plans
 * without the rules it plans with them. BigQuery refuses what no IF over a rule can hold, each time with a reason.
 */
import { describe, expect, test } from "vitest";
import { type Manifest, type Outcome, plan } from "../../src/planner/index.ts";
import type { DataSource, Plan } from "../../src/planner/plan.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { manifestOf, requestOf } from "../support/plan.ts";
import { MANIFEST_DATA, QUERY_CASES, type QueryCase } from "./cases.ts";

const hasRules = ({ manifest, operation, expected }: QueryCase): boolean =>
  operation === "query" && expected.type === "rows" && JSON.stringify(MANIFEST_DATA[manifest]).includes(RULES);

const RULES = '"rowLevelAccessControls"';
const CASES = QUERY_CASES.filter(hasRules);

function planned(each: QueryCase, manifest: Manifest, source: DataSource): Outcome<Plan> {
  const session = new Map(Object.entries(each.sessionProperties).map(([name, value]) => [name.toLowerCase(), value]));
  const settings = { source, session, unprovenFence: true, options: { bestEffort: new Set(DATA_SOURCES) } };
  return plan({ sql: each.sql, ...requestOf(manifest, settings) });
}

/** The manifest without its row rules. */
const freed = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data, (key, value: unknown) => (key === "rowLevelAccessControls" ? undefined : value)));

/** The cases that BigQuery refuses, by the reason that its error gives. */
const REFUSED_ON_BIGQUERY: Readonly<Record<string, string>> = {
  H45: "an expression that can fail over rows without a row rule, in a statement over a model with row rules",
};

test("there are cases over row rules", () => {
  expect(CASES.length).toBeGreaterThanOrEqual(20);
});

describe.each(DATA_SOURCES)("%s", (source) => {
  test.each(CASES)("$id $title", (each) => {
    const data = MANIFEST_DATA[each.manifest];
    const without = planned(each, manifestOf(freed(data)), source);
    const under = planned(each, manifestOf(data), source);
    if (!without.ok) return;
    const reason = source === "bigquery" ? REFUSED_ON_BIGQUERY[each.id] : undefined;
    if (reason !== undefined) {
      if (under.ok) throw new Error("BigQuery plans it: its row of REFUSED_ON_BIGQUERY is out of date");
      expect(under.error.reason).toBe("UNSUPPORTED_ON_SOURCE");
      expect(under.error.message).toContain(reason);
      expect(under.error.hint).toContain("lists what IF over a row rule can hold");
      return;
    }
    if (!under.ok) throw under.error;
    expect(under.value.rowRules).toMatch(/^(?:none|plain|fenced|besteffort)$/);
  });
});
