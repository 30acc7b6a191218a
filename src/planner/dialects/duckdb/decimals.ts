/**
 * Decimals of different scales that meet in one column. DuckDB sums into DECIMAL(38, s) and brings alternatives to one
 * type of at most 38 digits by cutting the scale: `coalesce(sum(price), 0.125)` gives 0.13, and a UNION of sums loses
 * the digits of the finer one. Casting the coarser side first keeps them; a value too large for that is an error.
 */

import { columnCount } from "../../binding/output.ts";
import { decimalShape } from "../../common-type.ts";
import { functionName } from "../../functions/calls.ts";
import { findFunction } from "../../functions/catalogue.ts";
import { isInexactDecimal } from "../../lowering/numbers/inexact.ts";
import { replaced } from "../../lowering/queries/output-columns.ts";
import { countStep } from "../../plan-budget.ts";
import { call, cast, inPlaceOf, text, typed, values } from "../../syntax/build.ts";
import type {
  Binary,
  Call,
  Cast,
  Expression,
  InQuery,
  PrintableColumn,
  QueryBody,
  SetOperation,
} from "../../syntax/tree.ts";
import { type SqlType, TEXT } from "../../types.ts";

const WIDEST = 38;

/** Digits behind the point of a number that is read from a text: as many before it as its products may need. */
const SCALE_OF_TEXT = 10;

/**
 * Texts with more digits than that, and small numbers with an exponent: DuckDB would round them. What takes their place is
 * no number, so that reading it raises; the value itself stands in the SQL only once.
 */
const TOO_FINE = `^(\\s*[+-]?\\d*\\.\\d{${SCALE_OF_TEXT}}\\d*[1-9]\\d*\\s*|.*[eE]-.*|.*\\.\\d{${SCALE_OF_TEXT + 1},}[eE].*)$`;

/**
 * `CAST(text AS numeric)`: exact, or an error over a text that has more digits than fit
 * (docs/decisions/0046-duckdb-numbers.md#decision).
 */
export function numberOfText(node: Cast): Expression {
  const { operand } = node;
  const readable = call(
    "regexp_replace",
    [operand, text(TOO_FINE, node), text("too many digits: \\1", node)],
    typed(TEXT, operand),
  );
  return cast(readable, "numeric", inPlaceOf(node), [WIDEST, SCALE_OF_TEXT]);
}

/** Characters that DuckDB accepts in a number and PostgreSQL does not; no number holds a question mark. */
const FOREIGN = { integer: "._eExXbBoO", float: "_" } as const;

/**
 * `CAST(text AS integer)` of `1.5` would be 2, and of `1e2` 100: what has such characters raises instead
 * (docs/decisions/0046-duckdb-numbers.md#decision).
 */
export function plainNumberOfText(node: Cast, kind: keyof typeof FOREIGN): Cast {
  const { operand } = node;
  const foreign = FOREIGN[kind];
  if (operand.kind === "string" && ![...foreign].some((each) => operand.value.includes(each))) return node;
  const none = "?".repeat(foreign.length);
  return {
    ...node,
    operand: call("translate", [operand, text(foreign, node), text(none, node)], typed(TEXT, operand)),
  };
}

interface Shape {
  readonly whole: number;
  readonly scale: number;
}

/** Alternatives that take one type (CASE, COALESCE, VALUES …), cast where DuckDB would cut digits off. */
export function aligned(expressions: readonly Expression[]): readonly Expression[] {
  const scale = commonScale(expressions.map(shapeOf));
  return scale === undefined ? expressions : expressions.map((each) => widened(each, scale));
}

export function alignedCall(node: Call): Expression {
  const before = node.arguments.map((argument) => argument.value);
  const after = aligned(before);
  if (after === before) return node;
  return { ...node, arguments: after.map((value) => ({ name: undefined, value })) };
}

/** LAG and LEAD take their default to the type of their value, whatever digits it has. */
export function withDefault(node: Call): Expression {
  const [value, offset, otherwise] = node.arguments;
  if (value === undefined || offset === undefined || otherwise === undefined) return node;
  const [a, b] = [shapeOf(value.value), shapeOf(otherwise.value)];
  if (a === undefined || b === undefined || a.scale >= b.scale) return node;
  return { ...node, arguments: [{ ...value, value: widened(value.value, b.scale) }, offset, otherwise] };
}

export function alignedRemainder(node: Binary): Expression | undefined {
  const [left, right] = aligned([node.left, node.right]);
  return left === undefined || right === undefined || (left === node.left && right === node.right)
    ? undefined
    : { ...node, left, right };
}

export function alignedInQuery(node: InQuery): Expression | undefined {
  const operands = node.operand.kind === "row" ? node.operand.elements : [node.operand];
  let { body } = node.query;
  const converted = operands.map((operand, index) => {
    const scale = commonScale([shapeOf(operand), columnShape(body, index)]);
    if (scale === undefined) return operand;
    body = withScale(body, index, scale);
    return widened(operand, scale);
  });
  if (body === node.query.body && converted.every((operand, index) => operand === operands[index])) return undefined;
  const [single] = converted;
  const operand = node.operand.kind === "row" ? { ...node.operand, elements: converted } : (single ?? node.operand);
  return { ...node, operand, query: { ...node.query, body } };
}

