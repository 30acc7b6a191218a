/** `init` from the metadata of sources that no engine here stands for: names, quotes, keys, and foreign keys of records. */
import { describe, expect, test } from "vitest";
import { modelOfSource } from "../../../cli/init/manifest-of-source.ts";
import type { ConstraintRecord, TableRecord } from "../../../src/connectors/catalog/types.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { readManifestText } from "../../../src/planner/index.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { testServices } from "../../service/in-memory.ts";

interface SourceCase {
  readonly source: DataSource;
  readonly catalog: string;
  readonly schema: string;
  /** Names as the source stores them. */
  readonly tables: readonly [orders: string, shops: string, view: string];
  readonly columns: readonly [id: string, shop: string, odd: string];
  readonly types: readonly [id: string, shop: string, odd: string];
  readonly hasCatalog: boolean;
  /** The expression of the odd column. */
  readonly expression: string;
}

const LOWER = { tables: ["orders", "shops", "open_orders"], columns: ["id", "shop_id", "Unit Price"] } as const;
const UPPER = { tables: ["ORDERS", "SHOPS", "OPEN_ORDERS"], columns: ["ID", "SHOP_ID", "Unit Price"] } as const;

const CASES: readonly SourceCase[] = [
  {
    source: "bigquery",
    catalog: "acme",
    schema: "sales",
    ...LOWER,
    types: ["INT64", "INT64", "NUMERIC(10, 2)"],
    hasCatalog: true,
    expression: "`Unit Price`",
  },
  {
    source: "snowflake",
    catalog: "D",
    schema: "PUBLIC",
    ...UPPER,
    types: ["BIGINT", "BIGINT", "DECIMAL(10,2)"],
    hasCatalog: true,
    expression: '"Unit Price"',
  },
  {
    source: "databricks",
    catalog: "main",
    schema: "sales",
    ...LOWER,
    types: ["BIGINT", "BIGINT", "DECIMAL(10,2)"],
    hasCatalog: true,
    expression: "`Unit Price`",
  },
  {
    source: "redshift",
    catalog: "dev",
    schema: "public",
    ...LOWER,
    types: ["BIGINT", "BIGINT", "DECIMAL"],
    hasCatalog: false,
    expression: '"Unit Price"',
  },
  {
    source: "mssql",
    catalog: "shop",
    schema: "dbo",
    tables: ["Orders", "Shops", "OpenOrders"],
    columns: ["ID", "ShopID", "Unit Price"],
    types: ["BIGINT", "BIGINT", "DECIMAL"],
    hasCatalog: true,
    expression: "[Unit Price]",
  },
  {
    source: "oracle",
    catalog: "",
    schema: "SHOP",
    ...UPPER,
    types: ["DECIMAL", "DECIMAL", "DECIMAL"],
    hasCatalog: false,
    expression: '"Unit Price"',
  },
];

const column = (name: string, type: string, notNull = false) => ({
  name,
  type,
  notNull,
  description: null,
  properties: null,
  nestedColumns: null,
});

function recordsOf({ catalog, schema, tables, columns, types }: SourceCase): readonly TableRecord[] {
  const [orders, shops, view] = tables;
  const [id, shop, odd] = columns;
  const properties = (table: string) => ({ catalog, schema, table, path: null });
  return [
    {
      name: orders,
      description: "One row per order.",
      primaryKey: id,
      properties: properties(orders),
      columns: [column(id, types[0], true), column(shop, types[1]), column(odd, types[2])],
    },
    {
      name: shops,
      description: null,
      primaryKey: id,
      properties: properties(shops),
      columns: [column(id, types[0], true)],
    },
    {
      name: view,
      description: null,
      primaryKey: "",
      properties: properties(view),
      readMayFail: true,
      columns: [column(id, types[0])],
    },
  ];
}

