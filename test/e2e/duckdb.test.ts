/** Files and databases of a directory through the Workers and the sidecar. */
import { join } from "node:path";
import { makeWith, playground } from "../sidecar/duckdb/fixtures.ts";
import { startService } from "../support/service.ts";
import { describeOperations, SALES_ROWS, type Stage, salesTable } from "./operations.ts";

async function stageOf(format: string, tableReference: Stage["tableReference"]): Promise<Stage> {
  const ground = playground();
  const statements = [salesTable(), SALES_ROWS, `COPY sales TO '${join(ground.root, "sales.parquet")}'`];
  await makeWith(statements, join(ground.root, "shop.duckdb"));
  const service = await startService({ FILE_ROOT: ground.root });
  return {
    url: service.url,
    connectionInfo: { url: "/", format },
    tableReference,
    close: async () => {
      await service.stop();
      ground.remove();
    },
  };
}

const TYPES = { id: "INT", city: "STRING", amount: "DECIMAL" };

describeOperations("duckdb", () => stageOf("duckdb", { catalog: "shop", schema: "main", table: "sales" }), {
  plan: "SELECT sales.id, sales.city FROM shop.main.sales AS sales WHERE sales.id = 1",
  table: "{schema}.sales",
  types: TYPES,
  schema: "{schema}",
  version: /^v1\.4/,
});

describeOperations("local_file", () => stageOf("parquet", { table: "/sales.parquet" }), {
  plan: 'SELECT sales.id, sales.city FROM "/sales.parquet" AS sales WHERE sales.id = 1',
  table: "sales",
  types: TYPES,
  schema: undefined,
  version: /./,
});
