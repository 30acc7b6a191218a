/**
 * A statement of a source whose servers do not all understand the same (MySQL and MariaDB, versions of SQL Server). It is
 * planned for all of them, without a connection. Only where that is refused, and some servers would take it, is the
 * connection's own asked what it is, and the statement planned for that one. So most statements ask nothing.
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
  /** Fails with `ServiceError`. */
  readonly plan: (variant: VariantRange | undefined) => Planning;
  readonly ask: (planned: Planning) => Promise<T>;
}

/**
 * What `ask` answers to a plan for the connection's server. Where that has become another one since it was asked what it is,
 * it is asked again, once. Fails as planning and asking do; with the refusal by all servers where this one has no more to say.
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
