/** The `limit` parameter as a tree edit (decisions P16): never text, never a wrap that could lose the order. */
import { withoutTies } from "./lowering/queries/ties.ts";
import { call, integer } from "./syntax/build.ts";
import type { Query, RowLimit } from "./syntax/tree.ts";
import { BIGINT } from "./types.ts";

/**
 * At most `cap` rows: a larger literal is replaced, a smaller one kept, a computed one becomes `least(…, cap)`.
 * WITH TIES may give more rows than it counts: at or above the cap it is dropped, below it ranks stand in.
 */
export function limitRows(query: Query, cap: number): Query {
  const { limit, span } = query;
  const capped = (at: RowLimit | undefined): RowLimit => ({
    count: integer(cap, at ?? { span }),
    withTies: false,
    span: at?.span ?? span,
  });
  if (limit === undefined) return { ...query, limit: capped(undefined) };
  const { count } = limit;
  if (count.kind !== "number" || !/^\d+$/.test(count.text)) {
    const least = call("least", [count, integer(cap, limit)], { span: limit.span, type: BIGINT });
    if (limit.withTies) return limitRows(withoutTies(query), cap);
    return { ...query, limit: { ...limit, count: least } };
  }
  const isLarger = count.text.replace(/^0+/, "").length > 15 || Number(count.text) >= cap;
  if (isLarger) return { ...query, limit: capped(limit) };
  return limit.withTies ? limitRows(withoutTies(query), cap) : query;
}
