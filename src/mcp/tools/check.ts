/** Plans a statement and lets the source check it, without running it. */
import { failureOf, jsonOf, remarkLines, rowRulesOf, type Warning, warningsOf } from "../answers.ts";
import { CHECK_OUTPUT } from "./schemas.ts";
import { listOf, type Tool, textOf } from "./tool.ts";

/** Characters of the statement for the source. */
const LONGEST_SQL = 8000;
const MOST_LISTED = 200;

interface Explanation {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly lineage?: readonly unknown[];
  readonly reads?: readonly { readonly model: string; readonly columns: readonly string[] }[];
  readonly dialectSql?: string;
  readonly warnings: readonly Warning[];
}

export const checkTool: Tool = {
  name: "check",
  title: "Check SQL without running it",
  description:
    "Checks a statement against the models and at the data source without running it: its columns, warnings, and the bytes that it would read where the source says so.",
  inputSchema: {
    type: "object",
    properties: {
      sql: { type: "string", description: "The statement." },
      parameters: { type: "array", items: {}, description: "Values of $1, $2 and so on." },
    },
    required: ["sql"],
    additionalProperties: false,
  },
  outputSchema: CHECK_OUTPUT,
  run: async ({ ask }, given) => {
    const sql = textOf(given, "sql") ?? "";
    const body = { sql, parameters: listOf(given, "parameters") };
    const explained = await jsonOf<Explanation>(await ask("explain", body, {}), sql);
    const checked = await ask("query", body, { dryRun: true });
    if (!checked.ok) throw await failureOf(checked, sql);
    const bytes = checked.headers.get("x-bytes-processed");
    const rowRules = rowRulesOf(checked);
    const columns = explained.columns.slice(0, MOST_LISTED).map(({ name, type }) => ({ name, type }));
    // The source may add warnings to those of the plan.
    const known = new Set(explained.warnings.map(({ code, message }) => `${code} ${message}`));
    const more = warningsOf(checked).filter(({ code, message }) => !known.has(`${code} ${message}`));
    const warnings = [...explained.warnings, ...more].slice(0, 20);
    const { dialectSql, lineage, reads } = explained;
    return {
      text: [
        "The statement is right.",
        ...remarkLines(warnings, rowRules),
        `Columns: ${columns.map(({ name, type }) => `${name} ${type}`).join(", ")}`,
        ...(bytes === null ? [] : [`It would read ${bytes} bytes.`]),
      ].join("\n"),
      structured: {
        ok: true,
        columns,
        warnings,
        ...(lineage !== undefined && { lineage: lineage.slice(0, MOST_LISTED) }),
        ...(reads !== undefined && {
          reads: reads.slice(0, MOST_LISTED).map(({ model, columns }) => ({ model, columns })),
        }),
        ...(rowRules !== undefined && { rowRules }),
        ...(bytes !== null && { bytesProcessed: Number(bytes) }),
        ...(dialectSql !== undefined && dialectSql.length <= LONGEST_SQL && { sql: dialectSql }),
      },
    };
  },
};
