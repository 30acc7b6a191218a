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
