/** Column types that the plan knows and an engine does not report. */
import type { LogicalType, ResultStream } from "../result/types.ts";
import type { Statement } from "./connector.ts";

type Meant = Statement["columns"][number]["type"];

/**
 * Some engines return JSON and UUIDs as texts. Others have one type for timestamps with and without time zone, or report a zone
 * only if one was written. Their sessions are in UTC, where both are the same number.
 */
export function typeAsMeant(type: LogicalType, meant: Meant | undefined): LogicalType {
  if (type.kind === "string" && (meant?.kind === "json" || meant?.kind === "uuid")) return { kind: meant.kind };
  if (type.kind !== "timestamp" || meant?.kind !== "timestamp") return type;
  if (meant.zoned) return { ...type, zone: type.zone ?? "UTC" };
  return type.zone === "UTC" ? { ...type, zone: undefined } : type;
}

/** The result of a statement, with the column types of the plan. */
export function asMeant(result: ResultStream, { columns: meant }: Statement): ResultStream {
  const columns = result.columns.map((column, index) => ({
    ...column,
    type: typeAsMeant(column.type, meant[index]?.type),
  }));
  return { ...result, columns, close: () => result.close() };
}
