/** Decides which types an engine compares, or converts to a common type, without a conversion that can fail. */
import type { Expression, PrintableColumn } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";
import { familyOf } from "../types.ts";
import { isLiteral } from "./literals.ts";

/** Facts of an engine that decide whether types have a common type. */
export interface Conversions {
  /** Whether these numbers have a common type that holds all their values. */
  readonly numbersHaveCommonType: (numbers: readonly Expression[]) => boolean;
  /** `timestamp` is one type. DuckDB has four with different ranges, and the manifest does not distinguish them. */
  readonly oneTimestamp: boolean;
  /** DuckDB compares intervals by their lengths in microseconds, which 64 bits do not always hold. */
  readonly intervalsHaveCommonType: boolean;
  /** Two columns of text may have collations that conflict, which is an error for each row that arrives. */
  readonly collationsConflict: boolean;
  /** Literals of dates and local timestamps are converted before any row where they are compared with zoned timestamps. */
  readonly literalsTakeZone?: true;
}

/** Whether all of these may appear in one comparison, list or set of alternatives, whatever their values. */
export function haveCommonType(expressions: readonly Expression[], engine: Conversions): boolean {
  const typed = expressions.filter((expression) => expression.type?.kind !== "null");
  const types = typed.map((expression) => expression.type);
  if (!types.every((type) => type !== undefined)) return false;
  const families = new Set(types.map(familyOf));
  if (families.size > 1) return false;
  const [family] = families;
  switch (family) {
    case undefined:
    case "text":
      return shareCollation(typed, engine);
    case "boolean":
    case "uuid":
    case "binary":
      return true;
    case "interval":
      return engine.intervalsHaveCommonType;
    case "time":
      return new Set(types.map((type) => type.kind === "time" && type.zoned)).size === 1;
    case "number":
      return engine.numbersHaveCommonType(typed);
    case "datetime":
      return timesHaveCommonType(typed, engine);
    case "json":
    case "array":
    case "row":
    case "any":
      return false;
    default:
      return family satisfies never;
  }
}

/**
 * Whether these texts share one collation, whichever it is: they come from at most one column, because the manifest
 * does not name collations. Literals take any.
 */
export function shareCollation(expressions: readonly Expression[], { collationsConflict }: Conversions): boolean {
  if (!collationsConflict) return true;
  const columns = new Set<unknown>();
  for (const expression of expressions) {
    if (expression.type?.kind !== "text") continue;
    walk(expression, (node) => {
      if (node.kind === "bound" && node.type?.kind === "text") columns.add(sourceOf(node.column));
      return true;
    });
  }
  return columns.size <= 1;
}

/** A column of a model is the same wherever the model occurs. */
function sourceOf(column: PrintableColumn): unknown {
  return "modelColumn" in column ? (column.modelColumn ?? column) : column;
}

/** Dates go beyond the range of timestamps everywhere: `least(some_date, some_timestamp)` fails on PostgreSQL too. */
function timesHaveCommonType(times: readonly Expression[], { oneTimestamp, literalsTakeZone }: Conversions): boolean {
  const isZoned = ({ type }: Expression): boolean => type?.kind === "timestamp" && type.zoned;
  if (literalsTakeZone === true && times.some(isZoned)) return times.every((time) => isZoned(time) || isLiteral(time));
  const zones = new Set(times.map(({ type }) => type?.kind === "timestamp" && type.zoned));
  if (zones.size > 1) return false;
  if (times.every(({ type }) => type?.kind === "date")) return true;
  const columns = times.filter((time) => !isLiteral(time));
  return (oneTimestamp || columns.length <= 1) && columns.every(({ type }) => type?.kind === "timestamp");
}
