/** Errors as text: position, message, and the line with a caret below it. */
import { ServiceError } from "../../src/service/failure.ts";
import { type ExitCode, type Fault, FaultsInFiles, type FilePosition, UsageError } from "../exit.ts";

/** Reasons that concern the environment: the statement was not judged. */
const ENVIRONMENT: ReadonlySet<string> = new Set([
  "INVALID_CONNECTION",
  "CONNECTION_MISSING",
  "HOST_UNREACHABLE",
  "TLS_UNTRUSTED",
  "AUTHENTICATION",
  "EGRESS_DENIED",
  "NEEDS_SIDECAR",
  "NOT_IMPLEMENTED",
  "INTERNAL",
]);

const LONGEST_LINE = 160;

export function faultText({ message, at, hint }: Fault): string {
  const lines = [at === undefined ? `error: ${message}` : `${at.file}:${at.line}:${at.column}: error: ${message}`];
  if (at !== undefined && at.text !== "") lines.push(...marked(at));
  if (hint !== undefined && !message.includes(hint)) lines.push(`  hint: ${hint}`);
  return `${lines.join("\n")}\n`;
}

/** A long line is cut around the caret. */
function marked({ line, column, text, length = 1 }: FilePosition): readonly string[] {
  const from = Math.max(0, column - 1 - LONGEST_LINE / 2);
  const shown = text.slice(from, from + LONGEST_LINE);
  const before = shown.slice(0, column - 1 - from).replaceAll(/[^\t]/g, " ");
  const carets = "^".repeat(Math.max(1, Math.min(length, shown.length - (column - 1 - from))));
  return [` ${line} | ${shown}`, ` ${" ".repeat(String(line).length)} | ${before}${carets}`];
}

/** Text and exit code of an error. `sql`: the text that positions of the service refer to, and its name. */
export function describeError(
  error: unknown,
  sql?: { readonly text: string; readonly name: string },
): { readonly text: string; readonly code: ExitCode } {
  if (error instanceof UsageError) return { text: faultText({ message: error.message }), code: 2 };
  if (error instanceof FaultsInFiles) return { text: error.faults.map(faultText).join(""), code: 1 };
  if (error instanceof ServiceError) {
    return { text: faultText(faultOf(error, sql)), code: ENVIRONMENT.has(error.reason) ? 2 : 1 };
  }
  return { text: faultText({ message: error instanceof Error ? error.message : String(error) }), code: 2 };
}

function faultOf(error: ServiceError, sql: { readonly text: string; readonly name: string } | undefined): Fault {
  const { position, hint } = error.metadata;
  const message = `${error.reason}: ${error.message}`;
  if (position === undefined || sql === undefined) return { message, hint };
  const text = sql.text.split("\n")[position.line - 1]?.replace(/\r$/, "") ?? "";
  const { line, column, length } = position;
  return { message, hint, at: { file: sql.name, line, column, length, text } };
}
