/**
 * Handles statements of a source whose servers differ (MySQL and MariaDB, versions of SQL Server). A statement is first planned
 * for all servers of the source, without a connection. Only if that is refused, and some servers would accept the statement, the
 * connection's server is asked for its version, and the statement is planned for it. So most statements need no such request.
 */

import { ConnectorFailure } from "../connectors/failure.ts";
import { isWithin } from "../connectors/variants.ts";
import { PlannerError } from "../planner/diagnostics.ts";
import type { DataSource, VariantRange } from "../planner/plan.ts";
import type { Call } from "./call.ts";
import { ServiceError } from "./failure.ts";
import type { Planning, PlanningRequest } from "./planning.ts";
import type { PreparedConnection, Services } from "./services.ts";

/** Settings of a plan that depend on the connection and its server. */
export type ServerSettings = Pick<PlanningRequest, "variant" | "unprovenFence" | "underPolicies">;

interface ServerPlanning {
  readonly services: Pick<Services, "variants" | "planOptions">;
  readonly call: Call;
  readonly connection: PreparedConnection;
  readonly source: DataSource;
  /** Throws `ServiceError`. */
  readonly plan: (server: ServerSettings) => Planning;
}

interface Asking<T> extends ServerPlanning {
  readonly ask: (planned: Planning) => Promise<T>;
}

/**
 * The result of `ask` with a plan for the connection's server, which is planned again once where `planningAgain` says so. Fails as
 * planning and asking do.
 */
export async function forServer<T>(asking: Asking<T>): Promise<T> {
  const planned = await planForServer(asking);
  try {
    return await asking.ask(planned);
  } catch (error) {
    return asking.ask(await planForServer(asking, await planningAgain(error, asking)));
  }
}

/**
 * How to plan after `error`: if the server has changed since its version was read, that is read again; if its fences are not proven and
 * the operator accepts that (`ROW_RULES=besteffort`), the plan is for a server without. Rethrows every other error.
 */
export async function planningAgain(
  error: unknown,
  { services, connection, source }: Pick<ServerPlanning, "services" | "connection" | "source">,
): Promise<Pick<ServerSettings, "unprovenFence">> {
  const reason = error instanceof ConnectorFailure ? error.reason : undefined;
  if (reason === "UNPROVEN_FENCE" && services.planOptions.bestEffort?.has(source) === true)
    return { unprovenFence: true };
  if (reason !== "ANOTHER_VARIANT") throw error;
  await services.variants.forget(connection.identity());
  return {};
}

/** A plan for the connection's server. If it adds no information, the error is the one of the plan for all servers. */
export async function planForServer(
  { services, call, connection, plan }: ServerPlanning,
  { unprovenFence }: Pick<ServerSettings, "unprovenFence"> = {},
): Promise<Planning> {
  const settings = { unprovenFence, underPolicies: connection.sessionSettings !== undefined };
  try {
    return plan(settings);
  } catch (refusal) {
    const ranges = liftedBy(refusal);
    if (ranges.length === 0) throw refusal;
    const variant = await services.variants.of(connection.identity(), async () => {
      const { connector, options } = await call.open(connection);
      return connection.variantAt(await call.race(connector.catalog({ kind: "version" }, options)));
    });
    const range = variant && ranges.find((each) => isWithin(variant, each));
    if (range === undefined) throw refusal;
    return plan({ ...settings, variant: range });
  }
}

function liftedBy(error: unknown): readonly VariantRange[] {
  return error instanceof ServiceError && error.cause instanceof PlannerError ? error.cause.liftedBy : [];
}
