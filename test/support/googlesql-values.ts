/** Values of GoogleSQL's evaluator (`value.proto`), as the canonical ones of `src/result/types.ts` and from DuckDB's texts. */
import type { Field, LogicalType, Value } from "../../src/result/types.ts";

/** Absent members are zero. */
interface Instant {
  readonly seconds?: string;
  readonly bit_field_datetime_seconds?: string;
  readonly nanos?: number;
}

export interface GoogleSqlType {
  readonly type_kind: string;
  readonly array_type?: { readonly element_type: GoogleSqlType } | null;
  readonly struct_type?: {
    readonly field: readonly { readonly field_name: string; readonly field_type: GoogleSqlType }[];
  } | null;
}

type Cell = Readonly<Record<string, unknown>> & { readonly value?: string };

const simple = (kind: string): GoogleSqlType => ({ type_kind: kind });

const LOGICAL: Readonly<Record<string, LogicalType>> = {
  TYPE_INT64: { kind: "int64" },
  TYPE_BOOL: { kind: "boolean" },
  TYPE_FLOAT: { kind: "float32" },
  TYPE_DOUBLE: { kind: "float64" },
  TYPE_NUMERIC: { kind: "decimal" },
  TYPE_BIGNUMERIC: { kind: "decimal" },
  TYPE_STRING: { kind: "string" },
  TYPE_BYTES: { kind: "binary" },
  TYPE_DATE: { kind: "date" },
  TYPE_TIME: { kind: "time", unit: "us" },
  TYPE_DATETIME: { kind: "timestamp", unit: "us", zone: undefined },
  TYPE_TIMESTAMP: { kind: "timestamp", unit: "us", zone: "UTC" },
  TYPE_JSON: { kind: "json" },
};

export function logicalType(type: GoogleSqlType): LogicalType {
  if (type.array_type) return { kind: "list", element: logicalType(type.array_type.element_type) };
  if (type.struct_type) return { kind: "struct", fields: fieldsOf(type) };
  return LOGICAL[type.type_kind] ?? { kind: "opaque", name: type.type_kind };
}

const fieldsOf = ({ struct_type }: GoogleSqlType): readonly Field[] =>
  (struct_type?.field ?? []).map(({ field_name, field_type }) => ({ name: field_name, type: logicalType(field_type) }));

export function canonicalValue(cell: Cell, type: GoogleSqlType): Value {
  if (cell.value === undefined) return null;
  const given = cell[cell.value];
  switch (type.type_kind) {
    case "TYPE_INT64":
      return BigInt(given as string);
    case "TYPE_NUMERIC":
      return digitsOf(given as Buffer, 9);
    case "TYPE_BIGNUMERIC":
      return digitsOf(given as Buffer, 38);
    case "TYPE_BYTES":
      return new Uint8Array(given as Buffer);
    case "TYPE_TIME": {
      const bits = BigInt(given as string);
      return Number(secondsOf(bits >> 30n) * 1_000_000n + (bits & 0x3fffffffn) / 1000n);
    }
    case "TYPE_DATETIME": {
      const { bit_field_datetime_seconds = "0", nanos = 0 } = given as Instant;
      return microsecondsOf(BigInt(bit_field_datetime_seconds)) + BigInt(nanos) / 1000n;
    }
    case "TYPE_TIMESTAMP": {
      const { seconds = "0", nanos = 0 } = given as Instant;
      return BigInt(seconds) * 1_000_000n + BigInt(nanos) / 1000n;
    }
    case "TYPE_ARRAY": {
      const element = type.array_type?.element_type ?? simple("TYPE_INT64");
      return ((given as { element?: readonly Cell[] }).element ?? []).map((each) => canonicalValue(each, element));
    }
    case "TYPE_STRUCT": {
      const types = type.struct_type?.field ?? [];
      const { field = [] } = given as { field?: readonly Cell[] };
      return field.map((each, index) => canonicalValue(each, types[index]?.field_type ?? simple("TYPE_INT64")));
    }
    default:
      return given as Value;
  }
}

const secondsOf = (bits: bigint): bigint => ((bits >> 12n) & 31n) * 3600n + ((bits >> 6n) & 63n) * 60n + (bits & 63n);