/** The columns of set operations that are aligned: a chain of them would otherwise be looked through for every link. */
const ALIGNED = new WeakMap<QueryBody, readonly (Shape | undefined)[]>();

export function alignedSetOperation(node: SetOperation): SetOperation {
  let { left, right } = node;
  const others = columnShapes(right);
  const shapes = columnShapes(left).map((own, index) => {
    const other = others[index];
    const scale = commonScale([own, other]);
    if (own === undefined || other === undefined || scale === undefined) return widest([own, other]);
    if (own.scale < scale) left = withScale(left, index, scale);
    if (other.scale < scale) right = withScale(right, index, scale);
    return { whole: WIDEST - scale, scale };
  });
  const aligned = left === node.left && right === node.right ? node : { ...node, left, right };
  ALIGNED.set(aligned, shapes);
  return aligned;
}

/** The scale all must be cast to, or `undefined` where DuckDB finds a type for them by itself. */
function commonScale(shapes: readonly (Shape | undefined)[]): number | undefined {
  const known = shapes.filter((shape) => shape !== undefined);
  if (known.length !== shapes.length) return undefined;
  const scale = Math.max(...known.map((shape) => shape.scale));
  const whole = Math.max(...known.map((shape) => shape.whole));
  return whole + scale > WIDEST && known.some((shape) => shape.scale < scale) ? scale : undefined;
}

function widened(expression: Expression, scale: number): Expression {
  const shape = shapeOf(expression);
  if (shape === undefined || shape.scale >= scale || expression.kind === "null") return expression;
  return cast(expression, "numeric", typed({ kind: "decimal", precision: WIDEST, scale }, expression), [WIDEST, scale]);
}

/** Digits before and after the point of DuckDB's type; `undefined` for doubles and what is not known. */
function shapeOf(expression: Expression): Shape | undefined {
  countStep();
  const { type } = expression;
  if (type === undefined) return undefined;
  if (type.kind === "null") return { whole: 0, scale: 0 };
  if (isInexactDecimal(expression)) return undefined;
  const stated = decimalShape(type);
  if (stated !== undefined) return { whole: stated.precision - stated.scale, scale: stated.scale };
  if (type.kind !== "decimal") return undefined;
  const scale = scaleOf(expression);
  return scale === undefined ? undefined : { whole: WIDEST - scale, scale };
}

/** Digits behind the point of a decimal that DuckDB computes as one. */
export function scaleOfDecimal(expression: Expression): number | undefined {
  return shapeOf(expression)?.scale;
}

/**
 * A recursive table whose decimals grow: its first rows get as many digits as all of them have, for DuckDB rounds later
 * ones to them. `undefined` where each row may have more than the one before it.
 */
export function recursionOfDecimals(node: SetOperation): SetOperation | undefined {
  const columns = Array.from({ length: columnCount(node.left) }, (_, index) => index);
  const pairs = columns.map((index) => ({ index, start: itemAt(node.left, index), next: itemAt(node.right, index) }));
  const decimals = pairs.flatMap(({ index, start, next }) => {
    if (start !== undefined && start.type?.kind !== "decimal") return [];
    const later = saidDigits(next) ?? (next && scaleOfDecimal(next));
    return [{ index, next, first: start && scaleOfDecimal(start), later }];
  });
  const scale = largest(decimals.flatMap(({ first, later }) => [first, later]));
  if (scale === undefined) return undefined;
  const keepsDigits = decimals.every(({ first = 0, later = 0 }) => later <= first);
  // Values computed from columns whose digits grow may grow again.
  if (!keepsDigits && !decimals.every(({ next }) => next?.kind === "bound" || saidDigits(next) !== undefined))
    return undefined;
  const left = decimals.reduce((body, { index, first = scale }) => {
    const type: SqlType = { kind: "decimal", precision: WIDEST, scale: keepsDigits ? first : scale };
    return withColumn(body, index, (each) => cast(each, "numeric", typed(type, each), [WIDEST, type.scale ?? 0]));
  }, node.left);
  return { ...node, left };
}

function itemAt(body: QueryBody, index: number): Expression | undefined {
  if (body.kind === "nested") return itemAt(body.query.body, index);
  const item = body.kind === "select" ? body.items[index] : undefined;
  return item?.kind === "item" ? item.expression : undefined;
}

/** Digits that are rounded to, whatever the row before had. */
function saidDigits(expression: Expression | undefined): number | undefined {
  if (expression?.kind === "cast" && expression.typeName.parameters.length > 0)
    return expression.typeName.parameters[1] ?? 0;
  if (expression?.kind !== "call" || expression.name[0]?.name !== "round") return undefined;
  const digits = expression.arguments[1]?.value;
  return digits?.kind === "number" ? Number(digits.text) : undefined;
}

