import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { detailOf, encoded, errorOf, planningApp } from "./test-app.ts";

const PATH = "/v3/connector/postgres/model-substitute";

const manifestStr = encoded({
  catalog: "my_catalog",
  schema: "my_schema",
  models: [
    {
      name: "Orders",
      tableReference: { catalog: "test", schema: "public", table: "orders" },
      columns: [{ name: "id", type: "INTEGER" }],
    },
    { name: "A", tableReference: { table: "twin" }, columns: [{ name: "id", type: "INTEGER" }] },
    { name: "B", tableReference: { table: "twin" }, columns: [{ name: "id", type: "INTEGER" }] },
  ],
});
const HEADERS = { "x-user-catalog": "test", "x-user-schema": "public" };
const OVER_MODELS = 'SELECT * FROM "my_catalog"."my_schema"."Orders" AS "orders"';

describe("POST model-substitute", () => {
  it.each(["/v2/connector", "/v3/connector", "/v2/ibis", "/v3/ibis"])(
    "%s answers a JSON string and checks it on the source",
    async (prefix) => {
      const app = planningApp();
      const body = { sql: "SELECT * FROM orders;", manifestStr, connectionInfo: {} };
      const response = await app.post(`${prefix}/postgres/model-substitute?is_fallback=true`, body, HEADERS);
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
      expect(await response.text()).toBe(JSON.stringify(OVER_MODELS));
      await app.settled();
      expect(app.services.sources.events).toEqual(["prepare", "open", "dryRun", "connector closed"]);
      expect(app.services.sources.statements[0]?.sql).toContain("FROM test.public.orders");
      expect(app.gate.inFlight).toBe(0);
    },
  );

  it.each([{}, { connectionInfo: null }])("answers without a connection, and dials nothing: %j", async (connection) => {
    const app = planningApp();
    const body = { sql: "SELECT nosuch FROM `test`.`public`.`orders`", manifestStr, ...connection };
    const response = await app.post("/v3/connector/mysql/model-substitute", body);
    expect(await response.json()).toBe(OVER_MODELS.replace("*", "nosuch"));
    expect(app.services.sources.events).toEqual([]);
  });

  it("takes an empty header for none, in any case of its name", async () => {
    const body = { sql: "SELECT * FROM public.orders", manifestStr };
    expect((await planningApp().post(PATH, body, { "X-User-Catalog": "" })).status).toBe(404);
    expect((await planningApp().post(PATH, body, { "X-USER-CATALOG": "TEST" })).status).toBe(200);
  });

  it("refuses a header that is no UTF-8, together with what else is wrong", async () => {
    const response = await planningApp().post(PATH, { sql: "SELECT 1" }, { "x-user-schema": "\xe9" });
    expect((await detailOf(response)).map(({ type, loc }) => [type, ...loc])).toEqual([
      ["string_unicode", "header", "x-user-schema"],
      ["missing", "body", "manifestStr"],
    ]);
  });

  it.each([
    ['SELECT * FROM "Nation"', 404, "NOT_FOUND", 'Model not found: "Nation"', "MODEL_NOT_FOUND"],
    ["SELECT * FROM a.b.c AS x", 404, "NOT_FOUND", "Model not found: a.b.c", "MODEL_NOT_FOUND"],
    [
      "SELECT * FROM twin",
      422,
      "GENERIC_USER_ERROR",
      "Ambiguous model: found multiple matches for twin",
      "AMBIGUOUS_MODEL",
    ],
    ["SELECT * FROM 'x", 422, "INVALID_SQL", "the string is not closed. Add the closing '.", "SYNTAX"],
    [
      "DELETE FROM orders",
      422,
      "INVALID_SQL",
      "DELETE is not a query. Only queries can be turned into SQL over models.",
      "UNSUPPORTED_STATEMENT",
    ],
    [
      "SELECT 1; SELECT 2",
      422,
      "INVALID_SQL",
      "the text holds more than one statement. Send one query at a time.",
      "SEVERAL_STATEMENTS",
    ],
  ])("%s: %i", async (sql, status, errorCode, message, reason) => {
    const app = planningApp();
    const response = await app.post(PATH, { sql, manifestStr, connectionInfo: {} });
    expect(response.status).toBe(status);
    expect(await errorOf(response)).toMatchObject({
      errorCode,
      message,
      phase: "SQL_SUBSTITUTE",
      metadata: { reason, position: { line: 1 } },
    });
    expect(app.services.sources.events).toEqual(["prepare"]);
  });

  it("tells a failed plan like a dry run, at its place in the caller's text", async () => {
    const sql = "SELECT 1,\n  nosuch\nFROM   test.public.orders";
    const response = await planningApp().post(PATH, { sql, manifestStr, connectionInfo: {} });
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toMatchObject({
      errorCode: "INVALID_SQL",
      phase: "SQL_PLANNING",
      message: expect.stringContaining('column "nosuch"'),
      metadata: { position: { line: 2, column: 3, length: 6 } },
    });
  });

  it("tells what the source refuses like a dry run, at its place in the caller's text", async () => {
    const dryRunError = new ConnectorFailure("SOURCE_INVALID_SQL", 'column "id" does not exist', { position: 7 });
    const app = planningApp({ script: { dryRunError } });
    const sql = "SELECT   id FROM test.public.orders";
    const response = await app.post(PATH, { sql, manifestStr, connectionInfo: {} });
    expect(await errorOf(response)).toMatchObject({
      errorCode: "GENERIC_USER_ERROR",
      phase: "SQL_DRY_RUN",
      message: 'column "id" does not exist',
      metadata: {
        position: { line: 1, column: 10, length: 2 },
        plannedSql: expect.any(String),
        dialectSql: expect.any(String),
      },
    });
  });

  it("places warnings in the caller's text, and refuses them when the caller is strict", async () => {
    const body = { sql: "SELECT    nosuch(id) AS n FROM test.public.orders", manifestStr, connectionInfo: {} };
    const response = await planningApp().post(PATH, body);
    expect(JSON.parse(response.headers.get("x-warnings") ?? "")).toMatchObject([
      { code: "UNKNOWN_FUNCTION", position: { column: 11, length: 10 } },
    ]);
    const strict = await planningApp().post(PATH, body, { "x-strict": "1" });
    expect(await errorOf(strict)).toMatchObject({ metadata: { reason: "STRICT_WARNING", position: { column: 11 } } });
  });

  it("reads the connection's fields first", async () => {
    const prepareError = new ConnectorFailure("INVALID_CONNECTION", "connectionInfo.host is missing");
    const app = planningApp({ script: { prepareError } });
    const response = await app.post(PATH, { sql: "SELEC", manifestStr, connectionInfo: {} });
    expect(await errorOf(response)).toMatchObject({ errorCode: "INVALID_CONNECTION_INFO" });
  });

  it("refuses connectionFilePath, of which there are none", async () => {
    const response = await planningApp().post(PATH, { sql: "SELECT 1", manifestStr, connectionFilePath: "x.json" });
    expect(await errorOf(response)).toMatchObject({ metadata: { reason: "CONNECTION_FILE_UNAVAILABLE" } });
  });

  it("takes the longest text that is allowed, and none that is longer", async () => {
    const api = { bodyLimits: { maxBytes: 8_000_000, timeoutMs: 30_000, maxDepth: 64 } };
    const filled = (length: number): string => {
      const tail = "' FROM test.public.orders";
      return `SELECT '${"x".repeat(length - 8 - tail.length)}${tail}`;
    };
    const status = async (length: number): Promise<number> =>
      (await planningApp({ api }).post(PATH, { sql: filled(length), manifestStr })).status;
    expect([await status(1024 * 1024), await status(1024 * 1024 + 1)]).toEqual([200, 422]);
  });

  it("refuses the character NUL before anything else", async () => {
    const response = await planningApp().post(PATH, { sql: "SELECT '\0'", manifestStr });
    expect(await detailOf(response)).toMatchObject([{ type: "string_null", loc: ["body", "sql"] }]);
  });
});
