/** The DuckDB type for reading a column whose type the manifest declares. */

import type { SqlType } from "../../../planner/plan.ts";
import type { FileFormat } from "../../connection/file-format.ts";
import { sqlIdentifier } from "../sql-text.ts";

const MOST_DIGITS = 38;

/** A type that only JSON can represent stays unchecked text: a malformed value fails no statement. */
export function readerType(type: SqlType, format: FileFormat): string {
  switch (type.kind) {
    case "boolean":
    case "date":
    case "interval":
    case "uuid":
      return type.kind.toUpperCase();
    case "integer":
      return { 8: "TINYINT", 16: "SMALLINT", 32: "INTEGER", 64: "BIGINT" }[type.bits];
    case "float":
      return type.bits === 32 ? "FLOAT" : "DOUBLE";
    case "decimal":
      // A DECIMAL without parameters has three fraction digits in DuckDB, which infers DOUBLE for such values.
      if (type.precision === undefined || type.precision > MOST_DIGITS) return "DOUBLE";
      return `DECIMAL(${type.precision}, ${type.scale ?? 0})`;
    case "text":
      return "VARCHAR";
    case "binary":
      return "BLOB";
    case "time":
      return type.zoned ? "TIMETZ" : "TIME";
    case "timestamp":
      return type.zoned ? "TIMESTAMPTZ" : "TIMESTAMP";
    case "array":
      return `${readerType(type.element, format)}[]`;
    case "row": {
      const members = type.fields.map(({ name, type: member }) =>
        name === undefined ? undefined : `${sqlIdentifier(name)} ${readerType(member, format)}`,
      );
      return members.length === 0 || members.includes(undefined) ? document(format) : `STRUCT(${members.join(", ")})`;
    }
    case "json":
    case "null":
    case "opaque":
      return document(format);
    default:
      return type satisfies never;
  }
}

/**
 * Whether the type says how a value is read. Other columns are inferred where no access rule forbids it: a decimal without digits
 * says nothing of its scale.
 */
export function isReadable(type: SqlType): boolean {
  switch (type.kind) {
    case "null":
    case "opaque":
      return false;
    case "decimal":
      return type.precision !== undefined && type.precision <= MOST_DIGITS;
    case "array":
      return isReadable(type.element);
    case "row":
      return (
        type.fields.length > 0 &&
        type.fields.every(({ name, type: member }) => name !== undefined && isReadable(member))
      );
    default:
      return true;
  }
}

function document(format: FileFormat): string {
  return format === "json" ? "JSON" : "VARCHAR";
}
