/** A LIMIT of more rows than any query has, for engines that put a query into the one around it where they must not. */
import type { Expression, Query } from "../../syntax/tree.ts";

/** The largest number of rows that MySQL, MariaDB and ClickHouse take. */
const EVERY_ROW = "18446744073709551615";

/** The same rows; the engine computes the query apart. The query has no LIMIT. */
export function computedApart(query: Query): Query {
  const { span } = query;
  const count: Expression = { kind: "number", text: EVERY_ROW, span, type: { kind: "decimal" } };
  return { ...query, limit: { count, withTies: false, span } };
}
