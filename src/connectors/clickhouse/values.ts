/**
 * Converts ClickHouse values in `RowBinary`, which is exact (https://clickhouse.com/docs/interfaces/formats/RowBinary), to
 * canonical ones. Unions of types (`Variant`, `Dynamic`) and states of aggregate functions have no canonical type.
 */
import { openZone } from "../../result/text/zone.ts";
import type { IntervalValue, LogicalType, TimeUnit, Value } from "../../result/types.ts";
import { UnreadableValue } from "../unreadable-value.ts";
import type { BinaryReader } from "./binary-reader.ts";
import type { TypePart, TypeText } from "./type-text.ts";

/** Throws `Incomplete`, and `UnreadableValue` for a value without a canonical form. */
export type ReadBinary = (from: BinaryReader) => Value;

export interface BinaryType {
  readonly type: LogicalType;
  readonly read: ReadBinary;
}

/** Maximum number of elements of one value; a larger number does not fit into memory, or is not a length. */
const MAX_ELEMENTS = 10_000_000;

/** Undefined for a type without a canonical one. */
export function binaryType(text: TypeText): BinaryType | undefined {
  const { family, parts } = text;
  const fixed = FIXED.get(family);
  if (fixed !== undefined) return fixed;
  const [first, second] = parts;
  switch (family) {
    case "Nullable": {
      const inner = typeAt(first);
      return inner && { type: inner.type, read: (from) => (from.uint8() === 0 ? inner.read(from) : null) };
    }
    case "LowCardinality":
      return typeAt(first);
    // Stored as a plain value; the function only defines how rows with the same key are merged.
    case "SimpleAggregateFunction":
      return typeAt(second);
    case "FixedString": {
      const length = numberAt(first);
      return { type: { kind: "string" }, read: (from) => from.text(length, true) };
    }
    case "Decimal":
      return decimal(numberAt(first), numberAt(second));
    case "Enum8":
    case "Enum16":
      return enumeration(parts, family === "Enum8");
    case "DateTime":
      return instants("s", textAt(first), (from) => BigInt(from.uint32()));
    case "DateTime64":
      return ticks(numberAt(first), (unit, factor) => instants(unit, textAt(second), (from) => from.int64() * factor));
    case "Time64":
      return ticks(numberAt(first), (unit, factor) => ({
        type: { kind: "time", unit },
        read: (from) => Number(from.int64() * factor),
      }));
    case "Array":
      return list(typeAt(first));
    case "Nested":
      return list(struct(parts));
    case "Tuple":
      return struct(parts);
    case "Map":
      return map(typeAt(first), typeAt(second));
    default:
      return undefined;
  }
}

/** The bytes of a text column that the manifest declares as BYTEA; `undefined` for columns of other types. */
export function bytesType({ family, parts: [first] }: TypeText): BinaryType | undefined {
  const type = { kind: "binary" } as const;
  if (family === "String") return { type, read: (from) => from.bytes(from.count()) };
  const length = numberAt(first);
  if (family === "FixedString") return { type, read: (from) => from.bytes(length) };
  const inner = first?.kind === "type" ? bytesType(first.type) : undefined;
  if (inner === undefined || family === "LowCardinality") return inner;
  if (family !== "Nullable") return undefined;
  return { type, read: (from) => (from.uint8() === 0 ? inner.read(from) : null) };
}

const UUID_BYTES = [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8] as const;
const POINT: BinaryType = {
  type: {
    kind: "struct",
    fields: [
      { name: "1", type: { kind: "float64" } },
      { name: "2", type: { kind: "float64" } },
    ],
  },
  read: (from) => [from.float64(), from.float64()],
};
const PATH = listOf(POINT);

