/** Sources on which an average or a quotient needs operands of known types. Their operands become doubles. */
import type { DataSource } from "../../src/planner/plan.ts";

const TYPE: Partial<Record<DataSource, string>> = { databricks: "DOUBLE", spark: "DOUBLE", bigquery: "FLOAT64" };

/** SQL of the source for the same value as a double; undefined where the source needs none. */
export function asDouble(sql: string, source: DataSource): string | undefined {
  const type = TYPE[source];
  return type === undefined ? undefined : `CAST(${sql} AS ${type})`;
}
