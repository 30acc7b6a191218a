/**
 * A form of best effort that leaked on an engine is not offered on sources of the engine's kind. The leaks are those of the tables in
 * docs/evidence/best-effort.md, which the attacks write.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { targetOf } from "../../src/planner/dialects/targets.ts";
import type { FenceKind } from "../../src/planner/expand/expansion-target.ts";
import type { DataSource } from "../../src/planner/plan.ts";

const PAGE = readFileSync(new URL("../../docs/evidence/best-effort.md", import.meta.url), "utf8");

interface Leak {
  readonly engine: string;
  readonly form: string;
}

/** The rows of all tables but those of a filter without a barrier, with whether something leaked. */
function rows(): readonly (Leak & { readonly leaks: number })[] {
  const found: (Leak & { leaks: number })[] = [];
  const attacks = PAGE.split("## What the forms cost")[0] ?? "";
  let engine = "";
  for (const line of attacks.split("\n")) {
    engine = /^\*\*(.+)\*\*: /.exec(line)?.[1] ?? engine;
    const [form = "", ...cells] = line.slice(2).split(" | ");
    if (!/^\| .+ \| [\d·]/.test(line) || form === "none") continue;
    const leaks = cells.slice(0, -1).reduce((sum, cell) => sum + (cell === "·" ? 0 : Number(cell)), 0);
    found.push({ engine, form, leaks });
  }
  return found;
}

/** Engines that compute functions over dictionaries of whole columns, in the tables. */
const DICTIONARIES = /^DuckDB .*Parquet|^ClickHouse .*dictionaries/;

/** Forms of the tables, and the barriers that the planner calls by them. */
const BARRIERS: Readonly<Record<string, readonly FenceKind[]>> = {
  // ROWNUM and numbers as they come are the same to such an engine: none of them copies a value.
  "numbered and limited": ["numbered", "volatile", "offset"],
  // SQL Server's dialect prints an order in the window, which DuckDB sorts by; nobody knows whether SQL Server does.
  "numbered and limited, guarded": ["ranked and limited"],
};

/** Sources that compute over dictionaries by measurements, by their makers' pages or by their code. */
const OF_DICTIONARIES: readonly DataSource[] = [
  ...(["duckdb", "local_file", "s3_file", "gcs_file", "minio_file"] as const),
  ...(["clickhouse", "doris", "bigquery"] as const),
];

/** Sources whose optimizers fold a CASE that the rule implies, or that keep the value below its NULL. */
const WITHOUT_CASE: readonly DataSource[] = [
  ...(["databricks", "athena", "canner", "spark", "trino", "mysql"] as const),
  ...(["clickhouse", "doris"] as const),
];

const leaking = rows().filter(({ leaks }) => leaks > 0);

test("the tables are read", () => {
  expect(rows().length).toBeGreaterThan(60);
  for (const engine of ["PostgreSQL", "MySQL", "MariaDB", "ClickHouse", "Trino", "DuckDB", "Spark"]) {
    expect(rows().filter((row) => row.engine.startsWith(engine)).length, engine).toBeGreaterThan(0);
  }
});

test("a plain filter leaked on every engine: the attacks are armed", () => {
  const armed = new Set<string>();
  let engine = "";
  for (const line of PAGE.split("\n")) {
    engine = /^\*\*(.+)\*\*: /.exec(line)?.[1] ?? engine;
    if (line.startsWith("| none |") && /\| \d+ .*\| \d+ \|$/.test(line)) armed.add(engine.split(" ")[0] ?? "");
  }
  expect([...armed].sort()).toEqual(["ClickHouse", "DuckDB", "MariaDB", "MySQL", "PostgreSQL", "Spark", "Trino"]);
});

test("a form leaked only on engines that compute over dictionaries, and it is one that such engines break", () => {
  expect(leaking.filter(({ engine, form }) => !DICTIONARIES.test(engine) || BARRIERS[form] === undefined)).toEqual([]);
  expect(leaking.length).toBeGreaterThan(0);
});

describe.each(OF_DICTIONARIES)("%s computes over dictionaries", (source) => {
  test("and gets no form that leaked on such an engine", () => {
    const { whenRaising, bestEffort } = targetOf(source).fence;
    const broken = leaking.flatMap(({ form }) => BARRIERS[form] ?? []);
    expect(broken).toContain("numbered");
    for (const kind of [whenRaising, bestEffort?.barrier]) expect(broken).not.toContain(kind);
  });
});

test.each(WITHOUT_CASE)("%s folds CASE or keeps the value below it: no column is guarded", (source) => {
  expect(targetOf(source).fence.bestEffort?.guardsColumns).toBeUndefined();
});

test("the page names the sources that could be of each kind", () => {
  const [kinds = ""] = PAGE.split("<!-- evidence:");
  for (const name of ["Doris", "ClickHouse Cloud", "BigQuery", "columnstore", "In-Memory", "Redshift", "Snowflake"]) {
    expect(kinds).toContain(name);
  }
});
