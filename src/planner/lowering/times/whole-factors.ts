/** `floor(x) * INTERVAL '6 hours'`: a factor that is a whole number of another type than integers, for targets that add a number of units. */
import { functionName } from "../../functions/calls.ts";
import { cast, typed, values } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { BIGINT, typeOrUnknown } from "../../types.ts";
import { scaleOf } from "../numbers/scales.ts";

/** The bound product with its factor as an integer. Any other factor stays: PostgreSQL multiplies by a double and rounds. */
export function withWholeFactor(node: Binary): Binary {
  const { operator, left, right } = node;
  if (operator !== "*") return node;
  if (left.kind === "interval") return { ...node, right: asInteger(right) };
  return right.kind === "interval" ? { ...node, left: asInteger(left) } : node;
}

function asInteger(factor: Expression): Expression {
  if (typeOrUnknown(factor).kind === "integer" || !isWhole(factor)) return factor;
  return cast(factor, "bigint", typed(BIGINT, factor));
}

const ROUNDING: ReadonlySet<string> = new Set(["floor", "ceil", "round", "trunc"]);

/** Sums and products of whole decimals are whole; those of doubles may be too long for their digits. */
function isWhole(node: Expression): boolean {
  const { kind } = typeOrUnknown(node);
  if (kind !== "decimal" && kind !== "float") return kind === "integer";
  if (node.kind === "call" && ROUNDING.has(functionName(node))) return values(node).length === 1;
  if (kind === "float") return false;
  if (node.kind === "unary" && node.operator === "-") return isWhole(node.operand);
  if (node.kind === "binary" && /^[-+*]$/.test(node.operator)) return isWhole(node.left) && isWhole(node.right);
  return scaleOf(node) === 0;
}
