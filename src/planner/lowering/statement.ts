/**
 * The steps of a whole lowered statement, in order: they depend on the position of a query or an expression in the statement,
 * which a node does not know.
 */
import type { Query } from "../syntax/tree.ts";
import { walk } from "../syntax/walk.ts";
import { withApply } from "./queries/applied-tables.ts";
import { withConditionsApart } from "./queries/conditions.ts";
import { withTablesOutermost } from "./queries/hoisted-tables.ts";
import { withTops } from "./queries/tops.ts";
import type { Target } from "./target.ts";

type StatementStep = (statement: Query, target: Target, holds: Held) => Query;

const commonTables: StatementStep = (statement, { grammar }, { hasCommonTables }) =>
  grammar.commonTables === "anywhere" || !hasCommonTables ? statement : withTablesOutermost(statement);

const lateral: StatementStep = (statement, { grammar }, { hasLateral }) =>
  grammar.lateral === "apply" && hasLateral ? withApply(statement) : statement;

const limits: StatementStep = (statement, { grammar }) => (grammar.limitClause ? statement : withTops(statement));

const own: StatementStep = (statement, { rewrites }) => rewrites.statement?.(statement) ?? statement;

/** The last step: every node has then its final position as a condition or a value. */
const conditions: StatementStep = (statement, { grammar }) =>
  grammar.conditions === "values" ? statement : withConditionsApart(statement);

const STATEMENT_STEPS: readonly StatementStep[] = [commonTables, lateral, limits, own, conditions];

/** Facts about the whole lowered statement; no step changes them. */
interface Held {
  readonly hasCommonTables: boolean;
  readonly hasLateral: boolean;
}

function heldBy(statement: Query, { grammar }: Target): Held {
  const held = { hasCommonTables: false, hasLateral: false };
  if (grammar.commonTables === "anywhere" && grammar.lateral !== "apply") return held;
  walk(statement, (node) => {
    if (node.kind === "query") held.hasCommonTables ||= node.with !== undefined;
    else if (node.kind === "derived") held.hasLateral ||= node.lateral;
    return true;
  });
  return held;
}

export function finished(statement: Query, target: Target): Query {
  const held = heldBy(statement, target);
  return STATEMENT_STEPS.reduce((each, step) => step(each, target, held), statement);
}
