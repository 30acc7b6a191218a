/**
 * Handles statements of a source whose servers differ (MySQL and MariaDB, versions of SQL Server). A statement is first planned
 * for all servers of the source, without a connection. Only if that is refused, and some servers would accept the statement, the
 * connection's server is asked for its version, and the statement is planned for it. So most statements need no such request.
 */

import { ConnectorFailure } from "../connectors/failure.ts";
import { isWithin } from "../connectors/variants.ts";
import { PlannerError } from "../planner/diagnostics.ts";
import type { VariantRange } from "../planner/plan.ts";
import type { Call } from "./call.ts";
import { ServiceError } from "./failure.ts";
import type { Planning } from "./planning.ts";
import type { PreparedConnection, Services } from "./services.ts";

interface ServerPlanning {
  readonly services: Pick<Services, "variants">;
  readonly call: Call;
  readonly connection: PreparedConnection;
  /** Throws `ServiceError`. */
  readonly plan: (variant: VariantRange | undefined) => Planning;
}

interface Asking<T> extends ServerPlanning {
  readonly ask: (planned: Planning) => Promise<T>;
}

/**
 * The result of `ask` with a plan for the connection's server. If the server has changed since its version was read, the version
 * is read again, once. Fails as planning and asking do.
 */
export async function forServer<T>(asking: Asking<T>): Promise<T> {
  const planned = await planForServer(asking);
  try {
    return await asking.ask(planned);
  } catch (error) {
    if (!(await forgetServer(error, asking.services, asking.connection))) throw error;
    return asking.ask(await planForServer(asking));
  }
}

/** Whether `error` says that the server is another one than planned for; if so, its version is read again by the next plan. */
export async function forgetServer(
  error: unknown,
  services: Pick<Services, "variants">,
  connection: PreparedConnection,
): Promise<boolean> {
  if (!(error instanceof ConnectorFailure) || error.reason !== "ANOTHER_VARIANT") return false;
  await services.variants.forget(connection.identity());
  return true;
}

/** A plan for the connection's server. If it adds no information, the error is the one of the plan for all servers. */
export async function planForServer({ services, call, connection, plan }: ServerPlanning): Promise<Planning> {
  try {
    return plan(undefined);
  } catch (refusal) {
    const ranges = liftedBy(refusal);
    if (ranges.length === 0) throw refusal;
    const variant = await services.variants.of(connection.identity(), async () => {
      const { connector, options } = await call.open(connection);
      return connection.variantAt(await call.race(connector.catalog({ kind: "version" }, options)));
    });
    const range = variant && ranges.find((each) => isWithin(variant, each));
    if (range === undefined) throw refusal;
    return plan(range);
  }
}

function liftedBy(error: unknown): readonly VariantRange[] {
  return error instanceof ServiceError && error.cause instanceof PlannerError ? error.cause.liftedBy : [];
}
