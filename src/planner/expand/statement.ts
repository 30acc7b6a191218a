/** The step between binding and lowering: every model of a statement becomes a table expression. */
import type { BindingContext } from "../binding/context.ts";
import type { Model } from "../manifest/model.ts";
import type { PrintableRelation, Query, TableExpression } from "../syntax/tree.ts";
import { separateCommonTables } from "./common-tables.ts";
import { Expansion, type ModelRead } from "./expansion.ts";
import type { ExpansionTarget, RowRulesMode } from "./expansion-target.ts";
import { type AppliedRules, applyRules } from "./ruled-tables.ts";

export interface Expanded extends AppliedRules {
  /** The bound statement, whose `bound-model` nodes stay. */
  readonly query: Query;
  readonly reads: readonly ModelRead[];
}

/**
 * Expands the models of a bound statement, also those in the definitions of other models. Decides the printed names of bound
 * columns and common tables. Throws the errors of the models that the statement reads.
 */
export function expandModels(
  query: Query,
  context: BindingContext,
  target: ExpansionTarget,
  mode?: RowRulesMode,
): Expanded {
  const expansion = new Expansion(context, target);
  const tables = new Map<PrintableRelation, TableExpression>();
  // The definitions of models and rules may contain further tables of either kind.
  for (let made = -1; made < tables.size; ) {
    made = tables.size;
    for (const [relation, make] of context.deferred) {
      if (!tables.has(relation)) tables.set(relation, make());
    }
    for (const [relation, span] of context.models) {
      if (!tables.has(relation)) tables.set(relation, expansion.occurrence(relation, span));
    }
  }
  const models = new Set<Model>();
  for (const { model } of expansion.reads) models.add(model);
  const { firstRuled } = expansion;
  const applied = applyRules(
    { query, tables, models: [...models], firstRuled, pushed: context.pushedConditions },
    target.fence,
    mode,
  );
  separateCommonTables(context, models, target.rewrites.aliasesCapture ? [query, ...applied.tables.values()] : []);
  return { query, reads: expansion.reads, ...applied };
}
