/** The transport over HTTPS: every request is signed (docs/decisions/0028-signed-requests.md). */
import { isSecure } from "../../secure-url.ts";
import { ConnectorFailure } from "../failure.ts";
import type { Transport } from "./client.ts";
import { PROTOCOL_VERSION, VERSION_HEADER } from "./protocol.ts";
import { NONCE_HEADER, SIGNATURE_HEADER, sign, TIMESTAMP_HEADER } from "./signature.ts";

export interface SignedFetchOptions {
  /** The origin of the host. Throws unless it is https or a loopback address: bodies carry passwords. */
  readonly url: string;
  readonly secret: string;
  readonly fetch: typeof fetch;
}

export function signedFetch({ url, secret, fetch }: SignedFetchOptions): Transport {
  const origin = secureOrigin(url);
  return async (path, body, signal, traceHeaders) => {
    const { timestamp, nonce, signature } = await sign(secret, { method: "POST", path, query: "", body }, Date.now());
    const response = await fetch(origin + path, {
      method: "POST",
      headers: {
        // Not signed: proxies may add spans to the trace.
        ...traceHeaders,
        "content-type": "application/json",
        [VERSION_HEADER]: PROTOCOL_VERSION,
        [TIMESTAMP_HEADER]: timestamp,
        [NONCE_HEADER]: nonce,
        [SIGNATURE_HEADER]: signature,
      },
      body,
      signal,
      // A redirect would send the body with its password to a host that is not configured.
      redirect: "manual",
    });
    // Some runtimes report a redirect that is not followed as status 0.
    if (response.status !== 0 && (response.status < 300 || response.status > 399)) return response;
    await response.body?.cancel();
    throw new ConnectorFailure(
      "SIDECAR_REFUSED",
      "The sidecar's address answered with a redirect, which is not followed.",
      {
        hint: "Set SIDECAR_URL to the address that it redirects to.",
      },
    );
  };
}

function secureOrigin(url: string): string {
  const { origin, pathname, search, username } = new URL(url);
  if (!isSecure(url)) throw new Error("SIDECAR_URL must be https unless it is a loopback address.");
  if (pathname !== "/" || search !== "" || username !== "") {
    throw new Error("SIDECAR_URL is scheme, host and port, and nothing else: the path is part of what is signed.");
  }
  return origin;
}
