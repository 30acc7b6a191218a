/**
 * `npm run plan -- --source mysql --sql "SELECT …" --manifest m.json`: prints a statement after each step of the planner, as SQL
 * of the input language, and at last as the source's own SQL.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { PlannerError } from "../src/planner/diagnostics.ts";
import { defineDialect } from "../src/planner/dialects/input.ts";
import { loadManifest, nearestNames, type PlanStep, plan } from "../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../src/planner/limits.ts";
import type { DataSource } from "../src/planner/plan.ts";
import { printCall } from "../src/planner/syntax/print-calls.ts";
import { print } from "../src/planner/syntax/printer.ts";
import { describeType } from "../src/planner/types.ts";
import { DATA_SOURCES } from "../src/service/data-sources.ts";
import { treeText } from "./plan/tree.ts";

const EXAMPLE = fileURLToPath(new URL("../examples/tpch/manifest.json", import.meta.url));
const LARGEST_MANIFEST = 16 * 1024 * 1024;

const USAGE = `Usage: npm run plan -- --sql "SELECT …" [--source postgres] [--manifest FILE] [--property NAME=VALUE] [--tree]
  --source    ${DATA_SOURCES.join(", ")}
  --manifest  a JSON file; examples/tpch/manifest.json if absent
  --property  a session property for access rules, its value as a SQL literal; may be repeated
  --tree      also print the trees, with the types of their nodes`;

interface Output {
  readonly text: string;
  /** 0: planned, 1: the planner refused the statement, 2: an option or the manifest is wrong. */
  readonly code: 0 | 1 | 2;
}

/** The text of the command and its exit code. */
export function planCommand(args: readonly string[]): Output {
  try {
    return planned(optionsOf(args));
  } catch (error) {
    return { text: `${error instanceof Error ? error.message : error}\n\n${USAGE}`, code: 2 };
  }
}

type Options = ReturnType<typeof optionsOf>;

function optionsOf(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sql: { type: "string" },
      source: { type: "string", default: "postgres" },
      manifest: { type: "string", default: EXAMPLE },
      property: { type: "string", multiple: true, default: [] },
      tree: { type: "boolean", default: false },
    },
  });
  const { sql, source, manifest, property, tree } = values;
  if (sql === undefined || sql.trim() === "") throw new Error("--sql is missing.");
  if (!isSource(source)) {
    const [near] = nearestNames(source, DATA_SOURCES);
    throw new Error(`--source ${source} is not a data source.${near === undefined ? "" : ` Did you mean ${near}?`}`);
  }
  const session = new Map(
    property.map((each) => {
      const [name = "", ...value] = each.split("=");
      if (name === "" || value.length === 0) throw new Error(`--property ${each} is not NAME=VALUE.`);
      return [name.toLowerCase(), value.join("=")] as const;
    }),
  );
  return { sql, source, manifest, session, tree };
}

const isSource = (name: string): name is DataSource => DATA_SOURCES.some((source) => source === name);

function planned({ sql, source, manifest: file, session, tree }: Options): Output {
  const manifest = loadManifest(readFileSync(file).toString("base64"), LARGEST_MANIFEST);
  if (!manifest.ok) throw new Error(`${file}: ${errorText(manifest.error, "")}`);
  const parts: string[] = [];
  const outcome = plan({
    sql,
    source,
    session,
    manifest: manifest.value,
    watch: (step) => parts.push(section(step.step, stepText(step), tree && treeText(step.query))),
    options: { limits: DEFAULT_LIMITS, unknownFunctions: "warn", accessControl: "standard" },
  });
  if (!outcome.ok) return { text: [...parts, section("error", errorText(outcome.error, sql))].join("\n"), code: 1 };
  const { dialect, sql: text, columns, warnings } = outcome.value;
  const answer = columns.map(
    ({ name, type, nullable }) => `${name} ${describeType(type)}${nullable ? "" : " NOT NULL"}`,
  );
  parts.push(section(`printed for ${dialect}`, text), section("columns", answer.join("\n")));
  if (warnings.length > 0) {
    parts.push(section("warnings", warnings.map(({ code, message }) => `${code}: ${message}`).join("\n")));
  }
  return { text: parts.join("\n"), code: 0 };
}

/** The statement as SQL of the input language; models are printed by name until they are expanded. */
function stepText({ query, tables }: PlanStep): string {
  const dialect = defineDialect({
    name: "plan",
    printers: {
      // Rewrites make calls whose names hold a blank; only a dialect has words for them.
      call: (printer, node) => {
        const [name, ...schema] = node.name;
        const isInternal = schema.length === 0 && name?.name.includes(" ") === true;
        printCall(printer, node, isInternal ? `<${name?.name}>` : undefined);
      },
      "bound-model": (printer, { relation }) => {
        const table = tables?.get(relation);
        if (table === undefined) printer.write(relation.printedAlias);
        else printer.table(table);
      },
    },
  });
  try {
    return print(query, dialect);
  } catch (error) {
    // A form that cannot be shown is no error of the statement.
    return `(no text in the input language: ${error instanceof Error ? error.message : error})`;
  }
}

function section(title: string, text: string, tree: string | false = false): string {
  return `-- ${title}\n${text}\n${tree === false ? "" : `\n${tree}\n`}`;
}

function errorText({ reason, message, span, hint }: PlannerError, sql: string): string {
  const marked =
    span === undefined || span.start >= sql.length
      ? []
      : [`  at ${span.start + 1}: ${sql.slice(span.start, span.end)}`];
  return [`${reason}: ${message}`, ...marked, ...(hint === undefined ? [] : [`  ${hint}`])].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { text, code } = planCommand(process.argv.slice(2));
  (code === 2 ? console.error : console.log)(text);
  process.exitCode = code;
}
