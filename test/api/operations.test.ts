import { describe, expect, it } from "vitest";
import { errorBody } from "../../src/api/schemas.ts";
import type { TableRecord } from "../../src/connectors/catalog/types.ts";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { loadManifest } from "../../src/planner/index.ts";
import { planOf } from "../service/in-memory.ts";
import { detailOf, errorOf, QUERY, testApp } from "./test-app.ts";

describe("POST dry-plan", () => {
  it.each([
    ["/v2/connector/dry-plan", "/* input */ SELECT a FROM m"],
    ["/v3/connector/dry-plan", "/* input */ SELECT a FROM m"],
    ["/v2/connector/mysql/dry-plan", "/* mysql */ SELECT a FROM m"],
    ["/v3/ibis/bigquery/dry-plan", "/* bigquery */ SELECT a FROM m"],
  ])("%s answers a JSON string and needs no connection", async (path, sql) => {
    const app = testApp();
    const response = await app.post(path, { sql: QUERY.sql, manifestStr: QUERY.manifestStr });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await response.json()).toBe(sql);
    expect(app.services.sources.events).toEqual([]);
  });

  it("passes warnings on, and refuses them when the caller is strict", async () => {
    const app = testApp();
    app.services.planner.answer = (request) => ({
      ok: true,
      value: planOf(request, { warnings: [{ code: "FANOUT_RISK", message: "many" }] }),
    });
    expect((await app.post("/v3/connector/dry-plan", QUERY)).headers.get("x-warnings")).toBe(
      '[{"code":"FANOUT_RISK","message":"many"}]',
    );
    expect((await app.post("/v3/connector/dry-plan", QUERY, { "x-strict": "1" })).status).toBe(422);
  });
});

const TABLE: TableRecord = {
  name: "public.sales",
  columns: [{ name: "id", type: "BIGINT", notNull: true, description: null, properties: null, nestedColumns: null }],
  description: null,
  properties: { schema: "public", catalog: "shop", table: "sales", path: null },
  primaryKey: "",
};
const CATALOG = {
  tables: [TABLE],
  constraints: [],
  schemas: [{ name: "c", schemas: ["s"] }],
  version: "PostgreSQL 16",
};

describe("POST metadata", () => {
  it.each([
    ["v3", "modern", "tables", [TABLE]],
    ["v2", "modern", "tables", [TABLE]],
    ["v2", "classic", "tables", { tables: [TABLE] }],
    ["v3", "classic", "tables", [TABLE]],
    ["v2", "classic", "constraints", { constraints: [] }],
    ["v2", "modern", "constraints", []],
    ["v3", "classic", "constraints", []],
    ["v2", "classic", "schemas", CATALOG.schemas],
    ["v3", "modern", "schemas", CATALOG.schemas],
    ["v2", "classic", "version", "PostgreSQL 16"],
    ["v3", "modern", "version", "PostgreSQL 16"],
  ] as const)("/%s with V2_PROFILE=%s: %s", async (version, v2Profile, kind, expected) => {
    const app = testApp({ script: { catalog: CATALOG }, api: { v2Profile } });
    const response = await app.post(`/${version}/connector/postgres/metadata/${kind}`, { connectionInfo: {} });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(expected);
    expect(app.gate.inFlight).toBe(0);
  });

  it.each(["v2", "v3"])("/%s passes filter and limit on, and says what it does not honour", async (version) => {
    const app = testApp();
    const response = await app.post(`/${version}/connector/postgres/metadata/tables`, {
      connectionInfo: {},
      filterInfo: { schema: "pub*", table: null, projects: [] },
      limit: 3,
    });
    expect(app.services.sources.requests).toEqual([{ kind: "tables", filter: { schema: "pub*" }, limit: 3 }]);
    expect(JSON.parse(response.headers.get("x-warnings") ?? "")).toMatchObject([
      { code: "UNKNOWN_OPTION", message: "filterInfo.projects is not honoured." },
    ]);
  });

  it.each([
    [{ limit: -1 }, "greater_than_equal", ["limit"]],
    [{ limit: "3" }, "int_type", ["limit"]],
    [{ limit: 1.5 }, "int_from_float", ["limit"]],
    [{ filterInfo: [] }, "dict_type", ["filterInfo"]],
    [{ filterInfo: { schema: 1 } }, "string_type", ["filterInfo", "schema"]],
  ])("refuses %j", async (fields, type, loc) => {
    const response = await testApp().post("/v3/connector/postgres/metadata/tables", { connectionInfo: {}, ...fields });
    expect(await detailOf(response)).toEqual([expect.objectContaining({ type, loc: ["body", ...loc] })]);
  });

  it("/v2 misses connectionInfo in the detail shape, /v3 in the error shape", async () => {
    expect(await detailOf(await testApp().post("/v2/connector/postgres/metadata/tables", {}))).toEqual([
      { type: "missing", loc: ["body", "connectionInfo"], msg: "Field required" },
    ]);
    expect(await errorOf(await testApp().post("/v3/connector/postgres/metadata/tables", {}))).toMatchObject({
      errorCode: "INVALID_CONNECTION_INFO",
      message: expect.stringMatching(/connectionInfo.*connectionFilePath/),
    });
  });
});

