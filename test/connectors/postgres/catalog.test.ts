import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CatalogAnswers, CatalogFilter, TableRecord } from "../../../src/connectors/catalog/types.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";
import { patient } from "../contract.ts";
import { openFromNode } from "./fixture.ts";

let database: TestDatabase;
let client: pg.Client;
let connector: Connector;

beforeAll(async () => {
  database = await startPostgres();
  client = await database.connect();
  await client.query(`
    CREATE SCHEMA "Sales-EU";
    CREATE SCHEMA empty;
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE DOMAIN positive AS integer CHECK (VALUE > 0);
    CREATE DOMAIN very_positive AS positive;
    CREATE DOMAIN feeling AS mood;
    CREATE TYPE pair AS (a integer, b text);
    CREATE TYPE geometry AS (wkb bytea);
    CREATE TABLE shops (id integer PRIMARY KEY, region text NOT NULL, UNIQUE (id, region));
    CREATE TABLE sales (
      b bigint NOT NULL, a integer, dropped text, day date NOT NULL, shop integer REFERENCES shops (id),
      r1 text, i1 integer, "Note ""x""" varchar(20), PRIMARY KEY (day, b),
      CONSTRAINT z_pair FOREIGN KEY (r1, i1) REFERENCES shops (region, id));
    ALTER TABLE shops ADD UNIQUE (region, id);
    ALTER TABLE sales DROP COLUMN dropped;
    COMMENT ON TABLE sales IS 'one row per sale';
    COMMENT ON COLUMN sales.b IS 'number of the bill';
    CREATE TABLE types (
      c_bool boolean, c_int2 smallint, c_int4 integer, c_int8 bigint, c_real real, c_double double precision,
      c_numeric numeric, c_decimal numeric(10, 2), c_text text, c_varchar varchar(5), c_char char(3), c_onechar "char", c_name name,
      c_date date, c_time time, c_timetz timetz, c_timestamp timestamp, c_timestamptz timestamptz, c_interval interval,
      c_json json, c_jsonb jsonb, c_bytea bytea, c_uuid uuid, c_inet inet, c_cidr cidr, c_oid oid, c_mood mood, c_feeling feeling,
      c_positive positive, c_very very_positive, c_geometry geometry, c_array integer[], c_pair pair, c_range int4range, c_money money,
      c_xml xml, c_serial bigserial, c_generated integer GENERATED ALWAYS AS (1) STORED);
    CREATE VIEW open_sales AS SELECT b, day FROM sales;
    CREATE MATERIALIZED VIEW totals AS SELECT count(*) AS n FROM sales;
    CREATE TABLE events (id integer, at date NOT NULL, shop integer REFERENCES shops) PARTITION BY RANGE (at);
    CREATE TABLE events_2024 PARTITION OF events FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
    CREATE EXTENSION postgres_fdw;
    CREATE SERVER elsewhere FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host 'nowhere.invalid');
    CREATE FOREIGN TABLE far (x text) SERVER elsewhere;
    CREATE TABLE "Sales-EU"."Ta.ble" (id integer PRIMARY KEY, shop integer REFERENCES public.shops, self integer REFERENCES "Sales-EU"."Ta.ble");
    CREATE TABLE "Sales-EU".per_cent (x integer);
    CREATE TABLE "Sales-EU".perscent (x integer);
    CREATE TEMPORARY TABLE mine (x integer);
    CREATE SEQUENCE numbers;
    CREATE INDEX an_index ON sales (a);`);
  connector = await openFromNode({ connectionUrl: database.url });
});
afterAll(async () => {
  await connector?.close();
  await database?.stop();
});

const tables = (filter: CatalogFilter = {}, limit?: number): Promise<CatalogAnswers["tables"]> =>
  connector.catalog({ kind: "tables", filter, limit }, patient());
const names = async (filter: CatalogFilter = {}, limit?: number): Promise<string[]> =>
  (await tables(filter, limit)).map((table) => table.name);
const constraints = (filter: CatalogFilter = {}, limit?: number): Promise<CatalogAnswers["constraints"]> =>
  connector.catalog({ kind: "constraints", filter, limit }, patient());
const schemas = (filter: CatalogFilter = {}, limit?: number): Promise<CatalogAnswers["schemas"]> =>
  connector.catalog({ kind: "schemas", filter, limit }, patient());

