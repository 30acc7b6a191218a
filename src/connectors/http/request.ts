/** Requests to an HTTP source: allowed origins, size limits, and the meaning of refusals. */
import { ConnectorFailure } from "../failure.ts";
import { byteLimited } from "./byte-limit.ts";

export interface HttpSource {
  /** The runtime's `fetch`, which also checks hosts (`public-fetch.ts`, `sidecar/guarded-fetch.ts`). */
  readonly fetch: typeof fetch;
  /**
   * Origins of the connection, such as `https://host:port`. Requests go nowhere else, whatever address a response names: a
   * request for a next page contains the password.
   */
  readonly origins: readonly string[];
  /** Maximum size of a response in bytes, after decompression. */
  readonly maxBytes: number;
  /** Whether the source's protocol uses this status, or these headers; any other response is a refusal. */
  readonly isAnswer: (status: number, headers: Headers) => boolean;
  /**
   * Whether the text of a refusal is passed on. Only for hosts that are known to belong to the source: otherwise a caller who may
   * name any host could read responses of other services in its network.
   */
  readonly quotesRefusals: boolean;
}

/** Maximum bytes of a refusal, which may come from a proxy. */
const MAX_REFUSAL = 4096;

/**
 * A response of the source's protocol; its body fails with `SOURCE_ERROR` beyond `maxBytes`. Rejects with `ConnectorFailure`, or
 * with any error once `init.signal` has fired.
 */
export async function request(
  { fetch, origins, maxBytes, isAnswer, quotesRefusals }: HttpSource,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const { origin, hostname } = addressOf(url);
  if (!origins.includes(origin)) {
    throw new ConnectorFailure("EGRESS_DENIED", `The answer leads to ${origin}, which is not the connection's host.`, {
      hint: "If a proxy is in front of the source, let it pass on the host and scheme of the request.",
    });
  }
  let response: Response;
  try {
    // A redirect would send the password to its target.
    response = await fetch(url, { ...init, redirect: "manual" });
  } catch (cause) {
    // The sidecar's `fetch` reports the reason itself.
    if (cause instanceof ConnectorFailure) throw cause;
    throw new ConnectorFailure("HOST_UNREACHABLE", `Could not reach ${hostname}.`, { cause });
  }
  const { status, headers, body } = response;
  if (!isAnswer(status, headers)) throw await refusal(response, hostname, quotesRefusals);
  return new Response(byteLimited(body, maxBytes), { status, headers });
}

function addressOf(url: string): URL {
  try {
    return new URL(url);
  } catch (cause) {
    throw new ConnectorFailure("UPSTREAM_PROTOCOL", "The answer leads to something that is not an address.", { cause });
  }
}

async function refusal(response: Response, hostname: string, quotes: boolean): Promise<ConnectorFailure> {
  const { status } = response;
  const text = quotes ? await new Response(byteLimited(response.body, MAX_REFUSAL)).text().catch(() => "") : "";
  if (!quotes) await response.body?.cancel().catch(() => undefined);
  const message = `${hostname} answered with HTTP status ${status}${text === "" ? "." : `: ${text}`}`;
  if (status === 401 || status === 403) return new ConnectorFailure("AUTHENTICATION", message);
  if (status === 429 || (status >= 502 && status <= 504)) {
    return new ConnectorFailure("OVERLOADED", message, {
      retryAfter: retryAfterOf(response.headers),
      isRetryAfterSaid: retryAfterHeader(response.headers) !== undefined,
    });
  }
  return new ConnectorFailure("UPSTREAM_PROTOCOL", message);
}

/** Seconds, if the source names none. */
const RETRY_AFTER = 5;
const LONGEST_RETRY_AFTER = 3600;

/** `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterOf(headers: Headers): number {
  return retryAfterHeader(headers) ?? RETRY_AFTER;
}

/** Undefined if the header is absent or invalid. */
export function retryAfterHeader(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return seconds >= 0 && seconds < LONGEST_RETRY_AFTER ? seconds : undefined;
}