const FIXED: ReadonlyMap<string, BinaryType> = new Map<string, BinaryType>([
  ["Bool", { type: { kind: "boolean" }, read: (from) => from.uint8() !== 0 }],
  ["Int8", { type: { kind: "int8" }, read: (from) => from.int8() }],
  ["Int16", { type: { kind: "int16" }, read: (from) => from.int16() }],
  ["Int32", { type: { kind: "int32" }, read: (from) => from.int32() }],
  ["Int64", { type: { kind: "int64" }, read: (from) => from.int64() }],
  ["UInt8", { type: { kind: "uint8" }, read: (from) => from.uint8() }],
  ["UInt16", { type: { kind: "uint16" }, read: (from) => from.uint16() }],
  ["UInt32", { type: { kind: "uint32" }, read: (from) => from.uint32() }],
  ["UInt64", { type: { kind: "uint64" }, read: (from) => from.uint64() }],
  // Integers of 39 and more digits: decimals of unknown size.
  ["Int128", { type: { kind: "decimal" }, read: (from) => from.wide(16, true).toString() }],
  ["Int256", { type: { kind: "decimal" }, read: (from) => from.wide(32, true).toString() }],
  ["UInt128", { type: { kind: "decimal" }, read: (from) => from.wide(16, false).toString() }],
  ["UInt256", { type: { kind: "decimal" }, read: (from) => from.wide(32, false).toString() }],
  ["Float32", { type: { kind: "float32" }, read: (from) => from.float32() }],
  ["Float64", { type: { kind: "float64" }, read: (from) => from.float64() }],
  ["BFloat16", { type: { kind: "float32" }, read: (from) => upperHalf(from.uint16()) }],
  ["String", { type: { kind: "string" }, read: (from) => from.text(from.count()) }],
  // Written as text, which every statement requests.
  ["JSON", { type: { kind: "json" }, read: (from) => from.text(from.count()) }],
  ["UUID", { type: { kind: "uuid" }, read: (from) => uuid(from.bytes(16)) }],
  ["IPv4", { type: { kind: "string" }, read: (from) => ipv4(from.uint32()) }],
  ["IPv6", { type: { kind: "string" }, read: (from) => ipv6(from.bytes(16)) }],
  ["Date", { type: { kind: "date" }, read: (from) => from.uint16() }],
  ["Date32", { type: { kind: "date" }, read: (from) => from.int32() }],
  ["Time", { type: { kind: "time", unit: "s" }, read: (from) => from.int32() }],
  ["Nothing", { type: { kind: "null" }, read: () => null }],
  ["Point", POINT],
  ["Ring", PATH],
  ["LineString", PATH],
  ["Polygon", listOf(PATH)],
  ["MultiLineString", listOf(PATH)],
  ["MultiPolygon", listOf(listOf(PATH))],
  ...intervals(),
]);

function upperHalf(bits: number): number {
  const view = new DataView(new ArrayBuffer(4));
  view.setUint16(0, bits);
  return view.getFloat32(0);
}

/** Two numbers of eight bytes, each little-endian. */
function uuid(bytes: Uint8Array): string {
  const hex = UUID_BYTES.map((index) => (bytes[index] as number).toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function ipv4(address: number): string {
  return [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join(".");
}

/** The form of RFC 5952, which ClickHouse also uses. */
function ipv6(bytes: Uint8Array): string {
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i] as number) << 8) | (bytes[2 * i + 1] as number));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return `::ffff:${[...bytes.subarray(12)].join(".")}`;
  let gap = { from: 8, to: 8 };
  for (let from = 0; from < 8; from++) {
    let to = from;
    while (to < 8 && groups[to] === 0) to++;
    if (to - from > Math.max(1, gap.to - gap.from)) gap = { from, to };
  }
  const texts = groups.map((group) => group.toString(16));
  if (gap.from === gap.to) return texts.join(":");
  return `${texts.slice(0, gap.from).join(":")}::${texts.slice(gap.to).join(":")}`;
}

function intervals(): [string, BinaryType][] {
  const none: IntervalValue = { months: 0, days: 0, microseconds: 0n };
  const small = (value: bigint): number => {
    if (value >= -(2n ** 31n) && value < 2n ** 31n) return Number(value);
    throw new UnreadableValue("an interval of that length");
  };
  const exact = (value: bigint): bigint => {
    if (value % 1000n !== 0n) throw new UnreadableValue("an interval of nanoseconds");
    return value / 1000n;
  };
  const units: Readonly<Record<string, (value: bigint) => Partial<IntervalValue>>> = {
    Nanosecond: (value) => ({ microseconds: exact(value) }),
    // The type of a difference of timestamps on ClickHouse. Its value is split into days and time, as in PostgreSQL.
    Microsecond: (value) => ({ days: small(value / 86_400_000_000n), microseconds: value % 86_400_000_000n }),
    Millisecond: (value) => ({ microseconds: value * 1000n }),
    Second: (value) => ({ microseconds: value * 1_000_000n }),
    Minute: (value) => ({ microseconds: value * 60_000_000n }),
    Hour: (value) => ({ microseconds: value * 3_600_000_000n }),
    Day: (value) => ({ days: small(value) }),
    Week: (value) => ({ days: small(value * 7n) }),
    Month: (value) => ({ months: small(value) }),
    Quarter: (value) => ({ months: small(value * 3n) }),
    Year: (value) => ({ months: small(value * 12n) }),
  };
  return Object.entries(units).map(([unit, parts]) => [
    `Interval${unit}`,
    { type: { kind: "interval" }, read: (from) => ({ ...none, ...parts(from.int64()) }) },
  ]);
}

