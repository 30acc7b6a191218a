/** HTTP in front of the connectors: authentication, concurrency limits and shutdown. No framework: three routes and one rule each. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as TcpServer } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import {
  type CacheOperation,
  type CacheOperationName,
  cacheOperationAt,
  readCacheOperation,
} from "../src/cache/sidecar-protocol.ts";
import type { CacheStore } from "../src/cache/store.ts";
import { ConnectorFailure } from "../src/connectors/failure.ts";
import { failureToJson } from "../src/connectors/remote/failure-json.ts";
import { ANSWER_HEADERS, type RemoteEnd, type RemoteHostOptions, serveRemote } from "../src/connectors/remote/host.ts";
import {
  MAX_BODY_BYTES,
  type OperationName,
  operationAt,
  PROTOCOL_VERSION,
  type RemoteOperation,
  VERSION_HEADER,
} from "../src/connectors/remote/protocol.ts";
import { readOperation } from "../src/connectors/remote/read-operation.ts";
import {
  judgeHeaders,
  NONCE_HEADER,
  NonceWindow,
  SIGNATURE_HEADER,
  type SignatureHeaders,
  TIMESTAMP_HEADER,
  type Verdict,
  verify,
} from "../src/connectors/remote/signature.ts";
import { type ArrivalLimits, Arrivals } from "../src/guard/arrivals.ts";
import { type TraceContext, traceOf } from "../src/guard/trace-context.ts";
import { type BodyReading, readBody } from "./body.ts";
import { serveCache } from "./cache/serve-cache.ts";
import { nodeHashing } from "./hashing.ts";
import { type Log, logCall, logRefusal } from "./log.ts";
import type { RequestMetrics } from "./metrics/sidecar-metrics.ts";
import { sendBody } from "./send-body.ts";

export interface SidecarServerOptions extends Pick<RemoteHostOptions, "open" | "heartbeatMs"> {
  /** Every one of them is accepted: the current one, and during a rotation the previous one. */
  readonly secrets: readonly string[];
  readonly maxInFlight: number;
  readonly log: Log;
  /** The store of Workers' query cache; without it, its paths do not exist. */
  readonly cache?: CacheStore | undefined;
  readonly metrics?: RequestMetrics;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Longest wait for a request's headers, and for all of it. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  readonly arriving?: Pick<ArrivalLimits, "bodies" | "bytesPerSecond">;
  /** A connection whose reader accepts nothing for this long is cut. */
  readonly stalledMs?: number;
}

export interface SidecarServer {
  readonly server: Server;
  /**
   * Reports "not ready" and keeps serving for `delayMs`, until load balancers have noticed. Then accepts no more
   * connections, waits for running requests and, after a delay, for clients to close idle connections, and cuts the
   * rest at the time-out.
   */
  drain(timeoutMs: number, delayMs?: number): Promise<void>;
}

