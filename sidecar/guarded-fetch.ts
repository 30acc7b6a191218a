/**
 * `fetch` for connectors in Node, with the rules of `nodeDial`: the name is resolved once, every address is judged, and a
 * judged one is dialled. It trusts the caller's own authority where the connection has one, keeps no connection for the
 * next caller, and never follows a redirect: it would lead past the judgement, and take a password along.
 */
import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Readable } from "node:stream";
import { ConnectorFailure } from "../src/connectors/failure.ts";
import { allowedAddresses, untrusted } from "./dial.ts";

export interface GuardedFetchOptions {
  /** The entries of `ALLOWED_HOSTS`. */
  readonly allowedHosts: readonly string[];
  /** PEM, instead of the authorities that Node knows. */
  readonly certificateAuthority?: string | undefined;
}

/** Statuses whose answers have no body (Fetch, null body status). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Rejects with `ConnectorFailure` (`EGRESS_DENIED`, `TLS_UNTRUSTED`, `HOST_UNREACHABLE`), or with the signal's reason. */
export function guardedFetch({ allowedHosts, certificateAuthority }: GuardedFetchOptions): typeof fetch {
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
    return new Promise((resolve, reject) => {
      let isConnected = false;
      let isEncrypted = !isSecure;
      const outgoing = (isSecure ? secureRequest : plainRequest)(
        url,
        {
          method: request.method,
          headers: Object.fromEntries(request.headers),
          agent: false,
          lookup: answering(addresses),
          signal,
          ...(certificateAuthority !== undefined && { ca: certificateAuthority }),
        },
        (incoming) => {
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
        socket.once("connect", () => {
          isConnected = true;
        });
        socket.once("secureConnect", () => {
          isEncrypted = true;
        });
      });
      outgoing.on("error", (cause) => {
        if (signal.aborted) return reject(signal.reason);
        if (isConnected && !isEncrypted) return reject(untrusted(host, cause));
        reject(new ConnectorFailure("HOST_UNREACHABLE", `Could not reach ${host}: ${cause.message}`, { cause }));
      });
      outgoing.end(body);
    });
  };
}

/** Gives the addresses that were judged to whoever would resolve the name once more. */
function answering(addresses: readonly string[]): LookupFunction {
  return (_host, { all }, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const [first] = found;
    if (all === true) callback(null, found);
    else callback(null, first?.address ?? "", first?.family);
  };
}
