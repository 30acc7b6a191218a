/** The types of the input language, as far as a rewrite needs them. */
import type { TypeName } from "./syntax/named.ts";

export type SqlType =
  /** `mayBeBits`: a column so declared may be one of MySQL's BIT, which is a number in some expressions and bytes in others. */
  | { readonly kind: "boolean"; readonly mayBeBits?: true }
  /** `partOfDate`: a field of EXTRACT, or computed from one. PostgreSQL has it as a numeric, so that a quotient has a fraction. */
  | {
      readonly kind: "integer";
      readonly bits: 8 | 16 | 32 | 64;
      readonly mayBeBits?: true;
      /** A column of the source's only type for booleans, such as MySQL's `tinyint(1)`: where a condition is needed it is `<> 0`. */
      readonly isFlag?: true;
      readonly partOfDate?: true;
    }
  /** Without precision: any number of digits, as PostgreSQL's bare `numeric`. */
  | {
      readonly kind: "decimal";
      readonly precision?: number;
      readonly scale?: number;
      readonly mayBeBits?: true;
      /** Days between two values of Oracle's DATE: whole between midnights, as PostgreSQL's integer, else with a fraction. */
      readonly isDays?: true;
    }
  | { readonly kind: "float"; readonly bits: 32 | 64 }
  /** `converted`: a column of a type of the source's own, such as an enum, which the target converts where it reads the column. */
  | { readonly kind: "text"; readonly converted?: Conversion }
  | { readonly kind: "date" }
  | { readonly kind: "time"; readonly zoned: boolean }
  | {
      readonly kind: "timestamp";
      readonly zoned: boolean;
      readonly converted?: Conversion;
      /** Oracle's DATE, which has a time of day: days are added to it, and two of them are days apart, as with a date. */
      readonly isDate?: true;
    }
  | { readonly kind: "interval" }
  | { readonly kind: "binary" }
  | { readonly kind: "uuid" }
  /**
   * `binary` is PostgreSQL's jsonb, which has operators that json lacks and does not convert implicitly. `part` is json
   * extracted from a document: its original text, which engines that store no text may have lost. `made` is json that is made of
   * values, which is a text on some targets.
   */
  | { readonly kind: "json"; readonly binary?: true; readonly part?: true; readonly made?: true }
  /** `document`: a text of JSON with the elements, or NULL, on a source whose own arrays cannot be NULL. */
  | { readonly kind: "array"; readonly element: SqlType; readonly document?: true }
  | { readonly kind: "row"; readonly fields: readonly RowField[] }
  /** The type of NULL only: it takes the type that its context requires. */
  | { readonly kind: "null" }
  /** A type we know nothing about; never the reason for a planning error by itself. */
  | { readonly kind: "opaque"; readonly name: string };

/** `text`: of an enum or an address. `padded text`: a text that its type fills up. `utc`: a time that the column's zone shows. */
export type Conversion = "text" | "padded text" | "utc";

export interface RowField {
  readonly name: string | undefined;
  readonly type: SqlType;
}

export const BOOLEAN: SqlType = { kind: "boolean" };
export const INTEGER: SqlType = { kind: "integer", bits: 32 };
export const BIGINT: SqlType = { kind: "integer", bits: 64 };
/** The type of EXTRACT's integer fields. */
export const PART_OF_DATE: SqlType = { kind: "integer", bits: 64, partOfDate: true };
export const NUMERIC: SqlType = { kind: "decimal" };
export const DAYS: SqlType = { kind: "decimal", isDays: true };
export const DOUBLE: SqlType = { kind: "float", bits: 64 };
export const TEXT: SqlType = { kind: "text" };
export const DATE: SqlType = { kind: "date" };
export const TIME: SqlType = { kind: "time", zoned: false };
export const TIMESTAMP: SqlType = { kind: "timestamp", zoned: false };
export const TIMESTAMPTZ: SqlType = { kind: "timestamp", zoned: true };
export const INTERVAL: SqlType = { kind: "interval" };
export const BINARY: SqlType = { kind: "binary" };
export const UUID: SqlType = { kind: "uuid" };
export const JSON_TYPE: SqlType = { kind: "json" };
export const JSONB_TYPE: SqlType = { kind: "json", binary: true };
export const JSON_PART: SqlType = { kind: "json", part: true };
const MADE_JSON: SqlType = { kind: "json", made: true };
const MADE_JSON_PART: SqlType = { kind: "json", part: true, made: true };
export const MADE_JSONB: SqlType = { kind: "json", binary: true, made: true };
export const NULL_TYPE: SqlType = { kind: "null" };
/** A text column with its table's collation, which decides equality. */
export const COLLATED: SqlType = { kind: "opaque", name: "collated" };
export const UNKNOWN: SqlType = { kind: "opaque", name: "unknown" };

