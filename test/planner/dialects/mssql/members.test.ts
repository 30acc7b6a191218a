/** Features that only databases of level 160 have (SQL Server 2022). */
import { describe, expect, it } from "vitest";
import { manifestOfTable, planned, plannedOn } from "../../../support/plan.ts";

const manifest = manifestOfTable({ id: "integer", n: "integer", at: "timestamp" });
const on = (level: number, sql: string) =>
  plannedOn({ product: "mssql", version: [level] }, sql, manifest, { source: "mssql" });

describe("SQL Server 2022", () => {
  it.each([
    [
      "SELECT id, last_value(n) IGNORE NULLS OVER (ORDER BY id) AS last FROM t",
      "SELECT [t].[id], last_value([t].[n]) IGNORE NULLS OVER (ORDER BY CAST(CASE WHEN [t].[id] IS NULL THEN 1 ELSE 0 END AS BIT), [t].[id]) AS [last] FROM [t] AS [t]",
    ],
    [
      "SELECT date_trunc('millisecond', at) AS at FROM t",
      "SELECT DATETRUNC(MILLISECOND, CAST([t].[at] AS DATETIME2(7))) AS [at] FROM [t] AS [t]",
    ],
    [
      "SELECT date_trunc('microseconds', at) AS at FROM t",
      "SELECT DATETRUNC(MICROSECOND, CAST([t].[at] AS DATETIME2(7))) AS [at] FROM [t] AS [t]",
    ],
    [
      "SELECT t.id, s.i FROM t CROSS JOIN LATERAL generate_series(t.id, t.n) AS s(i)",
      "SELECT [t].[id], [s].[i] FROM [t] AS [t] CROSS APPLY (SELECT [series].[value] AS [i] FROM generate_series(coalesce(CAST([t].[id] AS BIGINT), CAST([t].[n] AS BIGINT), 0), coalesce(CAST([t].[n] AS BIGINT), CAST([t].[id] AS BIGINT), 0), CAST(1 AS BIGINT)) AS [series] WHERE CAST([t].[id] AS BIGINT) IS NOT NULL AND CAST([t].[n] AS BIGINT) IS NOT NULL) AS [s]",
    ],
    [
      "SELECT t.id, s.i FROM t LEFT JOIN LATERAL generate_series(t.n, 1, -1) AS s(i) ON TRUE",
      "SELECT [t].[id], [s].[i] FROM [t] AS [t] OUTER APPLY (SELECT [series].[value] AS [i] FROM generate_series(coalesce(CAST([t].[n] AS BIGINT), CAST(1 AS BIGINT), 0), coalesce(CAST(1 AS BIGINT), CAST([t].[n] AS BIGINT), 0), CAST(-1 AS BIGINT)) AS [series] WHERE CAST([t].[n] AS BIGINT) IS NOT NULL AND CAST(1 AS BIGINT) IS NOT NULL) AS [s]",
    ],
  ])("%s", (sql, expected) => {
    const plan = on(160, sql);
    expect(plan.sql).toBe(expected);
    expect(plan.variant).toEqual({ product: "mssql", from: [160] });
    expect(() => on(150, sql)).toThrow();
  });

  it("is not asked for what all levels say", () => {
    for (const sql of [
      "SELECT greatest(id, n) AS a FROM t",
      "SELECT date_trunc('day', at) AS a FROM t WHERE id IS DISTINCT FROM n",
    ]) {
      expect(planned(sql, manifest, { source: "mssql" }).variant).toBeUndefined();
      expect(on(160, sql)).toEqual(expect.objectContaining({ sql: on(150, sql).sql }));
    }
  });

  it.each([
    "SELECT s.i FROM t CROSS JOIN LATERAL generate_series(t.n, 2, t.n) AS s(i)",
    "SELECT s.i FROM t CROSS JOIN LATERAL generate_series(t.at, t.at, INTERVAL '1 day') AS s(i)",
    "SELECT nth_value(n, 2) IGNORE NULLS OVER (ORDER BY id) AS a FROM t",
    "SELECT date_trunc('fortnight', at) AS at FROM t",
  ])("refuses %s", (sql) => {
    expect(() => on(160, sql)).toThrow();
  });
});
