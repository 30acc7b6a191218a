/** Statements as binding leaves them, for tests of what comes after it. */
import type { BindingContext } from "../../src/planner/binding/context.ts";
import { bindWholeQuery } from "../../src/planner/binding/query.ts";
import { targetOf } from "../../src/planner/dialects/targets.ts";
import { planningContext } from "../../src/planner/expand/context.ts";
import type { Manifest } from "../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../src/planner/limits.ts";
import { parseQuery } from "../../src/planner/syntax/parser.ts";
import type { Query } from "../../src/planner/syntax/tree.ts";

export interface BoundStatement {
  readonly query: Query;
  readonly context: BindingContext;
}

/** For PostgreSQL, without a session. */
export function boundStatement(sql: string, manifest: Manifest): BoundStatement {
  const options = {
    limits: DEFAULT_LIMITS,
    unknownFunctions: "warn",
    unlisted: targetOf("postgres").unlisted,
    timeZone: "UTC",
    stars: "every column",
  } as const;
  const context = planningContext(manifest, options, { session: new Map(), accessControl: "standard" });
  return { query: bindWholeQuery(parseQuery(sql, options), context).query, context };
}
