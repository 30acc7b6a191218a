/** A PostgreSQL server and DuckDB over the examples, for statements that bring their rows themselves. */
import { fileURLToPath } from "node:url";
import { startPostgres } from "../support/postgres.ts";
import { type OpenedSource, openDuckDbFiles, openPostgresDatabase } from "../support/sources.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

export interface EnginesWithoutTables {
  readonly postgres: OpenedSource;
  readonly duckdb: OpenedSource;
  close(): Promise<void>;
}

export async function openEnginesWithoutTables(): Promise<EnginesWithoutTables> {
  const database = await startPostgres();
  const [postgres, duckdb] = await Promise.all([openPostgresDatabase(database), openDuckDbFiles(EXAMPLES)]);
  return {
    postgres,
    duckdb,
    close: async () => {
      await Promise.all([postgres.close(), duckdb.close()]);
      await database.stop();
    },
  };
}
