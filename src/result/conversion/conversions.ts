/** Converts a value to another type: one function per pair of types, exact or undefined. */
import { PROFILES } from "../encode/profiles.ts";
import { type NotNull, textWriter } from "../encode/value-writers.ts";
import { ResultError } from "../failure.ts";
import { arrowTypeName } from "../names/arrow.ts";
import { SECONDS_PER_DAY } from "../text/calendar.ts";
import { parseDate } from "../text/date.ts";
import { canonicalDecimal, decimalInteger } from "../text/decimal.ts";
import { PER_SECOND } from "../text/time.ts";
import { floorDivide, parseTimestamp, timestampText } from "../text/timestamp.ts";
import { openZone, type Zone } from "../text/zone.ts";
import type { LogicalType, Value } from "../types.ts";
import type { ColumnDtype, IntegerDtype } from "./column-dtypes.ts";

export interface Conversion {
  readonly type: LogicalType;
  /** Undefined when the value does not convert without loss; null only where the rule of the pair defines it. */
  readonly convert: (value: NotNull) => Value | undefined;
}

type Convert = Conversion["convert"];
type Kind = LogicalType["kind"];

const NANOSECONDS_PER_DAY = 86_400_000_000_000n;

/**
 * Undefined when the column already has the type.
 *
 * @throws ResultError CONVERSION when no value of `type` can be shown as `dtype`.
 */
export function conversionOf(
  type: LogicalType,
  dtype: ColumnDtype,
  displayZone: Zone | undefined,
  column: string,
): Conversion | undefined {
  if (isAlready(type, dtype)) return undefined;
  const conversion = choose(type, dtype, displayZone, column);
  if (conversion !== undefined) return conversion;
  throw new ResultError(
    "CONVERSION",
    `Column "${column}" is ${arrowTypeName(type)}, which has no ${dtype.replace(/^as /, "")}.`,
    {
      column,
    },
  );
}

function isAlready(type: LogicalType, dtype: ColumnDtype): boolean {
  if (dtype === "bool") return type.kind === "boolean";
  if (dtype.startsWith("as ")) return arrowTypeName(type) === dtype.slice("as ".length);
  return type.kind === dtype;
}

function choose(
  type: LogicalType,
  dtype: ColumnDtype,
  displayZone: Zone | undefined,
  column: string,
): Conversion | undefined {
  switch (dtype) {
    case "string":
      return { type: { kind: "string" }, convert: toText(type, displayZone, column) };
    case "int8":
    case "int16":
    case "int32":
    case "int64":
    case "uint8":
    case "uint16":
    case "uint32":
    case "uint64": {
      const convert = toInteger(type.kind, dtype);
      return convert && { type: { kind: dtype }, convert };
    }
    case "float64": {
      const convert = toFloat(type.kind);
      return convert && { type: { kind: "float64" }, convert };
    }
    case "bool": {
      const convert = toBoolean(type.kind);
      return convert && { type: { kind: "boolean" }, convert };
    }
    case "timestamp":
      return toTimestamp(type.kind);
    case "date": {
      const convert = toDate(type, displayZone);
      return convert && { type: { kind: "date" }, convert };
    }
    default:
      // `as …`: no type converts to it.
      return undefined;
  }
}

/** The text of the profile `modern`. */
function toText(type: LogicalType, displayZone: Zone | undefined, column: string): Convert {
  const utc: Zone = { name: "UTC", offsetAt: () => 0 };
  return textWriter(type, {
    column,
    rules: PROFILES.modern.columns,
    zoneOf: (typeZone) => displayZone ?? openZone(typeZone) ?? utc,
  });
}

function toInteger(kind: Kind, target: IntegerDtype): Convert | undefined {
  const read = integerReader(kind);
  if (read === undefined) return undefined;
  const bits = Number(target.replace(/^u?int/, ""));
  const fits = target.startsWith("u") ? BigInt.asUintN : BigInt.asIntN;
  return (value) => {
    const integer = read(value);
    if (integer === undefined || fits(bits, integer) !== integer) return undefined;
    return bits === 64 ? integer : Number(integer);
  };
}

