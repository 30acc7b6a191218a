import { describe, expect, it } from "vitest";
import { detailOf, encoded, errorOf, planningApp } from "./test-app.ts";

const manifestStr = encoded({
  models: [
    {
      name: "visits",
      tableReference: { table: "visits" },
      columns: ["id", "shop"].map((name) => ({ name, type: "INTEGER" })),
    },
  ],
});

describe("analysis/sql", () => {
  it.each(["/v2/analysis/sql", "/v3/analysis/sql"])("POST %s answers one record per SELECT", async (path) => {
    const app = planningApp();
    const response = await app.post(path, { sql: "WITH a AS (SELECT id FROM visits) SELECT * FROM a;", manifestStr });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(await response.json()).toMatchObject([
      { relation: { tableName: "visits" }, isSubqueryOrCte: true },
      { relation: { tableName: "a" }, isSubqueryOrCte: false },
    ]);
    expect([app.services.sources.events, app.gate.inFlight]).toEqual([[], 0]);
  });

  it.each([
    [{ sql: "SELEC 1", manifestStr }, "INVALID_SQL", "SQL_PARSING", "SYNTAX"],
    [{ sql: "SELECT 'a", manifestStr }, "INVALID_SQL", "SQL_PARSING", "SYNTAX"],
    [{ sql: "SELECT 1; SELECT 2", manifestStr }, "INVALID_SQL", "SQL_PARSING", "SEVERAL_STATEMENTS"],
    [{ sql: "SELECT 1", manifestStr: "?" }, "INVALID_MDL", "MDL_EXTRACTION", "MANIFEST_BASE64"],
  ])("refuses %j", async (body, errorCode, phase, reason) => {
    const response = await planningApp().post("/v2/analysis/sql", body);
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toMatchObject({ errorCode, phase, metadata: { reason } });
  });

  it.each([
    [{}, ["sql", "manifestStr"]],
    [{ sql: "SELECT 1" }, ["manifestStr"]],
  ])("misses fields of %j", async (body, missing) => {
    const problems = await detailOf(await planningApp().post("/v3/analysis/sql", body));
    expect(problems.map(({ type, loc }) => [type, ...loc])).toEqual(missing.map((name) => ["missing", "body", name]));
  });
});

describe("analysis/sqls", () => {
  const path = "/v2/analysis/sqls";

  it("answers one list per statement, in their order", async () => {
    const sqls = ["SELECT shop FROM visits", "SELECT 1 UNION SELECT 2", "SELECT 1"];
    const response = await planningApp().post(path, { sqls, manifestStr });
    const lists = (await response.json()) as unknown[][];
    expect(lists.map((list) => list.length)).toEqual([1, 2, 1]);
    expect(lists[0]).toMatchObject([{ selectItems: [{ expression: "shop" }] }]);
    expect(await (await planningApp().post(path, { sqls: [], manifestStr })).json()).toEqual([]);
  });

  it("fails as a whole and names the statement, with the place in it", async () => {
    const response = await planningApp().post(path, { sqls: ["SELECT 1", "SELECT\n FROM FROM"], manifestStr });
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toMatchObject({
      errorCode: "INVALID_SQL",
      phase: "SQL_PARSING",
      message: expect.stringMatching(/^sqls\[1\]: /),
      metadata: { reason: "SYNTAX", position: { line: 2 } },
    });
  });

  it("has one limit for all statements together", async () => {
    const api = { bodyLimits: { maxBytes: 8_000_000, timeoutMs: 30_000, maxDepth: 64 } };
    const sqls = Array.from({ length: 60_000 }, () => "SELECT * FROM visits");
    const response = await planningApp({ api }).post(path, { sqls, manifestStr });
    expect(await errorOf(response)).toMatchObject({ metadata: { reason: "LIMIT_SIZE" } });
  });

  it.each([
    [{ sqls: "SELECT 1" }, "list_type", ["sqls"]],
    [{ sqls: [1] }, "string_type", ["sqls", 0]],
  ])("refuses %j", async (fields, type, loc) => {
    const response = await planningApp().post(path, { manifestStr, ...fields });
    expect(await detailOf(response)).toEqual([expect.objectContaining({ type, loc: ["body", ...loc] })]);
  });
});
