/**
 * How many joined rows one combination of rows can be part of: the closure of what it settles.
 *
 * Start with some sources of a FROM clause, and fix one row of each (no row of NULLs that an outer join made up). Then
 *
 *  1. a column is settled when an equality ties it to settled columns or constants, or its source's row is settled;
 *  2. a source's row is settled when its settled columns hold a key of it, for then at most one row has these values; or
 *     when a table function is among the start: `unnest(o.tags)` makes each row for one row of what it reads. (A lateral
 *     subquery may show one row of a model to several rows, so it only gets the benefit of the doubt.)
 *
 * "Settled" means: in all joined rows that hold the fixed rows, it is the same row, or the NULLs of an outer join.
 *
 * **When every source is settled, at most one joined row holds the fixed rows.** By induction over the joins: each side
 * has at most one row to offer. An inner join pairs them or not. `x LEFT JOIN y` gives (x, y) or (x, NULL), never both,
 * since y either fits x or does not. A full join could give (x, NULL) and (NULL, y), so one of its sides must hold a
 * source that is there for certain. WHERE only takes rows away.
 *
 * An equality in the ON of an outer join holds in rows where both sides are there. So it may settle a source only if
 * that makes it certain: the source itself stands on the side that could be missing (where it is missing, it is NULL,
 * and nothing is claimed), or a source that is there for certain does. Equalities of expressions also need their
 * operands to be there: `coalesce(y.a, 0) = z.k` has one value with y and another without. Keys may hold NULL and
 * repeat it, so equalities that hold for two NULLs settle only columns that are never NULL.
 */
import type { RelationColumn } from "../binding/relation.ts";
import type { JoinGraph, OuterJoin, PlacedEquality } from "./join-graph.ts";

/** At most one row; several are possible and nothing speaks against them; or nothing is known. */
export type Verdict = "once" | "repeated" | "unknown";

/** Settled columns of one source, each with whether it is settled to a value, or perhaps to NULL. */
export type Settled = ReadonlyMap<RelationColumn, "value" | "perhaps NULL">;

/** What is known while the closure grows. */
export interface Known {
  /** The source's row is settled. */
  readonly isSettled: (position: number) => boolean;
  /** The equality settles its column. */
  readonly holds: (equality: PlacedEquality) => boolean;
}

/** Whether a source has at most one row for the values of its settled columns. */
export type Identify = (position: number, settled: Settled, known: Known) => Verdict;

export interface Closure {
  readonly verdict: Verdict;
  /** With what cannot be known taken to be harmless: the sources that several rows of can join. */
  readonly repeating: readonly number[];
  readonly isSettled: (column: RelationColumn, position: number) => boolean;
}

/** The closure of `start`, given columns that are constant in the rows that are looked at. */
export function closureOf(
  graph: JoinGraph,
  start: readonly number[],
  constants: Iterable<readonly [RelationColumn, "value" | "perhaps NULL"]>,
  identify: Identify,
): Closure {
  const state = new State(graph, start, identify);
  for (const [column, kind] of constants) state.settleColumn(column, kind);
  state.run();
  const proven =
    state.unsettled().length === 0 &&
    graph.outerJoins.every((join) => join.kind !== "full" || state.hasCertainSide(join));
  const isProven = state.snapshot();
  if (proven) return { verdict: "once", repeating: [], isSettled: isProven };
  state.giveTheBenefitOfTheDoubt();
  const repeating = state.unsettled();
  return { verdict: repeating.length === 0 ? "unknown" : "repeated", repeating, isSettled: isProven };
}

