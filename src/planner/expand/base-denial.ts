/**
 * Restrictions of views and metrics for readers of the models built on them
 * (docs/decisions/0016-rules-read-what-callers-may-not.md).
 */
import type { Denial } from "../access/policy.ts";
import type { BindingContext } from "../binding/context.ts";
import { PlannerError } from "../diagnostics.ts";
import { dependenciesOf } from "../manifest/calculated.ts";
import type { Model, ModelColumn } from "../manifest/model.ts";
import { BaseQuery } from "./base-query.ts";

/** Columns of models built on views and metrics among those that a column is computed from; depends on the manifest alone. */
const BELOW = new WeakMap<ModelColumn, readonly (readonly [ModelColumn, Model])[]>();
const NONE: readonly (readonly [ModelColumn, Model])[] = [];

function columnsOverQueries(model: Model, column: ModelColumn): readonly (readonly [ModelColumn, Model])[] {
  let below = BELOW.get(column);
  if (below === undefined) {
    const found = [...dependenciesOf(model, column)].filter(([, owner]) => owner.baseQuery !== undefined);
    below = found.length === 0 ? NONE : found;
    BELOW.set(column, below);
  }
  return below;
}

const KNOWN = new WeakMap<BindingContext, Map<ModelColumn, Denial | undefined>>();

/**
 * Restrictions of views and metrics below a column for the caller. Other errors in them are reported when they are
 * read.
 */
export function denialByBase(model: Model, column: ModelColumn, context: BindingContext): Denial | undefined {
  if (column.kind === "plain" && model.base === undefined && model.baseQuery === undefined) return undefined;
  const below = columnsOverQueries(model, column);
  if (below.length === 0) return undefined;
  const known = KNOWN.get(context) ?? new Map<ModelColumn, Denial | undefined>();
  KNOWN.set(context, known);
  for (const [each, owner] of below) {
    if (each.kind === "calculated" || each.kind === "handle") continue;
    if (!known.has(each)) known.set(each, denialOf(each, owner, context));
    const denial = known.get(each);
    if (denial !== undefined) return denial;
  }
  return undefined;
}

function denialOf(column: ModelColumn, model: Model, context: BindingContext): Denial | undefined {
  const { baseQuery } = model;
  if (baseQuery === undefined) return undefined;
  try {
    const bound = context.unlessDenied(() =>
      context.discarding(() => new BaseQuery(model, baseQuery, context).expressionOf(column)),
    );
    return bound instanceof PlannerError ? { message: bound.message } : undefined;
  } catch (error) {
    if (error instanceof PlannerError) return undefined;
    throw error;
  }
}
