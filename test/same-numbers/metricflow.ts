/** MetricFlow over a dbt project on DuckDB and on PostgreSQL, and Siskin over its imports. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { startPostgres } from "../support/postgres.ts";
import type { JudgedAnswer } from "./difference.ts";
import { compared, HOME, imported, type Outcome, type Question, ROOT } from "./judged.ts";
import { fillPostgres } from "./postgres-rows.ts";
import { GROUPINGS, tables } from "./shop.ts";

const VENV = join(HOME, "metricflow");
const SHOP = join(HOME, "shop");
const PACKAGES = ["dbt-core>=1.10,<1.12", "dbt-metricflow==0.15.0", "dbt-duckdb==1.11.1", "dbt-postgres>=1.9,<1.12"];

export async function compareMetricFlow(): Promise<Outcome> {
  install();
  writeShop();
  dbt({});
  rmSync(join(HOME, "project"), { recursive: true, force: true });
  const refused = await imported(["dbt", "shop/target", "project", "--source", "duckdb"]);
  await fillDatabase();
  const questions = questionsOf("project");
  return compared(questions, theirAnswers(questions, {}), { directory: "project" }, refused);
}

/** The same project on PostgreSQL, where both sides read the same tables. */
export async function compareMetricFlowOnPostgres(): Promise<Outcome> {
  install();
  writeShop();
  const database = await startPostgres();
  try {
    await fillPostgres(database);
    const { hostname, port, username, password, pathname } = new URL(database.url);
    const environment = {
      SHOP_TARGET: "postgres",
      SHOP_HOST: hostname,
      SHOP_PORT: port,
      SHOP_USER: decodeURIComponent(username),
      SHOP_PASSWORD: decodeURIComponent(password),
      SHOP_DATABASE: pathname.slice(1),
    };
    dbt(environment);
    rmSync(join(HOME, "project-postgres"), { recursive: true, force: true });
    const refused = await imported(["dbt", "shop/target", "project-postgres", "--source", "postgres"]);
    const questions = questionsOf("project-postgres");
    const project = { directory: "project-postgres", environment: { DATABASE_URL: database.url } };
    return await compared(questions, theirAnswers(questions, environment), project, refused);
  } finally {
    await database.stop();
  }
}

function writeShop(): void {
  rmSync(SHOP, { recursive: true, force: true });
  cpSync(join(ROOT, "test/same-numbers/dbt"), SHOP, { recursive: true });
  for (const [name, text] of tables()) writeFileSync(join(SHOP, `${name}.csv`), text);
}

function dbt(environment: Readonly<Record<string, string>>): void {
  const env = { ...process.env, ...environment };
  execFileSync(join(VENV, "bin/dbt"), ["--quiet", "run"], { cwd: SHOP, stdio: "inherit", env });
}

function questionsOf(project: string): readonly Question[] {
  const cube = readFileSync(join(HOME, project, "cubes/orders_metrics/metadata.yml"), "utf8");
  const measures = cube.slice(cube.indexOf("measures:"), cube.search(/^dimensions:/m));
  const names = [...measures.matchAll(/^ {2}- name: (\w+)$/gm)].map(([, name = ""]) => name);
  return names.flatMap((measure) => GROUPINGS.map((axes) => ({ measure, axes })));
}

function install(): void {
  const packages = join(VENV, "packages.txt");
  if (existsSync(packages) && readFileSync(packages, "utf8") === PACKAGES.join("\n")) return;
  mkdirSync(HOME, { recursive: true });
  execFileSync("python3", ["-m", "venv", VENV], { stdio: "inherit" });
  const options = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  execFileSync(join(VENV, "bin/python"), [...options, ...PACKAGES], { stdio: "inherit" });
  writeFileSync(packages, PACKAGES.join("\n"));
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

function theirAnswers(
  questions: readonly Question[],
  environment: Readonly<Record<string, string>>,
): readonly JudgedAnswer[] {
  const asked = questions.map(({ measure, axes }) => ({ metric: measure, by: axes.map(({ theirs }) => theirs) }));
  const judge = join(ROOT, "test/same-numbers/judge.py");
  const env = { ...process.env, ...environment };
  const settings = { cwd: SHOP, input: JSON.stringify(asked), maxBuffer: 1 << 28, env };
  return JSON.parse(execFileSync(join(VENV, "bin/python"), [judge], settings).toString()) as readonly JudgedAnswer[];
}
