/**
 * Metadata of files, read back: a manifest with the types that metadata reports plans every column, and the sidecar returns for it the
 * rows that it returns for the column of the file itself. The files Worker returns the same rows or refuses with `NEEDS_SIDECAR`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TableRecord } from "../../../src/connectors/catalog/types.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { statementOf } from "../../../src/planner/plan.ts";
import { calling, rowsOf } from "../../sidecar/duckdb/fixtures.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { type BothEngines, openBoth, outcomeOf } from "./both-engines.ts";

const FIXTURES = fileURLToPath(new URL("../../fixtures/parquet/", import.meta.url));

/** One file for each set of types; others differ in encoding, compression or pages alone. */
const FILES = readdirSync(FIXTURES).filter((name) =>
  /^(?:alltypes-plain|binary|dates|decimals-(?:fixed|integer)|duration|float16|int96|large-and-view|lists|list-of-structs|maps|null-type|odd-names|structs|time-(?:units|seconds)|unsigned|uuid)\.parquet$/.test(
    name,
  ),
);

let both: BothEngines;
let tables: readonly TableRecord[];

beforeAll(async () => {
  const files = FILES.map((name) => [name, new Uint8Array(readFileSync(join(FIXTURES, name)))] as const);
  both = await openBoth(Object.fromEntries(files), "parquet");
  tables = await both.native.catalog({ kind: "tables", filter: {}, limit: undefined }, calling());
}, 60_000);
afterAll(() => both.close());

/** The rows of a planned statement, or the reason of the failure. */
async function answer(connector: Connector, { name, properties, columns }: TableRecord, sql: string): Promise<unknown> {
  const model = { name, tableReference: { table: properties?.path }, columns };
  const plan = planned(sql, manifestOf({ catalog: "c", schema: "s", models: [model] }));
  try {
    return await rowsOf(await connector.query(statementOf(plan), calling()));
  } catch (error) {
    if (error instanceof ConnectorFailure) return `${error.reason} ${error.message} ${error.hint}`;
    throw error;
  }
}

const identifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

it("lists every file", () => {
  expect(FILES).toHaveLength(19);
  expect(tables.map(({ name }) => `${name}.parquet`).sort()).toEqual([...FILES].sort());
});

describe("every column of", () => {
  it.each(FILES)("%s", async (file) => {
    const table = tables.find(({ name }) => `${name}.parquet` === file)!;
    for (const { name } of table.columns) {
      const column = identifier(name);
      const from = identifier(table.name);
      for (const sql of [
        `SELECT ${column} FROM ${from}`,
        `SELECT count(*), count(${column}) FROM ${from}`,
        `SELECT ${column} FROM ${from} WHERE ${column} IS NOT NULL LIMIT 1`,
      ]) {
        const own = { sql: sql.replace(` FROM ${from}`, ` FROM ${identifier(file)}`) };
        const { rows } = await outcomeOf(both.native, file, own);
        expect(rows, sql).toBeDefined();
        expect(await answer(both.native, table, sql), sql).toEqual(rows);
        const worker = await answer(both.wasm, table, sql);
        if (!String(worker).startsWith("NEEDS_SIDECAR ")) expect(worker, sql).toEqual(rows);
      }
    }
  });
});
