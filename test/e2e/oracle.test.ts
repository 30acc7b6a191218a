/**
 * The whole service, Workers and sidecar, over a FAKE Oracle database (`test/support/tns-server.ts`), which answers by rote: that
 * queries are planned and answered, metadata is asked for and told as it is, and what is wrong with a connection.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../support/service.ts";
import { type FakeColumn, NULL, number, text } from "../support/tns-messages.ts";
import {
  FAKE_PASSWORD,
  FAKE_SERVICE,
  FAKE_USER,
  FakeFault,
  type FakeOracle,
  type FakeResult,
  type FakeRow,
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

const COLUMNS: readonly FakeColumn[] = [
  { name: "id", type: 2, precision: 9 },
  { name: "region", type: 1, form: 1, size: 40 },
  { name: "amount", type: 2, precision: 38, scale: 10 },
];

const ROWS: readonly FakeRow[] = [
  [number("1"), text("Köln 真"), number("12345678901234567890.0123456789")],
  [number("2"), NULL, NULL],
];

function answer(statement: string): FakeResult | undefined {
  if (statement.startsWith("BEGIN ")) return undefined;
  if (statement.includes('"GONE"'))
    throw new FakeFault(942, "table or view does not exist", statement.indexOf('"GONE"'));
  if (statement.includes('"ORDERS"')) return { columns: COLUMNS, rows: () => ROWS };
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

const model = (name: string, ...columns: readonly (readonly [name: string, type: string])[]) => ({
  name,
  tableReference: { schema: "SHOP", table: name.toUpperCase() },
  columns: columns.map(([column, type]) => ({ name: column, type })),
});

const manifestStr = Buffer.from(
  JSON.stringify({
    catalog: "shop",
    schema: "public",
    models: [
      model("orders", ["id", "NUMBER(9)"], ["region", "VARCHAR2(40)"], ["amount", "NUMBER(38,10)"]),
      model("gone", ["id", "NUMBER(9)"]),
    ],
  }),
).toString("base64");

describe("Oracle through the Workers and the sidecar", () => {
  it("plans and answers, with every digit", async () => {
    const sql = "SELECT * FROM orders ORDER BY id LIMIT 5";
    expect(await ask("query", {}, { sql, manifestStr })).toMatchObject({
      status: 200,
      body: {
        columns: ["id", "region", "amount"],
        data: [
          [1, "Köln 真", "12345678901234567890.0123456789"],
          [2, null, null],
        ],
        dtypes: { id: "int32", region: "string" },
      },
    });
    const { body: planned } = await ask("dry-plan", {}, { sql, manifestStr });
    expect(planned).toContain('FROM "SHOP"."ORDERS" "orders"');
    expect(server.asked).toContain(planned);
  });

  it("checks without running", async () => {
    const dryRun = (sql: string) => ask("query?dryRun=true", {}, { sql, manifestStr });
    expect(await dryRun("SELECT id FROM orders")).toEqual({ status: 204, body: undefined });
    expect(await dryRun("SELECT id FROM gone")).toMatchObject({
      status: 422,
      body: { phase: "SQL_DRY_RUN", message: expect.stringContaining("table or view does not exist") },
    });
  });

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
      [{ password: "" }, "GET_CONNECTION_ERROR", "has no password. Give password"],
    ] as const) {
      const { status, body } = await ask("metadata/version", change);
      expect([status, body]).toMatchObject([422, { errorCode, message: expect.stringContaining(message) }]);
      expect(JSON.stringify(body)).not.toContain("top/secret");
    }
  });
});
