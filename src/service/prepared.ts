/** The steps of a query before the source is asked: the connection, the row cap, and the plan for the connection's server. */
import type { DataSource, SessionSetting } from "../planner/plan.ts";
import type { Call } from "./call.ts";
import { prepareConnection } from "./connections.ts";
import { planForServer, planningAgain, type ServerSettings } from "./for-server.ts";
import { type Planning, planStatement, type Question } from "./planning.ts";
import { rowCapOf } from "./row-cap.ts";
import type { CallContext, PreparedConnection, Services } from "./services.ts";

export interface Prepared {
  readonly source: DataSource;
  /** The row limit that was added to the SQL. */
  readonly limit: number | undefined;
  readonly connection: PreparedConnection;
  readonly planned: Planning;
  readonly refuseAbove: number | undefined;
}

export type StatementRequest = Question & {
  readonly source: DataSource;
  readonly manifestStr: string;
  readonly connectionInfo: Readonly<Record<string, unknown>>;
  readonly limit?: number | undefined;
};

/**
 * The plan and the connection. The connection's fields are read first, so that an invalid connection is reported before invalid
 * SQL (docs/spec/contract.md#order-of-evaluation).
 */
export async function prepare(
  services: Services,
  context: CallContext,
  call: Call,
  request: StatementRequest,
  again: Awaited<ReturnType<typeof planningAgain>> = {},
): Promise<Prepared> {
  const { source, sql } = request;
  const connection = prepareConnection(services, context, source, request.connectionInfo);
  const cap = lower(services.limits.maxRows, context.most.rows);
  const { limit, mostRows, refuseAbove, warnings } = rowCapOf(request.limit, cap);
  const noted = [...connection.warnings, ...warnings];
  const settings = { operation: call.operation, limit, mostRows, warnings: noted };
  const plan = (server: ServerSettings): Planning =>
    planStatement(services, context, { ...request, ...settings, ...server });
  const ofCaller = connection.sessionSettings?.() ?? [];
  const planned = withSettings(await planForServer({ services, call, connection, source, plan }, again), ofCaller);
  call.sends({ ...(sql !== undefined && { sql }), planned });
  return { source, limit, connection, planned, refuseAbove };
}

/** Plans again after `error` where `planningAgain` says so; rethrows every other error. */
export async function prepareAgain(
  error: unknown,
  { connection, source }: Prepared,
  ...[services, context, call, request]: Parameters<typeof prepare>
): Promise<Prepared> {
  const again = await planningAgain(error, { services, connection, source });
  return prepare(services, context, call, request, again);
}

/** The caller's settings are part of the plan, and so of the key of the cache and of shared flights. */
function withSettings(planned: Planning, ofCaller: readonly SessionSetting[]): Planning {
  if (ofCaller.length === 0) return planned;
  return { ...planned, plan: { ...planned.plan, session: [...planned.plan.session, ...ofCaller] } };
}

function lower(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
