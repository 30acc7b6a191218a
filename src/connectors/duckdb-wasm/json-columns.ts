/**
 * Columns of JSON, which native DuckDB has a type for and this engine has not. As texts they are the same to functions of JSON, to
 * comparisons and to what makes texts; casts of them to anything else are not, and neither is what the column is called as a column
 * of the answer.
 */
import type { PlanColumn, SqlType } from "../../planner/plan.ts";

/** Whether a statement, in the planner's words, may have texts for its columns of JSON. */
export function readsJsonAsTexts(sql: string, columns: readonly PlanColumn[]): boolean {
  if (columns.some(({ type }) => holdsJson(type))) return false;
  if (/\bTRY\s*\(|::(?!varchar\b(?!\[))/i.test(sql.replace(STRINGS, "''"))) return false;
  return castsOf(sql).every(({ operand, type }) => /^(?:TEXT|VARCHAR)$/i.test(type) || IS_NEVER_JSON.test(operand));
}

function holdsJson(type: SqlType): boolean {
  switch (type.kind) {
    case "json":
      return true;
    case "array":
      return holdsJson(type.element);
    case "row":
      return type.fields.some((field) => holdsJson(field.type));
    default:
      return false;
  }
}

const STRINGS = /'(?:[^']|'')*'/g;

/** Constants, and what these functions give: numbers, moments, and texts that are no JSON to the engine. */
const IS_NEVER_JSON =
  /^(?:'|[\d.]|-\d|(?:translate|replace|regexp_replace|json_extract_string|json_array_length|count|length|strlen|round|sum|avg|date_part|date_trunc)\()/i;

interface WrittenCast {
  readonly operand: string;
  readonly type: string;
}

/** Strings, quoted names, and what the brackets of a cast are told by. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\b(?:TRY_)?CAST\(|\(|\)|\bAS\b/gi;

/** `CAST(operand AS type)`, wherever it stands. */
function castsOf(sql: string): readonly WrittenCast[] {
  const found: WrittenCast[] = [];
  const open: { readonly from: number | undefined; as: number | undefined }[] = [];
  for (const { 0: token, index } of sql.matchAll(TOKEN)) {
    const end = index + token.length;
    if (token.endsWith("(")) open.push({ from: token === "(" ? undefined : end, as: undefined });
    else if (token === ")") {
      const { from, as } = open.pop() ?? {};
      if (from === undefined || as === undefined) continue;
      found.push({ operand: sql.slice(from, as).trim(), type: sql.slice(as + 2, index).trim() });
    } else if (/^AS$/i.test(token)) {
      const innermost = open.at(-1);
      if (innermost !== undefined) innermost.as = index;
    }
  }
  return found;
}
