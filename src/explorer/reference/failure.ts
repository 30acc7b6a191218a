/** The parts of an error body that help to repair a request: reason, position in the SQL, hint, near names. */
import { failureIn } from "../api.ts";

export interface ShownFailure {
  readonly title: string;
  readonly message: string;
  readonly reason?: string;
  /** The line of the statement, and a caret below the place. */
  readonly excerpt?: string;
  readonly hint?: string;
  readonly suggestions: readonly string[];
  /** Problems of the request's shape, by the member that is wrong. */
  readonly problems: readonly { readonly at: string; readonly message: string }[];
  readonly retryAfter?: string;
}

export function shownFailure(
  status: number,
  text: string,
  sql: string | undefined,
  retryAfter: string | undefined,
): ShownFailure {
  const { code, message, reason, position, hint, suggestions } = failureIn(text, status);
  const { line, column, length } = position ?? {};
  const excerpt =
    sql === undefined || line === undefined || column === undefined
      ? undefined
      : `line ${line}, column ${column}\n${excerptOf(sql, { line, column, length: length ?? 1 })}`;
  return {
    title: code,
    message,
    ...(reason !== undefined && reason !== code && { reason }),
    ...(excerpt !== undefined && { excerpt }),
    ...(hint !== undefined && !message.includes(hint) && { hint }),
    suggestions,
    problems: problemsIn(text),
    ...(retryAfter !== undefined && { retryAfter }),
  };
}

/** Longest part of a line that is shown. */
const WIDTH = 100;

function excerptOf(
  sql: string,
  { line, column, length }: { readonly line: number; readonly column: number; readonly length: number },
): string {
  const text = (sql.split(/\r\n|\r|\n/)[line - 1] ?? "").replaceAll("\t", " ");
  const at = Math.max(column - 1, 0);
  const start = at < WIDTH / 2 ? 0 : at - WIDTH / 2;
  const shown = text.slice(start, start + WIDTH);
  const width = Math.max(1, Math.min(length, shown.length - (at - start)));
  return `${shown}\n${" ".repeat(at - start)}${"^".repeat(width)}`;
}

function problemsIn(text: string): ShownFailure["problems"] {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown };
    if (!Array.isArray(detail)) return [];
    return detail.map((each: { readonly loc?: unknown; readonly msg?: unknown } | null) => ({
      at: Array.isArray(each?.loc) ? each.loc.join(".") : "",
      message: String(each?.msg ?? ""),
    }));
  } catch {
    return [];
  }
}
