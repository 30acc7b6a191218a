/** Features that only databases of level 160 have (SQL Server 2022). */
import { describe, expect, it } from "vitest";
import { MSSQL_160, MSSQL_160_TABLE } from "../../../sent-sql/dialects/mssql.ts";
import { planned, plannedOn } from "../../../support/plan.ts";

const on = (level: number, sql: string) =>
  plannedOn({ product: "mssql", version: [level] }, sql, MSSQL_160_TABLE, { source: "mssql" });

describe("SQL Server 2022", () => {
  it.each(MSSQL_160)("%s", (sql) => {
    expect(on(160, sql).variant).toEqual({ product: "mssql", from: [160] });
    expect(() => on(150, sql)).toThrow();
  });

  it("is not asked for what all levels say", () => {
    for (const sql of [
      "SELECT greatest(id, n) AS a FROM t",
      "SELECT date_trunc('day', at) AS a FROM t WHERE id IS DISTINCT FROM n",
    ]) {
      expect(planned(sql, MSSQL_160_TABLE, { source: "mssql" }).variant).toBeUndefined();
      expect(on(160, sql)).toEqual(expect.objectContaining({ sql: on(150, sql).sql }));
    }
  });
});
