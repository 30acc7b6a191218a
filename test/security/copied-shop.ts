/** The rows of `access-rows.ts` as Parquet files, for engines that read those and cannot change rows: DuckDB makes them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { LEFT, statements } from "./access-rows.ts";

export interface TableFile {
  readonly name: string;
  readonly file: string;
}

/** Calls `read` with one file for each table, which are gone afterwards. `changes` is SQL of DuckDB's. */
export async function withShopFiles(
  changes: readonly string[],
  read: (files: readonly TableFile[]) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "siskin-shop-"));
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    for (const statement of [...statements(), ...changes]) await duckdb.run(statement);
    const files = Object.keys(LEFT).map((name) => ({ name, file: join(directory, `${name}.parquet`) }));
    for (const { name, file } of files) await duckdb.run(`COPY ${name} TO '${file}' (FORMAT parquet)`);
    await read(files);
  } finally {
    duckdb.closeSync();
    instance.closeSync();
    await rm(directory, { recursive: true });
  }
}
