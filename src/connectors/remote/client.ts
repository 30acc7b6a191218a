/**
 * The near end of a remote connector: a `Connector` that forwards its work to another host
 * (docs/decisions/0027-one-connector-for-both.md).
 */
import { warningsFromJson } from "../../result/encode/frames/columns.ts";
import { FrameError } from "../../result/encode/frames/format.ts";
import { readFrames } from "../../result/encode/frames/reader.ts";
import type { FrameAnswer } from "../../result/encode/frames/writer.ts";
import { type ByteSource, ChunkReader } from "../../result/stream/chunk-reader.ts";
import { PulledBatches } from "../../result/stream/pulled.ts";
import type { Batch, ResultStream, SourceWarning } from "../../result/types.ts";
import type { CatalogAnswers, CatalogRequest } from "../catalog/types.ts";
import type { CallOptions, Capabilities, Connector, DryRunReport, Statement } from "../connector.ts";
import { ConnectorFailure, cancelled, type FailureReason } from "../failure.ts";
import { Watch } from "../watch.ts";
import { failureFromJson } from "./failure-wire.ts";
import { Patience } from "./patience.ts";
import {
  FRAMES_TYPE,
  HEARTBEAT_MS,
  MOST_OF_CALLER,
  type OperationName,
  PATHS,
  PROTOCOL_VERSION,
  type RemoteOperation,
  VERSION_HEADER,
  writeOperation,
} from "./protocol.ts";
import { WatchedBody } from "./watched-body.ts";

/** Sends a body to a path of the host; the transport adds headers for authentication. Rejects when there is no response. */
export type Transport = (
  path: string,
  body: Uint8Array,
  signal: AbortSignal,
  traceHeaders?: Readonly<Record<string, string>>,
) => Promise<Response>;

/** The far end, as error messages describe it. */
export interface Peer {
  /** The first words of a sentence. */
  readonly name: string;
  readonly unreachable: FailureReason;
  /** The remedy when the far end is missing, or another service answers. */
  readonly hint: string;
}

export interface RemoteOptions {
  readonly transport: Transport;
  readonly peer: Peer;
  readonly source: string;
  /** See `CanonicalConnection`. */
  readonly connection: Readonly<Record<string, unknown>>;
  readonly correlationId: string;
  readonly caller?: string | undefined;
  readonly traceHeaders?: Readonly<Record<string, string>>;
  readonly capabilities: Capabilities;
  /** Maximum wait for the headers of a response; the host sends them before it starts to work. */
  readonly connectTimeoutMs: number;
  /** Maximum silence during a wait; heartbeats end the silence. */
  readonly silenceMs?: number;
}

/** Three heartbeat intervals: one heartbeat may be late, and one in transit. */
const SILENCE_MS = 3 * HEARTBEAT_MS;

/** Status of a host that is shutting down, with the reason `SIDECAR_REFUSED`, or overloaded, with another reason. */
const LEAVING = 503;

/** A request whose response has begun. */
interface Call {
  readonly answer: FrameAnswer;
  /** Aborting it cancels the request; the reader gets the abort reason. */
  readonly control: AbortController;
  /** Must be called when the answer has been read or abandoned. */
  readonly ended: () => void;
}

