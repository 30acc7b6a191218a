/**
 * How many joined rows one combination of rows can be part of: the closure of the facts that it determines.
 *
 * Start with some sources of a FROM clause, and fix one row of each (not a row of NULLs from an outer join). Then
 *
 *  1. a column is settled when an equality ties it to settled columns or constants, or its source's row is settled;
 *  2. a source's row is settled when its settled columns contain a key of it, because at most one row has these values;
 *     or
 *     when a table function is among the start: `unnest(o.tags)` makes each row for one row of its input. (A lateral
 *     subquery may return one row of a model for several rows, so it only gets the benefit of the doubt.)
 *
 * "Settled" means: in all joined rows that contain the fixed rows, it is the same row, or the NULLs of an outer join.
 *
 * **When every source is settled, at most one joined row contains the fixed rows.** Proof by induction over the joins:
 * each side has at most one row. An inner join pairs them or not. `x LEFT JOIN y` gives (x, y) or (x, NULL), never
 * both, since y either matches x or does not. A full join could give (x, NULL) and (NULL, y), so one of its sides must
 * contain a source that is certainly present. WHERE only removes rows.
 *
 * An equality in the ON of an outer join holds in rows where both sides are present. So it may settle a source only in
 * two cases: the source itself is on the side that may be missing (where it is missing, it is NULL, and nothing is
 * claimed), or a certainly present source is. Equalities of expressions also need their operands to be present:
 * `coalesce(y.a, 0) = z.k` has one value with y and another without. Keys may contain repeated NULLs, so equalities
 * that hold for two NULLs settle only columns that are never NULL.
 */
import type { RelationColumn } from "../binding/relation.ts";
import type { JoinGraph, OuterJoin, PlacedEquality } from "./join-graph.ts";

/** `once`: at most one row; `repeated`: several rows are possible; `unknown`: not known. */
export type Verdict = "once" | "repeated" | "unknown";

/** A column that has one value in all examined rows. `isValue`: the value is not NULL. */
export interface FixedColumn {
  readonly column: RelationColumn;
  readonly isValue: boolean;
}

/** Facts known while the closure grows. */
export interface Known {
  /** The source's row is settled. */
  readonly isSettled: (position: number) => boolean;
  /** The equality settles its column. */
  readonly holds: (equality: PlacedEquality) => boolean;
}

/** Whether a source has at most one row for the values of its settled columns. */
export type Identify = (position: number, settled: readonly FixedColumn[], known: Known) => Verdict;

/** The closure of `start`, given columns that are constant in the rows that are looked at. */
export class Closure implements Known {
  readonly #graph: JoinGraph;
  readonly #identify: Identify;
  readonly #start: readonly number[];
  readonly #settled: boolean[] = [];
  readonly #columns: FixedColumn[][] = [];
  readonly #constants: readonly FixedColumn[];
  readonly #isLenient: boolean;
  #unsettled: number;
  /** By source: whether each row of the join that the query keeps has a row of it. */
  readonly #certain: boolean[] = [];

  constructor(
    graph: JoinGraph,
    start: readonly number[],
    constants: readonly FixedColumn[],
    identify: Identify,
    isLenient = false,
  ) {
    this.#graph = graph;
    this.#identify = identify;
    this.#start = start;
    this.#constants = constants;
    this.#isLenient = isLenient;
    this.#unsettled = graph.sources.length;
    for (const { relation } of graph.sources) {
      this.#settled.push(false);
      this.#columns.push([]);
      this.#certain.push(!relation.outer || graph.compared.has(this.#certain.length));
    }
    for (const position of start) {
      this.#certain[position] = true;
      this.#settleStart(position);
    }
    for (const constant of constants) this.#columns[graph.positionOf(constant.column)]?.push(constant);
    this.#run();
  }

  get isOnce(): boolean {
    return this.#unsettled === 0 && this.#splitting().length === 0;
  }

  get verdict(): Verdict {
    if (this.isOnce) return "once";
    return this.repeating.length > 0 ? "repeated" : "unknown";
  }

