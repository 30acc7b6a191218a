import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CatalogFilter, TableRecord } from "../../../src/connectors/catalog/types.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { describeType } from "../../../src/planner/types.ts";
import type { LogicalType } from "../../../src/result/types.ts";
import { readCells } from "../../support/canonical-cells.ts";
import { type MySqlTestDatabase, startMySql } from "../../support/mysql.ts";
import { hasMySql, MYSQL_FLAVORS, withoutMySql } from "../../support/mysql-server.ts";
import { manifestOfTable, planned } from "../../support/plan.ts";
import { patient } from "../contract.ts";
import { openFromNode } from "./fixture.ts";

/**
 * Declared types with the service's names of them (docs/spec/contract.md#type-names-of-metadata), and what a manifest means on
 * MySQL by both: the name that metadata tells, and the server's own of `information_schema`. What is opaque has no type in a plan.
 */
const TYPES: readonly (readonly [declared: string, name: string, read: string])[] = [
  ["tinyint", "TINYINT", "smallint"],
  ["tinyint(1)", "TINYINT", "smallint"],
  ["tinyint unsigned", "SMALLINT", "smallint"],
  ["boolean", "TINYINT", "smallint"],
  ["smallint", "SMALLINT", "smallint"],
  ["smallint(5) unsigned zerofill", "INTEGER", "integer"],
  ["mediumint", "INTEGER", "integer"],
  ["mediumint unsigned", "INTEGER", "integer"],
  ["int", "INTEGER", "integer"],
  ["int(11)", "INTEGER", "integer"],
  ["int unsigned", "BIGINT", "bigint"],
  ["bigint", "BIGINT", "bigint"],
  ["bigint unsigned", "DECIMAL", "numeric(20,0)"],
  ["float", "FLOAT8", "real"],
  ["float(7, 2)", "FLOAT8", "real"],
  ["float(30)", "DOUBLE", "double precision"],
  ["float unsigned", "FLOAT8", "real"],
  ["double", "DOUBLE", "double precision"],
  ["double(10, 2) unsigned", "DOUBLE", "double precision"],
  ["real", "DOUBLE", "double precision"],
  ["decimal(10, 2)", "DECIMAL", "numeric(10,2)"],
  ["decimal(10, 2) unsigned", "DECIMAL", "numeric(10,2)"],
  ["fixed(5)", "DECIMAL", "numeric(5,0)"],
  ["bit(1)", "TINYINT", "smallint"],
  ["bit(8)", "INT64", "bigint"],
  ["bit(40)", "INT64", "bigint"],
  ["bit(64)", "BIGNUMERIC", "numeric(20,0)"],
  ["year", "INTEGER", "smallint"],
  ["date", "DATE", "date"],
  ["time(3)", "TIME", "time"],
  ["datetime(6)", "TIMESTAMP", "timestamp"],
  ["timestamp NULL", "TIMESTAMPTZ", "timestamp"],
  ["char(3)", "CHAR", "text"],
  ["varchar(10)", "VARCHAR", "text"],
  ["nchar(3)", "CHAR", "text"],
  ["enum('a', 'b (c)')", "VARCHAR", "text"],
  ["set('a', 'b')", "VARCHAR", "text"],
  ["tinytext", "TEXT", "text"],
  ["text", "TEXT", "text"],
  ["mediumtext", "TEXT", "text"],
  ["longtext", "TEXT", "text"],
  ["long varchar", "TEXT", "text"],
  ["binary(3)", "BYTEA", "binary"],
  ["varbinary(3)", "BYTEA", "binary"],
  ["tinyblob", "BYTEA", "binary"],
  ["blob", "BYTEA", "binary"],
  ["mediumblob", "BYTEA", "binary"],
  ["longblob", "BYTEA", "binary"],
  ["geometry", "GEOMETRY", "geometry"],
  ["point", "GEOMETRY", "point"],
  ["multipolygon", "GEOMETRY", "multipolygon"],
];

const TYPES_OF: Readonly<Record<(typeof MYSQL_FLAVORS)[number], typeof TYPES>> = {
  mysql: [...TYPES, ["json", "JSON", "json"]],
  // JSON is a LONGTEXT there.
  mariadb: [
    ...TYPES,
    ["json", "TEXT", "text"],
    ["uuid", "UUID", "uuid"],
    ["inet4", "INET", "inet4"],
    ["inet6", "INET", "inet6"],
  ],
};