function microsecondsOf(bits: bigint): bigint {
  const date = new Date(0);
  date.setUTCFullYear(Number(bits >> 26n), Number((bits >> 22n) & 15n) - 1, Number((bits >> 17n) & 31n));
  return BigInt(date.getTime()) * 1000n + secondsOf(bits) * 1_000_000n;
}

/** Two's complement, the least byte first, of the number times a power of ten. */
function digitsOf(bytes: Buffer, scale: number): string {
  const size = bytes.length * 8;
  const scaled = BigInt.asIntN(size, BigInt(`0x${Buffer.from(bytes).reverse().toString("hex") || "0"}`));
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(scale + 1, "0");
  const fraction = digits.slice(-scale).replace(/0+$/, "");
  return `${scaled < 0n ? "-" : ""}${digits.slice(0, -scale)}${fraction === "" ? "" : `.${fraction}`}`;
}

function bytesOf(digits: string, scale: number): Buffer {
  const [, sign, whole = "", fraction = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(digits) ?? [];
  const scaled = BigInt(`${sign}${whole}${fraction.padEnd(scale, "0")}`);
  const hex = BigInt.asUintN(128, scaled).toString(16).padStart(32, "0");
  return Buffer.from(hex, "hex").reverse();
}

/** A column's type by DuckDB's name of it, and the value of DuckDB's text of one. */
export interface Kept {
  readonly type: GoogleSqlType;
  readonly cell: (text: string) => Cell;
}

const kept = (kind: string, cell: (text: string) => Cell): Kept => ({ type: simple(kind), cell });

const INT64 = kept("TYPE_INT64", (text) => ({ int64_value: text }));
const STRING = kept("TYPE_STRING", (text) => ({ string_value: text }));
const KEPT: Readonly<Record<string, Kept>> = {
  VARCHAR: STRING,
  TEXT: STRING,
  UUID: STRING,
  TINYINT: INT64,
  SMALLINT: INT64,
  INTEGER: INT64,
  BIGINT: INT64,
  BOOLEAN: kept("TYPE_BOOL", (text) => ({ bool_value: text === "true" })),
  FLOAT: kept("TYPE_DOUBLE", (text) => ({ double_value: Number(text) })),
  DOUBLE: kept("TYPE_DOUBLE", (text) => ({ double_value: Number(text) })),
  DATE: kept("TYPE_DATE", (text) => ({ date_value: Date.parse(`${text}T00:00:00Z`) / 86_400_000 })),
  JSON: kept("TYPE_JSON", (text) => ({ json_value: text })),
  TIME: kept("TYPE_TIME", (text) => {
    const [, hour = "", minute = "", second = "", fraction = ""] = /^(\d+):(\d+):(\d+)\.?(\d*)$/.exec(text) ?? [];
    const clock = (BigInt(hour) << 12n) | (BigInt(minute) << 6n) | BigInt(second);
    return { time_value: String((clock << 30n) | BigInt(fraction.padEnd(9, "0"))) };
  }),
  TIMESTAMP: kept("TYPE_DATETIME", (text) => {
    const [, date = "", time = "", fraction = ""] = /^(\S+) (\S+?)(?:\.(\d+))?$/.exec(text) ?? [];
    const [year = 0n, month = 0n, day = 0n] = date.split("-").map(BigInt);
    const [hour = 0n, minute = 0n, second = 0n] = time.split(":").map(BigInt);
    const bits = (year << 26n) | (month << 22n) | (day << 17n) | (hour << 12n) | (minute << 6n) | second;
    return { datetime_value: { bit_field_datetime_seconds: String(bits), nanos: Number(fraction.padEnd(9, "0")) } };
  }),
  "TIMESTAMP WITH TIME ZONE": kept("TYPE_TIMESTAMP", (text) => {
    const [, second = "", fraction = ""] = /^(.{19})(?:\.(\d+))?\+00$/.exec(text) ?? [];
    const seconds = Date.parse(`${second.replace(" ", "T")}Z`) / 1000;
    return { timestamp_value: { seconds: String(seconds), nanos: Number(fraction.padEnd(9, "0")) } };
  }),
};

const NUMERIC = kept("TYPE_NUMERIC", (text) => ({ numeric_value: bytesOf(text, 9) }));

export function keptType(name: string): Kept {
  const found = name.startsWith("DECIMAL") ? NUMERIC : KEPT[name];
  if (found === undefined) throw new Error(`no type of GoogleSQL for ${name}`);
  return found;
}
