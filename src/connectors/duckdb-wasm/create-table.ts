/** SQL for a table of the engine that values are inserted into. */
import { sqlIdentifier } from "../duckdb/sql-text.ts";

/** `name` is the engine's name of the table. */
export function createTable(
  name: string,
  { columns }: { readonly columns: readonly { readonly name: string; readonly sql: string }[] },
): string {
  const list = columns.map((column) => `${sqlIdentifier(column.name)} ${column.sql}`).join(", ");
  return `CREATE TABLE ${sqlIdentifier(name)} (${list})`;
}