/** The type of a value extracted from json: json from json; a text is read as jsonb. */
export function partOfJson([type = UNKNOWN]: readonly SqlType[]): SqlType {
  return type.kind === "json" && type.binary !== true ? JSON_PART : JSONB_TYPE;
}

/** The type of json that is made of values. */
export function jsonOf(types: readonly SqlType[]): SqlType {
  return types.some((type) => type.kind === "json") ? MADE_JSON_PART : MADE_JSON;
}

export const isDocumentArray = (type: SqlType): boolean => type.kind === "array" && type.document === true;

export const isMadeJson = (type: SqlType): boolean => type.kind === "json" && type.made === true;

/** Binding gives every node a type, but rewrites add nodes that need none. */
export function typeOrUnknown({ type }: { readonly type?: SqlType }): SqlType {
  return type ?? UNKNOWN;
}

export const INT8: SqlType = { kind: "integer", bits: 8 };
const INT16: SqlType = { kind: "integer", bits: 16 };
/** Whole numbers of 128 bits. */
export const HUGEINT: SqlType = { kind: "decimal", precision: 38, scale: 0 };
export const REAL: SqlType = { kind: "float", bits: 32 };
/** A text that the engine fills to the length of its column. The target's `converts` reads it without the filling. */
export const PADDED_TEXT: SqlType = { kind: "text", converted: "padded text" };
/** SQL's names of texts that are filled with blanks. */
export const PADDED_NAMES: readonly string[] = ["char", "character", "nchar", "bpchar"];

/** A source's type names where they differ from SIMPLE_NAMES. */
export interface TypeNames {
  /** Lower-case and without parameters. */
  readonly names: ReadonlyMap<string, SqlType>;
  /** A type as the source writes it → as the language's grammar reads it: `int(10) unsigned`, `varchar(max)`. */
  readonly respelled?: (text: string) => string;
}

/** For sources, and callers, whose type names all have the meaning of SIMPLE_NAMES. */
export const USUAL_TYPE_NAMES: TypeNames = { names: new Map() };

/** Spellings of all sources, lower-case and without parameters (docs/spec/planner.md#types-of-the-manifest). */
const SIMPLE_NAMES: ReadonlyMap<string, SqlType> = new Map<string, SqlType>([
  ...names(BOOLEAN, "bool boolean"),
  ...names(INT8, "tinyint byteint byte int8_t"),
  ...names(INT16, "smallint int2 short smallserial utinyint uint8 year"),
  ...names(INTEGER, "int integer int4 int32 mediumint serial usmallint uint16"),
  ...names(BIGINT, "bigint int8 int64 long bigserial oid uinteger uint32"),
  // Unsigned and 128-bit integers exceed 64 bits: as decimals of scale 0 they keep every digit.
  ...names({ kind: "decimal", precision: 20, scale: 0 }, "ubigint uint64"),
  ...names(HUGEINT, "hugeint uhugeint int128 largeint"),
  ...names(REAL, "real float4 float32"),
  ...names(DOUBLE, "double float float8 float64 binary_float binary_double|double precision"),
  ...names(NUMERIC, "decimal numeric number dec bignumeric bigdecimal money smallmoney"),
  ...names(
    TEXT,
    "text string varchar char character bpchar nvarchar nchar ntext name clob nclob varchar2 nvarchar2 tinytext mediumtext longtext enum set fixedstring|character varying|national character varying|long varchar",
  ),
  ...names(DATE, "date date32"),
  ...names(TIME, "time|time without time zone"),
  ...names({ kind: "time", zoned: true }, "timetz|time with time zone"),
  ...names(
    TIMESTAMP,
    "timestamp datetime datetime2 datetime64 smalldatetime timestamp_ntz timestampntz timestamp_s timestamp_ms timestamp_us timestamp_ns|timestamp without time zone",
  ),
  ...names(
    TIMESTAMPTZ,
    "timestamptz timestamp_tz timestamptz_ntz timestamp_ltz datetimeoffset|timestamp with time zone|timestamp with local time zone",
  ),
  ...names(INTERVAL, "interval|interval year to month|interval day to second"),
  ...names(BINARY, "bytea bytes binary varbinary blob image raw longblob mediumblob tinyblob|binary varying"),
  ...names(UUID, "uuid uniqueidentifier"),
  ...names(JSON_TYPE, "json variant super"),
  ...names(JSONB_TYPE, "jsonb"),
  ...names(NULL_TYPE, "null"),
]);

