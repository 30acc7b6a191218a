/**
 * The steps of a whole lowered statement, in order: they depend on the position of a query or an expression in the statement,
 * which a node does not know.
 */
import type { BindingContext } from "../binding/context.ts";
import type { Query } from "../syntax/tree.ts";
import { withApply } from "./queries/applied-tables.ts";
import { withConditionsApart } from "./queries/conditions.ts";
import { withTablesOutermost } from "./queries/hoisted-tables.ts";
import { withTops } from "./queries/tops.ts";
import { type Holds, statementFacts } from "./statement-facts.ts";
import type { Target } from "./target.ts";

type StatementStep = (statement: Query, target: Target, holds: Holds, hadSubqueries: boolean) => Query;

const commonTables: StatementStep = (statement, { grammar }, holds) =>
  grammar.commonTables === "anywhere" || !holds(statement).hasCommonTables ? statement : withTablesOutermost(statement);

const lateral: StatementStep = (statement, { grammar }, holds) =>
  grammar.lateral === "apply" && holds(statement).hasLateral ? withApply(statement) : statement;

const limits: StatementStep = (statement, { grammar }) => (grammar.limitClause ? statement : withTops(statement));

const own: StatementStep = (statement, { rewrites }, holds, hadSubqueries) =>
  rewrites.statement?.(statement, holds, hadSubqueries) ?? statement;

/** The last step: every node has then its final position as a condition or a value. */
const conditions: StatementStep = (statement, { grammar }) =>
  grammar.conditions === "values" ? statement : withConditionsApart(statement);

const STATEMENT_STEPS: readonly StatementStep[] = [commonTables, lateral, limits, own, conditions];

export function finished(statement: Query, target: Target, { hasSubqueries }: BindingContext): Query {
  const holds = statementFacts();
  return STATEMENT_STEPS.reduce((each, step) => step(each, target, holds, hasSubqueries), statement);
}
