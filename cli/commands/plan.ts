/**
 * `siskin plan "SELECT …"`: prints the SQL that the source gets; with `--steps` the statement after each step of the planner, as
 * SQL of the input language. `--parameters '["open", 7]'` are the values of `$1` and `$2`. No source is contacted.
 */
import type { PlannerError } from "../../src/planner/diagnostics.ts";
import { defineDialect } from "../../src/planner/dialects/input.ts";
import { type PlanStep, plan } from "../../src/planner/index.ts";
import type { Plan } from "../../src/planner/plan.ts";
import { printCall } from "../../src/planner/syntax/print-calls.ts";
import { print } from "../../src/planner/syntax/printer.ts";
import { describeType } from "../../src/planner/types.ts";
import { toServiceError } from "../../src/service/translate.ts";
import { type ExitCode, UsageError } from "../exit.ts";
import { MODEL_OPTIONS, readArguments, SESSION_OPTIONS, sessionOf } from "../options.ts";
import { treeText } from "../output/tree.ts";
import { manifestFor } from "../source/operator-rights.ts";
import type { Terminal } from "../terminal.ts";
import { openWorkspace, printWarnings, redacted, reportFailure } from "./context.ts";
import { textOf } from "./query.ts";

const OPTIONS = {
  ...MODEL_OPTIONS,
  ...SESSION_OPTIONS,
  source: { type: "string" },
  parameters: { type: "string" },
  steps: { type: "boolean", default: false },
  tree: { type: "boolean", default: false },
} as const;

export async function planCommand(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const sql = textOf(positionals, terminal, "a statement");
  const { model, source, services } = openWorkspace(values, terminal);
  const session = sessionOf(values);
  const manifest = services.manifests.get(manifestFor(model.manifestText, session, terminal));
  const parts: string[] = [];
  const hasSteps = values.steps || values.tree;
  const fail = (error: PlannerError): ExitCode =>
    reportFailure(toServiceError(error, { operation: "dryPlan", sql }), terminal, { text: sql, name: "query" });
  if (!manifest.ok) return fail(manifest.error);
  const parameters = parametersIn(values.parameters);
  const outcome = plan({
    sql,
    ...(parameters !== undefined && { parameters }),
    source,
    session,
    manifest: manifest.value,
    ...(hasSteps && {
      watch: (step: PlanStep) => parts.push(section(step.step, stepText(step), values.tree && treeText(step.query))),
    }),
    options: services.planOptions,
  });
  if (!outcome.ok) {
    if (parts.length > 0) await terminal.out(redacted(`${parts.join("\n")}\n`));
    return fail(outcome.error);
  }
  printWarnings(outcome.value.warnings, terminal);
  const text = hasSteps ? [...parts, ...answerParts(outcome.value)].join("\n") : `${outcome.value.sql}\n`;
  await terminal.out(redacted(text));
  return 0;
}

/** The values of `$1`, `$2` … as a list in JSON. */
function parametersIn(text: string | undefined): readonly unknown[] | undefined {
  if (text === undefined) return undefined;
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list)) return list;
  } catch {
    // The sentence below is about both.
  }
  throw new UsageError(`--parameters is a list in JSON, such as '["open", 7]'.`);
}

function answerParts({ dialect, sql, columns }: Plan): readonly string[] {
  const answer = columns.map(
    ({ name, type, nullable }) => `${name} ${describeType(type)}${nullable ? "" : " NOT NULL"}`,
  );
  return [section(`printed for ${dialect}`, sql), section("columns", answer.join("\n"))];
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
