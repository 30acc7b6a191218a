/**
 * ClickHouse's type names, which are case-sensitive, and their names in metadata (`connectors/catalog/clickhouse.ts`): `Int8` has
 * eight bits, the INT8 of metadata sixty-four. https://clickhouse.com/docs/sql-reference/data-types
 */
import { BIGINT, INTEGER, PADDED_TEXT, type SqlType, TEXT, TIME, TIMESTAMPTZ, type TypeNames } from "../../types.ts";

const AS_TEXT: SqlType = { kind: "text", converted: "text" };
/** A DateTime of any zone. Metadata reports each that names a zone as TIMESTAMPTZ. */
const IN_ANY_ZONE: SqlType = { kind: "timestamp", zoned: true, converted: "utc" };

/** Names, in the language's grammar, of a DateTime whose column names UTC, and of one whose column names another zone. */
const [IN_UTC, ELSEWHERE] = ["utcdatetime", "zoneddatetime"] as const;

/** The type of a document of an array that may be NULL, which ClickHouse has no type for: by a name in the language's grammar. */
const documentOf = (element: SqlType): SqlType => ({ kind: "array", element, document: true });
const DOCUMENTS: Readonly<Record<string, SqlType>> = {
  documentoftexts: documentOf(TEXT),
  documentofintegers: documentOf(INTEGER),
  documentofbigints: documentOf(BIGINT),
};

/** By the name of their elements. */
const DOCUMENT_NAMES: Readonly<Record<string, string>> = {
  ...{ string: "documentoftexts", text: "documentoftexts", varchar: "documentoftexts" },
  ...{ smallint: "documentofintegers", int32: "documentofintegers", integer: "documentofintegers" },
  ...{ int64: "documentofbigints", bigint: "documentofbigints" },
};

/** Additions to the usual names. */
const NAMES: ReadonlyMap<string, SqlType> = new Map<string, SqlType>([
  ["int128", { kind: "decimal" }],
  ["uint128", { kind: "decimal" }],
  ["uint32", BIGINT],
  ["time64", TIME],
  // A FixedString ends in zeroes, which are no part of the text. Metadata reports it as CHAR.
  ["char", PADDED_TEXT],
  ["fixedstring", PADDED_TEXT],
  ...["enum", "enum8", "enum16", "inet", "ipv4", "ipv6"].map((name): [string, SqlType] => [name, AS_TEXT]),
  ...["timestamptz", "timestamp with time zone", ELSEWHERE].map((name): [string, SqlType] => [name, IN_ANY_ZONE]),
  [IN_UTC, TIMESTAMPTZ],
  ...Object.entries(DOCUMENTS),
]);

/** Wrapper types are removed: `Nullable(T)`, and `SimpleAggregateFunction(max, T)`, which is stored as a value. */
const WRAPPER = /^\s*(?:(?:lowcardinality|nullable)\s*\(|simpleaggregatefunction\s*\(\s*\w+\s*,)(.*)\)\s*$/is;
const NULLABLE_ARRAY = /^\s*nullable\s*\(\s*array\s*\((.*)\)\s*\)\s*$/is;
const ARRAY = /^\s*array\s*\((.*)\)\s*$/is;

/** Precision of a decimal type that is named by its bits. */
const DIGITS: Readonly<Record<string, number>> = { "32": 9, "64": 18, "128": 38, "256": 76 };

/** Maximum nesting; each level reads the rest of the text. */
const MAX_DEPTH = 100;

const respelled = (text: string): string => respelledWithin(text, MAX_DEPTH);

function respelledWithin(text: string, depth: number): string {
  if (depth === 0) return text;
  const nullable = NULLABLE_ARRAY.exec(text)?.[1];
  if (nullable !== undefined) return DOCUMENT_NAMES[respelledWithin(nullable, depth - 1).toLowerCase()] ?? text;
  const inner = WRAPPER.exec(text)?.[1];
  if (inner !== undefined) return respelledWithin(inner, depth - 1);
  const element = ARRAY.exec(text)?.[1];
  if (element !== undefined) return `array(${respelledWithin(element, depth - 1)})`;
  const written = text.trim();
  if (written === "Int8") return "tinyint";
  if (written === "Int16") return "smallint";
  const [, bits = "", scale = ""] = /^Decimal(\d+)\s*\(\s*(\d+)\s*\)$/.exec(written) ?? [];
  if (DIGITS[bits] !== undefined) return `decimal(${DIGITS[bits]}, ${scale})`;
  if (/^Enum(?:8|16)\s*\(/.test(written)) return "enum";
  const [, zone] = /^DateTime(?:64)?\s*\((?:\s*\d\s*,)?\s*'([^'\\]*)'\s*\)$/.exec(written) ?? [];
  if (zone === undefined) return written;
  return /^(?:Etc\/)?UTC$/.test(zone) ? IN_UTC : ELSEWHERE;
}

export const CLICKHOUSE_TYPE_NAMES: TypeNames = { names: NAMES, respelled };
