/**
 * A condition that rows of a file must meet before access rules are evaluated: comparisons of a column with a constant of its own
 * type, which cannot fail for any row. DuckDB uses them to skip row groups, as it does by itself if no rule stands between a
 * statement and its files.
 */
import { sqlIdentifier, sqlText } from "../../src/connectors/duckdb/sql-text.ts";
import type { ScanFilter, ScanValue } from "../../src/planner/plan.ts";

/** Limits of digits, so that every type in which DuckDB compares also holds the column's values. */
const WHOLE = /^-?\d{1,15}$/;
const EXACT = /^-?\d{1,15}(?:\.\d{1,6})?$/;

/**
 * `types` are the columns' types by DuckDB's names, keyed by lower-case column names. Undefined if no such condition is possible.
 */
export function scanCondition(filters: readonly ScanFilter[], types: ReadonlyMap<string, string>): string | undefined {
  const parts = filters.flatMap(({ column, operator, values }) => {
    const constants = values.map((value) => constantOf(value, types.get(column.toLowerCase()) ?? ""));
    if (constants.length === 0 || constants.some((constant) => constant === undefined)) return [];
    const left = sqlIdentifier(column);
    return constants.length === 1 ? `${left} ${operator} ${constants[0]}` : `${left} IN (${constants.join(", ")})`;
  });
  return parts.length === 0 ? undefined : parts.join(" AND ");
}

function constantOf(value: ScanValue, type: string): string | undefined {
  switch (value.kind) {
    case "boolean":
      return type === "BOOLEAN" ? String(value.value) : undefined;
    case "number":
      return digitsFor(type)?.test(value.text) === true ? value.text : undefined;
    case "text":
      return type === "VARCHAR" ? sqlText(value.text) : undefined;
    case "date":
      return type === "DATE" ? `DATE ${sqlText(value.text)}` : undefined;
    case "timestamp":
      if (type === "TIMESTAMP") return `TIMESTAMP ${sqlText(value.text)}`;
      return type === "TIMESTAMP WITH TIME ZONE" ? `TIMESTAMPTZ ${sqlText(`${value.text}+00`)}` : undefined;
    default:
      return value satisfies never;
  }
}

function digitsFor(type: string): RegExp | undefined {
  if (/^U?(?:TINYINT|SMALLINT|INTEGER|BIGINT)$/.test(type)) return WHOLE;
  if (type === "DOUBLE") return EXACT;
  const [, width] = /^DECIMAL\((\d+),\d+\)$/.exec(type) ?? [];
  return Number(width) <= 18 ? EXACT : undefined;
}
