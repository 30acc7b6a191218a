/**
 * The DuckDB type of a column (`ParquetReader::DeriveLogicalType` of 1.4, `extension/parquet/parquet_reader.cpp`), and the
 * conversion of its values to Arrow's. Other types are left to native DuckDB.
 */
import type { ArrowType } from "../../../../result/encode/arrow/types.ts";
import { hexText } from "../../../../result/text/hex.ts";
import { Beyond } from "../../beyond.ts";
import type { Struct } from "../compact-protocol.ts";
import { ParquetFault } from "../fault.ts";
import { integerOf } from "../footer.ts";
import { type Dense, Fixed, type Take, Texts } from "./dense.ts";

export const PHYSICAL = {
  boolean: 0,
  int32: 1,
  int64: 2,
  int96: 3,
  float: 4,
  double: 5,
  bytes: 6,
  fixed: 7,
} as const;

export interface LeafType {
  /** The type's text in `CREATE TABLE`. */
  readonly sql: string;
  readonly arrow: ArrowType;
  /** Bytes of a value in the engine, without the characters of texts. */
  readonly width: number;
  /** Converts values from the file, each with the width of its physical type. Undefined: no conversion is needed. */
  readonly convert?: (raw: Dense, take: Take) => Dense;
  /** DuckDB's JSON type, which only an extension has; the WASM engine uses a text. */
  readonly isJson?: true;
}

/** Bytes of a value in the file; undefined for values of variable length. */
export function rawWidth(element: Struct): number | undefined {
  switch (Number(integerOf(element, 1) ?? -1n)) {
    case PHYSICAL.boolean:
      return 1;
    case PHYSICAL.int32:
    case PHYSICAL.float:
      return 4;
    case PHYSICAL.int64:
    case PHYSICAL.double:
      return 8;
    case PHYSICAL.int96:
      return 12;
    case PHYSICAL.fixed: {
      const width = Number(integerOf(element, 2) ?? 0n);
      if (width < 1 || width > 65_536) throw new ParquetFault("Its schema has values of no width.");
      return width;
    }
    default:
      return undefined;
  }
}

/** Undefined for an unsupported type. */
export function leafType(element: Struct): LeafType | undefined {
  const physical = Number(integerOf(element, 1) ?? -1n);
  const logical = logicalOf(element);
  switch (logical?.id) {
    case LOGICAL.uuid:
      return physical === PHYSICAL.fixed && rawWidth(element) === 16
        ? { sql: "UUID", arrow: { kind: "text" }, width: 16, convert: uuids }
        : undefined;
    case LOGICAL.float16:
      return physical === PHYSICAL.fixed && rawWidth(element) === 2
        ? { sql: "FLOAT", arrow: { kind: "float", bits: 32 }, width: 4, convert: halves }
        : undefined;
    case LOGICAL.timestamp:
      return physical === PHYSICAL.int64 ? timestamp(logical.inside) : undefined;
    case LOGICAL.time:
      return time(logical.inside, physical);
    default:
      // DuckDB uses the older annotation, which writers add next to the newer one.
      return logical !== undefined && !element.has(6) ? undefined : converted(element, physical);
  }
}

const LOGICAL = { time: 7, timestamp: 8, uuid: 14, float16: 15 } as const;

function logicalOf(element: Struct): { readonly id: number; readonly inside: Struct } | undefined {
  const logical = element.get(10);
  if (logical === undefined) return undefined;
  const [first] = logical.type === "struct" ? [...logical.value] : [];
  if (first === undefined) return { id: -1, inside: new Map() };
  const [id, field] = first;
  return { id, inside: field.type === "struct" ? field.value : new Map() };
}

type Unit = "ms" | "us" | "ns";

function unitOf(inside: Struct): Unit | undefined {
  const unit = inside.get(2);
  const [id] = unit?.type === "struct" ? [...unit.value.keys()] : [];
  return id === undefined ? undefined : ({ 1: "ms", 2: "us", 3: "ns" } as const)[id];
}

function isUtc(inside: Struct): boolean {
  const utc = inside.get(1);
  return utc?.type === "boolean" && utc.value;
}

function timestamp(inside: Struct): LeafType | undefined {
  const unit = unitOf(inside);
  if (unit === undefined) return undefined;
  const sql = isUtc(inside) ? "TIMESTAMPTZ" : unit === "ns" ? "TIMESTAMP_NS" : "TIMESTAMP";
  const zone = isUtc(inside) ? "UTC" : undefined;
  const isNs = unit === "ns" && zone === undefined;
  return {
    sql,
    arrow: { kind: "timestamp", unit: isNs ? "ns" : "us", zone },
    width: 8,
    ...(unit === "ms" && { convert: milliseconds }),
    ...(unit === "ns" && !isNs && { convert: nanoseconds }),
  };
}

