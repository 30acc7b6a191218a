/**
 * The whole service, Workers and sidecar, over a FAKE SQL Server (`test/support/tds-server.ts`), which answers by rote: that
 * statements get there as they were planned, and what comes back is told as it is.
 */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningService, startService } from "../support/service.ts";
import { columns, compressedRow, error, hex, int, nvarchar, row, TYPES, u8 } from "../support/tds-messages.ts";
import { FAKE_DATABASE, FAKE_PASSWORD, FAKE_USER, type FakeMsSql, startFakeMsSql } from "../support/tds-server.ts";

const ODD = "we]ird [\"name'; DROP TABLE t --";

/** The rows of a catalogue query, by a word of it that no other has. */
const CATALOGUE: Readonly<Record<string, readonly (readonly (string | null)[])[]>> = {
  "SELECT @@VERSION": [["Microsoft SQL Server 2019 (RTM) - 15.0.2000.5 (X64)"]],
  "sys.foreign_keys": [["shop", "dbo", "orders", "customer", "crm", "customers", "id"]],
  "sys.index_columns": [
    ["shop", "dbo", "orders", "id"],
    ["shop", "dbo", "orders", "line"],
  ],
  "c.is_nullable": [
    ["shop", "crm", ODD, "a.b", "nvarchar", "YES", null],
    ["shop", "dbo", "orders", "id", "int", "NO", "the number"],
    ["shop", "dbo", "orders", "line", "tinyint", "NO", null],
    ["shop", "dbo", "orders", "place", "geography", "YES", null],
    ["shop", "dbo", "orders", "token", "uniqueidentifier", "YES", null],
    ["shop", "dbo", "orders", "seen", "datetimeoffset", "YES", null],
  ],
  "sys.objects AS o": [
    ["shop", "crm", ODD, null],
    ["shop", "dbo", "orders", "What was ordered"],
  ],
  "sys.schemas AS s": [
    ["shop", "crm"],
    ["shop", "dbo"],
  ],
};

const ORDERS = [
  { name: "id", type: TYPES.int },
  { name: "region", type: TYPES.nvarchar },
  { name: "amount", type: hex("6c 11 26 0a") },
  { name: "at", type: hex("2a 07") },
  { name: "seen", type: hex("2b 07") },
];
/** 12345678901234567890.0123456789 and the last moment there is. */
const AMOUNT = hex("11 01 15 d5 04 0c ee e0 73 c3 f6 0f e9 8e 01 00 00 00");
const LAST = hex("08 ff bf 69 2a c9 da b9 37");
const SEEN = hex("0a 00 10 ac d1 53 80 46 0b 78 00");

async function* answer(statement: string): AsyncGenerator<Buffer> {
  for (const [word, rows] of Object.entries(CATALOGUE)) {
    if (!statement.includes(word)) continue;
    const names = rows[0]?.map((_, index) => ({ name: `c${index}`, type: TYPES.nvarchar })) ?? [];
    yield columns(names);
    for (const values of rows) yield compressedRow(...values.map((value) => (value === null ? null : nvarchar(value))));
    return;
  }
  if (/\[gone\]/.test(statement)) yield error({ number: 208, message: "Invalid object name 'dbo.gone'." });
  else if (/\/ 0\b/.test(statement)) {
    yield columns([{ name: "x", type: TYPES.int }]);
    yield error({ number: 8134, message: "Divide by zero error encountered." });
  } else if (/AS \[stuck\]/.test(statement)) {
    yield columns([{ name: "stuck", type: TYPES.int }]);
    await new Promise(() => {});
  } else {
    yield columns(ORDERS);
    yield row(int(1), nvarchar("Köln 真"), AMOUNT, LAST, SEEN);
    yield row(int(2), hex("ff ff"), u8(0), u8(0), u8(0));
  }
}

let service: RunningService;
let server: FakeMsSql;
beforeAll(async () => {
  [service, server] = await Promise.all([startService(), startFakeMsSql(answer)]);
});
afterAll(async () => {
  await service?.stop();
  await server?.close();
});

const model = (table: string, names: readonly (readonly [string, string])[]) => ({
  name: table,
  tableReference: { schema: "dbo", table },
  columns: names.map(([name, type]) => ({ name, type })),
});
const MANIFEST = {
  catalog: "shop",
  schema: "public",
  models: [
    model("orders", [
      ["id", "INTEGER"],
      ["region", "VARCHAR"],
      ["amount", "DECIMAL(38, 10)"],
      ["at", "TIMESTAMP"],
      ["seen", "TIMESTAMPTZ"],
    ]),
    model("gone", [["id", "INTEGER"]]),
  ],
};

const bodyOf = (sql: string, change: object = {}): string =>
  JSON.stringify({
    manifestStr: Buffer.from(JSON.stringify(MANIFEST)).toString("base64"),
    sql,
    connectionInfo: {
      host: server.host,
      port: server.port,
      database: FAKE_DATABASE,
      user: FAKE_USER,
      password: FAKE_PASSWORD,
      kwargs: { trustServerCertificate: "YES" },
      ...change,
    },
  });

async function ask(operation: string, sql = "", change: object = {}): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${service.url}/v3/connector/mssql/${operation}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: bodyOf(sql, change),
  });
  const text = await response.text();
  expect(text).not.toContain(FAKE_PASSWORD);
  return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
}

