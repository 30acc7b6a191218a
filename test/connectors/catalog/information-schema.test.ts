import { expect, it } from "vitest";
import type { EachRow } from "../../../src/connectors/catalog/each-row.ts";
import { type InformationSchema, readInformationSchema } from "../../../src/connectors/catalog/information-schema.ts";
import type { CatalogFilter } from "../../../src/connectors/catalog/types.ts";
import type { Row } from "../../../src/result/types.ts";

/** Named after what they ask for. */
const SOURCE: InformationSchema = {
  tables: "tables",
  columns: "columns",
  primaryKeys: "primary keys",
  foreignKeys: "foreign keys",
  schemas: "schemas",
  version: "version",
  typeName: (native) => native.toUpperCase(),
  nameOf: ({ schema, table }) => `${schema}.${table}`,
};

const ANSWERS: Readonly<Record<string, readonly Row[]>> = {
  tables: [
    ["", "shop", "lines", null],
    ["", "shop", "orders", "what was bought"],
    ["", "stock", "orders", ""],
  ],
  columns: [
    ["", "shop", "lines", "order_year", "int", "YES", null],
    ["", "shop", "lines", "order_number", "int", "YES", null],
    ["", "shop", "orders", "year", "int", "NO", "of the order"],
    ["", "shop", "orders", "number", "int", "NO", null],
    ["", "stock", "orders", "id", "int", "NO", null],
    ["", "stock", "made between the queries", "id", "int", "NO", null],
  ],
  "primary keys": [
    ["", "shop", "orders", "year"],
    ["", "shop", "orders", "number"],
    ["", "stock", "made between the queries", "id"],
  ],
  "foreign keys": [
    ["", "shop", "lines", "order_year", "shop", "orders", "year"],
    ["", "shop", "lines", "order_number", "shop", "orders", "number"],
    ["", "stock", "orders", "id", "shop", "lines", "order_number"],
  ],
  schemas: [
    ["a", "one"],
    ["a", "two"],
    ["b", "one"],
  ],
  version: [["8.0.40"]],
};

function reading() {
  const asked: string[] = [];
  const each: EachRow = async (sql, take) => {
    asked.push(sql);
    (ANSWERS[sql] ?? []).forEach(take);
  };
  return { asked, each };
}

const listing = <K extends "tables" | "constraints" | "schemas">(
  kind: K,
  filter: CatalogFilter = {},
  limit: number | undefined = undefined,
) => ({ kind, filter, limit }) as const;

it("puts tables, columns and keys together, and leaves out what belongs to no table of the list", async () => {
  const column = (name: string, notNull: boolean, description: string | null = null) => {
    return { name, type: "INT", notNull, description, properties: null, nestedColumns: null };
  };
  const properties = (schema: string, table: string) => ({ schema, catalog: "", table, path: null });
  expect(await readInformationSchema(reading().each, SOURCE, listing("tables"))).toEqual([
    {
      name: "shop.lines",
      description: null,
      properties: properties("shop", "lines"),
      columns: [column("order_year", false), column("order_number", false)],
      primaryKey: "",
    },
    {
      name: "shop.orders",
      description: "what was bought",
      properties: properties("shop", "orders"),
      columns: [column("year", true, "of the order"), column("number", true)],
      primaryKey: "year,number",
    },
    {
      name: "stock.orders",
      description: "",
      properties: properties("stock", "orders"),
      columns: [column("id", true)],
      primaryKey: "",
    },
  ]);
});

it.each<[CatalogFilter, number | undefined, string[]]>([
  [{}, 2, ["shop.lines", "shop.orders"]],
  [{}, 0, []],
  [{ table: "ORD*" }, undefined, ["shop.orders", "stock.orders"]],
  [{ table: "ord*" }, 1, ["shop.orders"]],
  [{ schema: "st?ck" }, undefined, ["stock.orders"]],
  [{ catalog: "other" }, undefined, []],
])("lists tables by %o, at most %s, with their columns", async (filter, limit, names) => {
  const tables = await readInformationSchema(reading().each, SOURCE, listing("tables", filter, limit));
  expect(tables.map(({ name }) => name)).toEqual(names);
  expect(tables.every(({ columns }) => columns.length > 0)).toBe(true);
});

