/** DuckDB's errors, read from the JSON that `errors_as_json` makes of them, as failures of ours. */
import { ConnectorFailure, type FailureDetails, type FailureReason } from "../failure.ts";

export interface EngineError {
  /** DuckDB's exception type: `Binder`, `Conversion`, `Out of Range`, … */
  readonly type: string;
  readonly message: string;
  /** Offset in the SQL text: in code points for `Parser`, in bytes of UTF-8 for the others. */
  readonly position: number | undefined;
}

/** Some layers prefix the JSON (`Parser Error: {…}`), and errors of the binding itself are plain text. */
export function readEngineError(error: unknown): EngineError {
  const text = error instanceof Error ? error.message : String(error);
  const start = text.indexOf('{"exception_type"');
  if (start >= 0) {
    try {
      const json = JSON.parse(text.slice(start)) as Readonly<Record<string, unknown>>;
      const position = typeof json.position === "string" ? Number(json.position) : Number.NaN;
      return {
        type: String(json.exception_type),
        message: String(json.exception_message),
        position: Number.isSafeInteger(position) && position >= 0 ? position : undefined,
      };
    } catch {
      // Not JSON after all: the text says what it says.
    }
  }
  const [, type, message] = /^([A-Z][A-Za-z ]*?) Error: ([\s\S]*)$/.exec(text) ?? [];
  return { type: type ?? "Unknown", message: message ?? text, position: undefined };
}

/** What the engine says about the SQL text itself; everything else happened while running it. */
const ABOUT_THE_SQL: ReadonlySet<string> = new Set([
  "Parser",
  "Syntax",
  "Binder",
  "Catalog",
  "Expression",
  "Mismatch Type",
  "Invalid Type",
  "Parameter Not Resolved",
  "Parameter Not Allowed",
]);

/** Of the type `Invalid Input`, as many failures of functions are. */
const NOT_ONE_STATEMENT = /^(?:Cannot prepare multiple statements|No statement to prepare)/;

/**
 * Types whose position is an offset in the statement. A reader that fails gives the place in the view that stands for
 * the file instead, which would point into the middle of nowhere.
 */
const POSITIONED: ReadonlySet<string> = new Set([...ABOUT_THE_SQL, "Conversion", "Out of Range", "Permission"]);

export interface ErrorContext {
  /** Takes paths of this machine out of a text. */
  readonly hide: (text: string) => string;
  /** The statement that positions are wanted in. */
  readonly sql?: string;
  /** ASCII characters that were sent in front of the statement. */
  readonly start?: number;
}

export function engineFailure(error: unknown, context: ErrorContext): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  const { type, message, position } = readEngineError(error);
  const offset =
    position !== undefined && context.sql !== undefined && POSITIONED.has(type)
      ? utf16Offset(context.sql, position - (context.start ?? 0), type === "Parser" ? "code points" : "bytes")
      : undefined;
  const details: FailureDetails = {
    engineCode: type,
    cause: error,
    ...(offset !== undefined && { position: offset }),
    ...hintFor(type),
  };
  return new ConnectorFailure(reasonOf(type, message), textOf(type, context.hide(message)), details);
}

function reasonOf(type: string, message: string): FailureReason {
  if (ABOUT_THE_SQL.has(type) || NOT_ONE_STATEMENT.test(message)) return "SOURCE_INVALID_SQL";
  if (type === "Permission") return "FILE_NOT_FOUND";
  return type === "Out of Memory" ? "SOURCE_OUT_OF_MEMORY" : "SOURCE_ERROR";
}

/** The engine says "disabled by configuration" of every path outside, existing or not; callers need not know how it is done. */
function textOf(type: string, message: string): string {
  if (type === "Permission") {
    const [, path] = /"(.*)"/s.exec(message) ?? [];
    return path === undefined ? "The statement reads what it may not." : `The file "${path}" does not exist.`;
  }
  return type === "Unknown" ? message : `${type} Error: ${message}`;
}

export const MEMORY_HINT = "Read less at once, or raise the sidecar's DUCKDB_MEMORY.";

function hintFor(type: string): FailureDetails {
  switch (type) {
    case "Permission":
      return { hint: "Paths are relative to the sidecar's FILE_ROOT and never lead out of it." };
    case "Out of Memory":
      return { hint: MEMORY_HINT };
    default:
      return {};
  }
}

/** The UTF-16 offset of a place that the engine gives in other units. Undefined when it is not in the text. */
export function utf16Offset(text: string, offset: number, unit: "bytes" | "code points"): number | undefined {
  let counted = 0;
  let units = 0;
  for (const character of text) {
    if (counted >= offset) break;
    counted += unit === "bytes" ? utf8Length(character.codePointAt(0) ?? 0) : 1;
    units += character.length;
  }
  return counted === offset ? units : undefined;
}

function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint < 0x10000 ? 3 : 4;
}
