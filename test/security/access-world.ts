/**
 * A small shop whose rows carry marks: whatever a rule withholds holds `CANARY`, `7770000…` or makes an engine fail. Every
 * rule below leaves the same rows, so what is left can be copied once and asked without rules.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { createConnection } from "mysql2/promise";
import type { Manifest } from "../../src/planner/index.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { startMySql } from "../support/mysql.ts";
import type { MySqlFlavor } from "../support/mysql-server.ts";
import { manifestOf } from "../support/plan.ts";
import { startPostgres } from "../support/postgres.ts";
import type { PostgresVersion } from "../support/postgres-server.ts";
import { type OpenedSource, openDuckDbFiles, openMySqlDatabase, openPostgresDatabase } from "../support/sources.ts";
import { LEFT, mysqlStatements, statements } from "./access-rows.ts";

/** In anything that a caller gets, this is an escape. */
export const CANARY = /canary|777[01]0000/i;

/** Row rules of `orders` in every shape, each with the same meaning written by hand in the source's own SQL. */
export const RULES: Readonly<Record<string, { readonly rules: readonly object[]; readonly byHand: string }>> = {
  literal: { rules: [rule("owner = @user", "user")], byHand: "owner = 'ann'" },
  list: { rules: [rule("owner IN @owners", "owners")], byHand: "owner IN ('ann', 'zoe')" },
  like: {
    rules: [rule("owner LIKE @pattern AND id BETWEEN @low AND CAST('4' AS INTEGER)", "pattern", "low")],
    byHand: "owner LIKE 'an_' AND id BETWEEN 1 AND 4",
  },
  subquery: {
    rules: [rule("area IN (SELECT g.granted_area FROM grants g WHERE g.user_name = @user)", "user")],
    byHand: "area IN (SELECT granted_area FROM grants WHERE user_name = 'ann')",
  },
  exists: {
    rules: [rule("EXISTS (SELECT 1 FROM grants g WHERE g.granted_area = area AND g.user_name = @user)", "user")],
    byHand: "EXISTS (SELECT 1 FROM grants g WHERE g.granted_area = area AND g.user_name = 'ann')",
  },
  view: {
    rules: [rule("area IN (SELECT v.granted_area FROM granted v WHERE v.user_name = @user)", "user")],
    byHand: "area IN (SELECT granted_area FROM grants WHERE user_name = 'ann')",
  },
  "to-many column": {
    rules: [rule("open_items > 0")],
    byHand: "(SELECT sum(quantity) FROM items i WHERE i.order_id = orders.id) > 0",
  },
  "hidden column": { rules: [rule("owner_key = @key", "key")], byHand: "canary_owner_key = 'KEYCANARY-ann'" },
  two: {
    rules: [
      rule("owner = @user OR owner = 'public'", "user"),
      { ...rule("day < @until", "until"), name: "the other rule" },
    ],
    byHand: "(owner = 'ann' OR owner = 'public') AND day < DATE '2030-01-01'",
  },
  "related model": {
    rules: [rule("customer.owner = @user", "user")],
    byHand: "customer_id IN (SELECT id FROM customers WHERE owner = 'ann')",
  },
};

export const SESSION: ReadonlyMap<string, string> = new Map([
  ["user", "'ann'"],
  ["owners", "('ann', 'zoe')"],
  ["pattern", "'an_'"],
  ["low", "1"],
  ["key", "'KEYCANARY-ann'"],
  ["until", "DATE '2030-01-01'"],
  ["level", "1"],
]);

function rule(condition: string, ...properties: readonly string[]): Readonly<Record<string, unknown>> {
  return {
    name: "the rule",
    requiredProperties: properties.map((name) => ({ name, required: true })),
    condition,
  };
}

const DENIED = {
  name: "clearance",
  requiredProperties: [{ name: "level", required: true }],
  operator: "GREATER_THAN_OR_EQUALS",
  threshold: "5",
};

const column = (name: string, type: string, more: object = {}): object => ({ name, type, ...more });
const calculated = (name: string, type: string, expression: string): object =>
  column(name, type, { isCalculated: true, expression });
const handle = (name: string, model: string, relationship: string): object => column(name, model, { relationship });

type Tables = (name: string) => object;

