/** Rules for the operators on Oracle. https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/About-SQL-Operators.html */

import { isNumberOfDays } from "../../common-type.ts";
import { unsupported } from "../../diagnostics.ts";
import { rejectUnknownType } from "../../lowering/comparable.ts";
import { distinctnessBy } from "../../lowering/distinctness.ts";
import { startingWith } from "../../lowering/operator-sides.ts";
import { rowsCompared } from "../../lowering/queries/row-comparisons.ts";
import { comparisonRules, operatorRules, type Rules } from "../../lowering/rules.ts";
import { spelled, words } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { intervalFactor, isDateOrTimestamp, timeArithmetic } from "../../lowering/times/time-arithmetic.ts";
import { binary, call, comparison, inPlaceOf, integer } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { DAYS, isNumeric, typeOrUnknown } from "../../types.ts";
import { MOST_LACK_OPERATORS } from "../baselines.ts";
import { textOf } from "./casts.ts";
import { joinedParts } from "./empty-texts.ts";
import { JSON_READING } from "./json.ts";
import { ARRAYS } from "./json-arrays.ts";
import { matches } from "./regular-expressions.ts";
import { compare, startsWith } from "./texts.ts";
import { asResult, timeInUtc } from "./times.ts";

const kindOf = (node: Expression): string => typeOrUnknown(node).kind;

/** A difference of two values of DATE is a number of days; of a TIMESTAMP it would be an interval. */
const DAYS_BETWEEN = words("(CAST($1 AS DATE) - CAST($2 AS DATE))", { type: DAYS });

/** Adds to times in UTC. */
function sum(node: Binary): Expression | undefined {
  if (node.operator === "-" && isNumberOfDays(typeOrUnknown(node)) && isDateOrTimestamp(node.left)) {
    return spelled(DAYS_BETWEEN, [node.left, node.right], node);
  }
  if (isNumeric(typeOrUnknown(node.left)) && isNumeric(typeOrUnknown(node.right))) return undefined;
  const moved = timeArithmetic({ ...node, left: timeInUtc(node.left), right: timeInUtc(node.right) });
  if (moved === undefined) throw unsupported(`${kindOf(node.left)} ${node.operator} ${kindOf(node.right)}`, node.span);
  return asResult(moved, node);
}

function multiplied(node: Binary): Expression | undefined {
  return isNumeric(typeOrUnknown(node.left)) && isNumeric(typeOrUnknown(node.right)) ? undefined : intervalFactor(node);
}

const isWhole = (node: Binary): boolean => kindOf(node.left) === "integer" && kindOf(node.right) === "integer";

/** The quotient of whole numbers has a fraction there: 38 digits, more than two numbers of 64 bits can tell apart. */
export function divided(node: Binary): Expression | undefined {
  return isWhole(node) ? call("trunc", [{ ...node, operator: "/" }], inPlaceOf(node)) : undefined;
}

function wholeQuotient(node: Binary): Expression | undefined {
  if (isWhole(node)) return divided(node);
  throw unsupported("// of fractions", node.span, "Write floor(a / b).");
}

/**
 * MOD by zero is the dividend: a quotient that raises stands beside.
 * https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/MOD.html
 */
export function remainder(node: Binary): Expression {
  const { left, right } = node;
  if (kindOf(left) === "float" || kindOf(right) === "float") throw unsupported("% of doubles", node.span);
  const rest = call("mod", [left, right], inPlaceOf(node));
  if (right.kind === "number" && /[1-9]/.test(right.text)) return rest;
  return binary(rest, "+", binary(integer(0, node), "/", right, inPlaceOf(node)), inPlaceOf(node));
}

export function compared(node: Binary): Expression {
  const { left, right } = node;
  if (left.kind === "row" && right.kind === "row") return rowsCompared(node, left, right, compared);
  rejectUnknownType(left);
  rejectUnknownType(right);
  return compare(node);
}

function joined(node: Binary): Expression {
  if (kindOf(node) === "array") return ARRAYS.joined(node.left, node.right, node);
  return joinedParts([textOf(node.left, node), textOf(node.right, node)], node);
}

function contained(node: Binary, container: Expression, sought: Expression): Expression {
  if (kindOf(container) === "array") return ARRAYS.holdsAll(node, container, sought);
  const { refused, hint } = UNSUPPORTED.jsonKeys;
  throw unsupported(refused, node.span, hint);
}

const NO_BITS = { refused: "operators of bits but &", hint: "Write a + b - (a & b) for a | b." };

/** https://docs.oracle.com/en/database/oracle/oracle-database/23/sqlrf/BITAND.html */
function commonBits(node: Binary): Expression {
  const { left, right } = node;
  const isWhole = (value: Expression): boolean => typeOrUnknown(value).kind === "integer";
  if (isWhole(left) && isWhole(right)) return call("bitand", [left, right], inPlaceOf(node));
  throw unsupported("& of anything but integers", node.span, "Write CAST(… AS bigint).");
}

export const oracleOperators = (): Rules<Binary> =>
  operatorRules([], {
    ...MOST_LACK_OPERATORS,
    "+": sum,
    "-": sum,
    "*": multiplied,
    "/": divided,
    "//": wholeQuotient,
    "%": remainder,
    "^": (node) => call("power", [node.left, node.right], inPlaceOf(node)),
    "||": joined,
    "&": commonBits,
    "|": NO_BITS,
    "#": NO_BITS,
    "<<": NO_BITS,
    ">>": NO_BITS,
    "^@": startingWith(startsWith),
    "~": matches(false, false),
    "~*": matches(true, false),
    "!~": matches(false, true),
    "!~*": matches(true, true),
    "->": JSON_READING.member,
    "->>": JSON_READING.memberText,
    "#>": JSON_READING.path,
    "#>>": JSON_READING.pathText,
    "@>": (node) => contained(node, node.left, node.right),
    "<@": (node) => contained(node, node.right, node.left),
    "&&": ARRAYS.shares,
    ...comparisonRules((node) => ARRAYS.comparedWithNone(node) ?? compared(node), compared, distinct),
  });

function distinct(node: Binary): Expression {
  return distinctnessBy((left, right) => compared(comparison(left, "=", right, node)))(node);
}
