/**
 * FANOUT_RISK: aggregates that count a row more than once because a join repeats it.
 *
 * An aggregate is about the rows that its values come from. It is at risk when one of these rows, or one combination of
 * them, can be part of several joined rows of a group (`closure.ts`); what GROUP BY holds constant in the group counts as
 * given. `sum(o.total)` beside line items is at risk, `sum(l.price)` beside orders is not.
 *
 * `count(*)` counts joined rows, and joining a finer table in order to count it is what everybody does. It is at risk
 * only when the joined rows are rows of no table at all: orders × payments of a customer. Products that are written as
 * such (no equality between the two), pairs of one model, and unnested elements are meant.
 *
 * What nobody declared anything about raises no suspicion: a warning on every join of an undeclared table would teach
 * callers to ignore warnings, and `x-strict` would refuse every query of a manifest without keys.
 */
import { ModelRelation, type RelationColumn } from "../binding/relation.ts";
import type { QueryBody, Select } from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import type { Closure, Settled } from "./closure.ts";
import { columnOf } from "./equalities.ts";
import type { JoinGraph } from "./join-graph.ts";
import { collectValues, type Measure } from "./measures.ts";
import { type Grain, groupKeys, isGroupedSelect, makesRows } from "./unique-rows.ts";

export interface Fanout {
  readonly graph: JoinGraph;
  /** Whose rows are repeated; with `isProduct`, the two tables whose rows are combined are one here and `by`. */
  readonly repeated: readonly number[];
  /** The source whose rows repeat them. */
  readonly by: number;
  /** The aggregate counts joined rows, and these are combinations. */
  readonly isProduct: boolean;
}

/** Deeper chains of subqueries than anyone writes are not followed. */
const MAX_DEPTH = 50;

/** How an aggregate of this SELECT counts rows more than once; `undefined` when it does not, or nobody knows. */
export function findFanout(measure: Measure, select: Select, grain: Grain): Fanout | undefined {
  const graph = grain.graphOf(select);
  if (graph === undefined) return undefined;
  const constants = constantsOf(select);
  const given = constants.size === 0 ? undefined : grain.closure(graph, [], constants);
  const isGiven = (column: RelationColumn): boolean =>
    given?.isSettled(column, graph.positionOf(column) ?? -1) ?? false;
  const isOneValue = measure.columns.length > 0 && measure.columns.every(isGiven);
  if (isOneValue && measure.ignoresOneValue) return undefined;
  // `count(o.id)` in the group of one order can only be meant to count what is joined to it.
  if (measure.isCount && (measure.columns.length === 0 || isOneValue)) return findProduct(graph, constants, grain);
  return findRepeated(measure.columns, select, constants, grain, 0);
}

/** Columns that GROUP BY holds constant in each group. */
function constantsOf(select: Select): Settled {
  const constants = new Map<RelationColumn, "value" | "perhaps NULL">();
  for (const key of groupKeys(select) ?? []) {
    if (key.kind === "bound") constants.set(key.column as RelationColumn, "perhaps NULL");
  }
  return constants;
}

function findRepeated(
  columns: readonly RelationColumn[],
  select: Select,
  constants: Settled,
  grain: Grain,
  depth: number,
): Fanout | undefined {
  const graph = grain.graphOf(select);
  if (graph === undefined || depth > MAX_DEPTH) return undefined;
  const repeated = [...new Set(columns.flatMap((column) => graph.positionOf(column) ?? []))];
  if (repeated.length === 0) return undefined;
  const { repeating } = graph.sources.length === 1 ? NOTHING : grain.closure(graph, repeated, constants);
  if (repeating.length > 0) {
    return { graph, repeated, by: nearest(graph, repeated, repeating, constants, grain), isProduct: false };
  }
  for (const position of repeated) {
    // The other rows of the combination are given, and what is equal to their columns with them.
    const others = repeated.filter((each) => each !== position);
    const given = grain.closure(graph, others, constants);
    const found = findInside(position, columns, graph, given, grain, depth);
    if (found !== undefined) return found;
  }
  return undefined;
}