/** The names that `typeOfName` knows. */
export const SIMPLE_TYPE_NAMES: readonly string[] = [...SIMPLE_NAMES.keys()];

/** Names separated by blanks, names that hold blanks separated by `|`. */
function names(type: SqlType, spellings: string): [string, SqlType][] {
  const [simple = "", ...compound] = spellings.split("|");
  return [...simple.split(" "), ...compound].map((name) => [name, type]);
}

/** The type that a written type name means; an unknown name is opaque, never an error. */
export function typeOfName(name: TypeName, own: TypeNames = USUAL_TYPE_NAMES): SqlType {
  let type: SqlType;
  if (name.dimensions > 0) {
    type = typeOfName({ ...name, dimensions: 0 }, own);
    for (let i = 0; i < name.dimensions; i++) type = { kind: "array", element: type };
    return type;
  }
  const [first] = name.members;
  if ((name.name === "array" || name.name === "list") && first !== undefined) {
    return { kind: "array", element: typeOfName(first.type, own) };
  }
  if (name.name === "struct" || name.name === "row" || name.name === "tuple") {
    return {
      kind: "row",
      fields: name.members.map((member) => ({ name: member.name?.name, type: typeOfName(member.type, own) })),
    };
  }
  const special = own.names.get(name.name);
  if (special !== undefined) return special;
  const simple = SIMPLE_NAMES.get(name.name);
  if (simple === undefined) return { kind: "opaque", name: name.name };
  const [precision, scale] = name.parameters;
  if (simple.kind === "decimal" && precision !== undefined) return { kind: "decimal", precision, scale: scale ?? 0 };
  if (name.name === "float" && precision !== undefined) return precision <= 24 ? REAL : DOUBLE;
  return simple;
}

/**
 * Types without a kind of their own that callers may name. Any other unknown name is refused in a cast: on PostgreSQL
 * every table is a type, and `reg…` types read the catalogue.
 */
const NAMEABLE: ReadonlySet<string> = new Set(
  (
    "bit varbit|bit varying|inet cidr macaddr macaddr8 xml tsvector tsquery point line lseg box path polygon circle " +
    "geometry geography hstore citext ltree int4range int8range numrange tsrange tstzrange daterange map union"
  ).split(/[ |](?!varying)/),
);

export const NAMEABLE_TYPES: readonly string[] = [...NAMEABLE];

/** The first name inside a written type that callers may not use; `undefined` when all are known. */
export function unknownTypeName(name: TypeName): string | undefined {
  for (const member of name.members) {
    const inner = unknownTypeName(member.type);
    if (inner !== undefined) return inner;
  }
  const plain = typeOfName({ ...name, dimensions: 0 });
  return plain.kind === "opaque" && !NAMEABLE.has(name.name) ? name.name : undefined;
}

