/**
 * Metadata of Redshift. PostgreSQL plays the server: it has Redshift's views of tables and columns, made from its own catalogue,
 * and the catalogue that both have from PostgreSQL 8.0.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CatalogFilter } from "../../../src/connectors/catalog/types.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { patient } from "../contract.ts";
import { fieldsOf, openFromNode, type RedshiftFixture, startRedshiftFixture } from "./fixture.ts";

let fixture: RedshiftFixture;
let connector: Connector;
beforeAll(async () => {
  fixture = await startRedshiftFixture();
  await fixture.observer.query(`
    CREATE SCHEMA "Sales-EU";
    CREATE SCHEMA pgsomething;
    CREATE TABLE shops (region varchar(20) NOT NULL, id integer NOT NULL, PRIMARY KEY (id, region));
    CREATE TABLE sales (b bigint NOT NULL, shop integer, area varchar(20), at timestamp,
      CONSTRAINT of_shop FOREIGN KEY (area, shop) REFERENCES shops (region, id));
    CREATE TABLE "Sales-EU"."Ta.ble" (note text);
    COMMENT ON TABLE sales IS 'one row per sale';`);
  connector = await openFromNode(fieldsOf(fixture.database));
});
afterAll(async () => {
  await connector?.close();
  await fixture?.close();
});

const tables = (filter: CatalogFilter = {}, limit?: number) =>
  connector.catalog({ kind: "tables", filter, limit }, patient());

describe("tables", () => {
  it("have columns in their order, types by the service's names, and keys in the key's order", async () => {
    const found = (await tables({ schema: "public" })).filter(({ name }) => !name.endsWith(".effect"));
    expect(found.map(({ name, primaryKey, description }) => [name, primaryKey, description])).toEqual([
      ["public.sales", "", "one row per sale"],
      ["public.shops", "id,region", null],
    ]);
    expect(found[0]?.columns.map(({ name, type, notNull }) => [name, type, notNull])).toEqual([
      ["b", "BIGINT", true],
      ["shop", "INTEGER", false],
      ["area", "VARCHAR", false],
      ["at", "TIMESTAMP", false],
    ]);
    expect(found[0]?.properties).toEqual({
      schema: "public",
      catalog: fixture.database.database,
      table: "sales",
      path: null,
    });
  });

  it("are found by pattern, and no more than asked for", async () => {
    expect((await tables({ schema: "sales*" })).map(({ name, columns }) => [name, columns[0]?.type])).toEqual([
      ["Sales-EU.Ta.ble", "JSON"],
    ]);
    expect((await tables({ table: "s*" }, 1)).map(({ name }) => name)).toEqual(["public.sales"]);
    expect(await tables({ schema: "pg_catalog" })).toEqual([]);
  });
});

it("foreign keys pair their columns", async () => {
  const found = await connector.catalog({ kind: "constraints", filter: {}, limit: undefined }, patient());
  expect(found.map(({ constraintName }) => constraintName)).toEqual(["sales_area_shops_region", "sales_shop_shops_id"]);
  expect(found[0]).toMatchObject({ constraintTable: "public.sales", constraintedTable: "public.shops" });
});

it("schemas are those of users", async () => {
  const found = await connector.catalog({ kind: "schemas", filter: {}, limit: undefined }, patient());
  expect(found).toEqual([{ name: fixture.database.database, schemas: ["Sales-EU", "pgsomething", "public"] }]);
});

it("the version is a constant, as existing clients know it", async () => {
  expect(await connector.catalog({ kind: "version" }, patient())).toBe("AWS Redshift - Follow AWS service versioning");
});
