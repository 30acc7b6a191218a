/**
 * A page for each dialect (`docs/reference/dialects/<name>.md`): everything that its tables claim, what is sent for each function, and where the
 * rules are from. Made from the tables themselves and from the comments beside them, so that a reviewer reads what runs.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FUNCTION_TEXTS } from "../../../src/planner/describe/function-texts.ts";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { FORBIDDEN_FUNCTIONS } from "../../../src/planner/dialects/forbidden.ts";
import { type PlannedSource, targetOf } from "../../../src/planner/dialects/targets.ts";
import { functionNames } from "../../../src/planner/functions/catalogue.ts";
import type { Rule } from "../../../src/planner/lowering/rules.ts";
import type { Target } from "../../../src/planner/lowering/target.ts";
import { ordersOn } from "../../planner/describe/orders.ts";
import { planned } from "../../support/plan.ts";
import { CASTS, FIELDS, OPERATORS, QUERIES } from "./examples.ts";

export interface DialectPage {
  readonly source: PlannedSource;
  /** Below `src/planner/dialects/`: folders with all of their files, or files. */
  readonly files: readonly string[];
  /** How it is known to be right. */
  readonly evidence: string;
}

const DIALECTS = new URL("../../../src/planner/dialects/", import.meta.url);

export function pageOf({ source, files, evidence }: DialectPage): string {
  const target = targetOf(source);
  return [
    `# ${target.product}`,
    "",
    "<!-- Written by `npm run dialects` from the tables of the dialect; a test keeps it current. -->",
    "",
    evidence,
    "",
    "*Same* is a claim: for every value the source gives what PostgreSQL gives. What is neither the same nor said otherwise is refused, with",
    "a position and a reason. The examples are over a model `orders`.",
    "",
    ...sessionOf(target),
    ...grammarOf(target),
    ...functionsOf(source, target),
    ...operatorsOf(source, target),
    ...fieldsOf(source, target),
    ...castsOf(source),
    ...otherExpressionsOf(target),
    ...queriesOf(source),
    ...ownFunctionsOf(source),
    ...forbiddenOf(source),
    ...rulesOf(files),
  ].join("\n");
}

export const code = (text: string): string => {
  const cell = text.replaceAll("|", "\\|").replaceAll("\n", " ");
  return cell.includes("`") ? `\`\` ${cell} \`\`` : `\`${cell}\``;
};
const sorted = (names: Iterable<string>): readonly string[] => [...names].toSorted();

function sessionOf({ session }: Target): readonly string[] {
  if (session.length === 0) return [];
  const lines = session.map(({ name, value }) => `* ${code(`${name} = ${value}`)}`);
  return ["## Settings that a statement brings", "", ...lines, ""];
}

/** The doc comments of the facts, as they stand there. */
function factsOfGrammar(): ReadonlyMap<string, string> {
  const text = readFileSync(new URL("../lowering/grammar.ts", DIALECTS), "utf8");
  return new Map(
    [...text.matchAll(/\/\*\* (.*?) \*\/\n {2}readonly (\w+)/g)].map(([, comment = "", name = ""]) => [name, comment]),
  );
}

function grammarOf({ grammar }: Target): readonly string[] {
  const reference: Readonly<Record<string, unknown>> = { ...targetOf("postgres").grammar };
  const meanings = factsOfGrammar();
  const own: Readonly<Record<string, unknown>> = { ...grammar };
  const different = Object.keys(reference).filter((fact) => reference[fact] !== own[fact]);
  if (different.length === 0) return [];
  return [
    "## Queries, where they are not PostgreSQL's",
    "",
    "| fact | here | what it is about |",
    "|---|---|---|",
    ...different.map((fact) => `| ${fact} | ${code(String(own[fact]))} | ${meanings.get(fact)} |`),
    "",
  ];
}

function functionsOf(source: PlannedSource, { rewrites }: Target): readonly string[] {
  const lines = functionNames()
    .toSorted()
    .map((name) => {
      const rule = rewrites.functions.get(name);
      const [, example] = FUNCTION_TEXTS[name];
      return `| ${name} | ${rule === undefined ? "by definition" : kindOf(rule)} | ${code(example)} | ${sent(source, example)} |`;
    });
  return ["## Functions", "", "| function | said | for example | what is sent |", "|---|---|---|---|", ...lines, ""];
}

export function kindOf(rule: Rule<never>): string {
  if (rule === "same") return "same";
  if (typeof rule === "function") return "otherwise";
  if ("as" in rule) return `as ${rule.as}`;
  return "refused" in rule ? "refused" : "otherwise";
}

/** One value of the model's table, or of what stands for it where columns of texts are cast to what they are. */
const VALUE_OF_ORDERS =
  /^SELECT (.*) AS \W?x\W? FROM (?:\W?orders\W?|\(SELECT [^()]*(?:CAST\([^()]*\)[^()]*)+ FROM \W?orders\W? AS \W?_s\W?\)) (?:AS )?\W?orders\W?$/is;

