/** A table of the engine that values are put into. */
import { sqlIdentifier } from "../duckdb/sql-text.ts";

/** As SQL: `name` is the engine's. */
export function createTable(
  name: string,
  { columns }: { readonly columns: readonly { readonly name: string; readonly sql: string }[] },
): string {
  const list = columns.map((column) => `${sqlIdentifier(column.name)} ${column.sql}`).join(", ");
  return `CREATE TABLE ${sqlIdentifier(name)} (${list})`;
}
