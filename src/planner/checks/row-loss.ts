/**
 * ROW_LOSS_POSSIBLE: an inner join along a relationship whose column may be NULL drops rows from a total.
 *
 * Reported only if all of this is certain, since every inner join drops rows by design:
 *
 * - the join follows a declared relationship towards its "one" side, and is not an outer one;
 * - its column may be NULL: the manifest declares other columns of the model `notNull`, but not this one
 *   (a manifest without any `notNull` proves nothing);
 * - an aggregate is about other rows than those of the "one" side: a listing shows missing rows, a total does not;
 * - nothing else requires the partner: a condition on it, or `IS NOT NULL` on the column, requires it.
 */
import { ModelRelation, type Relation, type RelationColumn, relationColumn } from "../binding/relation.ts";
import type { Binary, Call, Expression } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";
import type { Link } from "./declared.ts";
import { columnOf } from "./equalities.ts";
import type { JoinGraph } from "./join-graph.ts";
import { collectValues } from "./measures.ts";
import { isPair } from "./unique-rows.ts";

export interface RowLoss {
  /** The side whose rows are dropped, and the side on which they have no partner. */
  readonly from: number;
  readonly to: number;
  /** The column of `from` that may be NULL, by the caller's name. */
  readonly column: string;
  readonly aggregate: Call;
}

/** Every join of the SELECT that leaves rows out of one of its aggregates, in the order of FROM. */
export function findRowLosses(graph: JoinGraph, aggregates: readonly Call[]): readonly RowLoss[] {
  const losses: RowLoss[] = [];
  for (const [to, target] of graph.sources.entries()) {
    if (!(target.relation instanceof ModelRelation) || target.relation.outer) continue;
    for (const link of target.declared?.links ?? []) {
      if (!link.isOne) continue;
      for (const [from, source] of graph.sources.entries()) {
        const { relation } = source;
        if (from === to || !(relation instanceof ModelRelation) || relation.model.name !== link.other) continue;
        const optional = link.pairs.find((pair) => mayBeNull(relation, pair.other));
        if (optional === undefined || relation.outer) continue;
        const equalities = link.pairs.map((pair) =>
          graph.equalities.find(
            (each) => isPair(each, to, pair.own, from, pair.other) && each.place === undefined && !each.isUncertain,
          ),
        );
        if (!equalities.every((each) => each !== undefined)) continue;
        if (asksForPartner(graph, to, from, link, optional.other)) continue;
        const aggregate = aggregates.find((call) => !isAbout(call, target.relation));
        if (aggregate !== undefined) losses.push({ from, to, column: optional.other, aggregate });
      }
    }
  }
  return losses;
}

/** Not declared `notNull`, in a model that declares it for other columns. */
function mayBeNull({ model }: ModelRelation, name: string): boolean {
  const column = model.column(name);
  if (column === undefined || column.notNull || column.hidden || model.primaryKey.includes(name)) return false;
  return model.data.columns.some((each) => each.notNull);
}

/** Whether a condition other than the join's equalities names the partner, or the column that leads to it. */
function asksForPartner(graph: JoinGraph, to: number, from: number, link: Link, optional: string): boolean {
  const [target, source] = [graph.sources[to]?.relation, graph.sources[from]?.relation];
  const isOfJoin = (a: RelationColumn, b: RelationColumn): boolean =>
    link.pairs.some(
      (pair) => a.relation === target && a.name === pair.own && b.relation === source && b.name === pair.other,
    );
  const asks = (condition: Expression): boolean => {
    if (condition.kind === "logical" && condition.operator === "and") return condition.operands.some(asks);
    const named = columnsIn(condition);
    const isConcerned = named.some(
      (column) => column.relation === target || (column.relation === source && column.name === optional),
    );
    if (!isConcerned) return false;
    const [a, b] = condition.kind === "binary" && condition.operator === "=" ? sidesOf(condition) : [];
    if (a === undefined || b === undefined || a.relation === b.relation) return true;
    const isBetweenThem = [a, b].every(({ relation }) => relation === target || relation === source);
    return isBetweenThem && !isOfJoin(a, b) && !isOfJoin(b, a);
  };
  return graph.conditions.some(({ expression }) => asks(expression));
}

function sidesOf({ left, right }: Binary): readonly (RelationColumn | undefined)[] {
  return [columnOf(left), columnOf(right)];
}

function columnsIn(condition: Expression): readonly RelationColumn[] {
  const columns: RelationColumn[] = [];
  walk(condition, (node) => {
    if (node.kind === "bound") columns.push(relationColumn(node));
    return true;
  });
  return columns;
}

function isAbout(call: Call, relation: Relation): boolean {
  const columns: RelationColumn[] = [];
  for (const { value } of call.arguments) collectValues(value, columns);
  return columns.some((column) => column.relation === relation);
}
