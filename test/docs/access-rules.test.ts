/** The first screen of docs/reference/access-rules.md says for each source what the service says of it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { BEST_EFFORT_SOURCES } from "../../src/config/row-rules.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { DATA_SOURCES } from "../../src/service/data-sources.ts";
import { guaranteesUnder, ROW_GUARANTEES } from "../../src/service/row-guarantees.ts";

const PAGE = readFileSync(new URL("../../docs/reference/access-rules.md", import.meta.url), "utf8");
const SCREEN = PAGE.split("\n## ")[0] ?? "";

/** Names of the page; MariaDB is asked as `mysql`. */
const NAMES: Readonly<Record<string, readonly DataSource[]>> = {
  DuckDB: ["duckdb"],
  "files and buckets": ["local_file", "s3_file", "minio_file", "gcs_file"],
  MySQL: ["mysql"],
  MariaDB: ["mysql"],
  "Trino from 476": ["trino"],
  "ClickHouse from 26.7": ["clickhouse"],
  "Spark from 4.0.1": ["spark"],
  PostgreSQL: ["postgres"],
  Snowflake: ["snowflake"],
  BigQuery: ["bigquery"],
  "SQL Server": ["mssql"],
  Oracle: ["oracle"],
  Redshift: ["redshift"],
  Databricks: ["databricks"],
  Doris: ["doris"],
  Athena: ["athena"],
  Canner: ["canner"],
};

const said = (cell: string): readonly string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, word = ""]) => word);

const rows = [
  ...((SCREEN.split("| Source | By default |")[1] ?? "").split("\n\n")[0]?.matchAll(/^\| (.+) \|$/gm) ?? []),
]
  .map(([, line = ""]) => line.split(" | "))
  .filter(([sources = ""]) => !sources.startsWith("With") && !sources.startsWith("---"));

const listed = rows.flatMap(([sources = "", byDefault = "", accepted = ""]) =>
  sources.startsWith("earlier releases")
    ? []
    : sources.split(", ").flatMap((name) => (NAMES[name] ?? []).map((source) => ({ source, byDefault, accepted }))),
);

test("every source is on the first screen", () => {
  expect(new Set(listed.map(({ source }) => source))).toEqual(new Set(DATA_SOURCES));
  const names = rows.slice(0, -1).flatMap(([sources = ""]) => sources.split(", "));
  expect(names.filter((name) => NAMES[name] === undefined)).toEqual([]);
});

test.each(listed)("$source: by default, and under the setting", ({ source, byDefault, accepted }) => {
  expect(said(byDefault)).toEqual(ROW_GUARANTEES[source]);
  if (ROW_GUARANTEES[source].includes("fenced")) expect(accepted).toBe("the same");
  else expect(said(accepted)).toEqual(guaranteesUnder(new Set(BEST_EFFORT_SOURCES))[source]);
});

test("the first screen fits one", () => {
  expect(SCREEN.split("\n").length).toBeLessThan(50);
});
