/**
 * Fields of EXTRACT, which PostgreSQL gives as numerics. Within a statement they stay numerics, since the year of `infinity` is an
 * infinite numeric and a cast of it fails; in the answer they are bigints, as on all other sources.
 */
import { replaced } from "../../lowering/queries/output-columns.ts";
import { cast, inPlaceOf, typed } from "../../syntax/build.ts";
import type { Cast, Expression, Query, QueryBody, Select } from "../../syntax/tree.ts";
import { BIGINT, isPartOfDate, NUMERIC, type SqlType, typeOrUnknown } from "../../types.ts";

/** The operand of a cast to numeric that changes nothing; `undefined` for any other cast. */
export function withoutNumericCast({ operand, typeName, span }: Cast): Expression | undefined {
  const isNumeric = typeName.name === "numeric" && typeName.parameters.length === 0 && typeName.dimensions === 0;
  return isNumeric && isPartOfDate(typeOrUnknown(operand)) ? { ...operand, span, type: NUMERIC } : undefined;
}

/** Casts the columns of the answer, which are those of the outermost SELECTs. */
export function withIntegerParts(statement: Query): Query {
  const { body, orderBy } = statement;
  const result = { ...statement, body: ofBody(body) };
  // SELECT DISTINCT sorts only by its own columns, and compares them as they are written.
  if (body.kind !== "select" || body.distinct === undefined || body.distinct.length > 0) return result;
  return { ...result, orderBy: orderBy.map((item) => ({ ...item, expression: asInteger(item.expression) })) };
}

function ofBody(body: QueryBody): QueryBody {
  switch (body.kind) {
    case "select":
      return ofSelect(body);
    case "set":
      return { ...body, left: ofBody(body.left), right: ofBody(body.right) };
    case "nested":
      return { ...body, query: withIntegerParts(body.query) };
    case "values":
      return { ...body, rows: body.rows.map((row) => row.map(asInteger)) };
    default:
      return body satisfies never;
  }
}

function ofSelect(select: Select): Select {
  const items = select.items.map((item) => {
    if (item.kind === "star") return item;
    const expression = asInteger(item.expression);
    return expression === item.expression ? item : replaced(item, expression);
  });
  return { ...select, items };
}

function asInteger(expression: Expression): Expression {
  const type = typeOrUnknown(expression);
  const isOrdinal = expression.kind === "number";
  if (isOrdinal || !isPartOfDate(elementOf(type))) return expression;
  const whole = cast(expression, "bigint", type.kind === "array" ? inPlaceOf(expression) : typed(BIGINT, expression));
  return { ...whole, typeName: { ...whole.typeName, dimensions: type.kind === "array" ? 1 : 0 } };
}

function elementOf(type: SqlType): SqlType {
  return type.kind === "array" ? elementOf(type.element) : type;
}