/** Views whose rows, groups or order a denied column decides about: nobody who may not name it reads them. */
const DECIDING_VIEWS = Object.entries({
  rich: "SELECT id FROM orders WHERE salary > 777100002",
  rich_below: "SELECT id FROM (SELECT id, salary FROM orders) t WHERE salary > 777100002",
  richest: "SELECT id, salary FROM orders ORDER BY salary DESC LIMIT 1",
  richest_by_place: "SELECT id, salary FROM orders ORDER BY 2 DESC LIMIT 1",
  by_salary: "SELECT owner, salary FROM orders GROUP BY owner, salary",
  salary_groups: "SELECT count(*) AS n FROM orders GROUP BY salary",
  top_salary: "SELECT max(salary) AS most, count(*) AS n FROM orders",
  each_secret: "SELECT DISTINCT owner, secret FROM orders",
  first_secret: "SELECT DISTINCT ON (secret) id FROM orders",
  all_secrets: "SELECT id, note FROM orders UNION SELECT id, secret FROM orders",
  no_secrets: "SELECT id, note FROM orders EXCEPT (SELECT id, secret FROM orders)",
  equal_secrets: "SELECT a.id FROM orders a JOIN orders b USING (secret)",
  chosen_secret: "SELECT i.id FROM items i WHERE i.label IN (SELECT secret FROM orders)",
  split_secret: "SELECT id, unnest(ARRAY[secret, note]) AS part FROM orders",
  cube_secrets: "SELECT key, number FROM order_cube",
}).map(([name, statement]) => ({ name, statement }));

/** `rules` of `orders`; `undefined` is the shop without any rule, in which denied columns do not exist at all. */
export function shop(world: World, table: Tables, rules: readonly object[] | undefined): Manifest {
  return manifestOf(shopData(world, table, rules));
}