function typeAt(part: TypePart | undefined): BinaryType | undefined {
  return part?.kind === "type" ? binaryType(part.type) : undefined;
}

function numberAt(part: TypePart | undefined): number {
  return part?.kind === "number" ? part.value : 0;
}

function textAt(part: TypePart | undefined): string | undefined {
  return part?.kind === "text" ? part.value : undefined;
}

function decimal(precision: number, scale: number): BinaryType {
  const integer: (from: BinaryReader) => bigint =
    precision <= 9
      ? (from) => BigInt(from.int32())
      : precision <= 18
        ? (from) => from.int64()
        : (from) => from.wide(precision <= 38 ? 16 : 32, true);
  const read = (from: BinaryReader): string => {
    const value = integer(from);
    const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0");
    const point = digits.length - scale;
    return `${value < 0n ? "-" : ""}${digits.slice(0, point)}${scale === 0 ? "" : `.${digits.slice(point)}`}`;
  };
  return { type: { kind: "decimal", precision, scale }, read };
}

function enumeration(parts: readonly TypePart[], isByte: boolean): BinaryType {
  const names = new Map(parts.flatMap((part) => (part.kind === "text" ? [[part.number, part.value] as const] : [])));
  const read = (from: BinaryReader): string => {
    const name = names.get(isByte ? from.int8() : from.int16());
    if (name === undefined) throw new UnreadableValue("a number that its enumeration has no name for");
    return name;
  };
  return { type: { kind: "string" }, read };
}

/** A type without a zone has the session's, which is UTC: the number then equals that of the local time. */
function instants(unit: TimeUnit, zone: string | undefined, read: (from: BinaryReader) => bigint): BinaryType {
  const shown = zone === undefined || openZone(zone) !== undefined ? zone : "UTC";
  return { type: { kind: "timestamp", unit, zone: shown }, read };
}

/** `scale` fraction digits of a second, as whole units. */
function ticks(scale: number, make: (unit: TimeUnit, factor: bigint) => BinaryType): BinaryType {
  const digits = scale === 0 ? 0 : scale <= 3 ? 3 : scale <= 6 ? 6 : 9;
  const unit = ({ 0: "s", 3: "ms", 6: "us", 9: "ns" } as const)[digits];
  return make(unit, 10n ** BigInt(digits - scale));
}

function list(element: BinaryType | undefined): BinaryType | undefined {
  return element && listOf(element);
}

function listOf({ type, read }: BinaryType): BinaryType {
  return {
    type: { kind: "list", element: type },
    read: (from) => eachOf(from, () => read(from)),
  };
}

function map(key: BinaryType | undefined, value: BinaryType | undefined): BinaryType | undefined {
  if (key === undefined || value === undefined) return undefined;
  return {
    type: { kind: "map", key: key.type, value: value.type },
    read: (from) => eachOf(from, () => [key.read(from), value.read(from)]),
  };
}

function struct(parts: readonly TypePart[]): BinaryType | undefined {
  const fields = parts.map((part, index) => {
    const inner = typeAt(part);
    return inner && { name: (part.kind === "type" && part.name) || String(index + 1), ...inner };
  });
  if (!fields.every((field) => field !== undefined)) return undefined;
  return {
    type: { kind: "struct", fields: fields.map(({ name, type }) => ({ name, type })) },
    read: (from) => fields.map(({ read }) => read(from)),
  };
}

function eachOf(from: BinaryReader, read: () => Value): Value[] {
  const count = from.count();
  if (count > MAX_ELEMENTS) throw new UnreadableValue(`a value of ${count} elements`);
  const values: Value[] = [];
  for (let index = 0; index < count; index++) values.push(read());
  return values;
}