async function table(name: string): Promise<TableRecord> {
  const found = (await tables()).find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`no table ${name}`);
  return found;
}

const ALL = [
  "Sales-EU.Ta.ble",
  "Sales-EU.per_cent",
  "Sales-EU.perscent",
  "public.events",
  "public.events_2024",
  "public.far",
  "public.open_sales",
  "public.sales",
  "public.shops",
  "public.totals",
  "public.types",
];

describe("tables", () => {
  it("of every kind and schema but the system's, in order", async () => {
    expect(await names()).toEqual(ALL);
  });

  it("as one whole record", async () => {
    expect(await table("public.sales")).toEqual({
      name: "public.sales",
      columns: [
        ["b", "BIGINT", true, "number of the bill"],
        ["a", "INTEGER", false, null],
        ["day", "DATE", true, null],
        ["shop", "INTEGER", false, null],
        ["r1", "TEXT", false, null],
        ["i1", "INTEGER", false, null],
        ['Note "x"', "VARCHAR", false, null],
      ].map(([name, type, notNull, description]) => ({
        name,
        type,
        notNull,
        description,
        properties: null,
        nestedColumns: null,
      })),
      description: "one row per sale",
      properties: { schema: "public", catalog: database.database, table: "sales", path: null },
      // In the order of the key, not of the columns.
      primaryKey: "day,b",
    });
  });

  it("say so when they have no comment and no key", async () => {
    const view = await table("public.open_sales");
    expect([view.description, view.primaryKey, view.columns.map((column) => column.name)]).toEqual([
      null,
      "",
      ["b", "day"],
    ]);
    expect((await table("public.shops")).primaryKey).toBe("id");
  });

  it.each([
    ["c_bool", "BOOL"],
    ["c_int2", "SMALLINT"],
    ["c_int4", "INTEGER"],
    ["c_int8", "BIGINT"],
    ["c_real", "REAL"],
    ["c_double", "DOUBLE"],
    ["c_numeric", "DECIMAL"],
    ["c_decimal", "DECIMAL"],
    ["c_text", "TEXT"],
    ["c_varchar", "VARCHAR"],
    ["c_char", "CHAR"],
    ["c_onechar", "CHAR"],
    ["c_name", "CHAR"],
    ["c_date", "DATE"],
    ["c_time", "TIME"],
    ["c_timetz", "TIME"],
    ["c_timestamp", "TIMESTAMP"],
    ["c_timestamptz", "TIMESTAMPTZ"],
    ["c_interval", "INTERVAL"],
    ["c_json", "JSON"],
    ["c_jsonb", "JSON"],
    ["c_bytea", "BYTEA"],
    ["c_uuid", "UUID"],
    ["c_inet", "INET"],
    ["c_cidr", "INET"],
    ["c_oid", "OID"],
    ["c_mood", "ENUM"],
    ["c_feeling", "ENUM"],
    ["c_positive", "INTEGER"],
    ["c_very", "INTEGER"],
    ["c_geometry", "GEOMETRY"],
    ["c_array", "UNKNOWN"],
    ["c_pair", "UNKNOWN"],
    ["c_range", "UNKNOWN"],
    ["c_money", "UNKNOWN"],
    ["c_xml", "UNKNOWN"],
    ["c_serial", "BIGINT"],
    ["c_generated", "INTEGER"],
  ])("column %s is %s", async (column, type) => {
    const { columns } = await table("public.types");
    expect(columns.find((candidate) => candidate.name === column)?.type).toBe(type);
  });

  it.each<[CatalogFilter, string[]]>([
    [{ schema: "public", table: "s*" }, ["public.sales", "public.shops"]],
    [{ table: "SALES" }, ["public.sales"]],
    [{ table: "*sales" }, ["public.open_sales", "public.sales"]],
    [{ table: "s??es" }, ["public.sales"]],
    [{ table: "per_cent" }, ["Sales-EU.per_cent"]],
    [{ table: "per?cent" }, ["Sales-EU.per_cent", "Sales-EU.perscent"]],
    [{ table: "%" }, []],
    [{ schema: "sales-eu", table: "ta.b*" }, ["Sales-EU.Ta.ble"]],
    [{ schema: "*", catalog: "*", table: "far" }, ["public.far"]],
    [{ catalog: "another" }, []],
    [{ table: "" }, []],
    [{ table: "x' OR true --" }, []],
    [{ table: "\\' OR true --" }, []],
    [{ schema: "pg_catalog" }, []],
    [{ schema: "information_schema" }, []],
  ])("filtered by %j", async (filter, expected) => {
    expect(await names(filter)).toEqual(expected);
  });

  it.each([
    [0, []],
    [1, ALL.slice(0, 1)],
    [4, ALL.slice(0, 4)],
    [1000, ALL],
  ])("limited to %i tables, each with all its columns", async (limit, expected) => {
    const found = await tables({}, limit);
    expect(found.map(({ name }) => name)).toEqual(expected);
    if (limit === 1) expect(found[0]?.columns).toHaveLength(3);
  });

  it("are those that the user may read, and of them the columns", async () => {
    const role = `reader_of_${database.database}`;
    await client.query(
      `CREATE ROLE ${role} LOGIN PASSWORD 'reader'; GRANT SELECT ON shops TO ${role}; GRANT SELECT (b) ON sales TO ${role}`,
    );
    const { host, port } = database;
    const reader = await openFromNode({ host, port, database: database.database, user: role, password: "reader" });
    try {
      const found = await reader.catalog({ kind: "tables", filter: {}, limit: undefined }, patient());
      expect(found.map(({ name, columns }) => [name, columns.map((column) => column.name)])).toEqual([
        ["public.sales", ["b"]],
        ["public.shops", ["id", "region"]],
      ]);
    } finally {
      await reader.close();
      await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    }
  });
});

