/**
 * The whole service, Workers and sidecar, over a FAKE Oracle database (`test/support/tns-server.ts`), which answers by rote: that
 * metadata is asked for and told as it is, and what is wrong with a connection.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../support/service.ts";
import {
  FAKE_PASSWORD,
  FAKE_SERVICE,
  FAKE_USER,
  type FakeOracle,
  type FakeResult,
  startFakeOracle,
  texts,
} from "../support/tns-server.ts";

const ODD = 'we"ird "name\'; DROP TABLE t --';

/** The rows of a catalogue query, by a word of it that no other has. `''` is NULL there. */
const CATALOGUE: Readonly<Record<string, readonly (readonly (string | null)[])[]>> = {
  product_component_version: [["Oracle Database 23ai Free 23.0.0.0.0 (23.4.0.24.05)"]],
  "constraint_type = 'R'": [[null, "SHOP", "ORDERS", "CUSTOMER", "CRM", "CUSTOMERS", "ID"]],
  "constraint_type = 'P'": [
    [null, "SHOP", "ORDERS", "ID"],
    [null, "SHOP", "ORDERS", "LINE"],
  ],
  all_tab_columns: [
    [null, "CRM", ODD, "a.b", "NVARCHAR2", "YES", null],
    [null, "SHOP", "ORDERS", "ID", "NUMBER", "NO", "the number"],
    [null, "SHOP", "ORDERS", "LINE", "FLOAT", "NO", null],
    [null, "SHOP", "ORDERS", "AT", "TIMESTAMP(9)", "YES", null],
    [null, "SHOP", "ORDERS", "SEEN", "TIMESTAMP(6) WITH LOCAL TIME ZONE", "YES", null],
    [null, "SHOP", "ORDERS", "LASTS", "INTERVAL DAY(2) TO SECOND(6)", "YES", null],
    [null, "SHOP", "ORDERS", "DAY", "DATE", "YES", null],
    [null, "SHOP", "ORDERS", "PLACE", "SDO_GEOMETRY", "YES", null],
  ],
  all_tab_comments: [
    [null, "CRM", ODD, null],
    [null, "SHOP", "ORDERS", "What was ordered"],
  ],
  "DISTINCT l.owner": [
    [null, "CRM"],
    [null, "SHOP"],
  ],
};

function answer(statement: string): FakeResult | undefined {
  if (statement.startsWith("BEGIN ")) return undefined;
  const [, rows = []] = Object.entries(CATALOGUE).find(([word]) => statement.includes(word)) ?? [];
  const names = Array.from({ length: rows[0]?.length ?? 1 }, (_, index) => `C${index}`);
  return texts(names, rows);
}

let service: RunningService;
let server: FakeOracle;
beforeAll(async () => {
  [service, server] = await Promise.all([startService(), startFakeOracle(answer, { fieldVersion: 24 })]);
});
afterAll(async () => {
  await service?.stop();
  await server?.close();
});

async function ask(
  operation: string,
  change: object = {},
  more: object = {},
): Promise<{ status: number; body: unknown }> {
  const { host, port } = server;
  const connectionInfo = { host, port, database: FAKE_SERVICE, user: FAKE_USER, password: FAKE_PASSWORD, ...change };
  const response = await fetch(`${service.url}/v3/connector/oracle/${operation}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ connectionInfo, ...more }),
  });
  const text = await response.text();
  expect(text).not.toContain(FAKE_PASSWORD);
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

describe("Oracle through the Workers and the sidecar", () => {
  it("tells of tables, keys, schemas and the version", async () => {
    const column = (name: string, type: string, notNull = false, description: string | null = null) => ({
      ...{ name, type, notNull, description, properties: null, nestedColumns: null },
    });
    const { body: tables } = await ask("metadata/tables");
    expect(tables).toEqual([
      {
        name: `CRM.${ODD}`,
        description: null,
        properties: { catalog: "", schema: "CRM", table: ODD, path: null },
        columns: [column("a.b", "VARCHAR")],
        primaryKey: "",
      },
      {
        name: "SHOP.ORDERS",
        description: "What was ordered",
        properties: { catalog: "", schema: "SHOP", table: "ORDERS", path: null },
        columns: [
          column("ID", "DECIMAL", true, "the number"),
          column("LINE", "FLOAT8", true),
          column("AT", "TIMESTAMP"),
          column("SEEN", "TIMESTAMPTZ"),
          column("LASTS", "INTERVAL"),
          column("DAY", "TIMESTAMP"),
          column("PLACE", "UNKNOWN"),
        ],
        primaryKey: "ID,LINE",
      },
    ]);
    expect((await ask("metadata/constraints")).body).toEqual([
      {
        constraintName: "ORDERS_CUSTOMER_CUSTOMERS_ID",
        constraintType: "FOREIGN KEY",
        constraintTable: "SHOP.ORDERS",
        constraintColumn: "CUSTOMER",
        constraintedTable: "CRM.CUSTOMERS",
        constraintedColumn: "ID",
      },
    ]);
    expect((await ask("metadata/schemas")).body).toEqual([{ name: "", schemas: ["CRM", "SHOP"] }]);
    expect((await ask("metadata/version")).body).toContain("23.0");
  });

  it("filters by owner, in either case, and puts no text of the caller's into SQL", async () => {
    const filterInfo = { schema: "sh?p", table: "ord*" };
    const { body } = await ask("metadata/tables", {}, { filterInfo, limit: 1 });
    expect(body).toMatchObject([{ name: "SHOP.ORDERS" }]);
    expect(server.asked.join()).not.toContain("sh?p");
  });

  it("takes a dsn and a URL", async () => {
    const { host, port } = server;
    const dsn = `(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=${host})(PORT=${port}))(CONNECT_DATA=(SID=FREE)))`;
    const connectionUrl = `oracle://${FAKE_USER}:${encodeURIComponent(FAKE_PASSWORD)}@${host}:${port}/${FAKE_SERVICE}`;
    for (const change of [{ dsn, host: undefined }, { connectionUrl }]) {
      expect((await ask("metadata/version", change)).status).toBe(200);
    }
    expect(server.connects.join()).toContain("(SID=FREE)");
  });

  it("says what is wrong with a connection, and never the password", async () => {
    for (const [change, errorCode, message] of [
      [{ password: "top/secret" }, "GET_CONNECTION_ERROR", "ORA-01017"],
      [{ dsn: `tcps://127.0.0.1:${server.port}/x` }, "GET_CONNECTION_ERROR", "127.0.0.1"],
      [{ dsn: "SALES" }, "INVALID_CONNECTION_INFO", "connectionInfo.dsn: names an entry of tnsnames.ora"],
      [{ password: "" }, "INVALID_CONNECTION_INFO", "connectionInfo.password: is missing"],
    ] as const) {
      const { status, body } = await ask("metadata/version", change);
      expect([status, body]).toMatchObject([422, { errorCode, message: expect.stringContaining(message) }]);
      expect(JSON.stringify(body)).not.toContain("top/secret");
    }
  });
});
