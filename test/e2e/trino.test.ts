/**
 * A real Trino through the Workers and the sidecar, which reaches a private host over plain HTTP; and through the Workers alone as
 * Athena, by a FAKE of its API whose statements Trino runs.
 */
import { describe } from "vitest";
import { KEYS, startAthenaOverTrino } from "../connectors/athena/over-trino.ts";
import { startService } from "../support/service.ts";
import { openTrinoSchema } from "../support/trino.ts";
import { hasTrino, WITHOUT_TRINO } from "../support/trino-server.ts";
import { startWorker } from "../support/worker.ts";
import { describeOperations, SALES_ROWS, salesTable } from "./operations.ts";

async function schemaWithSales() {
  const schema = await openTrinoSchema();
  for (const sql of [salesTable(), SALES_ROWS]) await schema.run(sql);
  return schema;
}

const PLAN = 'SELECT "sales"."id", "sales"."city" FROM "memory"."{schema}"."sales" AS "sales" WHERE "sales"."id" = 1';
const TYPES = { id: "INTEGER", city: "VARCHAR", amount: "DECIMAL" };

describe.skipIf(!hasTrino())(hasTrino() ? "a real engine" : WITHOUT_TRINO, () => {
  describeOperations(
    "trino",
    async () => {
      const [service, schema] = await Promise.all([startService(), schemaWithSales()]);
      const { hostname, port } = new URL(schema.url);
      return {
        url: service.url,
        connectionInfo: { host: `http://${hostname}`, port, catalog: "memory", schema: schema.name, user: "ann" },
        tableReference: { catalog: "memory", schema: schema.name, table: "sales" },
        close: () => Promise.all([service.stop(), schema.close()]),
      };
    },
    { plan: PLAN, table: "memory.{schema}.sales", types: TYPES, schema: "{schema}", version: /^\d+$/ },
  );

  describeOperations(
    "athena",
    async () => {
      const schema = await schemaWithSales();
      const athena = await startAthenaOverTrino(schema.url);
      const { url } = await startWorker({ AUTH: "none" }, { internet: athena.url });
      return {
        url,
        connectionInfo: {
          s3_staging_dir: "s3://bucket/q/",
          region_name: "eu-west-1",
          catalog_name: "memory",
          schema_name: schema.name,
          aws_access_key_id: KEYS.id,
          aws_secret_access_key: KEYS.secret,
        },
        tableReference: { catalog: "memory", schema: schema.name, table: "sales" },
        secret: KEYS.secret,
        close: () => Promise.all([athena.close(), schema.close()]),
      };
    },
    { plan: PLAN, table: "{schema}.sales", types: TYPES, schema: "{schema}", version: /^AWS Athena/ },
  );
});
