/** Row comparisons, for engines that treat a NULL in a row differently from PostgreSQL. */
import { binary, logical, not } from "../../syntax/build.ts";
import type { Binary, BinaryOperator, Expression, InList, Row } from "../../syntax/tree.ts";
import { BOOLEAN } from "../../types.ts";

/** Element by element from the left; `compare` renders each comparison. */
export function rowsCompared(
  { operator, span }: Binary,
  left: Row,
  right: Row,
  compare: (node: Binary) => Expression,
): Expression {
  const pairs = left.elements.map((element, index) => [element, right.elements[index] ?? element] as const);
  const at = { span, type: BOOLEAN };
  const compared = (each: BinaryOperator, [a, b]: readonly [Expression, Expression]): Expression =>
    compare(binary(a, each, b, at));
  if (operator === "=" || operator === "<>") {
    return logical(
      operator === "=" ? "and" : "or",
      pairs.map((pair) => compared(operator, pair)),
      at,
    );
  }
  const strict: BinaryOperator = operator === "<=" ? "<" : operator === ">=" ? ">" : operator;
  // a < x OR a = x AND (b < y OR b = y AND …)
  const [last, ...before] = pairs.toReversed();
  if (last === undefined) throw new TypeError("a row has elements");
  return before.reduce<Expression>(
    (rest, pair) => logical("or", [compared(strict, pair), logical("and", [compared("=", pair), rest], at)], at),
    compared(operator, last),
  );
}

/** `x IN (a, b)` as `x = a OR x = b`; `equal` renders each comparison. */
export function anyEqual(
  node: InList,
  equal: (left: Expression, right: Expression, at: Expression) => Expression,
): Expression {
  const any = logical(
    "or",
    node.list.map((each) => equal(node.operand, each, node)),
    node,
  );
  return node.negated ? not(any) : any;
}
