/**
 * `fetch` for connectors in Node, with the rules of `nodeDial`: the name is resolved once, every address is judged, and a
 * judged one is dialled. It trusts the caller's own authority where the connection has one, keeps no connection for the
 * next caller, and never follows a redirect: it would lead past the judgement, and take a password along.
 */
import { Agent as PlainAgent, request as plainRequest } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { ConnectorFailure } from "../src/connectors/failure.ts";
import { allowedAddresses, untrusted } from "./dial.ts";

export interface GuardedFetchOptions {
  /** The entries of `ALLOWED_HOSTS`. */
  readonly allowedHosts: readonly string[];
  /** PEM; replaces the authorities that Node trusts. */
  readonly certificateAuthority?: string | undefined;
  /** The member that takes it, for messages. */
  readonly authorityMember?: string | undefined;
  /** Without them each request opens its own connection. */
  readonly kept?: KeptConnections;
}

/** So many connections to one host at most are open at once, and idle. */
const MOST_KEPT = 8;

/**
 * Connections of one call that its next request may take, judged when they were dialled. They belong to the call and end with
 * it: what one caller is allowed, trusts or has sent is never on another's connection.
 */
export class KeptConnections {
  readonly #options = { keepAlive: true, maxFreeSockets: MOST_KEPT };
  readonly #plain = new PlainAgent(this.#options);
  readonly #secure = new SecureAgent(this.#options);

  for(isSecure: boolean): PlainAgent {
    return isSecure ? this.#secure : this.#plain;
  }

  /** Idempotent. */
  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }
}

/** Response statuses without a body (Fetch, null body status). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Methods that change nothing (RFC 9110, 9.2.1). */
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD"]);

/** Rejects with `ConnectorFailure` (`EGRESS_DENIED`, `TLS_UNTRUSTED`, `HOST_UNREACHABLE`), or with the signal's reason. */
export function guardedFetch({
  allowedHosts,
  certificateAuthority,
  authorityMember,
  kept,
}: GuardedFetchOptions): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const isSecure = url.protocol === "https:";
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const port = Number(url.port || (isSecure ? 443 : 80));
    const addresses = await allowedAddresses({ host, port }, allowedHosts);
    const body = Buffer.from(await request.arrayBuffer());
    const { signal } = request;
    signal.throwIfAborted();
    const ask = (agent: PlainAgent | false): Promise<Response> =>
      new Promise((resolve, reject) => {
        let isConnected = false;
        let isEncrypted = !isSecure;
        let isAnswered = false;
        const outgoing = (isSecure ? secureRequest : plainRequest)(
          url,
          {
            method: request.method,
            headers: Object.fromEntries(request.headers),
            agent,
            lookup: answering(addresses),
            signal,
            ...(certificateAuthority !== undefined && { ca: certificateAuthority }),
          },
          (incoming) => {
            isAnswered = true;
            const status = incoming.statusCode ?? 0;
            const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
              values.map((value): [string, string] => [name, value]),
            );
            const hasBody = !WITHOUT_BODY.has(status);
            const stream = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null;
            resolve(new Response(stream, { status, headers }));
          },
        );
        outgoing.on("socket", (socket) => {
          // It is connected, and would gather listeners of every request.
          if (outgoing.reusedSocket) return;
          socket.once("connect", () => {
            isConnected = true;
          });
          socket.once("secureConnect", () => {
            isEncrypted = true;
          });
        });
        outgoing.on("error", (cause) => {
          // After the response has begun, its body reports the error.
          if (isAnswered) return;
          if (signal.aborted) return reject(signal.reason);
          // The server had closed the reused connection before the request arrived: repeat it.
          if (outgoing.reusedSocket && REPEATABLE.has(request.method)) return resolve(ask(false));
          if (isConnected && !isEncrypted) return reject(untrusted(host, cause, authorityMember));
          reject(new ConnectorFailure("HOST_UNREACHABLE", `Could not reach ${host}: ${cause.message}`, { cause }));
        });
        outgoing.end(body);
      });
    return ask(kept?.for(isSecure) ?? false);
  };
}

/** A lookup that returns the checked addresses instead of resolving the name again. */
function answering(addresses: readonly string[]): LookupFunction {
  return (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = found;
    if (all === true) callback(null, found);
    else callback(null, first?.address ?? "", first?.family);
  };
}
