/**
 * Derived tables on the side of an outer join that may be missing. MySQL and MariaDB put the query in the table's place, and its
 * columns are then computed of NULLs, not NULL: `coalesce(x, 1)` is 1 where there is no row. LIMIT keeps the table. Seen on MySQL
 * 9.7.4 and MariaDB 10.11.18, where a subquery names the column; reported for MySQL 5.7 and 8.0 as
 * https://bugs.mysql.com/bug.php?id=105899.
 */
import { findFunction } from "../../../functions/catalogue.ts";
import { computedApart } from "../../../lowering/queries/every-row.ts";
import type { Expression, Join, TableExpression } from "../../../syntax/tree.ts";

/** The sides are lowered. */
export function keptApart(join: Join): Join {
  if (join.join === "left") return { ...join, right: limited(join.right) };
  return join.join === "right" ? { ...join, left: limited(join.left) } : join;
}

function limited(table: TableExpression): TableExpression {
  if (table.kind === "join") return { ...table, left: limited(table.left), right: limited(table.right) };
  if (table.kind !== "derived" || table.query.limit !== undefined || table.query.body.kind !== "select") return table;
  if (table.query.body.items.every((item) => item.kind === "item" && isStrict(item.expression))) return table;
  return { ...table, query: computedApart(table.query) };
}

/** Whether it is NULL where its columns are. */
function isStrict(expression: Expression): boolean {
  switch (expression.kind) {
    case "bound":
    case "column":
      return true;
    case "cast":
    case "unary":
    case "extract":
    case "collate":
      return isStrict(expression.operand);
    case "binary":
      return !expression.operator.startsWith("is ") && (isStrict(expression.left) || isStrict(expression.right));
    case "call": {
      const { nulls } = findFunction(expression.name[0]?.name ?? "") ?? {};
      return nulls === "arguments" && expression.arguments.some(({ value }) => isStrict(value));
    }
    default:
      return false;
  }
}
