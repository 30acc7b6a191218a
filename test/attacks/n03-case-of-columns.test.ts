/** Parquet columns whose names differ only in case: the column with exactly the declared name is read. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connector } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { statementOf } from "../../src/planner/plan.ts";
import { openOver } from "../connectors/duckdb-wasm/both-engines.ts";
import { calling, connectTo, type Playground, playground, rowsOf } from "../sidecar/duckdb/fixtures.ts";
import { manifestOf, planned } from "../support/plan.ts";

let ground: Playground;
const connectors: Record<string, Connector> = {};
beforeAll(async () => {
  ground = playground();
  const directory = mkdtempSync(join(tmpdir(), "siskin-parquet-"));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(
    `COPY (SELECT 1 AS id, {'x': 1, 'y': 2} AS inside, 'small' AS code, 'large' AS qode) TO '${directory}/file' (FORMAT parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  // DuckDB writes no names that differ only in case.
  const written = readFileSync(join(directory, "file")).toString("latin1").replaceAll("qode", "Code");
  ground.write("cases.parquet", Buffer.from(written, "latin1"));
  rmSync(directory, { recursive: true });
  connectors.sidecar = await connectTo(ground);
  connectors.worker = await openOver(ground.root, "parquet");
});
afterAll(async () => {
  await Promise.all(Object.values(connectors).map((each) => each.close()));
  ground.remove();
});

async function answer(place: string, name: string): Promise<string> {
  const columns = [
    { name: "id", type: "INTEGER" },
    { name, type: "VARCHAR" },
  ];
  const models = [{ name: "t", tableReference: { table: "cases.parquet" }, columns }];
  const plan = planned(`SELECT id, "${name}" FROM t`, manifestOf({ catalog: "c", schema: "s", models }));
  try {
    return JSON.stringify(await rowsOf(await connectors[place]!.query(statementOf(plan), calling())));
  } catch (error) {
    if (error instanceof ConnectorFailure) return error.reason;
    throw error;
  }
}

test.each([
  ["code", '[[1,"small"]]'],
  ["Code", '[[1,"large"]]'],
])("the column %s", async (name, expected) => {
  expect(await answer("sidecar", name)).toBe(expected);
  expect(await answer("worker", name)).toBe("NEEDS_SIDECAR");
});
