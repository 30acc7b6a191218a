/**
 * A section for each source in `docs/reference/sources.md`: how to connect, what was measured and what was not, row rules, types, and
 * everything that is refused. Made from the dialects' tables, the table at the head of the page and the example of the connection.
 */
import { readFileSync } from "node:fs";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { type PlannedSource, targetOf, variantsOf } from "../../../src/planner/dialects/targets.ts";
import type { Target } from "../../../src/planner/lowering/target.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { ROW_GUARANTEES } from "../../../src/service/row-guarantees.ts";
import { blocksOf } from "../../support/documents.ts";
import { manifestOf, planned } from "../../support/plan.ts";
import { FIELDS, OPERATORS, QUERIES } from "./examples.ts";
import { answerTo, code, kindOf } from "./page.ts";

const REFERENCE = new URL("../../../docs/reference/", import.meta.url);
const START = "<!-- every source: start -->";
const END = "<!-- every source: end -->";

/** The order of the sections, and the section of connections.md that has the fields of each source. */
const SECTIONS: Readonly<Record<DataSource, string>> = {
  postgres: "postgresql",
  mysql: "mysql-and-mariadb",
  doris: "apache-doris",
  mssql: "sql-server",
  oracle: "oracle",
  redshift: "redshift",
  clickhouse: "clickhouse",
  trino: "trino",
  athena: "athena",
  canner: "canner",
  spark: "spark",
  databricks: "databricks",
  bigquery: "bigquery",
  snowflake: "snowflake",
  local_file: "files-of-a-directory",
  duckdb: "files-of-a-directory",
  s3_file: "buckets",
  minio_file: "buckets",
  gcs_file: "buckets",
};
export const SOURCES = Object.keys(SECTIONS) as readonly DataSource[];

const TYPES = [
  "boolean",
  "smallint",
  "integer",
  "bigint",
  "numeric(38,10)",
  "real",
  "double precision",
  "varchar(20)",
  "text",
  "date",
  "time",
  "timestamp",
  "timestamptz",
  "interval",
  "bytea",
  "uuid",
  "json",
  "jsonb",
  "integer[]",
] as const;

interface Verified {
  readonly connector: string;
  readonly sql: string;
  readonly rowRules: string;
}

/** The page with its generated part, given the page as it is. */
export function pageWithSections(page: string): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error("docs/reference/sources.md has lost its markers");
  const verified = verifiedIn(page);
  const examples = examplesOfConnections();
  const sections = SOURCES.map((source) => sectionOf(source, verified.get(source), examples[source]));
  const note =
    "Written by `npm run dialects` from the tables of the dialects, the table above and the example of connections.md.";
  return `${page.slice(0, start + START.length)}\n\n<!-- ${note} -->\n\n${sections.join("\n\n")}\n\n${page.slice(end)}`;
}

