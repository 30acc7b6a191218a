/** Plants secrets in a connection and fires every way an answer can go wrong: none of them may show one. */
import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { ERRORS, type Reason } from "../../src/service/errors.ts";
import { ServiceError } from "../../src/service/failure.ts";
import { planOf, type Script } from "../service/in-memory.ts";
import { type TestApp, testApp } from "./test-app.ts";

const PASSWORD = "pa$$ 'wörd\"/+&\\%41";
const TOKEN = "tok-7f3a9c51";
const URL_PASSWORD = "url:p@ss w0rd";
const KEY_LINE = "MIIEvgIBADANBgkqhkiG9w0BAQEFAASC";
const CREDENTIALS = Buffer.from(
  JSON.stringify({ type: "service_account", private_key: "nested-s3cret-value" }),
).toString("base64");

const CONNECTION = {
  host: "db.test",
  user: "alice",
  password: PASSWORD,
  connectionUrl: `postgres://alice:${encodeURIComponent(URL_PASSWORD)}@db.test/shop`,
  private_key: `-----BEGIN PRIVATE KEY-----\n${KEY_LINE}\n-----END PRIVATE KEY-----`,
  credentials: CREDENTIALS,
  kwargs: { deep: [{ api_token: TOKEN }] },
};

/** Every spelling in which one of them could be recognised. */
const SPELLINGS = [
  PASSWORD,
  JSON.stringify(PASSWORD).slice(1, -1),
  PASSWORD.replaceAll("'", "''"),
  encodeURIComponent(PASSWORD),
  encodeURIComponent(PASSWORD).replaceAll("%20", "+"),
  Buffer.from(PASSWORD).toString("base64"),
  Buffer.from(PASSWORD).toString("base64url"),
  Buffer.from(`alice:${PASSWORD}`).toString("base64"),
  TOKEN,
  Buffer.from(TOKEN).toString("base64"),
  URL_PASSWORD,
  encodeURIComponent(URL_PASSWORD),
  CONNECTION.connectionUrl,
  KEY_LINE,
  CREDENTIALS,
  "nested-s3cret-value",
];

/** A driver's possible message: all secrets at once. */
const LEAK = `connecting failed: ${SPELLINGS.join(" | ")} | ${JSON.stringify(CONNECTION)}`;

function leaking(script: Script = {}): TestApp {
  return testApp({ script });
}

const body = {
  sql: "SELECT a FROM m",
  manifestStr: "bTE=",
  connectionInfo: CONNECTION,
};

/** Names of a validation; of a query, `parameters` are the values of `$1` and so on. */
const bodyFor = (path: string): object =>
  path.includes("/validate/") ? { ...body, parameters: { modelName: "m", columnName: "c" } } : body;

async function expectNoSecret(app: TestApp, response: Response): Promise<void> {
  const text = await response.text().catch((error: unknown) => String(error));
  await app.settled();
  const everything = [
    text,
    ...[...response.headers].map(([name, value]) => `${name}: ${value}`),
    JSON.stringify(app.logged),
  ];
  for (const part of everything) {
    for (const spelling of SPELLINGS) {
      expect(part).not.toContain(spelling);
      // The form inside a JSON text.
      expect(part).not.toContain(JSON.stringify(spelling).slice(1, -1));
    }
  }
}

const PATHS = [
  "/v3/connector/postgres/query",
  "/v2/connector/postgres/query?dryRun=true",
  "/v2/connector/postgres/validate/column_is_valid",
  "/v2/connector/postgres/metadata/tables",
  "/v3/connector/postgres/metadata/constraints",
  "/v3/connector/postgres/metadata/schemas",
  "/v3/connector/postgres/metadata/version",
];

