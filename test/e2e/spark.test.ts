/**
 * A real Spark through the Workers and the sidecar; and through the Workers alone as Databricks, by a FAKE of its API whose
 * statements Spark runs. What Databricks has and Spark does not, an information schema and its version, is made there.
 */
import { randomUUID } from "node:crypto";
import { describe } from "vitest";
import { startDatabricksOverSpark, TOKEN, WAREHOUSE } from "../connectors/databricks/over-spark.ts";
import { startService } from "../support/service.ts";
import { runOnSpark } from "../support/spark-jobs.ts";
import { hasSpark, startSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { startWorker } from "../support/worker.ts";
import { describeOperations, SALES_ROWS, salesTable } from "./operations.ts";

async function databaseWithSales() {
  const schema = `test_${randomUUID().slice(0, 8)}`;
  const within = (sql: string): string => sql.replace(" sales", ` ${schema}.sales`);
  await runOnSpark(
    `CREATE DATABASE ${schema}`,
    within(salesTable({ varchar: "string", behind: " USING parquet" })),
    within(SALES_ROWS),
  );
  return { schema, drop: () => runOnSpark(`DROP DATABASE ${schema} CASCADE`) };
}

/**
 * The information schema of a catalogue with one table and no keys
 * (https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-information-schema).
 */
function informationSchema(schema: string): readonly string[] {
  const view = (name: string, columns: string, rows: readonly string[]): string => {
    const values = rows.map((row) => `(${row})`).join(", ") || `(${columns.replaceAll(/\w+/g, "''")})`;
    return `CREATE VIEW information_schema.${name} AS SELECT * FROM VALUES ${values} AS t(${columns})${rows.length === 0 ? " WHERE false" : ""}`;
  };
  const table = `'hive', '${schema}', 'sales'`;
  return [
    "CREATE DATABASE information_schema",
    view("tables", "table_catalog, table_schema, table_name, comment, table_type, data_source_format", [
      `${table}, NULL, 'MANAGED', 'DELTA'`,
    ]),
    view(
      "columns",
      "table_catalog, table_schema, table_name, ordinal_position, column_name, full_data_type, is_nullable, comment",
      ["1, 'id', 'int'", "2, 'city', 'string'", "3, 'amount', 'decimal(10,2)'"].map(
        (column) => `${table}, ${column}, 'YES', NULL`,
      ),
    ),
    view("schemata", "catalog_name, schema_name", [`'hive', '${schema}'`]),
    view("table_constraints", "constraint_catalog, constraint_schema, constraint_name, constraint_type", []),
    view(
      "key_column_usage",
      "constraint_catalog, constraint_schema, constraint_name, table_catalog, table_schema, table_name, column_name, ordinal_position, position_in_unique_constraint",
      [],
    ),
    view(
      "referential_constraints",
      "constraint_catalog, constraint_schema, constraint_name, unique_constraint_catalog, unique_constraint_schema, unique_constraint_name",
      [],
    ),
    "CREATE FUNCTION current_version() RETURNS STRUCT<dbsql_version STRING> RETURN named_struct('dbsql_version', '2025.40')",
  ];
}

const PLAN =
  "SELECT `sales`.`id`, `sales`.`city` FROM (SELECT `_s`.`id` AS `id`, CAST(`_s`.`city` AS STRING) AS `city` FROM `{schema}`.`sales` AS `_s`) AS `sales` WHERE `sales`.`id` = 1";
const TYPES = { id: "INTEGER", city: "VARCHAR", amount: "DECIMAL" };

describe.skipIf(!hasSpark())(hasSpark() ? "a real engine" : WITHOUT_SPARK, () => {
  describeOperations(
    "spark",
    async () => {
      const [service, { schema, drop }, { host, port }] = await Promise.all([
        startService(),
        databaseWithSales(),
        startSpark(),
      ]);
      return {
        url: service.url,
        connectionInfo: { host, port },
        tableReference: { schema, table: "sales" },
        close: () => Promise.all([service.stop(), drop()]),
      };
    },
    { plan: PLAN, table: "spark_catalog.{schema}.sales", types: TYPES, schema: "{schema}", version: /^\d+\.\d+\.\d+/ },
  );

  describeOperations(
    "databricks",
    async () => {
      const { schema, drop } = await databaseWithSales();
      await runOnSpark(...informationSchema(schema));
      const databricks = await startDatabricksOverSpark(await startSpark());
      const { url } = await startWorker({ AUTH: "none" }, { internet: databricks.url });
      return {
        url,
        connectionInfo: {
          serverHostname: "dbc-1.cloud.databricks.com",
          httpPath: `/sql/1.0/warehouses/${WAREHOUSE}`,
          accessToken: TOKEN,
        },
        tableReference: { schema, table: "sales" },
        secret: TOKEN,
        close: async () => {
          await databricks.close();
          await drop();
          await runOnSpark("DROP FUNCTION current_version", "DROP DATABASE information_schema CASCADE");
        },
      };
    },
    {
      plan: PLAN,
      table: "hive.{schema}.sales",
      types: { ...TYPES, city: "STRING" },
      schema: "{schema}",
      version: /^2025\.40$/,
    },
  );
});
