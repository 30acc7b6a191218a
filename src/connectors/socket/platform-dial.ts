/** Dials with the `connect` of `cloudflare:sockets`, which the Worker's entry file passes in. */
import { ChunkReader } from "../../result/stream/chunk-reader.ts";
import { ConnectorFailure } from "../failure.ts";
import { waitFor } from "../watch.ts";
import type { Dial, Wire, WireTls } from "./wire.ts";

/** The part of `cloudflare:sockets` that is used. */
export interface PlatformSocket {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  readonly opened: Promise<unknown>;
  readonly closed: Promise<unknown>;
  startTls(options: { expectedServerHostname?: string }): PlatformSocket;
  close(): Promise<void>;
}
export type PlatformConnect = (
  address: { hostname: string; port: number },
  options: { secureTransport: "starttls"; allowHalfOpen: boolean },
) => PlatformSocket;

/**
 * While a socket always has more, workerd's event loop never comes to look at timers and at other connections: aborts,
 * time-outs and other requests of the isolate would wait for the end of the result. A turn costs about a millisecond.
 */
const BYTES_BEFORE_YIELDING = 1024 * 1024;

export function platformDial(connect: PlatformConnect): Dial {
  return async ({ host, port }, { signal }) => {
    signal.throwIfAborted();
    const hostname = host.includes(":") ? `[${host}]` : host;
    let socket: PlatformSocket;
    try {
      // "starttls" also serves connections that stay plain; TLS can only be asked for later on such a socket.
      socket = connect({ hostname, port }, { secureTransport: "starttls", allowHalfOpen: false });
    } catch (error) {
      throw unreachable(host, port, error);
    }
    const wire = new PlatformWire(socket, host, undefined);
    // `opened` of a socket that is closed while its host hangs settles when the network gives up, minutes later: until then
    // workerd would keep the request and all that it holds.
    try {
      await waitFor(socket.opened, { signal }, () => signal.reason);
    } catch (error) {
      wire.close();
      signal.throwIfAborted();
      throw unreachable(host, port, error);
    }
    signal.throwIfAborted();
    return wire;
  };
}

function unreachable(host: string, port: number, cause: unknown): ConnectorFailure {
  // The platform tells refused ports and unknown hosts in the same words (platform.md §2).
  return new ConnectorFailure("HOST_UNREACHABLE", `Could not connect to ${host} port ${port}: ${reasonOf(cause)}`, {
    hint: "Check host and port, and that the server accepts connections from the internet.",
    cause,
  });
}

class PlatformWire implements Wire {
  readonly peer: string;
  readonly alwaysVerifies = true;
  readonly #socket: PlatformSocket;
  readonly #reader: ChunkReader;
  readonly #writer: WritableStreamDefaultWriter<Uint8Array>;
  /** Set while nothing has arrived since TLS began: until then a broken stream is how a bad certificate shows. */
  #untested: WireTls | undefined;
  #closed = false;
  #bytes = 0;

  constructor(socket: PlatformSocket, peer: string, tls: WireTls | undefined) {
    this.#socket = socket;
    this.peer = peer;
    this.#untested = tls;
    this.#reader = new ChunkReader(socket.readable);
    this.#writer = socket.writable.getWriter();
    // Every way a socket ends is also told by `read` and `write`; here it would only be an unhandled rejection.
    for (const ending of [socket.opened, socket.closed, this.#reader.closed, this.#writer.closed, this.#writer.ready]) {
      ending.catch(() => {});
    }
  }

  async read(): Promise<Uint8Array | undefined> {
    if (this.#bytes >= BYTES_BEFORE_YIELDING) {
      this.#bytes = 0;
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    let bytes: Uint8Array | undefined;
    try {
      bytes = await this.#reader.read();
    } catch (error) {
      throw this.#broken(error);
    }
    this.#bytes += bytes?.byteLength ?? 0;
    if (bytes === undefined && this.#untested !== undefined) throw this.#broken(undefined);
    this.#untested = undefined;
    return bytes;
  }

  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#writer.write(bytes);
    } catch (error) {
      throw this.#broken(error);
    }
  }

  async startTls(options: WireTls): Promise<Wire> {
    if (options.verify !== "name" || options.certificateAuthority !== undefined) {
      throw new ConnectorFailure("NEEDS_SIDECAR", "A Worker always checks certificates against public authorities.");
    }
    this.#reader.releaseLock();
    this.#writer.releaseLock();
    const socket = this.#socket.startTls({ expectedServerHostname: options.serverName });
    return new PlatformWire(socket, this.peer, options);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#socket.close().catch(() => {});
  }

  #broken(cause: unknown): ConnectorFailure {
    if (this.#untested !== undefined && !this.#closed) {
      return new ConnectorFailure(
        "TLS_UNTRUSTED",
        `The TLS handshake with ${this.peer} failed: its certificate is not trusted, or is for another name.`,
        {
          hint: "Use a certificate of a public authority for that host name, or configure a sidecar that trusts it.",
          cause,
        },
      );
    }
    return new ConnectorFailure("UPSTREAM_PROTOCOL", `The connection to ${this.peer} broke: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error && cause.message !== "" ? cause.message : "it was closed";
}