describe.each(PATHS)("no secret leaves %s", (path) => {
  it.each(Object.keys(ERRORS) as Reason[])("with %s", async (reason) => {
    const error = new ServiceError(reason, LEAK, {
      metadata: { hint: LEAK },
      cause: new Error(LEAK),
    });
    const app = leaking({ prepareError: error });
    await expectNoSecret(app, await app.post(path, bodyFor(path)));
  });

  it.each(["openError", "queryError", "dryRunError", "catalogError", "lateError"] as const)(
    "when the driver quotes them (%s)",
    async (step) => {
      for (const error of [
        new ConnectorFailure("SOURCE_ERROR", LEAK, { hint: LEAK }),
        new TypeError(LEAK),
        LEAK,
        { LEAK },
      ]) {
        for (const accept of ["application/json", "application/x-ndjson", "text/csv"]) {
          const app = leaking({ [step]: error });
          await expectNoSecret(app, await app.post(path, bodyFor(path), { accept }));
        }
      }
    },
  );

  it("in a warning", async () => {
    const app = leaking({ warnings: [{ code: "UNKNOWN_OPTION", message: LEAK, hint: LEAK }] });
    app.services.planner.answer = (request) => ({ ok: true, value: planOf(request) });
    await expectNoSecret(app, await app.post(path, bodyFor(path)));
  });

  it.each([
    ["a connection of the wrong type", { ...bodyFor(path), connectionInfo: JSON.stringify(CONNECTION) }],
    ["a connection in a list", { ...bodyFor(path), connectionInfo: [CONNECTION] }],
    ["missing fields", { connectionInfo: CONNECTION }],
    [
      "wrong fields",
      { ...bodyFor(path), sql: CONNECTION, manifestStr: CONNECTION, limit: CONNECTION, filterInfo: PASSWORD },
    ],
    ["a connection in snake case", { sql: 1, connection_info: CONNECTION }],
    ["a file path", { ...bodyFor(path), connectionFilePath: PASSWORD }],
  ])("with %s", async (_what, wrong) => {
    const app = leaking();
    await expectNoSecret(app, await app.post(path, wrong));
  });

  it("with a body that breaks off", async () => {
    const app = leaking();
    await expectNoSecret(
      app,
      await app.fetch(path, { method: "POST", body: JSON.stringify(bodyFor(path)).slice(0, -1) }),
    );
  });
});

/**
 * Masked, a password that is a word of the schema would garble what we print and give itself away
 * (docs/decisions/0038-redaction.md).
 */
describe("what is printed of the caller's own SQL and manifest stays as it is", () => {
  const WORD = "orders_2024";
  const asked = { ...body, connectionInfo: { ...CONNECTION, password: WORD } };

  it("in the planner's words", async () => {
    const app = leaking();
    app.services.planner.answer = () => ({
      ok: false,
      error: new PlannerError("MODEL_NOT_FOUND", `model "${WORD}x" not found`, {
        hint: `Did you mean "${WORD}"?`,
        suggestions: [WORD],
      }),
    });
    const response = await app.post("/v3/connector/postgres/query", asked);
    expect(await response.json()).toMatchObject({
      message: `model "${WORD}x" not found. Did you mean "${WORD}"?`,
      metadata: { hint: `Did you mean "${WORD}"?`, suggestions: [WORD] },
    });
  });

  it("in the SQL that was sent, while the engine's words are masked", async () => {
    const app = leaking({ queryError: new ConnectorFailure("SOURCE_ERROR", `relation "${WORD}" is broken`) });
    app.services.planner.answer = (request) => ({
      ok: true,
      value: { ...planOf(request), sql: `SELECT a FROM ${WORD}` },
    });
    const response = await app.post("/v3/connector/postgres/query", asked);
    expect(await response.json()).toMatchObject({
      message: 'relation "***" is broken',
      metadata: { dialectSql: `SELECT a FROM ${WORD}`, plannedSql: `SELECT a FROM ${WORD}` },
    });
  });

  it("in a warning about the SQL", async () => {
    const app = leaking();
    app.services.planner.answer = (request) => ({
      ok: true,
      value: { ...planOf(request), warnings: [{ code: "FANOUT_RISK", message: `joining ${WORD} repeats rows` }] },
    });
    const response = await app.post("/v3/connector/postgres/query", asked);
    expect(response.headers.get("x-warnings")).toContain(`joining ${WORD} repeats rows`);
  });
});
