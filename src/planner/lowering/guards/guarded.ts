/**
 * Puts every expression of a lowered statement that can fail inside `IF(<the rules are true>, expression, NULL)`, for sources without
 * a barrier whose manual promises that errors of an alternative that is not chosen are ignored. Every table with rules has a column with
 * their truth, derived tables and common tables pass it on, and each SELECT computes its expressions under the truths of its tables.
 *
 * Expressions that no IF can hold are refused (`refusals.ts`).
 */
import type { Harmless, Listed } from "../../access/harmless.ts";
import { exactName, queryOf } from "../../syntax/build.ts";
import { NOWHERE } from "../../syntax/spans.ts";
import type {
  CommonTable,
  Expression,
  GroupingElement,
  Join,
  Query,
  QueryBody,
  Select,
  SelectItem,
  SortItem,
  TableExpression,
} from "../../syntax/tree.ts";
import { groupedBy, someExpression, someNode } from "../../syntax/walk.ts";
import { outputColumnsOf } from "../queries/output-columns.ts";
import type { Block, Level, Outer } from "./blocks.ts";
import { GuardedExpressions, type Subqueries } from "./expressions.ts";
import { isAggregate } from "./harmless-sent.ts";
import { refused } from "./refusals.ts";
import {
  aliasOf,
  conjunction,
  declaredBy,
  isTrue,
  isTruthOfRules,
  readsRuled,
  truthItem,
  truthName,
  truthOf,
  truthOfGroup,
} from "./truths.ts";

export function withGuards(statement: Query, engine: Harmless & { readonly listed: Listed }): Query {
  const guards = new Guards(engine);
  const { query } = guards.query(statement, undefined, false);
  guards.refuseUnguarded();
  return query;
}

interface Guarded<N> {
  readonly node: N;
  /** The column with the truth of the rules over each row. */
  readonly truth: string | undefined;
}

/** The tables of one FROM, in their order. */
interface From {
  readonly outer: Outer | undefined;
  /** An outer join adds rows without truths. */
  readonly isPadded: boolean;
  /** The tables of a model with rules, and of the relationships that the rules follow. */
  readonly isOfRules: boolean;
  readonly truths: Expression[];
}

class Guards implements Subqueries {
  readonly #expressions: GuardedExpressions;
  /** Truths of common tables, by their names. */
  #commonTables: ReadonlyMap<string, string> = new Map();

  constructor(engine: Harmless & { readonly listed: Listed }) {
    this.#expressions = new GuardedExpressions(engine, this);
  }

  refuseUnguarded(): void {
    const { unguarded } = this.#expressions;
    if (unguarded !== undefined) throw refused("unguarded", unguarded.span);
  }

