/**
 * ClickHouse's type names, which are case-sensitive, and their names in metadata (`connectors/catalog/clickhouse.ts`): `Int8` has
 * eight bits, the INT8 of metadata sixty-four. https://clickhouse.com/docs/sql-reference/data-types
 */
import { BIGINT, type SqlType, TIME, type TypeNames } from "../../types.ts";

const OPAQUE: SqlType = { kind: "opaque", name: "unknown" };

/** Additions to the usual names. Metadata reports a FixedString, which ends in zeroes, as CHAR. */
const NAMES: ReadonlyMap<string, SqlType> = new Map<string, SqlType>([
  ["int128", { kind: "decimal" }],
  ["uint128", { kind: "decimal" }],
  ["uint32", BIGINT],
  ["time64", TIME],
  ["char", OPAQUE],
  ["fixedstring", OPAQUE],
]);

/** Wrapper types are removed: `Nullable(T)`, and `SimpleAggregateFunction(max, T)`, which is stored as a value. */
const WRAPPER = /^\s*(?:(?:lowcardinality|nullable)\s*\(|simpleaggregatefunction\s*\(\s*\w+\s*,)(.*)\)\s*$/is;
const ARRAY = /^\s*array\s*\((.*)\)\s*$/is;

/** Precision of a decimal type that is named by its bits. */
const DIGITS: Readonly<Record<string, number>> = { "32": 9, "64": 18, "128": 38, "256": 76 };

/** Maximum nesting; each level reads the rest of the text. */
const MAX_DEPTH = 100;

const respelled = (text: string): string => respelledWithin(text, MAX_DEPTH);

function respelledWithin(text: string, depth: number): string {
  if (depth === 0) return text;
  const inner = WRAPPER.exec(text)?.[1];
  if (inner !== undefined) return respelledWithin(inner, depth - 1);
  const element = ARRAY.exec(text)?.[1];
  if (element !== undefined) return `array(${respelledWithin(element, depth - 1)})`;
  const written = text.trim();
  if (written === "Int8") return "tinyint";
  if (written === "Int16") return "smallint";
  const [, bits = "", scale = ""] = /^Decimal(\d+)\s*\(\s*(\d+)\s*\)$/.exec(written) ?? [];
  if (DIGITS[bits] !== undefined) return `decimal(${DIGITS[bits]}, ${scale})`;
  // With another zone, the text of a value is local time in it: such a type stays unknown.
  return /^DateTime(?:64)?\s*\((?:\s*\d\s*,)?\s*'(?:Etc\/)?UTC'\s*\)$/.test(written)
    ? "timestamp with time zone"
    : written;
}

export const CLICKHOUSE_TYPE_NAMES: TypeNames = { names: NAMES, respelled };
