/**
 * CSV and Arrow of every type of both engines, through the whole service, read by PyArrow, pandas, DuckDB, polars and Python's
 * `csv`: what they read is what the JSON answer says. And an answer that breaks off is taken for whole by none of them.
 * `npm run engines` installs the readers; without them this is reported as not run.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";
import { type RunningService, startService } from "../support/service.ts";
import { DUCKDB_TYPES, POSTGRES_TYPES, rowsOf } from "./formats/types.ts";

const PYTHON = fileURLToPath(new URL("../../.siskin/readers/bin/python", import.meta.url));
const READERS = fileURLToPath(new URL("formats/readers.py", import.meta.url));
const ARROW = "application/vnd.apache.arrow.stream";

type Source = "postgres" | "local_file";
const TYPES = { postgres: POSTGRES_TYPES, local_file: DUCKDB_TYPES } as const;
/** Fails after 200,000 rows. */
const FAILING = {
  postgres:
    "SELECT n, 'text ' || n AS t, 1 / (CASE WHEN n = 200001 THEN 0 ELSE 1 END) AS f FROM generate_series(1, 400000) AS g(n)",
  local_file:
    "SELECT n, 'text ' || n AS t, CASE WHEN n = 200001 THEN error('late') ELSE 1 END AS f FROM range(1, 400000) AS g(n)",
} as const;

describe.skipIf(!existsSync(PYTHON))("formats", () => {
  const directory = mkdtempSync(join(tmpdir(), "siskin-formats-"));
  let service: RunningService;
  let database: TestDatabase;

  beforeAll(async () => {
    [service, database] = await Promise.all([startService({ FILE_ROOT: directory }), startPostgres()]);
  });
  afterAll(async () => {
    await service?.stop();
    await database?.stop();
    rmSync(directory, { recursive: true });
  });

  function manifestOf(source: Source): string {
    const columns = Object.entries(TYPES[source]).map(([name, [own]]) => {
      // A type that nobody knows is passed through; a struct is not selected whole.
      return { name, type: own.startsWith("STRUCT") ? "RECORD" : own };
    });
    const models = [
      { name: "types", refSql: rowsOf(TYPES[source]), columns: [{ name: "n", type: "INTEGER" }, ...columns] },
      {
        name: "failing",
        refSql: FAILING[source],
        columns: [
          { name: "n", type: "INTEGER" },
          { name: "t", type: "VARCHAR" },
          { name: "f", type: "INTEGER" },
        ],
      },
    ];
    return Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models })).toString("base64");
  }

  function bodyOf(source: Source, sql: string): string {
    const { host, port, user, password, database: name } = database;
    const connectionInfo =
      source === "postgres" ? { host, port, user, password, database: name } : { url: "/", format: "parquet" };
    return JSON.stringify({ sql, manifestStr: manifestOf(source), connectionInfo });
  }

  /**
   * All bytes, however the connection ends, on one of its own: a client that is told of the failure by the connection is told,
   * but the bytes must not look whole either.
   */
  function arrived(source: Source, sql: string, accept: string): Promise<readonly Buffer[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Buffer[]>();
    const chunks: Buffer[] = [];
    const url = `${service.url}/v3/connector/${source}/query`;
    const sent = request(url, { method: "POST", agent: false, headers: { accept } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", () => {});
      response.on("close", () => resolve(chunks));
    });
    sent.on("error", reject);
    sent.end(bodyOf(source, sql));
    return promise;
  }

  function ask(source: Source, sql: string, accept: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${service.url}/v3/connector/${source}/query`, {
      method: "POST",
      headers: { accept, ...headers },
      body: bodyOf(source, sql),
    });
  }

  async function saved(name: string, response: Response): Promise<string> {
    const bytes = await response.bytes();
    if (response.status !== 200) throw new Error(new TextDecoder().decode(bytes));
    const path = join(directory, name);
    writeFileSync(path, bytes);
    return path;
  }

  async function read(job: object): Promise<Readonly<Record<string, unknown>>> {
    const running = promisify(execFile)(PYTHON, [READERS], { maxBuffer: 16 * 1024 * 1024 });
    running.child.stdin?.end(JSON.stringify(job));
    return JSON.parse((await running).stdout) as Readonly<Record<string, unknown>>;
  }

  const READ_ALIKE = ["PyArrow", "pandas", "DuckDB", "polars"].concat([
    "Python's csv",
    "pandas CSV",
    "PyArrow CSV",
    "DuckDB CSV",
    "polars CSV",
  ]);

  describe.each(["postgres", "local_file"] as const)("%s", (source) => {
    test.each([
      ["as they are", "SELECT * FROM types ORDER BY n", {}],
      [
        "in a zone",
        "SELECT n, c_timestamp, c_timestamptz FROM types ORDER BY n",
        { "x-wren-timezone": "Asia/Kolkata" },
      ],
      ["no rows", "SELECT * FROM types WHERE n > 3", {}],
    ])("values of every type are those of JSON: %s", async (_what, sql, headers) => {
      const [json, csv, arrow] = await Promise.all(
        ["application/json", "text/csv", ARROW].map(async (accept, index) =>
          saved(`${source}.${index}`, await ask(source, sql, accept, headers)),
        ),
      );
      expect(await read({ mode: "values", json, csv, arrow })).toEqual(
        Object.fromEntries(READ_ALIKE.map((name) => [name, []])),
      );
    });

    test.each(["application/json", "application/x-ndjson", "text/csv", ARROW])(
      "%s: a short answer that fails behind its first rows has a status, and nothing of it arrives",
      async (accept) => {
        const division = source === "postgres" ? "10 / (5 - n)" : "CASE WHEN n = 5 THEN error('late') ELSE 1 END";
        const model = {
          name: "short",
          refSql: `SELECT n, ${division} AS x FROM ${source === "postgres" ? "generate_series(1, 9)" : "range(1, 9)"} AS g(n)`,
          columns: [{ name: "x", type: "INTEGER" }],
        };
        const manifestStr = Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models: [model] })).toString(
          "base64",
        );
        const body = { ...JSON.parse(bodyOf(source, "SELECT x FROM short")), manifestStr };
        const url = `${service.url}/v3/connector/${source}/query`;
        const response = await fetch(url, { method: "POST", headers: { accept }, body: JSON.stringify(body) });
        expect([response.status, response.headers.get("content-type")]).toEqual([422, "application/json"]);
        const { metadata } = (await response.json()) as { readonly metadata: { readonly reason: string } };
        expect(metadata.reason).toBe("SOURCE_ERROR");
      },
    );

    test("an answer that breaks off is whole for nobody", async () => {
      const broken = async (name: string, accept: string): Promise<string> => {
        const path = join(directory, name);
        const chunks = await arrived(source, "SELECT n, t, f FROM failing", accept);
        expect(chunks.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(1_000_000);
        writeFileSync(path, Buffer.concat(chunks));
        return path;
      };
      const outcomes = await read({
        mode: "broken",
        csv: await broken("cut.csv", "text/csv"),
        arrow: await broken("cut.arrow", ARROW),
        json: await broken("cut.json", "application/json"),
      });
      expect(Object.keys(outcomes)).toHaveLength(15);
      expect(Object.entries(outcomes).filter(([, error]) => error === null)).toEqual([]);
    });
  });
});
