/** Rules for the operators on SQL Server. None was run: see the manual, https://learn.microsoft.com/en-us/sql/t-sql/language-elements/operators-transact-sql */

import { unsupported } from "../../diagnostics.ts";
import { startingWith } from "../../lowering/operator-sides.ts";
import { comparisonRules, operatorRules, patternRules, type Rules } from "../../lowering/rules.ts";
import { intervalFactor, timeArithmetic } from "../../lowering/times/time-arithmetic.ts";
import { orderedUuids } from "../../lowering/uuids.ts";
import { call, cast, concatenation, inPlaceOf, typed } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { BIGINT, DOUBLE, isNumeric, typeOrUnknown } from "../../types.ts";
import { MOST_LACK_OPERATORS } from "../baselines.ts";
import { textOf, wide } from "./casts.ts";
import { product, quotient } from "./decimals.ts";
import { distinctness, equality, inequality, orderedUuid } from "./exact-text.ts";
import { member, memberText, path, pathText } from "./json.ts";
import { ARRAYS } from "./json-arrays.ts";
import { matching } from "./regular-expressions.ts";
import { startsWith } from "./texts.ts";
import { atMidnight, timeInUtc } from "./times.ts";

const kindOf = (node: Expression): string => typeOrUnknown(node).kind;

/** Adds to times in UTC: a time with another offset would keep its own days. */
function sum(node: Binary): Expression | undefined {
  if (isNumeric(typeOrUnknown(node.left)) && isNumeric(typeOrUnknown(node.right))) return undefined;
  const hasInterval = kindOf(node.left) === "interval" || kindOf(node.right) === "interval";
  const [left, right] = [node.left, node.right].map((side) =>
    hasInterval ? atMidnight(timeInUtc(side)) : timeInUtc(side),
  );
  const moved = left && right && timeArithmetic({ ...node, left, right });
  if (moved !== undefined) return moved;
  // Anything else there is a text, where `+` joins.
  throw unsupported(`${kindOf(node.left)} ${node.operator} ${kindOf(node.right)}`, node.span);
}

function multiplied(node: Binary): Expression | undefined {
  const kinds = [kindOf(node.left), kindOf(node.right)];
  if (!isNumeric(typeOrUnknown(node.left)) || !isNumeric(typeOrUnknown(node.right))) return intervalFactor(node);
  return kinds.includes("float") ? undefined : product(node);
}

function divided(node: Binary): Expression | undefined {
  const [left, right] = [kindOf(node.left), kindOf(node.right)];
  if (left === "integer" && right === "integer") return ofLongLiterals(node);
  if (left === "float" || right === "float") return undefined;
  if (isNumeric(typeOrUnknown(node.left)) && isNumeric(typeOrUnknown(node.right))) return quotient(node);
  const hint = "Write CAST(… AS integer) or CAST(… AS numeric(18, 2)) on both sides.";
  throw unsupported("a division of other values than numbers", node.span, hint);
}

function wholeQuotient(node: Binary): Expression {
  if (kindOf(node.left) === "integer" && kindOf(node.right) === "integer") {
    return { ...ofLongLiterals(node), operator: "/" };
  }
  throw unsupported("// of fractions", node.span, "Write floor(a / b).");
}

function remainder(node: Binary): undefined {
  if (kindOf(node.left) === "float" || kindOf(node.right) === "float") throw unsupported("% of doubles", node.span);
}

function power(node: Binary): Expression {
  return call("power", [cast(node.left, "double precision", typed(DOUBLE, node)), node.right], inPlaceOf(node));
}

function joined(node: Binary): Expression {
  if (kindOf(node) === "array") return ARRAYS.joined(node.left, node.right, node);
  return concatenation(wide(textOf(node.left, node)), textOf(node.right, node), node);
}

const NO_JSON = { refused: "operators of json" };

function contained(node: Binary, container: Expression, sought: Expression): Expression {
  if (kindOf(container) === "array") return ARRAYS.holdsAll(node, container, sought);
  throw unsupported(NO_JSON.refused, node.span);
}

/** https://learn.microsoft.com/en-us/sql/t-sql/language-elements/bitwise-operators-transact-sql */
function bits(node: Binary): Binary {
  if (isWhole(node.left) && isWhole(node.right)) return ofLongLiterals(node);
  throw unsupported(`${node.operator} of anything but integers`, node.span, "Write CAST(… AS bigint).");
}

const LONGEST_INT = 2_147_483_647;

/**
 * Literals beyond 32 bits are decimals on SQL Server, which have no bits, and whose quotients have a fraction.
 * https://learn.microsoft.com/en-us/sql/t-sql/data-types/constants-transact-sql
 */
function ofLongLiterals(node: Binary): Binary {
  const [left, right] = [node.left, node.right].map((side) => {
    const literal = side.kind === "unary" && side.operator === "-" ? side.operand : side;
    const isLong = literal.kind === "number" && Number(literal.text) > LONGEST_INT;
    return isLong ? cast(side, "bigint", typed(BIGINT, side)) : side;
  });
  return left === undefined || right === undefined ? node : { ...node, left, right };
}

const isWhole = (value: Expression): boolean => typeOrUnknown(value).kind === "integer";

const ordered = (node: Binary): Expression => {
  const sides = orderedUuids(node, orderedUuid);
  return inequality(sides) ?? sides;
};

export const mssqlOperators = (): Rules<Binary> =>
  operatorRules([], {
    ...MOST_LACK_OPERATORS,
    "+": sum,
    "-": sum,
    "*": multiplied,
    "/": divided,
    "//": wholeQuotient,
    "%": remainder,
    "^": power,
    "||": joined,
    "&": bits,
    "|": bits,
    "#": bits,
    "^@": startingWith(startsWith),
    ...patternRules(matching),
    "->": member,
    "->>": memberText,
    "#>": path,
    "#>>": pathText,
    "?": NO_JSON,
    "?|": NO_JSON,
    "?&": NO_JSON,
    "@>": (node) => contained(node, node.left, node.right),
    "<@": (node) => contained(node, node.right, node.left),
    "&&": ARRAYS.shares,
    ...comparisonRules((node) => ARRAYS.comparedWithNone(node) ?? equality(node), ordered, distinctness),
  });