describe("SQL Server through the Workers and the sidecar", () => {
  it("plans and answers, with every digit", async () => {
    const { status, body } = await ask("query", "SELECT * FROM orders ORDER BY region LIMIT 5");
    expect([status, body]).toMatchObject([
      200,
      {
        columns: ["id", "region", "amount", "at", "seen"],
        data: [
          [
            1,
            "Köln 真",
            "12345678901234567890.0123456789",
            "9999-12-31 23:59:59.999999900",
            "2024-02-29 10:00:00.000000 +00:00",
          ],
          [2, null, null, null, null],
        ],
        dtypes: { id: "int32", region: "string", at: "timestamp[ns]", seen: "timestamp[ns, tz=UTC]" },
      },
    ]);
    const { body: planned } = await ask("dry-plan", "SELECT * FROM orders ORDER BY region LIMIT 5");
    expect(server.asked).toContain(planned);
    expect(planned).toContain("[dbo].[orders]");
  });

  it("checks without running", async () => {
    expect(await ask("query?dryRun=true", "SELECT id FROM orders")).toEqual({ status: 204, body: undefined });
    expect(await ask("query?dryRun=true", "SELECT id FROM gone")).toMatchObject({
      status: 422,
      body: {
        errorCode: "GENERIC_USER_ERROR",
        phase: "SQL_DRY_RUN",
        message: expect.stringContaining("Invalid object name 'dbo.gone'."),
      },
    });
  });

  it("says what is wrong with a statement", async () => {
    expect(await ask("query", "SELECT id FROM gone")).toMatchObject({
      status: 422,
      body: { errorCode: "GENERIC_USER_ERROR" },
    });
    expect(await ask("query", "SELECT 1 / 0 AS x")).toMatchObject({
      status: 422,
      body: { errorCode: "GENERIC_USER_ERROR", phase: "SQL_EXECUTION" },
    });
  });

  it("tells of tables, keys, schemas and the version", async () => {
    const column = (name: string, type: string, notNull = false, description: string | null = null) => ({
      ...{ name, type, notNull, description, properties: null, nestedColumns: null },
    });
    const { body: tables } = await ask("metadata/tables");
    expect(tables).toEqual([
      {
        name: `crm.${ODD}`,
        description: null,
        properties: { catalog: "shop", schema: "crm", table: ODD, path: null },
        columns: [column("a.b", "VARCHAR")],
        primaryKey: "",
      },
      {
        name: "dbo.orders",
        description: "What was ordered",
        properties: { catalog: "shop", schema: "dbo", table: "orders", path: null },
        columns: [
          column("id", "INTEGER", true, "the number"),
          column("line", "TINYINT", true),
          column("place", "UNKNOWN"),
          column("token", "UUID"),
          column("seen", "TIMESTAMPTZ"),
        ],
        primaryKey: "id,line",
      },
    ]);
    expect((await ask("metadata/constraints")).body).toEqual([
      {
        constraintName: "orders_customer_customers_id",
        constraintType: "FOREIGN KEY",
        constraintTable: "dbo.orders",
        constraintColumn: "customer",
        constraintedTable: "crm.customers",
        constraintedColumn: "id",
      },
    ]);
    expect((await ask("metadata/schemas")).body).toEqual([{ name: "shop", schemas: ["crm", "dbo"] }]);
    expect((await ask("metadata/version")).body).toContain("Microsoft SQL Server 2019");
  });

  it("says what is wrong with a connection, and never the password", async () => {
    for (const [change, message] of [
      [{ password: "top/secret" }, "Login failed for user 'reader'."],
      [{ kwargs: {} }, "The TLS handshake with 127.0.0.1 failed"],
      [{ kwargs: { Encrypt: "no" } }, "The server takes connections over TLS only."],
    ] as const) {
      const { status, body } = await ask("query", "SELECT 1", change);
      expect([status, body]).toMatchObject([
        422,
        { errorCode: "GET_CONNECTION_ERROR", message: expect.stringContaining(message) },
      ]);
      expect(JSON.stringify(body)).not.toContain("top/secret");
    }
    expect(await ask("query", "SELECT 1", { host: "db\\EXPRESS" })).toMatchObject({
      status: 422,
      body: {
        errorCode: "INVALID_CONNECTION_INFO",
        message: expect.stringMatching(/^connectionInfo\.host: names an instance\. Give host and the TCP port/),
      },
    });
  });

  it("ends on the server what a caller does not wait for", async () => {
    const outgoing = request(`${service.url}/v3/connector/mssql/query`, { method: "POST", agent: false });
    outgoing.on("error", () => {});
    outgoing.on("response", (incoming) => incoming.on("error", () => {}).pause());
    outgoing.end(bodyOf("SELECT id AS stuck FROM orders"));
    await expect.poll(() => server.running("AS [stuck]"), { timeout: 20_000, interval: 20 }).toBe(1);
    outgoing.socket?.resetAndDestroy();
    await expect.poll(() => server.running("AS [stuck]"), { timeout: 30_000, interval: 20 }).toBe(0);
    expect(server.attentions()).toBeGreaterThan(0);
  });
});
