/**
 * FANOUT_RISK: aggregates that count a row more than once because a join repeats it.
 *
 * An aggregate is about the rows that its values come from. It is at risk when one of these rows, or one combination of
 * them, can be part of several joined rows of a group (`closure.ts`); values that GROUP BY holds constant count as
 * given. `sum(o.total)` joined to line items is at risk, `sum(l.price)` joined to orders is not.
 *
 * `count(*)` counts joined rows, and joining a finer table in order to count it is common. It is at risk only when the
 * joined rows are rows of no table at all: orders × payments of a customer. Explicit products (no equality between the
 * two), pairs of one model, and unnested elements are taken as intended.
 *
 * Sources without declarations raise no suspicion: a warning on every join of an undeclared table would teach callers
 * to ignore warnings, and `x-strict` would reject every query of a manifest without keys.
 */
import { ModelRelation, type RelationColumn, relationColumn } from "../binding/relation.ts";
import { makesRows } from "../functions/calls.ts";
import type { QueryBody, Select } from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import type { Closure, FixedColumn } from "./closure.ts";
import { columnOf } from "./equalities.ts";
import type { JoinGraph } from "./join-graph.ts";
import { collectValues, type Measure } from "./measures.ts";
import { type Grain, groupKeys, isGroupedSelect } from "./unique-rows.ts";

export interface Fanout {
  readonly graph: JoinGraph;
  /** The sources whose rows are repeated; with `isProduct`, one of the two combined tables, the other is `by`. */
  readonly repeated: readonly number[];
  /** The source whose rows repeat them. */
  readonly by: number;
  /** The aggregate counts joined rows, and these are combinations. */
  readonly isProduct: boolean;
}

/** How an aggregate of this SELECT counts rows more than once; `undefined` if it does not, or if that is unknown. */
export function findFanout(measure: Measure, select: Select, grain: Grain): Fanout | undefined {
  const graph = grain.graphOf(select);
  if (graph === undefined) return undefined;
  if (measure.isCount && measure.columns.length === 0) return findProduct(graph, constantsOf(select), grain);
  // Constants can only clear a suspicion, so they are computed when there is one.
  const suspicion = findRepeated(measure.columns, select, undefined, grain);
  const constants = suspicion && constantsOf(select);
  if (constants === undefined) return undefined;
  if (constants.length > 0 && (measure.isCount || measure.ignoresOneValue)) {
    const isOneValue = areSettled(measure.columns, graph, grain.closure(graph, [], constants));
    if (isOneValue && measure.ignoresOneValue) return undefined;
    // `count(o.id)` in the group of one order can only be meant to count the rows joined to it.
    if (isOneValue) return findProduct(graph, constants, grain);
  }
  return findRepeated(measure.columns, select, constants, grain);
}

function areSettled(columns: readonly RelationColumn[], graph: JoinGraph, closure: Closure): boolean {
  return columns.every((column) => closure.isSettledColumn(column, graph.positionOf(column)));
}

/** Columns that GROUP BY holds constant in each group. */
function constantsOf(select: Select): readonly FixedColumn[] {
  const constants: FixedColumn[] = [];
  for (const key of groupKeys(select) ?? []) {
    if (key.kind === "bound") constants.push({ column: relationColumn(key), isValue: false });
  }
  return constants;
}

/** Without `constants`: as if nothing were given, in this SELECT and those below it. */
function findRepeated(
  columns: readonly RelationColumn[],
  select: Select,
  constants: readonly FixedColumn[] | undefined,
  grain: Grain,
): Fanout | undefined {
  const graph = grain.graphOf(select);
  if (graph === undefined || !grain.takeStep()) return undefined;
  const repeated: number[] = [];
  for (const column of columns) {
    const position = graph.positionOf(column);
    if (position >= 0 && !repeated.includes(position)) repeated.push(position);
  }
  if (repeated.length === 0) return undefined;
  const repeating = graph.sources.length === 1 ? NONE : grain.closure(graph, repeated, constants ?? []).repeating;
  if (repeating.length > 0) {
    return { graph, repeated, by: nearest(graph, repeated, repeating, constants ?? [], grain), isProduct: false };
  }
  for (const position of repeated) {
    const found = findInside(position, repeated, columns, graph, constants, grain);
    if (found !== undefined) return found;
  }
  return undefined;
}

const NONE: readonly number[] = [];

/** The source of `repeating` that most others depend on: settling it leaves the fewest. */
function nearest(
  graph: JoinGraph,
  start: readonly number[],
  repeating: readonly number[],
  constants: readonly FixedColumn[],
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
  repeated: readonly number[],
  columns: readonly RelationColumn[],
  graph: JoinGraph,
  constants: readonly FixedColumn[] | undefined,
  grain: Grain,
): Fanout | undefined {
  const source = graph.sources[position];
  const query = source && grain.queryOf(source.table);
  if (source === undefined || query === undefined) return undefined;
  return grain.inside(query, () => {
    const outputs = source.relation.columns();
    const wanted = columns.flatMap((column) => (column.relation === source.relation ? outputs.indexOf(column) : []));
    if (constants === undefined) return findInBody(query.body, wanted, undefined, grain);
    // The other rows of the combination are given, and so are values equal to their columns.
    const others = repeated.filter((each) => each !== position);
    const given = grain.closure(graph, others, constants);
    const settled = outputs.flatMap((column, index) => (given.isSettledColumn(column, position) ? index : []));
    return findInBody(query.body, wanted, settled, grain);
  });
}

function findInBody(
  body: QueryBody,
  wanted: readonly number[],
  settled: readonly number[] | undefined,
  grain: Grain,
): Fanout | undefined {
  switch (body.kind) {
    case "values":
      return undefined;
    case "nested":
      return findInBody(body.query.body, wanted, settled, grain);
    case "set":
      if (body.operator !== "union" || !body.all) return undefined;
      return findInBody(body.left, wanted, settled, grain) ?? findInBody(body.right, wanted, settled, grain);
    case "select": {
      const scope = grain.scopeOf(body);
      if (scope === undefined || isGroupedSelect(body, scope) || body.distinct !== undefined) return undefined;
      const items = body.items.flatMap((item) => (item.kind === "item" ? item.expression : []));
      const columns: RelationColumn[] = [];
      for (const index of wanted) {
        const item = items[index];
        if (item === undefined || !collectValues(item, columns)) return undefined;
      }
      const constants = settled?.flatMap((index): FixedColumn | [] => {
        const column = items[index] && columnOf(items[index]);
        return column === undefined ? [] : { column, isValue: false };
      });
      const found = findRepeated(columns, body, constants, grain);
      // `unnest` in a select list adds rows whose number is unknown.
      return found === undefined || items.some((item) => someExpression(item, makesRows)) ? undefined : found;
    }
    default:
      return body satisfies never;
  }
}

/** For aggregates that count joined rows: two sources that each repeat the other's rows. */
function findProduct(graph: JoinGraph, constants: readonly FixedColumn[], grain: Grain): Fanout | undefined {
  const { sources } = graph;
  if (sources.length < 2) return undefined;
  const closures: Closure[] = [];
  for (const position of sources.keys()) {
    const closure = grain.closure(graph, [position], constants);
    if (closure.isOnce) return undefined;
    closures.push(closure);
  }
  let finest = -1;
  let left: readonly number[] = [];
  for (const [position, { repeating }] of closures.entries()) {
    if (repeating.length === 0) return undefined;
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
