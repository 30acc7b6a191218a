/**
 * The FROM and WHERE of one SELECT as a graph: its relations in order, and the facts about their columns in joined
 * rows.
 */
import { ModelRelation, type Relation, type RelationColumn, relationColumn } from "../binding/relation.ts";
import type { Scope } from "../binding/scope.ts";
import type { Expression, Select, TableExpression } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";
import { boundsIn, enclosingColumns } from "./column-bounds.ts";
import { type Declared, declaredOf } from "./declared.ts";
import { type Equality, readCondition } from "./equalities.ts";

/** A relation with its leaf in FROM. Positions count from the left, so every join covers a range of them. */
export interface Source {
  readonly relation: Relation;
  readonly table: TableExpression;
  /** Declarations of the manifest for a model; absent for other relations. */
  readonly declared: Declared | undefined;
  /** The sources that a lateral table reads: it has separate rows for each row of these sources. */
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
  /** The outer join of this ON: the equality holds in rows with a partner in it. Absent: it holds in every row. */
  readonly place: OuterJoin | undefined;
}

/** A condition of the FROM clause, or WHERE. */
export interface PlacedCondition {
  readonly expression: Expression;
  readonly place: OuterJoin | undefined;
  /** The sources that the join of the condition covers. */
  readonly start: number;
  readonly end: number;
}

/** Most queries need only sources and equalities; other facts are computed on demand. */
export class JoinGraph {
  readonly sources: readonly Source[];
  readonly equalities: readonly PlacedEquality[];
  readonly outerJoins: readonly OuterJoin[];
  /** The ON conditions in the order of the text, and WHERE. */
  readonly conditions: readonly PlacedCondition[];
  #compared: ReadonlySet<number> | undefined;
  #enclosing: ReadonlySet<number> | undefined;

  constructor(sources: readonly Source[], { conditions, outerJoins }: FromReader, where: Expression | undefined) {
    if (where !== undefined) conditions.push({ expression: where, place: undefined, start: 0, end: sources.length });
    this.sources = sources;
    this.outerJoins = outerJoins;
    this.conditions = conditions;
    const equalities: PlacedEquality[] = [];
    for (const { expression, place } of conditions) {
      for (const { column, operands, holdsForNull, isUncertain } of this.#equalitiesIn(expression)) {
        const { columns } = operands;
        const operandOwners = columns.length === 0 ? NONE : columns.map((each) => this.positionOf(each));
        const owner = this.positionOf(column);
        equalities.push({ column, owner, operands, operandOwners, holdsForNull, isUncertain, place });
      }
    }
    this.equalities = equalities;
  }

  /** The source a column belongs to; -1 for columns of the levels around this one. */
  positionOf({ relation }: RelationColumn): number {
    const { sources } = this;
    for (let position = 0; position < sources.length; position++) {
      if (sources[position]?.relation === relation) return position;
    }
    return -1;
  }

  /** Sources whose columns every joined row compares, which excludes the NULLs of an outer join. */
  get compared(): ReadonlySet<number> {
    this.#compared ??= this.#findCompared();
    return this.#compared;
  }

  /** Sources of which at most one row is meant to fit, by two columns around a value from elsewhere. */
  get enclosing(): ReadonlySet<number> {
    this.#enclosing ??= new Set(
      enclosingColumns(this.conditions.flatMap(({ expression }) => boundsIn(expression))).map((column) =>
        this.positionOf(column),
      ),
    );
    return this.#enclosing;
  }

  #equalitiesIn(condition: Expression): readonly Equality[] {
    const found: Equality[] = [];
    readCondition(condition, (column) => this.positionOf(column) >= 0, found);
    return found;
  }

  #findCompared(): ReadonlySet<number> {
    const compared = new Set<number>();
    for (const { expression, place, start, end } of this.conditions) {
      // Where the whole join may be missing, its condition proves nothing.
      if (place !== undefined || this.outerJoins.some((join) => canBeMissing(start, end, join))) continue;
      for (const { column, holdsForNull, isUncertain } of this.#equalitiesIn(expression)) {
        if (!holdsForNull && !isUncertain) compared.add(this.positionOf(column));
      }
      for (const { column, rejectsNull } of boundsIn(expression))
        if (rejectsNull) compared.add(this.positionOf(column));
    }
    return compared;
  }
}

/** `undefined` when the tree and its scope do not fit: then nothing is known. */
export function joinGraph(select: Select, { namespace: { relations } }: Scope): JoinGraph | undefined {
  const reader = new FromReader();
  for (const table of select.from) reader.read(table);
  const sources: Source[] = [];
  for (const [index, table] of reader.leaves.entries()) {
    const relation = relations[index];
    if (relation === undefined) return undefined;
    const declared = relation instanceof ModelRelation ? declaredOf(relation.model) : undefined;
    sources.push({ relation, table, declared, reads: readsOf(table, index, relations) });
  }
  return sources.length === relations.length ? new JoinGraph(sources, reader, select.where) : undefined;
}

/** Whether the sources from `start` to `end` are on a side that the outer join may leave without a row. */
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

function readsOf(table: TableExpression, index: number, relations: readonly Relation[]): readonly number[] {
  // A function may read the tables before it, with or without LATERAL.
  const isLateral = table.kind === "function" || (table.kind === "derived" && table.lateral);
  if (!isLateral) return NONE;
  const reads = new Set<number>();
  walk(table, (node) => {
    if (node.kind === "bound") {
      const position = relations.indexOf(relationColumn(node).relation);
      if (position >= 0 && position !== index) reads.add(position);
    }
    return true;
  });
  return [...reads];
}