describe("POST validate", () => {
  const path = "/v2/connector/postgres/validate/column_is_valid";
  const body = { manifestStr: "bTE=", connectionInfo: {}, parameters: { modelName: "m", columnName: "c" } };

  it("answers 204 when the rule holds", async () => {
    const response = await testApp().post(path, body);
    expect([response.status, await response.text()]).toEqual([204, ""]);
  });

  it("answers 422 with the inner text when it does not", async () => {
    const app = testApp();
    app.services.planner.answer = () => ({
      ok: false,
      error: new PlannerError("COLUMN_NOT_FOUND", "no column c in m"),
    });
    const response = await app.post(path, body);
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toMatchObject({
      errorCode: "GENERIC_USER_ERROR",
      phase: "VALIDATION",
      message: "no column c in m",
    });
  });

  it("answers all that is wrong with a manifest as a list of problems, as OpenAPI describes them", async () => {
    const app = testApp({ load: (base64) => loadManifest(base64, 1_000_000) });
    const columns = [{ name: "x", type: "INTEGER", isCalculated: true, expression: "totl" }];
    const manifest = {
      ...{ catalog: "c", schema: "s" },
      models: [
        { name: "m", tableReference: { table: "m" }, columns: [...columns, { name: "total", type: "INTEGER" }] },
      ],
    };
    const manifestStr = Buffer.from(JSON.stringify(manifest)).toString("base64");
    const response = await app.post(path.replace("column_is_valid", "manifest_is_valid"), { ...body, manifestStr });
    expect(response.status).toBe(422);
    const error = await errorOf(response);
    expect(error).toMatchObject({
      errorCode: "VALIDATION_ERROR",
      phase: "VALIDATION",
      metadata: {
        reason: "RULE_VIOLATED",
        problems: [
          {
            reason: "MANIFEST_EXPRESSION",
            object: 'column "x" of model "m"',
            message: 'column "x" of model "m": model "m" has no column "totl" (at character 1 of its expression)',
            hint: 'Did you mean "total"?',
            suggestions: ["total"],
          },
        ],
      },
    });
    expect(errorBody().safeParse(error).success).toBe(true);
  });

  it("answers 404 for a rule that does not exist", async () => {
    const response = await testApp().post(path.replace("column_is_valid", "nope"), body);
    expect(response.status).toBe(404);
    expect((await errorOf(response)).message).toContain("The rule `nope` is not in the rules");
  });

  it.each([
    [{}, ["manifestStr", "parameters"]],
    [{ manifestStr: "" }, ["parameters"]],
  ])("misses fields of %j", async (fields, missing) => {
    const problems = await detailOf(await testApp().post(path, fields));
    expect(problems.map(({ type, loc }) => [type, ...loc])).toEqual(missing.map((name) => ["missing", "body", name]));
  });
});
