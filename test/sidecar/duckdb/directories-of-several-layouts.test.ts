/** A directory whose files have different columns is one table with the columns of all of them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseLocalFileConnection } from "../../../src/connectors/connection/local-file.ts";
import { ask } from "../../parity/judge.ts";
import { openDuckDbIn } from "../../support/duckdb.ts";
import { manifestOf } from "../../support/plan.ts";
import type { OpenedSource } from "../../support/sources.ts";

let root: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "siskin-layouts-"));
  for (const format of ["csv", "json", "parquet"]) mkdirSync(join(root, format, "mixed"), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  write("csv/mixed/a.csv", "id,name\n1,ann\n");
  write("csv/mixed/b.csv", "id,price\n2,1.5\n");
  write("json/mixed/a.json", '{"id":1,"name":"ann"}\n');
  write("json/mixed/b.json", '{"id":2,"price":1.5}\n');
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const path = join(root, "parquet/mixed");
  await connection.run(`COPY (SELECT 1::BIGINT AS id, 'ann' AS name) TO '${path}/a.parquet'`);
  await connection.run(`COPY (SELECT 2::BIGINT AS id, 1.5::DOUBLE AS price) TO '${path}/b.parquet'`);
  connection.closeSync();
  instance.closeSync();
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

describe.each(["csv", "json", "parquet"] as const)("%s", (format) => {
  let opened: OpenedSource;
  beforeAll(async () => {
    opened = await openDuckDbIn(root, parseLocalFileConnection({ url: `/${format}`, format }).info);
  });
  afterAll(() => opened.close());

  test("metadata has the columns of all files, and a query reads them", async () => {
    const { signal } = new AbortController();
    const request = { kind: "tables", filter: {}, limit: undefined } as const;
    const [table] = await opened.connector.catalog(request, { signal, timeoutMs: 60_000 });
    const columns = table?.columns.map(({ name, type }) => ({ name, type })) ?? [];
    expect(columns).toEqual([
      { name: "id", type: "INT64" },
      { name: "name", type: "STRING" },
      { name: "price", type: "DOUBLE" },
    ]);
    const manifest = manifestOf({
      catalog: "c",
      schema: "s",
      models: [{ name: "m", tableReference: { table: table?.properties?.path }, columns }],
    });
    const answer = await ask("SELECT id, name, price FROM m ORDER BY id", manifest, "local_file", opened);
    expect("rows" in answer ? answer.rows : answer).toEqual([
      [1n, "ann", null],
      [2n, null, 1.5],
    ]);
  });
});