/** The value as an integer of any size; undefined if it has a fraction or is not a number. */
function integerReader(kind: Kind): ((value: NotNull) => bigint | undefined) | undefined {
  switch (kind) {
    case "boolean":
      return (value) => (value === true ? 1n : 0n);
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
      return (value) => {
        if (typeof value === "bigint") return value;
        return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : undefined;
      };
    case "decimal":
      return (value) => (typeof value === "string" ? decimalInteger(value) : undefined);
    case "string":
      return (value) => {
        const canonical = typeof value === "string" ? canonicalDecimal(value) : undefined;
        return canonical === undefined ? undefined : decimalInteger(canonical);
      };
    case "null":
      return () => undefined;
    default:
      return undefined;
  }
}

/** The nearest binary64 value. A value beyond the range of binary64 does not convert. */
function toFloat(kind: Kind): Convert | undefined {
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
      return (value) => Number(value);
    case "float32":
      return (value) => (typeof value === "number" ? Math.fround(value) : undefined);
    case "decimal":
    case "string":
      return (value) => {
        const canonical = typeof value === "string" ? canonicalDecimal(value) : undefined;
        if (canonical === undefined) return undefined;
        const number = Number(canonical);
        return Number.isFinite(number) || !/\d/.test(canonical) ? number : undefined;
      };
    case "null":
      return () => undefined;
    default:
      return undefined;
  }
}

/** Converts numbers as SQL casts do: zero is false, all others are true. Text converts only in PostgreSQL's spellings. */
function toBoolean(kind: Kind): Convert | undefined {
  switch (kind) {
    case "int8":
    case "int16":
    case "int32":
    case "int64":
    case "uint8":
    case "uint16":
    case "uint32":
    case "uint64":
      return (value) => Number(value) !== 0;
    case "string":
      return (value) => (typeof value === "string" ? BOOLEANS.get(value.trim().toLowerCase()) : undefined);
    case "null":
      return () => undefined;
    default:
      return undefined;
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["t", true],
  ["1", true],
  ["false", false],
  ["f", false],
  ["0", false],
]);

/**
 * A date becomes its midnight. A text stays a text in the timestamp format and keeps its offset: rows of one column may or may
 * not have one, and no timestamp type can represent both. A text that is not a timestamp becomes NULL.
 */
function toTimestamp(kind: Kind): Conversion | undefined {
  switch (kind) {
    case "date":
      return {
        type: { kind: "timestamp", unit: "us", zone: undefined },
        convert: (value) => {
          if (typeof value !== "number") return undefined;
          if (value === Number.POSITIVE_INFINITY) return "infinity";
          if (value === Number.NEGATIVE_INFINITY) return "-infinity";
          return BigInt(value) * 86_400_000_000n;
        },
      };
    case "string":
      return { type: { kind: "string" }, convert: respellTimestamp };
    case "null":
      return { type: { kind: "timestamp", unit: "us", zone: undefined }, convert: () => undefined };
    default:
      return undefined;
  }
}

function respellTimestamp(value: NotNull): Value {
  const parsed = typeof value === "string" ? parseTimestamp(value) : undefined;
  if (parsed === undefined) return null;
  const { localNanoseconds, offset } = parsed;
  if (offset === undefined) return timestampText(localNanoseconds, "ns");
  const instant = localNanoseconds - BigInt(offset) * 1_000_000_000n;
  return timestampText(instant, "ns", { name: "", offsetAt: () => offset });
}

/** The calendar day; for an instant, the day in the display zone. A text with a time other than midnight has no date. */
function toDate(type: LogicalType, displayZone: Zone | undefined): Convert | undefined {
  switch (type.kind) {
    case "timestamp": {
      const perSecond = PER_SECOND[type.unit];
      const zone = type.zone === undefined ? undefined : (displayZone ?? openZone(type.zone));
      return (value) => {
        if (value === "infinity") return Number.POSITIVE_INFINITY;
        if (value === "-infinity") return Number.NEGATIVE_INFINITY;
        if (typeof value !== "bigint") return undefined;
        const second = Number(floorDivide(value, perSecond));
        return Math.floor((second + (zone?.offsetAt(second) ?? 0)) / SECONDS_PER_DAY);
      };
    }
    case "string":
      return (value) => {
        if (typeof value !== "string") return undefined;
        const date = parseDate(value.trim());
        if (date !== undefined) return date;
        const parsed = parseTimestamp(value);
        if (parsed === undefined || parsed.localNanoseconds % NANOSECONDS_PER_DAY !== 0n) return undefined;
        return Number(parsed.localNanoseconds / NANOSECONDS_PER_DAY);
      };
    case "null":
      return () => undefined;
    default:
      return undefined;
  }
}
