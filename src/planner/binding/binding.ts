/** Context for binding an expression: its clause, its scope, and the binder for nested queries. */
import type { Expression, Identifier, Query } from "../syntax/tree.ts";
import type { BindingContext } from "./context.ts";
import type { DefinedWindows } from "./named-windows.ts";
import type { OutputColumn, Scope } from "./scope.ts";

/** Rules of the clause that contains an expression. */
export interface Clause {
  /** The name in messages: `WHERE`, `JOIN … ON`. */
  readonly name: string;
  readonly aggregates: boolean;
  readonly windows: boolean;
  /** Output names usable in this clause. */
  readonly aliases?: (name: Identifier) => Expression | undefined;
  /** Output names that exist but are not usable in this clause; for error messages. */
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
  /** Binds a query in FROM: inside views, a restricted column is rejected only when something names it. */
  readonly bindTableQuery: (query: Query, outer: Scope) => BoundQuery;
  readonly bindExpression: (expression: Expression, binding: ExpressionBinding) => Expression;
}

export interface ExpressionBinding {
  readonly binder: Binder;
  readonly scope: Scope;
  readonly clause: Clause;
  readonly findings: Findings;
  /** The windows of this SELECT's WINDOW clause. */
  readonly namedWindows?: DefinedWindows;
}

/** A clause without aggregates and windows. */
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

/** Binds a query used as a value, a condition or a set, in the context of `binding`. */
export function bindSubquery(query: Query, binding: ExpressionBinding): BoundQuery {
  const { binder, scope } = binding;
  const outer = scope.subqueryAt;
  binder.context.hasSubqueries = true;
  scope.subqueryAt = binding;
  try {
    return binder.bindQuery(query, scope);
  } finally {
    scope.subqueryAt = outer;
  }
}
