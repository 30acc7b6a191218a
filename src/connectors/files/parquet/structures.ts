/**
 * Fields of the structures in Parquet's metadata, with their types, as parquet.thrift declares them
 * (https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift). DuckDB's reader skips a field of another
 * type, and refuses a structure without a required field or with an undefined enumeration value; this module refuses all of them.
 */
import type { Field, Struct } from "./compact-protocol.ts";
import { ParquetFault } from "./fault.ts";

type Type =
  | "boolean"
  | "i8"
  | "i16"
  | "i32"
  | "i64"
  | "text"
  | "binary"
  | "struct"
  | Enumeration
  | readonly [Element]
  | Structure;
/** Type of a list's elements. */
type Element = "binary" | "struct" | Enumeration | Structure;
/** Defined values of a 32-bit enumeration. */
type Enumeration = ReadonlySet<bigint>;

interface Structure {
  readonly required: Readonly<Record<number, Type>>;
  readonly optional: Readonly<Record<number, Type>>;
}

const upTo = (most: number): Enumeration => new Set(Array.from({ length: most + 1 }, (_, number) => BigInt(number)));

const PHYSICAL_TYPE = upTo(7);
const REPETITION = upTo(2);
/** 24 is a column of only NULLs, from old writers. */
const CONVERTED_TYPE = new Set([...upTo(21), 24n]);
const ENCODING = new Set([0n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n]);
const CODEC = upTo(7);
const PAGE_TYPE = upTo(3);

const STATISTICS: Structure = {
  required: {},
  optional: { 1: "binary", 2: "binary", 3: "i64", 4: "i64", 5: "binary", 6: "binary", 7: "boolean", 8: "boolean" },
};

const KEY_VALUE: Structure = { required: { 1: "binary" }, optional: { 2: "binary" } };

const TIME: Structure = { required: { 1: "boolean", 2: "struct" }, optional: {} };

/** A union, without the types that have no fields. */
const LOGICAL_TYPE: Structure = {
  required: {},
  optional: {
    5: { required: { 1: "i32", 2: "i32" }, optional: {} },
    7: TIME,
    8: TIME,
    10: { required: { 1: "i8", 2: "boolean" }, optional: {} },
  },
};

const SCHEMA_ELEMENT: Structure = {
  required: { 4: "text" },
  optional: {
    1: PHYSICAL_TYPE,
    2: "i32",
    3: REPETITION,
    5: "i32",
    6: CONVERTED_TYPE,
    7: "i32",
    8: "i32",
    9: "i32",
    10: LOGICAL_TYPE,
  },
};

const COLUMN_METADATA: Structure = {
  required: { 1: PHYSICAL_TYPE, 2: [ENCODING], 3: ["binary"], 4: CODEC, 5: "i64", 6: "i64", 7: "i64", 9: "i64" },
  optional: {
    8: [KEY_VALUE],
    10: "i64",
    11: "i64",
    12: STATISTICS,
    13: [{ required: { 1: PAGE_TYPE, 2: ENCODING, 3: "i32" }, optional: {} }],
    14: "i64",
    15: "i32",
  },
};

const COLUMN_CHUNK: Structure = {
  required: { 2: "i64" },
  optional: { 1: "binary", 3: COLUMN_METADATA, 4: "i64", 5: "i32", 6: "i64", 7: "i32", 8: "struct", 9: "binary" },
};

const ROW_GROUP: Structure = {
  required: { 1: [COLUMN_CHUNK], 2: "i64", 3: "i64" },
  optional: {
    4: [{ required: { 1: "i32", 2: "boolean", 3: "boolean" }, optional: {} }],
    5: "i64",
    6: "i64",
    7: "i16",
  },
};

export const FILE_METADATA: Structure = {
  required: { 1: "i32", 2: [SCHEMA_ELEMENT], 3: "i64", 4: [ROW_GROUP] },
  optional: { 5: [KEY_VALUE], 6: "binary", 7: ["struct"], 8: "struct", 9: "binary" },
};

export const PAGE_HEADER: Structure = {
  required: { 1: PAGE_TYPE, 2: "i32", 3: "i32" },
  optional: {
    4: "i32",
    5: { required: { 1: "i32", 2: ENCODING, 3: ENCODING, 4: ENCODING }, optional: { 5: STATISTICS } },
    6: "struct",
    7: { required: { 1: "i32", 2: ENCODING }, optional: { 3: "boolean" } },
    8: {
      required: { 1: "i32", 2: "i32", 3: "i32", 4: ENCODING, 5: "i32", 6: "i32" },
      optional: { 7: "boolean", 8: STATISTICS },
    },
  },
};

/** Throws `ParquetFault`. */
export function assertStructure(struct: Struct, { required, optional }: Structure): void {
  for (const id of Object.keys(required)) if (!struct.has(Number(id))) throw lacking();
  for (const [id, field] of struct) {
    const type = required[id] ?? optional[id];
    if (type !== undefined) assertType(field, type);
  }
}

function assertType(field: Field, type: Type): void {
  if (typeof type === "string") {
    if (!isOf(field, type)) throw lacking();
  } else if (isEnumeration(type)) {
    if (!isOf(field, "i32") || field.type !== "integer" || !type.has(field.value)) throw lacking();
  } else if ("required" in type) {
    if (field.type !== "struct") throw lacking();
    assertStructure(field.value, type);
  } else {
    if (field.type !== "list") throw lacking();
    for (const value of field.value) assertType(value, type[0]);
  }
}

const isEnumeration = (type: Exclude<Type, string>): type is Enumeration => type instanceof Set;

const WIDTHS = { i8: 3, i16: 4, i32: 5, i64: 6 } as const;

function isOf(field: Field, type: Extract<Type, string>): boolean {
  if (type === "text") return field.type === "binary" && isText(field.value);
  if (type === "boolean" || type === "binary" || type === "struct") return field.type === type;
  return field.type === "integer" && field.width === WIDTHS[type];
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function isText(bytes: Uint8Array): boolean {
  try {
    utf8.decode(bytes);
    return true;
  } catch {
    return false;
  }
}

const lacking = (): ParquetFault => new ParquetFault("Its metadata lacks a field, or has one of another type.");
