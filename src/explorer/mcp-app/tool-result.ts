/** The result of the tools `query` and `query_cube` as an answer of the page. Nothing of its shape is taken for granted. */
import type { Answer } from "../answer-kinds.ts";
import type { Failure, Warning } from "../answers.ts";
import type { Column } from "../row-stream.ts";

export type Shown =
  | { readonly kind: "waiting" }
  | { readonly kind: "cancelled"; readonly reason?: string }
  | { readonly kind: "answer"; readonly answer: Extract<Answer, { readonly kind: "whole" }> }
  | { readonly kind: "failed"; readonly failure: Failure }
  /** The host passed on the text alone. */
  | { readonly kind: "text"; readonly text: string };

type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export function shownResult(result: unknown): Shown {
  const { structuredContent, content, isError } = isJson(result) ? result : {};
  const text = listOf(content)
    .map((each) => (isJson(each) ? (textOf(each["text"]) ?? "") : ""))
    .join("\n");
  const structured = isJson(structuredContent) ? structuredContent : {};
  if (isError === true) return { kind: "failed", failure: failureIn(structured["error"], text) };
  if (!Array.isArray(structured["columns"]) || !Array.isArray(structured["rows"])) return { kind: "text", text };
  const columns = listOf(structured["columns"]).map((each): Column => {
    const { name, type } = isJson(each) ? each : {};
    return { name: textOf(name) ?? "", type: textOf(type) ?? "" };
  });
  const rows = listOf(structured["rows"]).map(listOf);
  return {
    kind: "answer",
    answer: {
      kind: "whole",
      columns,
      rows,
      count: rows.length,
      isCut: structured["truncated"] === true,
      milliseconds: 0,
      question: { kind: "sql", sql: "" },
      notes: {
        rowRules: textOf(structured["rowRules"]),
        correlationId: textOf(structured["queryId"]),
        cachedAt: undefined,
        warnings: listOf(structured["warnings"]).flatMap(warningOf),
      },
    },
  };
}

function warningOf(given: unknown): readonly Warning[] {
  if (!isJson(given)) return [];
  const { code, message, hint, count } = given;
  const further = `${typeof count === "number" ? count : "Some"} further warnings.`;
  const own = textOf(hint);
  return [{ code: textOf(code) ?? "", message: textOf(message) ?? further, ...(own !== undefined && { hint: own }) }];
}

function failureIn(given: unknown, text: string): Failure {
  const { errorCode, message, hint, suggestions, queryId, retryAfter } = isJson(given) ? given : {};
  const [own, query] = [textOf(hint), textOf(queryId)];
  return {
    // The tool names no status; its text has the place, the hint and similar names.
    status: 422,
    code: textOf(errorCode) ?? "",
    message: text === "" ? (textOf(message) ?? "The tool failed.") : text,
    suggestions: listOf(suggestions).filter((each) => typeof each === "string"),
    ...(own !== undefined && { hint: own }),
    ...(query !== undefined && { correlationId: query }),
    ...(typeof retryAfter === "number" && { retryAfter }),
  };
}

/** The question as the arguments of the call have it. */
export function questionOf(given: unknown): string | undefined {
  if (!isJson(given)) return undefined;
  const { sql, cube } = given;
  if (typeof sql === "string") return sql;
  return cube === undefined ? undefined : JSON.stringify(given, null, 2);
}
