/** The line of a request: what it tells, and what it never does. */
import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { encoded, planningApp, QUERY, type TestApp, testApp } from "./test-app.ts";

const PATH = "/v3/connector/postgres/query";
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

describe("the line of a request", () => {
  it("tells where its time went and which trace it belongs to, and hands the trace on", async () => {
    const app = testApp();
    const traceparent = `00-${TRACE}-00f067aa0ba902b7-01`;
    await (await app.post(PATH, QUERY, { traceparent, tracestate: "a=1" })).text();
    const [line] = app.logged;
    expect(line).toMatchObject({ traceId: TRACE, parentId: "00f067aa0ba902b7", rows: 1, caller: "anonymous" });
    expect(Object.keys(line?.phases as object)).toEqual([
      "authenticate",
      "body",
      "queue",
      "plan",
      "connect",
      "firstRow",
      "lastRow",
    ]);
    expect(app.services.sources.opened[0]?.traceHeaders).toEqual({
      traceparent: `00-${TRACE}-${line?.spanId}-01`,
      tracestate: "a=1",
    });
  });

  it("tells the phase that a request failed in", async () => {
    const openError = new ConnectorFailure("HOST_UNREACHABLE", "nobody there");
    const app = testApp({ script: { openError } });
    await app.post(PATH, QUERY);
    expect(Object.keys(app.logged[0]?.phases as object)).toEqual(["authenticate", "body", "queue", "plan", "connect"]);
  });
});

describe("the line of a request never tells", () => {
  const CANARY = "canary7f3a";
  const manifest = encoded({
    models: [
      {
        name: "orders",
        tableReference: { table: `${CANARY}_table` },
        columns: [{ name: "note", type: "varchar" }],
        rowLevelAccessControls: [
          { name: `${CANARY}_rule`, requiredProperties: [{ name: "u", required: true }], condition: `note = @u` },
        ],
      },
    ],
  });
  const headers = {
    authorization: `Bearer ${CANARY}`,
    "x-api-key": CANARY,
    cookie: CANARY,
    "x-wren-variable-u": `'${CANARY}'`,
    "x-correlation-id": CANARY,
    traceparent: CANARY,
    tracestate: CANARY,
    "user-agent": CANARY,
  };
  const body = {
    sql: `SELECT note AS "${CANARY}" FROM orders WHERE note = '${CANARY}' -- ${CANARY}`,
    manifestStr: manifest,
    connectionInfo: { host: `${CANARY}.test`, user: CANARY, password: CANARY },
    sessionProperties: { [CANARY]: `'${CANARY}'` },
  };
  const failure = new ConnectorFailure("SOURCE_ERROR", CANARY, { hint: CANARY });

  it.each<[string, TestApp, string, object]>([
    [
      "of an answer",
      planningApp({ script: { columns: [{ name: CANARY, type: { kind: "string" } }], batches: [[[CANARY]]] } }),
      PATH,
      body,
    ],
    ["of a plan", planningApp(), "/v3/connector/postgres/dry-plan", body],
    ["of an explanation", planningApp(), "/v3/connector/postgres/explain", body],
    ["of a failure to connect", planningApp({ script: { openError: failure } }), PATH, body],
    ["of a failing statement", planningApp({ script: { queryError: failure } }), PATH, body],
    [
      "of a late failure",
      planningApp({
        script: { columns: [{ name: "a", type: { kind: "string" } }], batches: [[["x"]]], lateError: failure },
      }),
      PATH,
      body,
    ],
    ["of a fault", planningApp({ script: { queryError: new Error(CANARY) as never } }), PATH, body],
    ["of wrong SQL", planningApp(), PATH, { ...body, sql: `SELECT ${CANARY} FROM orders` }],
    ["of a wrong request", planningApp(), PATH, { [CANARY]: CANARY }],
    ["of an unknown path", planningApp(), `/${CANARY}?${CANARY}=${CANARY}`, body],
    ["of an unknown source", planningApp(), `/v3/connector/${CANARY}/query`, body],
  ])("what a caller sent or a source answered: %s", async (_what, app, path, sent) => {
    const response = await app.post(path, sent, headers);
    await response.text().catch(() => undefined);
    await app.settled();
    expect(app.logged).toHaveLength(1);
    expect(JSON.stringify(app.logged)).not.toContain(CANARY);
  });
});