/** The rows of the table at the head of the page, by source. */
export function verifiedIn(page: string): ReadonlyMap<string, Verified> {
  const rows = page.slice(0, page.indexOf("## The user to connect with")).matchAll(/^\| (`.*) \|$/gm);
  return new Map(
    [...rows].flatMap(([, row = ""]) => {
      const [names = "", connector = "", sql = "", rowRules = ""] = row.split(" | ");
      return [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => [name, { connector, sql, rowRules }] as const);
    }),
  );
}

function examplesOfConnections(): Readonly<Record<string, unknown>> {
  const page = readFileSync(new URL("connections.md", REFERENCE), "utf8");
  const block = blocksOf(page).find(({ text }) => text.includes('"gcs_file": {'));
  return JSON.parse(block?.text ?? "{}") as Record<string, unknown>;
}

function sectionOf(source: DataSource, verified: Verified | undefined, example: unknown): string {
  if (verified === undefined || example === undefined) throw new Error(`no row or no example of ${source}`);
  const dialect: PlannedSource = isBucket(source) ? "local_file" : source;
  const target = targetOf(dialect);
  return [
    `### \`${source}\``,
    "",
    `Fields: [connections](connections.md#${SECTIONS[source]}). Dialect: [${target.product}](dialects/${pageName(dialect)}.md).`,
    "",
    "```json",
    JSON.stringify({ connectionInfo: example }, undefined, 2),
    "```",
    "",
    `* **Connector**: ${verified.connector}.`,
    `* **SQL**: ${verified.sql}.`,
    `* **Not run**: ${notRun(source, verified)}.`,
    ...rowRulesOf(source, target, verified),
    "",
    "| Type | A cast to it says | A column of it can be selected |",
    "|---|---|---|",
    ...TYPES.map((type) => typeRow(dialect, type)),
    "",
    ...ownTypes(target),
    ...refusals(dialect, target),
  ].join("\n");
}

const isBucket = (source: DataSource): source is "s3_file" | "minio_file" | "gcs_file" =>
  /^(?:s3|minio|gcs)_/.test(source);
const pageName = (source: PlannedSource): string => (source === "local_file" ? "duckdb" : source);

const PRODUCTS = { s3_file: "Amazon S3", gcs_file: "Google Cloud Storage" } as const;

function notRun(source: DataSource, { connector, sql }: Verified): string {
  if (source === "s3_file" || source === "gcs_file") return `${PRODUCTS[source]} itself; the store was another one`;
  if (connector.startsWith("executed")) return "releases and services that these two lines do not call executed";
  const { product } = targetOf(source);
  return `${product} itself, neither the connector nor the SQL${sql.startsWith("reference") ? "; its language was run on the maker's evaluator" : ""}`;
}

function rowRulesOf(source: DataSource, target: Target, { rowRules }: Verified): readonly string[] {
  const guarantees = ROW_GUARANTEES[source];
  const { bestEffort, pushes } = target.fence;
  const proven =
    guarantees.length === 0
      ? "every statement over a model with a row rule is refused"
      : guarantees.includes("fenced")
        ? `every statement is planned, behind a barrier that attacks on the engine did not break (${guarantees.join(" or ")})`
        : "*plain* statements, in which nothing can fail, are planned; all others are refused";
  const setting =
    bestEffort !== undefined
      ? `the ${guarantees.length === 0 ? "refused" : "other"} statements are planned behind a barrier (${bestEffort.barrier}) that was never attacked on the product, and answers say \`besteffort\``
      : guarantees.includes("fenced")
        ? "no change, because the barrier is proven"
        : "no change, because the maker documents no form that could be a barrier";
  const variants = variantsOf(source);
  return [
    `* **Row rules by default**: ${proven}. In short: ${rowRules}.${pushes ? " Conditions that cannot fail reach indexes beside the rule." : ""}`,
    ...(variants.length > 0 && guarantees.includes("fenced")
      ? [
          `* **Servers**: more is planned for ${variants.length === 1 ? "one kind of server" : `${variants.length} kinds of servers`} that the connector recognizes by version.`,
        ]
      : []),
    `* **With \`ROW_RULES=besteffort\`**: ${setting}.`,
  ];
}

/** `SELECT CAST(NULL AS <type>) AS x`, as the source spells it. */
const TYPED_NULL = /^SELECT CAST\(NULL AS ([^()]+(?:\([^()]*\))?[^()]*)\) AS \W?x\W?(?: FROM .*)?$/is;

/** How the source spells a type; without such a type, whether a text can be cast to it. And whether a column of it can be selected. */
function typeRow(source: PlannedSource, type: string): string {
  const { statement = "" } = answerTo(source, `SELECT CAST(NULL AS ${type}) AS x FROM orders`);
  const spelled = TYPED_NULL.exec(statement)?.[1];
  const { refusal } = answerTo(
    source,
    `SELECT CAST(${type === "integer[]" ? "tags" : "name"} AS ${type}) AS x FROM orders`,
  );
  const withoutType = refusal === undefined ? "another form; see the dialect's casts" : `refused: ${cell(refusal)}`;
  return `| ${code(type)} | ${spelled === undefined ? withoutType : code(spelled)} | ${selected(source, type)} |`;
}

/** Whether a column that the manifest declares so may be a column of an answer. */
function selected(source: PlannedSource, type: string): string {
  const manifest = manifestOf({
    catalog: "c",
    schema: "s",
    models: [{ name: "t", tableReference: { table: "t" }, columns: [{ name: "x", type }] }],
  });
  try {
    planned("SELECT x FROM t", manifest, { source });
    return "yes";
  } catch (error) {
    if (error instanceof PlannerError) return `refused: ${cell(error.message)}`;
    throw error;
  }
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function ownTypes({ typeNames, notAsColumns }: Target): readonly string[] {
  const names = [...typeNames.names.keys()].toSorted();
  return [
    ...(names.length > 0
      ? [`Names in a manifest that this source reads by a table of its own: ${names.map(code).join(" ")}.`, ""]
      : []),
    ...(notAsColumns.length > 0
      ? [`Composite values that may not be columns of an answer: ${notAsColumns.map(code).join(" ")}.`, ""]
      : []),
  ];
}

/** Everything of the catalogue and of the examples that this source refuses. */
function refusals(source: PlannedSource, { rewrites }: Target): readonly string[] {
  const functions = [...rewrites.functions].filter(([, rule]) => kindOf(rule) === "refused").map(([name]) => name);
  const operators = Object.entries(OPERATORS).flatMap(([, examples]) =>
    examples.filter((example) => refuses(source, `SELECT ${example} AS x FROM orders`)),
  );
  const fields = Object.entries(FIELDS)
    .filter(([, example]) => refuses(source, `SELECT ${example} AS x FROM orders`))
    .map(([field]) => field);
  const queries = QUERIES.flatMap((sql) => {
    const { refusal } = answerTo(source, sql);
    return refusal === undefined ? [] : [`* ${code(sql)}: ${cell(refusal)}`];
  });
  return [
    `Refused of ${rewrites.functions.size} functions: ${list(functions.toSorted())}.`,
    "",
    `Refused operators (over the examples of the dialect's page): ${list(operators)}. Fields of EXTRACT: ${list(fields)}.`,
    "",
    ...(queries.length > 0
      ? ["Refused queries of the dialect's page:", "", ...queries]
      : ["No query of the dialect's page is refused."]),
  ];
}

const list = (names: readonly string[]): string =>
  names.length === 0 ? "none" : `${names.length} (${names.map(code).join(" ")})`;
const refuses = (source: PlannedSource, sql: string): boolean => answerTo(source, sql).statement === undefined;
