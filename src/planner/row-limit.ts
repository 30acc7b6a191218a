/**
 * The `limit` parameter as a tree edit (docs/decisions/0009-no-silent-caps.md): never text, never a wrap that could lose the order.
 */
import type { PlannerWarning } from "./diagnostics.ts";
import { withoutTies } from "./lowering/queries/ties.ts";
import { call, integer } from "./syntax/build.ts";
import type { Query, RowLimit } from "./syntax/tree.ts";
import { BIGINT } from "./types.ts";

/**
 * A literal LIMIT above the cap on rows, lowered to it (docs/decisions/0009-no-silent-caps.md); `undefined` where the query's LIMIT
 * stays as it is. More than the cap would be an error once the rows have come.
 */
export function loweredLimit(
  query: Query,
  cap: number,
): { readonly query: Query; readonly warning: PlannerWarning } | undefined {
  const { limit } = query;
  if (limit?.count.kind !== "number" || !/^\d+$/.test(limit.count.text)) return undefined;
  const { text } = limit.count;
  if (BigInt(text) <= BigInt(cap)) return undefined;
  const warning: PlannerWarning = {
    code: "LIMIT_APPLIED",
    message: `LIMIT ${text} was lowered to ${cap}, the maximum number of rows of an answer.`,
    hint: `Write a LIMIT of at most ${cap}, and OFFSET for the rows behind it.`,
    span: limit.count.span,
  };
  const lowered: RowLimit = { ...limit, count: integer(cap, limit.count), withTies: false };
  return { query: { ...query, limit: lowered }, warning };
}

/**
 * At most `cap` rows: a larger literal is replaced, a smaller one kept, a computed one becomes `least(…, cap)`. WITH
 * TIES may return more rows than its count: at or above the cap it is dropped, below it ranks replace it.
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
