/** The TPC-H tables of `examples/tpch`, copied into PostgreSQL. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import type pg from "pg";
import { copyByInserts } from "./inserts.ts";

export const TPCH_DATABASE = "siskin_tpch";

const FILES = fileURLToPath(new URL("../../examples/tpch/", import.meta.url));

/** Table → primary key; parents before their children. */
const TABLES: Readonly<Record<string, string>> = {
  region: "r_regionkey",
  nation: "n_nationkey",
  supplier: "s_suppkey",
  customer: "c_custkey",
  part: "p_partkey",
  partsupp: "ps_partkey, ps_suppkey",
  orders: "o_orderkey",
  lineitem: "l_orderkey, l_linenumber",
};

export const TPCH_TABLES: readonly string[] = Object.keys(TABLES);

/** DuckDB's names that PostgreSQL does not share; all others are the same word. */
const TYPES: Readonly<Record<string, string>> = { VARCHAR: "text" };

/**
 * Creates the eight tables with primary keys in the client's current schema and fills them.
 * The sample is not closed under its foreign keys, so none are declared.
 */
export async function loadTpch(client: pg.Client): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "siskin-tpch-"));
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    for (const [table, key] of Object.entries(TABLES)) {
      const source = `'${FILES}${table}.parquet'`;
      const described = await duckdb.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`);
      const columns = described.getRowsJson().map(([name, type]) => `${name} ${TYPES[String(type)] ?? type}`);
      await client.query(`CREATE TABLE ${table} (${columns.join(", ")}, PRIMARY KEY (${key}))`);
      const file = join(scratch, `${table}.csv`);
      await duckdb.run(`COPY (SELECT * FROM ${source}) TO '${file}' (FORMAT csv, HEADER false, NULLSTR '\\N')`);
      await copyFrom(client, `COPY ${table} FROM STDIN (FORMAT csv, NULL '\\N')`, await readFile(file));
    }
    await client.query("ANALYZE");
  } finally {
    duckdb.closeSync();
    instance.closeSync();
    await rm(scratch, { recursive: true, force: true });
  }
}

/** `COPY … FROM STDIN` by the driver's own submittable protocol; the driver has no stream for it built in. */
export async function copyFrom(client: pg.Client, sql: string, content: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let failure: Error | undefined;
    const copy = {
      submit: (connection: pg.Connection) => connection.query(sql),
      handleCopyInResponse: (connection: pg.Connection) => {
        const { sendCopyFromChunk, endCopyFrom } = connection as unknown as {
          sendCopyFromChunk(chunk: Buffer): void;
          endCopyFrom(): void;
        };
        sendCopyFromChunk.call(connection, content);
        endCopyFrom.call(connection);
      },
      handleCommandComplete: () => {},
      handleError: (error: Error) => {
        failure = error;
        reject(error);
      },
      handleReadyForQuery: () => (failure ? undefined : resolve()),
    };
    client.query(copy as unknown as pg.Submittable);
  });
}

/** The same tables by statements of INSERT, for MySQL and MariaDB. */
export async function loadTpchByInserts(run: (sql: string) => Promise<unknown>): Promise<void> {
  await copyByInserts(
    run,
    Object.entries(TABLES).map(([name, key]) => ({
      name,
      file: `${FILES}${name}.parquet`,
      constraint: `, PRIMARY KEY (${key})`,
    })),
  );
}
