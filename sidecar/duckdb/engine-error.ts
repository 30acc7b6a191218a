/** DuckDB's errors, read from the JSON that `errors_as_json` makes of them, as failures of ours. */
import { ConnectorFailure, type FailureDetails, type FailureReason } from "../../src/connectors/failure.ts";

export interface EngineError {
  /** DuckDB's exception type: `Binder`, `Conversion`, `Out of Range`, … */
  readonly type: string;
  readonly message: string;
  /** Offset in bytes of the SQL text's UTF-8. */
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
  /** Bytes that were sent in front of the statement. */
  readonly start?: number;
}

export function engineFailure(error: unknown, context: ErrorContext): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  const { type, message, position } = readEngineError(error);
  const offset =
    position !== undefined && context.sql !== undefined && POSITIONED.has(type)
      ? utf16Offset(context.sql, position - (context.start ?? 0))
      : undefined;
  const details: FailureDetails = {
    engineCode: type,
    cause: error,
    ...(offset !== undefined && { position: offset }),
    ...hintFor(type),
  };
  return new ConnectorFailure(reasonOf(type), textOf(type, context.hide(message)), details);
}

function reasonOf(type: string): FailureReason {
  if (ABOUT_THE_SQL.has(type)) return "SOURCE_INVALID_SQL";
  return type === "Permission" ? "FILE_NOT_FOUND" : "SOURCE_ERROR";
}

/** The engine says "disabled by configuration" of every path outside, existing or not; callers need not know how it is done. */
function textOf(type: string, message: string): string {
  if (type === "Permission") {
    const [, path] = /"(.*)"/s.exec(message) ?? [];
    return path === undefined ? "The statement reads what it may not." : `The file "${path}" does not exist.`;
  }
  return type === "Unknown" ? message : `${type} Error: ${message}`;
}

function hintFor(type: string): FailureDetails {
  switch (type) {
    case "Permission":
      return { hint: "Paths are relative to the sidecar's FILE_ROOT and never lead out of it." };
    case "Out of Memory":
      return { hint: "Read less at once, or raise the sidecar's DUCKDB_MEMORY." };
    default:
      return {};
  }
}

/** The engine counts bytes of UTF-8, we count UTF-16 units. Undefined when the place is not in the text. */
export function utf16Offset(text: string, byteOffset: number): number | undefined {
  let bytes = 0;
  let units = 0;
  for (const character of text) {
    if (bytes >= byteOffset) break;
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    units += character.length;
  }
  return bytes === byteOffset ? units : undefined;
}
