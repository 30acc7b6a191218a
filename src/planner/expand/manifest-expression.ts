/** Binds expressions of the manifest: their names mean a model's columns and paths, not what a query offers. */
import type { Binder, BoundQuery, Clause, Findings } from "../binding/binding.ts";
import type { BindingContext } from "../binding/context.ts";
import { bindExpression } from "../binding/expression.ts";
import { type CommonTableBinding, Scope } from "../binding/scope.ts";
import { PlannerError } from "../diagnostics.ts";
import { faultOf, inExpression } from "../manifest/faults.ts";
import { withoutSpans } from "../syntax/spans.ts";
import type { Expression, Identifier, Query, Span } from "../syntax/tree.ts";

/** Resolves a name to an expression. Throws COLUMN_NOT_FOUND. */
export type ResolveName = (parts: readonly Identifier[], span: Span) => Expression;

export interface NamedExpression {
  /** The parsed expression: its spans locate errors in the text. */
  readonly expression: Expression;
  readonly resolve: ResolveName;
  readonly clause: Clause;
  /** Replaces parts of the parsed expression with bound ones. */
  readonly prepare?: (expression: Expression) => Expression;
  /** Without it subqueries are refused. */
  readonly subqueries?: {
    /** The model that the expression is over: names that begin with it are its own, whatever a subquery calls its handles. */
    readonly model: string;
    readonly bindQuery: (query: Query, outer: Scope, binder: Binder) => BoundQuery;
  };
}

/** Binds a part of a manifest expression; the caller, which binds the whole, handles its errors. */
export function bindNames(
  { expression, resolve, clause, prepare, subqueries }: NamedExpression,
  context: BindingContext,
): Expression {
  const findings: Findings = { aggregates: false, windows: false };
  const scope = new ManifestScope(resolve, subqueries?.model);
  const bindSubquery = (query: Query, outer: Scope): BoundQuery => {
    if (subqueries !== undefined) return subqueries.bindQuery(query, outer, binder);
    throw new PlannerError("MANIFEST_EXPRESSION", "a subquery is not allowed in the expression", { span: query.span });
  };
  const binder: Binder = { context, bindExpression, bindQuery: bindSubquery, bindTableQuery: bindSubquery };
  return bindExpression(prepare === undefined ? expression : prepare(expression), { binder, scope, clause, findings });
}

/**
 * Binds a whole expression; errors name `owner`, as `column "x" of model "m"`. The bound tree has no spans, because it
 * is not part of the caller's SQL.
 */
export function bindManifestExpression(named: NamedExpression, owner: string, context: BindingContext): Expression {
  return context.bindText(
    () => bindNames({ ...named, expression: withoutSpans(named.expression) }, context),
    () => inExpression(owner, () => bindNames(named, context)),
    (error) => faultOf(owner, error),
  );
}

class ManifestScope extends Scope {
  readonly #resolve: ResolveName;
  readonly #model: string | undefined;

  constructor(
    resolve: ResolveName,
    model: string | undefined,
    commonTables: ReadonlyMap<string, CommonTableBinding> = new Map(),
  ) {
    super(undefined, commonTables);
    // The replacement of a name gets the name's span, for errors.
    this.#resolve = (parts, span) => ({ ...resolve(parts, span), span });
    this.#model = model;
  }

  override resolve(parts: readonly Identifier[], span: Span): Expression {
    return this.#resolve(parts, span);
  }

  override withCommonTables(commonTables: ReadonlyMap<string, CommonTableBinding>): Scope {
    return new ManifestScope(this.#resolve, this.#model, commonTables);
  }

  override calls(name: string): boolean {
    return name === this.#model;
  }

  /** Resolves the names that a subquery does not define. */
  override resolveHere(parts: readonly Identifier[], span: Span): Expression | undefined {
    return parts.length === 1 || parts[0]?.name === this.#model ? this.#found(parts, span) : undefined;
  }

  override throughHandles(parts: readonly Identifier[], span: Span): Expression | undefined {
    return this.#found(parts, span);
  }

  #found(parts: readonly Identifier[], span: Span): Expression | undefined {
    try {
      return this.#resolve(parts, span);
    } catch (error) {
      if (error instanceof PlannerError && error.reason === "COLUMN_NOT_FOUND") return undefined;
      throw error;
    }
  }
}
