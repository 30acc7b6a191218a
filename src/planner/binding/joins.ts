/** Joins of two bound tables: what their columns are called together, and what joins them. */
import { PlannerError } from "../diagnostics.ts";
import { all, binary, call, exactName } from "../syntax/build.ts";
import type { Expression, Identifier, Join, Span, TableExpression } from "../syntax/tree.ts";
import { BOOLEAN } from "../types.ts";
import { type Binder, plainBinding } from "./binding.ts";
import { toCommonType, unify } from "./coercion.ts";
import { bindCondition } from "./conditions.ts";
import { noteConditions } from "./own-conditions.ts";
import { type Relation, type RelationColumn, relationColumn } from "./relation.ts";
import { joinNamespaces, type MergedColumn, type Namespace, type Scope } from "./scope.ts";
import { refuseMixedTimes } from "./session-zone.ts";

export interface BoundTable {
  readonly table: TableExpression;
  readonly namespace: Namespace;
}

/** `join` with its sides bound. */
export function joined(join: Join, sides: Sides, scope: Scope, binder: Binder): BoundTable {
  const bound = joinedSides(join, sides, scope, binder);
  if (join.join === "full") {
    const [left, right] = [sides.left.namespace.relations, sides.right.namespace.relations];
    binder.context.fullJoins.set(bound.table, { left, right });
  }
  return bound;
}

interface Sides {
  readonly left: BoundTable;
  readonly right: BoundTable;
}

function joinedSides(join: Join, { left, right }: Sides, scope: Scope, binder: Binder): BoundTable {
  if (join.join === "left" || join.join === "full") markOuter(right.namespace);
  if (join.join === "right" || join.join === "full") markOuter(left.namespace);
  const both = joinNamespaces(left.namespace, right.namespace);
  checkDistinctNames(both.relations, join.span);
  const names = join.natural ? commonNames(left.namespace, right.namespace, join.span) : join.using;
  if (names.length > 0 || join.natural) return joinUsing(join, names, left, right, scope, binder);
  const on = join.on && bindCondition(join.on, plainBinding(binder, scope.narrowed(both), "JOIN … ON"));
  if (join.join === "inner") noteConditions(on, both.relations);
  return { table: { ...join, left: left.table, right: right.table, on }, namespace: both };
}

/** @throws PlannerError LIMIT_SIZE */
export function countJoin(span: Span, { context }: Binder): void {
  context.budget.joins++;
  const { joins } = context.options.limits;
  if (context.budget.joins > joins) throw new PlannerError("LIMIT_SIZE", `more than ${joins} joins`, { span });
}

/** @throws PlannerError INVALID_QUERY */
export function checkDistinctNames(relations: readonly Relation[], span: Span): void {
  const seen = new Set<string>();
  for (const relation of relations) {
    // A derived table without alias has no name: nothing can refer to it, and there may be several.
    if (relation.name === "") continue;
    if (seen.has(relation.name)) {
      throw new PlannerError("INVALID_QUERY", `FROM names "${relation.name}" more than once`, {
        span,
        hint: `Give one of them an alias: ${relation.name} AS other.`,
      });
    }
    seen.add(relation.name);
  }
}

function markOuter(namespace: Namespace): void {
  for (const relation of namespace.relations) relation.outer = true;
}

/** Visible names on both sides, in the order of the left one. */
function commonNames(left: Namespace, right: Namespace, span: Span): readonly Identifier[] {
  const rightNames = new Set(visibleNames(right));
  return [...new Set(visibleNames(left))].filter((name) => rightNames.has(name)).map((name) => exactName(name, span));
}

function visibleNames(namespace: Namespace): readonly string[] {
  const hidden = (column: RelationColumn): boolean => namespace.merged.some((merged) => merged.hides.has(column));
  return [
    ...namespace.merged.map((merged) => merged.name),
    ...namespace.relations.flatMap((relation) =>
      relation
        .columns()
        .filter((column) => !hidden(column))
        .map((column) => column.implicitName ?? column.name),
    ),
  ];
}

/**
 * USING and NATURAL become ON with explicit columns: SQL Server has neither, and a direct table reference carries
 * physical names that need not agree.
 */
function joinUsing(
  join: Join,
  names: readonly Identifier[],
  left: BoundTable,
  right: BoundTable,
  scope: Scope,
  binder: Binder,
): BoundTable {
  const merged: MergedColumn[] = [];
  const conditions: Expression[] = [];
  for (const name of names) {
    const side = (table: BoundTable, which: string): Expression => {
      const found = scope.narrowed(table.namespace).resolveHere([name], name.span);
      if (found !== undefined) return found;
      throw new PlannerError("COLUMN_NOT_FOUND", `column "${name.name}" of USING is not on the ${which} side`, {
        span: name.span,
      });
    };
    const [a, b] = toCommonType(side(left, "left"), side(right, "right"), name.span);
    refuseMixedTimes([a.type, b.type], name.span, binder.context);
    conditions.push(binary(a, "=", b, { span: name.span, type: BOOLEAN }));
    merged.push({
      name: ownName(a) ?? name.name,
      expression: mergedExpression(join.join, a, b, name.span),
      hides: new Set([...hiddenBy(a, left.namespace), ...hiddenBy(b, right.namespace)]),
    });
  }
  const namespace = joinNamespaces(left.namespace, right.namespace);
  const replaced = new Set(merged.flatMap((each) => [...each.hides]));
  const on = all(conditions, join);
  return {
    table: {
      ...join,
      natural: false,
      using: [],
      join: on === undefined ? "cross" : join.join,
      left: left.table,
      right: right.table,
      on,
    },
    namespace: {
      relations: namespace.relations,
      merged: [
        ...merged,
        ...namespace.merged.filter((each) => ![...each.hides].some((column) => replaced.has(column))),
      ],
    },
  };
}

function ownName(expression: Expression): string | undefined {
  return expression.kind === "bound" ? relationColumn(expression).name : undefined;
}

function mergedExpression(join: Join["join"], left: Expression, right: Expression, span: Span): Expression {
  if (join === "right") return right;
  if (join !== "full") return left;
  const { expressions, type } = unify([left, right], "USING");
  return call("coalesce", expressions, { span, type });
}

/** A side's column, or every column behind one that an earlier USING of that side merged. */
function hiddenBy(side: Expression, namespace: Namespace): readonly RelationColumn[] {
  const columns = mergedFrom(side);
  const merged = namespace.merged.find((each) => columns.some((column) => each.hides.has(column)));
  return merged === undefined ? columns : [...merged.hides];
}

function mergedFrom(expression: Expression): readonly RelationColumn[] {
  if (expression.kind === "bound") return [relationColumn(expression)];
  return expression.kind === "call" ? expression.arguments.flatMap((argument) => mergedFrom(argument.value)) : [];
}
