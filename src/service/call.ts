/** One call of a use case that contacts a data source: its deadline, its connector, and the translation of its failures. */
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
  /** Rejects with the deadline's error as soon as the deadline passes or the client disconnects. */
  race<T>(work: Promise<T>): Promise<T>;
  /**
   * Opens a connector, which belongs to the call and is closed by `end`. `plan`: the plan of the next statement, if there is one.
   */
  open(connection: PreparedConnection, plan?: Pick<Plan, "ruleProperties">): Promise<OpenedSource>;
  /** Failures from now on refer to this statement. */
  sends(statement: Omit<FailureContext, "operation">): void;
  /** Converts any error of the call into the error that the caller sees. */
  failure(error: unknown): ServiceError;
  /** Runs when the deadline passes or the client disconnects, even if no code waits for the source at that time. */
  onAbort(listener: () => void): void;
  /** Stops the timer and closes the connector in the background. Idempotent. */
  end(): void;
  /** Resolves at the end of the call, with the deadline's error if it caused the end. */
  readonly ended: Promise<ServiceError | undefined>;
}

export interface OpenedSource {
  readonly connector: Connector;
  /** Options for the next call of the connector, with its isolation key. */
  readonly options: CallOptions;
}

/** Starts the deadline. The code that starts a call must end it. */
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
        // A connection that opens after the call ended must be closed.
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
  { caller, project, session }: CallContext,
  connection: PreparedConnection,
  plan: Pick<Plan, "ruleProperties"> | undefined,
): Promise<string> {
  const properties = plan?.ruleProperties() ?? [];
  return isolationKey({
    caller,
    ...(project !== undefined && { project }),
    connection: connection.identity(),
    session: new Map(properties.map((name) => [name, session.get(name)])),
  });
}

/** Runs `work` as one call and always ends it. Throws `ServiceError`. */
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
