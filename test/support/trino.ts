/** Tables in Trino's memory, in a schema of their own, and connectors to them. */
import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { guardedFetch } from "../../sidecar/guarded-fetch.ts";
import { parseTrinoConnection } from "../../src/connectors/connection/trino.ts";
import type { Connector } from "../../src/connectors/connector.ts";
import { openTrino } from "../../src/connectors/http/trino.ts";
import { startTrino } from "./trino-server.ts";

export interface TrinoTestSchema {
  readonly name: string;
  readonly connector: Connector;
  /** Of the server. */
  readonly url: string;
  /** A connector whose sessions are in another time zone than UTC, as those of a service that nobody can set. */
  readonly connectIn: (timeZone: string) => Promise<Connector>;
  /** A statement of any kind, which a connector would not send. */
  readonly run: (sql: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openTrinoSchema(): Promise<TrinoTestSchema> {
  const server = await startTrino();
  const name = `test_${randomUUID().slice(0, 8)}`;
  const { hostname, port } = new URL(server.url);
  const fields = { host: `http://${hostname}`, port, catalog: "memory", schema: name, user: "test" };
  const guarded = guardedFetch({ allowedHosts: [hostname] });
  const connect = (using: typeof fetch): Promise<Connector> =>
    openTrino(parseTrinoConnection(fields).info, { fetch: using }, { signal: new AbortController().signal });
  const connector = await connect(guarded);
  const run = (sql: string): Promise<void> => runStatement(server.url, name, sql);
  await run(`CREATE SCHEMA memory.${name}`);
  return {
    name,
    connector,
    url: server.url,
    connectIn: (timeZone) =>
      connect((input, init) => {
        const headers = { ...(init?.headers as Readonly<Record<string, string>>), "x-trino-time-zone": timeZone };
        return guarded(input, { ...init, headers });
      }),
    run,
    close: async () => {
      await connector.close();
      await run(`DROP SCHEMA memory.${name} CASCADE`);
      await server.stop();
    },
  };
}

async function runStatement(url: string, schema: string, sql: string): Promise<void> {
  const headers = { "x-trino-user": "test", "x-trino-catalog": "memory", "x-trino-schema": schema };
  let response = await fetch(`${url}/v1/statement`, { method: "POST", body: sql, headers });
  for (;;) {
    const { nextUri, error } = (await response.json()) as { nextUri?: string; error?: { message: string } };
    if (error !== undefined) throw new Error(`${error.message}: ${sql.slice(0, 200)}`);
    if (nextUri === undefined) return;
    response = await fetch(nextUri);
  }
}

const TYPES: Readonly<Record<string, string>> = { TIMESTAMP: "TIMESTAMP(6)" };

/** A statement has a million characters at most. */
const LONGEST = 900_000;

/** Creates and fills tables with the rows of Parquet files: as one text of JSON, which is read sooner than as many literals. */
export async function copyIntoTrino(
  run: (sql: string) => Promise<void>,
  tables: readonly { readonly name: string; readonly file: string }[],
): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  try {
    for (const { name, file } of tables) await copyTable(run, duckdb, name, file);
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
}

async function copyTable(
  run: (sql: string) => Promise<void>,
  duckdb: DuckDBConnection,
  name: string,
  file: string,
): Promise<void> {
  const described = await duckdb.runAndReadAll(`DESCRIBE SELECT * FROM '${file}'`);
  const columns = described.getRowsJson().map(([column, type]) => [String(column), String(type)] as const);
  const typeOf = (type: string): string => TYPES[type] ?? type;
  await run(`CREATE TABLE "${name}" (${columns.map(([column, type]) => `"${column}" ${typeOf(type)}`).join(", ")})`);
  const texts = columns.map(([column]) => `"${column}"::varchar`);
  const rows = (await duckdb.runAndReadAll(`SELECT ${texts.join(", ")} FROM '${file}'`)).getRowsJson();
  const parts = columns.map((_, index) => `c${index} varchar`).join(", ");
  const values = columns.map(([, type], index) =>
    type === "JSON" ? `json_parse(c${index})` : `CAST(c${index} AS ${typeOf(type)})`,
  );
  const insert = (lines: readonly string[]): Promise<void> => {
    const literal = `[${lines.join(",")}]`.replaceAll("'", "''");
    return run(
      `INSERT INTO "${name}" SELECT ${values.join(", ")} FROM UNNEST(CAST(json_parse('${literal}') AS ARRAY(ROW(${parts}))))`,
    );
  };
  let lines: string[] = [];
  let length = 0;
  for (const row of rows) {
    const line = JSON.stringify(row);
    if (length + line.length > LONGEST && lines.length > 0) {
      await insert(lines);
      [lines, length] = [[], 0];
    }
    lines.push(line);
    length += line.length + 1;
  }
  if (lines.length > 0) await insert(lines);
}

/** A schema with the TPC-H tables. */
export async function openTrinoTpch(): Promise<TrinoTestSchema> {
  const schema = await openTrinoSchema();
  await copyTpchIntoTrino(schema.run);
  return schema;
}

const TPCH = fileURLToPath(new URL("../../examples/tpch/", import.meta.url));

/** The tables of `examples/tpch`. */
function copyTpchIntoTrino(run: (sql: string) => Promise<void>): Promise<void> {
  const files = readdirSync(TPCH).filter((file) => file.endsWith(".parquet"));
  return copyIntoTrino(
    run,
    files.map((file) => ({ name: file.replace(".parquet", ""), file: TPCH + file })),
  );
}
