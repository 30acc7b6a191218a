/** COLLATE: the order of code points is every source's, all others are names of one. */
import { PlannerError } from "../diagnostics.ts";
import type { Expression } from "../syntax/tree.ts";
import { describeType, TEXT } from "../types.ts";
import { typeOf } from "./coercion.ts";

type Collate = Expression & { readonly kind: "collate" };

/** PostgreSQL's names for it. */
const CODE_POINTS: ReadonlySet<string> = new Set(["C", "POSIX", "ucs_basic"]);

/**
 * Binds a sort or comparison key, where a collation only decides the order. Elsewhere, as in `lower`, the result
 * depends on the collation, whose definition is PostgreSQL's own.
 */
export function bindKeyOfText(expression: Expression, bind: (expression: Expression) => Expression): Expression {
  if (expression.kind !== "collate") return bind(expression);
  const [schema, name] =
    expression.collation.length === 2 ? expression.collation : [undefined, expression.collation[0]];
  const isOfPostgres = schema === undefined || schema.name === "pg_catalog";
  if (name === undefined || !CODE_POINTS.has(name.name) || !isOfPostgres || expression.collation.length > 2) {
    throw foreignCollation(expression);
  }
  const operand = bind(expression.operand);
  const type = typeOf(operand);
  if (type.kind !== "text" && type.kind !== "null") {
    throw new PlannerError("TYPE_MISMATCH", `COLLATE takes text, not ${describeType(type)}`, {
      span: expression.span,
      hint: 'Write CAST(… AS text) COLLATE "C".',
    });
  }
  return { ...expression, operand, collation: [name], type: TEXT };
}

export function foreignCollation({ span }: Collate): PlannerError {
  return new PlannerError("UNSUPPORTED_ON_SOURCE", "COLLATE names a collation of one source", {
    span,
    hint: 'Only COLLATE "C" behind a key of ORDER BY or a side of a comparison has one meaning; lower(x) ignores case.',
  });
}
