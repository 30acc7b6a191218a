import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clickHouseTypeName } from "../../../src/connectors/catalog/clickhouse.ts";
import { type ClickHouseTestDatabase, startClickHouse } from "../../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../../support/clickhouse-server.ts";
import { patient } from "../contract.ts";
import { openOn } from "./fixture.ts";

describe("the service's name of", () => {
  it.each([
    ["Bool", "BOOL"],
    ["Int8", "TINYINT"],
    ["UInt8", "INT2"],
    ["Int16", "INT2"],
    ["UInt16", "INT2"],
    ["Int32", "INT4"],
    ["UInt32", "INT4"],
    ["Int64", "INT8"],
    ["UInt64", "INT8"],
    ["Int128", "NUMERIC"],
    ["UInt256", "NUMERIC"],
    ["Float32", "FLOAT4"],
    ["Float64", "FLOAT8"],
    ["Decimal(9, 2)", "DECIMAL"],
    ["Date", "DATE"],
    ["Date32", "DATE"],
    ["DateTime", "TIMESTAMP"],
    ["DateTime('Europe/Berlin')", "TIMESTAMPTZ"],
    ["DateTime64(3, 'UTC')", "TIMESTAMPTZ"],
    ["String", "VARCHAR"],
    ["FixedString(4)", "CHAR"],
    ["LowCardinality(FixedString(4))", "CHAR"],
    ["UUID", "UUID"],
    ["Enum8('a' = 1)", "ENUM"],
    ["IPv6", "INET"],
    ["Nullable(Nothing)", "NULL"],
    ["JSON(a.b UInt8)", "JSON"],
    ["Array(Nullable(String))", "VARCHAR"],
    ["Map(String, UInt8)", "VARCHAR"],
    ["Tuple(a Int8)", "VARCHAR"],
    ["LowCardinality(Nullable(String))", "VARCHAR"],
    ["nullable( DateTime64(3) )", "TIMESTAMP"],
    ["Variant(Int8, String)", "UNKNOWN"],
    ["AggregateFunction(sum, UInt8)", "UNKNOWN"],
    ["", "UNKNOWN"],
  ])("%s is %s", (native, name) => {
    expect(clickHouseTypeName(native)).toBe(name);
  });
});

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse's engine" : WITHOUT_CLICKHOUSE, () => {
  let database: ClickHouseTestDatabase;
  beforeAll(async () => {
    database = await startClickHouse();
    await database.query(
      "CREATE TABLE orders (`key` Int32 COMMENT 'the key', `it's \\`odd\\`` LowCardinality(Nullable(String))) ENGINE = MergeTree ORDER BY key COMMENT 'what was ordered'",
    );
    await database.query("CREATE VIEW seen AS SELECT key FROM orders");
  });
  afterAll(() => database?.stop());

  const asking = async <T>(ask: (connector: Awaited<ReturnType<typeof openOn>>) => Promise<T>): Promise<T> => {
    const connector = await openOn(database);
    try {
      return await ask(connector);
    } finally {
      await connector.close();
    }
  };

  it("lists tables and views with columns, types and comments, and nothing of the server's own", async () => {
    const filter = { schema: `${database.database.slice(0, -1)}?` };
    const tables = await asking((c) => c.catalog({ kind: "tables", filter, limit: undefined }, patient()));
    const schema = database.database;
    const column = (name: string, type: string, description: string) => ({
      name,
      type,
      notNull: false,
      description,
      properties: null,
      nestedColumns: null,
    });
    expect(tables).toEqual([
      {
        name: `${schema}.orders`,
        columns: [column("key", "INT4", "the key"), column("it's `odd`", "VARCHAR", "")],
        description: "what was ordered",
        properties: { schema, catalog: null, table: "orders", path: null },
        primaryKey: "",
      },
      {
        name: `${schema}.seen`,
        columns: [column("key", "INT4", "")],
        description: "",
        properties: { schema, catalog: null, table: "seen", path: null },
        primaryKey: "",
        // A view.
        readMayFail: true,
      },
    ]);
    const all = await asking((c) => c.catalog({ kind: "tables", filter: {}, limit: undefined }, patient()));
    expect(all.filter(({ properties }) => /^(?:system|information_schema)$/i.test(properties?.schema ?? ""))).toEqual(
      [],
    );
  });

  it("lists no more tables than asked for", async () => {
    const filter = { schema: database.database };
    expect(await asking((c) => c.catalog({ kind: "tables", filter, limit: 1 }, patient()))).toHaveLength(1);
  });

  it("lists databases, and knows no keys between tables", async () => {
    const filter = { schema: database.database };
    const schemas = await asking((c) => c.catalog({ kind: "schemas", filter, limit: undefined }, patient()));
    expect(schemas).toEqual([{ name: "", schemas: [database.database] }]);
    expect(await asking((c) => c.catalog({ kind: "constraints", filter, limit: undefined }, patient()))).toEqual([]);
  });
});
