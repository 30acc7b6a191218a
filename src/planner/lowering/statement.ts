/**
 * The steps that a whole lowered statement takes, in their order: what they ask is where a query or an expression stands in it,
 * which no node knows of itself.
 */
import type { Query } from "../syntax/tree.ts";
import { withApply } from "./queries/applied-tables.ts";
import { withConditionsApart } from "./queries/conditions.ts";
import { withTablesOutermost } from "./queries/hoisted-tables.ts";
import { withTops } from "./queries/tops.ts";
import type { Target } from "./target.ts";

type StatementStep = (statement: Query, target: Target) => Query;

const commonTables: StatementStep = (statement, { grammar }) =>
  grammar.commonTables === "anywhere" ? statement : withTablesOutermost(statement);

const lateral: StatementStep = (statement, { grammar }) =>
  grammar.lateral === "apply" ? withApply(statement) : statement;

const limits: StatementStep = (statement, { grammar }) => (grammar.limitClause ? statement : withTops(statement));

const own: StatementStep = (statement, { rewrites }) => rewrites.statement?.(statement) ?? statement;

/** Last: whatever stands there is a condition or a value. */
const conditions: StatementStep = (statement, { grammar }) =>
  grammar.conditions === "values" ? statement : withConditionsApart(statement);

const STATEMENT_STEPS: readonly StatementStep[] = [commonTables, lateral, limits, own, conditions];

export function finished(statement: Query, target: Target): Query {
  return STATEMENT_STEPS.reduce((each, step) => step(each, target), statement);
}
