/** Column types that the plan knows and the server does not report: MySQL has no booleans, and a computed instant has no zone. */
import type { LogicalType, Value } from "../../result/types.ts";
import type { Statement } from "../connector.ts";

type Meant = Statement["columns"][number]["type"];

interface Reading<Source> {
  readonly type: LogicalType;
  readonly read: (source: Source) => Value;
}

const WHOLE: ReadonlySet<LogicalType["kind"]> = new Set([
  "int8",
  "int16",
  "int32",
  "int64",
  "uint8",
  "uint16",
  "uint32",
  "uint64",
] as const);

const UNSIGNED: ReadonlySet<LogicalType["kind"]> = new Set(["uint8", "uint16", "uint32"] as const);

/**
 * An integer with the full width. The server's own width depends on whether its plan uses a temporary table, and that depends on
 * estimates that include excluded rows.
 */
export function inFullWidth<Source>(reading: Reading<Source>): Reading<Source> {
  const { type, read } = reading;
  if (!WHOLE.has(type.kind) || type.kind === "int64" || type.kind === "uint64") return reading;
  const widen = (value: Value): Value => (typeof value === "number" ? BigInt(value) : value);
  return { type: { kind: UNSIGNED.has(type.kind) ? "uint64" : "int64" }, read: (source) => widen(read(source)) };
}

/** The reader of a column with the plan's type `meant`; unchanged if the server reports the same type. */
export function asMeant<Source>(reading: Reading<Source>, meant: Meant | undefined): Reading<Source> {
  const { type, read } = reading;
  if (meant?.kind === "boolean" && WHOLE.has(type.kind)) {
    return { type: { kind: "boolean" }, read: (source) => Number(read(source)) !== 0 };
  }
  if (meant?.kind === "timestamp" && meant.zoned && type.kind === "timestamp")
    return { type: { ...type, zone: "UTC" }, read };
  return reading;
}
