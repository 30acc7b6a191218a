/**
 * Two tenants of a project, 10,000 random requests on PostgreSQL and as many on ClickHouse, with the query cache on. `SHARE=8` asks an
 * eighth of them; `SECURITY_SEED` names the sequence.
 */
import { describe, expect, test } from "vitest";
import { askAsTenants, type TenantEngine } from "../security/tenants/tenants.ts";
import { startClickHouse } from "../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../support/clickhouse-server.ts";
import { startPostgres } from "../support/postgres.ts";
import { SHARE } from "../support/share.ts";

const REQUESTS = Math.ceil(10_000 / SHARE);
const SEED = Number(process.env["SECURITY_SEED"] ?? 2);

async function judged(engine: TenantEngine): Promise<void> {
  const report = await askAsTenants(engine, REQUESTS, SEED);
  console.log(engine.source, { ...report, statuses: Object.fromEntries(report.statuses) });
  expect(report.requests).toBe(REQUESTS);
  expect(report.hits).toBeGreaterThan(REQUESTS / 50);
  expect(report.twins).toBeGreaterThan(REQUESTS / 50);
  expect(report.statuses.get(200)).toBeGreaterThan(REQUESTS / 4);
}

describe("nothing of the other tenant", { timeout: 3_600_000 }, () => {
  test("on PostgreSQL", async () => {
    const database = await startPostgres();
    try {
      const client = await database.connect();
      const { host, port, user, password } = database;
      await judged({
        source: "postgres",
        connectionInfo: { host, port, user, password, database: database.database, kwargs: { sslmode: "disable" } },
        run: (sql) => client.query(sql),
        storage: "",
        schema: "public",
      });
    } finally {
      await database.stop();
    }
  });

  test.skipIf(!hasClickHouse())(`on ClickHouse ${hasClickHouse() ? "" : WITHOUT_CLICKHOUSE}`, async () => {
    const database = await startClickHouse();
    try {
      await judged({
        source: "clickhouse",
        connectionInfo: database.fields,
        run: (sql) => database.query(sql),
        storage: "ENGINE = MergeTree ORDER BY id",
        schema: database.database,
      });
    } finally {
      await database.stop();
    }
  });
});
