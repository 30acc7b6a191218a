/**
 * The far end of a remote connector: runs one call on a connector of this process and answers with frames
 * (docs/decisions/0027-one-connector-for-both.md).
 */

import { Phases, type PhaseTimes } from "../../guard/phases.ts";
import {
  answerFrames,
  type FrameAnswer,
  type HeartbeatInterval,
  type RelayedAnswer,
  type ReportAnswer,
} from "../../result/encode/frames/writer.ts";
import { ResultError } from "../../result/failure.ts";
import { type ByteSource, readableOf } from "../../result/stream/chunk-reader.ts";
import type { CallOptions, Connector } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import { Watch } from "../watch.ts";
import { failureToJson } from "./failure-json.ts";
import { FRAMES_TYPE, HEARTBEAT_MS, PROTOCOL_VERSION, type RemoteOperation, VERSION_HEADER } from "./protocol.ts";
import { runCall } from "./run-call.ts";

/** The end of a call; reported once, after all its resources are released. */
export interface RemoteEnd {
  readonly operation: RemoteOperation;
  readonly outcome: "complete" | "failed" | "cancelled";
  readonly rows: number;
  readonly bytes: number;
  /** `firstRow` is the time until the source begins to answer. */
  readonly phases: PhaseTimes;
  /** The error, when the outcome is `failed`. */
  readonly error?: unknown;
}

/** Runs one call in another process, which returns frames. */
export interface Relay extends Pick<Connector, "close"> {
  relay(options: CallOptions): Promise<RelayedAnswer | ReportAnswer>;
}

export interface RemoteHostOptions {
  /** Opens one connector for one call; the host closes it. Throws `ConnectorFailure`. */
  readonly open: (operation: RemoteOperation, options: Pick<CallOptions, "signal">) => Promise<Connector | Relay>;
  /** Must not throw. */
  readonly onEnd?: (end: RemoteEnd) => void;
  /** `HEARTBEAT_MS`, except in tests. */
  readonly heartbeatMs?: number;
}

/** Headers of the answer, whose status is 200. */
export const ANSWER_HEADERS = {
  "content-type": FRAMES_TYPE,
  [VERSION_HEADER]: PROTOCOL_VERSION,
  "cache-control": "no-store",
} as const;

/** Never shown; created once, because each new error records a stack. */
const ENDED = new ConnectorFailure("CANCELLED", "The call has ended.");

/**
 * Begins to answer at once, and works as the answer is read: rows are pulled from the source only for the reader. Cancelling the
 * body of the answer, and `signal`, end the call on the source. Never throws; a failure is the last frame of the answer.
 */
export function serveRemote(operation: RemoteOperation, signal: AbortSignal, options: RemoteHostOptions): ByteSource {
  const call = new AbortController();
  if (signal.aborted) call.abort(signal.reason);
  const watch = new Watch({ signal }, () => call.abort(signal.reason));

  let opened: Connector | Relay | undefined;
  const phases = new Phases();
  const answer = async (): Promise<FrameAnswer | RelayedAnswer> => {
    opened = await phases.during("connect", () => options.open(operation, { signal: call.signal }));
    // The caller disconnected while the connection opened, so it must be closed here.
    if (call.signal.aborted) {
      await opened.close();
      throw call.signal.reason;
    }
    const { timeoutMs, isolation } = operation;
    const callOptions: CallOptions = { signal: call.signal, timeoutMs, isolation };
    const connector = opened;
    const begun = await phases.during("firstRow", async () =>
      "relay" in connector ? connector.relay(callOptions) : runCall(operation, connector, callOptions),
    );
    phases.begin("lastRow");
    return begun;
  };

  return answerFrames(answer(), {
    describeFailure: (error) => failureToJson(asFailure(error, call.signal, operation)),
    startInterval: () => startInterval(options.heartbeatMs ?? HEARTBEAT_MS),
    onEnd: ({ outcome, rows, bytes, error }) => {
      watch.end();
      call.abort(ENDED);
      const times = phases.finish();
      const released = opened?.close() ?? Promise.resolve();
      void released.finally(() => {
        options.onEnd?.({ operation, outcome, rows, bytes, phases: times, ...(outcome === "failed" && { error }) });
      });
    },
  });
}

/** `serveRemote` as a `Response`. */
export function remoteResponse(...call: Parameters<typeof serveRemote>): Response {
  return new Response(readableOf(serveRemote(...call)), { headers: ANSWER_HEADERS });
}

/**
 * A defect of the service is reported without its text, which may quote anything; the host's log has it under the correlation id.
 */
function asFailure(error: unknown, signal: AbortSignal, { correlationId }: RemoteOperation): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  if (signal.aborted) return new ConnectorFailure("CANCELLED", "The caller has gone.");
  if (error instanceof ResultError) return new ConnectorFailure("UPSTREAM_PROTOCOL", error.message);
  return new ConnectorFailure(
    "UPSTREAM_PROTOCOL",
    `The sidecar failed; its log has the details under ${correlationId}.`,
  );
}

function startInterval(milliseconds: number): HeartbeatInterval {
  const { promise: passed, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  return { passed, cancel: () => clearTimeout(timer) };
}
