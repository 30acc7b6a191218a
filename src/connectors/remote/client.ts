/** The near end of a remote connector: a `Connector` whose work is done by a host over there (decisions C5). */
import { FrameError } from "../../result/encode/frames/format.ts";
import { readFrames } from "../../result/encode/frames/reader.ts";
import type { FrameAnswer } from "../../result/encode/frames/writer.ts";
import { type ByteSource, ChunkReader } from "../../result/stream/chunk-reader.ts";
import { PulledBatches } from "../../result/stream/pulled.ts";
import type { Batch, ResultStream } from "../../result/types.ts";
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

/** Sends a body to a path of the host; headers that prove who asks are the transport's. Rejects when there is no answer. */
export type Transport = (
  path: string,
  body: Uint8Array,
  signal: AbortSignal,
  traceHeaders?: Readonly<Record<string, string>>,
) => Promise<Response>;

/** Who is at the other end, in the words of the failures that tell of it. */
export interface Peer {
  /** Begins a sentence. */
  readonly name: string;
  readonly unreachable: FailureReason;
  /** What to do when it is not there, or something else is. */
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
  /** Longest wait for the headers of an answer; the host sends them before it begins to work. */
  readonly connectTimeoutMs: number;
  /** Longest silence while something is waited for, heartbeats being no silence. */
  readonly silenceMs?: number;
}

/** Three heartbeats: one may be late, and one on its way. */
const SILENCE_MS = 3 * HEARTBEAT_MS;

/** Status of a host that ends, with `SIDECAR_REFUSED`; of one that has too much to do, with another reason. */
const LEAVING = 503;

/** A request whose answer has begun. */
interface Call {
  readonly answer: FrameAnswer;
  /** Aborting it gives the request up, with the failure that the reader is to see. */
  readonly control: AbortController;
  /** To be called when the answer has been read or given up. */
  readonly ended: () => void;
}

/** Sends nothing yet; every call is a request of its own. */
export function remoteConnector(options: RemoteOptions): Connector {
  const { peer } = options;
  const calls = new Set<AbortController>();
  let isClosed = false;

  /** Sends an operation and reads its answer's beginning. `ended` must be called when the answer has been read. */
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
        // It goes, and has not begun: whoever is behind the address now may take it. What fails later is never repeated.
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
      // Whatever is still open over there ends with the request.
      control.abort(failure);
      throw failure;
    }
  }

  /** The headers come at once, or there is nobody. */
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
      return typeof bytes === "string" && /^\d{1,30}$/.test(bytes) ? { bytes: BigInt(bytes) } : {};
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

/** The stream as the interface wants it: failures of the transport in our terms, and an end that lets go of everything. */
function guarded(peer: Peer, stream: ResultStream, { control, ended }: Pick<Call, "control" | "ended">): ResultStream {
  const pull = async (): Promise<Batch | undefined> => {
    try {
      const next = await stream.batches.next();
      if (!next.done) return next.value;
      // An end that came because the call was given up is not one.
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
  return { columns: stream.columns, batches, close: () => batches.close() };
}

/** A body of this length is there as soon as its headers are. */
const ONE_PIECE_BYTES = 64 * 1024;

/** Where the host says how short the answer is, without a stream: reading one costs as much as the answer itself. */
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
    // What is left of it ends with the request.
    cancel: async () => undefined,
  };
}

function revive({ name }: Peer, json: unknown): ConnectorFailure {
  const failure = failureFromJson(json);
  return failure ?? new ConnectorFailure("UPSTREAM_PROTOCOL", `${name} failed, and told nothing readable.`);
}

function isFrames(headers: Headers): boolean {
  return headers.get("content-type") === FRAMES_TYPE && headers.get(VERSION_HEADER) === PROTOCOL_VERSION;
}

/** The host's refusals are short JSON with a failure in it; anything else comes from what stands in between. */
async function refusal(peer: Peer, status: number, body: ByteSource): Promise<ConnectorFailure> {
  const told = failureFromJson(await beginningAsJson(body));
  if (told !== undefined) return told;
  if (status >= 500) return unreachable(peer, `something in between answered ${status}`, undefined);
  return new ConnectorFailure("SIDECAR_REFUSED", `${peer.name} answered ${status} without saying why.`, {
    hint: peer.hint,
  });
}

const MAX_REFUSAL_BYTES = 64 * 1024;

/** Undefined for what is not JSON, or too long to be a refusal of ours. */
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

/** `given` is the request's signal: when it was given up, why is what counts. */
function translate(peer: Peer, error: unknown, given: AbortSignal): ConnectorFailure {
  if (given.reason instanceof ConnectorFailure) return given.reason;
  if (error instanceof ConnectorFailure) return error;
  if (error instanceof FrameError && error.cause instanceof ConnectorFailure) return error.cause;
  const why = error instanceof FrameError ? error.message : reasonOf(error);
  return new ConnectorFailure("UPSTREAM_PROTOCOL", `${peer.name} broke its answer off: ${why}`, { cause: error });
}

/** Not the statement itself: it may be a whole plan, of which the host needs these members. */
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

/** Past the statement's own time, silence means that the source did not let go of the statement. */
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

/** Node hides the reason of a failed `fetch` in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if (error.cause instanceof Error && error.cause.message !== "") return error.cause.message.replace(/\.$/, "");
  return error.message.replace(/\.$/, "");
}
