/** A shop with cubes over models and a view, on DuckDB and on PostgreSQL. */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type pg from "pg";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import type { Manifest } from "../../../src/planner/index.ts";
import type { Plan } from "../../../src/planner/plan.ts";
import { manifestOf } from "../../support/plan.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";

const member = (name: string, expression: string, type = "") => ({ name, expression, type });

const SALES = {
  name: "sales",
  baseObject: "sale",
  timeDimensions: [member("day", "sold", "DATE"), member("moment", "sold_at", "TIMESTAMP")],
  dimensions: [
    member("state", "state", "VARCHAR"),
    member("size", "CASE WHEN qty > 2 OR price > 50 THEN 'large' ELSE 'small' END", "VARCHAR"),
    member("buyer", "customer.name", "VARCHAR"),
    member("country", "customer.nation.name", "VARCHAR"),
    member("gift", "gift", "BOOLEAN"),
    member("Odd Name", '"Odd ""Col"', "VARCHAR"),
  ],
  measures: [
    member("revenue", "SUM(total)", "DECIMAL"),
    member("n", "count(*)", "BIGINT"),
    member("average", "revenue / n", "DOUBLE"),
    member("doubled", "average * 2 + n", "DOUBLE"),
    member("buyers", "count(DISTINCT customer.name)", "BIGINT"),
    member("large", "count(*) FILTER (WHERE size = 'large')", "BIGINT"),
    member("price", "max(price)", "DECIMAL"),
    member("margin", "sum(price - cost)", "DECIMAL"),
    member("marker", "max('revenue')", "VARCHAR"),
  ],
  hierarchies: { when: ["day", "moment"] },
};

const MODELS = [
  {
    name: "sale",
    tableReference: { table: "sale" },
    primaryKey: "id",
    columns: [
      { name: "id", type: "INTEGER" },
      { name: "customer_id", type: "INTEGER" },
      { name: "state", type: "VARCHAR" },
      { name: "qty", type: "INTEGER" },
      { name: "price", type: "DECIMAL(10,2)" },
      { name: "cost", type: "DECIMAL(10,2)", isHidden: true },
      { name: "sold", type: "DATE" },
      { name: "sold_at", type: "TIMESTAMP" },
      { name: "gift", type: "BOOLEAN" },
      { name: 'Odd "Col', type: "VARCHAR", expression: "odd" },
      { name: "total", type: "DECIMAL(12,2)", isCalculated: true, expression: "qty * price" },
      { name: "customer", type: "customer", relationship: "sale_customer" },
    ],
  },
  {
    name: "customer",
    tableReference: { table: "customer" },
    primaryKey: "id",
    columns: [
      { name: "id", type: "INTEGER" },
      { name: "name", type: "VARCHAR" },
      { name: "nation_id", type: "INTEGER" },
      { name: "nation", type: "nation", relationship: "customer_nation" },
      { name: "sales", type: "sale", relationship: "sale_customer" },
    ],
  },
  {
    name: "nation",
    tableReference: { table: "nation" },
    primaryKey: "id",
    columns: [
      { name: "id", type: "INTEGER" },
      { name: "name", type: "VARCHAR" },
    ],
  },
];

const RELATIONSHIPS = [
  {
    name: "sale_customer",
    models: ["sale", "customer"],
    joinType: "MANY_TO_ONE",
    condition: "sale.customer_id = customer.id",
  },
  {
    name: "customer_nation",
    models: ["customer", "nation"],
    joinType: "MANY_TO_ONE",
    condition: "customer.nation_id = nation.id",
  },
];

const VIEWS = [
  { name: "big_sales", statement: "SELECT id, state, total FROM sale WHERE qty > 1" },
  { name: "by_state", statement: "SELECT state, revenue FROM sales WHERE n > 1" },
];

const OVER_VIEWS = [
  {
    name: "big",
    baseObject: "big_sales",
    dimensions: [member("state", "state")],
    measures: [member("most", "max(total)"), member("n", "count(*)")],
  },
];