const foreignKey = ({ schema, tables: [orders, shops] }: SourceCase, from: string, to: string): ConstraintRecord => ({
  constraintName: `${orders}_${from}_${shops}_${to}`,
  constraintType: "FOREIGN KEY",
  constraintTable: `${schema}.${orders}`,
  constraintColumn: from,
  constraintedTable: `${schema}.${shops}`,
  constraintedColumn: to,
});

function modelled(given: SourceCase, constraints: readonly ConstraintRecord[]) {
  const services = testServices({ script: {} });
  const { sources } = services;
  sources.script = { catalog: { tables: recordsOf(given), constraints } };
  return modelOfSource(services, { source: given.source, connectionInfo: {} }, { name: "shop", filter: {} });
}

describe.each(CASES)("$source", (given) => {
  const { schema, catalog, hasCatalog, tables, columns, types, expression } = given;
  const reference = (table: string) => ({ ...(hasCatalog && { catalog }), schema, table });

  test("models, keys, views and one relationship", async () => {
    const { manifest, omitted } = await modelled(given, [foreignKey(given, columns[1], columns[0])]);
    expect(omitted).toEqual([]);
    expect(manifest.relationships).toEqual([
      {
        name: "orders_shops",
        models: ["orders", "shops"],
        joinType: "MANY_TO_ONE",
        condition: "orders.shop_id = shops.id",
      },
    ]);
    const [orders, shops, view] = manifest.models;
    expect(orders).toMatchObject({
      name: "orders",
      description: "One row per order.",
      tableReference: reference(tables[0]),
      primaryKey: "id",
    });
    expect(orders?.columns.map(({ name, type }) => [name, type])).toEqual([
      ["id", types[0]],
      ["shop_id", types[1]],
      ["unit_price", types[2]],
      ["shop", "shops"],
    ]);
    expect(orders?.columns[2]?.expression).toBe(expression);
    expect(orders?.columns[0]).toMatchObject({ notNull: true });
    expect(shops).toMatchObject({ tableReference: reference(tables[1]), primaryKey: "id" });
    // A rule over a view must be computed before anything that may fail.
    expect(view).toMatchObject({ name: "open_orders", readMayFail: true });
    expect(view).not.toHaveProperty("primaryKey");
    expect([orders?.readMayFail, shops?.readMayFail]).toEqual([undefined, undefined]);
    expect(readManifestText(JSON.stringify(manifest), 1_000_000)).toMatchObject({ ok: true });
  });

  test("columns of one pair of tables may be one key or two: none is invented", async () => {
    const keys = [foreignKey(given, columns[1], columns[0]), foreignKey(given, columns[2], columns[0])];
    const { manifest, omitted } = await modelled(given, keys);
    expect(manifest).not.toHaveProperty("relationships");
    expect(omitted).toEqual([
      expect.stringContaining("are left out: metadata does not say which columns belong together"),
    ]);
  });
});

test("no rights to the constraints: tables without relationships, and a note", async () => {
  const [given] = CASES as readonly [SourceCase];
  const services = testServices({ script: {} });
  services.sources.script = { catalog: { tables: recordsOf(given) } };
  const prepare = services.sources.prepare.bind(services.sources);
  const sources = {
    prepare: (...args: Parameters<typeof prepare>) => {
      const prepared = prepare(...args);
      return {
        ...prepared,
        open: async (options: Parameters<typeof prepared.open>[0]) => {
          const connector = await prepared.open(options);
          const original = connector.catalog.bind(connector);
          const catalog: typeof connector.catalog = (request, call) => {
            if (request.kind !== "constraints") return original(request, call);
            return Promise.reject(new ConnectorFailure("AUTHENTICATION", "permission denied for KEY_COLUMN_USAGE"));
          };
          return Object.assign(connector, { catalog });
        },
      };
    },
  };
  const connection = { source: given.source, connectionInfo: {} };
  const { manifest, omitted } = await modelOfSource({ ...services, sources }, connection, { name: "s", filter: {} });
  expect(manifest.models).toHaveLength(3);
  expect(omitted).toEqual([expect.stringContaining("foreign keys cannot be read: ")]);
  expect(omitted[0]).toContain("permission denied");
});
