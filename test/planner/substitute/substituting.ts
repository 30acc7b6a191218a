/** Substitution in tests: one manifest of many tables, failures as exceptions. */
import { substituteTables } from "../../../src/planner/index.ts";
import { DEFAULT_LIMITS, type PlannerLimits } from "../../../src/planner/limits.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { manifestOf } from "../../support/plan.ts";

const model = (name: string, tableReference: object | undefined, more: object = {}): object => ({
  name,
  tableReference,
  columns: [{ name: "id", type: "INTEGER" }],
  ...more,
});

const MANIFEST = manifestOf({
  catalog: "my_catalog",
  schema: "my_schema",
  models: [
    model("Orders", { catalog: "test", schema: "public", table: "orders" }),
    model("Lines", { schema: "public", table: "lines" }),
    model("Bare", { table: "bare" }),
    model("Dashed", { catalog: "my-project", schema: "sales", table: "orders_2024" }),
    model("File", { table: "data/facts.parquet" }),
    model("Upper", { schema: "SYSTEM", table: "ORDERS" }),
    model("Twice1", { schema: "public", table: "Twice" }),
    model("Twice2", { schema: "public", table: "TWICE" }),
    model("Same1", { schema: "public", table: "same" }),
    model("Same2", { schema: "public", table: "same" }),
    model('Qu"ote', { schema: "public", table: 'qu"ote' }),
    model("Written", undefined, { refSql: "SELECT 1 AS id" }),
  ],
});

export interface Settings {
  readonly source?: DataSource;
  readonly catalog?: string;
  readonly schema?: string;
  readonly limits?: Partial<PlannerLimits>;
}

export function substituted(sql: string, settings: Settings = {}) {
  const { source = "postgres", catalog, schema, limits } = settings;
  const outcome = substituteTables({
    sql,
    source,
    manifest: MANIFEST,
    defaults: { catalog, schema },
    limits: { ...DEFAULT_LIMITS, ...limits },
  });
  if (!outcome.ok) throw outcome.error;
  return outcome.value;
}

/** How the models appear in results; `$O` in expected texts is `Orders`, `$L` is `Lines`, `$B` is `Bare`. */
export function expanded(text: string): string {
  const path = (name: string): string => `"my_catalog"."my_schema"."${name}"`;
  return text.replaceAll("$O", path("Orders")).replaceAll("$L", path("Lines")).replaceAll("$B", path("Bare"));
}