const NOTHING = { repeating: [] } as const;

/** The source that the others of `repeating` hang on: with it settled, the fewest are left. */
function nearest(
  graph: JoinGraph,
  start: readonly number[],
  repeating: readonly number[],
  constants: Settled,
  grain: Grain,
): number {
  let best = repeating[0] ?? 0;
  let fewest = Number.POSITIVE_INFINITY;
  for (const position of repeating.slice(0, 20)) {
    const left = grain.closure(graph, [...start, position], constants).repeating.length;
    if (left < fewest) [best, fewest] = [position, left];
  }
  return best;
}

/** A subquery that neither groups nor removes duplicates repeats rows for the aggregate around it. */
function findInside(
  position: number,
  columns: readonly RelationColumn[],
  graph: JoinGraph,
  given: Closure,
  grain: Grain,
  depth: number,
): Fanout | undefined {
  const source = graph.sources[position];
  const query = source && grain.queryOf(source.table);
  if (source === undefined || query === undefined) return undefined;
  const outputs = source.relation.columns();
  const wanted = columns.flatMap((column) => (column.relation === source.relation ? outputs.indexOf(column) : []));
  const settled = new Set(outputs.flatMap((column, index) => (given.isSettled(column, position) ? index : [])));
  return findInBody(query.body, wanted, settled, grain, depth + 1);
}

function findInBody(
  body: QueryBody,
  wanted: readonly number[],
  settled: ReadonlySet<number>,
  grain: Grain,
  depth: number,
): Fanout | undefined {
  switch (body.kind) {
    case "values":
      return undefined;
    case "nested":
      return findInBody(body.query.body, wanted, settled, grain, depth);
    case "set":
      if (body.operator !== "union" || !body.all || depth > MAX_DEPTH) return undefined;
      return (
        findInBody(body.left, wanted, settled, grain, depth + 1) ??
        findInBody(body.right, wanted, settled, grain, depth + 1)
      );
    case "select": {
      const scope = grain.scopeOf(body);
      if (scope === undefined || isGroupedSelect(body, scope) || body.distinct !== undefined) return undefined;
      const items = body.items.flatMap((item) => (item.kind === "item" ? item.expression : []));
      if (items.some((item) => someExpression(item, makesRows))) return undefined;
      const columns: RelationColumn[] = [];
      for (const index of wanted) {
        const item = items[index];
        if (item === undefined || !collectValues(item, columns)) return undefined;
      }
      const constants = new Map<RelationColumn, "value" | "perhaps NULL">();
      for (const index of settled) {
        const column = items[index] && columnOf(items[index]);
        if (column !== undefined) constants.set(column, "perhaps NULL");
      }
      return findRepeated(columns, body, constants, grain, depth);
    }
    default:
      return body satisfies never;
  }
}

/** For aggregates that count joined rows: two sources that each repeat the other's rows. */
function findProduct(graph: JoinGraph, constants: Settled, grain: Grain): Fanout | undefined {
  const { sources } = graph;
  if (sources.length < 2) return undefined;
  let finest = -1;
  let left: readonly number[] = [];
  for (const position of sources.keys()) {
    const { verdict, repeating } = grain.closure(graph, [position], constants);
    if (verdict !== "repeated") return undefined;
    if (finest < 0 || repeating.length < left.length) [finest, left] = [position, repeating];
  }
  const by = nearest(graph, [finest], left, constants, grain);
  const [a, b] = [sources[finest], sources[by]];
  if (a === undefined || b === undefined || b.table.kind === "function" || !isTied(graph, by)) return undefined;
  const isPairOfOne =
    a.relation instanceof ModelRelation &&
    b.relation instanceof ModelRelation &&
    a.relation.model.name === b.relation.model.name;
  return isPairOfOne ? undefined : { graph, repeated: [finest], by, isProduct: true };
}

/** Whether an equality ties the source to another one. */
function isTied(graph: JoinGraph, position: number): boolean {
  return graph.equalities.some(
    ({ owner, operandOwners }) => owner === position && operandOwners.some((each) => each !== position),
  );
}