/** The manifest as a caller writes it. */
export function shopData(
  { jsonColumn }: Pick<World, "jsonColumn">,
  table: Tables,
  rules: readonly object[] | undefined,
): object {
  const ruled = rules !== undefined;
  const own = (condition: string): object =>
    ruled ? { rowLevelAccessControls: [{ ...rule(condition, "user"), name: "own rows" }] } : {};
  const denied = (...columns: readonly object[]): readonly object[] =>
    ruled ? columns.map((each) => ({ ...each, columnLevelAccessControl: DENIED })) : [];
  const hidden = (text: string): string => (ruled ? text : "");
  const dependent = (...columns: readonly object[]): readonly object[] => (ruled ? columns : []);
  return {
    catalog: "shop",
    schema: "public",
    models: [
      {
        name: "orders",
        ...table("orders"),
        primaryKey: "id",
        ...(ruled && { rowLevelAccessControls: rules }),
        columns: [
          column("id", "INTEGER"),
          column("customer_id", "INTEGER"),
          column("owner", "VARCHAR"),
          column("area", "VARCHAR"),
          column("amount", "INTEGER"),
          column("units", "INTEGER"),
          column("code", "VARCHAR"),
          column("note", "VARCHAR"),
          column("doc", "VARCHAR"),
          column("json", "JSON", { expression: jsonColumn }),
          column("pattern", "VARCHAR"),
          column("day_text", "VARCHAR"),
          column("day", "DATE"),
          column("big", "BIGINT"),
          column("owner_key", "VARCHAR", { expression: "canary_owner_key", isHidden: true }),
          handle("customer", "customers", "orders_customers"),
          handle("items", "items", "items_orders"),
          calculated("double_amount", "INTEGER", "amount * 2"),
          calculated("per_unit", "INTEGER", "100 / units"),
          calculated("open_items", "BIGINT", "sum(items.quantity)"),
          calculated("customer_name", "VARCHAR", "customer.name"),
          calculated("amount_rank", "BIGINT", "rank() OVER (ORDER BY amount)"),
          ...denied(
            column("secret", "VARCHAR", { expression: "canary_secret" }),
            column("salary", "INTEGER", { expression: "canary_salary" }),
            handle("buyer", "customers", "orders_customers"),
          ),
          ...dependent(
            calculated("secret_length", "INTEGER", "length(secret)"),
            calculated("customer_ssn", "VARCHAR", "customer.ssn"),
            calculated("far", "INTEGER", "secret_length + 1"),
            calculated("buyer_name", "VARCHAR", "buyer.name"),
            calculated("buyer_length", "INTEGER", "length(buyer_name)"),
            calculated("buyer_orders", "BIGINT", "buyer.order_count"),
          ),
        ],
      },
      {
        name: "customers",
        ...table("customers"),
        primaryKey: "id",
        ...own("owner = @user"),
        columns: [
          column("id", "INTEGER"),
          column("name", "VARCHAR"),
          column("owner", "VARCHAR"),
          column("code", "VARCHAR"),
          handle("orders", "orders", "orders_customers"),
          ...denied(handle("bought", "orders", "orders_customers")),
          ...dependent(calculated("bought_count", "BIGINT", "count(bought.id)")),
          calculated("order_count", "BIGINT", "count(orders.id)"),
          calculated("order_total", "BIGINT", "sum(orders.amount)"),
          ...denied(column("ssn", "VARCHAR", { expression: "canary_ssn" })),
          ...dependent(calculated("salaries", "BIGINT", "sum(orders.salary)")),
        ],
      },
      {
        name: "items",
        ...table("items"),
        primaryKey: "id",
        columns: [
          column("id", "INTEGER"),
          column("order_id", "INTEGER"),
          column("quantity", "INTEGER"),
          column("label", "VARCHAR"),
          handle("order", "orders", "items_orders"),
          calculated("order_note", "VARCHAR", '"order".note'),
          calculated("order_customer", "VARCHAR", '"order".customer.name'),
        ],
      },
      {
        name: "copies",
        baseObject: "orders",
        primaryKey: "id",
        columns: [
          column("id", "INTEGER"),
          column("note", "VARCHAR"),
          column("code", "VARCHAR"),
          column("cost", "INTEGER", { expression: "amount" }),
          column("each", "INTEGER", { expression: "per_unit" }),
          ...dependent(column("salary", "INTEGER"), column("length", "INTEGER", { expression: "secret_length" })),
        ],
      },
      {
        name: "on_view",
        baseObject: "secret_view",
        columns: [
          column("id", "INTEGER"),
          calculated("place", "BIGINT", "row_number() OVER (ORDER BY id)"),
          ...dependent(
            column("secret", "VARCHAR"),
            column("aloud", "VARCHAR", { expression: "loud" }),
            calculated("secret_size", "INTEGER", "length(secret)"),
          ),
        ],
      },
      {
        name: "on_metric",
        baseObject: "by_owner",
        columns: [column("owner", "VARCHAR"), column("total", "BIGINT"), ...dependent(column("paid", "BIGINT"))],
      },
      {
        name: "grants",
        ...table("grants"),
        ...own("user_name = @user"),
        columns: [column("user_name", "VARCHAR"), column("granted_area", "VARCHAR")],
      },
    ],
    cubes: [
      {
        name: "order_cube",
        baseObject: "orders",
        measures: [
          column("total", "BIGINT", { expression: "sum(amount)" }),
          column("number", "BIGINT", { expression: "count(*)" }),
          column("most", "VARCHAR", { expression: "max(note)" }),
          column("per_unit", "INTEGER", { expression: "min(100 / units)" }),
          ...dependent(column("paid", "BIGINT", { expression: "sum(salary)" })),
        ],
        dimensions: [
          column("who", "VARCHAR", { expression: "owner" }),
          ...dependent(
            column("key", "VARCHAR", { expression: "secret" }),
            column("buyer", "VARCHAR", { expression: "buyer.name" }),
          ),
        ],
        timeDimensions: [column("day", "DATE", { expression: "day" })],
      },
    ],
    relationships: [
      relationship("orders_customers", "orders", "customers", "orders.customer_id = customers.id"),
      relationship("items_orders", "items", "orders", "items.order_id = orders.id"),
    ],
    metrics: [
      {
        name: "by_owner",
        baseObject: "orders",
        dimension: [column("owner", "VARCHAR")],
        measure: [
          column("total", "BIGINT", { expression: "sum(amount)" }),
          column("most", "VARCHAR", { expression: "max(note)" }),
          ...dependent(column("paid", "BIGINT", { expression: "sum(salary)" })),
        ],
        timeGrain: [],
      },
    ],
    views: [
      { name: "granted", statement: "SELECT * FROM grants" },
      { name: "order_view", statement: "SELECT id, note, amount, units, code FROM orders" },
      { name: "star_view", statement: "SELECT * FROM orders" },
      { name: "nested_view", statement: "SELECT v.* FROM order_view v JOIN customers c ON c.id = v.id" },
      { name: "total_view", statement: "SELECT owner, sum(amount) AS total FROM orders GROUP BY owner" },
      { name: "secret_view", statement: `SELECT id${hidden(", secret, upper(secret) AS loud, o.far")} FROM orders o` },
      { name: "inner_secrets", statement: `SELECT * FROM secret_view${hidden(" WHERE id = id")}` },
      {
        name: "outer_secrets",
        statement: `SELECT s.id${hidden(", s.secret AS x, (SELECT max(secret) FROM orders) AS y")} FROM secret_view s`,
      },
      {
        name: "listed_secrets",
        statement: `WITH t AS (SELECT id${hidden(", salary")} FROM orders), u AS (SELECT * FROM t) SELECT * FROM u`,
      },
      {
        name: "ranked_secrets",
        statement: `SELECT id${hidden(", rank() OVER (ORDER BY salary) AS place, 1 / salary AS part")} FROM orders`,
      },
      ...(ruled ? DECIDING_VIEWS : []),
    ],
  };
}

function relationship(name: string, from: string, to: string, condition: string): object {
  return { name, models: [from, to], joinType: "MANY_TO_ONE", condition };
}

