/**
 * Descending ORDER BY of a grouped query by its own keys. MariaDB 10.11 then groups rows in sort order, and merges the NULL group
 * of a decimal into the group before it; an additional key that orders NULLs keeps them apart.
 */
import { isNullable } from "../../binding/nullability.ts";
import { isNull } from "../../syntax/build.ts";
import type { Query, SortItem } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";

export function addNullKeys(query: Query): Query {
  const { body, orderBy } = query;
  if (body.kind !== "select" || body.groupBy === undefined) return query;
  const isAtRisk = ({ expression, direction }: SortItem): boolean =>
    direction === "desc" && typeOrUnknown(expression).kind === "decimal" && isNullable(expression);
  if (!orderBy.some(isAtRisk)) return query;
  const beside = (item: SortItem): readonly SortItem[] => {
    if (!isAtRisk(item)) return [item];
    const isFirst = item.nulls === "first";
    const place = { ...item, expression: isNull(item.expression, isFirst), direction: undefined, nulls: undefined };
    return [place, item];
  };
  return { ...query, orderBy: orderBy.flatMap(beside) };
}
