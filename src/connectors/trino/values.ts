/**
 * Trino's types, from the signatures in its responses, and readers of their JSON values: numbers for integers and binary
 * fractions, texts for nearly all other types (Trino's client protocol; `io.trino.client.JsonDecodingUtils` for the form of each
 * type). Types without a counterpart stay text.
 */
import { SECONDS_PER_DAY } from "../../result/text/calendar.ts";
import { parseDate } from "../../result/text/date.ts";
import { PER_SECOND, parseTimeOfDay } from "../../result/text/time.ts";
import { parseTimestamp } from "../../result/text/timestamp.ts";
import { openZone, type Zone } from "../../result/text/zone.ts";
import type { IntervalValue, LogicalType, TimeUnit } from "../../result/types.ts";
import type { ReadJson } from "../http/json-rows.ts";
import { UnreadableValue } from "../unreadable-value.ts";

/** `rawType` and its arguments. */
export interface TypeSignature {
  readonly rawType: string;
  readonly arguments?: readonly TypeArgument[];
}
export type TypeArgument =
  | { readonly kind: "LONG"; readonly value: number }
  | { readonly kind: "TYPE"; readonly value: TypeSignature }
  | {
      readonly kind: "NAMED_TYPE";
      readonly value: { readonly fieldName?: { readonly name: string } | null; readonly typeSignature: TypeSignature };
    };

export interface TypeReader {
  readonly type: LogicalType;
  readonly read: ReadJson;
}

/** `text` is Trino's name of the whole type, for types without a counterpart. */
export function typeReader(signature: TypeSignature, text: string): TypeReader {
  const parts = (signature.arguments ?? []) as readonly TypeArgument[];
  const [first = 0, second = 0] = parts.map((part) => (part.kind === "LONG" ? part.value : 0));
  switch (signature.rawType) {
    case "boolean":
      return { type: { kind: "boolean" }, read: boolean };
    case "tinyint":
      return { type: { kind: "int8" }, read: integer };
    case "smallint":
      return { type: { kind: "int16" }, read: integer };
    case "integer":
      return { type: { kind: "int32" }, read: integer };
    case "bigint":
      return { type: { kind: "int64" }, read: bigInteger };
    case "real":
      return { type: { kind: "float32" }, read: (json) => Math.fround(fraction(json)) };
    case "double":
      return { type: { kind: "float64" }, read: fraction };
    case "decimal":
      return { type: { kind: "decimal", precision: first, scale: second }, read: decimal };
    case "varchar":
    case "char":
    case "ipaddress":
    case "time with time zone":
      return { type: { kind: "string" }, read: string };
    case "json":
    case "uuid":
      return { type: { kind: signature.rawType }, read: string };
    case "varbinary":
      return { type: { kind: "binary" }, read: bytes };
    case "date":
      return { type: { kind: "date" }, read: (json) => parseDate(withEra(string(json))) ?? fail("a date") };
    case "time":
      if (first > 9) break;
      return { type: { kind: "time", unit: "ns" }, read: (json) => parseTimeOfDay(string(json)) ?? fail("a time") };
    case "timestamp":
    case "timestamp with time zone": {
      if (first > 9) break;
      const unit = unitOf(first);
      const isInstant = signature.rawType !== "timestamp";
      const read = isInstant ? instantReader(unit) : (json: unknown) => inUnit(localTime(string(json)), unit);
      return { type: { kind: "timestamp", unit, zone: isInstant ? "UTC" : undefined }, read };
    }
    case "interval day to second":
      return { type: { kind: "interval" }, read: dayInterval };
    case "interval year to month":
      return { type: { kind: "interval" }, read: monthInterval };
    case "array":
      return list(readerAt(parts, 0));
    case "map":
      return map(readerAt(parts, 0), readerAt(parts, 1));
    case "row":
      return struct(parts);
    case "unknown":
      return { type: { kind: "null" }, read: () => fail("a value of a type that has none") };
  }
  return {
    type: { kind: "opaque", name: text },
    read: (json) => (typeof json === "string" ? json : JSON.stringify(json)),
  };
}

function fail(what: string): never {
  throw new UnreadableValue(what);
}

function boolean(json: unknown): boolean {
  return typeof json === "boolean" ? json : fail("a boolean");
}

/** Keys of maps are texts, whatever their type is. */
function integer(json: unknown): number {
  const value = typeof json === "string" && /^-?\d{1,10}$/.test(json) ? Number(json) : json;
  return typeof value === "number" && Number.isInteger(value) ? value : fail("an integer");
}

function bigInteger(json: unknown): bigint {
  if (typeof json === "bigint" || (typeof json === "number" && Number.isSafeInteger(json))) return BigInt(json);
  return typeof json === "string" && /^-?\d{1,19}$/.test(json) ? BigInt(json) : fail("an integer");
}

/** `"NaN"`, `"Infinity"` and `"-Infinity"` are texts; a large integer may have been parsed as a `bigint`. */
function fraction(json: unknown): number {
  if (typeof json === "number" || typeof json === "bigint") return Number(json);
  return typeof json === "string" && /^(?:NaN|-?Infinity|-?\d[\d.eE+-]*)$/.test(json) ? Number(json) : fail("a number");
}