export interface World {
  readonly source: DataSource;
  readonly opened: OpenedSource;
  /** With what a caller of the service reaches it. */
  readonly connectionInfo: Readonly<Record<string, unknown>>;
  /** Where the tables are, with every row. */
  readonly whole: Tables;
  /** Where the copies are that hold only what the rules leave. */
  readonly left: Tables;
  /** A JSON column as the modeller writes it; on files nothing has checked its texts. */
  readonly jsonColumn: string;
  /** A whole number has the width that the engine's plan gives it, which is another behind a derived table. */
  readonly plansWidths?: true;
  /** Runs SQL as it is, for what is written by hand. */
  admin(sql: string): Promise<readonly unknown[][]>;
  close(): Promise<void>;
}

/** @param version Of a server of its own; the one that the tests share when absent. */
export async function openPostgresWorld(version?: PostgresVersion): Promise<World> {
  const database = await startPostgres(version === undefined ? {} : { version });
  const client = await database.connect();
  for (const statement of statements()) await client.query(statement);
  await client.query("CREATE SCHEMA filtered");
  for (const [table, condition] of Object.entries(LEFT)) {
    await client.query(`CREATE TABLE filtered.${table} AS SELECT * FROM public.${table} WHERE ${condition}`);
  }
  // Estimates evaluate operators over the most common values of the statistics, whoever may see them.
  await client.query("ANALYZE");
  const opened = await openPostgresDatabase(database);
  return {
    source: "postgres",
    connectionInfo: {
      host: database.host,
      port: database.port,
      user: database.user,
      password: database.password,
      database: database.database,
      kwargs: { sslmode: "disable" },
    },
    jsonColumn: "CASE WHEN id <= 4 THEN doc::json END",
    opened,
    whole: (table) => ({ tableReference: { schema: "public", table } }),
    left: (table) => ({ tableReference: { schema: "filtered", table } }),
    admin: async (sql) => (await client.query({ text: sql, rowMode: "array" })).rows as unknown[][],
    close: async () => {
      await opened.close();
      await database.stop();
    },
  };
}

/** Names of databases are what other engines call schemas. */
export async function openMySqlWorld(flavor: MySqlFlavor): Promise<World> {
  const database = await startMySql(flavor);
  const filtered = `${database.database}_filtered`;
  const { host, port, user, password } = database;
  const admin = await createConnection({ host, port, user, password, database: database.database, rowsAsArray: true });
  for (const statement of mysqlStatements()) await admin.query(statement);
  await admin.query(`CREATE DATABASE ${filtered}`);
  for (const [table, condition] of Object.entries(LEFT)) {
    await admin.query(`CREATE TABLE ${filtered}.${table} AS SELECT * FROM ${table} WHERE ${condition}`);
    await admin.query(`ANALYZE TABLE ${table}`);
  }
  const opened = await openMySqlDatabase(database);
  return {
    source: "mysql",
    connectionInfo: { host, port, user, password, database: database.database, sslMode: "DISABLED" },
    // Beside the shop's other texts it would be an error to cast them, and for MySQL alone.
    jsonColumn: "doc",
    plansWidths: true,
    opened,
    whole: (table) => ({ tableReference: { schema: database.database, table } }),
    left: (table) => ({ tableReference: { schema: filtered, table } }),
    admin: async (sql) => (await admin.query(sql))[0] as unknown[][],
    close: async () => {
      await opened.close();
      await admin.query(`DROP DATABASE ${filtered}`);
      await admin.end();
      await database.stop();
    },
  };
}

/** `root` is the directory of the files, for a sidecar that serves them. */
export type FileWorld = World & { readonly root: string };

/**
 * Parquet files, whose columns come with dictionaries, or CSV files, whose types DuckDB takes from their texts. The copies
 * are Parquet in both, so that their types are the true ones.
 */
export async function openDuckDbWorld(format: "parquet" | "csv" = "parquet"): Promise<FileWorld> {
  const root = await mkdtemp(join(tmpdir(), "siskin-access-"));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  for (const statement of statements()) await connection.run(statement);
  await mkdir(join(root, "filtered"));
  for (const [table, condition] of Object.entries(LEFT)) {
    await connection.run(`COPY ${table} TO '${join(root, `${table}.${format}`)}' (FORMAT ${format})`);
    await connection.run(
      `COPY (SELECT * FROM ${table} WHERE ${condition}) TO '${join(root, `filtered/${table}.parquet`)}' (FORMAT parquet)`,
    );
  }
  const opened = await openDuckDbFiles(root);
  return {
    source: "local_file",
    root,
    connectionInfo: { url: "/", format },
    jsonColumn: "doc",
    opened,
    whole: (table) => ({ tableReference: { table: `${table}.${format}` } }),
    left: (table) => ({ tableReference: { table: `filtered/${table}.parquet` } }),
    admin: async (sql) => (await connection.runAndReadAll(sql)).getRowsJson() as unknown[][],
    close: async () => {
      await opened.close();
      connection.closeSync();
      instance.closeSync();
      await rm(root, { recursive: true });
    },
  };
}
