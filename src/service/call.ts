/** One call of a use case that touches a data source: its deadline, its connector, and what its failures look like. */
import type { CallOptions, Connector } from "../connectors/connector.ts";
import { isolationKey } from "../connectors/isolation.ts";
import { ANONYMOUS } from "../guard/caller.ts";
import type { Plan } from "../planner/plan.ts";
import { startDeadline } from "./deadline.ts";
import type { ServiceError } from "./failure.ts";
import type { Operation } from "./operations.ts";
import type { CallContext, PreparedConnection, Services } from "./services.ts";
import { type FailureContext, toServiceError } from "./translate.ts";

export interface Call {
  readonly operation: Operation;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Fails with the deadline's error as soon as the deadline passes or the client goes. */
  race<T>(work: Promise<T>): Promise<T>;
  /** The connector is the call's, which has one: `end` closes it. `plan`: of the statement that is sent next, if there is one. */
  open(connection: PreparedConnection, plan?: Pick<Plan, "ruleProperties">): Promise<OpenedSource>;
  /** Failures from now on tell about this statement. */
  sends(statement: Omit<FailureContext, "operation">): void;
  /** What the outside sees of anything thrown during the call. */
  failure(error: unknown): ServiceError;
  /** Runs when the deadline passes or the client goes, whether or not anybody is waiting for the source just then. */
  onAbort(listener: () => void): void;
  /** Stops the clock and closes the connector in the background. Idempotent. */
  end(): void;
  /** Resolves at the end of the call: with the deadline's error if that is what ended it. */
  readonly ended: Promise<ServiceError | undefined>;
}

export interface OpenedSource {
  readonly connector: Connector;
  /** For the next question to the connector, with its isolation key. */
  readonly options: CallOptions;
}

/** The clock starts here. Whoever starts a call ends it. */
export function startCall(services: Services, context: CallContext, operation: Operation): Call {
  const deadline = startDeadline(operation, {
    client: context.signal,
    milliseconds: services.limits.applicationTimeoutMs,
    makeWay: context.makeWay,
  });
  const { signal } = deadline;
  const timeoutMs = context.statementTimeoutMs ?? services.limits.statementTimeoutMs;
  let statement: Omit<FailureContext, "operation"> = {};
  let connector: Connector | undefined;
  const { promise: ended, resolve: markEnded } = Promise.withResolvers<ServiceError | undefined>();

  return {
    operation,
    signal,
    timeoutMs,
    ended,
    race: deadline.race,
    async open(connection, plan) {
      signal.throwIfAborted();
      const isolation = connection.hasOwnEngine ? await isolationOf(context, connection, plan) : undefined;
      const options: CallOptions = { signal, timeoutMs, ...(isolation !== undefined && { isolation }) };
      if (connector !== undefined) return { connector, options };
      const { correlationId, traceHeaders } = context;
      const caller = context.caller === ANONYMOUS ? undefined : context.caller;
      const opening = connection.open({ signal, correlationId, caller, traceHeaders });
      try {
        connector = await context.phases.during("connect", () => deadline.race(opening));
      } catch (error) {
        // A connection that comes up after the call was given up must not stay open.
        context.defer(
          opening.then(
            (late) => late.close(),
            () => undefined,
          ),
        );
        throw error;
      }
      return { connector, options };
    },
    sends(context) {
      statement = context;
    },
    failure(error) {
      const cause = deadline.signal.aborted ? deadline.signal.reason : error;
      return toServiceError(cause, { ...statement, operation });
    },
    onAbort(listener) {
      if (deadline.signal.aborted) listener();
      else deadline.signal.addEventListener("abort", listener, { once: true });
    },
    end() {
      deadline.clear();
      if (connector !== undefined) context.defer(connector.close());
      connector = undefined;
      markEnded(deadline.signal.aborted ? (deadline.signal.reason as ServiceError) : undefined);
    },
  };
}

/** Without a plan no rule is evaluated: a listing, or a version. */
function isolationOf(
  { caller, session }: CallContext,
  connection: PreparedConnection,
  plan: Pick<Plan, "ruleProperties"> | undefined,
): Promise<string> {
  const properties = plan?.ruleProperties() ?? [];
  return isolationKey({
    caller,
    connection: connection.identity(),
    session: new Map(properties.map((name) => [name, session.get(name)])),
  });
}

/** Runs `work` as one call, ended whatever happens. Fails with `ServiceError`. */
export async function withCall<T>(
  services: Services,
  context: CallContext,
  operation: Operation,
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const call = startCall(services, context, operation);
  try {
    return await work(call);
  } catch (error) {
    throw call.failure(error);
  } finally {
    call.end();
  }
}
