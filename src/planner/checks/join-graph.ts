/** The FROM and WHERE of one SELECT as a graph: its relations in order, and what is known of their columns in joined rows. */
import type { Relation, RelationColumn } from "../binding/relation.ts";
import type { Scope } from "../binding/scope.ts";
import type { Expression, Select, TableExpression } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";
import { type Bound, type Equality, enclosures, type Facts, readCondition } from "./equalities.ts";

/** A relation with the leaf of FROM it stands for. Positions count from the left, so every join covers a range of them. */
export interface Source {
  readonly relation: Relation;
  readonly table: TableExpression;
  /** The sources that a lateral table reads: it has rows of its own for each row of these. */
  readonly reads: readonly number[];
}

/** An outer join: `left` and `right` are half-open ranges of positions that meet at `middle`. */
export interface OuterJoin {
  readonly kind: "left" | "right" | "full";
  readonly start: number;
  readonly middle: number;
  readonly end: number;
}

/** An equality, and where it holds. */
export interface PlacedEquality extends Equality {
  readonly owner: number;
  /** Positions of the operands' relations. */
  readonly operandOwners: readonly number[];
  /** The outer join whose ON it is: it holds in the rows that found a partner there. Absent: it holds in every row. */
  readonly place: OuterJoin | undefined;
}

export interface JoinGraph {
  readonly sources: readonly Source[];
  /** The source a column belongs to; `undefined` for columns of the levels around this one. */
  readonly positionOf: (column: RelationColumn) => number | undefined;
  readonly equalities: readonly PlacedEquality[];
  /** Sources of which at most one row is meant to fit, by two columns around a value of another source. */
  readonly enclosing: ReadonlySet<number>;
  readonly outerJoins: readonly OuterJoin[];
  /** Sources whose columns every joined row compares: the NULLs of an outer join do not survive that. */
  readonly compared: ReadonlySet<number>;
  /** The ON conditions in the order of the text, and WHERE. */
  readonly conditions: readonly PlacedCondition[];
}

interface PlacedCondition {
  readonly expression: Expression;
  readonly place: OuterJoin | undefined;
  /** The sources that the join of the condition covers. */
  readonly start: number;
  readonly end: number;
}

/** `undefined` when the tree and its scope do not fit: then nothing is known. */
export function joinGraph(select: Select, scope: Scope): JoinGraph | undefined {
  const reader = new FromReader();
  for (const table of select.from) reader.read(table);
  const { relations } = scope.namespace;
  if (reader.leaves.length !== relations.length) return undefined;
  const positions = new Map(relations.map((relation, index) => [relation, index]));
  const isLocal = (column: RelationColumn): boolean => positions.has(column.relation);
  const positionOf = (column: RelationColumn): number | undefined => positions.get(column.relation);
  const placeOf = (column: RelationColumn): number => positions.get(column.relation) ?? -1;

  const equalities: PlacedEquality[] = [];
  const bounds: Bound[] = [];
  const compared = new Set<number>();
  const conditions: readonly PlacedCondition[] =
    select.where === undefined
      ? reader.conditions
      : [...reader.conditions, { expression: select.where, place: undefined, start: 0, end: relations.length }];
  for (const { expression, place, start, end } of conditions) {
    // Where the whole join may be missing, its condition has no say.
    const isForAll = place === undefined && !reader.outerJoins.some((join) => canBeMissing(start, end, join));
    const facts: Facts = { equalities: [], bounds: [] };
    readCondition(expression, isLocal, facts);
    for (const equality of facts.equalities) {
      const { columns } = equality.operands;
      const owner = placeOf(equality.column);
      equalities.push({ ...equality, owner, operandOwners: columns.map(placeOf), place });
      if (isForAll && !equality.holdsForNull && !equality.isUncertain) compared.add(owner);
    }
    bounds.push(...facts.bounds);
    if (isForAll) {
      for (const bound of facts.bounds) if (bound.rejectsNull) compared.add(placeOf(bound.column));
    }
  }
  const enclosing = new Set(enclosures(bounds).map(([lower]) => placeOf(lower.column)));
  const sources = relations.map((relation, index): Source => {
    const table = reader.leaves[index] as TableExpression;
    return { relation, table, reads: readsOf(table, index, positions) };
  });
  return { sources, positionOf, equalities, enclosing, outerJoins: reader.outerJoins, compared, conditions };
}

/** Whether the sources from `start` to `end` stand on a side that the outer join may leave without a row. */
function canBeMissing(start: number, end: number, join: OuterJoin): boolean {
  const isLeft = start >= join.start && end <= join.middle;
  const isRight = start >= join.middle && end <= join.end;
  return (isLeft && join.kind !== "left") || (isRight && join.kind !== "right");
}

/** The leaves of a FROM clause in order, with the conditions of its joins. */
class FromReader {
  readonly leaves: TableExpression[] = [];
  readonly conditions: PlacedCondition[] = [];
  readonly outerJoins: OuterJoin[] = [];

  read(table: TableExpression): void {
    if (table.kind !== "join") {
      this.leaves.push(table);
      return;
    }
    const start = this.leaves.length;
    this.read(table.left);
    const middle = this.leaves.length;
    this.read(table.right);
    const end = this.leaves.length;
    const isOuter = table.join === "left" || table.join === "right" || table.join === "full";
    const place: OuterJoin | undefined = isOuter ? { kind: table.join, start, middle, end } : undefined;
    if (place !== undefined) this.outerJoins.push(place);
    if (table.on !== undefined) this.conditions.push({ expression: table.on, place, start, end });
  }
}

const NONE: readonly number[] = [];

function readsOf(table: TableExpression, index: number, positions: ReadonlyMap<Relation, number>): readonly number[] {
  // A function may read what stands before it, LATERAL written or not.
  const isLateral = table.kind === "function" || (table.kind === "derived" && table.lateral);
  if (!isLateral) return NONE;
  const reads = new Set<number>();
  walk(table, (node) => {
    if (node.kind === "bound") {
      const position = positions.get((node.column as RelationColumn).relation);
      if (position !== undefined && position !== index) reads.add(position);
    }
    return true;
  });
  return [...reads];
}
