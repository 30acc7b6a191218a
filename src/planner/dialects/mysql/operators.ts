/** Rules for the operators on MySQL and MariaDB. Seen on MySQL 9.7 and MariaDB 10.11. */

import { unsupported } from "../../diagnostics.ts";
import { isReal } from "../../lowering/reals.ts";
import { operatorRules, type Rules } from "../../lowering/rules.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { intervalFactor } from "../../lowering/time-arithmetic.ts";
import { orderedUuids } from "../../lowering/uuids.ts";
import { binary, call, cast, inPlaceOf, integer } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { BOOLEAN, DOUBLE, INTEGER, isUnknown, typeOrUnknown } from "../../types.ts";
import { textOf } from "./casts.ts";
import { distinctness, equality, exact, inequality, textKey } from "./exact-text.ts";
import { member, memberText, path, pathText } from "./json.ts";
import { orRaise } from "./raising.ts";
import { matching } from "./regular-expressions.ts";
import { concat } from "./templates.ts";
import { shiftedTime } from "./times.ts";

const isInteger = (expression: Expression): boolean => typeOrUnknown(expression).kind === "integer";

/** Whole numbers are divided as such; the digits of other quotients are those of the session. */
function quotient(node: Binary): Expression | undefined {
  const { left, right } = node;
  if (isInteger(left) && isInteger(right)) return { ...node, operator: "//" };
  if (isUnknown(typeOrUnknown(left)) || isUnknown(typeOrUnknown(right))) {
    const hint = "Write CAST(… AS integer) or CAST(… AS numeric) on both sides.";
    throw unsupported("a division whose types are unknown", node.span, hint);
  }
  return product(node);
}

export function wholeQuotient(left: Expression, right: Expression, at: Expression): Expression {
  const place = { span: at.span, type: typeOrUnknown(at) };
  if (isInteger(left) && isInteger(right)) return binary(left, "//", right, place);
  return call("truncate", [binary(left, "/", right, place), integer(0, at)], place);
}

function sum(node: Binary): Expression | undefined {
  if (typeOrUnknown(node.left).kind === "json") throw unsupported("json without a member", node.span);
  return shiftedTime(node) ?? ofReals(node);
}

/** MySQL computes reals as doubles and returns a double; MariaDB replaces a real that is too large by the largest. */
function ofReals(node: Binary): Expression | undefined {
  if (!isReal(node.type)) return undefined;
  const { span } = node;
  const size = call("abs", [node], { span, type: DOUBLE });
  const fits = binary(size, "<", { kind: "number", text: LARGEST_REAL, span, type: DOUBLE }, { span, type: BOOLEAN });
  return orRaise(fits, cast(node, "real", inPlaceOf(node)), node);
}

/** Half a step beyond the largest. */
const LARGEST_REAL = "3.4028235677973366e38";

const product = (node: Binary): Expression | undefined => ofReals(node) ?? intervalFactor(node);

function joined(node: Binary): Expression {
  const { left, right } = node;
  for (const side of [left, right]) {
    if (["json", "array", "binary"].includes(typeOrUnknown(side).kind)) {
      throw unsupported(`|| of ${typeOrUnknown(side).kind}`, side.span);
    }
  }
  return concat([textOf(left, left), textOf(right, right)], node);
}

/** Bits are those of an unsigned number there. */
const ofBits = (node: Binary): Expression => {
  const { kind } = typeOrUnknown(node.left);
  if (kind !== "integer") throw unsupported(`operator ${node.operator} over ${kind}`, node.span);
  return cast(node, "bigint", inPlaceOf(node));
};

function startsWith(node: Binary): Expression {
  return beginning(node.left, node.right, node);
}

export function beginning(whole: Expression, part: Expression, { span }: Expression): Expression {
  const length = call("char_length", [part], { span, type: INTEGER });
  const start = call("left", [whole, length], { span, type: typeOrUnknown(whole) });
  return binary(exact(start), "=", textKey(part), { span, type: BOOLEAN });
}

const ordered = (node: Binary): Expression => {
  const sides = orderedUuids(node);
  return inequality(sides) ?? sides;
};

export const mysqlOperators = (): Rules<Binary> =>
  operatorRules(["%"], {
    "+": sum,
    "-": sum,
    "*": product,
    "/": quotient,
    "//": (node) => wholeQuotient(node.left, node.right, node),
    "^": (node) => call("pow", [node.left, node.right], inPlaceOf(node)),
    "||": joined,
    "&": ofBits,
    "|": ofBits,
    "#": ofBits,
    "<<": UNSUPPORTED.bitShifts,
    ">>": UNSUPPORTED.bitShifts,
    "^@": startsWith,
    "~": matching("", false),
    "~*": matching("i", false),
    "!~": matching("", true),
    "!~*": matching("i", true),
    "->": member,
    "->>": memberText,
    "#>": path,
    "#>>": pathText,
    "#-": UNSUPPORTED.jsonRemoval,
    "?": UNSUPPORTED.jsonKeys,
    "?|": UNSUPPORTED.jsonKeys,
    "?&": UNSUPPORTED.jsonKeys,
    "@>": UNSUPPORTED.jsonKeys,
    "<@": UNSUPPORTED.jsonKeys,
    "&&": UNSUPPORTED.arrayOperands,
    overlaps: UNSUPPORTED.overlaps,
    "=": equality,
    "<>": equality,
    "<": ordered,
    "<=": ordered,
    ">": ordered,
    ">=": ordered,
    "is distinct from": distinctness,
    "is not distinct from": distinctness,
  });
