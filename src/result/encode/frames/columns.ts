/** Columns to JSON and back. The JSON has the members of the types; the reader checks every member. */
import type { Column, Field, LogicalType, SourceWarning, TimeUnit } from "../../types.ts";

/** Maximum nesting of types; without a limit a hostile peer could exhaust the stack. */
const MAX_DEPTH = 64;

export function columnsToJson(columns: readonly Column[], warnings: readonly SourceWarning[] = []): object {
  return { columns, ...(warnings.length > 0 && { warnings }) };
}

/** @throws TypeError when `json` has warnings that our writer does not write. */
export function warningsFromJson(json: unknown): readonly SourceWarning[] {
  const warnings = member(json, "warnings");
  if (warnings === undefined) return [];
  return listOf(warnings).map((warning) => {
    const [code, message, hint] = [member(warning, "code"), member(warning, "message"), member(warning, "hint")];
    if (code !== "FILE_COLUMN_MISSING" || typeof message !== "string" || typeof hint !== "string") throw invalid();
    return { code, message, hint };
  });
}

/** @throws TypeError when `json` does not describe columns. */
export function columnsFromJson(json: unknown): readonly Column[] {
  return listOf(member(json, "columns")).map((column) => fieldFromJson(column, 0));
}

function fieldFromJson(json: unknown, depth: number): Field {
  const name = member(json, "name");
  if (typeof name !== "string") throw invalid();
  return { name, type: typeFromJson(member(json, "type"), depth + 1) };
}

function typeFromJson(json: unknown, depth: number): LogicalType {
  if (depth > MAX_DEPTH) throw invalid();
  const kind = member(json, "kind");
  switch (kind) {
    case "boolean":
    case "int8":
    case "int16":
    case "int32":
    case "int64":
    case "uint8":
    case "uint16":
    case "uint32":
    case "uint64":
    case "float32":
    case "float64":
    case "string":
    case "uuid":
    case "json":
    case "binary":
    case "date":
    case "interval":
    case "null":
      return { kind };
    case "decimal": {
      const precision = optionalInteger(member(json, "precision"));
      const scale = optionalInteger(member(json, "scale"));
      return { kind, ...(precision === undefined ? {} : { precision }), ...(scale === undefined ? {} : { scale }) };
    }
    case "time":
      return { kind, unit: unitFromJson(member(json, "unit")) };
    case "timestamp": {
      const zone = member(json, "zone");
      if (zone !== undefined && typeof zone !== "string") throw invalid();
      return { kind, unit: unitFromJson(member(json, "unit")), zone };
    }
    case "list":
      return { kind, element: typeFromJson(member(json, "element"), depth + 1) };
    case "struct":
      return { kind, fields: listOf(member(json, "fields")).map((field) => fieldFromJson(field, depth)) };
    case "map":
      return {
        kind,
        key: typeFromJson(member(json, "key"), depth + 1),
        value: typeFromJson(member(json, "value"), depth + 1),
      };
    case "opaque": {
      const name = member(json, "name");
      if (typeof name !== "string") throw invalid();
      return { kind, name };
    }
    default:
      throw invalid();
  }
}

function unitFromJson(json: unknown): TimeUnit {
  if (json === "s" || json === "ms" || json === "us" || json === "ns") return json;
  throw invalid();
}

function optionalInteger(json: unknown): number | undefined {
  if (json === undefined) return undefined;
  if (typeof json === "number" && Number.isSafeInteger(json)) return json;
  throw invalid();
}

function listOf(json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw invalid();
}

function member(json: unknown, name: string): unknown {
  if (typeof json !== "object" || json === null) throw invalid();
  return Object.hasOwn(json, name) ? (json as Readonly<Record<string, unknown>>)[name] : undefined;
}

function invalid(): TypeError {
  return new TypeError("Not a description of columns.");
}
