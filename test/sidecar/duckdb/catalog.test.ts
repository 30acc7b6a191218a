import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { duckDbTypeName } from "../../../src/connectors/catalog/duckdb.ts";
import type { CatalogFilter, ColumnRecord, TableRecord } from "../../../src/connectors/catalog/types.ts";
import { calling, connectTo, failureOf, makeWith, type Playground, playground } from "./fixtures.ts";

let ground: Playground;

/** One column per type; what DuckDB's Parquet writer makes of BIT and HUGEINT is in docs/spec/contract.md#metadata-of-files. */
const ONE_OF_EACH = `SELECT 1::bigint AS c_bigint, '101'::bit AS c_bit, 'a'::blob AS c_blob, true AS c_boolean, date '2024-01-01' AS c_date,
  1.5::double AS c_double, 1.5::float AS c_float, 1::integer AS c_integer, 1::hugeint AS c_hugeint,
  interval '1 day' AS c_interval, '{}'::json AS c_json, 1::smallint AS c_smallint, time '10:00' AS c_time,
  timestamp '2024-01-01 00:00:00' AS c_timestamp, timestamptz '2024-01-01 00:00:00+00' AS c_timestamptz,
  1::tinyint AS c_tinyint, 1::ubigint AS c_ubigint, 1::uinteger AS c_uinteger, 1::usmallint AS c_usmallint,
  1::utinyint AS c_utinyint, uuid() AS c_uuid, 'x' AS c_varchar, 1.5::decimal(10, 2) AS c_decimal,
  {'a': 1} AS c_struct, [1] AS c_list, map {'a': 1} AS c_map`;

beforeAll(async () => {
  ground = playground();
  ground.write("csv/sales.csv", "id,amount,when\n1,1.5,2024-01-01\n");
  ground.write("csv/sales.2024.csv", "id\n1\n");
  ground.write("csv/plain", "id\n1\n");
  ground.write("csv/events/1.csv", "e\n1\n");
  ground.write("csv/events/2.csv", "e\n2\n");
  ground.write("csv/empty/.keep", "");
  ground.write("csv/other.json", '{"j": 1}');
  ground.write("csv/.hidden.csv", "h\n1\n");
  ground.write("csv/binary.bin", Uint8Array.of(0xff, 0xfe, 0x00, 0x0a, 0xe9, 0x0a));
  ground.link(join(ground.outside, "secret.csv"), "csv/secret.csv");
  ground.pipe("csv/pipe.csv");
  ground.write("json/people.json", '[{"id": 1, "tags": ["a"], "address": {"city": "x"}}]');
  ground.write("json/lines.ndjson", '{"id": 1}\n');
  ground.write("parquet/broken.parquet", "no parquet");
  await makeWith([`COPY (${ONE_OF_EACH}) TO '${join(ground.root, "parquet/types.parquet")}'`]);
  ground.write("databases/notes.txt", "not a database");
  await makeWith(
    [
      "CREATE TABLE customers (id integer PRIMARY KEY, name varchar NOT NULL, balance decimal(10, 2))",
      "COMMENT ON TABLE customers IS 'who buys'",
      "COMMENT ON COLUMN customers.name IS 'as it is written'",
      "CREATE SCHEMA sales",
      "CREATE TABLE sales.orders (a integer, b integer, PRIMARY KEY (a, b))",
      "CREATE TABLE sales.lines (order_a integer, order_b integer, FOREIGN KEY (order_a, order_b) REFERENCES sales.orders (a, b))",
      "CREATE VIEW rich AS SELECT id FROM customers WHERE balance > 1000",
      "INSERT INTO customers VALUES (1, 'Ada', 12.5)",
    ],
    join(ground.root, "databases/shop.duckdb"),
  );
  ground.write("two/.keep", "");
  await makeWith(["CREATE TABLE t (i integer)"], join(ground.root, "two/first.duckdb"));
  await makeWith(["CREATE TABLE t (j varchar)"], join(ground.root, "two/second.duckdb"));
});
afterAll(() => ground.remove());

async function tables(
  connection: { url: string; format: string },
  filter: CatalogFilter = {},
  limit: number | undefined = undefined,
): Promise<readonly TableRecord[]> {
  const connector = await connectTo(ground, connection);
  try {
    return await connector.catalog({ kind: "tables", filter, limit }, calling());
  } finally {
    await connector.close();
  }
}