it.each<[CatalogFilter, number | undefined, string[]]>([
  [
    {},
    undefined,
    [
      "lines_order_year_orders_year: shop.lines → shop.orders",
      "lines_order_number_orders_number: shop.lines → shop.orders",
      "orders_id_lines_order_number: stock.orders → shop.lines",
    ],
  ],
  [{ schema: "stock" }, undefined, ["orders_id_lines_order_number: stock.orders → shop.lines"]],
  [
    {},
    1,
    [
      "lines_order_year_orders_year: shop.lines → shop.orders",
      "lines_order_number_orders_number: shop.lines → shop.orders",
    ],
  ],
])(
  "lists foreign keys by %o, of at most %s tables, a record for each pair of columns",
  async (filter, limit, names) => {
    const keys = await readInformationSchema(reading().each, SOURCE, listing("constraints", filter, limit));
    const shown = keys.map((key) => `${key.constraintName}: ${key.constraintTable} → ${key.constraintedTable}`);
    expect(shown).toEqual(names);
  },
);

it("asks nothing for keys that a source does not have", async () => {
  const { primaryKeys: _p, foreignKeys: _f, ...keyless } = SOURCE;
  const { asked, each } = reading();
  expect(await readInformationSchema(each, keyless, listing("constraints"))).toEqual([]);
  const tables = await readInformationSchema(each, keyless, listing("tables"));
  expect(tables.map(({ primaryKey }) => primaryKey)).toEqual(["", "", ""]);
  expect(asked).toEqual(["tables", "columns"]);
});

it("gathers schemas by catalog", async () => {
  const schemas = (filter?: CatalogFilter, limit?: number) =>
    readInformationSchema(reading().each, SOURCE, listing("schemas", filter, limit));
  expect(await schemas()).toEqual([
    { name: "a", schemas: ["one", "two"] },
    { name: "b", schemas: ["one"] },
  ]);
  expect(await schemas({ schema: "two", table: "of no matter here" })).toEqual([{ name: "a", schemas: ["two"] }]);
  expect(await schemas({}, 1)).toEqual([{ name: "a", schemas: ["one", "two"] }]);
});

it("tells the version", async () => {
  expect(await readInformationSchema(reading().each, SOURCE, { kind: "version" })).toBe("8.0.40");
});

it.each(["'; DROP TABLE t; --", "%", "\\", '"'])("sends no text of a caller's: %s", async (pattern) => {
  const { asked, each } = reading();
  const filter = { catalog: pattern, schema: pattern, table: pattern };
  for (const kind of ["tables", "constraints", "schemas"] as const) {
    await readInformationSchema(each, SOURCE, listing(kind, filter, 3));
  }
  expect(asked).toEqual(["tables", "columns", "primary keys", "foreign keys", "schemas"]);
});

it("goes over a million columns row by row, and keeps those of the tables that were asked for", async () => {
  const asked: string[] = [];
  const each: EachRow = async (sql, take) => {
    asked.push(sql);
    if (sql === "tables") {
      for (let table = 0; table < 1000; table++) take(["", "shop", `t${table}`, null]);
    } else if (sql === "columns") {
      for (let i = 0; i < 1_000_000; i++) take(["", "shop", `t${i % 1000}`, `c${i}`, "int", "YES", null]);
    }
  };
  const tables = await readInformationSchema(each, SOURCE, listing("tables", { table: "t99*" }, 1));
  expect(tables.map(({ name, columns }) => [name, columns.length])).toEqual([["shop.t99", 1000]]);
  expect(tables[0]?.columns.at(-1)).toMatchObject({ name: "c999099", type: "INT" });
  expect(asked).toEqual(["tables", "columns", "primary keys"]);
});