/** Times with a zone, and those in nanoseconds, which have a type of their own, are not supported. */
function time(inside: Struct, physical: number): LeafType | undefined {
  if (isUtc(inside)) return undefined;
  switch (unitOf(inside)) {
    case "ms":
      return physical === PHYSICAL.int32 ? TIME_MS : undefined;
    case "us":
      return physical === PHYSICAL.int64 ? TIME : undefined;
    default:
      return undefined;
  }
}

const TIME: LeafType = { sql: "TIME", arrow: { kind: "time", unit: "us", bits: 64 }, width: 8 };
const TIME_MS: LeafType = {
  ...TIME,
  convert: (raw, take) => int64s(raw, take, (view, at) => BigInt(view.getInt32(at, true)) * 1000n),
};
const TIMESTAMP: LeafType = { sql: "TIMESTAMP", arrow: { kind: "timestamp", unit: "us", zone: undefined }, width: 8 };
const BLOB: LeafType = { sql: "BLOB", arrow: { kind: "binary" }, width: 16 };
const FIXED_BLOB: LeafType = { ...BLOB, convert: texts };
const TEXT: LeafType = { sql: "VARCHAR", arrow: { kind: "text" }, width: 16 };

function integer(sql: string, bits: 8 | 16 | 32 | 64, signed: boolean): LeafType {
  const arrow = { kind: "integer", bits, signed } as const;
  return { sql, arrow, width: bits / 8, ...(bits < 32 && { convert: narrowed(bits / 8) }) };
}

const PLAIN: ReadonlyMap<number, LeafType> = new Map<number, LeafType>([
  [PHYSICAL.boolean, { sql: "BOOLEAN", arrow: { kind: "boolean" }, width: 1 }],
  [PHYSICAL.int32, integer("INTEGER", 32, true)],
  [PHYSICAL.int64, integer("BIGINT", 64, true)],
  [PHYSICAL.int96, { ...TIMESTAMP, convert: (raw, take) => int64s(raw, take, int96) }],
  [PHYSICAL.float, { sql: "FLOAT", arrow: { kind: "float", bits: 32 }, width: 4 }],
  [PHYSICAL.double, { sql: "DOUBLE", arrow: { kind: "float", bits: 64 }, width: 8 }],
  [PHYSICAL.bytes, BLOB],
  [PHYSICAL.fixed, FIXED_BLOB],
]);

/** By the number of `ConvertedType`, with the physical type that it requires. */
const CONVERTED: ReadonlyMap<number, readonly [physical: number, type: LeafType]> = new Map<
  number,
  readonly [number, LeafType]
>([
  [0, [PHYSICAL.bytes, TEXT]],
  [4, [PHYSICAL.bytes, TEXT]],
  [6, [PHYSICAL.int32, { sql: "DATE", arrow: { kind: "date" }, width: 4 }]],
  [7, [PHYSICAL.int32, TIME_MS]],
  [8, [PHYSICAL.int64, TIME]],
  [9, [PHYSICAL.int64, { ...TIMESTAMP, convert: milliseconds }]],
  [10, [PHYSICAL.int64, TIMESTAMP]],
  [11, [PHYSICAL.int32, integer("UTINYINT", 8, false)]],
  [12, [PHYSICAL.int32, integer("USMALLINT", 16, false)]],
  [13, [PHYSICAL.int32, integer("UINTEGER", 32, false)]],
  [14, [PHYSICAL.int64, integer("UBIGINT", 64, false)]],
  [15, [PHYSICAL.int32, integer("TINYINT", 8, true)]],
  [16, [PHYSICAL.int32, integer("SMALLINT", 16, true)]],
  [17, [PHYSICAL.int32, integer("INTEGER", 32, true)]],
  [18, [PHYSICAL.int64, integer("BIGINT", 64, true)]],
  [19, [PHYSICAL.bytes, { ...TEXT, isJson: true }]],
  [20, [PHYSICAL.bytes, BLOB]],
]);

const DECIMAL = 5;
const INTERVAL = 21;

function converted(element: Struct, physical: number): LeafType | undefined {
  const number = integerOf(element, 6);
  if (number === undefined) return PLAIN.get(physical);
  switch (Number(number)) {
    case DECIMAL:
      return decimal(element, physical);
    case INTERVAL:
      return physical === PHYSICAL.fixed && rawWidth(element) === 12
        ? { sql: "INTERVAL", arrow: { kind: "interval" }, width: 16, convert: intervals }
        : undefined;
    default: {
      const [of, type] = CONVERTED.get(Number(number)) ?? [];
      return of === physical ? type : undefined;
    }
  }
}

function decimal(element: Struct, physical: number): LeafType | undefined {
  const scale = Number(integerOf(element, 7) ?? -1n);
  const precision = Number(integerOf(element, 8) ?? -1n);
  if (precision < 1 || precision > 38 || scale < 0 || scale > precision) return undefined;
  const read = DECIMAL_BYTES[physical];
  if (read === undefined) return undefined;
  return {
    sql: `DECIMAL(${precision}, ${scale})`,
    arrow: { kind: "decimal", precision, scale },
    width: precision > 18 ? 16 : 8,
    convert: (raw, take) => decimals(raw, take, read),
  };
}

