/**
 * Whether a source has at most one row for given values of some of its columns: models by the manifest's declarations,
 * derived and common tables by their queries. Every "once" is a proof:
 *
 * - LIMIT 1, an aggregate without GROUP BY, a SELECT without FROM: one row.
 * - GROUP BY, DISTINCT, DISTINCT ON, set operations without ALL: one row per combination of the keys, NULLs included;
 *   so one row when the given values settle all of them.
 * - `row_number()` numbers the rows of each partition, so partition and number settle the row.
 * - Otherwise as many rows as the FROM clause joins for these values (`closure.ts`).
 *
 * WHERE, HAVING, QUALIFY, OFFSET and larger limits only remove rows.
 */

import type { BindingContext } from "../binding/context.ts";
import { columnCount } from "../binding/output.ts";
import { ModelRelation } from "../binding/relation.ts";
import { sameExpression } from "../binding/same.ts";
import type { Scope } from "../binding/scope.ts";
import { makesRows } from "../functions/calls.ts";
import type {
  Expression,
  PrintableCommonTable,
  Query,
  QueryBody,
  Select,
  SetOperation,
  TableExpression,
  TableFunction,
} from "../syntax/tree.ts";
import { someExpression } from "../syntax/walk.ts";
import { Closure, type FixedColumn, type Identify, type Known, type Verdict } from "./closure.ts";
import type { Declared } from "./declared.ts";
import { columnOf, operandsOf } from "./equalities.ts";
import { type JoinGraph, joinGraph, type PlacedEquality } from "./join-graph.ts";

/** Settled output columns of a query, by position. */
type Positions = readonly SettledPosition[];

interface SettledPosition {
  readonly position: number;
  readonly isValue: boolean;
}

/** Limit on the queries inspected for one plan; beyond it the answer is unknown. */
const MAX_STEPS = 2000;

/** Facts about one bound tree that the checks share, each computed once. */
export class Grain {
  readonly #context: BindingContext;
  readonly #graphs = new Map<Select, JoinGraph | undefined>();
  readonly #verdicts = new Map<Query, Map<string, Verdict>>();
  readonly #open = new Set<Query>();
  #commonTables: ReadonlyMap<PrintableCommonTable, Query> | undefined;
  #steps = 0;

  constructor(context: BindingContext) {
    this.#context = context;
  }

  scopeOf(select: Select): Scope | undefined {
    return this.#context.selects.get(select);
  }

  graphOf(select: Select): JoinGraph | undefined {
    const known = this.#graphs.get(select);
    if (known !== undefined || this.#graphs.has(select)) return known;
    const scope = this.scopeOf(select);
    const graph = scope && joinGraph(select, scope);
    this.#graphs.set(select, graph);
    return graph;
  }

  /** The facts that rows of `start` and constants settle in the FROM of a SELECT. */
  closure(graph: JoinGraph, start: readonly number[], constants: readonly FixedColumn[]): Closure {
    return new Closure(graph, start, constants, this.#identifyIn(graph));
  }

  /**
   * The result of `look` in `query`; `undefined` if the query is being inspected already: a recursive table names
   * itself.
   */
  inside<T>(query: Query, look: () => T): T | undefined {
    if (this.#open.has(query)) return undefined;
    this.#open.add(query);
    try {
      return look();
    } finally {
      this.#open.delete(query);
    }
  }

  /** The query behind a derived or common table. */
  queryOf(table: TableExpression): Query | undefined {
    if (table.kind === "derived") return table.query;
    if (table.kind !== "bound-common") return undefined;
    this.#commonTables ??= new Map(
      [...this.#context.commonTableDefinitions].map(([definition, each]) => [each, definition.query]),
    );
    return this.#commonTables.get(table.table);
  }

  /** `false` when enough has been looked at: tables that read each other twice, thirty times over, have a billion paths. */
  takeStep(): boolean {
    this.#steps++;
    return this.#steps <= MAX_STEPS;
  }

  /** Whether no two rows of the FROM clause have the same values of all these columns; other keys do not count. */
  tellsApart(select: Select, keys: readonly Expression[]): boolean {
    const graph = this.graphOf(select);
    if (graph === undefined) return false;
    const columns = keys.flatMap((key): FixedColumn | [] => {
      const column = columnOf(key);
      return column === undefined ? [] : { column, isValue: column.notNull };
    });
    return columns.length > 0 && this.closure(graph, [], columns).verdict === "once";
  }

  #identifyIn(graph: JoinGraph): Identify {
    return (position, settled, known) => {
      const source = graph.sources[position];
      if (source === undefined) return "unknown";
      if (source.relation instanceof ModelRelation && source.declared !== undefined) {
        return identifyModel(graph, position, source.relation, source.declared, settled, known);
      }
      const columns = source.relation.columns();
      const positions = settled.map(({ column, isValue }) => ({
        position: columns.indexOf(column),
        isValue: isValue || column.notNull,
      }));
      if (source.table.kind === "function") return identifyFunction(source.table, columns.length, positions);
      const query = this.queryOf(source.table);
      return query === undefined ? "unknown" : this.rowsOf(query, positions);
    };
  }

  /** Whether the query has at most one row for given values of its output columns. */
  rowsOf(query: Query, settled: Positions): Verdict {
    let key = "";
    for (const { position, isValue } of settled) key += isValue ? `${position},` : `${position}?,`;
    const known = this.#verdicts.get(query) ?? new Map<string, Verdict>();
    this.#verdicts.set(query, known);
    const verdict = known.get(key);
    if (verdict !== undefined) return verdict;
    // A recursive table reaches itself at this point.
    known.set(key, "unknown");
    const found = this.takeStep() ? this.#rowsOfQuery(query, settled) : "unknown";
    known.set(key, found);
    return found;
  }

  #rowsOfQuery({ limit, body }: Query, settled: Positions): Verdict {
    if (limit?.count.kind === "number" && !limit.withTies && /^0*[01]$/.test(limit.count.text)) return "once";
    return this.#rowsOfBody(body, settled);
  }

  #rowsOfBody(body: QueryBody, settled: Positions): Verdict {
    switch (body.kind) {
      case "nested":
        return this.rowsOf(body.query, settled);
      case "values":
        return rowsOfValues(body.rows, settled);
      case "select":
        return this.#rowsOfSelect(body, settled);
      case "set":
        return this.#rowsOfSet(body, settled);
      default:
        return body satisfies never;
    }
  }

