/** The cases' tables as Parquet files. DuckDB reads the fixtures, whose SQL is its own. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { FIXTURES } from "./cases.ts";

export interface FixtureFiles {
  readonly files: readonly { readonly name: string; readonly file: string }[];
  remove(): Promise<void>;
}

export async function writeFixtures(): Promise<FixtureFiles> {
  const directory = await mkdtemp(join(tmpdir(), "siskin-cases-"));
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    await duckdb.run(FIXTURES);
    const names = (await duckdb.runAndReadAll("SELECT table_name FROM duckdb_tables()")).getRows().map(String);
    const files = names.map((name) => ({ name, file: join(directory, `${name}.parquet`) }));
    for (const { name, file } of files) await duckdb.run(`COPY "${name}" TO '${file}' (FORMAT parquet)`);
    return { files, remove: () => rm(directory, { recursive: true }) };
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
}
