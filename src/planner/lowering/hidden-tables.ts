/**
 * `ORDER BY "g"."x"` and HAVING, for engines where `"g"."x"` is a member of a column named `g` if the query has one: the column
 * hides the table.
 */
import { unsupported } from "../diagnostics.ts";
import { integer } from "../syntax/build.ts";
import { type PrintDialect, printExpression } from "../syntax/printer.ts";
import type { Query, SortItem } from "../syntax/tree.ts";
import { hiddenBy } from "./queries/hidden-tables.ts";

/** A sort key that is one of the query's columns is replaced by its position. */
export function sortedBy({ body, orderBy }: Query, dialect: PrintDialect): readonly SortItem[] {
  if (body.kind !== "select" || orderBy.length === 0) return orderBy;
  const { items } = body;
  const isHidden = hiddenBy(body);
  return orderBy.map((item) => {
    if (!isHidden(item.expression)) return item;
    const { span } = item;
    const key = printExpression(item.expression, dialect);
    const index = items.findIndex((each) => each.kind === "item" && printExpression(each.expression, dialect) === key);
    if (index >= 0) return { ...item, expression: integer(index + 1, item) };
    throw unsupported("a sort key of a table that has the name of a column", span, "Give the table another alias.");
  });
}

/** Throws UNSUPPORTED_ON_SOURCE if HAVING names a hidden table: a JSON column of the query would provide another value. */
export function refuseHiddenInHaving({ body }: Query): void {
  if (body.kind !== "select" || body.having === undefined || !hiddenBy(body)(body.having)) return;
  const { span } = body.having;
  throw unsupported("HAVING of a table that has the name of a column", span, "Give the table another alias.");
}
