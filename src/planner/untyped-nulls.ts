/** NULL as a column of the answer: a text, as in PostgreSQL, on every source. */
import type { BoundQuery } from "./binding/binding.ts";
import type { BindingContext } from "./binding/context.ts";
import { cast } from "./syntax/build.ts";
import type { QueryBody, SelectItem } from "./syntax/tree.ts";
import { type SqlType, TEXT } from "./types.ts";

/** The query with a cast around NULLs whose type no context decides. */
export function withTypedNulls(bound: BoundQuery, context: BindingContext): BoundQuery {
  if (!bound.columns.some(({ type }) => type.kind === "null")) return bound;
  const untyped = new Set(bound.columns.flatMap(({ type }, index) => (type.kind === "null" ? [index] : [])));
  const type: SqlType = TEXT;
  return {
    query: { ...bound.query, body: typed(bound.query.body, untyped, context) },
    columns: bound.columns.map((column, index) => (untyped.has(index) ? { ...column, type } : column)),
  };
}

function typed(body: QueryBody, untyped: ReadonlySet<number>, context: BindingContext): QueryBody {
  switch (body.kind) {
    case "select": {
      const items = body.items.map((item, index): SelectItem => {
        if (item.kind !== "item" || !untyped.has(index)) return item;
        return { ...item, expression: cast(item.expression, "text", { span: item.expression.span, type: TEXT }) };
      });
      const select = { ...body, items };
      const own = context.selects.get(body);
      if (own !== undefined) context.selects.set(select, own);
      return select;
    }
    case "set":
      return { ...body, left: typed(body.left, untyped, context), right: typed(body.right, untyped, context) };
    case "nested":
      return { ...body, query: { ...body.query, body: typed(body.query.body, untyped, context) } };
    case "values":
      return body;
    default:
      return body satisfies never;
  }
}