/** Does not listen yet. */
export function createSidecarServer(options: SidecarServerOptions): SidecarServer {
  const { maxInFlight, log } = options;
  const now = options.now ?? Date.now;
  const nonces = new NonceWindow();
  const bodies = new Arrivals({ bytes: BODIES_HELD * MAX_BODY_BYTES, ...(options.arriving ?? ARRIVING) });
  let inFlight = 0;
  /** It is not ready any more, and closes connections with the answers on them. */
  let isDraining = false;
  let isRefusing = false;
  let idle = Promise.withResolvers<void>();

  options.metrics?.serves(() => ({ inFlight, maxInFlight, arriving: bodies.bodies, isDraining }));

  const server = createServer(
    {
      headersTimeout: options.headersTimeoutMs ?? 10_000,
      requestTimeout: options.requestTimeoutMs ?? 30_000,
      connectionsCheckingInterval: Math.min(1000, options.headersTimeoutMs ?? 1000),
      maxHeaderSize: 16 * 1024,
      // Longer than load balancers and tunnels (nginx 60 s, cloudflared 90 s): the client side must close first, or a
      // request meets a connection that is just closing.
      keepAliveTimeout: 120_000,
      keepAlive: true,
      keepAliveInitialDelay: 30_000,
    },
    (request, response) => {
      handle(request, response).catch((error: unknown) => {
        // The connection broke during a write; `logCall` logs the end of the call.
        if (!response.destroyed) response.destroy(error instanceof Error ? error : undefined);
      });
    },
  );

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = "", query = ""] = splitOnce(request.url ?? "", "?");
    if (isDraining) response.setHeader("connection", "close");
    if (path === "/health") return sendJson(response, 200, { status: "up" });
    if (path === "/ready") {
      // Workers call it too: they must have the same release.
      response.setHeader(VERSION_HEADER, PROTOCOL_VERSION);
      const isReady = !isDraining && inFlight < maxInFlight;
      return sendJson(response, isReady ? 200 : 503, { status: isReady ? "ready" : isDraining ? "draining" : "full" });
    }
    const refusal = await admit(request, path, query);
    if ("refused" in refusal) {
      const { status, failure } = refusal.refused;
      logRefusal(log, status, failure);
      options.metrics?.refused(status, failure.reason);
      // The rest of the body is not read.
      response.setHeader("connection", "close");
      if (failure.retryAfter !== undefined) response.setHeader("retry-after", String(failure.retryAfter));
      return sendJson(response, status, failureToJson(failure));
    }
    inFlight++;
    try {
      if ("cache" in refusal) await answerFromCache(refusal.cache, refusal.store, response);
      else {
        const trace = traceOf(header(request, "traceparent"), header(request, "tracestate"));
        await answer(refusal.operation, response, trace);
      }
    } finally {
      inFlight--;
      if (inFlight === 0) idle.resolve();
    }
  }

  type Admission =
    | { readonly operation: RemoteOperation }
    | { readonly cache: CacheOperation; readonly store: CacheStore }
    | { readonly refused: Refusal };

  /** Cheap checks run before expensive ones, and the body is only read for a plausible caller. */
  async function admit(request: IncomingMessage, path: string, query: string): Promise<Admission> {
    const name = operationAt(path);
    const onCache = options.cache === undefined ? undefined : cacheOperationAt(path);
    if (name === undefined && onCache === undefined) return refuse(404, "There is nothing at this path.");
    if (request.method !== "POST") return refuse(405, "Operations are asked with POST.");
    const version = header(request, VERSION_HEADER);
    if (version !== PROTOCOL_VERSION) {
      const asked = version === undefined ? "without a version" : "in another one";
      return refuse(426, `The sidecar speaks version ${PROTOCOL_VERSION} of the protocol and was asked ${asked}.`, {
        hint: "Deploy Worker and sidecar of the same release.",
      });
    }
    if (isRefusing) return refuse(503, "The sidecar is shutting down.", { retryAfter: 1 });
    const signature = signatureOf(request);
    const plausible = judgeHeaders(signature, now());
    if (!plausible.ok) return refuseSignature(plausible.because);
    if (inFlight >= maxInFlight) return overloaded();
    const body = await readBody(request, MAX_BODY_BYTES, bodies);
    if (!body.ok) return refuseBody(body.because);
    const parts = { method: request.method, path, query, body: body.bytes };
    const verdict = await verify(options.secrets, parts, signature, nonces, now(), nodeHashing);
    if (!verdict.ok) return refuseSignature(verdict.because);
    const admission = read(name, onCache, body.bytes);
    if ("refused" in admission) return admission;
    if (isRefusing) return refuse(503, "The sidecar is shutting down.", { retryAfter: 1 });
    return inFlight >= maxInFlight ? overloaded() : admission;
  }

  function read(name: OperationName | undefined, onCache: CacheOperationName | undefined, body: Uint8Array): Admission {
    const hint = "Deploy Worker and sidecar of the same release.";
    if (name !== undefined) {
      const reading = readOperation(name, body);
      return reading.ok ? { operation: reading.operation } : refuse(400, reading.problem, { hint });
    }
    const cache = onCache === undefined ? undefined : readCacheOperation(onCache, body);
    if (cache === undefined || options.cache === undefined)
      return refuse(400, "The body is no such request.", { hint });
    return { cache, store: options.cache };
  }

  async function answerFromCache(
    operation: CacheOperation,
    store: CacheStore,
    response: ServerResponse,
  ): Promise<void> {
    response.setTimeout(options.stalledMs ?? 120_000, () => response.destroy());
    const isServed = await serveCache(operation, store, response);
    const found = response.statusCode === 200 ? "hit" : "miss";
    options.metrics?.cached(operation.name, !isServed ? "failed" : operation.name === "put" ? "stored" : found);
    if (isServed) {
      if (!response.closed) await once(response, "close");
      return;
    }
    const { failure, status } = refuse(503, "The cache's store did not answer.", { retryAfter: 1 }).refused;
    if (!response.headersSent) sendJson(response, status, failureToJson(failure));
  }

  async function answer(operation: RemoteOperation, response: ServerResponse, trace: TraceContext): Promise<void> {
    const started = performance.now();
    const caller = new AbortController();
    let isOver = false;
    const ended = Promise.withResolvers<void>();
    const frames = serveRemote(operation, caller.signal, {
      open: options.open,
      ...(options.heartbeatMs !== undefined && { heartbeatMs: options.heartbeatMs }),
      onEnd: (end: RemoteEnd) => {
        isOver = true;
        const milliseconds = performance.now() - started;
        logCall(log, end, milliseconds, trace);
        options.metrics?.ended(end, milliseconds);
        ended.resolve();
      },
    });
    response.on("close", () => {
      if (!isOver) caller.abort(new ConnectorFailure("CANCELLED", "The caller has gone."));
    });
    response.setTimeout(options.stalledMs ?? 120_000, () => response.destroy());
    for (const [name, value] of Object.entries(ANSWER_HEADERS)) response.setHeader(name, value);
    await sendBody(frames, response);
    await ended.promise;
  }

  async function nothingInFlight(): Promise<void> {
    if (inFlight === 0) return;
    idle = Promise.withResolvers<void>();
    await idle.promise;
  }

  return {
    server,
    async drain(timeoutMs, delayMs = 0) {
      isDraining = true;
      if (delayMs > 0) await after(delayMs);
      isRefusing = delayMs === 0;
      // HTTP's own `close` ends idle connections too, and a request may be on its way on one: it is answered, or refused in
      // words, which its sender may repeat elsewhere, and not by a connection that breaks, which it may not.
      const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(server, () => resolve()));
      const timer = setTimeout(() => server.closeAllConnections(), timeoutMs);
      await nothingInFlight();
      if (delayMs > 0) {
        // An answer that began before the drain announced no end of its connection: its client may send another request on it.
        await Promise.race([closed, after(KEPT_MS)]);
        await nothingInFlight();
      }
      isRefusing = true;
      clearTimeout(timer);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** workerd lets go of a connection that it has not used for 5 s. */
const KEPT_MS = 6000;

/** Maximum number of full-size bodies held before their sender is authenticated. */
const BODIES_HELD = 8;
/** Only Workers send requests, and they have the body in memory. */
const ARRIVING: Pick<ArrivalLimits, "bodies" | "bytesPerSecond"> = { bodies: 256, bytesPerSecond: 16 * 1024 };

interface Refusal {
  readonly status: number;
  readonly failure: ConnectorFailure;
}

function refuse(
  status: number,
  message: string,
  details: { readonly hint?: string; readonly retryAfter?: number } = {},
): { refused: Refusal } {
  return { refused: { status, failure: new ConnectorFailure("SIDECAR_REFUSED", message, details) } };
}

function overloaded(): { refused: Refusal } {
  const failure = new ConnectorFailure("OVERLOADED", "The sidecar is at its limit of concurrent requests.", {
    retryAfter: 1,
  });
  return { refused: { status: 503, failure } };
}

function refuseBody(because: Extract<BodyReading, { ok: false }>["because"]): { refused: Refusal } {
  switch (because) {
    case "too large":
      return refuse(413, "The body is too large.");
    case "too slow":
      return refuse(408, "The body arrived too slowly, or others needed its room.", { retryAfter: 1 });
    case "too many":
      return overloaded();
    default:
      return because satisfies never;
  }
}

function refuseSignature(because: Extract<Verdict, { ok: false }>["because"]): { refused: Refusal } {
  switch (because) {
    case "unsigned":
      return refuse(401, "The request is not signed.", { hint: "Only the Worker asks the sidecar." });
    case "malformed":
    case "signature":
      return refuse(401, "The signature is wrong.", { hint: "SIDECAR_SECRET must be the same in Worker and sidecar." });
    case "clock":
      return refuse(401, "The request was signed at another time than now.", {
        hint: "Set the sidecar's clock by NTP.",
      });
    case "replayed":
      return refuse(409, "The request was sent before.");
    case "busy":
      return overloaded();
    default:
      return because satisfies never;
  }
}

function signatureOf(request: IncomingMessage): Partial<SignatureHeaders> {
  const timestamp = header(request, TIMESTAMP_HEADER);
  const nonce = header(request, NONCE_HEADER);
  const signature = header(request, SIGNATURE_HEADER);
  return {
    ...(timestamp !== undefined && { timestamp }),
    ...(nonce !== undefined && { nonce }),
    ...(signature !== undefined && { signature }),
  };
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === "string" ? value : undefined;
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
