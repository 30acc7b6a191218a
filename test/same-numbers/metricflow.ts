/** MetricFlow over a dbt project on DuckDB, and Siskin over its import. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { JudgedAnswer } from "./difference.ts";
import { compared, HOME, imported, type Outcome, type Question, ROOT } from "./judged.ts";
import { GROUPINGS, tables } from "./shop.ts";

const VENV = join(HOME, "metricflow");
const SHOP = join(HOME, "shop");
const PACKAGES = ["dbt-core>=1.10,<1.12", "dbt-metricflow==0.15.0", "dbt-duckdb==1.11.1"];

export async function compareMetricFlow(): Promise<Outcome> {
  install();
  rmSync(SHOP, { recursive: true, force: true });
  cpSync(join(ROOT, "test/same-numbers/dbt"), SHOP, { recursive: true });
  for (const [name, text] of tables()) writeFileSync(join(SHOP, `${name}.csv`), text);
  execFileSync(join(VENV, "bin/dbt"), ["--quiet", "run"], { cwd: SHOP, stdio: "inherit" });
  rmSync(join(HOME, "project"), { recursive: true, force: true });
  const refused = await imported(["dbt", "shop/target", "project", "--source", "duckdb"]);
  await fillDatabase();
  const cube = readFileSync(join(HOME, "project/cubes/orders_metrics/metadata.yml"), "utf8");
  const measures = cube.slice(cube.indexOf("measures:"), cube.search(/^dimensions:/m));
  const names = [...measures.matchAll(/^ {2}- name: (\w+)$/gm)].map(([, name = ""]) => name);
  const questions = names.flatMap((measure) => GROUPINGS.map((axes) => ({ measure, axes })));
  return compared(questions, theirAnswers(questions), { directory: "project" }, refused);
}

function install(): void {
  if (existsSync(join(VENV, "bin/mf"))) return;
  mkdirSync(HOME, { recursive: true });
  execFileSync("python3", ["-m", "venv", VENV], { stdio: "inherit" });
  const options = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  execFileSync(join(VENV, "bin/python"), [...options, ...PACKAGES], { stdio: "inherit" });
}

/** The same rows in a file of our own: a newer DuckDB's file cannot be read by ours. */
async function fillDatabase(): Promise<void> {
  const instance = await DuckDBInstance.create(join(HOME, "project/shop.duckdb"));
  const connection = await instance.connect();
  for (const [table, file] of [
    ["fct_orders", "orders"],
    ["dim_customers", "customers"],
  ] as const) {
    await connection.run(`CREATE TABLE ${table} AS SELECT * FROM read_csv('${join(SHOP, `${file}.csv`)}')`);
  }
  connection.closeSync();
  instance.closeSync();
}

function theirAnswers(questions: readonly Question[]): readonly JudgedAnswer[] {
  const asked = questions.map(({ measure, axes }) => ({ metric: measure, by: axes.map(({ theirs }) => theirs) }));
  const judge = join(ROOT, "test/same-numbers/judge.py");
  const settings = { cwd: SHOP, input: JSON.stringify(asked), maxBuffer: 1 << 28 };
  return JSON.parse(execFileSync(join(VENV, "bin/python"), [judge], settings).toString()) as readonly JudgedAnswer[];
}
