/** Expressions of one SELECT under the truth of the row rules over its rows. */
import { haveCommonType } from "../../access/common-types.ts";
import type { Harmless, Listed } from "../../access/harmless.ts";
import { isLiteral } from "../../access/literals.ts";
import { functionName } from "../../functions/calls.ts";
import { call, inPlaceOf } from "../../syntax/build.ts";
import { expressionsOnly, mapCall, mapExpression } from "../../syntax/rewrite.ts";
import type { ArrayQuery, Call, Exists, Expression, InQuery, Query, ScalarQuery, Window } from "../../syntax/tree.ts";
import { someExpression } from "../../syntax/walk.ts";
import { NULL_TYPE } from "../../types.ts";
import { outputColumnsOf } from "../queries/output-columns.ts";
import { type Block, guardOf, type Level, type Outer } from "./blocks.ts";
import { cannotFail, computesWithValues, hasOneRow, isAggregate } from "./harmless-sent.ts";
import { type RefusalReason, refused } from "./refusals.ts";
import { freeAliases } from "./truths.ts";

/** The queries in expressions. */
export interface Subqueries {
  readonly query: (query: Query, outer: Outer, passesOn: boolean) => { readonly query: Query };
  readonly readsRuled: (query: Query) => boolean;
}

type Subquery = ScalarQuery | Exists | InQuery | ArrayQuery;

export class GuardedExpressions {
  readonly #engine: Harmless & { readonly listed: Listed };
  readonly #subqueries: Subqueries;
  /** The first expression that can fail, and that no truth of a rule covers. */
  unguarded: Expression | undefined;

  constructor(engine: Harmless & { readonly listed: Listed }, subqueries: Subqueries) {
    this.#engine = engine;
    this.#subqueries = subqueries;
  }

  /** `node` with every part that can fail under the truths of the block. */
  guarded(node: Expression, block: Block, level: Level): Expression {
    if (isSubquery(node)) return this.#subquery(node, block, level);
    if (node.kind === "call" && isAggregate(node)) return this.#aggregate(node, block);
    if (node.kind === "call" && node.over !== undefined) return this.#window(node, node.over, block, level);
    if (node.kind === "row" || (this.#cannotFail(node) && !this.#choosesFailing(node))) {
      return mapExpression(
        node,
        expressionsOnly((child) => this.guarded(child, block, level)),
      );
    }
    return this.#under(node, block, level);
  }

  #cannotFail(node: Expression): boolean {
    return cannotFail(node, this.#engine, this.#engine.listed.source);
  }

  /** ERROR takes its type from the other alternatives, which it would not find out of an IF of its own. */
  #choosesFailing(node: Expression): boolean {
    const chooses = node.kind === "case" || (node.kind === "call" && !isAggregate(node) && node.over === undefined);
    return chooses && someExpression(node, (each) => !this.#cannotFail(each));
  }

  /** The arguments of a function in FROM. */
  argumentsGuarded(node: Call, block: Block): Call {
    return mapCall(node, (each) => this.guarded(each, block, "row"));
  }

  /** Runs `work`, and refuses the statement if it leaves an expression that can fail without a truth. */
  notFailing<T>(reason: RefusalReason, work: () => T): T {
    const { made, unguarded } = this.#watched(work);
    if (unguarded !== undefined) throw refused(reason, unguarded.span);
    return made;
  }

  #watched<T>(work: () => T): { readonly made: T; readonly unguarded: Expression | undefined } {
    const before = this.unguarded;
    this.unguarded = undefined;
    const made = work();
    const { unguarded } = this;
    this.unguarded = before;
    return { made, unguarded };
  }

  /** `IF(<truths>, node, NULL)`. */
  #under(node: Expression, block: Block, level: Level): Expression {
    const inside = this.#inside(node, block, level);
    return this.#chosen(inside, node, block, level);
  }

  #chosen(inside: Expression, node: Expression, block: Block, level: Level): Expression {
    const guard = guardOf(block, level, node);
    if (guard === undefined) {
      this.unguarded ??= node;
      return inside;
    }
    const none: Expression = { kind: "null", span: node.span, type: NULL_TYPE };
    return call("if", [guard, inside, none], inPlaceOf(node));
  }

  /** The parts of an expression that is under the truths: aggregates and queries are computed before it, by themselves. */
  #inside(node: Expression, block: Block, level: Level): Expression {
    return mapExpression(
      node,
      expressionsOnly((child): Expression => {
        if (isSubquery(child)) return this.#subquery(child, block, level);
        if (child.kind === "call" && isAggregate(child)) return this.#aggregate(child, block);
        if (child.kind === "call" && child.over !== undefined) return this.#window(child, child.over, block, level);
        return this.#inside(child, block, level);
      }),
    );
  }

  #aggregate(node: Call, block: Block): Call {
    const value = (each: Expression): Expression => this.#value(node, each, block, "row");
    const key = (each: Expression): Expression => (node.distinct ? value(each) : this.guarded(each, block, "row"));
    return {
      ...node,
      arguments: node.arguments.map((each) => ({ ...each, value: value(each.value) })),
      orderBy: node.orderBy.map((item) => ({ ...item, expression: key(item.expression) })),
      filter: node.filter && this.guarded(node.filter, block, "row"),
    };
  }

  #window(node: Call, over: Window, block: Block, level: Level): Call {
    if (over.frame?.unit === "range" && [over.frame.start, over.frame.end].some((each) => each && "offset" in each))
      throw refused("range", over.frame.span);
    return {
      ...node,
      arguments: node.arguments.map((each) => ({ ...each, value: this.#value(node, each.value, block, level) })),
      over: {
        ...over,
        partitionBy: over.partitionBy.map((each) => this.guarded(each, block, level)),
        orderBy: over.orderBy.map((item) => ({ ...item, expression: this.guarded(item.expression, block, level) })),
      },
    };
  }

  /** A sum may leave its type by a value that is harmless by itself. */
  #value(node: Call, value: Expression, block: Block, level: Level): Expression {
    const isOpen = computesWithValues(node) && !isLiteral(value) && !this.#fits(node);
    return isOpen ? this.#under(value, block, level) : this.guarded(value, block, level);
  }

  #fits(node: Call): boolean {
    return this.#engine.listed.call(
      functionName(node),
      node.arguments.map(({ value }) => value),
    );
  }

  #subquery(node: Subquery, block: Block, level: Level): Expression {
    const outer: Outer = { block, level, free: freeAliases(node.query) };
    const { made, unguarded } = this.#watched(() => this.#subqueries.query(node.query, outer, false).query);
    const hasRows = node.kind === "scalar-query" && !hasOneRow(node.query);
    if (hasRows && this.#subqueries.readsRuled(node.query)) throw refused("severalRows", node.span);
    const whole: Expression =
      node.kind === "in-query"
        ? { ...node, operand: this.guarded(node.operand, block, level), query: made }
        : { ...node, query: made };
    const canFail = hasRows || unguarded !== undefined || (node.kind === "in-query" && !this.#areCompared(node));
    return canFail ? this.#chosen(whole, unguarded ?? node, block, level) : whole;
  }

  #areCompared({ operand, query }: InQuery): boolean {
    const operands = operand.kind === "row" ? operand.elements : [operand];
    const columns = outputColumnsOf(query.body);
    return operands.every((each, index) => {
      const type = columns[index]?.type;
      return type !== undefined && haveCommonType([each, { ...each, type }], this.#engine.conversions);
    });
  }
}

const isSubquery = (node: Expression): node is Subquery =>
  node.kind === "scalar-query" || node.kind === "exists" || node.kind === "in-query" || node.kind === "array-query";
