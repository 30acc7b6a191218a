/**
 * A gRPC channel to a Spark Connect server, one per connector. The sidecar's dial first checks the address and reports
 * exact errors; gRPC gets the address that answered and no name to resolve.
 */
import { isIPv6 } from "node:net";
import { createSecureContext } from "node:tls";
import {
  type ChannelOptions,
  type ClientReadableStream,
  credentials,
  InterceptingCall,
  type Interceptor,
  Metadata,
  type Requester,
  type ServiceError,
} from "@grpc/grpc-js";
import type { SparkConnection } from "../../src/connectors/connection/spark.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Dial } from "../../src/connectors/socket/wire.ts";
import { within } from "../../src/connectors/watch.ts";
import {
  type ExecutePlanResponse,
  errorInfoOf,
  type InSession,
  type Plan,
  type SparkConnectClient,
  SparkConnectService,
  type UnaryCalls,
  type UnaryMethods,
} from "./protocol.ts";

/** Maximum message size. Spark sends at most 4 MiB, unless a row is larger. */
const MAX_MESSAGE = 64 * 1024 * 1024;

export interface ChannelHost {
  readonly dial: Dial;
  /** For reaching and encrypting. */
  readonly connectTimeoutMs: number;
}

/** Fails with what dialling fails with: `EGRESS_DENIED`, `HOST_UNREACHABLE`, `TLS_UNTRUSTED`. */
export async function openChannel(
  connection: SparkConnection,
  { dial, connectTimeoutMs }: ChannelHost,
  signal: AbortSignal,
): Promise<SparkChannel> {
  const { host, port, isSecure } = connection;
  const failure = (ending: string): unknown =>
    ending === "aborted"
      ? signal.reason
      : new ConnectorFailure("HOST_UNREACHABLE", `No answer from ${host} port ${port} in ${connectTimeoutMs} ms.`);
  const peer = await within({ signal, milliseconds: connectTimeoutMs }, failure, async (dialling) => {
    const wire = await dial({ host, port }, { signal: dialling });
    const close = (): void => wire.close();
    dialling.addEventListener("abort", close);
    try {
      if (!isSecure) return wire.peer;
      const secure = await wire.startTls({ serverName: host, verify: "name", certificateAuthority: undefined });
      secure.close();
      return wire.peer;
    } finally {
      dialling.removeEventListener("abort", close);
      wire.close();
    }
  });
  const target = isIPv6(peer) ? `ipv6:[${peer}]:${port}` : `ipv4:${peer}:${port}`;
  const authority = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const client = new SparkConnectService(
    target,
    // Trusts the same authorities as the dial, not those of gRPC's environment variables.
    isSecure ? credentials.createFromSecureContext(createSecureContext()) : credentials.createInsecure(),
    channelOptions(host, authority, isSecure),
  );
  return new SparkChannel(client, connection);
}

function channelOptions(host: string, authority: string, isSecure: boolean): ChannelOptions {
  return {
    "grpc.default_authority": authority,
    ...(isSecure && { "grpc.ssl_target_name_override": host }),
    "grpc.max_receive_message_length": MAX_MESSAGE,
    // The connections belong to this channel alone and end with it.
    "grpc.use_local_subchannel_pool": 1,
    // A proxy from the environment would dial addresses that nobody checks.
    "grpc.enable_http_proxy": 0,
    // A statement is not sent twice.
    "grpc.enable_retries": 0,
  };
}

export class SparkChannel {
  readonly #client: SparkConnectClient;
  readonly #metadata = new Metadata();

  constructor(client: SparkConnectClient, { isSecure, token }: SparkConnection) {
    this.#client = client;
    if (isSecure && token !== undefined) this.#metadata.set("authorization", `Bearer ${token.reveal()}`);
  }

  /** Rejects with a `ServiceError`, or with the signal's reason. */
  ask<M extends keyof UnaryCalls>(
    method: M,
    request: InSession & UnaryCalls[M][0],
    signal: AbortSignal,
  ): Promise<UnaryCalls[M][1]> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const methods: UnaryMethods = this.#client;
      const call = methods[method](request, this.#metadata, (error, answer) => {
        signal.removeEventListener("abort", abort);
        if (signal.aborted) reject(signal.reason);
        else if (error !== null) reject(error);
        else resolve(answer as UnaryCalls[M][1]);
      });
      const abort = (): void => call.cancel();
      signal.addEventListener("abort", abort, { once: true });
    });
  }

  execute(request: InSession & { readonly plan: Plan }): Execution {
    return new Execution((interceptor) =>
      this.#client.ExecutePlan(request, this.#metadata, { interceptors: [interceptor] }),
    );
  }

  /** Ends all calls. */
  close(): void {
    this.#client.close();
  }
}

/**
 * A running statement and its answers. Reads one message per pull: the client's stream would read sixteen ahead, and
 * HTTP/2 then slows the server.
 */
export class Execution {
  /** Resolves with the first message, which comes when the statement is analysed, or with the end. Never rejects. */
  readonly answered: Promise<void>;
  /** Resolves when tasks of it run, rows of it have come, or it is over. Never rejects. */
  readonly begun: Promise<void>;
  readonly #call: ClientReadableStream<ExecutePlanResponse>;
  readonly #answers: AsyncIterator<ExecutePlanResponse, undefined>;
  #permits = 0;
  #waiting: (() => void) | undefined;
  #isOver = false;

  constructor(send: (interceptor: Interceptor) => ClientReadableStream<ExecutePlanResponse>) {
    const answered = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    this.answered = answered.promise;
    this.begun = begun.promise;
    this.#call = send((options, nextCall) => {
      const onReceiveMessage = (message: ExecutePlanResponse, pass: (message: ExecutePlanResponse) => void): void => {
        answered.resolve();
        const { arrowBatch, executionProgress } = message;
        if (arrowBatch != null || Number(executionProgress?.numInflightTasks ?? 0) > 0) begun.resolve();
        this.#admit(() => pass(message));
      };
      const start: Requester["start"] = (metadata, _listener, next) => next(metadata, { onReceiveMessage });
      return new InterceptingCall(nextCall(options), { start });
    });
    this.#answers = this.#call[Symbol.asyncIterator]();
    this.#call
      // An error between pulls is reported to the next pull.
      .on("error", () => undefined)
      .on("close", () => {
        this.#isOver = true;
        answered.resolve();
        begun.resolve();
      });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Undefined after the last. Rejects with a `ServiceError`. */
  async next(): Promise<ExecutePlanResponse | undefined> {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#permits++;
    else waiting();
    const { done, value } = await this.#answers.next();
    return done ? undefined : value;
  }

  /** Answers go past from now on. */
  async letGo(): Promise<void> {
    this.#permits = Number.POSITIVE_INFINITY;
    this.#waiting?.();
    this.#waiting = undefined;
    try {
      while ((await this.#answers.next()).done !== true);
    } catch {
      // Nobody is waiting for the error.
    }
  }

  cancel(): void {
    this.#call.cancel();
  }

  #admit(pass: () => void): void {
    if (this.#permits === 0) {
      this.#waiting = pass;
      return;
    }
    this.#permits--;
    pass();
  }
}

/** The engine's details of a failed call; undefined if no engine answered. */
export function engineInfoOf(error: ServiceError): Readonly<Record<string, string>> | undefined {
  const [trailer] = error.metadata?.get("grpc-status-details-bin") ?? [];
  if (!(trailer instanceof Buffer)) return undefined;
  const info = errorInfoOf(trailer);
  return info["classes"] === undefined ? undefined : info;
}
