/** What ClickHouse says for each operator of the input language. Seen on ClickHouse 26.7. */

import { unsupported } from "../../diagnostics.ts";
import { refuseUntold } from "../../lowering/comparable.ts";
import { rowsCompared } from "../../lowering/row-comparisons.ts";
import { operatorSayings, type Sayings } from "../../lowering/sayings.ts";
import { intervalFactor } from "../../lowering/time-arithmetic.ts";
import { call, cast, comparison, inPlaceOf, typed } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { DOUBLE, typeOrUnknown } from "../../types.ts";
import { comparedLength, isInterval } from "./differences.ts";
import { hasKey, hasKeys, member, memberText, path, pathText } from "./json.ts";
import { arithmetic, isWhole } from "./numbers.ts";
import { matching } from "./regular-expressions.ts";
import { inOrder, textOf } from "./texts.ts";
import { timesOf } from "./times.ts";

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

function joined(node: Binary): Expression {
  const { left, right } = node;
  return call("joined texts", [textOf(left, left), textOf(right, right)], inPlaceOf(node));
}

const COMPARED: readonly string[] = [
  "text",
  "integer",
  "decimal",
  "float",
  "date",
  "timestamp",
  "boolean",
  "null",
  "uuid",
  "time",
];

/** Values of one kind. Rows member by member; of types that are not known nobody knows how they compare. */
function compared(node: Binary): Expression | undefined {
  const { left, right } = node;
  if (left.kind === "row" && right.kind === "row")
    return rowsCompared(node, left, right, (each) => ordered(each) ?? each);
  if (isInterval(left) || isInterval(right))
    return { ...node, left: comparedLength(left), right: comparedLength(right) };
  for (const side of [left, right]) {
    refuseUntold(side);
    const { kind } = typeOrUnknown(side);
    if (!COMPARED.includes(kind)) throw unsupported(`a comparison of ${kind}`, side.span);
  }
  return undefined;
}

/** In the order of their characters. */
function ordered(node: Binary): Expression | undefined {
  const rows = compared(node);
  if (rows !== undefined) return rows;
  const [left, right] = [inOrder(node.left), inOrder(node.right)];
  return left === node.left && right === node.right ? undefined : { ...node, left, right };
}

function power(node: Binary): Expression {
  const parts = [node.left, node.right].map((each) => cast(each, "double precision", typed(DOUBLE, each)));
  return call("power", parts, inPlaceOf(node));
}

const NO_JSON = { refused: "this question about json", hint: "Compare j ->> 'key'." };
const NO_BITS = { refused: "shifted bits", hint: "Multiply or divide by a power of 2." };

export const clickHouseOperators = (): Sayings<Binary> =>
  operatorSayings([], {
    "+": shifted,
    "-": shifted,
    "*": product,
    "/": arithmetic,
    "%": arithmetic,
    "//": arithmetic,
    "^": power,
    "||": joined,
    "&": ofBits("bitAnd"),
    "|": ofBits("bitOr"),
    "#": ofBits("bitXor"),
    "<<": NO_BITS,
    ">>": NO_BITS,
    "^@": (node) => call("startsWith", [node.left, node.right], inPlaceOf(node)),
    "~": matching("", false),
    "~*": matching("i", false),
    "!~": matching("", true),
    "!~*": matching("i", true),
    "->": member,
    "->>": memberText,
    "#>": path,
    "#>>": pathText,
    "?": hasKey,
    "?|": hasKeys("or"),
    "?&": hasKeys("and"),
    "@>": NO_JSON,
    "<@": NO_JSON,
    "&&": { refused: "arrays", hint: "Use IN (…) with the values." },
    overlaps: { refused: "OVERLAPS", hint: "Compare the ends: a < d AND c < b." },
    "=": compared,
    "<>": compared,
    "<": ordered,
    "<=": ordered,
    ">": ordered,
    ">=": ordered,
    "is distinct from": compared,
    "is not distinct from": compared,
  });

export const equal = (left: Expression, right: Expression, at: Expression): Expression => {
  const node = comparison(left, "=", right, at);
  return compared(node) ?? node;
};
