/** Names inside a model's own expressions: its columns, hidden ones included, and paths over its handles. */

import type { Binder, ExpressionBinding } from "../binding/binding.ts";
import type { BindingContext } from "../binding/context.ts";
import { bindExpression } from "../binding/expression.ts";
import { Scope } from "../binding/scope.ts";
import { nearestNames } from "../binding/suggest.ts";
import { PlannerError } from "../diagnostics.ts";
import { DEFAULT_LIMITS } from "../limits.ts";
import type { Model, ModelColumn } from "../manifest/manifest.ts";
import { parseExpression } from "../syntax/parser.ts";
import type { Expression, Identifier, Query, Span } from "../syntax/tree.ts";
import { NO_SPAN } from "./path-tree.ts";

export type ResolvePath = (parts: readonly Identifier[], span: Span) => Expression;

class ModelScope extends Scope {
  readonly #resolvePath: ResolvePath;

  constructor(resolvePath: ResolvePath) {
    super(undefined, new Map());
    this.#resolvePath = resolvePath;
  }

  override resolve(parts: readonly Identifier[], span: Span): Expression {
    return this.#resolvePath(parts, span);
  }

  override resolveHere(parts: readonly Identifier[], span: Span): Expression {
    return this.#resolvePath(parts, span);
  }
}

/**
 * Parses and binds an expression of the manifest. Its faults become MANIFEST_EXPRESSION errors that name `owner` and
 * the position inside the text; the bound tree carries no spans, for it stands nowhere in the caller's SQL.
 */
export function bindManifestExpression(
  text: string,
  owner: string,
  resolvePath: ResolvePath,
  context: BindingContext,
): { readonly expression: Expression; readonly aggregates: boolean; readonly windows: boolean } {
  const findings = { aggregates: false, windows: false };
  try {
    const binder: Binder = {
      context,
      bindExpression,
      bindQuery: (query: Query) => {
        throw new PlannerError("MANIFEST_EXPRESSION", "a subquery cannot stand here", { span: query.span });
      },
    };
    const binding: ExpressionBinding = {
      binder,
      scope: new ModelScope(resolvePath),
      clause: { name: "a calculated column", aggregates: true, windows: true },
      findings,
    };
    const bound = bindExpression(parseExpression(text, { limits: DEFAULT_LIMITS }), binding);
    return { expression: withoutSpans(bound), ...findings };
  } catch (error) {
    if (!(error instanceof PlannerError) || error.span === undefined) throw error;
    const reason =
      error.reason === "NOT_IMPLEMENTED" || error.reason === "FANOUT" ? error.reason : "MANIFEST_EXPRESSION";
    throw new PlannerError(
      reason,
      `${owner}: ${error.message} (at character ${error.span.start + 1} of its expression)`,
      {
        ...(error.hint === undefined ? {} : { hint: error.hint }),
        suggestions: error.suggestions,
      },
    );
  }
}

/** A column of `model` by name: exact, else the only one without case for unquoted names. */
export function findModelColumn(model: Model, name: Identifier): ModelColumn {
  const exact = model.column(name.name);
  if (exact !== undefined) return exact;
  const [like, ...others] = name.quoted ? [] : model.columnsLike(name.name);
  const only = like === undefined || others.length > 0 ? undefined : model.column(like);
  if (only !== undefined) return only;
  const suggestions = nearestNames(name.name, model.columnNames());
  throw new PlannerError("COLUMN_NOT_FOUND", `model "${model.name}" has no column "${name.name}"`, {
    span: name.span,
    suggestions,
    ...(suggestions.length > 0 ? { hint: `Did you mean "${suggestions[0]}"?` } : {}),
  });
}

function withoutSpans<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withoutSpans) as T;
  if (typeof node !== "object" || node === null) return node;
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (key === "span") copy[key] = NO_SPAN;
    // Columns are identities, types are shared: neither may be copied.
    else copy[key] = key === "column" || key === "type" ? value : withoutSpans(value);
  }
  return copy as T;
}
