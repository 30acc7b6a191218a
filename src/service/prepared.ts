/** The steps of a query before the source is asked: the connection, the row cap, and the plan for the connection's server. */
import { ConnectorFailure } from "../connectors/failure.ts";
import type { DataSource, SessionSetting } from "../planner/plan.ts";
import type { Call } from "./call.ts";
import { prepareConnection } from "./connections.ts";
import { forgetServer, planForServer } from "./for-server.ts";
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
  unprovenFence = false,
): Promise<Prepared> {
  const { source, sql } = request;
  const connection = prepareConnection(services, context, source, request.connectionInfo);
  const cap = lower(services.limits.maxRows, context.most.rows);
  const { limit, mostRows, refuseAbove, warnings } = rowCapOf(request.limit, cap);
  const noted = [...connection.warnings, ...warnings];
  const underPolicies = connection.sessionSettings !== undefined;
  const settings = { operation: call.operation, underPolicies, limit, mostRows, warnings: noted, unprovenFence };
  const plan = (variant: Parameters<typeof planStatement>[2]["variant"]): Planning =>
    planStatement(services, context, { ...request, ...settings, variant });
  const ofCaller = connection.sessionSettings?.() ?? [];
  const planned = withSettings(await planForServer({ services, call, connection, plan }), ofCaller);
  call.sends({ ...(sql !== undefined && { sql }), planned });
  return { source, limit, connection, planned, refuseAbove };
}

/**
 * Plans again after `error` if the server has changed since its version was read, or if its fences are not proven and the operator
 * accepts that (`ROW_RULES=besteffort`); rethrows every other error.
 */
export async function prepareAgain(
  error: unknown,
  { connection, source }: Prepared,
  ...asked: Parameters<typeof prepare>
): Promise<Prepared> {
  const [services, context, call, request] = asked;
  if (isUnprovenFence(error) && services.planOptions.bestEffort?.has(source) === true) {
    return prepare(services, context, call, request, true);
  }
  if (!(await forgetServer(error, services, connection))) throw error;
  return prepare(...asked);
}

const isUnprovenFence = (error: unknown): boolean =>
  error instanceof ConnectorFailure && error.reason === "UNPROVEN_FENCE";

/** The caller's settings are part of the plan, and so of the key of the cache and of shared flights. */
function withSettings(planned: Planning, ofCaller: readonly SessionSetting[]): Planning {
  if (ofCaller.length === 0) return planned;
  return { ...planned, plan: { ...planned.plan, session: [...planned.plan.session, ...ofCaller] } };
}

function lower(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
