/** upper, lower and initcap beyond ASCII: DuckDB and ClickHouse had other capitals than PostgreSQL. */
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { loadManifest, plan } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";

const MANIFEST = {
  catalog: "c",
  schema: "s",
  models: [{ name: "t", tableReference: { table: "t" }, columns: [{ name: "s", type: "VARCHAR" }] }],
};

function sqlOf(expression: string, source: "duckdb" | "clickhouse"): string {
  const loaded = loadManifest(Buffer.from(JSON.stringify(MANIFEST)).toString("base64"), 1024 * 1024);
  if (!loaded.ok) throw loaded.error;
  const planned = plan({
    sql: `SELECT ${expression} AS u FROM t`,
    manifest: loaded.value,
    source,
    session: new Map(),
    options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
  });
  if (!planned.ok) throw planned.error;
  return planned.value.sql;
}

describe("on DuckDB", () => {
  it.each([
    ["upper(s)", "straße", "STRAßE"],
    ["initcap(s)", "ßa ßb", "ßa ßb"],
    ["initcap(s)", "10²m", "10²M"],
  ])("%s of %s is %s", async (expression, value, answer) => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run("CREATE TABLE t (s VARCHAR)");
    await connection.run(`INSERT INTO t VALUES ('${value}')`);
    const rows = (await connection.runAndReadAll(sqlOf(expression, "duckdb"))).getRowsJson();
    connection.closeSync();
    expect(rows).toEqual([[answer]]);
  });
});

describe("on ClickHouse", () => {
  it.each([
    // ClickHouse 26.7: upperUTF8('ß') is SS, lowerUTF8('ΣΑΣ') σας, lowerUTF8('İ') two characters, initcapUTF8('ι') U+0345.
    ["upper(s)", /^SELECT upperUTF8\([^()]*\) AS/],
    ["lower(s)", /^SELECT lowerUTF8\([^()]*\) AS/],
    ["initcap(s)", /initcapUTF8/],
  ])("%s is not the engine's own function alone", (expression, own) => {
    expect(sqlOf(expression, "clickhouse")).not.toMatch(own);
  });
});
