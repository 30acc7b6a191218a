/** Rules for the operators on Doris. None was run: see the manual, https://doris.apache.org/docs/dev/sql-manual/basic-element/operators/arithmetic-operators */

import { unsupported } from "../../../diagnostics.ts";
import { rejectUnknownType } from "../../../lowering/comparable.ts";
import { ofBits, startingWith } from "../../../lowering/operator-sides.ts";
import { rowsCompared } from "../../../lowering/queries/row-comparisons.ts";
import { comparisonRules, operatorRules, patternRules, type Rules } from "../../../lowering/rules.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import { intervalFactor, timeArithmetic } from "../../../lowering/times/time-arithmetic.ts";
import { binary, not, typed } from "../../../syntax/build.ts";
import type { Binary, Expression } from "../../../syntax/tree.ts";
import { BOOLEAN, isNumeric, type SqlType, typeOrUnknown } from "../../../types.ts";
import { MOST_LACK_OPERATORS } from "../../baselines.ts";
import { concat } from "../templates.ts";
import { emptiness, holdsAll, shares } from "./arrays.ts";
import { textOf } from "./casts.ts";
import { JSON_READING } from "./json.ts";
import { joinedOperands } from "./made-arrays.ts";
import { asDouble, computed, power, quotient, remainder, wholeQuotient } from "./numbers.ts";
import { matching } from "./patterns.ts";
import { startsWith } from "./texts.ts";
import { asTimestamp } from "./times.ts";

const typeOf = (node: Expression): SqlType => typeOrUnknown(node);
const isNumber = (node: Expression): boolean => isNumeric(typeOf(node)) || typeOf(node).kind === "null";

/** A real beside another number is a double on PostgreSQL. */
function ofNumbers(node: Binary): Expression {
  const kinds = [node.left, node.right].map((side) => typeOf(side).kind);
  if (!kinds.includes("float") || kinds.every((kind) => kind === "float")) return computed(node);
  return { ...node, left: asDouble(node.left), right: asDouble(node.right) };
}

function sum(node: Binary): Expression {
  if (isNumber(node.left) && isNumber(node.right)) return ofNumbers(node);
  const hasInterval = [node.left, node.right].some((side) => typeOf(side).kind === "interval");
  const [left, right] = [node.left, node.right].map((side) => (hasInterval ? asTimestamp(side) : side));
  const moved = left && right && timeArithmetic({ ...node, left, right });
  if (moved !== undefined) return moved;
  throw unsupported(`${typeOf(node.left).kind} ${node.operator} ${typeOf(node.right).kind}`, node.span);
}

function multiplied(node: Binary): Expression {
  if (isNumber(node.left) && isNumber(node.right)) return ofNumbers(node);
  return intervalFactor(node) ?? refusedProduct(node);
}

function refusedProduct({ left, right, span }: Binary): never {
  throw unsupported(`${typeOf(left).kind} * ${typeOf(right).kind}`, span);
}

function divided(node: Binary): Expression {
  if (isNumber(node.left) && isNumber(node.right)) return quotient(node);
  const hint = "Write CAST(… AS integer) or CAST(… AS numeric(18, 2)) on both sides.";
  throw unsupported("a division of other values than numbers", node.span, hint);
}

const isArray = (node: Expression): boolean => typeOf(node).kind === "array";

function joined(node: Binary): Expression {
  if (isArray(node.left) || isArray(node.right)) return joinedOperands(node);
  return concat([textOf(node.left, node), textOf(node.right, node)], node);
}

/** Containment of arrays; that of JSON is refused. */
const containment =
  (holder: "left" | "right") =>
  (node: Binary): Expression => {
    const sought = holder === "left" ? "right" : "left";
    if (isArray(node[holder])) return holdsAll(node, node[holder], node[sought]);
    throw unsupported(UNSUPPORTED.jsonKeys.refused, node.span, UNSUPPORTED.jsonKeys.hint);
  };

/** Texts are compared by their bytes; rows are compared member by member, which the grammar has no word for. */
export function compared(node: Binary): Expression | undefined {
  const { left, right } = node;
  if (left.kind === "row" && right.kind === "row")
    return rowsCompared(node, left, right, (each) => compared(each) ?? each);
  const none = emptiness(node);
  if (none !== undefined) return none;
  for (const side of [left, right]) rejectUnknownType(side);
  return undefined;
}

/** https://doris.apache.org/docs/dev/sql-manual/basic-element/operators/conditional-operators/comparison-operators: `<=>`. */
function distinctness(node: Binary): Expression {
  for (const side of [node.left, node.right]) {
    if (side.kind === "row") throw unsupported("a comparison of rows", node.span, "Compare their members.");
    rejectUnknownType(side);
  }
  const same = binary(node.left, "is not distinct from", node.right, typed(BOOLEAN, node));
  return node.operator === "is not distinct from" ? same : not(same);
}

export const dorisOperators = (): Rules<Binary> =>
  operatorRules([], {
    ...MOST_LACK_OPERATORS,
    "&": ofBits("bitand"),
    "|": ofBits("bitor"),
    "#": ofBits("bitxor"),
    "^@": startingWith(startsWith),
    "+": sum,
    "-": sum,
    "*": multiplied,
    "/": divided,
    "//": (node) => wholeQuotient(node.left, node.right, node),
    "%": (node) => remainder(node.left, node.right, node),
    "^": (node) => power(node.left, node.right, node),
    "||": joined,
    "@>": containment("left"),
    "<@": containment("right"),
    "&&": shares,
    "->": JSON_READING.member,
    "->>": JSON_READING.memberText,
    "#>": JSON_READING.path,
    "#>>": JSON_READING.pathText,
    ...patternRules(matching),
    ...comparisonRules(compared, compared, distinctness),
  });
