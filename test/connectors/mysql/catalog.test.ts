import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CatalogFilter, TableRecord } from "../../../src/connectors/catalog/types.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { type MySqlTestDatabase, startMySql } from "../../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { patient } from "../contract.ts";
import { openFromNode } from "./fixture.ts";

/** Declared types with the service's names of them (contract §7.5). */
const TYPES: readonly (readonly [declared: string, name: string])[] = [
  ["tinyint", "TINYINT"],
  ["tinyint unsigned", "SMALLINT"],
  ["boolean", "TINYINT"],
  ["smallint", "SMALLINT"],
  ["mediumint", "INTEGER"],
  ["int", "INTEGER"],
  ["int unsigned", "BIGINT"],
  ["bigint", "BIGINT"],
  ["bigint unsigned", "DECIMAL"],
  ["float", "FLOAT8"],
  ["double", "DOUBLE"],
  ["decimal(10, 2)", "DECIMAL"],
  ["bit(1)", "TINYINT"],
  ["bit(40)", "BIGINT"],
  ["year", "INTEGER"],
  ["date", "DATE"],
  ["time(3)", "TIME"],
  ["datetime(6)", "TIMESTAMP"],
  ["timestamp NULL", "TIMESTAMPTZ"],
  ["char(3)", "CHAR"],
  ["varchar(10)", "VARCHAR"],
  ["enum('a', 'b')", "VARCHAR"],
  ["set('a', 'b')", "VARCHAR"],
  ["tinytext", "TEXT"],
  ["longtext", "TEXT"],
  ["binary(3)", "BYTEA"],
  ["mediumblob", "BYTEA"],
  ["point", "GEOMETRY"],
];

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let database: MySqlTestDatabase;
    let connector: Connector;
    let schema: string;
    beforeAll(async () => {
      database = await startMySql(flavor);
      schema = database.database;
      await database.query(`
        CREATE TABLE shops (id int PRIMARY KEY, region varchar(20) NOT NULL, UNIQUE (region, id));
        CREATE TABLE sales (
          b bigint NOT NULL COMMENT 'number of the bill', day date NOT NULL, shop int, r varchar(20), i int,
          \`Note "x\`\`\` varchar(20), PRIMARY KEY (day, b),
          CONSTRAINT shop_of FOREIGN KEY (shop) REFERENCES shops (id),
          CONSTRAINT pair FOREIGN KEY (r, i) REFERENCES shops (region, id)) COMMENT 'one row per sale';
        CREATE VIEW open_sales AS SELECT b, day FROM sales;
        CREATE TABLE \`per%cent\` (x int);
        CREATE TABLE types (${TYPES.map(([declared], index) => `c${index} ${declared}`).join(", ")})`);
      connector = await openFromNode({ connectionUrl: database.url });
    });
    afterAll(async () => {
      await connector?.close();
      await database?.stop();
    });

    const tables = (filter: CatalogFilter = {}, limit?: number) =>
      connector.catalog({ kind: "tables", filter: { schema, ...filter }, limit }, patient());
    const names = (found: readonly TableRecord[]) => found.map(({ properties }) => properties.table);

    it("tables with columns, keys in their order, and comments", async () => {
      expect((await tables({ table: "sales" }))[0]).toEqual({
        name: `${schema}.sales`,
        description: "one row per sale",
        properties: { schema, catalog: "", table: "sales", path: null },
        primaryKey: "day,b",
        columns: [
          column("b", "BIGINT", true, "number of the bill"),
          column("day", "DATE", true),
          column("shop", "INTEGER", false),
          column("r", "VARCHAR", false),
          column("i", "INTEGER", false),
          column('Note "x`', "VARCHAR", false),
        ],
      });
    });

    it("every type has its name", async () => {
      const [found] = await tables({ table: "types" });
      expect(found?.columns.map(({ type }) => type)).toEqual(TYPES.map(([, name]) => name));
    });

    it("views, and nothing of the server's own", async () => {
      expect(names(await tables())).toEqual(["open_sales", "per%cent", "sales", "shops", "types"]);
      const [view] = await tables({ table: "open_sales" });
      expect([view?.description, view?.primaryKey]).toEqual(["", ""]);
      const all = await connector.catalog({ kind: "tables", filter: {}, limit: undefined }, patient());
      const schemas = new Set(all.map(({ properties }) => properties.schema));
      for (const own of ["mysql", "sys", "information_schema", "performance_schema"])
        expect(schemas).not.toContain(own);
    });

    it.each<[CatalogFilter, string[]]>([
      [{ table: "s*" }, ["sales", "shops"]],
      [{ table: "SALES" }, ["sales"]],
      [{ table: "per%*" }, ["per%cent"]],
      [{ table: "%" }, []],
      [{ table: "' OR 1=1 -- " }, []],
      [{ catalog: "other" }, []],
    ])("%j", async (filter, expected) => {
      expect(names(await tables(filter))).toEqual(expected);
    });

    it("no more than were asked for", async () => {
      expect(names(await tables({}, 2))).toEqual(["open_sales", "per%cent"]);
    });

    it("foreign keys, a record for each pair of columns", async () => {
      const found = await connector.catalog({ kind: "constraints", filter: { schema }, limit: undefined }, patient());
      const key = (child: string, parent: string) => ({
        constraintName: `sales_${child}_shops_${parent}`,
        constraintType: "FOREIGN KEY",
        constraintTable: `${schema}.sales`,
        constraintColumn: child,
        constraintedTable: `${schema}.shops`,
        constraintedColumn: parent,
      });
      expect(found).toEqual([key("r", "region"), key("i", "id"), key("shop", "id")]);
    });

    it("schemas and version", async () => {
      const schemas = await connector.catalog({ kind: "schemas", filter: { schema }, limit: undefined }, patient());
      expect(schemas).toEqual([{ name: "", schemas: [schema] }]);
      const [[version = ""] = []] = await database.query("SELECT version()");
      expect(await connector.catalog({ kind: "version" }, patient())).toBe(version);
    });
  });
}

function column(name: string, type: string, notNull: boolean, description = "") {
  return { name, type, notNull, description, properties: null, nestedColumns: null };
}
