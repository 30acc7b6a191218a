/** What a plan knows of its columns and the server does not tell: it has no booleans, and an instant that is computed has no zone. */
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
 * A whole number in the greatest width. The server's own is that of its temporary table where its plan has one, and whether it
 * has one is decided by estimates, over rows that rules withhold as well.
 */
export function inFullWidth<Source>(reading: Reading<Source>): Reading<Source> {
  const { type, read } = reading;
  if (!WHOLE.has(type.kind) || type.kind === "int64" || type.kind === "uint64") return reading;
  const widen = (value: Value): Value => (typeof value === "number" ? BigInt(value) : value);
  return { type: { kind: UNSIGNED.has(type.kind) ? "uint64" : "int64" }, read: (source) => widen(read(source)) };
}

/** The reading of a column whose plan says that it is `meant`; the same where the server has said as much. */
export function asMeant<Source>(reading: Reading<Source>, meant: Meant | undefined): Reading<Source> {
  const { type, read } = reading;
  if (meant?.kind === "boolean" && WHOLE.has(type.kind)) {
    return { type: { kind: "boolean" }, read: (source) => Number(read(source)) !== 0 };
  }
  if (meant?.kind === "timestamp" && meant.zoned && type.kind === "timestamp")
    return { type: { ...type, zone: "UTC" }, read };
  return reading;
}
