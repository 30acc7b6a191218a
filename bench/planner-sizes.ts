/**
 * `npm run planner-sizes`: how many lines the dialects have, beside an older commit and the goals, and how large the planner's bundle is.
 * Writes the tables of docs/evidence/planner-sizes.md; the text around them stays.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { table } from "./notebook/page.ts";
import { today, writeFigures } from "./notebook/page-figures.ts";
import { git, headCommit, unpacked } from "./rig/older-tree.ts";
import { buildPlanner } from "./rig/planner-bundle.ts";
import { ROOT } from "./rig/worker-bundle.ts";

/** The commit that the goals were set at. */
const BEFORE = "47709d91";
const PAGE = join(ROOT, "docs/evidence/planner-sizes.md");

/** Paths, and how many lines of them were wanted. */
const GOALS: Readonly<Record<string, { readonly paths: readonly string[]; readonly most?: number }>> = {
  BigQuery: { paths: ["src/planner/dialects/bigquery"], most: 1000 },
  ClickHouse: { paths: ["src/planner/dialects/clickhouse"], most: 3000 },
  DuckDB: { paths: ["src/planner/dialects/duckdb"], most: 3000 },
  "SQL Server": { paths: ["src/planner/dialects/mssql"], most: 1000 },
  "MySQL and MariaDB": { paths: ["src/planner/dialects/mysql", ":!src/planner/dialects/mysql/doris"], most: 2000 },
  Doris: { paths: ["src/planner/dialects/mysql/doris"], most: 1000 },
  Oracle: { paths: ["src/planner/dialects/oracle"], most: 1000 },
  PostgreSQL: { paths: ["src/planner/dialects/postgres", ":!src/planner/dialects/postgres/redshift"], most: 2000 },
  Redshift: { paths: ["src/planner/dialects/postgres/redshift"], most: 1000 },
  Snowflake: { paths: ["src/planner/dialects/snowflake"], most: 1000 },
  "Spark and Databricks": { paths: ["src/planner/dialects/spark"], most: 2000 },
  "Trino, Athena and Canner": { paths: ["src/planner/dialects/trino"], most: 2000 },
  "All dialects": { paths: ["src/planner/dialects"], most: 22_000 },
  "What dialects share (`lowering`)": { paths: ["src/planner/lowering"] },
  "Refusals, constructs and unit tests of the dialects": {
    paths: ["test/parity/refused", "test/parity/constructs.ts", "test/planner/dialects", "test/sent-sql/dialects"],
    most: 5000,
  },
};

const directory = mkdtempSync(join(tmpdir(), "siskin-planner-sizes-"));
process.once("exit", () => rmSync(directory, { recursive: true, force: true }));

function linesOf(commit: string, paths: readonly string[]): number {
  const counts = git("grep", "--count", "", commit, "--", ...paths).toString();
  return counts.split("\n").reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(":") + 1)), 0);
}

async function bundleOf(commit: string): Promise<readonly [minified: number, compressed: number]> {
  const outfile = join(directory, `${commit}.mjs`);
  await buildPlanner({ outfile, keepNames: false, root: unpacked(commit, directory) });
  const bundle = readFileSync(outfile);
  return [bundle.length, gzipSync(bundle, { level: 9 }).length];
}

const number = (value: number): string => value.toLocaleString("en-US");
const kilobytes = (bytes: number): string => number(Math.round(bytes / 1000));

const lines = Object.entries(GOALS).map(([name, { paths, most }]) => [
  name,
  number(linesOf(BEFORE, paths)),
  number(linesOf("HEAD", paths)),
  most === undefined ? "" : number(most),
]);
const bundles = (await Promise.all([BEFORE, "HEAD"].map(bundleOf))).map((sizes) => sizes.map(kilobytes).join(" / "));
const figures = [
  table(["Lines of", BEFORE, "HEAD", "Goal"], lines),
  table(["The planner's bundle", BEFORE, "HEAD"], [["minified / compressed by gzip, kB", ...bundles]]),
].join("\n\n");
console.log(figures);

writeFigures(PAGE, `Written by \`npm run planner-sizes\` on ${today()}, commit ${headCommit()}.`, figures);
