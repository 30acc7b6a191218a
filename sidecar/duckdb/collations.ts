/**
 * Detects columns of a database with their own collation (`VARCHAR COLLATE NOCASE`): different texts are equal in them, also in
 * access rules, and the planner does not know it (docs/spec/language.md: texts are equal if their characters are).
 */
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Statement } from "../../src/planner/plan.ts";
import type { Engine } from "./engine.ts";
import { collectRows } from "./row-stream.ts";

const OBJECTS = `
  SELECT table_name AS name, sql, true AS is_table FROM duckdb_tables() WHERE NOT internal
  UNION ALL SELECT view_name, sql, false FROM duckdb_views() WHERE NOT internal`;

/** Constants and quoted names. */
const UNSAID = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g;

/**
 * Rejects with `FILE_INVALID` if a table that is read has such columns, or if any object other than a table is read and some
 * table has them.
 */
export async function assertNoCollations(engine: Engine, reads: Statement["reads"]): Promise<void> {
  const suspects = await collectRows(
    engine,
    `SELECT lower(name), sql FROM (${OBJECTS}) WHERE contains(lower(sql), 'collate')`,
  );
  const collated = new Set(
    suspects.filter(([, sql]) => /\bCOLLATE\b/i.test(String(sql).replace(UNSAID, ""))).map(([name]) => String(name)),
  );
  if (collated.size === 0) return;
  // Only names that no view in another database or schema has.
  const named = `SELECT lower(name) AS named FROM (${OBJECTS}) GROUP BY named HAVING bool_and(is_table)`;
  const tables = new Set((await collectRows(engine, named)).flat());
  for (const { model, physical } of reads) {
    const name = physical?.table.toLowerCase();
    // A view, or native SQL of the modeller, may read any of these tables.
    if (name !== undefined && tables.has(name) && !collated.has(name)) continue;
    throw new ConnectorFailure("FILE_INVALID", `"${physical?.table ?? model}" may have columns with a collation.`, {
      hint: `Without one, texts are compared by their letters: ALTER TABLE … ALTER … TYPE VARCHAR, in ${[...collated].sort().join(", ")}.`,
    });
  }
}