const column = (name: string, type: string, more: Partial<ColumnRecord> = {}): ColumnRecord => ({
  name,
  type,
  notNull: false,
  description: null,
  properties: null,
  nestedColumns: null,
  ...more,
});

describe("a directory of files", () => {
  it("is listed with a record per readable entry of the top level", async () => {
    const table = (name: string, path: string, columns: ColumnRecord[]): TableRecord => ({
      name,
      columns,
      description: null,
      properties: { schema: null, catalog: null, table: name, path },
      primaryKey: null,
    });
    expect(await tables({ url: "csv", format: "csv" })).toEqual([
      table("events", "csv/events/*.csv", [column("e", "INT64")]),
      table("plain", "csv/plain", [column("id", "INT64")]),
      table("sales.2024", "csv/sales.2024.csv", [column("id", "INT64")]),
      table("sales", "csv/sales.csv", [column("id", "INT64"), column("amount", "DOUBLE"), column("when", "DATE")]),
    ]);
  });

  it("lists JSON with its types", async () => {
    const [lines, people] = await tables({ url: "/json/", format: "json" });
    expect(lines).toMatchObject({ name: "lines", properties: { path: "/json/lines.ndjson" } });
    expect(people?.columns).toEqual([
      column("id", "INT64"),
      column("tags", "VARCHAR[]"),
      column("address", "STRUCT(city VARCHAR)"),
    ]);
  });

  it("lists Parquet with its types, and skips what is none", async () => {
    const [types, ...others] = await tables({ url: "parquet", format: "parquet" });
    expect(others).toEqual([]);
    expect(Object.fromEntries((types?.columns ?? []).map(({ name, type }) => [name.slice(2), type]))).toEqual({
      bigint: "INT64",
      bit: "STRING",
      blob: "BYTES",
      boolean: "BOOL",
      date: "DATE",
      double: "DOUBLE",
      float: "FLOAT",
      integer: "INT",
      hugeint: "DOUBLE",
      interval: "INTERVAL",
      json: "JSON",
      smallint: "INT2",
      time: "TIME",
      timestamp: "TIMESTAMP",
      timestamptz: "TIMESTAMPTZ",
      tinyint: "INT2",
      ubigint: "INT64",
      uinteger: "INT",
      usmallint: "INT2",
      utinyint: "INT2",
      uuid: "UUID",
      varchar: "STRING",
      decimal: "DECIMAL",
      struct: "STRUCT(a INTEGER)",
      list: "INTEGER[]",
      map: "MAP(VARCHAR, INTEGER)",
    });
  });

  it.each<[filter: CatalogFilter, limit: number | undefined, names: string[]]>([
    [{ table: "SALES*" }, undefined, ["sales.2024", "sales"]],
    [{ table: "sale?" }, undefined, ["sales"]],
    [{ schema: "*", catalog: "*" }, 2, ["events", "plain"]],
    [{ schema: "main" }, undefined, []],
    [{}, 0, []],
    [{}, 100, ["events", "plain", "sales.2024", "sales"]],
  ])("filter %o, limit %s", async (filter, limit, names) => {
    expect((await tables({ url: "csv", format: "csv" }, filter, limit)).map(({ name }) => name)).toEqual(names);
  });

  it.each<[url: string, format: string, reason: string, message: string]>([
    ["csv", "unsupported", "FILE_INVALID", "Failed to list files: Unsupported format: unsupported"],
    ["missing", "csv", "FILE_NOT_FOUND", 'Failed to list files: The directory "missing" does not exist.'],
    ["../outside", "csv", "FILE_NOT_FOUND", 'Failed to list files: The directory "../outside" does not exist.'],
    ["csv/sales.csv", "csv", "FILE_INVALID", 'Failed to list files: "csv/sales.csv" is not a directory.'],
  ])("%s as %s: %s", async (url, format, reason, message) => {
    expect(await failureOf(tables({ url, format }))).toMatchObject({ reason, message });
  });

  it("has no constraints and no schemas, and a constant for a version", async () => {
    const connector = await connectTo(ground, { url: "csv" });
    expect(await connector.catalog({ kind: "constraints", filter: {}, limit: undefined }, calling())).toEqual([]);
    expect(await connector.catalog({ kind: "schemas", filter: {}, limit: undefined }, calling())).toEqual([]);
    expect(await connector.catalog({ kind: "version" }, calling())).toBe("Local File System");
    await connector.close();
  });

  it("is listed until the caller goes", async () => {
    const connector = await connectTo(ground, { url: "csv" });
    const listing = connector.catalog(
      { kind: "tables", filter: {}, limit: undefined },
      calling({ signal: AbortSignal.abort() }),
    );
    expect(await failureOf(listing)).toMatchObject({ reason: "CANCELLED" });
    await connector.close();
  });
});

