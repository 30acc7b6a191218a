/** The Arrow type that holds each logical type exactly. Types without one are text (docs/reference/formats.md). */
import type { LogicalType, TimeUnit } from "../../types.ts";

export type ArrowType =
  | { readonly kind: "null" }
  | { readonly kind: "boolean" | "text" | "binary" | "date" | "interval" }
  | { readonly kind: "integer"; readonly bits: 8 | 16 | 32 | 64; readonly signed: boolean }
  | { readonly kind: "float"; readonly bits: 32 | 64 }
  /** Always 128 bits. */
  | { readonly kind: "decimal"; readonly precision: number; readonly scale: number }
  | { readonly kind: "time"; readonly unit: TimeUnit; readonly bits: 32 | 64 }
  | { readonly kind: "timestamp"; readonly unit: TimeUnit; readonly zone: string | undefined }
  | { readonly kind: "list"; readonly element: ArrowField }
  | { readonly kind: "struct"; readonly fields: readonly ArrowField[] }
  /** `entries` is a struct of key and value. */
  | { readonly kind: "map"; readonly entries: ArrowField };

export interface ArrowField {
  readonly name: string;
  readonly type: ArrowType;
  readonly nullable: boolean;
  /** The original type of a text field whose column is not text at the source. */
  readonly textOf: string | undefined;
}

/** Number of decimal digits that 128 bits always hold. */
const DECIMAL_DIGITS = 38;

/** `zone`: maps a timestamp's zone to the zone name to report. */
export function arrowField(name: string, type: LogicalType, zone: (own: string) => string): ArrowField {
  return { name, type: arrowType(type, zone), nullable: true, textOf: textOf(type) };
}

/** Whether 128 bits hold every value of a decimal: the source reports the size, and no digit exceeds it. */
export function isDecimal128(type: LogicalType & { readonly kind: "decimal" }): boolean {
  const { precision, scale } = type;
  return precision !== undefined && scale !== undefined && precision <= DECIMAL_DIGITS && scale <= precision;
}

function arrowType(type: LogicalType, zone: (own: string) => string): ArrowType {
  const field = (name: string, of: LogicalType): ArrowField => arrowField(name, of, zone);
  switch (type.kind) {
    case "null":
      return { kind: "null" };
    case "boolean":
    case "binary":
    case "date":
    case "interval":
      return { kind: type.kind };
    case "int8":
    case "int16":
    case "int32":
    case "int64":
      return { kind: "integer", bits: BITS[type.kind], signed: true };
    case "uint8":
    case "uint16":
    case "uint32":
    case "uint64":
      return { kind: "integer", bits: BITS[type.kind], signed: false };
    case "float32":
      return { kind: "float", bits: 32 };
    case "float64":
      return { kind: "float", bits: 64 };
    case "decimal": {
      const { precision = 0, scale = 0 } = type;
      return isDecimal128(type) ? { kind: "decimal", precision, scale } : { kind: "text" };
    }
    case "string":
    case "uuid":
    case "json":
    case "opaque":
      return { kind: "text" };
    case "time":
      return { kind: "time", unit: type.unit, bits: type.unit === "s" || type.unit === "ms" ? 32 : 64 };
    case "timestamp":
      return { kind: "timestamp", unit: type.unit, zone: type.zone === undefined ? undefined : zone(type.zone) };
    case "list":
      return { kind: "list", element: field("item", type.element) };
    case "struct":
      return { kind: "struct", fields: type.fields.map(({ name, type: of }) => field(name, of)) };
    case "map": {
      const fields = [{ ...field("key", type.key), nullable: false }, field("value", type.value)];
      return {
        kind: "map",
        entries: { name: "entries", type: { kind: "struct", fields }, nullable: false, textOf: undefined },
      };
    }
    default:
      return type satisfies never;
  }
}

const BITS = { int8: 8, uint8: 8, int16: 16, uint16: 16, int32: 32, uint32: 32, int64: 64, uint64: 64 } as const;

function textOf(type: LogicalType): string | undefined {
  switch (type.kind) {
    case "decimal":
      return isDecimal128(type) ? undefined : "decimal";
    case "uuid":
    case "json":
      return type.kind;
    case "opaque":
      return type.name;
    default:
      return undefined;
  }
}

/** Units in a day; Arrow's times end before 24:00:00. */
export const PER_DAY: Readonly<Record<TimeUnit, number>> = { s: 86_400, ms: 86_400e3, us: 86_400e6, ns: 86_400e9 };
