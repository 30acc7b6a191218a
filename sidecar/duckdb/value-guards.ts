/**
 * Guards against Parquet values that DuckDB 1.4 reads unchecked and prints from memory that does not belong to them: times that
 * are not within a day, and decimals beyond a precision without digits before the point. A statement that reads one fails.
 */

import { sqlIdentifier } from "../../src/connectors/duckdb/sql-text.ts";
import { readTypeText, type TypeText } from "../../src/connectors/duckdb/type-text.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";

const TIME = "A time in the file is not within a day.";
const DECIMAL = "A decimal in the file has more digits than its type.";

/** `scan`, whose columns have these types, with a check of every value that needs one. Throws `FILE_INVALID`. */
export function guardedScan(scan: string, columns: readonly (readonly [name: string, type: string])[]): string {
  const guarded = columns.flatMap(([name, text]) => {
    const type = readTypeText(text);
    if (type === undefined)
      throw new ConnectorFailure("FILE_INVALID", `The type of the column "${name}" is not known.`);
    const column = sqlIdentifier(name);
    const [check, ...others] = checksOf(column, type, 0);
    if (check === undefined) return [];
    const failing = [check, ...others].map(({ isIn, message }) => `WHEN ${isIn} IS FALSE THEN error('${message}')`);
    return [`CASE ${failing.join(" ")} ELSE ${column} END AS ${column}`];
  });
  return guarded.length === 0 ? scan : `SELECT * REPLACE (${guarded.join(", ")}) FROM (${scan})`;
}

/** Names of the columns that `guardedScan` would check. A type that is not known counts as one. */
export function guardedColumns(columns: readonly (readonly [name: string, type: string])[]): readonly string[] {
  return columns.flatMap(([name, text]) => {
    const type = readTypeText(text);
    return type === undefined || checksOf(sqlIdentifier(name), type, 0).length > 0 ? [name] : [];
  });
}

/** `isIn` is false for a value that must not be read, otherwise true or NULL. */
interface ValueCheck {
  readonly isIn: string;
  readonly message: string;
}

function checksOf(value: string, { name, children, members }: TypeText, depth: number): readonly ValueCheck[] {
  switch (name) {
    case "TIME":
    case "TIME_NS":
      return [{ isIn: between(value, `'00:00:00'::${name}`, `'24:00:00'::${name}`), message: TIME }];
    case "TIME WITH TIME ZONE":
      return [{ isIn: between(`${value}::TIME`, "'00:00:00'::TIME", "'24:00:00'::TIME"), message: TIME }];
    case "LIST":
      return elementChecks(value, children[0], depth);
    case "MAP":
      return [
        ...elementChecks(`map_keys(${value})`, children[0], depth),
        ...elementChecks(`map_values(${value})`, children[1], depth),
      ];
    case "STRUCT":
      return children.flatMap((child, index) => checksOf(`${value}.${members[index]}`, child, depth));
    default: {
      const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(name) ?? [];
      if (precision === undefined || precision !== scale) return [];
      const most = `0.${"9".repeat(Number(precision))}`;
      return [{ isIn: between(value, `'-${most}'::${name}`, `'${most}'::${name}`), message: DECIMAL }];
    }
  }
}

function elementChecks(list: string, type: TypeText | undefined, depth: number): readonly ValueCheck[] {
  if (type === undefined) return [];
  const element = `siskin_${depth}`;
  return checksOf(element, type, depth + 1).map(({ isIn, message }) => ({
    isIn: `list_bool_and(list_transform(${list}, lambda ${element}: ${isIn}))`,
    message,
  }));
}

/** DuckDB's planner trusts a file's minimum and maximum of a column; `greatest` hides both from it. */
function between(value: string, least: string, most: string): string {
  return `(greatest(${value}, ${value}) BETWEEN ${least} AND ${most})`;
}
