/** Rules for the operators on MySQL and MariaDB. Seen on MySQL 9.7 and MariaDB 10.11. */

import { unsupported } from "../../diagnostics.ts";
import { isReal } from "../../lowering/numbers/reals.ts";
import { comparisonRules, operatorRules, patternRules, type Rules, sameRule } from "../../lowering/rules.ts";
import { spelled, sql } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { intervalFactor } from "../../lowering/times/time-arithmetic.ts";
import { orderedUuids } from "../../lowering/uuids.ts";
import { binary, cast, inPlaceOf } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, isUnknown, TEXT, typeOrUnknown } from "../../types.ts";
import { MOST_LACK_OPERATORS } from "../baselines.ts";
import { textOf } from "./casts.ts";
import { distinctness, equality, exact, inequality, textKey } from "./exact-text.ts";
import { member, memberText, path, pathText } from "./json.ts";
import { ARRAYS } from "./json-arrays.ts";
import { orRaise } from "./raising.ts";
import { matching } from "./regular-expressions.ts";
import { concat } from "./templates.ts";
import { shiftedTime } from "./times.ts";

const isInteger = (expression: Expression): boolean => typeOrUnknown(expression).kind === "integer";

/** Integers have an integer quotient; the session sets the digits of other quotients. */
function quotient(node: Binary): Expression | undefined {
  const { left, right } = node;
  if (isInteger(left) && isInteger(right)) return { ...node, operator: "//" };
  if (isUnknown(typeOrUnknown(left)) || isUnknown(typeOrUnknown(right))) {
    const hint = "Write CAST(… AS integer) or CAST(… AS numeric) on both sides.";
    throw unsupported("a division whose types are unknown", node.span, hint);
  }
  return product(node);
}

const WHOLE_QUOTIENT = sql("truncate($1 / $2, 0)");

export function wholeQuotient(left: Expression, right: Expression, at: Expression): Expression {
  if (isInteger(left) && isInteger(right)) {
    return binary(left, "//", right, { span: at.span, type: typeOrUnknown(at) });
  }
  return spelled(WHOLE_QUOTIENT, [left, right], at);
}

function sum(node: Binary): Expression | undefined {
  if (typeOrUnknown(node.left).kind === "json") throw unsupported("json without a member", node.span);
  return shiftedTime(node) ?? ofReals(node);
}

/** Half a step beyond the largest real. MariaDB replaces a real that is too large by the largest. */
const FITS_REAL = sql("abs($1) < 3.4028235677973366e38", { type: BOOLEAN });

/** MySQL computes reals as doubles and returns a double. */
function ofReals(node: Binary): Expression | undefined {
  if (!isReal(node.type)) return undefined;
  return orRaise(spelled(FITS_REAL, [node], node), cast(node, "real", inPlaceOf(node)), node);
}

/** JSON in JSON is refused, or said by its members (`lowering/json/json-containment.ts`). */
function contained(node: Binary, container: Expression, sought: Expression): Expression {
  if (typeOrUnknown(container).kind === "array") return ARRAYS.holdsAll(node, container, sought);
  throw unsupported(UNSUPPORTED.jsonKeys.refused, node.span, UNSUPPORTED.jsonKeys.hint);
}

const product = (node: Binary): Expression | undefined => ofReals(node) ?? intervalFactor(node);

function joined(node: Binary): Expression {
  const { left, right } = node;
  if (typeOrUnknown(node).kind === "array") return ARRAYS.joined(left, right, node);
  for (const side of [left, right]) {
    if (["json", "array", "binary"].includes(typeOrUnknown(side).kind)) {
      throw unsupported(`|| of ${typeOrUnknown(side).kind}`, side.span);
    }
  }
  return concat([textOf(left, left), textOf(right, right)], node);
}

/** MySQL's operators of bits give an unsigned number. */
const ofBits = (node: Binary): Expression => {
  const { kind } = typeOrUnknown(node.left);
  if (kind !== "integer") throw unsupported(`operator ${node.operator} over ${kind}`, node.span);
  return cast(node, "bigint", inPlaceOf(node));
};

const START = sql("left($1, char_length($2))", { type: TEXT });

export const beginning = (whole: Expression, part: Expression, { span }: Expression): Expression =>
  binary(exact(spelled(START, [whole, part], whole)), "=", textKey(part), { span, type: BOOLEAN });

const ordered = (node: Binary): Expression => {
  const sides = orderedUuids(node);
  return inequality(sides) ?? sides;
};

export const mysqlOperators = (): Rules<Binary> =>
  operatorRules(["%"], {
    ...MOST_LACK_OPERATORS,
    "+": sum,
    "-": sum,
    "*": product,
    "/": quotient,
    "//": (node) => wholeQuotient(node.left, node.right, node),
    "^": sql("pow($1, $2)", { scale: "computed" }),
    "||": joined,
    ...sameRule("& | #", ofBits),
    "^@": (node) => beginning(node.left, node.right, node),
    ...patternRules(matching),
    "->": member,
    "->>": memberText,
    "#>": path,
    "#>>": pathText,
    "@>": (node) => contained(node, node.left, node.right),
    "<@": (node) => contained(node, node.right, node.left),
    "&&": ARRAYS.shares,
    ...comparisonRules((node) => ARRAYS.comparedWithNone(node) ?? equality(node), ordered, distinctness),
  });
