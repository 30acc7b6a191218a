/**
 * Conditions of outer joins that DuckDB cannot plan ("Cannot perform non-inner join on subquery!", "Non-inner join on correlated
 * columns not supported"): with a subquery over the side whose rows are kept, and with columns of a query around. A condition of the
 * second kind about the other side alone filters that side first; all others are refused. Seen on 1.4.4; planned after 1.5 by
 * https://github.com/duckdb/duckdb/pull/23658.
 */
import { unsupported } from "../../../diagnostics.ts";
import { all, exactName, queryOf, selectOf } from "../../../syntax/build.ts";
import { transformQuery } from "../../../syntax/rewrite.ts";
import type { DerivedTable, Expression, Join, Query, Select, TableExpression } from "../../../syntax/tree.ts";
import { conjuncts, type SyntaxNode, someNode } from "../../../syntax/walk.ts";
import { isQuery, nameOf, namesOf, namesOuterTable } from "../printed-names.ts";

export function withPlannedJoins(statement: Query): Query {
  return transformQuery(statement, {
    body: (body) => (body.kind === "select" ? withJoinsOf(body) : body),
  });
}

function withJoinsOf(select: Select): Select {
  const own = new Set(select.from.flatMap(namesOf));
  const isOuterJoin = (table: TableExpression): boolean => table.kind === "join" && someOuter(table);
  if (!select.from.some(isOuterJoin)) return select;
  return { ...select, from: select.from.map((table) => planned(table, own)) };
}

function someOuter(table: TableExpression): boolean {
  if (table.kind !== "join") return false;
  return (table.join !== "inner" && table.join !== "cross") || someOuter(table.left) || someOuter(table.right);
}

function planned(table: TableExpression, own: ReadonlySet<string>): TableExpression {
  if (table.kind !== "join") return table;
  const join: Join = { ...table, left: planned(table.left, own), right: planned(table.right, own) };
  if (join.join === "inner" || join.join === "cross" || join.on === undefined) return join;
  const kept = new Set(join.join === "left" ? namesOf(join.left) : [...namesOf(join.left), ...namesOf(join.right)]);
  const moved: Expression[] = [];
  const rest: Expression[] = [];
  for (const condition of conjuncts(join.on)) {
    const isKept = (node: SyntaxNode): boolean => kept.has(nameOf(node)?.table ?? "");
    if (someNode(condition, isQuery) && (join.join !== "left" || someNode(condition, isKept))) {
      throw unsupported(
        `a subquery in the ON of a ${join.join.toUpperCase()} JOIN`,
        condition.span,
        "Compute it as a column of a subquery in FROM, and compare that column in ON.",
      );
    }
    if (!namesOuterTable(condition, own)) rest.push(condition);
    else if (join.join === "left" && !someNode(condition, isKept)) moved.push(condition);
    else {
      throw unsupported(
        `a column of the query around in the ON of a ${join.join.toUpperCase()} JOIN`,
        condition.span,
        "Filter the joined table in a subquery of its own, or join it outside.",
      );
    }
  }
  if (moved.length === 0) return join;
  const right = filtered(join.right, moved);
  return {
    ...join,
    right,
    on: all(rest, join) ?? { kind: "boolean", value: true, span: join.span, type: { kind: "boolean" } },
  };
}

/** `(SELECT * FROM t WHERE …) AS t` */
function filtered(table: TableExpression, conditions: readonly Expression[]): DerivedTable {
  const [name, ...others] = namesOf(table);
  const { span } = table;
  if (name === undefined || others.length > 0) {
    throw unsupported(
      "a column of the query around in the ON of an outer join of joins",
      span,
      "Join the tables one by one.",
    );
  }
  const star = { kind: "star", qualifier: [], except: [], replace: [], rename: [], span } as const;
  const body = selectOf({ items: [star], from: [table], where: all(conditions, table) }, table);
  return {
    kind: "derived",
    query: queryOf(body),
    lateral: true,
    alias: { name: exactName(name, span), columns: [] },
    span,
  };
}
