/** Redshift's connector and dialect through the Workers; the server is PostgreSQL with Redshift's settings, and NOT Redshift. */
import { fieldsOf, startRedshiftFixture } from "../connectors/redshift/fixture.ts";
import { startWorker } from "../support/worker.ts";
import { describeOperations, SALES_ROWS, salesTable } from "./operations.ts";

describeOperations(
  "redshift",
  async () => {
    const [fixture, { url }] = await Promise.all([
      startRedshiftFixture(),
      startWorker({ AUTH: "none", ALLOW_PRIVATE_HOSTS: "true" }),
    ]);
    await fixture.observer.query(`${salesTable()}; ${SALES_ROWS}`);
    const connectionInfo = fieldsOf(fixture.database);
    const { password: secret } = connectionInfo;
    return {
      url,
      connectionInfo,
      tableReference: { schema: "public", table: "sales" },
      secret,
      close: () => fixture.close(),
    };
  },
  {
    plan: "SELECT sales.id, sales.city FROM {schema}.sales AS sales WHERE sales.id = 1",
    table: "{schema}.sales",
    types: { id: "INTEGER", city: "VARCHAR", amount: "DECIMAL" },
    schema: "{schema}",
    version: /^AWS Redshift/,
  },
);
