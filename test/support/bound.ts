/** Statements as binding leaves them, for tests of what comes after it. */
import type { BindingContext } from "../../src/planner/binding/context.ts";
import { bindWholeQuery } from "../../src/planner/binding/query.ts";
import { targetOf } from "../../src/planner/dialects/targets.ts";
import { planningContext } from "../../src/planner/expand/context.ts";
import type { Manifest } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { parseQuery } from "../../src/planner/syntax/parser.ts";
import type { Query } from "../../src/planner/syntax/tree.ts";
import { withTypedNulls } from "../../src/planner/untyped-nulls.ts";

export interface BoundStatement {
  readonly query: Query;
  readonly context: BindingContext;
}

export interface BoundSettings {
  readonly source?: DataSource | undefined;
  readonly session?: ReadonlyMap<string, string> | undefined;
}

/** For PostgreSQL and without a session, if nothing else is said. */
export function boundStatement(
  sql: string,
  manifest: Manifest,
  { source = "postgres", session = new Map() }: BoundSettings = {},
): BoundStatement {
  const target = targetOf(source);
  const options = {
    limits: DEFAULT_LIMITS,
    unknownFunctions: "warn",
    unlisted: target.unlisted,
    timeZone: "UTC",
    stars: "every column",
  } as const;
  const context = planningContext(manifest.readBy(target.typeNames), options, { session, accessControl: "standard" });
  return { query: withTypedNulls(bindWholeQuery(parseQuery(sql, options), context), context).query, context };
}
