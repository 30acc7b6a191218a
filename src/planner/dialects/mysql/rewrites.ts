/** Rewrites for MySQL or MariaDB: constructs that it lacks, or that mean something else. Seen on MySQL 9.7 and MariaDB 10.11. */

import { unsupported } from "../../diagnostics.ts";
import { seriesRows } from "../../lowering/arrays/set-returning.ts";
import { caseOfReals, isReal, rowsOfReals } from "../../lowering/numbers/reals.ts";
import { outputColumnsOf } from "../../lowering/queries/output-columns.ts";
import { expressionRules } from "../../lowering/rules.ts";
import type { Rewrites } from "../../lowering/target.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { symmetricAsRanges } from "../../lowering/texts/text-equality.ts";
import { EVERY_YEAR } from "../../lowering/times/far-dates.ts";
import { literalToEndOfDay } from "../../lowering/times/typed-literals.ts";
import { betweenUuids } from "../../lowering/uuids.ts";
import { cast, inPlaceOf, isNull, logical } from "../../syntax/build.ts";
import { numberParts } from "../../syntax/number-parts.ts";
import type {
  Between,
  Case,
  Expression,
  Is,
  NumberLiteral,
  SelectItem,
  SetOperation,
  Unary,
} from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { elementOf } from "./arrays.ts";
import { mysqlCasts } from "./casts.ts";
import { exact, exactCase, inList, inQuery, like, oneCollation, sortKey, textKey } from "./exact-text.ts";
import { mysqlFields } from "./fields.ts";
import { finished } from "./finished.ts";
import { TIME_PATTERNS } from "./formats.ts";
import { plainWindow } from "./frames.ts";
import { mysqlFunctions } from "./functions.ts";
import { subscript } from "./json.ts";
import { ARRAYS } from "./json-arrays.ts";
import { JSON_ROWS } from "./json-rows.ts";
import { MIXED_NUMBERS } from "./mixed-numbers.ts";
import { mysqlOperators } from "./operators.ts";
import { keptApart } from "./quirks/outer-joins.ts";
import { valueWithoutTable } from "./quirks/prepared-subqueries.ts";
import { similar } from "./regular-expressions.ts";
import { atTimeZone } from "./times.ts";

/** More digits than a decimal has would be a double. */
const MAX_DIGITS = 65;

/** With an exponent a number is a double there; so is one that has more digits than a decimal. */
function number(node: NumberLiteral): Expression | undefined {
  const { whole = "", fraction = "", exponent } = numberParts(node.text) ?? {};
  if (exponent === undefined && whole.length + fraction.length > MAX_DIGITS) {
    throw unsupported(
      `a number of more than ${MAX_DIGITS} digits`,
      node.span,
      "Write it with an exponent, as a double.",
    );
  }
  const power = Number(exponent ?? 0);
  const isDouble =
    typeOrUnknown(node).kind === "float" || whole.length + fraction.length + Math.abs(power) > MAX_DIGITS;
  if (exponent === undefined || isDouble) return undefined;
  const digits = whole + fraction.padEnd(power, "0");
  const point = whole.length + power;
  const text =
    point <= 0
      ? `0.${"0".repeat(-point)}${digits}`
      : `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.$/, "");
  return { ...node, text };
}

/** `(a, b) IS NULL`: all of them are, and all are not. */
function rowIsNull(node: Is): Expression | undefined {
  if (node.operand.kind !== "row") return undefined;
  return logical(
    "and",
    node.operand.elements.map((each) => isNull(each, node.negated)),
    node,
  );
}

function between(node: Between): Expression | undefined {
  const [operand = node.operand, low = node.low, high = node.high] = MIXED_NUMBERS.together([
    node.operand,
    node.low,
    node.high,
  ]);
  const among = betweenUuids({ ...node, operand, low, high });
  return symmetricAsRanges(among) ?? among;
}

function branches(node: Case): Expression | undefined {
  const ofReals = caseOfReals(node);
  return exactCase(ofReals ?? node) ?? ofReals;
}

function unary(node: Unary): Expression | undefined {
  if (node.operator === "~") return cast(node, "bigint", inPlaceOf(node));
  // The negative of a real is a double, whose text has other digits.
  if (node.operator === "-" && isReal(node.type)) return cast(node, "real", inPlaceOf(node));
  return undefined;
}

export const mysqlRewrites = (): Rewrites => ({
  differencesAsLengths: true,
  finiteDates: EVERY_YEAR,
  clock: { steps: "microseconds" },
  timePatterns: TIME_PATTERNS,
  numbersFilled: "by lpad",
  expressions: expressionRules(["string boolean null column session logical exists row bound opaque interval array"], {
    number,
    unary,
    between,
    quantified: ARRAYS.quantified,
    like: (node) => (node.operator === "similar" ? similar(node) : like(node)),
    "in-list": inList,
    "in-query": inQuery,
    "scalar-query": valueWithoutTable,
    case: branches,
    typed: literalToEndOfDay,
    subscript: (node) => (typeOrUnknown(node.operand).kind === "json" ? subscript(node) : elementOf(node)),
    collate: (node) => exact(node.operand),
    "at-time-zone": atTimeZone,
    bits: UNSUPPORTED.bitLiterals,
    is: rowIsNull,
    "array-query": UNSUPPORTED.arrays,
    slice: ARRAYS.slice,
    field: UNSUPPORTED.rowMembers,
  }),
  operators: mysqlOperators(),
  casts: mysqlCasts(),
  fields: mysqlFields(),
  functions: mysqlFunctions(),
  rankedAggregates: new Set(["mode"]),
  tableFunctions: new Map([["unnest", ARRAYS.unnest], ["generate_series", seriesRows], ...JSON_ROWS]),
  window: plainWindow,
  keys: { keyOf: textKey, sortOf: sortKey },
  item: refuseInterval,
  setOperation: (node) => oneCollation(refuseMixedReals(node)),
  rowsOfValues: withReals,
  join: keptApart,
  statement: finished,
  asQueries: new Set(["initcap"]),
});

/** MySQL finds another common type for columns of a set operation: an integer next to a real is a double. */
function refuseMixedReals(node: SetOperation): SetOperation {
  const right = outputColumnsOf(node.right);
  outputColumnsOf(node.left).forEach(({ type }, index) => {
    const other = right[index]?.type;
    if (other === undefined || type === undefined || isReal(type) === isReal(other)) return;
    if (type.kind === "null" || other.kind === "null") return;
    throw unsupported("reals beside other numbers in a set operation", node.span, "Write CAST(… AS double precision).");
  });
  return node;
}

/** In rows that are written out PostgreSQL makes reals of exact numbers beside one. */
function withReals(node: SetOperation): SetOperation {
  const { left, right } = node;
  if (left.kind !== "select" || right.kind !== "values") return node;
  const first = left.items.map((item) => (item.kind === "star" ? undefined : item.expression));
  if (!first.every((each) => each !== undefined)) return node;
  const rows = [first, ...right.rows];
  const [own = first, ...others] = rowsOfReals(rows);
  const items = left.items.map((item, index): SelectItem => {
    const expression = own[index];
    return item.kind === "star" || expression === undefined ? item : { ...item, expression };
  });
  return { ...node, left: { ...left, items }, right: { ...right, rows: others } };
}

function refuseInterval(expression: Expression): Expression {
  if (expression.type?.kind !== "interval") return expression;
  throw unsupported(
    "an interval as a value",
    expression.span,
    "Use date_diff('day', a, b), or extract(epoch FROM a - b).",
  );
}
