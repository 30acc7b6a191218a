/** Expressions of Ossie, which may be written in several dialects. */
import type { DataSource } from "../../../src/planner/plan.ts";
import type { Item } from "../item.ts";
import { Unmapped } from "../sql-text.ts";

const OWN_DIALECT: Partial<Record<DataSource, string>> = {
  snowflake: "SNOWFLAKE",
  databricks: "DATABRICKS",
  spark: "DATABRICKS",
  bigquery: "BIGQUERY",
};

const ANSI = "ANSI_SQL";

/** The dialect whose SQL the source reads. */
export const dialectOf = (source: DataSource): string => OWN_DIALECT[source] ?? ANSI;

export interface OssieExpression {
  readonly text: string;
  /** Whether the text is SQL of the source; otherwise it is standard SQL. */
  readonly isNative: boolean;
  readonly item: Item;
}

/** The expression in the SQL of the source, else in standard SQL. Throws `Unmapped`. */
export function expressionOf(item: Item, source: DataSource): OssieExpression {
  const dialects = item.item("expression")?.items("dialects") ?? [];
  const named = (name: string): Item | undefined =>
    dialects.find(
      (each) => (each.text("dialect") ?? ANSI).toUpperCase() === name && each.text("expression") !== undefined,
    );
  const own = dialectOf(source);
  const found = (own === ANSI ? undefined : named(own)) ?? named(ANSI);
  const text = found?.text("expression");
  if (found === undefined || text === undefined) {
    const names = dialects.map((each) => each.text("dialect") ?? ANSI).join(", ");
    throw new Unmapped(`The expression has neither ${own} nor ${ANSI}${names === "" ? "" : `, only ${names}`}.`);
  }
  return { text, isNative: own !== ANSI && found === named(own), item: found };
}
