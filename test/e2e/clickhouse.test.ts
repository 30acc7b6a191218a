/** ClickHouse's own engine through the Workers and the sidecar, which reaches a private host over plain HTTP. */
import { describe } from "vitest";
import { startClickHouse } from "../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { startService } from "../support/service.ts";
import { describeOperations, SALES_ROWS, salesTable } from "./operations.ts";

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "a real engine" : WITHOUT_CLICKHOUSE, () => {
  describeOperations(
    "clickhouse",
    async () => {
      const [service, database] = await Promise.all([startService(), startClickHouse()]);
      const types = { int: "Int32", varchar: "Nullable(String)", decimal: "Nullable(Decimal(10, 2))" };
      await database.query(salesTable({ ...types, behind: " ENGINE = MergeTree ORDER BY id" }));
      await database.query(SALES_ROWS);
      return {
        url: service.url,
        connectionInfo: database.fields,
        tableReference: { schema: database.database, table: "sales" },
        secret: database.password,
        close: () => Promise.all([service.stop(), database.stop()]),
      };
    },
    {
      plan: 'SELECT "sales"."id", "sales"."city" FROM "{schema}"."sales" AS "sales" WHERE "sales"."id" = 1',
      table: "{schema}.sales",
      types: { id: "INT4", city: "VARCHAR", amount: "DECIMAL" },
      schema: "{schema}",
      version: /^\d+\.\d+/,
    },
  );
});
