/** PostgreSQL's types by OID: the logical type of a column and the reader of its text (docs/spec/contract.md#types-of-answers). */
import type { LogicalType, Value } from "../../result/types.ts";
import { arrayReader, depthOfArray } from "./arrays.ts";
import {
  readBoolean,
  readBytes,
  readDate,
  readFloat32,
  readFloat64,
  readHexadecimal,
  readInt64,
  readInterval,
  readMoney,
  readText,
  readTime,
  readTimestamp,
} from "./values.ts";

/** Reads the text of a value that is not NULL. Throws `UnreadableValue`. */
export type ReadValue = (text: string) => Value;

export interface ColumnReader {
  readonly type: LogicalType;
  readonly read: ReadValue;
}

/** A column in a RowDescription. */
export interface ColumnDescription {
  readonly oid: number;
  /** `atttypmod`, -1 if absent. */
  readonly modifier: number;
}

/** Session values that the format of values depends on. */
export interface ValueContext {
  /** `lc_monetary`: the locale of `money`. */
  readonly monetaryLocale: string;
}

const STRING: ColumnReader = { type: { kind: "string" }, read: readText };
const JSON_TEXT: ColumnReader = { type: { kind: "json" }, read: readText };
const timestamp = (zone: string | undefined): ColumnReader => ({
  type: { kind: "timestamp", unit: "us", zone },
  read: readTimestamp,
});

/** OID of the type, OID of its array type, reader. All other types are text in the server's form. */
const TYPES: readonly (readonly [oid: number, array: number, reader: ColumnReader])[] = [
  [16, 1000, { type: { kind: "boolean" }, read: readBoolean }],
  [17, 1001, { type: { kind: "binary" }, read: readBytes }],
  [20, 1016, { type: { kind: "int64" }, read: readInt64 }],
  [21, 1005, { type: { kind: "int16" }, read: Number }],
  [23, 1007, { type: { kind: "int32" }, read: Number }],
  // oid
  [26, 1028, { type: { kind: "int64" }, read: readInt64 }],
  [114, 199, JSON_TEXT],
  [700, 1021, { type: { kind: "float32" }, read: readFloat32 }],
  [701, 1022, { type: { kind: "float64" }, read: readFloat64 }],
  [1082, 1182, { type: { kind: "date" }, read: readDate }],
  [1083, 1183, { type: { kind: "time", unit: "ns" }, read: readTime }],
  [1114, 1115, timestamp(undefined)],
  // The session's zone is UTC.
  [1184, 1185, timestamp("UTC")],
  [1186, 1187, { type: { kind: "interval" }, read: readInterval }],
  [1700, 1231, { type: { kind: "decimal" }, read: readText }],
  [2950, 2951, { type: { kind: "uuid" }, read: readText }],
  [3802, 3807, JSON_TEXT],
];

/**
 * Array types whose elements are text: characters, xml, bits, network addresses, timetz, geometry (except box, whose separator is
 * a semicolon), text search, ranges, object identifiers and record.
 */
const TEXT_ARRAYS: readonly number[] = [
  1002, 1003, 1009, 1014, 1015, 143, 1561, 1563, 1041, 651, 1040, 775, 1270, 1017, 1018, 1019, 1027, 629, 719, 3643,
  3645, 4073, 3905, 3907, 3909, 3911, 3913, 3927, 6150, 6151, 6152, 6153, 6155, 6157, 1008, 2207, 2208, 2209, 2210,
  2211, 4090, 4097, 4192, 3735, 3770, 3221, 2949, 5039, 1010, 1011, 1012, 271, 1006, 1013, 1034, 1263, 2201, 2287,
];

/**
 * Types that only Redshift has, with numbers that PostgreSQL does not use: SUPER and VARBYTE
 * (https://github.com/aws/amazon-redshift-python-driver, `utils/oids.py`). Its intervals have several formats and stay text.
 */
const OF_REDSHIFT: readonly (readonly [oid: number, reader: ColumnReader])[] = [
  [4000, JSON_TEXT],
  [6551, { type: { kind: "binary" }, read: readHexadecimal }],
];

const NUMERIC = 1700;
const NUMERIC_ARRAY = 1231;
const MONEY = 790;
const MONEY_ARRAY = 791;

const SCALARS: ReadonlyMap<number, ColumnReader> = new Map([
  ...TYPES.map(([oid, , reader]) => [oid, reader] as const),
  ...OF_REDSHIFT,
]);
const ELEMENTS: ReadonlyMap<number, ColumnReader> = new Map([
  ...TYPES.map(([, array, reader]) => [array, reader] as const),
  ...TEXT_ARRAYS.map((array) => [array, STRING] as const),
]);

export function isArray({ oid }: ColumnDescription): boolean {
  return ELEMENTS.has(oid) || oid === MONEY_ARRAY;
}

/**
 * The reader of a column. PostgreSQL reports no number of dimensions for arrays. `sample` contains texts of the column from its
 * first rows, which decide it; a later value with another depth is refused.
 */
export function columnReader(
  column: ColumnDescription,
  context: ValueContext,
  sample: readonly (string | null)[] = [],
): ColumnReader {
  const { oid } = column;
  const element = oid === MONEY_ARRAY ? money(context) : oid === NUMERIC_ARRAY ? numeric(column) : ELEMENTS.get(oid);
  if (element !== undefined) {
    const depth = Math.max(1, ...sample.map((text) => (text === null ? 1 : depthOfArray(text))));
    let type: LogicalType = element.type;
    for (let level = 0; level < depth; level++) type = { kind: "list", element: type };
    return { type, read: arrayReader(element.read, depth) };
  }
  if (oid === NUMERIC) return numeric(column);
  if (oid === MONEY) return money(context);
  return SCALARS.get(oid) ?? STRING;
}

/** `numeric(p, s)` from its modifier. A negative scale rounds left of the point; all digits then belong to the integer part. */
function numeric({ modifier }: ColumnDescription): ColumnReader {
  if (modifier < 4) return { type: { kind: "decimal" }, read: readText };
  const precision = ((modifier - 4) >> 16) & 0xffff;
  const scale = (((modifier - 4) & 0x7ff) ^ 1024) - 1024;
  return {
    type: { kind: "decimal", precision: Math.max(precision - Math.min(scale, 0), scale), scale: Math.max(scale, 0) },
    read: readText,
  };
}

/**
 * The format of `money` depends on the database's locale and contains no scale. In the C and English locales the text is
 * unambiguous; in all others it stays text, because `1.234` may be either number.
 */
function money({ monetaryLocale }: ValueContext): ColumnReader {
  return /^(C|POSIX|en_US)(\.|$)/.test(monetaryLocale)
    ? { type: { kind: "decimal", precision: 19, scale: 2 }, read: readMoney }
    : STRING;
}