function scaleOf(expression: Expression): number | undefined {
  const scales = (operands: readonly Expression[]): readonly (number | undefined)[] =>
    operands.map((operand) => shapeOf(operand)?.scale);
  switch (expression.kind) {
    case "bound":
      return scaleOfColumn(expression.column);
    case "unary":
      return shapeOf(expression.operand)?.scale;
    case "binary": {
      const both = scales([expression.left, expression.right]);
      return expression.operator === "*" ? sum(both) : largest(both);
    }
    case "cast": {
      const [precision, scale] = expression.typeName.parameters;
      if (precision !== undefined) return scale ?? 0;
      return expression.operand.type?.kind === "text" ? SCALE_OF_TEXT : shapeOf(expression.operand)?.scale;
    }
    case "case":
      return largest(
        scales([
          ...expression.branches.map((branch) => branch.then),
          ...(expression.otherwise === undefined ? [] : [expression.otherwise]),
        ]),
      );
    case "scalar-query":
      return columnShape(expression.query.body, 0)?.scale;
    case "call":
      return scaleOfCall(expression);
    default:
      return undefined;
  }
}

/** Columns whose scale is known, and `undefined` for those that are being looked at. */
const COLUMN_SCALES = new WeakMap<object, number | undefined>();
let columnDepth = 0;

/** Once per column; past a chain of 200 columns the scale counts as unknown, for the stack has an end. */
function scaleOfColumn(column: PrintableColumn): number | undefined {
  if (COLUMN_SCALES.has(column) || columnDepth > 200) return COLUMN_SCALES.get(column);
  COLUMN_SCALES.set(column, undefined);
  columnDepth++;
  try {
    const { origins = [] } = column;
    const scale = origins.length === 0 ? undefined : largest(origins.map((origin) => shapeOf(origin)?.scale));
    COLUMN_SCALES.set(column, scale);
    return scale;
  } finally {
    columnDepth--;
  }
}

function scaleOfCall(node: Call): number | undefined {
  const [first, second, third] = values(node);
  if (first === undefined) return undefined;
  const scale = shapeOf(first)?.scale;
  const digits = findFunction(functionName(node))?.digits;
  switch (digits) {
    case "of the first":
      return scale;
    case "of value and default":
      return third === undefined ? scale : largest([scale, shapeOf(third)?.scale]);
    case "of all":
      return largest(values(node).map((value) => shapeOf(value)?.scale));
    case "asked for":
      if (scale === undefined) return undefined;
      if (second === undefined) return 0;
      return second.kind === "number" ? Math.min(scale, Number(second.text)) : second.kind === "unary" ? 0 : scale;
    case "none":
      return 0;
    case "computed":
    case undefined:
      return undefined;
    default:
      return digits satisfies never;
  }
}

function largest(scales: readonly (number | undefined)[]): number | undefined {
  const known = scales.filter((scale) => scale !== undefined);
  return known.length === scales.length ? Math.max(...known) : undefined;
}

function sum(scales: readonly (number | undefined)[]): number | undefined {
  const known = scales.filter((scale) => scale !== undefined);
  return known.length === scales.length ? known.reduce((total, scale) => total + scale, 0) : undefined;
}

// ------------------------------------------------------------------------------------------------- columns of queries

function columnShapes(body: QueryBody): readonly (Shape | undefined)[] {
  return ALIGNED.get(body) ?? Array.from({ length: columnCount(body) }, (_, index) => columnShape(body, index));
}

function columnShape(body: QueryBody, index: number): Shape | undefined {
  switch (body.kind) {
    case "select": {
      const item = body.items[index];
      return item?.kind === "item" ? shapeOf(item.expression) : undefined;
    }
    case "values":
      return widest(
        body.rows.map((row) => {
          const value = row[index];
          return value && shapeOf(value);
        }),
      );
    case "set": {
      const known = ALIGNED.get(body);
      return known === undefined
        ? widest([columnShape(body.left, index), columnShape(body.right, index)])
        : known[index];
    }
    case "nested":
      return columnShape(body.query.body, index);
    default:
      return body satisfies never;
  }
}

function widest(shapes: readonly (Shape | undefined)[]): Shape | undefined {
  const known = shapes.filter((shape) => shape !== undefined);
  if (known.length !== shapes.length) return undefined;
  return {
    whole: Math.max(...known.map((shape) => shape.whole)),
    scale: Math.max(...known.map((shape) => shape.scale)),
  };
}

function withScale(body: QueryBody, index: number, scale: number): QueryBody {
  return withColumn(body, index, (each) => widened(each, scale));
}

export function withColumn(body: QueryBody, index: number, convert: (each: Expression) => Expression): QueryBody {
  switch (body.kind) {
    case "select": {
      const item = body.items[index];
      if (item?.kind !== "item") return body;
      const expression = convert(item.expression);
      return expression === item.expression
        ? body
        : { ...body, items: body.items.with(index, replaced(item, expression)) };
    }
    case "values":
      return {
        ...body,
        rows: body.rows.map((row) => row.map((value, at) => (at === index ? convert(value) : value))),
      };
    case "set":
      return { ...body, left: withColumn(body.left, index, convert), right: withColumn(body.right, index, convert) };
    case "nested":
      return { ...body, query: { ...body.query, body: withColumn(body.query.body, index, convert) } };
    default:
      return body satisfies never;
  }
}
