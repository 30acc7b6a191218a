/** Statements whose expressions that can fail have no place inside IF over the truth of a row rule. */
import { type PlannerError, unsupported } from "../../diagnostics.ts";
import { NOWHERE } from "../../syntax/spans.ts";
import type { Span } from "../../syntax/tree.ts";

const PAGE = "docs/reference/access-rules.md lists what IF over a row rule can hold.";

const REFUSALS = {
  unguarded: [
    "an expression that can fail over rows without a row rule, in a statement over a model with row rules",
    "Compute it in a statement of its own, or in the SELECT that reads the model with row rules.",
  ],
  severalRows: [
    "a scalar subquery that may return several rows of a model with row rules",
    "Select an aggregate, or write LIMIT 1.",
  ],
  correlatedOverGroups: [
    "an expression that can fail, in a correlated subquery over groups of a model with row rules",
    "Group in a derived table, and write the subquery around it.",
  ],
  oneName: [
    "an expression that can fail, in a correlated subquery whose tables have the names of those outside",
    "Give the tables of the subquery other aliases.",
  ],
  range: [
    "a window frame of RANGE with a distance, over a model with row rules",
    "The sum of a key and the distance can leave the type of the key. Use ROWS.",
  ],
  recursion: [
    "a recursive common table that reads a model with row rules, in a statement that can fail",
    "Read the model outside of the recursive common table.",
  ],
  using: ["JOIN … USING over a model with row rules, in a statement that can fail", "Write ON."],
  sorted: [
    "ORDER BY an expression that can fail, behind DISTINCT or a set operation over a model with row rules",
    "Select the expression, and sort by its position.",
  ],
  rule: [
    "a row rule that can fail, in a statement that can fail",
    "Write the rule with comparisons of one type of values, AND, OR, NOT, IS NULL, IN and EXISTS.",
  ],
  relationship: [
    "a relationship whose condition can fail, beside a row rule",
    "Join on columns of one type in the relationship.",
  ],
} as const;

export type RefusalReason = keyof typeof REFUSALS;

export function refused(reason: RefusalReason, span: Span): PlannerError {
  const [what, hint] = REFUSALS[reason];
  return unsupported(what, span === NOWHERE ? undefined : span, `${hint} ${PAGE}`);
}