/** The SQL sent for a value, or the reason why it is rejected. */
function sent(source: PlannedSource, example: string): string {
  const select = example.startsWith("FROM ") ? `SELECT * ${example}` : `SELECT ${example} AS x FROM orders`;
  const sql = example.startsWith("grouping(") ? `${select} GROUP BY ROLLUP (city)` : select;
  const { statement, refusal = "" } = answerTo(source, sql);
  if (statement === undefined) return refusal.replaceAll("|", "\\|");
  const [, value] = VALUE_OF_ORDERS.exec(statement) ?? [];
  return code(value === undefined ? statement : value.replaceAll(/(["`[]?)\borders\b["`\]]?\./g, ""));
}

export function answerTo(
  source: PlannedSource,
  sql: string,
): { readonly statement?: string; readonly refusal?: string } {
  try {
    return { statement: planned(sql, ordersOn(source), { source, options: { unknownFunctions: "refuse" } }).sql };
  } catch (error) {
    if (error instanceof PlannerError) return { refusal: error.message };
    throw error;
  }
}

function operatorsOf(source: PlannedSource, { rewrites }: Target): readonly string[] {
  const lines = Object.entries(OPERATORS).flatMap(([operator, examples]) => {
    const rule = rewrites.operators.get(operator);
    const said = rule === undefined ? "" : kindOf(rule);
    return examples.map((example) => `| ${code(operator)} | ${said} | ${code(example)} | ${sent(source, example)} |`);
  });
  return ["## Operators", "", "| operator | said | for example | what is sent |", "|---|---|---|---|", ...lines, ""];
}

function fieldsOf(source: PlannedSource, { rewrites }: Target): readonly string[] {
  const lines = Object.entries(FIELDS).map(([field, example]) => {
    const rule = rewrites.fields.get(field);
    return `| ${field} | ${rule === undefined ? "" : kindOf(rule)} | ${sent(source, example)} |`;
  });
  return ["## Fields of EXTRACT", "", "| field | said | what is sent |", "|---|---|---|", ...lines, ""];
}

function castsOf(source: PlannedSource): readonly string[] {
  const lines = CASTS.map((cast) => `| ${code(cast)} | ${sent(source, cast)} |`);
  return ["## Casts", "", "| cast | what is sent |", "|---|---|", ...lines, ""];
}

function otherExpressionsOf({ rewrites }: Target): readonly string[] {
  const lines = [...rewrites.expressions].map(([kind, rule]) => {
    const why = typeof rule === "object" && "refused" in rule ? rule.refused : "";
    return `| ${kind} | ${kindOf(rule)} | ${why} |`;
  });
  return ["## Other expressions", "", "| kind | said | why not |", "|---|---|---|", ...lines.toSorted(), ""];
}

function queriesOf(source: PlannedSource): readonly string[] {
  const lines = QUERIES.flatMap((sql) => {
    const { statement, refusal } = answerTo(source, sql);
    const answer = statement === undefined ? [`${refusal}`] : ["```sql", statement, "```"];
    return ["```sql", sql, "```", "", ...answer, ""];
  });
  return ["## Queries and what is sent", "", ...lines];
}

function ownFunctionsOf(source: PlannedSource): readonly string[] {
  const byType = Map.groupBy(targetOf(source).unlisted.pure?.().values() ?? [], ({ type }) => type);
  if (byType.size === 0) return [];
  const lines = [...byType].map(([type, listed]) => {
    return `| ${type === "other" ? "-" : type} | ${listed.map(({ name }) => code(name)).join(" ")} |`;
  });
  return [
    "## The source's own functions that callers may call",
    "",
    "| result | functions |",
    "|---|---|",
    ...lines,
    "",
  ];
}

function forbiddenOf(source: PlannedSource): readonly string[] {
  const names = sorted(FORBIDDEN_FUNCTIONS[source]);
  if (names.length === 0) return [];
  return ["## Functions that callers never reach", "", names.map(code).join(" "), ""];
}

/** Header comments of a dialect's files, and each comment with the URL of a manual. */
function rulesOf(files: readonly string[]): readonly string[] {
  const paths = files.flatMap((file) =>
    file.endsWith(".ts")
      ? [file]
      : sorted(readdirSync(fileURLToPath(new URL(`${file}/`, DIALECTS))))
          .filter((name) => name.endsWith(".ts"))
          .map((name) => `${file}/${name}`),
  );
  return [
    "## The rules, and where they are from",
    "",
    "What the files below `src/planner/dialects/` say, and each comment of theirs that names a source.",
    "",
    ...paths.flatMap((path) => {
      const comments = commentsOf(readFileSync(new URL(path, DIALECTS), "utf8"));
      const told = comments.filter((comment, index) => index === 0 || comment.includes("https://"));
      return told.map((comment, index) => (index === 0 ? `* \`${path}\`: ${comment}` : `  * ${comment}`));
    }),
    "",
  ];
}

function commentsOf(text: string): readonly string[] {
  return [...text.matchAll(/\/\*\*([\s\S]*?)\*\/|((?:^[ \t]*\/\/.*\n)+)/gm)].map(([, block, lines]) =>
    (block ?? lines ?? "")
      .split("\n")
      .map((line) => line.replace(/^\s*(?:\*|\/\/)?\s?/, "").trim())
      .filter((line) => line !== "")
      .join(" "),
  );
}
