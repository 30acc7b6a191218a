/** Converts DuckDB's errors, in the JSON of `errors_as_json`, to the connectors' failures. */
import { ConnectorFailure, type FailureDetails, type FailureReason } from "../failure.ts";
import { textFileError } from "./text-file-error.ts";

export interface EngineError {
  /** DuckDB's exception type: `Binder`, `Conversion`, `Out of Range`, … */
  readonly type: string;
  readonly message: string;
  /** Offset in the SQL text: in code points for `Parser`, in UTF-8 bytes for the others. */
  readonly position: number | undefined;
}

/** Some layers add a prefix to the JSON (`Parser Error: {…}`), and errors of the binding itself are plain text. */
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
      // The text is not JSON, and is used as the message.
    }
  }
  const [, type, message] = /^([A-Z][A-Za-z ]*?) Error: ([\s\S]*)$/.exec(text) ?? [];
  return { type: type ?? "Unknown", message: message ?? text, position: undefined };
}

/** Errors about the SQL text itself; all others occur at run time. */
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

/** An error of the type `Invalid Input`, which many failures of functions also have. */
const NOT_ONE_STATEMENT = /^(?:Cannot prepare multiple statements|No statement to prepare)/;

/**
 * Types whose position is an offset in the statement. A failing reader reports a position in the view over the file instead,
 * which would be meaningless in the statement.
 */
const POSITIONED: ReadonlySet<string> = new Set([...ABOUT_THE_SQL, "Conversion", "Out of Range", "Permission"]);

export interface ErrorContext {
  /** Removes paths of this machine from a text. */
  readonly hide: (text: string) => string;
  /** The statement that positions refer to. */
  readonly sql?: string;
  /** Number of ASCII characters that were sent before the statement. */
  readonly start?: number;
}

export function engineFailure(error: unknown, context: ErrorContext): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  const { type, message, position } = readEngineError(error);
  const offset =
    position !== undefined && context.sql !== undefined && POSITIONED.has(type)
      ? utf16Offset(context.sql, position - (context.start ?? 0), type === "Parser" ? "code points" : "bytes")
      : undefined;
  const ofFile = textFileError(context.hide(message));
  const details: FailureDetails = {
    engineCode: type,
    cause: error,
    ...(offset !== undefined && { position: offset }),
    ...(ofFile === undefined ? hintFor(type) : { hint: ofFile.hint }),
  };
  if (ofFile !== undefined) return new ConnectorFailure("SOURCE_ERROR", ofFile.message, details);
  return new ConnectorFailure(reasonOf(type, message), textOf(type, context.hide(message)), details);
}

function reasonOf(type: string, message: string): FailureReason {
  if (ABOUT_THE_SQL.has(type) || NOT_ONE_STATEMENT.test(message)) return "SOURCE_INVALID_SQL";
  if (type === "Permission") return "FILE_NOT_FOUND";
  return type === "Out of Memory" ? "SOURCE_OUT_OF_MEMORY" : "SOURCE_ERROR";
}

/** The engine reports "disabled by configuration" for every path outside, existing or not; callers do not need this detail. */
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

/** Converts an offset in the engine's unit to UTF-16. Undefined if it is outside the text. */
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
