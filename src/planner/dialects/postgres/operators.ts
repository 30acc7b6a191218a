/** Rules for the operators on PostgreSQL. Seen on PostgreSQL 15 and 18. */
import { operatorRules, type Rules, sameRule } from "../../lowering/rules.ts";
import { binary, call, inPlaceOf } from "../../syntax/build.ts";
import type { Binary, Expression } from "../../syntax/tree.ts";
import { isPartOfDate, typeOrUnknown } from "../../types.ts";
import { asJsonb, exactRemainder } from "./calls.ts";

function wholeQuotient(node: Binary): Expression {
  const { left, right } = node;
  const isInteger = (operand: Expression): boolean => {
    const type = typeOrUnknown(operand);
    return type.kind === "integer" && !isPartOfDate(type);
  };
  if (isInteger(left) && isInteger(right)) {
    return { ...node, operator: "/" };
  }
  return call("trunc", [binary(left, "/", right, inPlaceOf(node))], inPlaceOf(node));
}

/** Tests a text that is read as json. */
function member(node: Binary): Expression | undefined {
  return typeOrUnknown(node.left).kind === "text" ? ofJsonb(node) : undefined;
}

function ofJsonb(node: Binary): Expression {
  return { ...node, left: asJsonb(node.left) };
}

/** json has no equality. */
function comparedAsJsonb(node: Binary): Expression | undefined {
  const { left, right } = node;
  return isJson(left) || isJson(right) ? { ...node, left: asJsonb(left), right: asJsonb(right) } : undefined;
}

function isJson(expression: Expression): boolean {
  const type = typeOrUnknown(expression);
  return type.kind === "json" && type.binary !== true;
}

export const postgresOperators = (): Rules<Binary> =>
  operatorRules(["+ * / ^ || & | # << >> && ^@ ~ ~* !~ !~* < <= > >= overlaps"], {
    "//": wholeQuotient,
    "%": exactRemainder,
    "-": (node) => (typeOrUnknown(node.left).kind === "json" ? ofJsonb(node) : undefined),
    ...sameRule("-> ->> #> #>>", member),
    ...sameRule("#- ? ?| ?&", ofJsonb),
    ...sameRule("@> <@ = <>", comparedAsJsonb),
    "is distinct from": comparedAsJsonb,
    "is not distinct from": comparedAsJsonb,
  });