function decimal(json: unknown): string {
  return typeof json === "string" && /^-?\d+(?:\.\d+)?$/.test(json) ? json : fail("a decimal");
}

function string(json: unknown): string {
  return typeof json === "string" ? json : fail("a text");
}

function bytes(json: unknown): Uint8Array {
  try {
    return Uint8Array.from(atob(string(json)), (character) => character.charCodeAt(0));
  } catch {
    return fail("bytes in base64");
  }
}

/** Trino writes years outside of 0001 to 9999 with a sign, and has a year 0; our readers expect the era as a suffix. */
function withEra(text: string): string {
  if (text.startsWith("+")) return text.slice(1);
  const isYear0 = text.startsWith("0000-");
  if (!isYear0 && !text.startsWith("-")) return text;
  const [, year = "", rest = ""] = /^-?(\d+)(-.*)$/.exec(text) ?? fail("a date");
  return `${String(Number(year) + 1).padStart(4, "0")}${rest} BC`;
}

function unitOf(digits: number): TimeUnit {
  return digits <= 3 ? "ms" : digits <= 6 ? "us" : "ns";
}

function localTime(text: string): bigint {
  const { localNanoseconds } = parseTimestamp(withEra(text)) ?? fail("a timestamp");
  return localNanoseconds;
}

/** Trino writes as many digits as the type has, so nothing is lost. */
function inUnit(nanoseconds: bigint, unit: TimeUnit): bigint {
  return nanoseconds / BigInt(1e9 / PER_SECOND[unit]);
}

/** A local time and the name of its zone. Returns the instant, unless the local time occurred twice or never. */
export function instantReader(unit: TimeUnit): ReadJson {
  const zones = new Map<string, Zone | undefined>();
  const zoneOf = (name: string): Zone => {
    if (!zones.has(name)) zones.set(name, openZone(name));
    return zones.get(name) ?? fail("a timestamp in a zone that is not known");
  };
  return (json) => {
    const [, clock = "", name = ""] = /^(.*) (\S+)$/.exec(string(json)) ?? fail("a timestamp with its zone");
    const local = localTime(clock);
    const zone = zoneOf(name);
    const second = Number(local / 1_000_000_000n);
    // Changes of a zone's offset are further apart than this.
    const offsets = new Set([second - SECONDS_PER_DAY, second + SECONDS_PER_DAY].map((near) => zone.offsetAt(near)));
    const possible = [...offsets].filter((offset) => zone.offsetAt(second - offset) === offset);
    const [offset] = possible;
    if (offset === undefined || possible.length > 1) fail("a time that its zone's clocks showed twice or never");
    return inUnit(local - BigInt(offset as number) * 1_000_000_000n, unit);
  };
}

/** `[-]D HH:MM:SS.fff`; the sign applies to all parts. */
function dayInterval(json: unknown): IntervalValue {
  const [, sign, days = "", clock = ""] =
    /^(-)?(\d+) (\d\d:\d\d:\d\d\.\d{3})$/.exec(string(json)) ?? fail("an interval");
  const microseconds = BigInt(parseTimeOfDay(clock) ?? fail("an interval")) / 1000n;
  // Avoids -0, which is another number.
  return sign === undefined
    ? { months: 0, days: Number(days), microseconds }
    : { months: 0, days: 0 - Number(days), microseconds: -microseconds };
}

/** `[-]Y-M` */
function monthInterval(json: unknown): IntervalValue {
  const [, sign, years = "", months = ""] = /^(-)?(\d+)-(\d+)$/.exec(string(json)) ?? fail("an interval");
  const size = Number(years) * 12 + Number(months);
  return { months: sign === undefined ? size : 0 - size, days: 0, microseconds: 0n };
}

function readerAt(parts: readonly TypeArgument[], index: number): TypeReader {
  const part = parts[index];
  return part?.kind === "TYPE" ? typeReader(part.value, part.value.rawType) : fail("a type without its parts");
}

function list({ type, read }: TypeReader): TypeReader {
  const element = nullable(read);
  return {
    type: { kind: "list", element: type },
    read: (json) => (Array.isArray(json) ? json.map(element) : fail("an array")),
  };
}

function map(key: TypeReader, value: TypeReader): TypeReader {
  const readValue = nullable(value.read);
  return {
    type: { kind: "map", key: key.type, value: value.type },
    read: (json) => {
      if (typeof json !== "object" || json === null || Array.isArray(json)) return fail("a map");
      return Object.entries(json).map(([name, inner]) => [key.read(name), readValue(inner)]);
    },
  };
}

function struct(parts: readonly TypeArgument[]): TypeReader {
  const fields = parts.map((part, index) => {
    if (part.kind !== "NAMED_TYPE") return fail("a row type without its fields");
    const { fieldName, typeSignature } = part.value;
    return { name: fieldName?.name ?? `field${index}`, ...typeReader(typeSignature, typeSignature.rawType) };
  });
  const readers = fields.map(({ read }) => nullable(read));
  return {
    type: { kind: "struct", fields: fields.map(({ name, type }) => ({ name, type })) },
    read: (json) => {
      if (!Array.isArray(json) || json.length !== readers.length) return fail("a row");
      return readers.map((read, index) => read(json[index]));
    },
  };
}

function nullable(read: ReadJson): ReadJson {
  return (json) => (json === null ? null : read(json));
}