describe("constraints", () => {
  const foreignKey = (child: string, column: string, parent: string, referenced: string) => ({
    constraintName: `${child.split(".").slice(1).join(".")}_${column}_${parent.split(".").slice(1).join(".")}_${referenced}`,
    constraintType: "FOREIGN KEY",
    constraintTable: child,
    constraintColumn: column,
    constraintedTable: parent,
    constraintedColumn: referenced,
  });

  it("are foreign keys, composite ones column by column in the order of the key, none twice for partitions", async () => {
    expect(await constraints()).toEqual([
      foreignKey("Sales-EU.Ta.ble", "self", "Sales-EU.Ta.ble", "id"),
      foreignKey("Sales-EU.Ta.ble", "shop", "public.shops", "id"),
      foreignKey("public.events", "shop", "public.shops", "id"),
      foreignKey("public.sales", "shop", "public.shops", "id"),
      foreignKey("public.sales", "r1", "public.shops", "region"),
      foreignKey("public.sales", "i1", "public.shops", "id"),
    ]);
  });

  it("are named for the bare tables and columns", async () => {
    const [first] = await constraints({ table: "events" });
    expect(first?.constraintName).toBe("events_shop_shops_id");
  });

  it("filtered and limited by the tables that hold them", async () => {
    expect((await constraints({ schema: "public" })).map((row) => row.constraintColumn)).toEqual([
      "shop",
      "shop",
      "r1",
      "i1",
    ]);
    expect((await constraints({}, 2)).map((row) => row.constraintTable)).toEqual([
      "Sales-EU.Ta.ble",
      "Sales-EU.Ta.ble",
      "public.events",
    ]);
    expect(await constraints({ catalog: "another" })).toEqual([]);
  });
});

describe("schemas and version", () => {
  it("one record for the database", async () => {
    expect(await schemas()).toEqual([{ name: database.database, schemas: ["Sales-EU", "empty", "public"] }]);
  });

  it("filtered and limited", async () => {
    expect(await schemas({ schema: "e*" })).toEqual([{ name: database.database, schemas: ["empty"] }]);
    expect(await schemas({ schema: "nowhere" })).toEqual([{ name: database.database, schemas: [] }]);
    expect(await schemas({ catalog: "another" })).toEqual([]);
    expect(await schemas({}, 2)).toEqual([{ name: database.database, schemas: ["Sales-EU", "empty"] }]);
  });

  it("the server's own text", async () => {
    expect(await connector.catalog({ kind: "version" }, patient())).toMatch(/^PostgreSQL 18/);
  });
});
