/** Values of which types an engine compares, or brings to one type, without a conversion that can fail. */
import { decimalShape } from "../common-type.ts";
import type { Expression, PrintableColumn } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";
import { familyOf } from "../types.ts";
import { isLiteral } from "./literals.ts";

/** What decides on an engine whether types meet. */
export interface Conversions {
  /** Digits of the longest decimal; one that two columns of other shapes share must fit. `undefined`: any number. */
  readonly decimalDigits: number | undefined;
  /** `timestamp` is one type. On DuckDB it is four, whose ranges differ, and the manifest does not tell which. */
  readonly oneTimestamp: boolean;
  /** Two columns of text may have collations that conflict, which is an error for each row that arrives. */
  readonly collationsConflict: boolean;
}

/** Whether all of these can stand in one comparison, list or set of alternatives, whatever their values. */
export function canMeet(expressions: readonly Expression[], engine: Conversions): boolean {
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
    case "interval":
    case "binary":
      return true;
    case "time":
      return new Set(types.map((type) => type.kind === "time" && type.zoned)).size === 1;
    case "number":
      return engine.decimalDigits === undefined ? meetUnbounded(typed) : meetWithin(typed, engine.decimalDigits);
    case "datetime":
      return meetInTime(typed, engine);
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
 * Whether what these texts are made of has one collation, whichever it is: at most one column, for the manifest does not tell
 * the collations of two. Literals take any.
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

/** A decimal beyond the range of doubles fails beside one; a literal is converted once, before any row. */
function meetUnbounded(numbers: readonly Expression[]): boolean {
  const kinds = new Set(numbers.filter((number) => !isLiteral(number)).map((number) => number.type?.kind));
  return !(kinds.has("float") && kinds.has("decimal"));
}

/** DuckDB brings decimals and integers to the smallest decimal that holds the types, cut to `most` digits. */
function meetWithin(numbers: readonly Expression[], most: number): boolean {
  if (numbers.some((number) => number.type?.kind === "float")) return true;
  const columns = numbers.filter((number) => !isLiteral(number)).map((number) => number.type);
  if (columns.every((type) => type?.kind === "integer") && !numbers.some(hasFraction)) return true;
  const shapes = numbers.map(shapeOf);
  if (!shapes.every((shape) => shape !== undefined)) return false;
  const whole = Math.max(...shapes.map(({ precision, scale }) => precision - scale));
  return whole + Math.max(...shapes.map(({ scale }) => scale)) <= most;
}

const hasFraction = (number: Expression): boolean => isLiteral(number) && !/^\d+$/.test(digitsOf(number));

function digitsOf(number: Expression): string {
  if (number.kind === "number") return number.text;
  return number.kind === "unary" ? digitsOf(number.operand) : "";
}

function shapeOf(number: Expression): { readonly precision: number; readonly scale: number } | undefined {
  if (!isLiteral(number)) return number.type === undefined ? undefined : decimalShape(number.type);
  const [, whole, fraction = ""] = /^(\d+)(?:\.(\d*))?$/.exec(digitsOf(number)) ?? [];
  return whole === undefined ? undefined : { precision: whole.length + fraction.length, scale: fraction.length };
}

/** Dates go beyond the range of timestamps everywhere: `least(some_date, some_timestamp)` fails on PostgreSQL too. */
function meetInTime(times: readonly Expression[], { oneTimestamp }: Conversions): boolean {
  const zones = new Set(times.map(({ type }) => type?.kind === "timestamp" && type.zoned));
  if (zones.size > 1) return false;
  if (times.every(({ type }) => type?.kind === "date")) return true;
  const columns = times.filter((time) => !isLiteral(time));
  return (oneTimestamp || columns.length <= 1) && columns.every(({ type }) => type?.kind === "timestamp");
}