  /**
   * The sources that can join with several rows. Unknown facts are taken to be harmless: uncertain equalities count,
   * and a source without declared keys has at most one row.
   */
  get repeating(): readonly number[] {
    if (this.#unsettled === 0) return this.#isLenient ? [] : this.#splitting();
    if (!this.#isLenient) return new Closure(this.#graph, this.#start, this.#constants, this.#identify, true).repeating;
    return this.#settled.flatMap((settled, position) => (settled ? [] : [position]));
  }

  isSettled(position: number): boolean {
    return this.#settled[position] === true;
  }

  isSettledColumn(column: RelationColumn, position: number): boolean {
    return this.#settled[position] === true || this.#find(column, position) !== undefined;
  }

  holds({ owner, operands, operandOwners, isUncertain, place }: PlacedEquality): boolean {
    if (place !== undefined && !this.#found(place, owner)) return false;
    if (!this.#isLenient) {
      if (isUncertain) return false;
      if (!operands.isColumn && !operandOwners.every((position) => this.#certain[position])) return false;
    }
    for (let i = 0; i < operands.columns.length; i++) {
      const column = operands.columns[i];
      if (column !== undefined && !this.isSettledColumn(column, operandOwners[i] ?? -1)) return false;
    }
    return true;
  }

  #settleStart(position: number): void {
    this.#settle(position);
    const source = this.#graph.sources[position];
    if (source === undefined || (source.table.kind !== "function" && !this.#isLenient)) return;
    for (const read of source.reads) if (this.#settled[read] !== true) this.#settleStart(read);
  }

  #settle(position: number): void {
    if (this.#settled[position] === true) return;
    this.#settled[position] = true;
    this.#unsettled--;
  }

  /**
   * Applies both rules until neither adds anything. A proof may come at any time; the benefit of the doubt comes when
   * everything that is known of a source's columns has been gathered.
   */
  #run(): void {
    const { sources, equalities } = this.#graph;
    for (let changed = true, isFirst = true; changed && this.#unsettled > 0; isFirst = false) {
      changed = false;
      for (const equality of equalities) {
        if (!this.#settleBy(equality)) continue;
        changed = true;
        if (!this.#isLenient) this.#tryToIdentify(equality.owner);
      }
      for (let position = 0; position < sources.length; position++) {
        const source = sources[position];
        if (source === undefined) continue;
        // Most sources are identified by their own columns alone.
        const dependsOnRows = source.reads.length > 0 || (source.declared?.links.length ?? 0) > 0;
        if ((isFirst || this.#isLenient || dependsOnRows) && this.#tryToIdentify(position)) changed = true;
      }
    }
  }

  #tryToIdentify(position: number): boolean {
    if (this.#settled[position] === true || !this.#isIdentified(position)) return false;
    this.#settle(position);
    return true;
  }

  #settleBy(equality: PlacedEquality): boolean {
    const { column, owner, holdsForNull } = equality;
    if (this.#settled[owner] === true) return false;
    const known = this.#find(column, owner);
    if (known !== undefined && (known.isValue || holdsForNull)) return false;
    if (!this.holds(equality)) return false;
    this.#columns[owner]?.push({ column, isValue: !holdsForNull });
    return true;
  }

  /** The best that is known of a column: a value is more than perhaps NULL. */
  #find(column: RelationColumn, position: number): FixedColumn | undefined {
    let found: FixedColumn | undefined;
    for (const each of this.#columns[position] ?? []) {
      if (each.column === column && found?.isValue !== true) found = each;
    }
    return found;
  }

  /** Whether the join has a partner in every joined row in which the source at `position` is present. */
  #found({ kind, start, middle, end }: OuterJoin, position: number): boolean {
    const left = (position >= start && position < middle) || this.#isCertain(start, middle);
    const right = (position >= middle && position < end) || this.#isCertain(middle, end);
    return (kind === "left" || left) && (kind === "right" || right);
  }

  /** The right sides of full joins that may give a row for each of their sides. */
  #splitting(): readonly number[] {
    return this.#graph.outerJoins.flatMap(({ kind, start, middle, end }) =>
      kind !== "full" || this.#isCertain(start, end) ? [] : middle,
    );
  }

  #isCertain(start: number, end: number): boolean {
    for (let position = start; position < end; position++) if (this.#certain[position] === true) return true;
    return false;
  }

  #isIdentified(position: number): boolean {
    for (const read of this.#graph.sources[position]?.reads ?? NONE) {
      if (this.#settled[read] !== true || !(this.#isLenient || this.#certain[read] === true)) return false;
    }
    const verdict = this.#identify(position, this.#columns[position] ?? [], this);
    if (verdict === "once") return true;
    return this.#isLenient && (verdict === "unknown" || this.#graph.enclosing.has(position));
  }
}

const NONE: readonly number[] = [];
