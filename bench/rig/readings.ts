/** A million rows of the ten commonest types, the same in PostgreSQL and in a Parquet file. */

import { DuckDBInstance } from "@duckdb/node-api";
import type pg from "pg";

export const ROWS = 1_000_000;
export const COLUMNS = 10;

/** The query every stream is measured with. */
export const ALL_ROWS = "SELECT * FROM readings";

const COLUMN_TYPES = {
  id: "INTEGER",
  big: "BIGINT",
  price: "DECIMAL(15,2)",
  ratio: "DOUBLE",
  flag: "BOOLEAN",
  name: "VARCHAR",
  comment: "VARCHAR",
  day: "DATE",
  happened: "TIMESTAMP",
  seen: "TIMESTAMPTZ",
} as const;

/** Base64, as a request carries it. */
export function readingsManifest(table: { readonly schema?: string; readonly table: string }): string {
  const manifest = {
    catalog: "bench",
    schema: "public",
    models: [
      {
        name: "readings",
        tableReference: table,
        columns: Object.entries(COLUMN_TYPES).map(([name, type]) => ({ name, type })),
        primaryKey: "id",
      },
    ],
  };
  return Buffer.from(JSON.stringify(manifest)).toString("base64");
}

/** Expressions over the integer `g`, in the words PostgreSQL and DuckDB share. */
const VALUES = `g::integer AS id,
  9007199254740993 + g AS big,
  ((g % 100000) + (g % 100) * 0.01)::decimal(15,2) AS price,
  g / 7::double precision AS ratio,
  CASE WHEN g % 3 = 0 THEN NULL ELSE g % 2 = 0 END AS flag,
  'Customer#' || lpad(g::varchar, 9, '0') AS name,
  CASE g % 4 WHEN 0 THEN 'blithely final requests sleep' WHEN 1 THEN 'carefully ironic deposits — slyly'
    WHEN 2 THEN 'quickly "express" pinto beans' ELSE 'furiously regular accounts among the even packages' END AS comment,
  DATE '1991-11-27' + (g % 2500)::integer AS day,
  TIMESTAMP '2024-01-01 23:59:59.000001' + g * INTERVAL '1234567 microseconds' AS happened,
  TIMESTAMPTZ '2024-07-03 09:46:40+00' + g * INTERVAL '7654321 microseconds' AS seen`;

/** Seconds of work; everything is analysed and in the server's cache afterwards. */
export async function fillPostgres(client: pg.Client): Promise<void> {
  await client.query("SET TimeZone = 'UTC'");
  await client.query(`CREATE TABLE readings AS SELECT ${VALUES} FROM generate_series(1, ${ROWS}) AS t(g)`);
  await client.query("ALTER TABLE readings ADD PRIMARY KEY (id)");
  await client.query("VACUUM ANALYZE readings");
}

export async function writeParquet(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    await connection.run(
      `COPY (SELECT ${VALUES} FROM range(1, ${ROWS + 1}) AS t(g)) TO '${file.replaceAll("'", "''")}' (FORMAT parquet)`,
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