  #rowsOfSet(body: SetOperation, settled: Positions): Verdict {
    if (!body.all && new Set(settled.map((each) => each.position)).size >= columnCount(body)) return "once";
    const left = this.#rowsOfBody(body.left, settled);
    // INTERSECT and EXCEPT give rows of the left side, each at most as often as that has it.
    if (body.operator !== "union") return left;
    return left === "repeated" || this.#rowsOfBody(body.right, settled) === "repeated" ? "repeated" : "unknown";
  }

  #rowsOfSelect(select: Select, settled: Positions): Verdict {
    const scope = this.scopeOf(select);
    const graph = this.graphOf(select);
    if (scope === undefined || graph === undefined) return "unknown";
    const items = select.items.filter((item) => item.kind === "item");
    if (items.some((item) => someExpression(item.expression, makesRows))) return "unknown";
    const isGrouped = isGroupedSelect(select, scope);
    if (isGrouped && (select.groupBy ?? []).every((element) => element.kind === "empty")) {
      return (select.groupBy?.length ?? 0) > 1 ? "unknown" : "once";
    }
    if (!isGrouped && select.from.length === 0) return "once";

    const given = settled.flatMap(({ position }) => items[position]?.expression ?? []);
    const constants = settled.flatMap(({ position, isValue }): FixedColumn | [] => {
      const expression = items[position]?.expression;
      const column = expression && columnOf(expression);
      return column === undefined ? [] : { column, isValue };
    });
    const closure = this.closure(graph, [], constants);
    const isSettled = (expression: Expression): boolean =>
      given.some((each) => sameExpression(each, expression)) || isSettledExpression(expression, graph, closure);

    const groups = isGrouped ? groupKeys(select) : undefined;
    const distinct = select.distinct?.length === 0 ? items.map((item) => item.expression) : select.distinct;
    if (groups?.every(isSettled) === true || distinct?.every(isSettled) === true) return "once";
    if (isGrouped) return groups === undefined ? "unknown" : "repeated";
    return this.#isNumbered(select, given, isSettled) ? "once" : closure.verdict;
  }

  /** Whether a settled `row_number()` and its settled partition leave one row. */
  #isNumbered(select: Select, given: readonly Expression[], isSettled: (key: Expression) => boolean): boolean {
    const numbers = [...given, ...(select.qualify === undefined ? [] : firstNumbers(select.qualify))];
    return numbers.some((each) => {
      if (each.kind !== "call" || each.name[0]?.name !== "row_number" || each.over === undefined) return false;
      const { base } = each.over;
      const named = base && select.windows.find((window) => window.name.name === base.name)?.window;
      if (base !== undefined && (named === undefined || named.base !== undefined)) return false;
      return [...each.over.partitionBy, ...(named?.partitionBy ?? [])].every(isSettled);
    });
  }
}

export function isGroupedSelect(select: Select, scope: Scope): boolean {
  return select.groupBy !== undefined || select.having !== undefined || scope.aggregates.length > 0;
}

