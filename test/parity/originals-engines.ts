/** The tables of `originals-over-tables.ts` on both engines, and the manifest by which each is asked. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { startPostgres } from "../support/postgres.ts";
import { type OpenedSource, openDuckDbDatabases, openPostgresDatabase } from "../support/sources.ts";
import { manifestOfTables, TABLES } from "./originals-over-tables.ts";

export const MANIFESTS = {
  postgres: manifestOfTables({ schema: "public" }),
  duckdb: manifestOfTables({ catalog: "originals", schema: "main" }),
};

export interface OriginalsEngines {
  readonly postgres: OpenedSource;
  readonly duckdb: OpenedSource;
  close(): Promise<void>;
}

export async function openOriginals(): Promise<OriginalsEngines> {
  const root = await mkdtemp(join(tmpdir(), "siskin-originals-"));
  const database = await startPostgres();
  await (await database.connect()).query(TABLES);
  const instance = await DuckDBInstance.create(join(root, "originals.duckdb"));
  const connection = await instance.connect();
  await connection.run(TABLES);
  connection.closeSync();
  instance.closeSync();
  const [postgres, duckdb] = await Promise.all([openPostgresDatabase(database), openDuckDbDatabases(root)]);
  return {
    postgres,
    duckdb,
    close: async () => {
      await Promise.all([postgres.close(), duckdb.close()]);
      await Promise.all([database.stop(), rm(root, { recursive: true })]);
    },
  };
}