/** Sends nothing yet; every call is a separate request. */
export function remoteConnector(options: RemoteOptions): Connector {
  const { peer } = options;
  const calls = new Set<AbortController>();
  let isClosed = false;

  /** Sends an operation and reads the beginning of its answer. `ended` must be called when the answer has been read. */
  async function call(operation: RemoteOperation, signal: AbortSignal): Promise<Call> {
    const control = new AbortController();
    const patience = new Patience();
    if (isClosed) throw new ConnectorFailure("CANCELLED", "The connector is closed.");
    if (signal.aborted) throw cancelled(signal);
    const watch = new Watch({ signal }, () => control.abort(cancelled(signal)));
    const ended = (): void => {
      watch.end();
      calls.delete(control);
    };
    calls.add(control);
    const started = Date.now();
    try {
      const watched = (response: Response): WatchedBody =>
        new WatchedBody(bodyOf(response), {
          silenceMs: options.silenceMs ?? SILENCE_MS,
          onSilence: (milliseconds) => silent(peer, operation, started, milliseconds),
          patience,
          signal: control.signal,
        });
      let response = await send(operation, control, patience);
      let body = watched(response);
      if (response.status === LEAVING) {
        const refused = await refusal(peer, response.status, body);
        if (refused.reason !== "SIDECAR_REFUSED") throw refused;
        // The host is shutting down and has not started the call, so another host behind the address may take it. Later failures
        // are never retried.
        response = await send(operation, control, patience);
        body = watched(response);
      }
      if (response.status !== 200) throw await refusal(peer, response.status, body);
      if (!isFrames(response.headers)) {
        throw new ConnectorFailure("UPSTREAM_PROTOCOL", `${peer.name} is another program, or of another release.`, {
          hint: peer.hint,
        });
      }
      return { answer: await readFrames(body, { revive: (json) => revive(peer, json) }), control, ended };
    } catch (error) {
      ended();
      patience.stop();
      const failure = translate(peer, error, control.signal);
      // The host ends all open work of the request when the request ends.
      control.abort(failure);
      throw failure;
    }
  }

  /** The headers arrive at once, or the host is unreachable. */
  async function send(operation: RemoteOperation, control: AbortController, patience: Patience): Promise<Response> {
    patience.begin(options.connectTimeoutMs, () => {
      control.abort(unreachable(peer, `it did not answer within ${options.connectTimeoutMs} ms`, undefined));
    });
    try {
      const { transport, traceHeaders = {} } = options;
      return await transport(PATHS[operation.name], writeOperation(operation), control.signal, traceHeaders);
    } catch (error) {
      if (control.signal.aborted || error instanceof ConnectorFailure) throw error;
      throw unreachable(peer, reasonOf(error), error);
    } finally {
      patience.end();
    }
  }

  function envelope({ timeoutMs, isolation }: CallOptions) {
    const { source, connection, correlationId, caller } = options;
    return {
      source,
      connection,
      correlationId,
      ...(caller && { caller: caller.slice(0, MOST_OF_CALLER).toWellFormed() }),
      timeoutMs: Math.max(1, Math.round(timeoutMs)),
      ...(isolation !== undefined && { isolation }),
    };
  }

  async function report(operation: RemoteOperation, signal: AbortSignal): Promise<unknown> {
    const { answer, ended } = await call(operation, signal);
    ended();
    if (answer.kind === "report") return answer.report;
    await answer.stream.close();
    throw unexpected(peer, "rows", operation.name);
  }

  return {
    capabilities: options.capabilities,
    async query(statement: Statement, given: CallOptions): Promise<ResultStream> {
      const begun = await call({ name: "query", statement: sent(statement), ...envelope(given) }, given.signal);
      const { answer, ended } = begun;
      if (answer.kind === "report") {
        ended();
        throw unexpected(peer, "a report", "query");
      }
      return guarded(peer, answer.stream, begun);
    },
    async dryRun(statement: Statement, given: CallOptions): Promise<DryRunReport> {
      const json = await report({ name: "dry-run", statement: sent(statement), ...envelope(given) }, given.signal);
      const bytes = typeof json === "object" && json !== null && "bytes" in json ? json.bytes : undefined;
      const warnings = warningsIn(peer, json);
      return {
        ...(typeof bytes === "string" && /^\d{1,30}$/.test(bytes) && { bytes: BigInt(bytes) }),
        ...(warnings.length > 0 && { warnings }),
      };
    },
    async catalog<K extends CatalogRequest["kind"]>(
      request: Extract<CatalogRequest, { kind: K }>,
      given: CallOptions,
    ): Promise<CatalogAnswers[K]> {
      return (await report({ name: "catalog", request, ...envelope(given) }, given.signal)) as CatalogAnswers[K];
    },
    async close(): Promise<void> {
      isClosed = true;
      for (const control of calls) control.abort(new ConnectorFailure("CANCELLED", "The connector is closed."));
      calls.clear();
    },
  };
}

/** Adapts the stream to the interface: translates transport failures, and releases everything at the end. */
function guarded(peer: Peer, stream: ResultStream, { control, ended }: Pick<Call, "control" | "ended">): ResultStream {
  const pull = async (): Promise<Batch | undefined> => {
    try {
      const next = await stream.batches.next();
      if (!next.done) return next.value;
      // An end that follows an abort is not a regular end.
      if (control.signal.aborted) throw control.signal.reason;
      ended();
      return undefined;
    } catch (error) {
      ended();
      throw translate(peer, error, control.signal);
    }
  };
  const batches = new PulledBatches(pull, () => {
    ended();
    return stream.close();
  });
  return { columns: stream.columns, warnings: stream.warnings, batches, close: () => batches.close() };
}