/** The plan's type for a column with this type name in the manifest. */
function read(type: string): string {
  const { columns } = planned("SELECT x FROM t", manifestOfTable({ x: type }), { source: "mysql" });
  return describeType(columns[0]!.type);
}

/** A column's values as the server sends them are of the type that the plan says, or narrower. */
function isOf({ kind }: LogicalType, type: string): boolean {
  const [family = ""] = type.split("(");
  const wire = /^u?int/.test(kind) ? "integer" : kind === "float32" || kind === "float64" ? "float" : kind;
  const told = { smallint: "integer", bigint: "integer", real: "float", "double precision": "float" }[family];
  const own = { text: "string", numeric: "decimal" }[family];
  // 64 bits without a sign are a decimal to a plan.
  return wire === (told ?? own ?? family) || (kind === "uint64" && type === "numeric(20,0)");
}

for (const flavor of MYSQL_FLAVORS) {
  describe.skipIf(!hasMySql(flavor))(hasMySql(flavor) ? flavor : withoutMySql(flavor), () => {
    let database: MySqlTestDatabase;
    let connector: Connector;
    let schema: string;
    const types = TYPES_OF[flavor];
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
        CREATE TABLE types (${types.map(([declared], index) => `c${index} ${declared}`).join(", ")})`);
      connector = await openFromNode({ connectionUrl: database.url });
    });
    afterAll(async () => {
      await connector?.close();
      await database?.stop();
    });

    const tables = (filter: CatalogFilter = {}, limit?: number) =>
      connector.catalog({ kind: "tables", filter: { schema, ...filter }, limit }, patient());
    const names = (found: readonly TableRecord[]) => found.map(({ properties }) => properties?.table);

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
      expect(found?.columns.map(({ type }) => type)).toEqual(types.map(([, name]) => name));
    });

    it("a manifest means by each name what the server sends", async () => {
      const own = await database.query(
        `SELECT COLUMN_TYPE FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = '${schema}' AND TABLE_NAME = 'types' ORDER BY ORDINAL_POSITION`,
      );
      const meant = types.map(([, , type]) => type);
      expect(own.map(([name]) => read(String(name)))).toEqual(meant);
      // Who writes BOOLEAN or JSON means it, whatever the server makes of the word.
      const written = types.map(([declared]) => declared.replace(" NULL", ""));
      const words = written.map((name, index) => (/^(boolean|json)$/.test(name) ? name : meant[index]));
      expect(written.map(read)).toEqual(words);
      // Geometries are refused by the connector; what metadata tells of a width is never less.
      const sent = types.flatMap(([, name], index) => (name === "GEOMETRY" ? [] : [`c${index}`]));
      const sql = `SELECT ${sent.join(", ")} FROM ${schema}.types`;
      const { columns } = await readCells(
        await connector.query({ sql, columns: [], session: [], reads: [] }, patient()),
      );
      const wrong = columns.flatMap(({ name, type }) => {
        const [declared, told, logical = ""] = types[Number(name.slice(1))] ?? [];
        const isOpaque = told === "INET" || (told === "TEXT" && declared === "json");
        return isOpaque || isOf(type, logical) ? [] : [`${declared}: ${type.kind}, and not ${logical}`];
      });
      expect(wrong).toEqual([]);
    });

    it("metadata's names are read as what they were told of", () => {
      // INTEGER is told of a YEAR, DECIMAL of every decimal, INET and GEOMETRY of their like; TIMESTAMPTZ is the instant.
      const other = types.flatMap(([declared, name, type]) => {
        const told = read(name);
        const isWider = told === "numeric" && type.startsWith("numeric");
        return told === type || isWider ? [] : [`${declared}: ${told}`];
      });
      expect(other).toEqual([
        "year: integer",
        "timestamp NULL: timestamp with time zone",
        ...["point: geometry", "multipolygon: geometry"],
        ...(flavor === "mariadb" ? ["inet4: inet", "inet6: inet"] : []),
      ]);
    });

    it("views, and nothing of the server's own", async () => {
      expect(names(await tables())).toEqual(["open_sales", "per%cent", "sales", "shops", "types"]);
      const [view] = await tables({ table: "open_sales" });
      expect([view?.description, view?.primaryKey]).toEqual(["", ""]);
      const all = await connector.catalog({ kind: "tables", filter: {}, limit: undefined }, patient());
      const schemas = new Set(all.map(({ properties }) => properties?.schema));
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
