/** Dials with the `connect` of `cloudflare:sockets`, which the Worker's entry file passes in. */
import { ChunkReader } from "../../result/stream/chunk-reader.ts";
import { ConnectorFailure } from "../failure.ts";
import { waitFor } from "../watch.ts";
import type { Dial, Wire, WireTls } from "./wire.ts";

/** The used part of `cloudflare:sockets`. */
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
 * While a socket always has data, workerd's event loop runs no timers and serves no other connections: aborts, time-outs and
 * other requests of the isolate would wait until the end of the result. A turn costs about a millisecond.
 */
const BYTES_BEFORE_YIELDING = 1024 * 1024;

export function platformDial(connect: PlatformConnect): Dial {
  return async ({ host, port }, { signal }) => {
    signal.throwIfAborted();
    const hostname = host.includes(":") ? `[${host}]` : host;
    let socket: PlatformSocket;
    try {
      // "starttls" also allows connections that stay plain; TLS can be started later only on such a socket.
      socket = connect({ hostname, port }, { secureTransport: "starttls", allowHalfOpen: false });
    } catch (error) {
      throw unreachable(host, port, error);
    }
    const wire = new PlatformWire(socket, host, undefined);
    // If a socket is closed while its host does not respond, `opened` settles only after the network's time-out, minutes later:
    // until then workerd would keep the request and all its memory.
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
  // The platform reports refused ports and unknown hosts with the same message (measured on workerd).
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
  /** Set while no data has arrived since TLS started: until then, a broken stream can be an invalid certificate. */
  #untested: WireTls | undefined;
  #closed = false;
  #bytes = 0;

  constructor(socket: PlatformSocket, peer: string, tls: WireTls | undefined) {
    this.#socket = socket;
    this.peer = peer;
    this.#untested = tls;
    this.#reader = new ChunkReader(socket.readable);
    this.#writer = socket.writable.getWriter();
    // `read` and `write` report every end of a socket; these promises would only cause unhandled rejections.
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
