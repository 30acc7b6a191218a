/** Metadata by the views that Doris shares with MySQL, asked of MySQL behind a front. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { hasMySql, withoutMySql } from "../../support/mysql-server.ts";
import { patient } from "../contract.ts";
import { type DorisFixture, startDorisFixture } from "./fixture.ts";
import { VERSION } from "./front.ts";

describe.skipIf(!hasMySql("mysql"))(hasMySql("mysql") ? "metadata" : withoutMySql("mysql"), () => {
  let fixture: DorisFixture;
  let connector: Connector;
  beforeAll(async () => {
    fixture = await startDorisFixture();
    await fixture.behind.database.query(`
    CREATE TABLE orders (id bigint NOT NULL, line int NOT NULL, note varchar(20), at datetime(6), price decimal(10, 2), PRIMARY KEY (id, line))
      COMMENT 'what was sold'`);
    connector = await fixture.open();
  });
  afterAll(async () => {
    await connector?.close();
    await fixture?.close();
  });

  const limit = undefined;

  it("tells tables with columns and keys, and nothing of the system's", async () => {
    const schema = fixture.behind.database.database;
    const all = await connector.catalog({ kind: "tables", filter: { schema }, limit }, patient());
    expect(all.map(({ name }) => name)).toEqual(["digits", "effect", "orders"].map((table) => `${schema}.${table}`));
    const orders = all.at(-1);
    expect(orders).toMatchObject({
      description: "what was sold",
      primaryKey: "id,line",
      properties: { schema, catalog: "", table: "orders", path: null },
    });
    expect(orders?.columns.map(({ name, type, notNull }) => [name, type, notNull])).toEqual([
      ["id", "BIGINT", true],
      ["line", "INTEGER", true],
      ["note", "VARCHAR", false],
      ["at", "TIMESTAMP", false],
      ["price", "DECIMAL", false],
    ]);
  });

  it("heeds patterns and the limit", async () => {
    const schema = fixture.behind.database.database;
    const ask = (table: string, most: number | undefined) =>
      connector.catalog({ kind: "tables", filter: { schema, table }, limit: most }, patient());
    expect((await ask("?????s", undefined)).map(({ properties }) => properties?.table)).toEqual(["digits", "orders"]);
    expect(await ask("*", 1)).toHaveLength(1);
  });

  it("tells the schemas of the current catalogue, no constraints, and Doris' own version", async () => {
    const schema = fixture.behind.database.database;
    expect(await connector.catalog({ kind: "schemas", filter: { schema }, limit }, patient())).toEqual([
      { name: "internal", schemas: [schema] },
    ]);
    expect(await connector.catalog({ kind: "constraints", filter: {}, limit }, patient())).toEqual([]);
    expect(await connector.catalog({ kind: "version" }, patient())).toBe(VERSION);
  });
});