describe("database files", () => {
  it("are listed with keys, comments and views", async () => {
    expect(await tables({ url: "databases", format: "duckdb" })).toEqual([
      {
        name: "main.customers",
        columns: [
          column("id", "INT", { notNull: true }),
          column("name", "STRING", { notNull: true, description: "as it is written" }),
          column("balance", "DECIMAL"),
        ],
        description: "who buys",
        properties: { schema: "main", catalog: "shop", table: "customers", path: null },
        primaryKey: "id",
      },
      expect.objectContaining({ name: "main.rich", primaryKey: "", columns: [column("id", "INT")] }),
      expect.objectContaining({ name: "sales.lines", primaryKey: "" }),
      expect.objectContaining({ name: "sales.orders", primaryKey: "a,b" }),
    ]);
  });

  it("give foreign keys one record per pair of columns", async () => {
    const connector = await connectTo(ground, { url: "databases", format: "duckdb" });
    const pair = (child: string, parent: string) => ({
      constraintName: `lines_${child}_orders_${parent}`,
      constraintType: "FOREIGN KEY",
      constraintTable: "sales.lines",
      constraintColumn: child,
      constraintedTable: "sales.orders",
      constraintedColumn: parent,
    });
    const ask = (filter: CatalogFilter, limit?: number) =>
      connector.catalog({ kind: "constraints", filter, limit }, calling());
    expect(await ask({})).toEqual([pair("order_a", "a"), pair("order_b", "b")]);
    expect(await ask({ table: "customers" })).toEqual([]);
    expect(await ask({}, 0)).toEqual([]);
    await connector.close();
  });

  it("give schemas and the engine's version", async () => {
    const connector = await connectTo(ground, { url: "databases", format: "duckdb" });
    expect(await connector.catalog({ kind: "schemas", filter: {}, limit: undefined }, calling())).toEqual([
      { name: "shop", schemas: ["main", "sales"] },
    ]);
    expect(await connector.catalog({ kind: "version" }, calling())).toBe("v1.4.4");
    await connector.close();
  });

  it("are told apart by their names when there are several", async () => {
    const found = await tables({ url: "two", format: "duckdb" });
    expect(found.map(({ name, columns }) => [name, columns[0]?.name])).toEqual([
      ["first.main.t", "i"],
      ["second.main.t", "j"],
    ]);
    expect(await tables({ url: "two", format: "duckdb" }, { catalog: "SEC*" })).toHaveLength(1);
    expect(await tables({ url: "two", format: "duckdb" }, { schema: "other" })).toEqual([]);
  });
});

describe("type names", () => {
  it.each([
    ["DECIMAL(18,3)", "DECIMAL"],
    ["decimal(38, 0)", "DECIMAL"],
    ["DECIMAL(18,3)[]", "DECIMAL(18,3)[]"],
    ["STRUCT(a INTEGER, b VARCHAR[])[]", "STRUCT(a INTEGER, b VARCHAR[])[]"],
    ["MAP(VARCHAR, INTEGER)", "MAP(VARCHAR, INTEGER)"],
    ["INTEGER[3][]", "UNKNOWN"],
    ["STRUCT(a ENUM('x', 'y'))", "UNKNOWN"],
    ["UNION(a INTEGER)[]", "UNKNOWN"],
    ['STRUCT("a b" INTEGER)', "UNKNOWN"],
    ["TIMESTAMP_NS", "TIMESTAMP"],
    ["TIMESTAMP WITH TIME ZONE", "TIMESTAMPTZ"],
    ["TIME WITH TIME ZONE", "UNKNOWN"],
    ["ENUM('a', 'b')", "UNKNOWN"],
    ["INTEGER[3]", "UNKNOWN"],
    ["BIGNUM", "UNKNOWN"],
    ["constructor", "UNKNOWN"],
  ])("%s is %s", (native, name) => {
    expect(duckDbTypeName(native)).toBe(name);
  });
});
