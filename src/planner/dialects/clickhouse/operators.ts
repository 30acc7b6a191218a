/** ClickHouse's rule for each operator of the input language. Seen on ClickHouse 26.7. */

import { unsupported } from "../../diagnostics.ts";
import { rejectUnknownType } from "../../lowering/comparable.ts";
import { rowsCompared } from "../../lowering/queries/row-comparisons.ts";
import { operatorRules, patternRules, type Rules, sameRule } from "../../lowering/rules.ts";
import { spelled } from "../../lowering/templates/template.ts";
import { UNSUPPORTED } from "../../lowering/templates/unsupported.ts";
import { intervalFactor } from "../../lowering/times/time-arithmetic.ts";
import { call, cast, comparison, inPlaceOf, typed } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { DOUBLE, typeOrUnknown } from "../../types.ts";
import { MOST_LACK_OPERATORS } from "../baselines.ts";
import { compared as comparedArrays, holdsAll, joined as joinedArrays, shares } from "./arrays.ts";
import { comparedLength, isInterval } from "./differences.ts";
import { hasKey, hasKeys, member, memberText, path, pathText } from "./json.ts";
import { MIXED_NUMBERS } from "./mixed-numbers.ts";
import { arithmetic, isWhole, PRECISION, scaleOf } from "./numbers.ts";
import { matching } from "./regular-expressions.ts";
import { CONCAT, inOrder, textOf } from "./texts.ts";
import { timesOf } from "./times.ts";
import { withOneZero } from "./zeros.ts";

const shifted = (node: Binary): Expression | undefined => timesOf(node) ?? arithmetic(node);

const product = (node: Binary): Expression | undefined =>
  node.left.kind === "interval" || node.right.kind === "interval" ? intervalFactor(node) : arithmetic(node);

const ofBits =
  (name: string) =>
  (node: Binary): Expression => {
    if (!isWhole(node.left) || !isWhole(node.right))
      throw unsupported(`operator ${node.operator} over this`, node.span);
    return call(name, [node.left, node.right], inPlaceOf(node));
  };

const isArray = (value: Expression): boolean => typeOrUnknown(value).kind === "array";

function joined(node: Binary): Expression {
  const { left, right } = node;
  if (isArray(left) || isArray(right)) return joinedArrays(left, right, node);
  return spelled(CONCAT, [textOf(left, left), textOf(right, right)], node);
}

const COMPARED: ReadonlySet<string> = new Set(
  "text integer decimal float date timestamp boolean null uuid time".split(" "),
);

/** Both sides must have comparable types. Rows are compared member by member; the comparison of unknown types is undefined. */
function compared(node: Binary): Expression | undefined {
  const { left, right } = node;
  if (left.kind === "row" && right.kind === "row")
    return rowsCompared(node, left, right, (each) => (each.operator === "=" ? equality(each) : ordered(each)) ?? each);
  if (isInterval(left) || isInterval(right))
    return { ...node, left: comparedLength(left), right: comparedLength(right) };
  if (isArray(left) && isArray(right)) return comparedArrays(node);
  for (const side of [left, right]) {
    rejectUnknownType(side);
    const { kind } = typeOrUnknown(side);
    if (!COMPARED.has(kind)) throw unsupported(`a comparison of ${kind}`, side.span);
  }
  return undefined;
}

/** ClickHouse rewrites three or more comparisons of a value with integers into a list, which cannot also contain decimals. */
function besideWritten(value: Expression, other: Expression): Expression {
  const scale = other.kind === "cast" && other.operand.kind === "string" ? scaleOf(other) : undefined;
  if (!isWhole(value) || value.kind === "number" || scale === undefined || scale > MAX_FRACTION) return value;
  return cast(value, "numeric", typed({ kind: "decimal", precision: PRECISION, scale }, value), [PRECISION, scale]);
}

/** Maximum scale next to the 19 digits of an integer. */
const MAX_FRACTION = 19;

/** Replaces the sides of a comparison by the results of one rule; `undefined` if both are unchanged. */
function withSides(node: Binary, sides: readonly (Expression | undefined)[]): Binary | undefined {
  const [left = node.left, right = node.right] = sides;
  return left === node.left && right === node.right ? undefined : { ...node, left, right };
}

const together = ({ left, right }: Binary): readonly Expression[] => MIXED_NUMBERS.together([left, right]);

/** The sides of a comparison that ClickHouse may rewrite into a list. */
function listed(node: Binary): readonly Expression[] {
  const [left = node.left, right = node.right] = together(node);
  return [besideWritten(left, right), besideWritten(right, left)];
}

/** A join may use equal values as keys. Comparisons with a literal are evaluated for each row. */
function equality(node: Binary): Expression | undefined {
  const rows = compared(node);
  if (rows !== undefined) return rows;
  const sides = listed(node);
  const isAsked = node.left.kind === "number" || node.right.kind === "number";
  return withSides(node, isAsked ? sides : sides.map(withOneZero));
}

const inequality = (node: Binary): Expression | undefined => compared(node) ?? withSides(node, listed(node));

/** In the order of their characters. */
const ordered = (node: Binary): Expression | undefined =>
  compared(node) ?? withSides(node, together(node).map(inOrder));

function power(node: Binary): Expression {
  const parts = [node.left, node.right].map((each) => cast(each, "double precision", typed(DOUBLE, each)));
  return call("power", parts, inPlaceOf(node));
}

function holdsAllOf(node: Binary, container: Expression, contained: Expression): Expression {
  if (isArray(container) && isArray(contained)) return holdsAll(node, container, contained);
  throw unsupported(UNSUPPORTED.jsonKeys.refused, node.span, UNSUPPORTED.jsonKeys.hint);
}

export const clickHouseOperators = (): Rules<Binary> =>
  operatorRules([], {
    ...MOST_LACK_OPERATORS,
    "+": shifted,
    "-": shifted,
    "*": product,
    ...sameRule("/ % //", arithmetic),
    "^": power,
    "||": joined,
    "&": ofBits("bitAnd"),
    "|": ofBits("bitOr"),
    "#": ofBits("bitXor"),
    "^@": (node) => call("startsWith", [node.left, node.right], inPlaceOf(node)),
    ...patternRules(matching),
    "->": member,
    "->>": memberText,
    "@>": (node) => holdsAllOf(node, node.left, node.right),
    "<@": (node) => holdsAllOf(node, node.right, node.left),
    "&&": shares,
    "#>": path,
    "#>>": pathText,
    "?": hasKey,
    "?|": hasKeys("or"),
    "?&": hasKeys("and"),
    "=": equality,
    "<>": inequality,
    ...sameRule("< <= > >=", ordered),
    "is distinct from": inequality,
    "is not distinct from": equality,
  });

/** By the operator of the comparison. */
export function comparedBy(node: Binary): Expression {
  const { operator } = node;
  const compare = operator === "=" ? equality : operator === "<>" ? inequality : ordered;
  return compare(node) ?? node;
}

export const equal = (left: Expression, right: Expression, at: Expression): Expression =>
  comparedBy(comparison(left, "=", right, at));
