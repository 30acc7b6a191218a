/**
 * `POST …/cube` and `…/cube/dry-plan` answer as query and dry-plan do (docs/decisions/0006-own-routes.md), through the real
 * planner.
 */
import { tableFromIPC } from "@uwdata/flechette";
import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { PlannerWarning } from "../../src/planner/diagnostics.ts";
import { loadManifest, originOf, plan, planCube } from "../../src/planner/index.ts";
import { detailOf, errorOf, type TestApp, type TestAppOptions, testApp } from "./test-app.ts";

const CUBE = "/v3/connector/postgres/cube";
const DRY_PLAN = "/v3/connector/postgres/cube/dry-plan";

const MANIFEST = {
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "sale",
      tableReference: { table: "sale" },
      columns: [
        { name: "state", type: "VARCHAR" },
        { name: "price", type: "INTEGER" },
      ],
      rowLevelAccessControls: [
        { name: "own", requiredProperties: [{ name: "state", required: false }], condition: "state = @state" },
      ],
    },
  ],
  cubes: [
    {
      name: "sales",
      baseObject: "sale",
      dimensions: [{ name: "state", expression: "state", type: "VARCHAR" }],
      measures: [
        { name: "n", expression: "count(*)", type: "BIGINT" },
        { name: "odd", expression: "sum(nosuch(price))", type: "BIGINT" },
      ],
    },
  ],
};

const BODY = {
  cube: { cube: "sales", measures: ["n"], dimensions: ["state"] },
  manifestStr: Buffer.from(JSON.stringify(MANIFEST)).toString("base64"),
  connectionInfo: { host: "db.test" },
} as const;

const SQL = "SELECT sale.state, count(*) AS n FROM sale AS sale GROUP BY sale.state";

/** The planner of the Worker before a source in memory. */
function cubeApp(options: TestAppOptions = {}): TestApp {
  const app = testApp({
    script: {
      columns: [
        { name: "state", type: { kind: "string" } },
        { name: "n", type: { kind: "int64" } },
      ],
      batches: [[["new", 2n]]],
    },
    ...options,
  });
  Object.assign(app.services, {
    planner: Object.assign(app.services.planner, { plan, planCube, originOf }),
    manifests: { get: (text: string) => loadManifest(text, 1_000_000) },
  });
  return app;
}

const withSession = { ...BODY, sessionProperties: { state: "'new'" } };

describe("POST cube", () => {
  it.each([
    [
      "/v3/connector/postgres/cube",
      '{"columns":["state","n"],"data":[["new",2]],"dtypes":{"state":"string","n":"int64"}}',
    ],
    [
      "/v2/connector/postgres/cube",
      '{"columns":["state","n"],"data":[["new",2]],"dtypes":{"state":"object","n":"int64"}}',
    ],
    ["/v2/ibis/postgres/cube", '{"columns":["state","n"],"data":[["new",2]],"dtypes":{"state":"object","n":"int64"}}'],
  ])("answers rows in the profile of %s", async (path, body) => {
    const response = await cubeApp().post(path, withSession);
    expect([response.status, response.headers.get("x-cache-hit")]).toEqual([200, "false"]);
    expect(await response.text()).toBe(body);
  });

  it("answers in the format that is asked for", async () => {
    const response = await cubeApp().post(CUBE, withSession, { accept: "application/x-ndjson" });
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    expect((await response.text()).split("\n")[1]).toBe('["new",2]');
    expect(await (await cubeApp().post(CUBE, withSession, { accept: "text/csv" })).text()).toContain("\r\nnew,2\r\n");
    const arrow = await cubeApp().post(CUBE, withSession, { accept: "application/vnd.apache.arrow.stream" });
    expect(tableFromIPC(await arrow.bytes()).toArray()).toMatchObject([{ n: 2 }]);
    expect((await cubeApp().post(CUBE, withSession, { accept: "image/png" })).status).toBe(406);
  });

  it("honours columnDtypes", async () => {
    const response = await cubeApp().post(CUBE, { ...withSession, columnDtypes: { n: "string" } });
    expect(await response.json()).toMatchObject({ data: [["new", "2"]] });
    const wrong = await cubeApp().post(CUBE, { ...withSession, columnDtypes: { n: "varchar" } });
    expect(await detailOf(wrong)).toMatchObject([{ loc: ["body", "columnDtypes", "n"] }]);
  });

  it("checks without running when dryRun says so", async () => {
    const app = cubeApp();
    const response = await app.post(`${CUBE}?dryRun=true`, withSession);
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(app.services.sources.events.join()).not.toContain("query");
  });

  it("pushes limit into the SQL", async () => {
    const app = cubeApp();
    await (await app.post(`${CUBE}?limit=3`, withSession)).text();
    expect(app.services.sources.statements).toMatchObject([{ sql: expect.stringMatching(/LIMIT 3$/) }]);
  });

  it("needs a connection and a data source", async () => {
    const { connectionInfo: _, ...bare } = withSession;
    expect(await errorOf(await cubeApp().post(CUBE, bare))).toMatchObject({ errorCode: "INVALID_CONNECTION_INFO" });
    expect((await cubeApp().post(CUBE.replace("postgres", "nowhere"), withSession)).status).toBe(422);
  });

  it("shows what was sent when the source refuses it, and no place in a text that nobody wrote", async () => {
    const queryError = new ConnectorFailure("SOURCE_INVALID_SQL", "no such table", { position: 0 });
    const body = await errorOf(await cubeApp({ script: { queryError } }).post(CUBE, BODY));
    expect(body).toMatchObject({ errorCode: "GENERIC_USER_ERROR", phase: "SQL_EXECUTION" });
    expect(body.metadata).toMatchObject({ plannedSql: SQL, dialectSql: SQL });
    expect(body.metadata).not.toHaveProperty("position");
  });
});

