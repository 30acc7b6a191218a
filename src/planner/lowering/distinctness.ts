/**
 * IS DISTINCT FROM as CASE, for targets that lack the operator or added it late (SQL Server 2022). EXISTS of an INTERSECT, which
 * treats NULLs as equal, is not allowed in an aggregate.
 */
import { isNullable } from "../binding/nullability.ts";
import { cases, isNull, logical, typed } from "../syntax/build.ts";
import type { Binary, Expression } from "../syntax/tree.ts";
import { BOOLEAN } from "../types.ts";

/** @param equal `=` of the two operands, unknown if one is NULL. */
export const distinctnessBy =
  (equal: (left: Expression, right: Expression) => Expression) =>
  (node: Binary): Expression => {
    const { left, right } = node;
    const isSame = node.operator === "is not distinct from";
    for (const [side, other] of [
      [left, right],
      [right, left],
    ] as const) {
      if (side.kind === "null") return isNull(other, !isSame);
    }
    const truth = (value: boolean): Expression => ({ kind: "boolean", value, span: node.span, type: BOOLEAN });
    const none = logical("and", [isNull(left, false), isNull(right, false)], node);
    const mayBeNone = isNullable(left) && isNullable(right);
    const same = equal(left, right);
    return cases(
      (mayBeNone ? [same, none] : [same]).map((condition) => ({ when: condition, then: truth(isSame) })),
      truth(!isSame),
      typed(BOOLEAN, node),
    );
  };