/** The shop with other cubes besides its own, and with members of models replaced. */
export function shopWith(
  cubes: readonly unknown[] = [],
  models: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {},
): Manifest {
  return manifestOf({
    catalog: "c",
    schema: "s",
    models: MODELS.map((model) => ({ ...model, ...models[model.name] })),
    relationships: RELATIONSHIPS,
    views: VIEWS,
    cubes: [SALES, ...OVER_VIEWS, ...cubes],
  });
}

/** Columns of `sale` with one of them changed. */
export function saleWith(name: string, changes: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const columns = MODELS[0]?.columns ?? [];
  return { columns: columns.map((column) => (column.name === name ? { ...column, ...changes } : column)) };
}

const DATA = `
  CREATE TABLE nation (id integer, name varchar(20));
  INSERT INTO nation VALUES (1, 'Peru'), (2, 'Chad');
  CREATE TABLE customer (id integer, name varchar(20), nation_id integer);
  INSERT INTO customer VALUES (1, 'Ann', 1), (2, 'O''Brien', 2), (3, '50%_off\\', NULL), (4, 'idle', 1);
  CREATE TABLE sale (id integer, customer_id integer, state varchar(5), qty integer, price decimal(10,2),
    cost decimal(10,2), sold date, sold_at timestamp, gift boolean, odd varchar(5));
  INSERT INTO sale VALUES
    (1, 1, 'new', 1, 10.00, 4.00, DATE '2024-01-31', TIMESTAMP '2024-01-31 23:59:59', true, 'a'),
    (2, 1, 'paid', 3, 20.00, 5.00, DATE '2024-02-01', TIMESTAMP '2024-02-01 00:00:00', false, 'a'),
    (3, 2, 'paid', 2, 60.50, 6.00, DATE '2024-02-29', TIMESTAMP '2024-02-29 12:30:00', false, 'b'),
    (4, 3, NULL, 1, 5.25, 1.00, DATE '2024-03-01', TIMESTAMP '2024-03-01 08:00:00', NULL, NULL),
    (5, NULL, 'sent', NULL, 7.00, 2.00, DATE '2023-12-31', TIMESTAMP '2023-12-31 10:10:10', true, 'b'),
    (6, 2, 'paid', 1, NULL, 3.00, NULL, NULL, false, 'c');`;

export interface Shop {
  readonly name: "duckdb" | "postgres";
  /** Rows as JSON texts, in the order of the engine. */
  rows(plan: Plan): Promise<readonly string[]>;
}

/** Opens both engines with the data; `stop` ends them. */
export async function openShops(): Promise<{ readonly shops: readonly Shop[]; stop(): Promise<void> }> {
  const instance = await DuckDBInstance.create(":memory:");
  const [duckdb, database] = await Promise.all([instance.connect(), startPostgres()]);
  const client = await database.connect();
  await client.query("SET standard_conforming_strings = on");
  await Promise.all([duckdb.run(DATA), client.query(DATA)]);
  return {
    shops: [duckdbShop(duckdb), postgresShop(client)],
    stop: () => stopAll(instance, duckdb, database),
  };
}

function duckdbShop(connection: DuckDBConnection): Shop {
  return {
    name: "duckdb",
    rows: async (plan) =>
      (await connection.runAndReadAll(plan.sql)).getRowsJson().map((row) => JSON.stringify(row.map(asText))),
  };
}

function postgresShop(client: pg.Client): Shop {
  return {
    name: "postgres",
    rows: async (plan) => {
      const { rows } = await client.query<unknown[]>({ text: plan.sql, rowMode: "array" });
      return rows.map((row) => JSON.stringify(row.map(asText)));
    },
  };
}

function asText(value: unknown): string | null {
  if (value === null) return null;
  return typeof value === "number" ? String(Number(value.toPrecision(12))) : String(value);
}

async function stopAll(instance: DuckDBInstance, connection: DuckDBConnection, database: TestDatabase): Promise<void> {
  connection.closeSync();
  instance.closeSync();
  await database.stop();
}

/** The planner's error in place of a plan. */
export function refusal(work: () => unknown): PlannerError {
  try {
    work();
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error("it was planned");
}
