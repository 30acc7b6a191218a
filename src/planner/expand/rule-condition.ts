/** Conditions of row rules, over the rows that they decide about. */
import { bindRule, type RowRule } from "../access/row-rules.ts";
import { condition } from "../binding/conditions.ts";
import { bindQuery } from "../binding/query.ts";
import { replaceAggregates } from "../functions/calls.ts";
import { resolvePath } from "../manifest/paths.ts";
import type { Expression } from "../syntax/tree.ts";
import { aggregateOver } from "./aggregates.ts";
import type { Columns } from "./columns.ts";
import { bindManifestExpression } from "./manifest-expression.ts";
import type { ModelRows } from "./rows.ts";

/** What `rule` demands of the rows of `root`. Throws what `bindRule` says, and what is wrong with columns it needs. */
export function ruleCondition(rule: RowRule, root: ModelRows, columns: Columns): Expression {
  const { context } = columns;
  const { model } = root;
  return bindRule(rule, (withValues) =>
    context.asRule(model, () => {
      const bound = bindManifestExpression(
        {
          expression: rule.condition,
          resolve: (parts, span) => columns.path(resolvePath(model, parts, { span, aggregated: false }), root, span),
          clause: { name: "a row rule", aggregates: false, windows: false },
          prepare: (expression) =>
            replaceAggregates(withValues(expression), (call) => aggregateOver(call, root, columns)),
          subqueries: { model: model.name, bindQuery },
        },
        rule.owner,
        context,
      );
      return condition(bound, rule.owner);
    }),
  );
}