/** Byte order of each physical type. */
const DECIMAL_BYTES: Readonly<Record<number, "little" | "big">> = {
  [PHYSICAL.int32]: "little",
  [PHYSICAL.int64]: "little",
  [PHYSICAL.bytes]: "big",
  [PHYSICAL.fixed]: "big",
};

function decimals(raw: Dense, take: Take, order: "little" | "big"): Dense {
  const bytes = new Uint8Array(raw.count * 16);
  take(bytes.length);
  let at = 0;
  for (const value of each(raw)) {
    const { length } = value;
    const top = order === "little" ? length - 1 : 0;
    const fill = ((value[top] ?? 0) & 128) === 0 ? 0 : 255;
    for (let i = 0; i < Math.max(16, length); i++) {
      const byte = i >= length ? fill : (value[order === "little" ? i : length - 1 - i] ?? 0);
      if (i < 16) bytes[at + i] = byte;
      else if (byte !== fill) throw new ParquetFault("A decimal in it has more digits than it says.");
    }
    at += 16;
  }
  return new Fixed(16, take, bytes);
}

function* each(raw: Dense): Generator<Uint8Array> {
  if (raw instanceof Fixed) {
    for (let at = 0; at < raw.bytes.length; at += raw.width) yield raw.bytes.subarray(at, at + raw.width);
  } else {
    const { offsets, data } = raw;
    for (let i = 0; i < raw.count; i++) yield data.subarray(offsets[i], offsets[i + 1]);
  }
}

function texts(raw: Dense, take: Take): Dense {
  const found = new Texts(take);
  for (const value of each(raw)) found.add(value);
  return found;
}

function uuids(raw: Dense, take: Take): Dense {
  const found = new Texts(take);
  const letters = new TextEncoder();
  for (const value of each(raw)) {
    found.add(letters.encode(hexText(value).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")));
  }
  return found;
}

function narrowed(width: number): (raw: Dense, take: Take) => Dense {
  return (raw, take) => {
    const { bytes: from } = raw as Fixed;
    const bytes = new Uint8Array(raw.count * width);
    take(bytes.length);
    for (let i = 0; i < raw.count; i++) for (let j = 0; j < width; j++) bytes[i * width + j] = from[i * 4 + j] ?? 0;
    return new Fixed(width, take, bytes);
  };
}

function int64s(raw: Dense, take: Take, read: (view: DataView, at: number) => bigint): Dense {
  const { bytes: from, width, count } = raw as Fixed;
  const view = viewOf(from);
  take(count * 8);
  const values = new BigInt64Array(count);
  for (let i = 0; i < count; i++) {
    const value = read(view, i * width);
    if (BigInt.asIntN(64, value) !== value) throw new Beyond("a time that is beyond all that it can be");
    values[i] = value;
  }
  return new Fixed(8, take, new Uint8Array(values.buffer));
}

function milliseconds(raw: Dense, take: Take): Dense {
  return int64s(raw, take, (view, at) => view.getBigInt64(at, true) * 1000n);
}

function nanoseconds(raw: Dense, take: Take): Dense {
  return int64s(raw, take, (view, at) => view.getBigInt64(at, true) / 1000n);
}

const DAY_OF_1970 = 2_440_588;

function int96(view: DataView, at: number): bigint {
  const day = BigInt(view.getUint32(at + 8, true) - DAY_OF_1970);
  return day * 86_400_000_000n + view.getBigInt64(at, true) / 1000n;
}

/** Converts months, days and milliseconds to months, days and nanoseconds. */
function intervals(raw: Dense, take: Take): Dense {
  const from = viewOf((raw as Fixed).bytes);
  take(raw.count * 16);
  const view = new DataView(new ArrayBuffer(raw.count * 16));
  for (let i = 0; i < raw.count; i++) {
    view.setInt32(i * 16, from.getInt32(i * 12, true), true);
    view.setInt32(i * 16 + 4, from.getInt32(i * 12 + 4, true), true);
    view.setBigInt64(i * 16 + 8, BigInt(from.getUint32(i * 12 + 8, true)) * 1_000_000n, true);
  }
  return new Fixed(16, take, new Uint8Array(view.buffer));
}

function halves(raw: Dense, take: Take): Dense {
  const from = viewOf((raw as Fixed).bytes);
  take(raw.count * 4);
  const view = new DataView(new ArrayBuffer(raw.count * 4));
  for (let i = 0; i < raw.count; i++) {
    const half = from.getUint16(i * 2, true);
    const exponent = (half >> 10) & 31;
    const fraction = half & 1023;
    const size =
      exponent === 31
        ? fraction === 0
          ? Number.POSITIVE_INFINITY
          : Number.NaN
        : exponent === 0
          ? fraction * 2 ** -24
          : (1024 + fraction) * 2 ** (exponent - 25);
    view.setFloat32(i * 4, (half & 0x8000) === 0 ? size : -size, true);
  }
  return new Fixed(4, take, new Uint8Array(view.buffer));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
