/**
 * Errors that a statement raises by a text that is no number: Snowflake has no function for it. What is cast hangs on the value that is
 * wrong, so that nobody computes it before there is a row with one. https://docs.snowflake.com/en/sql-reference/data-type-conversion
 */
import { call, inPlaceOf } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";

/** `CASE … WHEN x IS NOT NULL THEN fail(what) END` with `fail(what, x)`. */
export function withValueInError(node: Expression): Expression {
  if (node.kind !== "case") return node;
  const branches = node.branches.map((branch) => {
    const { when, then } = branch;
    const isFailure = then.kind === "call" && then.name[0]?.name === "fail" && then.arguments.length === 1;
    if (!isFailure || when.kind !== "is") return branch;
    return { when, then: call("fail", [...then.arguments.map(({ value }) => value), when.operand], inPlaceOf(then)) };
  });
  return { ...node, branches };
}