class State {
  readonly #graph: JoinGraph;
  readonly #identify: Identify;
  readonly #start: readonly number[];
  readonly #settled: boolean[];
  /** Sources that are there in every joined row that counts. */
  readonly #certain: boolean[];
  readonly #columns: Map<RelationColumn, "value" | "perhaps NULL">[];
  readonly #known: Known = {
    isSettled: (position) => this.#settled[position] === true,
    holds: (equality) => this.#holdsFor(equality),
  };
  #lenient = false;

  constructor(graph: JoinGraph, start: readonly number[], identify: Identify) {
    const { sources, compared } = graph;
    this.#graph = graph;
    this.#identify = identify;
    this.#settled = sources.map(() => false);
    this.#columns = sources.map(() => new Map());
    this.#certain = sources.map(({ relation }, index) => !relation.outer || compared.has(index));
    this.#start = start;
    for (const position of start) {
      this.#certain[position] = true;
      this.#settleStart(position);
    }
  }

  #settleStart(position: number): void {
    this.#settled[position] = true;
    const source = this.#graph.sources[position];
    if (source === undefined || (source.table.kind !== "function" && !this.#lenient)) return;
    for (const read of source.reads) if (this.#settled[read] !== true) this.#settleStart(read);
  }

  settleColumn(column: RelationColumn, kind: "value" | "perhaps NULL"): void {
    const position = this.#graph.positionOf(column);
    if (position !== undefined) this.#columns[position]?.set(column, kind);
  }

  unsettled(): readonly number[] {
    return this.#settled.flatMap((settled, position) => (settled ? [] : [position]));
  }

  hasCertainSide({ start, middle, end }: OuterJoin): boolean {
    return this.#isCertain(start, middle) || this.#isCertain(middle, end);
  }

  snapshot(): Closure["isSettled"] {
    const [settled, columns] = [[...this.#settled], this.#columns.map((each) => new Set(each.keys()))];
    return (column, position) => settled[position] === true || columns[position]?.has(column) === true;
  }

  /** Applies both rules until neither adds anything. */
  run(): void {
    for (let changed = true; changed; ) {
      changed = false;
      for (const equality of this.#graph.equalities) {
        if (this.#settleBy(equality)) changed = true;
      }
      for (const [position, settled] of this.#settled.entries()) {
        if (settled || !this.#isIdentified(position)) continue;
        this.#settled[position] = true;
        changed = true;
      }
    }
  }

  /** Uncertain equalities count, and what nobody declared a key of is taken to have at most one row. */
  giveTheBenefitOfTheDoubt(): void {
    this.#lenient = true;
    for (const position of this.#start) this.#settleStart(position);
    this.run();
  }

  #settleBy(equality: PlacedEquality): boolean {
    const { column, owner, holdsForNull } = equality;
    const columns = this.#columns[owner];
    if (columns === undefined || this.#settled[owner] === true || columns.get(column) === "value") return false;
    const kind = holdsForNull ? "perhaps NULL" : "value";
    if (columns.get(column) === kind || !this.#holdsFor(equality)) return false;
    columns.set(column, kind);
    return true;
  }

  #holdsFor({ owner, operands, operandOwners, isUncertain, place }: PlacedEquality): boolean {
    if (place !== undefined && !this.#found(place, owner)) return false;
    if (!this.#lenient) {
      if (isUncertain) return false;
      if (!operands.isColumn && !operandOwners.every((position) => this.#certain[position])) return false;
    }
    return operands.columns.every((column, index) => {
      const position = operandOwners[index] ?? -1;
      return this.#settled[position] === true || this.#columns[position]?.has(column) === true;
    });
  }

  /** Whether the join has found a partner in every joined row in which the source at `position` is there. */
  #found({ kind, start, middle, end }: OuterJoin, position: number): boolean {
    const left = (position >= start && position < middle) || this.#isCertain(start, middle);
    const right = (position >= middle && position < end) || this.#isCertain(middle, end);
    return (kind === "left" || left) && (kind === "right" || right);
  }

  #isCertain(start: number, end: number): boolean {
    for (let position = start; position < end; position++) if (this.#certain[position] === true) return true;
    return false;
  }

  #isIdentified(position: number): boolean {
    const { reads } = this.#graph.sources[position] ?? { reads: [] };
    if (!reads.every((read) => this.#settled[read] && (this.#lenient || this.#certain[read]))) return false;
    const verdict = this.#identify(position, this.#columns[position] ?? new Map(), this.#known);
    if (verdict === "once") return true;
    return this.#lenient && (verdict === "unknown" || this.#graph.enclosing.has(position));
  }
}
