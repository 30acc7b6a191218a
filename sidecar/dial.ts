/**
 * Dials for connectors in Node: the name is resolved once, every address is checked, and a checked address is dialled,
 * so that a name cannot resolve to another address later (docs/decisions/0026-placement.md).
 */
import { constants } from "node:crypto";
import { lookup } from "node:dns/promises";
import { isIP, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { checkServerIdentity, connect as connectTls, type TLSSocket } from "node:tls";
import { ConnectorFailure } from "../src/connectors/failure.ts";
import type { Dial, DialTarget, Wire, WireTls } from "../src/connectors/socket/wire.ts";
import { Watch } from "../src/connectors/watch.ts";
import { judgeDial } from "../src/guard/egress.ts";

/** `allowedHosts`: the entries of the setting `ALLOWED_HOSTS`. */
export function nodeDial(allowedHosts: readonly string[]): Dial {
  return async (target, { signal }) => {
    signal.throwIfAborted();
    const addresses = await allowedAddresses(target, allowedHosts);
    let failure: unknown;
    for (const address of addresses) {
      signal.throwIfAborted();
      try {
        return new NodeWire(await connectTo(address, target.port, signal), address);
      } catch (error) {
        signal.throwIfAborted();
        failure ??= error;
      }
    }
    throw unreachable(target, failure);
  };
}

/** The addresses of a host that may be dialled; at least one. Fails with `EGRESS_DENIED` and `HOST_UNREACHABLE`. */
export async function allowedAddresses(target: DialTarget, allowedHosts: readonly string[]): Promise<string[]> {
  const { host, peer } = target;
  let found: string[];
  try {
    found = peer === undefined ? (await lookup(host, { all: true })).map(({ address }) => address) : [peer];
  } catch (error) {
    throw unreachable(target, error);
  }
  const verdicts = found.map((address) => ({ address, ...judgeDial(host, address, allowedHosts) }));
  const allowed = verdicts.filter((verdict) => verdict.allowed).map(({ address }) => address);
  if (allowed.length > 0) return allowed;
  const metadata = verdicts.some((verdict) => !verdict.allowed && verdict.because === "metadata");
  throw new ConnectorFailure(
    "EGRESS_DENIED",
    metadata ? `The host ${host} is a metadata service.` : `The sidecar may not dial ${host}.`,
    metadata ? {} : { hint: "Add the host, its suffix or its address range to ALLOWED_HOSTS of the sidecar." },
  );
}

function connectTo(address: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new Socket();
    const watch = new Watch({ signal }, () => socket.destroy(new Error("aborted")));
    const settle = () => {
      watch.end();
      socket.removeAllListeners();
    };
    socket.once("connect", () => {
      settle();
      socket.setNoDelay(true);
      resolve(socket);
    });
    socket.once("error", (error) => {
      settle();
      reject(error);
    });
    socket.connect({ host: address, port });
  });
}

function unreachable({ host, port }: DialTarget, cause: unknown): ConnectorFailure {
  return new ConnectorFailure("HOST_UNREACHABLE", `Could not connect to ${host} port ${port}: ${reasonOf(cause)}`, {
    hint: "Check host and port, and that the server accepts connections from the sidecar.",
    cause,
  });
}

/** Reads in paused mode: unread bytes stay in the kernel's buffers and slow the sender. */
class NodeWire implements Wire {
  readonly peer: string;
  readonly alwaysVerifies = false;
  readonly #socket: Socket;
  /** The reason why the connection ended: `cause` is `undefined` for an orderly end. */
  #ended: { readonly cause: Error | undefined } | undefined;
  #wake: (() => void) | undefined;
  readonly #listeners: readonly (readonly [string, (error?: Error) => void])[];

  constructor(socket: Socket, peer: string) {
    this.#socket = socket;
    this.peer = peer;
    const wake = () => this.#wake?.();
    const end = (error?: Error) => {
      this.#ended ??= { cause: error };
      wake();
    };
    this.#listeners = [
      ["readable", wake],
      ["end", () => end()],
      ["close", () => end()],
      ["error", (error) => end(error)],
    ];
    for (const [event, listener] of this.#listeners) socket.on(event, listener);
  }

  async read(): Promise<Uint8Array | undefined> {
    for (;;) {
      const bytes: Uint8Array | null = this.#socket.read();
      if (bytes !== null) return bytes;
      if (this.#ended !== undefined) {
        if (this.#ended.cause === undefined) return undefined;
        throw this.#broken(this.#ended.cause);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error) => (error ? reject(this.#broken(error)) : resolve()));
    });
  }

  startTls(options: WireTls): Promise<Wire> {
    for (const [event, listener] of this.#listeners) this.#socket.off(event, listener);
    // The secure socket reports errors; this listener only keeps the raw one from throwing.
    this.#socket.on("error", () => {});
    return secureWire(this.#socket, options, this.peer);
  }

  close(): void {
    this.#ended ??= { cause: undefined };
    this.#socket.destroy();
    this.#wake?.();
  }

  #broken(cause: Error): ConnectorFailure {
    return new ConnectorFailure("UPSTREAM_PROTOCOL", `The connection to ${this.peer} broke: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

export interface StreamTls extends WireTls {
  /** For a protocol that ends with it. */
  readonly newest?: "TLSv1.2";
}

/** TLS over any stream, which is used up. Rejects with `TLS_UNTRUSTED`. */
export function secureWire(
  stream: Duplex,
  { serverName, verify, certificateAuthority, authorityMember, protocol, newest }: StreamTls,
  peer: string,
): Promise<Wire> {
  return new Promise((resolve, reject) => {
    const secure: TLSSocket = connectTls({
      socket: stream,
      // The name goes to `checkServerIdentity`; SNI must not carry an address (RFC 6066 §3).
      host: serverName,
      ...(isIP(serverName) === 0 && { servername: serverName }),
      ...(certificateAuthority !== undefined && { ca: certificateAuthority }),
      ...(protocol !== undefined && { ALPNProtocols: [protocol] }),
      minVersion: "TLSv1.2",
      ...(newest !== undefined && { maxVersion: newest }),
      // The server is verified once: renegotiation could present another certificate.
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
      rejectUnauthorized: verify !== "none",
      checkServerIdentity: verify === "name" ? checkServerIdentity : () => undefined,
    });
    const onError = (error: Error) => {
      secure.destroy();
      reject(untrusted(serverName, error, authorityMember));
    };
    const onClose = () => onError(new Error("the server closed the connection"));
    secure.once("error", onError).once("close", onClose);
    secure.once("secureConnect", () => {
      secure.off("error", onError).off("close", onClose);
      resolve(new NodeWire(secure, peer));
    });
  });
}

/** `authorityMember`: the field in which a connection may carry its own certificate authority. */
export function untrusted(serverName: string, cause: Error, authorityMember: string | undefined): ConnectorFailure {
  const trusts = "use a certificate that the sidecar trusts (NODE_EXTRA_CA_CERTS adds an authority)";
  return new ConnectorFailure("TLS_UNTRUSTED", `The TLS handshake with ${serverName} failed: ${reasonOf(cause)}`, {
    hint:
      authorityMember === undefined
        ? `U${trusts.slice(1)}.`
        : `Send the authority of the server's certificate as ${authorityMember}, or ${trusts}.`,
    cause,
  });
}

/** Node reports refusals by several addresses as one error without a message. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === "") return reasonOf(cause.errors[0]);
  return cause instanceof Error && cause.message !== "" ? cause.message : "it was closed";
}
