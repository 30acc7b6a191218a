/** Patterns of LIKE, ILIKE and SIMILAR TO. */
import { isWellFormedPattern } from "../access/literals.ts";
import { PlannerError } from "../diagnostics.ts";
import type { Expression, Like } from "../syntax/tree.ts";
import { describeType, isUnknown } from "../types.ts";
import { typeOf } from "./coercion.ts";

/**
 * A pattern that ends in a lone escape fails on some engines, on others only over texts that match all before it, and
 * PostgreSQL's planner tries it on sampled values: of rows, too, that an access rule withholds. Throws INVALID_QUERY.
 */
export function wellFormed(like: Like): Like {
  const { pattern, escape } = like;
  if (pattern.kind !== "string" || (escape !== undefined && escape.kind !== "string")) return like;
  if (isWellFormedPattern(pattern.value, escape?.value ?? "\\")) return like;
  const name = like.operator === "similar" ? "SIMILAR TO" : like.operator.toUpperCase();
  throw new PlannerError(
    "INVALID_QUERY",
    `the pattern of ${name} ends in its escape character, or ESCAPE is too long`,
    {
      span: pattern.span,
      hint: "Write the escape character twice to find it; ESCAPE takes one character, or none.",
    },
  );
}

/** Anything but text is refused. */
export function textOperand(expression: Expression, operator: string): Expression {
  const type = typeOf(expression);
  if (type.kind === "text" || type.kind === "null" || isUnknown(type)) return expression;
  throw new PlannerError("TYPE_MISMATCH", `${operator.toUpperCase()} takes text, not ${describeType(type)}`, {
    span: expression.span,
    hint: "Write CAST(… AS text).",
  });
}
