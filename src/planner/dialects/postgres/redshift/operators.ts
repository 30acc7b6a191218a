/** Rules for the operators on Redshift. None was run: see the manual, https://docs.aws.amazon.com/redshift/latest/dg/r_OPERATOR_SYMBOLS.html */

import { unsupported } from "../../../diagnostics.ts";
import { startingWith } from "../../../lowering/operator-sides.ts";
import { comparisonRules, operatorRules, type Rules, sameRule } from "../../../lowering/rules.ts";
import { UNSUPPORTED } from "../../../lowering/templates/unsupported.ts";
import { intervalFactor, timeArithmetic } from "../../../lowering/times/time-arithmetic.ts";
import { call, concatenation, inPlaceOf } from "../../../syntax/build.ts";
import type { Binary, Expression } from "../../../syntax/tree.ts";
import { isNumeric, type SqlType, typeOrUnknown } from "../../../types.ts";
import { MOST_LACK_OPERATORS } from "../../baselines.ts";
import { emptiness, holdsAll, joinedOperands, shares } from "./arrays.ts";
import { textOf } from "./casts.ts";
import { asDouble, quotient, remainder, wholeQuotient } from "./decimals.ts";
import { TEXTS } from "./exact-text.ts";
import { JSON_READING } from "./json.ts";
import { matched } from "./patterns.ts";
import { startsWith } from "./texts.ts";
import { asTimestamp, timeInUtc } from "./times.ts";

const typeOf = (node: Expression): SqlType => typeOrUnknown(node);
const isNumber = (node: Expression): boolean => isNumeric(typeOf(node));

/** Adds to times in UTC. */
function sum(node: Binary): Expression | undefined {
  if (isNumber(node.left) && isNumber(node.right)) return undefined;
  const hasInterval = [node.left, node.right].some((side) => typeOf(side).kind === "interval");
  const [left, right] = [node.left, node.right].map((side) =>
    hasInterval ? asTimestamp(timeInUtc(side)) : timeInUtc(side),
  );
  const moved = left && right && timeArithmetic({ ...node, left, right });
  if (moved !== undefined) return moved;
  throw unsupported(`${typeOf(node.left).kind} ${node.operator} ${typeOf(node.right).kind}`, node.span);
}

const multiplied = (node: Binary): Expression | undefined =>
  isNumber(node.left) && isNumber(node.right) ? undefined : intervalFactor(node);

function divided(node: Binary): Expression | undefined {
  if (isNumber(node.left) && isNumber(node.right)) return quotient(node);
  const hint = "Write CAST(… AS integer) or CAST(… AS numeric(18, 2)) on both sides.";
  throw unsupported("a division of other values than numbers", node.span, hint);
}

const power = (node: Binary): Expression => call("power", [asDouble(node.left), asDouble(node.right)], inPlaceOf(node));

const isArray = (node: Expression): boolean => typeOf(node).kind === "array";

function joined(node: Binary): Expression {
  if (isArray(node.left) || isArray(node.right)) return joinedOperands(node);
  return concatenation(textOf(node.left, node), textOf(node.right, node), node);
}

/** Containment of arrays; that of JSON is refused. */
const containment =
  (holder: "left" | "right") =>
  (node: Binary): Expression => {
    const sought = holder === "left" ? "right" : "left";
    if (isArray(node[holder])) return holdsAll(node, node[holder], node[sought]);
    throw unsupported(UNSUPPORTED.jsonKeys.refused, node.span, UNSUPPORTED.jsonKeys.hint);
  };

export const redshiftOperators = (): Rules<Binary> =>
  operatorRules([], {
    ...MOST_LACK_OPERATORS,
    ...sameRule("& | # << >>", UNSUPPORTED.bits),
    "^@": startingWith(startsWith),
    "+": sum,
    "-": sum,
    "*": multiplied,
    "/": divided,
    "//": (node) => wholeQuotient(node.left, node.right, node),
    "%": (node) => remainder(node.left, node.right, node),
    "^": power,
    "||": joined,
    "@>": containment("left"),
    "<@": containment("right"),
    "&&": shares,
    "~": matched("~", false),
    "~*": matched("~", true),
    "!~": matched("!~", false),
    "!~*": matched("!~", true),
    "->": JSON_READING.member,
    "->>": JSON_READING.memberText,
    "#>": JSON_READING.path,
    "#>>": JSON_READING.pathText,
    ...comparisonRules((node) => emptiness(node) ?? TEXTS.equality(node), TEXTS.inequality, TEXTS.distinctness),
  });