describe("POST cube/dry-plan", () => {
  it.each([DRY_PLAN, "/v2/connector/postgres/cube/dry-plan"])("answers the SQL at %s", async (path) => {
    const { connectionInfo: _, ...body } = BODY;
    const response = await cubeApp().post(path, body);
    expect(response.status).toBe(200);
    expect(await response.json()).toBe(SQL);
  });

  it("holds the rules of the session, from body and header", async () => {
    for (const [body, headers] of [
      [withSession, {}],
      [BODY, { "x-wren-variable-state": "'new'" }],
    ] as const) {
      expect(await (await cubeApp().post(DRY_PLAN, body, headers)).json()).toContain("= 'new'");
    }
  });

  it("warns, and refuses warnings when x-strict says so", async () => {
    const skipped = await cubeApp().post(DRY_PLAN, BODY);
    const [warning] = JSON.parse(skipped.headers.get("x-warnings") ?? "[]") as PlannerWarning[];
    expect(warning).toMatchObject({ code: "ACCESS_RULE_SKIPPED" });
    expect(warning).not.toHaveProperty("position");
    const strict = await cubeApp().post(DRY_PLAN, BODY, { "x-strict": "true" });
    expect(await errorOf(strict)).toMatchObject({ errorCode: "INVALID_SQL", metadata: { reason: "STRICT_WARNING" } });
  });
});

describe("errors", () => {
  it.each([
    [{ cube: "sale", measures: ["n"] }, "CUBE_NOT_FOUND", ["sales"]],
    [{ cube: "sales", measures: ["oddd"] }, "CUBE_FIELD_NOT_FOUND", ["odd"]],
    [{ cube: "sales", measures: ["n"], filters: {} }, "CUBE_INVALID_QUERY", undefined],
    [{}, "CUBE_INVALID_QUERY", undefined],
  ])("%j is %s", async (cube, reason, suggestions) => {
    for (const path of [CUBE, DRY_PLAN]) {
      const response = await cubeApp().post(path, { ...withSession, cube });
      expect(response.status).toBe(422);
      const body = await errorOf(response);
      expect(body).toMatchObject({ errorCode: "INVALID_SQL", phase: "SQL_PLANNING", metadata: { reason } });
      expect(body.metadata).not.toHaveProperty("position");
      if (suggestions !== undefined) expect(body.metadata).toMatchObject({ suggestions });
    }
  });

  it.each([[undefined], [null], ["sales"], [[]]])("a cube that is %j is no object", async (cube) => {
    const response = await cubeApp().post(CUBE, { ...withSession, cube });
    expect(response.status).toBe(422);
    expect(await detailOf(response)).toMatchObject([{ loc: ["body", "cube"] }]);
  });
});
