/** What binding an expression depends on: where it stands, what may stand there, and the binder for what is nested. */
import type { Expression, Identifier, Query } from "../syntax/tree.ts";
import type { BindingContext } from "./context.ts";
import type { OutputColumn, Scope } from "./scope.ts";

/** What the clause an expression stands in allows. */
export interface Clause {
  /** As written in messages: `WHERE`, `JOIN … ON`. */
  readonly name: string;
  readonly aggregates: boolean;
  readonly windows: boolean;
  /** Output names usable here. */
  readonly aliases?: (name: Identifier) => Expression | undefined;
  /** Output names that exist and are not usable here; for complaints. */
  readonly laterAliases?: (name: Identifier) => boolean;
}

/** Seen while binding one SELECT's expressions. */
export interface Findings {
  aggregates: boolean;
  windows: boolean;
}

export interface BoundQuery {
  readonly query: Query;
  readonly columns: readonly OutputColumn[];
}

/** Expressions hold queries and queries hold expressions; each side reaches the other through this. */
export interface Binder {
  readonly context: BindingContext;
  /** Binds a query whose enclosing level is `outer`. */
  readonly bindQuery: (query: Query, outer: Scope) => BoundQuery;
  /** Binds one that stands as a table: inside views, what the caller may not name is refused when something names it. */
  readonly bindTableQuery: (query: Query, outer: Scope) => BoundQuery;
  readonly bindExpression: (expression: Expression, binding: ExpressionBinding) => Expression;
}

export interface ExpressionBinding {
  readonly binder: Binder;
  readonly scope: Scope;
  readonly clause: Clause;
  readonly findings: Findings;
  /** Names that the WINDOW clause of this SELECT defines, by themselves in lower case. */
  readonly windowNames?: ReadonlyMap<string, string>;
}

/** A place where neither aggregates nor windows may stand. */
export function plainBinding(binder: Binder, scope: Scope, clause: string): ExpressionBinding {
  return {
    binder,
    scope,
    clause: { name: clause, aggregates: false, windows: false },
    findings: { aggregates: false, windows: false },
  };
}

export function bindIn(expression: Expression, binding: ExpressionBinding): Expression {
  return binding.binder.bindExpression(expression, binding);
}

/** A query as a value, a condition or a set of either, at the place that `binding` is of. */
export function bindSubquery(query: Query, binding: ExpressionBinding): BoundQuery {
  const { binder, scope } = binding;
  const outer = scope.subqueryAt;
  scope.subqueryAt = binding;
  try {
    return binder.bindQuery(query, scope);
  } finally {
    scope.subqueryAt = outer;
  }
}
