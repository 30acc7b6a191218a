import { describe, expect, it } from "vitest";
import { encoded, errorOf, planningApp } from "./test-app.ts";

const manifestStr = encoded({
  models: [
    {
      name: "orders",
      tableReference: { schema: "main", table: "t_orders" },
      columns: [
        { name: "id", type: "INTEGER", notNull: true },
        { name: "price", type: "DECIMAL(10,2)" },
        { name: "twice", type: "DECIMAL(10,2)", isCalculated: true, expression: "price * 2" },
      ],
    },
    { name: "written", refSql: "SELECT 1 AS id", columns: [{ name: "id", type: "INTEGER" }] },
  ],
});

describe("POST explain", () => {
  it.each(["/v2/connector", "/v3/connector", "/v3/ibis"])(
    "%s/postgres/explain shows the whole plan",
    async (prefix) => {
      const app = planningApp();
      const sql = "SELECT o.id, twice AS t, nosuch(w.id) AS n FROM orders o JOIN written w ON o.id = w.id";
      const response = await app.post(`${prefix}/postgres/explain`, { sql, manifestStr });
      expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
      const answer = (await response.json()) as Record<string, unknown>;
      expect(Object.keys(answer)).toEqual([
        "plannedSql",
        "dialectSql",
        "columns",
        "reads",
        "lineage",
        "descriptions",
        "warnings",
        "rowRules",
        "session",
      ]);
      expect(answer.plannedSql).toContain("main.t_orders");
      expect(answer.dialectSql).toContain("main.t_orders");
      expect(answer).toMatchObject({
        columns: [
          { name: "id", type: "integer", nullable: false },
          { name: "t", type: expect.stringContaining("numeric"), nullable: true },
          { name: "n", type: "unknown", nullable: true },
        ],
        reads: [
          { model: "orders", columns: ["id", "price", "twice"], physical: { schema: "main", table: "t_orders" } },
          { model: "written", columns: ["id"], physical: null },
        ],
        lineage: [
          { column: "id", sources: ["orders.id"] },
          { column: "t", sources: ["orders.twice"] },
          { column: "n", sources: ["written.id"] },
        ],
        warnings: [{ code: "UNKNOWN_FUNCTION", position: { line: 1, column: 26, offset: 26, length: 12 } }],
        session: expect.arrayContaining([{ name: "TimeZone", value: "UTC" }]),
      });
      expect(JSON.parse(response.headers.get("x-warnings") ?? "")).toEqual(answer.warnings);
      expect(app.services.sources.events).toEqual([]);
    },
  );

  it.each(["/v2/connector/explain", "/v3/connector/explain"])("%s needs no data source", async (path) => {
    const response = await planningApp().post(path, { sql: "SELECT id FROM orders QUALIFY true", manifestStr });
    const answer = (await response.json()) as Record<string, unknown>;
    expect(answer.dialectSql).toBe(answer.plannedSql);
    expect(answer).toMatchObject({ dialectSql: expect.stringContaining("QUALIFY"), session: [], warnings: [] });
  });

  it("shows the same SQL as dry-plan", async () => {
    const body = { sql: "SELECT count(*) FROM orders WHERE price > 1", manifestStr };
    const explained = (await (await planningApp().post("/v3/connector/duckdb/explain", body)).json()) as Record<
      string,
      unknown
    >;
    const planned: unknown = await (await planningApp().post("/v3/connector/duckdb/dry-plan", body)).json();
    const input: unknown = await (await planningApp().post("/v3/connector/dry-plan", body)).json();
    expect([explained.dialectSql, explained.plannedSql]).toEqual([planned, input]);
  });

  it.each([
    ["SELECT nosuch FROM orders", "COLUMN_NOT_FOUND", "SQL_PLANNING"],
    ["SELEC 1", "SYNTAX", "SQL_PARSING"],
    [`SELECT ${"(".repeat(600)}1${")".repeat(600)}`, "LIMIT_DEPTH", "SQL_PARSING"],
  ])("%s is %s", async (sql, reason, phase) => {
    const response = await planningApp().post("/v3/connector/postgres/explain", { sql, manifestStr });
    expect(response.status).toBe(422);
    expect(await errorOf(response)).toMatchObject({ errorCode: "INVALID_SQL", phase, metadata: { reason } });
  });

  it("is strict when asked to be", async () => {
    const body = { sql: "SELECT nosuch(id) AS n FROM orders", manifestStr };
    const response = await planningApp().post("/v3/connector/explain", body, { "x-strict": "true" });
    expect(await errorOf(response)).toMatchObject({ metadata: { reason: "STRICT_WARNING", position: { column: 8 } } });
  });
});
