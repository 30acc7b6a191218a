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

type Rows = readonly (readonly unknown[])[];
/** Rejects with an Error that has Trino's name of the error. `session`: `name=value,…`. */
export type TrinoRun = (sql: string, session?: string) => Promise<Rows>;

export interface TrinoTestSchema {
  readonly name: string;
  readonly connector: Connector;
  /** URL of the server. */
  readonly url: string;
  /** A connector whose sessions are otherwise than it asks for: in another time zone, as those of a service that nobody can set. */
  readonly connectWith: (changes: { readonly timeZone?: string; readonly session?: string }) => Promise<Connector>;
  /** A statement of any kind, which a connector would not send: its rows as Trino writes them. */
  readonly run: TrinoRun;
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
  const run: TrinoRun = (sql, session) => runStatement(server.url, name, sql, session);
  await run(`CREATE SCHEMA memory.${name}`);
  return {
    name,
    connector,
    url: server.url,
    connectWith: ({ timeZone, session }) =>
      connect((input, init) => {
        const headers: Record<string, string> = { ...(init?.headers as Readonly<Record<string, string>>) };
        if (timeZone !== undefined) headers["x-trino-time-zone"] = timeZone;
        if (session) headers["x-trino-session"] = `${headers["x-trino-session"]},${session}`;
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

interface TrinoAnswer {
  readonly nextUri?: string;
  readonly data?: Rows;
  readonly error?: { readonly message: string; readonly errorName: string };
}

async function runStatement(url: string, schema: string, sql: string, session = ""): Promise<Rows> {
  const headers = {
    "x-trino-user": "test",
    "x-trino-catalog": "memory",
    "x-trino-schema": schema,
    "x-trino-session": session,
    "x-trino-time-zone": "UTC",
    "x-trino-client-capabilities": "PARAMETRIC_DATETIME",
  };
  let response = await fetch(`${url}/v1/statement`, { method: "POST", body: sql, headers });
  const rows: (readonly unknown[])[] = [];
  for (;;) {
    const { nextUri, data = [], error } = (await response.json()) as TrinoAnswer;
    if (error !== undefined) {
      throw Object.assign(new Error(`${error.message}: ${sql.slice(0, 200)}`), { name: error.errorName });
    }
    rows.push(...data);
    if (nextUri === undefined) return rows;
    response = await fetch(nextUri);
  }
}

interface Kept {
  readonly type: string;
  /** DuckDB's text of the column `c`, and Trino's value of the text `t`. */
  readonly written?: (c: string) => string;
  readonly read?: (t: string) => string;
}

const kept = (type: string): Kept => ({ type });
const asInstant = (t: string): string => `CAST(regexp_replace(${t}, '[+]00$', ' UTC') AS TIMESTAMP(6) WITH TIME ZONE)`;

/** Where Trino keeps a type of DuckDB's under another name, or reads its text otherwise. */
const TYPES: Readonly<Record<string, Kept>> = {
  TIMESTAMP: kept("TIMESTAMP(6)"),
  TIME: kept("TIME(6)"),
  FLOAT: kept("REAL"),
  // It keeps none.
  INTERVAL: kept("VARCHAR"),
  "TIMESTAMP WITH TIME ZONE": { type: "TIMESTAMP(6) WITH TIME ZONE", read: asInstant },
  JSON: { type: "JSON", read: (t) => `json_parse(${t})` },
  "VARCHAR[]": {
    type: "ARRAY(VARCHAR)",
    written: (c) => `to_json(${c})::varchar`,
    read: (t) => `CAST(json_parse(${t}) AS ARRAY(VARCHAR))`,
  },
};

/** A statement has a million characters at most. */
const LONGEST = 900_000;

/** Rows of a Parquet file: all, or those that meet DuckDB's condition `where`. */
export interface ParquetTable {
  readonly name: string;
  readonly file: string;
  readonly where?: string;
}

const TABLES_AT_ONCE = 3;

/** Creates and fills tables: each as texts of JSON, which are read sooner than as many literals. */
export async function copyIntoTrino(run: TrinoRun, tables: readonly ParquetTable[]): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:");
  const duckdb = await instance.connect();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let table = tables[next++]; table !== undefined; table = tables[next++]) await copyTable(run, duckdb, table);
  };
  try {
    await duckdb.run("SET TimeZone = 'UTC'");
    await Promise.all(Array.from({ length: TABLES_AT_ONCE }, worker));
  } finally {
    duckdb.closeSync();
    instance.closeSync();
  }
}

async function copyTable(
  run: TrinoRun,
  duckdb: DuckDBConnection,
  { name, file, where = "true" }: ParquetTable,
): Promise<void> {
  const described = await duckdb.runAndReadAll(`DESCRIBE SELECT * FROM '${file}'`);
  const columns = described.getRowsJson().map(([column, type]) => [String(column), String(type)] as const);
  const typeOf = (type: string): Kept => TYPES[type] ?? kept(type);
  await run(
    `CREATE TABLE "${name}" (${columns.map(([column, type]) => `"${column}" ${typeOf(type).type}`).join(", ")})`,
  );
  const texts = columns.map(([column, type]) => {
    const { written = (c) => `${c}::varchar` } = typeOf(type);
    return `${written(`"${column}"`)} AS "${column}"`;
  });
  const rows = (await duckdb.runAndReadAll(`SELECT ${texts.join(", ")} FROM '${file}' WHERE ${where}`)).getRowsJson();
  const parts = columns.map((_, index) => `c${index} varchar`).join(", ");
  const values = columns.map(([, type], index) => {
    const { type: own, read = (t) => `CAST(${t} AS ${own})` } = typeOf(type);
    return read(`c${index}`);
  });
  const insert = (lines: readonly string[]): Promise<unknown> => {
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
function copyTpchIntoTrino(run: TrinoRun): Promise<void> {
  const files = readdirSync(TPCH).filter((file) => file.endsWith(".parquet"));
  return copyIntoTrino(
    run,
    files.map((file) => ({ name: file.replace(".parquet", ""), file: TPCH + file })),
  );
}
