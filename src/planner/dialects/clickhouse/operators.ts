/** What ClickHouse says for each operator of the input language. Seen on ClickHouse 26.7. */
import { refuseUntold } from "../../lowering/comparable.ts";
import { operatorSayings, type Sayings } from "../../lowering/sayings.ts";
import { unsupported } from "../../lowering/target.ts";
import { intervalFactor } from "../../lowering/time-arithmetic.ts";
import { call, inPlaceOf } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";
import { arithmetic } from "./numbers.ts";
import { inOrder, textOf } from "./texts.ts";
import { timesOf } from "./times.ts";

const shifted = (node: Binary): Expression | undefined => timesOf(node) ?? arithmetic(node);

const product = (node: Binary): Expression | undefined =>
  node.left.kind === "interval" || node.right.kind === "interval" ? intervalFactor(node) : arithmetic(node);

function joined(node: Binary): Expression {
  const { left, right } = node;
  for (const side of [left, right]) {
    const { kind } = typeOrUnknown(side);
    if (!["text", "integer", "date", "uuid", "null"].includes(kind)) throw unsupported(`|| of ${kind}`, side.span);
  }
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
];

/** Values of one kind. Of rows and types that are not known nobody knows how they compare. */
function compared(node: Binary): undefined {
  for (const side of [node.left, node.right]) {
    refuseUntold(side);
    const { kind } = typeOrUnknown(side);
    if (!COMPARED.includes(kind)) throw unsupported(`a comparison of ${kind}`, side.span);
  }
}

/** In the order of their characters. */
function ordered(node: Binary): Expression | undefined {
  compared(node);
  const [left, right] = [inOrder(node.left), inOrder(node.right)];
  return left === node.left && right === node.right ? undefined : { ...node, left, right };
}

const NO_PATTERNS = { refused: "regular expressions", hint: "Use LIKE." };
const NO_JSON = { refused: "this of json" };
const NO_BITS = { refused: "operators of bits" };

export const clickHouseOperators = (): Sayings<Binary> =>
  operatorSayings([], {
    "+": shifted,
    "-": shifted,
    "*": product,
    "/": arithmetic,
    "%": arithmetic,
    "//": arithmetic,
    "^": (node) => call("power", [node.left, node.right], inPlaceOf(node)),
    "||": joined,
    "&": NO_BITS,
    "|": NO_BITS,
    "#": NO_BITS,
    "<<": NO_BITS,
    ">>": NO_BITS,
    "^@": { refused: "this operator", hint: "Use LIKE." },
    "~": NO_PATTERNS,
    "~*": NO_PATTERNS,
    "!~": NO_PATTERNS,
    "!~*": NO_PATTERNS,
    "->": NO_JSON,
    "->>": NO_JSON,
    "#>": NO_JSON,
    "#>>": NO_JSON,
    "?": NO_JSON,
    "?|": NO_JSON,
    "?&": NO_JSON,
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
