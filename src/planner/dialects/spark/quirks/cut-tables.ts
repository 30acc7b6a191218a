/**
 * Values that are asked for each row of a table that ORDER BY and LIMIT or OFFSET cut: Spark loses the order, and other rows are left of
 * the table. `SELECT d.x, (SELECT max(y) FROM (VALUES (1), (2)) AS u(y) WHERE u.y = d.x) FROM (SELECT x FROM (VALUES (2), (1)) AS t(x)
 * ORDER BY x LIMIT 1) AS d` gives 2. Seen on 4.0.1; not reported (nearest: SPARK-58411, of LIMIT in the subquery,
 * https://github.com/apache/spark/pull/57614).
 */
import { unsupported } from "../../../diagnostics.ts";
import { isCorrelated } from "../../../lowering/queries/correlation.ts";
import type { Query, ScalarQuery, Select, TableExpression } from "../../../syntax/tree.ts";
import { someExpression, walk } from "../../../syntax/walk.ts";

/** By name: in a statement that is lowered no two are called alike. */
type CommonTables = ReadonlyMap<string, Query>;

export function commonTablesOf(statement: Query): CommonTables {
  const found = new Map<string, Query>();
  walk(statement, (node) => {
    if (node.kind === "query") for (const { name, query } of node.with?.tables ?? []) found.set(name.name, query);
    return true;
  });
  return found;
}

/** A value that is asked for each row of the query. */
function correlatedIn({ items }: Select): ScalarQuery | undefined {
  for (const item of items) {
    if (item.kind !== "item") continue;
    let found: ScalarQuery | undefined;
    someExpression(item.expression, (each) => {
      if (each.kind === "scalar-query" && isCorrelated(each.query)) found = each;
      return found !== undefined;
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

export function refuseCut(select: Select, common: CommonTables): void {
  const asked = correlatedIn(select);
  const [table] = select.from;
  if (asked === undefined || table === undefined || select.from.length > 1 || !isCut(table, common)) return;
  throw unsupported(
    "a subquery for each row of a table that ORDER BY and LIMIT cut",
    asked.span,
    "Join the tables, or number the rows with row_number() and keep the first.",
  );
}

function isCut(table: TableExpression, common: CommonTables): boolean {
  const isCommon = table.kind === "bound-common";
  const query = isCommon ? common.get(table.table.printedName) : table.kind === "derived" ? table.query : undefined;
  if (query === undefined) return false;
  if (query.orderBy.length > 0 && (query.limit !== undefined || query.offset !== undefined)) return true;
  const [inner, ...others] = query.body.kind === "select" ? query.body.from : [];
  return inner !== undefined && others.length === 0 && isCut(inner, common);
}