/** The keys of a GROUP BY; `undefined` with grouping sets, which give several rows per key. */
export function groupKeys(select: Select): readonly Expression[] | undefined {
  const keys: Expression[] = [];
  for (const element of select.groupBy ?? []) {
    if (element.kind !== "expression") return undefined;
    keys.push(element.expression);
  }
  return keys;
}

/** An expression has one value when the columns it is made of have. */
function isSettledExpression(expression: Expression, graph: JoinGraph, closure: Closure): boolean {
  const operands = operandsOf(expression, (column) => graph.positionOf(column) >= 0);
  return operands?.columns.every((column) => closure.isSettledColumn(column, graph.positionOf(column))) ?? false;
}

/** Window calls that a QUALIFY holds to their first number: `… = 1`, `… <= 1`, `… < 2`. */
function firstNumbers(condition: Expression): readonly Expression[] {
  if (condition.kind === "logical" && condition.operator === "and") return condition.operands.flatMap(firstNumbers);
  if (condition.kind !== "binary" || condition.right.kind !== "number") return [];
  const wanted = { "=": "1", "<=": "1", "<": "2" }[condition.operator as string];
  return condition.right.text === wanted ? [condition.left] : [];
}

function identifyModel(
  graph: JoinGraph,
  position: number,
  { model }: ModelRelation,
  { keys, links }: Declared,
  settled: readonly FixedColumn[],
  known: Known,
): Verdict {
  const isGiven = (name: string): boolean =>
    settled.some(
      ({ column, isValue }) =>
        column.name === name && (isValue || column.notNull || model.primaryKey.includes(column.name)),
    );
  if (settled.length > 0 && keys.some((key) => key.every(isGiven))) return "once";
  let verdict: Verdict = keys.length > 0 ? "repeated" : "unknown";
  if (settled.length === 0) return verdict;
  for (const link of links) {
    for (const [other, source] of graph.sources.entries()) {
      if (other === position || !(source.relation instanceof ModelRelation)) continue;
      if (source.relation.model.name !== link.other) continue;
      const isFollowed = link.pairs.every((pair) =>
        graph.equalities.some((each) => isPair(each, position, pair.own, other, pair.other) && known.holds(each)),
      );
      if (!isFollowed) continue;
      if (link.isOne && known.isSettled(other)) return "once";
      if (!link.isOne) verdict = "repeated";
    }
  }
  return verdict;
}

/** Whether the equality is `own = other` between the two sources. */
export function isPair(each: PlacedEquality, position: number, own: string, other: number, theirs: string): boolean {
  return (
    each.owner === position &&
    each.column.name === own &&
    each.operands.isColumn &&
    each.operandOwners[0] === other &&
    each.operands.columns[0]?.name === theirs &&
    !each.holdsForNull
  );
}

/**
 * WITH ORDINALITY numbers the rows, `generate_series` gives each value once. An array may hold an element twice, which
 * is nothing to suspect of one that is grouped or joined by its elements.
 */
function identifyFunction({ call, ordinality }: TableFunction, columns: number, settled: Positions): Verdict {
  const isNumber = (position: number): boolean => ordinality && position === columns - 1;
  if (settled.some(({ position, isValue }) => isNumber(position) && isValue)) return "once";
  const values = settled.filter(({ position }) => !isNumber(position));
  if (values.length === 0) return "repeated";
  if (call.name[0]?.name === "generate_series") return values.some(({ isValue }) => isValue) ? "once" : "unknown";
  const [array, ...others] = call.arguments;
  if (array?.value.kind !== "array" || others.length > 0) return "unknown";
  return rowsOfValues(
    array.value.elements.map((element) => [element]),
    settled,
  );
}

/** VALUES of plain literals: whether the rows differ in the given columns. */
function rowsOfValues(rows: readonly (readonly Expression[])[], settled: Positions): Verdict {
  if (rows.length <= 1) return "once";
  const seen = new Set<string>();
  for (const row of rows) {
    const texts: string[] = [];
    for (const { position } of settled) {
      const text = literalText(row[position]);
      if (text === undefined) return "unknown";
      texts.push(text);
    }
    const key = JSON.stringify(texts);
    if (seen.has(key)) return "repeated";
    seen.add(key);
  }
  return settled.length === 0 ? "repeated" : "once";
}

/** A text that equal literals share and different ones do not; `undefined` where that takes more than spelling. */
function literalText(expression: Expression | undefined): string | undefined {
  switch (expression?.kind) {
    case "string":
      return `'${expression.value}`;
    case "boolean":
      return String(expression.value);
    case "number":
      return /^(0|[1-9]\d*)$/.test(expression.text) ? expression.text : undefined;
    default:
      return undefined;
  }
}
