/** What a plan knows of the types of its columns, and an engine does not tell. */
import type { LogicalType, ResultStream } from "../result/types.ts";
import type { Statement } from "./connector.ts";

type Meant = Statement["columns"][number]["type"];

/**
 * JSON and identifiers are texts on some engines; others have one type for instants and for the hands of a clock, or a zone only
 * where one is written. Their sessions are in UTC, where both are the same number.
 */
export function typeAsMeant(type: LogicalType, meant: Meant | undefined): LogicalType {
  if (type.kind === "string" && (meant?.kind === "json" || meant?.kind === "uuid")) return { kind: meant.kind };
  if (type.kind !== "timestamp" || meant?.kind !== "timestamp") return type;
  if (meant.zoned) return { ...type, zone: type.zone ?? "UTC" };
  return type.zone === "UTC" ? { ...type, zone: undefined } : type;
}

/** An answer to a statement whose columns the plan knows. */
export function asMeant(result: ResultStream, { columns: meant }: Statement): ResultStream {
  const columns = result.columns.map((column, index) => ({
    ...column,
    type: typeAsMeant(column.type, meant[index]?.type),
  }));
  return { ...result, columns, close: () => result.close() };
}
