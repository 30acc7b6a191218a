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

interface Asking<T> {
  readonly services: Pick<Services, "variants">;
  readonly call: Call;
  readonly connection: PreparedConnection;
  /** Throws `ServiceError`. */
  readonly plan: (variant: VariantRange | undefined) => Planning;
  readonly ask: (planned: Planning) => Promise<T>;
}

/**
 * The result of `ask` with a plan for the connection's server. If the server has changed since its version was read, the version
 * is read again, once. Fails as planning and asking do. If the plan for this server adds no information, the error is the one of
 * the plan for all servers.
 */
export async function forServer<T>(asking: Asking<T>): Promise<T> {
  const { services, connection, ask } = asking;
  try {
    return await ask(await planForServer(asking));
  } catch (error) {
    if (!(error instanceof ConnectorFailure) || error.reason !== "ANOTHER_VARIANT") throw error;
    await services.variants.forget(connection.identity());
    return ask(await planForServer(asking));
  }
}

async function planForServer({ services, call, connection, plan }: Omit<Asking<unknown>, "ask">): Promise<Planning> {
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
