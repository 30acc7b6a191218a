/** The benchmarks' tables on a real engine and as plain models. */
import { readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type pg from "pg";
import { copyFrom } from "../support/tpch.ts";
import type { Benchmark, BenchmarkTable } from "./tpc.ts";

type Tables = readonly BenchmarkTable[];

const POSTGRES_TYPES: Readonly<Record<string, string>> = { VARCHAR: "text" };

export async function createTables(client: pg.Client, tables: Tables): Promise<void> {
  for (const { name, columns } of tables) {
    const list = columns.map(([column, type]) => `"${column}" ${POSTGRES_TYPES[type] ?? type}`);
    await client.query(`CREATE TABLE "${name}" (${list.join(", ")})`);
  }
}

/** Fills tables made by `createTables`; `where`: which rows of a table, all of those that it does not name. */
export async function fillTables(
  client: pg.Client,
  { tables, data }: Benchmark,
  where: Readonly<Record<string, string>> = {},
): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  const file = join(tmpdir(), `siskin-tpc-${process.pid}.csv`);
  try {
    for (const { name } of tables) {
      await duckdb.run(
        `COPY (SELECT * FROM '${data}/${name}.parquet' WHERE ${where[name] ?? "true"}) TO '${file}' (FORMAT csv, HEADER false, NULLSTR '\\N')`,
      );
      await copyFrom(client, `COPY "${name}" FROM STDIN (FORMAT csv, NULL '\\N')`, await readFile(file));
    }
    // Without them some of the correlated queries take minutes.
    for (const { name, columns } of tables) {
      for (const [column] of columns.filter(([each]) => /(key|_sk)$/.test(each))) {
        await client.query(`CREATE INDEX ON "${name}" ("${column}")`);
      }
    }
    await client.query("ANALYZE");
  } finally {
    duckdb.closeSync();
    instance.closeSync();
    await rm(file, { force: true });
  }
}

export function plainModels(tables: Tables, reference: (table: string) => object): unknown {
  return {
    catalog: "tpc",
    schema: "public",
    models: tables.map(({ name, columns }) => ({
      name,
      tableReference: reference(name),
      columns: columns.map(([column, type]) => ({ name: column, type })),
    })),
  };
}
