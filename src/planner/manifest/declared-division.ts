/**
 * Division in manifest expressions whose declared type has a fraction: `sum(paid) / count(*)` declared DOUBLE is a
 * ratio, although both operands are integers (docs/decisions/0040-types-of-the-manifest.md#decision).
 */
import { functionName } from "../functions/calls.ts";
import { canonicalCall } from "../functions/synonyms.ts";
import type { Expression } from "../syntax/tree.ts";
import type { SqlType } from "../types.ts";

/** Functions that return one of their arguments, a sum of them, or a rounded one. */
const CARRYING: ReadonlySet<string> = new Set([
  ..."coalesce nullif greatest least round abs sum avg min max any_value first_value last_value lag lead".split(" "),
]);

/**
 * `expression` with every division that decides its value marked to divide as `declared`. Conditions, explicit casts and
 * functions that take whole numbers (`div`, `mod`, `floor`) keep integer division.
 */
export function dividedAsDeclared(expression: Expression, declared: SqlType): Expression {
  const isFraction = declared.kind === "float" || (declared.kind === "decimal" && declared.scale !== 0);
  if (!isFraction) return expression;
  const visit = (node: Expression): Expression => {
    switch (node.kind) {
      case "binary":
        if (node.operator === "/") {
          return { ...node, left: visit(node.left), right: visit(node.right), dividesAs: declared };
        }
        if (node.operator !== "+" && node.operator !== "-" && node.operator !== "*") return node;
        return { ...node, left: visit(node.left), right: visit(node.right) };
      case "unary":
        return { ...node, operand: visit(node.operand) };
      case "case":
        return {
          ...node,
          branches: node.branches.map((branch) => ({ ...branch, then: visit(branch.then) })),
          otherwise: node.otherwise && visit(node.otherwise),
        };
      case "call": {
        const canonical = canonicalCall(node, functionName(node));
        if (canonical.kind !== "call") return visit(canonical);
        if (!CARRYING.has(functionName(canonical))) return canonical;
        return {
          ...canonical,
          arguments: canonical.arguments.map((argument) => ({ ...argument, value: visit(argument.value) })),
        };
      }
      default:
        return node;
    }
  };
  return visit(expression);
}