  readsRuled(query: Query): boolean {
    return readsRuled(query, new Set(this.#commonTables.keys()));
  }

  /** `passesOn`: the query gets a column with the truth of its rows, if it reads models with rules. */
  query(query: Query, outer: Outer | undefined, passesOn: boolean): { readonly query: Query; readonly truth?: string } {
    const known = this.#commonTables;
    try {
      const tables = query.with?.tables.map((table) => this.#commonTable(table, query.with?.recursive === true, outer));
      const asked = passesOn && (this.readsRuled(queryOf(query.body)) || query.with !== undefined);
      const { node: body, truth, block, level } = this.#body(query.body, outer, asked);
      const orderBy = query.orderBy.map((item) => this.#sorted(item, query.body, block, level));
      const made = { ...query, body, orderBy, with: query.with && { ...query.with, tables: tables ?? [] } };
      return truth === undefined ? { query: made } : { query: made, truth };
    } finally {
      this.#commonTables = known;
    }
  }

  #commonTable(table: CommonTable, isRecursive: boolean, outer: Outer | undefined): CommonTable {
    const { name } = table.name;
    const isOfItself =
      isRecursive && someNode(table.query, (node) => node.kind === "bound-common" && node.table.printedName === name);
    if (isOfItself && this.readsRuled(table.query)) throw refused("recursion", table.name.span);
    const { query, truth } = this.query(table.query, outer, true);
    const others = [...this.#commonTables].filter(([known]) => known !== name);
    this.#commonTables = new Map(truth === undefined ? others : [...others, [name, truth]]);
    const columns =
      truth === undefined || table.columns.length === 0 ? table.columns : [...table.columns, exactName(truth, NOWHERE)];
    return { ...table, columns, query };
  }

  #body(
    body: QueryBody,
    outer: Outer | undefined,
    asked: boolean,
  ): Guarded<QueryBody> & { readonly block: Block; readonly level: Level } {
    const none: Block = { aliases: new Set(), truths: [], outer };
    switch (body.kind) {
      case "select":
        return this.#select(body, outer, asked);
      case "nested": {
        const { query, truth } = this.query(body.query, outer, asked);
        return { node: { ...body, query }, truth, block: none, level: "row" };
      }
      case "set": {
        const left = this.#body(body.left, outer, asked);
        const right = this.#body(body.right, outer, asked);
        return { node: { ...body, left: left.node, right: right.node }, truth: left.truth, block: none, level: "row" };
      }
      case "values": {
        const rows = body.rows.map((row) => row.map((each) => this.#expressions.guarded(each, none, "row")));
        if (!asked) return { node: { ...body, rows }, truth: undefined, block: none, level: "row" };
        const truth = truthName([]);
        const withTruth = rows.map((row) => [...row, conjunction([])]);
        return { node: { ...body, rows: withTruth }, truth, block: none, level: "row" };
      }
      default:
        return body satisfies never;
    }
  }

  #select(
    select: Select,
    outer: Outer | undefined,
    asked: boolean,
  ): Guarded<Select> & { readonly block: Block; readonly level: Level } {
    const isOfRules = select.items.some((item) => item.kind === "item" && isTruthOfRules(item.expression));
    const isPadded = select.from.some((table) =>
      someNode(table, (node) => node.kind === "join" && node.join !== "inner" && node.join !== "cross"),
    );
    const tables: From = { outer, isPadded, isOfRules, truths: [] };
    const from = select.from.map((table) => this.#table(table, tables));
    const block: Block = { aliases: new Set(declaredBy(select.from)), truths: tables.truths, outer };
    if (isOfRules) return { ...this.#rules({ ...select, from }, block), block, level: "row" };
    const positions = new Set((select.groupBy ?? []).flatMap(positionOf));
    const level = isGrouped(select) ? "group" : "row";
    const made: Select = {
      ...select,
      from,
      items: select.items.map((item, index) => this.#item(item, block, positions.has(index + 1) ? "row" : level)),
      where: select.where && this.#expressions.guarded(select.where, block, "row"),
      groupBy: select.groupBy?.map((element) => this.#grouping(element, block)),
      having: select.having && this.#expressions.guarded(select.having, block, "group"),
    };
    if (!asked) return { node: made, truth: undefined, block, level };
    const truth = truthName(outputColumnsOf(select).map(({ name }) => name));
    const { truths } = block;
    const passed = level === "group" && truths.length > 0 ? truthOfGroup(truths) : conjunction(truths);
    return { node: { ...made, items: [...made.items, truthItem(passed, truth)] }, truth, block, level };
  }

  /** The rows of a model, and the truth of its rules and of the rules of the tables that these follow. */
  #rules(select: Select, block: Block): Guarded<Select> {
    let truth: string | undefined;
    const items = select.items.map((item): SelectItem => {
      if (item.kind !== "item" || !isTruthOfRules(item.expression)) return item;
      truth = item.alias?.name;
      const [rule] = item.expression.kind === "call" ? item.expression.arguments : [];
      if (rule === undefined) throw new TypeError("the truth of no rule");
      return { ...item, expression: conjunction([isTrue(this.#rule(rule.value, block)), ...block.truths]) };
    });
    return { node: { ...select, items, where: select.where && this.#rule(select.where, block) }, truth };
  }

  /** A rule is computed over all rows, under no truth. */
  #rule(rule: Expression, { aliases }: Block): Expression {
    return this.#expressions.notFailing("rule", () =>
      this.#expressions.guarded(rule, { aliases, truths: [], outer: undefined }, "row"),
    );
  }

  #table(table: TableExpression, from: From): TableExpression {
    const { outer, isPadded, truths } = from;
    const add = (column: string | undefined): void => {
      const alias = aliasOf(table);
      if (column !== undefined && alias !== undefined) truths.push(truthOf({ alias, column }, isPadded));
    };
    switch (table.kind) {
      case "derived": {
        const { query, truth } = this.query(table.query, outer, true);
        add(truth);
        return { ...table, query };
      }
      case "bound-common":
        add(this.#commonTables.get(table.table.printedName));
        return table;
      case "function": {
        const block: Block = { aliases: new Set(), truths: [...truths], outer };
        const call = this.#expressions.argumentsGuarded(table.call, block);
        return { ...table, call };
      }
      case "join":
        return this.#join(table, from);
      default:
        return table;
    }
  }

  #join(table: Join, from: From): Join {
    const before = from.truths.length;
    const left = this.#table(table.left, from);
    const right = this.#table(table.right, from);
    const truths = from.truths.slice(before);
    if ((table.natural || table.using.length > 0) && truths.length > 0) throw refused("using", table.span);
    const block: Block = { aliases: new Set(declaredBy([table])), truths, outer: from.outer };
    const condition = (on: Expression): Expression => this.#expressions.guarded(on, block, "row");
    const { on } = table;
    if (on === undefined) return { ...table, left, right };
    const guarded = from.isOfRules ? this.#expressions.notFailing("relationship", () => condition(on)) : condition(on);
    return { ...table, left, right, on: guarded };
  }

  #item(item: SelectItem, block: Block, level: Level): SelectItem {
    return item.kind === "star"
      ? item
      : { ...item, expression: this.#expressions.guarded(item.expression, block, level) };
  }

  #grouping(element: GroupingElement, block: Block): GroupingElement {
    if (element.kind !== "expression") return element;
    return { ...element, expression: this.#expressions.guarded(element.expression, block, "row") };
  }

  #sorted(item: SortItem, body: QueryBody, block: Block, level: Level): SortItem {
    const expression = this.#expressions.guarded(item.expression, block, level);
    if (expression === item.expression) return item;
    if (body.kind === "select" && body.distinct === undefined) return { ...item, expression };
    throw refused("sorted", item.expression.span);
  }
}

const positionOf = (element: GroupingElement): readonly number[] =>
  groupedBy(element).flatMap((key) => (key.kind === "number" ? [Number(key.text)] : []));

function isGrouped({ groupBy, having, items }: Select): boolean {
  if (groupBy !== undefined || having !== undefined) return true;
  return items.some((item) => item.kind === "item" && someExpression(item.expression, isAggregate));
}
