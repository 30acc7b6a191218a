/** Conditions of row rules, over the rows that they decide about. */
import { bindRule, type RowRule } from "../access/row-rules.ts";
import { condition } from "../binding/conditions.ts";
import { bindQuery } from "../binding/query.ts";
import { replaceAggregates } from "../functions/calls.ts";
import { resolvePath } from "../manifest/paths.ts";
import type { Expression } from "../syntax/tree.ts";
import { aggregateOver } from "./aggregates.ts";
import type { Columns } from "./columns.ts";
import { bindManifestExpression, type NamedExpression } from "./manifest-expression.ts";
import type { ModelRows } from "./model-rows.ts";

/** The condition of `rule` on the rows of `root`. Throws errors of `bindRule`, and errors in the columns it needs. */
export function ruleCondition(rule: RowRule, root: ModelRows, columns: Columns): Expression {
  const { context } = columns;
  context.budget.spend(rule.size);
  return bindRule(rule, (withValues) =>
    context.asRule(root.model, () => {
      const named = namesOfRule(rule.condition, withValues, root, columns);
      const bound = condition(bindManifestExpression(named, rule.owner, context), rule.owner);
      context.ruleConditions.add(bound);
      return bound;
    }),
  );
}

/** A rule's condition with its name resolution; `withValues` replaces its properties. */
export function namesOfRule(
  expression: Expression,
  withValues: (expression: Expression) => Expression,
  root: ModelRows,
  columns: Columns,
): NamedExpression {
  const { model } = root;
  return {
    expression,
    resolve: (parts, span) => columns.path(resolvePath(model, parts, { span, aggregated: false }), root, span),
    clause: { name: "a row rule", aggregates: false, windows: false },
    prepare: (parsed) => replaceAggregates(withValues(parsed), (call) => aggregateOver(call, root, columns)),
    subqueries: { model: model.name, bindQuery },
  };
}
