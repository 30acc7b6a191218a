/** Fields of EXTRACT came as decimals ("2024.0") from PostgreSQL and as integers from other sources. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import type { DataSource } from "../../src/planner/plan.ts";
import { manifestOf, manifestOfTable, planned } from "../support/plan.ts";
import { startPostgres, type TestDatabase } from "../support/postgres.ts";

const MANIFEST = manifestOfTable({ d: "DATE", ts: "TIMESTAMP", n: "BIGINT", k: "VARCHAR" });
const SOURCES: readonly DataSource[] = [
  ...(["postgres", "duckdb", "mysql", "clickhouse", "trino", "spark", "mssql", "oracle"] as const),
  ...(["snowflake", "bigquery", "redshift", "doris", "databricks", "athena"] as const),
];

const kinds = (sql: string, source: DataSource): readonly string[] =>
  planned(sql, MANIFEST, { source }).columns.map(({ type }) => type.kind);

describe.each(SOURCES)("on %s", (source) => {
  test("integer fields are integers, also when they are computed with", () => {
    const fields = "YEAR(d), extract(month FROM d), extract(dow FROM ts), extract(week FROM d), extract(hour FROM ts)";
    const computed = "YEAR(d) * 100 + MONTH(d), max(YEAR(d)) OVER (), coalesce(MONTH(d), 0), extract(day FROM d) % 7";
    expect(kinds(`SELECT ${fields} FROM t`, source)).toEqual(Array(5).fill("integer"));
    expect(kinds(`SELECT ${computed} FROM t`, source)).toEqual(Array(4).fill("integer"));
  });

  test("seconds and epoch are decimals", () => {
    expect(kinds("SELECT extract(second FROM ts), extract(epoch FROM ts) FROM t", source)).toEqual([
      "decimal",
      "decimal",
    ]);
  });

  test("a quotient keeps its fraction, without a warning of integer division", () => {
    const plan = planned("SELECT YEAR(d) / 10 AS q FROM t", MANIFEST, { source });
    expect(plan.columns[0]?.type.kind).toBe("decimal");
    expect(plan.warnings).toEqual([]);
  });

  test("the text of a field is planned", () => {
    expect(kinds("SELECT YEAR(d)::text || '-' || extract(quarter FROM d) FROM t", source)).toEqual(["text"]);
  });
});

describe("PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startPostgres();
    const client = await database.connect();
    await client.query(`CREATE TABLE t (d date, ts timestamp, n bigint, k text);
      INSERT INTO t VALUES ('2024-03-05', '2024-03-05 06:07:08.5', 3, 'a'), ('2023-12-31', '2023-12-31 23:59:59', 4, 'b')`);
  });
  afterAll(() => database.stop());

  const ask = async (sql: string, manifest = MANIFEST): Promise<readonly (readonly unknown[])[]> => {
    const client = await database.connect();
    const { rows } = await client.query({ text: planned(sql, manifest, { source: "postgres" }).sql, rowMode: "array" });
    await client.end();
    return rows;
  };

  const typesOf = async (sql: string): Promise<readonly number[]> => {
    const client = await database.connect();
    const { fields } = await client.query(planned(sql, MANIFEST, { source: "postgres" }).sql);
    await client.end();
    return fields.map(({ dataTypeID }) => dataTypeID);
  };

  const BIGINT = 20;
  const BIGINTS = 1016;

  const ANSWERS: readonly (readonly [sql: string, types: readonly number[], rows: readonly (readonly unknown[])[]])[] =
    [
      [
        "SELECT YEAR(d), extract(dow FROM d) FROM t ORDER BY d",
        [BIGINT, BIGINT],
        [
          ["2023", "0"],
          ["2024", "2"],
        ],
      ],
      [
        "SELECT YEAR(d) AS y, count(*) FROM t GROUP BY 1 ORDER BY 1",
        [BIGINT, BIGINT],
        [
          ["2023", "1"],
          ["2024", "1"],
        ],
      ],
      ["SELECT DISTINCT YEAR(d) FROM t ORDER BY YEAR(d) DESC", [BIGINT], [["2024"], ["2023"]]],
      ["SELECT y + 1 FROM (SELECT YEAR(d) AS y FROM t) AS s WHERE y > 2023", [BIGINT], [["2025"]]],
      ["SELECT YEAR(d) FROM t UNION SELECT n FROM t ORDER BY 1", [BIGINT], [["3"], ["4"], ["2023"], ["2024"]]],
      ["SELECT array_agg(YEAR(d) ORDER BY d) FROM t", [BIGINTS], [[["2023", "2024"]]]],
      ["SELECT YEAR(d) // 10 FROM t ORDER BY 1", [BIGINT], [["202"], ["202"]]],
      ["WITH c AS (SELECT MONTH(d) AS m FROM t) SELECT max(m) FROM c", [BIGINT], [["12"]]],
    ];
  it.each(ANSWERS)("%s", async (sql, types, rows) => {
    expect(await typesOf(sql)).toEqual(types);
    expect(await ask(sql)).toEqual(rows);
  });

  it("quotients, roots and roundings are PostgreSQL's", async () => {
    const [row] = await ask(
      "SELECT YEAR(d) / 10, round(MONTH(d) / 3, 1), sqrt(YEAR(d)), YEAR(d) ^ 2 FROM t WHERE n = 3",
    );
    const client = await database.connect();
    const { rows } = await client.query({
      text: "SELECT extract(year FROM d) / 10, round(extract(month FROM d) / 3, 1), sqrt(extract(year FROM d)), extract(year FROM d) ^ 2 FROM t WHERE n = 3",
      rowMode: "array",
    });
    await client.end();
    expect(row).toEqual(rows[0]);
  });

  it("conditions over endless dates fail no more than PostgreSQL's own", async () => {
    const sql =
      "SELECT n FROM (SELECT n, YEAR(valid) AS y FROM (SELECT n, CASE n WHEN 3 THEN TIMESTAMP 'infinity' ELSE ts END AS valid FROM t) AS v) AS s WHERE y + 1 = 2024";
    expect(await ask(sql)).toEqual([["4"]]);
  });

  it("a calculated column that is declared an integer is one", async () => {
    const columns = [
      { name: "d", type: "DATE" },
      { name: "y", type: "BIGINT", isCalculated: true, expression: "extract(year FROM d)" },
    ];
    const manifest = manifestOf({
      catalog: "c",
      schema: "s",
      models: [{ name: "t", tableReference: { table: "t" }, columns }],
    });
    expect(await ask("SELECT y / 10, y FROM t ORDER BY y", manifest)).toEqual([
      ["202", "2023"],
      ["202", "2024"],
    ]);
  });
});
