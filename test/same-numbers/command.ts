/**
 * `npm run same-numbers`: MetricFlow answers questions over a dbt project on DuckDB, and Siskin answers them over its import of the same
 * project. Writes docs/evidence/imports.md. MetricFlow is installed into .siskin/imports from PyPI.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DuckDBInstance } from "@duckdb/node-api";
import { siskin } from "../support/terminal.ts";
import { differenceOf, type JudgedAnswer } from "./difference.ts";
import { type Axis, GROUPINGS, tables } from "./shop.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const HOME = join(ROOT, ".siskin/imports");
const VENV = join(HOME, "metricflow");
const SHOP = join(HOME, "shop");
const PACKAGES = ["dbt-core>=1.10,<1.12", "dbt-metricflow==0.15.0", "dbt-duckdb==1.11.1"];

interface Question {
  readonly metric: string;
  readonly axes: readonly Axis[];
}

function install(): void {
  if (existsSync(join(VENV, "bin/mf"))) return;
  execFileSync("python3", ["-m", "venv", VENV], { stdio: "inherit" });
  const options = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  execFileSync(join(VENV, "bin/python"), [...options, ...PACKAGES], { stdio: "inherit" });
}

function theirAnswers(questions: readonly Question[]): readonly JudgedAnswer[] {
  const input = JSON.stringify(questions.map(({ metric, axes }) => ({ metric, by: axes.map(({ theirs }) => theirs) })));
  const judge = join(ROOT, "test/same-numbers/judge.py");
  const output = execFileSync(join(VENV, "bin/python"), [judge], { cwd: SHOP, input, maxBuffer: 1 << 28 });
  return JSON.parse(output.toString()) as readonly JudgedAnswer[];
}

async function ourAnswer({ metric, axes }: Question): Promise<JudgedAnswer> {
  const dimensions = axes.flatMap(({ ours }) => (typeof ours === "string" ? [ours] : []));
  const timeDimensions = axes.flatMap(({ ours }) => (typeof ours === "string" ? [] : [ours]));
  const query = { cube: "orders_metrics", measures: [metric], dimensions, timeDimensions };
  const args = ["cube", "--project", "project", "--format", "json", JSON.stringify(query)];
  const { code, out, err } = await siskin(args, { directory: HOME });
  if (code !== 0) return { error: err.split("\n")[0] ?? "" };
  const { columns, data } = JSON.parse(out) as { readonly columns: readonly string[]; readonly data: unknown[][] };
  return { columns, rows: data.map((row) => row.map((value) => (value === null ? null : String(value)))) };
}

install();
rmSync(SHOP, { recursive: true, force: true });
cpSync(join(ROOT, "test/same-numbers/dbt"), SHOP, { recursive: true });
for (const [name, text] of tables()) writeFileSync(join(SHOP, `${name}.csv`), text);
execFileSync(join(VENV, "bin/dbt"), ["--quiet", "run"], { cwd: SHOP, stdio: "inherit" });

rmSync(join(HOME, "project"), { recursive: true, force: true });
const imported = await siskin(["import", "dbt", "shop/target", "project", "--source", "duckdb", "--format", "json"], {
  directory: HOME,
});
if (imported.code !== 0) throw new Error(imported.err);
mkdirSync(join(HOME, "project"), { recursive: true });
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

const cube = readFileSync(join(HOME, "project/cubes/orders_metrics/metadata.yml"), "utf8");
const measures = cube.slice(cube.indexOf("measures:"), cube.search(/^dimensions:/m));
const metrics = [...measures.matchAll(/^ {2}- name: (\w+)$/gm)].map(([, name = ""]) => name);
const questions = metrics.flatMap((metric) => GROUPINGS.map((axes) => ({ metric, axes })));
const theirs = theirAnswers(questions);
const lines: string[] = [];
const reasons = new Map<string, number>();
let equal = 0;
let rows = 0;
for (const [at, question] of questions.entries()) {
  const answer = theirs[at] ?? { error: "no answer" };
  rows += answer.error === undefined ? answer.rows.length : 0;
  const difference = differenceOf(answer, await ourAnswer(question), question.axes);
  if (difference === undefined) equal++;
  else {
    const by = question.axes.map((axis) => axis.theirs).join(", ");
    if (difference.kind === "explained") reasons.set(difference.reason, (reasons.get(difference.reason) ?? 0) + 1);
    else lines.push(`| ${question.metric} by ${by === "" ? "nothing" : by} | ${difference.reason} |`);
  }
}
const { remarks } = JSON.parse(imported.out) as { readonly remarks: readonly { object: string; reason: string }[] };
const page = `# Imported numbers

\`npm run evidence -- imports\` writes this page. MetricFlow itself (${PACKAGES[1]}, DuckDB) answers questions over the dbt project in
\`test/same-numbers/dbt\`, whose rows come from a seed; Siskin answers them over \`siskin import dbt\` of the same project.

| Questions | Rows of MetricFlow | Equal | Equal but for listed rows | Different |
|---|---|---|---|---|
| ${questions.length} | ${rows} | ${equal} | ${questions.length - equal - lines.length} | ${lines.length} |

Numbers are equal within 1e-9 of their size. Rows that differ with a reason:

| Reason | Questions |
|---|---|
${[...reasons].map(([reason, count]) => `| ${reason} | ${count} |`).join("\n")}

Different answers:

| Question | Difference |
|---|---|
${lines.length === 0 ? "| none | |" : lines.join("\n")}

Refused by the import:

| Object | Reason |
|---|---|
${remarks.map(({ object, reason }) => `| ${object} | ${reason} |`).join("\n")}
`;
writeFileSync(join(ROOT, "docs/evidence/imports.md"), page);
console.log(
  `${equal} of ${questions.length} equal, ${questions.length - equal - lines.length} explained, ${lines.length} different`,
);
process.exit(lines.length === 0 ? 0 : 1);