/** Names of types in the tree. Arrays have the name of their elements; rows and unknown types keep their own. */
export const LANGUAGE_TYPES = [
  "boolean",
  "smallint",
  "integer",
  "bigint",
  "numeric",
  "real",
  "double precision",
  "text",
  "varchar",
  "char",
  "bytea",
  "uuid",
  "json",
  "jsonb",
  "interval",
  "date",
  "time",
  "time with time zone",
  "timestamp",
  "timestamp with time zone",
] as const;

export type LanguageType = (typeof LANGUAGE_TYPES)[number];

/** The type name in PostgreSQL's spelling: `int64` → `bigint`, `string` → `text`. Unknown names stay as written. */
export function canonicalTypeName(name: TypeName, type: SqlType): TypeName {
  if (type.kind === "array") {
    const [first] = name.members;
    const inner = name.dimensions > 0 ? { ...name, dimensions: name.dimensions - 1 } : first?.type;
    const element = inner === undefined ? name : canonicalTypeName(inner, type.element);
    // PostgreSQL compares arrays of one element type only.
    const kept = element.name === "text" && inner !== undefined && /^(varchar|character varying)$/.test(inner.name);
    return { ...element, name: kept ? "varchar" : element.name, dimensions: element.dimensions + 1 };
  }
  switch (type.kind) {
    case "decimal":
      return {
        ...name,
        name: "numeric",
        parameters: type.precision === undefined ? [] : [type.precision, type.scale ?? 0],
      };
    case "integer":
    case "float":
      return { ...name, name: describeType(type), parameters: [] };
    case "text":
      if (name.parameters.length === 0) return { ...name, name: "text" };
      return { ...name, name: /^(n?char|character|bpchar)$/.test(name.name) ? "char" : "varchar" };
    case "timestamp":
    case "time":
    case "boolean":
    case "date":
    case "uuid":
    case "interval":
      return { ...name, name: describeType(type) };
    case "binary":
      return { ...name, name: "bytea", parameters: [] };
    case "json":
      return name.name === "jsonb" ? name : { ...name, name: "json" };
    case "row":
    case "null":
    case "opaque":
      return name;
    default:
      return type satisfies never;
  }
}

/** The type's name in the input language, for messages. */
export function describeType(type: SqlType): string {
  switch (type.kind) {
    case "integer":
      return type.bits === 64 ? "bigint" : type.bits === 32 ? "integer" : "smallint";
    case "decimal":
      return type.precision === undefined ? "numeric" : `numeric(${type.precision},${type.scale ?? 0})`;
    case "float":
      return type.bits === 32 ? "real" : "double precision";
    case "timestamp":
      return type.zoned ? "timestamp with time zone" : "timestamp";
    case "time":
      return type.zoned ? "time with time zone" : "time";
    case "json":
      return type.binary ? "jsonb" : "json";
    case "array":
      return `${describeType(type.element)}[]`;
    case "opaque":
      return type.name;
    case "row":
    case "null":
    case "boolean":
    case "text":
    case "date":
    case "interval":
    case "binary":
    case "uuid":
      return type.kind;
    default:
      return type satisfies never;
  }
}

/** Types whose values compare with each other without a cast that the caller did not write. */
export type Family =
  | "boolean"
  | "number"
  | "text"
  | "datetime"
  | "time"
  | "interval"
  | "binary"
  | "uuid"
  | "json"
  | "array"
  | "row"
  | "any";

export function familyOf(type: SqlType): Family {
  switch (type.kind) {
    case "integer":
    case "decimal":
    case "float":
      return "number";
    case "date":
    case "timestamp":
      return "datetime";
    case "null":
    case "opaque":
      return "any";
    case "boolean":
    case "text":
    case "time":
    case "interval":
    case "binary":
    case "uuid":
    case "json":
    case "array":
    case "row":
      return type.kind;
    default:
      return type satisfies never;
  }
}

export function isNumeric(type: SqlType): boolean {
  return type.kind === "integer" || type.kind === "decimal" || type.kind === "float";
}

export function isPartOfDate(type: SqlType): boolean {
  return type.kind === "integer" && type.partOfDate === true;
}

export function isUnknown(type: SqlType): boolean {
  return type.kind === "opaque";
}
