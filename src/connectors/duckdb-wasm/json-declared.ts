/**
 * Columns of JSON by the types that the manifest declares. Values that native DuckDB converts from another kind of JSON value
 * (numbers to texts, texts to numbers) are left to the sidecar.
 */
import type { Value } from "../../result/types.ts";
import type { Declared, ReadColumn } from "../duckdb/declared/scan.ts";
import { sqlIdentifier } from "../duckdb/sql-text.ts";
import { Beyond } from "../files/beyond.ts";
import type { JsonObject, JsonValue } from "../files/json/scanner.ts";
import { columnsOf, type JsonColumn, type JsonType } from "../files/json/shape.ts";

export interface TableColumns {
  /** Columns of the table, by their names in the files. */
  readonly columns: readonly JsonColumn[];
  /** Items of a SELECT over the table. */
  readonly selected: readonly string[];
}

export interface JsonRecords {
  /** Reads all records again at each call. */
  readonly records: () => Iterable<JsonObject>;
  /** DuckDB sees every record when it infers names and types, and not only the first ones. */
  readonly areAllSampled: boolean;
  /** Columns of the files by the types that DuckDB infers. Throws `Beyond`. */
  readonly inferred: () => readonly JsonColumn[];
}

/** More names than a table should have. */
const MOST_NAMES = 10_000;

/** `isNeeded`: whether the statement reads a column, by its name in lower case. Throws `Beyond`. */
export function declaredColumns(
  files: JsonRecords,
  declared: Declared,
  isNeeded: (name: string) => boolean,
): TableColumns {
  const names = namesIn(files.records());
  const wanted = [...declared].filter(([key]) => isNeeded(key)).map(([, column]) => column);
  const undeclared = [...names].filter((name) => !declared.has(name.toLowerCase()) && isNeeded(name.toLowerCase()));
  const keys = new Map(wanted.map((column) => [column, keyOf(column, names, files.areAllSampled)] as const));
  const days = wanted.flatMap((column) => (/^(?:DATE|TIMESTAMP)$/.test(column.type) ? (keys.get(column) ?? []) : []));
  const inferred = undeclared.length > 0 ? files.inferred() : inferredOf(files.records(), new Set(days));
  const columns: JsonColumn[] = [];
  const selected: string[] = [];
  for (const column of wanted) {
    const key = keys.get(column);
    if (key === undefined) {
      if (column.type === "JSON" || column.type.includes("JSON"))
        throw new Beyond(`"${column.name}", which has no values`);
      selected.push(`CAST(NULL AS ${column.type}) AS ${sqlIdentifier(column.name)}`);
      continue;
    }
    columns.push({
      name: key,
      ...typeOf(
        column,
        inferred.find(({ name }) => name === key),
      ),
    });
    selected.push(`${sqlIdentifier(key)} AS ${sqlIdentifier(column.name)}`);
  }
  for (const column of inferred) {
    if (!undeclared.includes(column.name)) continue;
    columns.push(column);
    selected.push(sqlIdentifier(column.name));
  }
  if (columns.length === 0) columns.push(NO_COLUMN);
  return { columns, selected: selected.length === 0 ? [sqlIdentifier(NO_COLUMN.name)] : selected };
}

/** Counts rows where a statement reads no column. */
const NO_COLUMN: JsonColumn = { name: "siskin_none", sql: "BOOLEAN", logical: { kind: "boolean" }, read: () => null };

function namesIn(records: Iterable<JsonObject>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const record of records) {
    for (const name of record.keys()) names.add(name);
    if (names.size > MOST_NAMES) throw new Beyond("objects of which each has other names");
  }
  return names;
}

/** The member that is written exactly so, else the only one that differs in case. Undefined where the files have none. */
function keyOf({ name }: ReadColumn, names: ReadonlySet<string>, areAllSampled: boolean): string | undefined {
  if (names.has(name)) return name;
  const [key, ...others] = [...names].filter((each) => each.toLowerCase() === name.toLowerCase());
  if (others.length > 0 || (key !== undefined && !areAllSampled)) throw new Beyond("names that differ only in case");
  return key;
}

function inferredOf(records: Iterable<JsonObject>, names: ReadonlySet<string>): readonly JsonColumn[] {
  if (names.size === 0) return [];
  const only = (function* () {
    for (const record of records) yield new Map([...record].filter(([name]) => names.has(name)));
  })();
  return columnsOf(only);
}

const INTEGERS: Readonly<Record<string, 8 | 16 | 32 | 64>> = { TINYINT: 8, SMALLINT: 16, INTEGER: 32, BIGINT: 64 };
/** Digits that a double keeps. */
const DOUBLE_DIGITS = 15;

function typeOf({ name, type }: ReadColumn, inferred: JsonType | undefined): JsonType {
  const read =
    (convert: (value: Exclude<JsonValue, null>) => Value | undefined) =>
    (value: JsonValue): Value => {
      const converted = value === null ? null : convert(value);
      if (converted === undefined) throw new Beyond(`"${name}", which has values of another type than ${type}`);
      return converted;
    };
  const bits = INTEGERS[type];
  if (bits !== undefined) {
    const convert = (value: JsonValue) => {
      if (typeof value !== "bigint" || BigInt.asIntN(bits, value) !== value) return undefined;
      return bits === 64 ? value : Number(value);
    };
    return { sql: type, logical: { kind: `int${bits}` }, read: read(convert) };
  }
  const [, precision, scale] = /^DECIMAL\((\d+), (\d+)\)$/.exec(type) ?? [];
  if (precision !== undefined) {
    const size = { precision: Number(precision), scale: Number(scale) };
    return { sql: type, logical: { kind: "decimal", ...size }, read: read((value) => decimal(value, size)) };
  }
  switch (type) {
    case "BOOLEAN":
      return {
        sql: type,
        logical: { kind: "boolean" },
        read: read((value) => (typeof value === "boolean" ? value : undefined)),
      };
    case "VARCHAR":
      return {
        sql: type,
        logical: { kind: "string" },
        read: read((value) => (typeof value === "string" ? value : undefined)),
      };
    case "DOUBLE":
      return {
        sql: type,
        logical: { kind: "float64" },
        read: read((value) => (typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined)),
      };
    default:
      if (inferred?.sql !== type) throw new Beyond(`"${name}", whose declared type is ${type}`);
      return inferred;
  }
}

/** Exact digits; undefined where native DuckDB rounds. */
function decimal(
  value: Exclude<JsonValue, null>,
  { precision, scale }: { readonly precision: number; readonly scale: number },
): string | undefined {
  if (typeof value !== "bigint" && typeof value !== "number") return undefined;
  const [, sign = "", whole, fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(`${value}`) ?? [];
  if (whole === undefined || fraction.length > scale || whole.length > precision - scale) return undefined;
  if (typeof value === "number" && whole.length + fraction.length > DOUBLE_DIGITS) return undefined;
  return `${sign}${whole}${scale > 0 ? `.${fraction.padEnd(scale, "0")}` : ""}`;
}
