/** Two tenants of a project over PostgreSQL with the query cache; `test/engines/project-tenants.test.ts` asks 10,000 times. */
import { expect, test } from "vitest";
import { askAsTenants } from "../security/tenants/tenants.ts";
import { startPostgres } from "../support/postgres.ts";

test("nothing of the other tenant, in 600 requests", { timeout: 300_000 }, async () => {
  const database = await startPostgres();
  try {
    const client = await database.connect();
    const { host, port, user, password } = database;
    const report = await askAsTenants(
      {
        source: "postgres",
        connectionInfo: { host, port, user, password, database: database.database, kwargs: { sslmode: "disable" } },
        run: (sql) => client.query(sql),
        storage: "",
        schema: "public",
      },
      600,
      Number(process.env["SECURITY_SEED"] ?? 1),
    );
    expect(report.hits).toBeGreaterThan(12);
    expect(report.statuses.get(200)).toBeGreaterThan(100);
  } finally {
    await database.stop();
  }
});
