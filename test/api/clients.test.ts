/**
 * The calls of existing clients (contract App. D) with `V2_PROFILE=modern`, as they make them: paths, spellings, headers,
 * and what they read from the answers.
 */
import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { QUERY, type TestAppOptions, testApp } from "./test-app.ts";

const modern = (options: TestAppOptions = {}) => testApp({ ...options, api: { v2Profile: "modern", ...options.api } });

const { sql, manifestStr } = QUERY;
const connectionInfo = {
  host: "host.docker.internal",
  port: 5432,
  database: "shop",
  user: "reader",
  password: "p",
  ssl: undefined,
};

describe.each(["v2", "v3"])("the web interface on /%s", (version) => {
  const base = `/${version}/connector/postgres`;

  it("previews a query and reads the cache headers", async () => {
    const response = await modern().post(`${base}/query?cacheEnable=true&overrideCache=true&limit=500`, {
      sql,
      connectionInfo,
      manifestStr,
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ columns: ["a"], data: [[1]], dtypes: { a: "int32" } });
    expect(response.headers.get("x-cache-hit")).toBe("false");
    expect(Number(response.headers.get("x-process-time"))).toBeGreaterThanOrEqual(0);
    for (const name of ["x-cache-create-at", "x-cache-override", "x-cache-override-at"])
      expect(response.headers.get(name)).toBeNull();
  });

  it("dry-runs and reads the headers only", async () => {
    const response = await modern().post(`${base}/query?dryRun=true`, { sql, connectionInfo, manifestStr });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(response.headers.get("x-correlation-id")).not.toBeNull();
  });

  it("plans", async () => {
    expect(await (await modern().post(`${base}/dry-plan`, { sql, manifestStr })).json()).toEqual(expect.any(String));
  });

  it("validates a column, and shows the body of a refusal", async () => {
    const call = { manifestStr, connectionInfo, parameters: { modelName: "m", columnName: "a" } };
    expect((await modern().post(`${base}/validate/column_is_valid`, call)).status).toBe(204);
    const dryRunError = new ConnectorFailure("SOURCE_INVALID_SQL", "no such column");
    const refused = await modern({ script: { dryRunError } }).post(`${base}/validate/column_is_valid`, call);
    expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([422, "no such column"]);
  });

  it("lists tables and constraints as arrays, and the version as a string", async () => {
    for (const [path, expected] of [
      ["tables", []],
      ["constraints", []],
      ["version", "memory 1"],
    ] as const) {
      const response = await modern().post(`${base}/metadata/${path}`, { connectionInfo });
      expect(await response.json()).toEqual(expected);
    }
  });
});

describe("the assistant", () => {
  it.each([
    ["?dryRun=true&limit=1", 204],
    ["?limit=500", 200],
  ])("POST query%s", async (search, status) => {
    expect(
      (await modern().post(`/v3/connector/postgres/query${search}`, { sql, manifestStr, connectionInfo })).status,
    ).toBe(status);
  });

  it.each(["true", "false"])("plans with x-wren-fallback_disable: %s", async (value) => {
    const response = await modern().post(
      "/v3/connector/postgres/dry-plan",
      { sql, manifestStr },
      { "x-wren-fallback_disable": value },
    );
    expect(response.status).toBe(200);
  });

  it("finds the SQL that failed in metadata", async () => {
    const queryError = new ConnectorFailure("SOURCE_INVALID_SQL", "no such table");
    const response = await modern({ script: { queryError } }).post("/v3/connector/postgres/query", {
      sql,
      manifestStr,
      connectionInfo,
    });
    expect(await response.json()).toMatchObject({
      message: "no such table",
      metadata: { dialectSql: expect.stringContaining("SELECT"), plannedSql: expect.stringContaining("SELECT") },
    });
  });
});

describe("the MCP server", () => {
  it.each([
    ["True", 204],
    ["False", 200],
  ])("POST query?dryRun=%s", async (dryRun, status) => {
    const headers = { "x-wren-fallback_disable": "true" };
    const response = await modern().post(
      `/v3/connector/postgres/query?dryRun=${dryRun}`,
      { sql, manifestStr, connectionInfo },
      headers,
    );
    expect(response.status).toBe(status);
  });

  it("checks a manifest by planning SELECT 1", async () => {
    expect((await modern().post("/v3/connector/dry-plan", { sql: "SELECT 1", manifestStr })).status).toBe(200);
  });
});
