/** The type under which a reader of files takes a column of which the manifest tells the type. */

import type { SqlType } from "../../../planner/plan.ts";
import type { FileFormat } from "../../connection/file-format.ts";
import { sqlIdentifier } from "../sql-text.ts";

const MOST_DIGITS = 38;

/** What only a document can hold stays its text, which nothing checks: one value that is malformed fails nobody. */
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
      // Without digits DuckDB's DECIMAL has three; what it infers of such values is a double.
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

function document(format: FileFormat): string {
  return format === "json" ? "JSON" : "VARCHAR";
}