/** A body of this length arrives together with its headers. */
const ONE_PIECE_BYTES = 64 * 1024;

/** If the host declares a short length, the answer is read without a stream: a stream costs as much as the answer itself. */
function bodyOf(response: Response): ByteSource {
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  if (!(length <= ONE_PIECE_BYTES)) return new ChunkReader(response.body ?? new Blob([]).stream());
  let isRead = false;
  return {
    async read() {
      if (isRead) return undefined;
      isRead = true;
      return new Uint8Array(await response.arrayBuffer());
    },
    // The rest of the body ends with the request.
    cancel: async () => undefined,
  };
}

function warningsIn({ name }: Peer, json: unknown): readonly SourceWarning[] {
  try {
    return warningsFromJson(json);
  } catch (cause) {
    throw new ConnectorFailure("UPSTREAM_PROTOCOL", `${name} answered a dry run that cannot be read.`, { cause });
  }
}

function revive({ name }: Peer, json: unknown): ConnectorFailure {
  const failure = failureFromJson(json);
  return failure ?? new ConnectorFailure("UPSTREAM_PROTOCOL", `${name} failed, and its answer is not readable.`);
}

function isFrames(headers: Headers): boolean {
  return headers.get("content-type") === FRAMES_TYPE && headers.get(VERSION_HEADER) === PROTOCOL_VERSION;
}

/** A refusal of the host is short JSON with a failure; any other body comes from a proxy. */
async function refusal(peer: Peer, status: number, body: ByteSource): Promise<ConnectorFailure> {
  const told = failureFromJson(await beginningAsJson(body));
  if (told !== undefined) return told;
  if (status >= 500) return unreachable(peer, `something in between answered ${status}`, undefined);
  return new ConnectorFailure("SIDECAR_REFUSED", `${peer.name} answered ${status} without a reason.`, {
    hint: peer.hint,
  });
}

const MAX_REFUSAL_BYTES = 64 * 1024;

/** Undefined for a body that is not JSON, or too long for a refusal of the host. */
async function beginningAsJson(body: ByteSource): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_REFUSAL_BYTES) {
      await body.cancel().catch(() => undefined);
      return undefined;
    }
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `given` is the request's signal: if it was aborted, the abort reason is the failure. */
function translate(peer: Peer, error: unknown, given: AbortSignal): ConnectorFailure {
  if (given.reason instanceof ConnectorFailure) return given.reason;
  if (error instanceof ConnectorFailure) return error;
  if (error instanceof FrameError && error.cause instanceof ConnectorFailure) return error.cause;
  const why = error instanceof FrameError ? error.message : reasonOf(error);
  return new ConnectorFailure("UPSTREAM_PROTOCOL", `${peer.name} broke its answer off: ${why}`, { cause: error });
}

/** Copies the members that the host needs: the statement may be a whole plan. */
function sent({ sql, columns, session, reads, fenced, joinsMayFilter, variant }: Statement): Statement {
  return {
    sql,
    columns,
    session,
    reads,
    ...(fenced && { fenced }),
    ...(joinsMayFilter && { joinsMayFilter }),
    ...(variant && { variant }),
  };
}

/** After the statement's own time-out, silence means that the source did not stop the statement. */
function silent(peer: Peer, { timeoutMs }: RemoteOperation, started: number, silence: number): ConnectorFailure {
  if (Date.now() - started >= timeoutMs) {
    return new ConnectorFailure(
      "STATEMENT_TIMEOUT",
      `The statement ran longer than ${timeoutMs} ms. ${peer.name} fell silent.`,
    );
  }
  return unreachable(peer, `it was silent for ${silence} ms`, undefined);
}

function unreachable({ name, unreachable: reason, hint }: Peer, why: string, cause: unknown): ConnectorFailure {
  return new ConnectorFailure(reason, `${name} cannot be reached: ${why}.`, {
    hint,
    ...(cause !== undefined && { cause }),
  });
}

function unexpected({ name }: Peer, what: string, operation: OperationName): ConnectorFailure {
  return new ConnectorFailure("UPSTREAM_PROTOCOL", `${name} answered ${operation} with ${what}.`);
}

/** Node puts the reason of a failed `fetch` in the error's cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.cause instanceof Error && error.cause.message !== "") return error.cause.message.replace(/\.$/, "");
  return error.message.replace(/\.$/, "");
}
