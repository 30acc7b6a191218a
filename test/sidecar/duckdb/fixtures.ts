import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { type DuckDbSettings, openDuckDb } from "../../../sidecar/duckdb/connector.ts";
import { openFileRoot } from "../../../sidecar/duckdb/file-root.ts";
import type { CsvOptions } from "../../../src/connectors/connection/csv-options.ts";
import type { CallOptions, Connector, Statement } from "../../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import type { Column, ResultStream, Row } from "../../../src/result/types.ts";
import type { ContractStatements } from "../../connectors/contract.ts";

/** A file root and, beside it, what must stay out of reach. */
export interface Playground {
  readonly base: string;
  readonly root: string;
  readonly outside: string;
  /** Writes a file below the root. */
  write(path: string, content: string | Uint8Array): void;
  link(target: string, path: string): void;
  pipe(path: string): void;
  settings(): Promise<DuckDbSettings>;
  remove(): void;
}

export function playground(): Playground {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "siskin-files-")));
  const root = join(base, "root");
  const outside = join(base, "outside");
  mkdirSync(root);
  mkdirSync(outside);
  mkdirSync(join(base, "spill"));
  writeFileSync(join(outside, "secret.csv"), "secret\nhunter2\n");
  const place = (path: string): string => {
    const full = join(root, path);
    mkdirSync(dirname(full), { recursive: true });
    return full;
  };
  return {
    base,
    root,
    outside,
    write: (path, content) => writeFileSync(place(path), content),
    link: (target, path) => symlinkSync(target, place(path)),
    pipe: (path) => void execFileSync("mkfifo", [place(path)]),
    settings: async () => ({
      root: await openFileRoot(root),
      memory: "512MB",
      threads: 2,
      temporaryDirectory: join(base, "spill"),
      temporaryLimit: "1GB",
    }),
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

/** Runs statements in a DuckDB without fences: in memory, or in a database file that is created. */
export async function makeWith(statements: readonly string[], path = ":memory:"): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

export async function connectTo(
  ground: Playground,
  connection: { url?: string; format?: string; csv?: CsvOptions | undefined } = {},
  settings: Partial<DuckDbSettings> = {},
): Promise<Connector> {
  return openDuckDb({ url: "/", format: "csv", ...connection }, { ...(await ground.settings()), ...settings });
}

export function statement(sql: string, ...paths: string[]): Statement {
  const reads = paths.map((table) => ({ model: "model", columns: [], physical: { table } }));
  return { sql, columns: [], session: [], reads };
}

export function calling(options: Partial<CallOptions> = {}): CallOptions {
  return { signal: new AbortController().signal, timeoutMs: 20_000, isolation: "tests", ...options };
}

export async function rowsOf(stream: ResultStream): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const batch of stream.batches) rows.push(...batch);
  return rows;
}

export async function ask(
  connector: Connector,
  sql: string,
  ...paths: string[]
): Promise<{ columns: readonly Column[]; rows: Row[] }> {
  const stream = await connector.query(statement(sql, ...paths), calling());
  return { columns: stream.columns, rows: await rowsOf(stream) };
}

/** The failure of `work`. */
export async function failureOf(work: Promise<unknown>): Promise<ConnectorFailure> {
  const outcome = await work.then(
    () => "success",
    (error: unknown) => error,
  );
  if (outcome instanceof ConnectorFailure) return outcome;
  throw new Error(`expected a ConnectorFailure, got ${String(outcome)}`, { cause: outcome });
}

/** For the contract suite, in this process and through the sidecar. */
export const DUCKDB_STATEMENTS: ContractStatements = {
  numbers: (count) => `SELECT i + 1 AS n FROM range(${count}) t(i) ORDER BY i`,
  endless: "SELECT i, 'row ' || i AS text FROM range(1000000000000) t(i)",
  stuck: "SELECT count(*) FROM range(1000000000000) t(i) WHERE hash(i) % 7 = 3",
  nulls: "SELECT 1, 'text', NULL::integer, NULL::varchar",
  sameNames: "SELECT 1 AS a, 2 AS a",
  syntaxError: "SELECT 1 FRM t",
  unknownTable: "SELECT * FROM missing_thing",
  failsWhenRun: "SELECT error('at run time') FROM range(1) t(i)",
};
