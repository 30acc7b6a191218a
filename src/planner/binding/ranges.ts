/**
 * Ranges that are constructed where they are compared, `daterange(a, b) && daterange(c, d)` and `daterange(a, b) @> x`,
 * as comparisons of their bounds, for sources without range types. Bounds are PostgreSQL's: NULL is unbounded, `[)` is
 * the default, a lower bound above the upper one raises, an empty range overlaps nothing.
 */
import { PlannerError, unsupported } from "../diagnostics.ts";
import { functionName } from "../functions/calls.ts";
import { all, binary, call, cast, isNull, text, typed, values, when } from "../syntax/build.ts";
import type { Binary, BinaryOperator, Call, Expression } from "../syntax/tree.ts";
import {
  BIGINT,
  BOOLEAN,
  DATE,
  describeType,
  INTEGER,
  NUMERIC,
  type SqlType,
  TIMESTAMP,
  TIMESTAMPTZ,
} from "../types.ts";
import { convertTo, typeOf } from "./coercion.ts";

const ELEMENTS: ReadonlyMap<string, SqlType> = new Map([
  ["daterange", DATE],
  ["int4range", INTEGER],
  ["int8range", BIGINT],
  ["numrange", NUMERIC],
  ["tsrange", TIMESTAMP],
  ["tstzrange", TIMESTAMPTZ],
]);

interface Range {
  readonly name: string;
  readonly element: SqlType;
  readonly lower: Expression;
  readonly upper: Expression;
  /** Whether the range includes the bound. */
  readonly closed: { readonly lower: boolean; readonly upper: boolean };
}

/** The comparison of two ranges, or of a range and a value; `undefined` for other nodes. */
export function comparedRanges(node: Binary, bind: (each: Expression) => Expression): Expression | undefined {
  if (node.operator !== "&&" && node.operator !== "@>" && node.operator !== "<@") return undefined;
  const [first, second] = node.operator === "<@" ? [node.right, node.left] : [node.left, node.right];
  const [one, other] = [rangeOf(first, bind), rangeOf(second, bind)];
  if (one === undefined) return undefined;
  if (node.operator === "&&") {
    if (other === undefined) return undefined;
    if (one.name !== other.name) throw mismatch(`${node.operator} of ${one.name} and ${other.name}`, node);
    return valid([one, other], overlap(one, other, node), node);
  }
  return other === undefined ? valid([one], holds(one, bind(second), node), node) : undefined;
}

function rangeOf(expression: Expression, bind: (each: Expression) => Expression): Range | undefined {
  if (expression.kind !== "call") return undefined;
  const name = functionName(expression);
  const element = ELEMENTS.get(name);
  const [lower, upper, marks] = values(expression);
  if (element === undefined || lower === undefined || upper === undefined) return undefined;
  const closed = closedEnds(marks, element, expression);
  const bound = (each: Expression): Expression => ofElement(bind(each), element, name);
  return { name, element, lower: bound(lower), upper: bound(upper), closed };
}

/**
 * Dates and integers are discrete, so that `(1,2)` is empty: their ranges are normalised to include the lower bound.
 */
function closedEnds(marks: Expression | undefined, element: SqlType, at: Call): Range["closed"] {
  const written = marks === undefined ? "[)" : marks.kind === "string" ? marks.value : "";
  const hasNeighbours = element.kind === "date" || element.kind === "integer";
  if (!(hasNeighbours ? /^\[[)\]]$/ : /^[([][)\]]$/).test(written)) {
    throw unsupported("a range with these bounds", at.span, "Write its bounds as '[)' or '[]'.");
  }
  return { lower: written.startsWith("["), upper: written.endsWith("]") };
}

/** Applies only PostgreSQL's implicit conversions. */
function ofElement(value: Expression, element: SqlType, name: string): Expression {
  const type = typeOf(value);
  if (value.kind === "string" || type.kind === "null") return convertTo(value, element);
  const isTime = element.kind === "timestamp" && !element.zoned && type.kind === "date";
  if (isTime) return cast(value, "timestamp", { span: value.span, type: element });
  if (element.kind === "decimal" && type.kind === "integer") return value;
  return sameKind(value, element, name);
}

function sameKind(value: Expression, element: SqlType, name: string): Expression {
  const type = typeOf(value);
  const isNarrow = type.kind !== "integer" || element.kind !== "integer" || type.bits <= element.bits;
  const isZoned = (each: SqlType): boolean => each.kind === "timestamp" && each.zoned;
  if (type.kind === element.kind && isNarrow && isZoned(type) === isZoned(element)) return value;
  throw mismatch(`${name} of ${describeType(type)}`, value);
}

function mismatch(what: string, { span }: Expression): PlannerError {
  return new PlannerError("TYPE_MISMATCH", `there is no ${what}`, { span, hint: "Write a CAST." });
}

function overlap(one: Range, other: Range, at: Binary): Expression {
  return every(
    [
      ...[one, other].map((range) => below(range.lower, range.closed.lower && range.closed.upper, range.upper, at)),
      below(one.lower, one.closed.lower && other.closed.upper, other.upper, at),
      below(other.lower, other.closed.lower && one.closed.upper, one.upper, at),
    ],
    at,
  );
}

function holds(range: Range, value: Expression, at: Binary): Expression {
  const { lower, upper, closed, element, name } = range;
  const x = value.kind === "string" ? convertTo(value, element) : value;
  if (typeOf(x).kind !== "null") sameKind(x, element, name);
  const inside = every([below(lower, closed.lower, x, at), below(x, closed.upper, upper, at)], at);
  return when(isNull(x, true), inside, undefined, { span: at.span, type: BOOLEAN });
}

/** True where a bound is none. */
function below(low: Expression, orEqual: boolean, high: Expression, at: Binary): Expression {
  return call("coalesce", [compared(low, orEqual ? "<=" : "<", high, at), truth(true, at)], typed(BOOLEAN, at));
}

function compared(a: Expression, operator: BinaryOperator, b: Expression, { span }: Binary): Expression {
  return binary(a, operator, b, { span, type: BOOLEAN });
}

function truth(value: boolean, { span }: Binary): Expression {
  return { kind: "boolean", value, span, type: BOOLEAN };
}

function every(conditions: readonly Expression[], at: Binary): Expression {
  return all(conditions, at) ?? truth(true, at);
}

/** A range that begins after its end is not a range: the text is then not a boolean, and the cast raises. */
function valid(ranges: readonly Range[], result: Expression, at: Binary): Expression {
  const place = { span: at.span, type: BOOLEAN };
  const raised = cast(text("the lower bound of a range is above its upper bound", at), "boolean", place);
  return {
    kind: "case",
    operand: undefined,
    branches: ranges.map(({ lower, upper }) => ({ when: compared(lower, ">", upper, at), then: raised })),
    otherwise: result,
    ...place,
  };
}
