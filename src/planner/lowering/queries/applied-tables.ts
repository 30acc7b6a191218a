/** Renders LATERAL as APPLY, which has no ON and cannot follow a comma. */

import { unsupported } from "../../diagnostics.ts";
import { exactName, queryOf, selectOf, star } from "../../syntax/build.ts";
import { transformQuery } from "../../syntax/rewrite.ts";
import type { DerivedTable, Join, Query, TableExpression } from "../../syntax/tree.ts";
import { walk } from "../../syntax/walk.ts";

/** The lowered statement: each lateral table becomes the right side of a cross join, or of a left join without a condition. */
export function withApply(statement: Query): Query {
  return transformQuery(statement, {
    table: (node) => (node.kind === "join" ? applied(node) : node),
    body: (node) => {
      if (node.kind !== "select" || !node.from.some(isLateral)) return node;
      const [first, ...others] = node.from;
      if (first === undefined) return node;
      const joined = others.reduce<TableExpression>((left, right) => crossJoin(left, right), first);
      return { ...node, from: [joined] };
    },
  });
}

function isLateral(table: TableExpression | undefined): table is DerivedTable {
  return table?.kind === "derived" && table.lateral;
}

function crossJoin(left: TableExpression, right: TableExpression): Join {
  refuseInside(right);
  return { kind: "join", join: "cross", natural: false, left, right, on: undefined, using: [], span: right.span };
}

function applied(join: Join): Join {
  const { right, on } = join;
  if (!isLateral(right)) {
    refuseInside(right);
    return join;
  }
  if (join.join === "right" || join.join === "full") {
    throw unsupported("LATERAL behind a right or full join", right.span, "Join it from the left.");
  }
  const isAlways = on === undefined || (on.kind === "boolean" && on.value);
  const kind = join.join === "left" ? "left" : "cross";
  if (isAlways) return { ...join, join: kind, on: undefined };
  const alias = right.alias ?? { name: exactName("_l", right.span), columns: [] };
  const inner: DerivedTable = { ...right, lateral: false, alias };
  const query = queryOf(selectOf({ items: [star(right)], from: [inner], where: on }, right));
  const outer: DerivedTable = { ...right, query, alias: { ...alias, columns: [] } };
  return { ...join, join: kind, right: outer, on: undefined };
}

/** Within its own parentheses, an applied table cannot refer to earlier tables. */
function refuseInside(right: TableExpression): void {
  if (right.kind !== "join") return;
  walk(right, (node) => {
    if (node.kind === "query") return false;
    if (node.kind === "derived" && node.lateral) {
      throw unsupported("LATERAL inside a join in parentheses", node.span, "Join the tables one after the other.");
    }
    return node.kind === "join";
  });
}
