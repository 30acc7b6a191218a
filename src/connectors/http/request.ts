/** Requests to a source that is asked over HTTP: where they may go, how much of an answer is read, and what a refusal means. */
import { ConnectorFailure } from "../failure.ts";
import { byteLimited } from "./byte-limit.ts";

export interface HttpSource {
  /** As the runtime lends it: it judges hosts by itself, too (`public-fetch.ts`, `sidecar/guarded-fetch.ts`). */
  readonly fetch: typeof fetch;
  /**
   * Of the connection, as in `https://host:port`. Nothing is sent anywhere else, whatever address an answer names: with a
   * next page goes the password.
   */
  readonly origins: readonly string[];
  /** Bytes of an answer, after decompression. */
  readonly maxBytes: number;
  /** Whether the source's protocol says something by this status, or these headers; anything else is a refusal. */
  readonly isAnswer: (status: number, headers: Headers) => boolean;
  /**
   * Whether the text of a refusal is passed on. Only of hosts that are known to be the source's: whoever may name any host
   * could otherwise read what other services in its network answer.
   */
  readonly quotesRefusals: boolean;
}

/** Bytes of a refusal, which may come from whatever stands in between. */
const MAX_REFUSAL = 4096;

/**
 * An answer that says something in the source's protocol; its body fails with `SOURCE_ERROR` beyond `maxBytes`. Fails with
 * `ConnectorFailure`, and with anything at all once `init.signal` has fired.
 */
export async function request(
  { fetch, origins, maxBytes, isAnswer, quotesRefusals }: HttpSource,
  url: string,
  init: RequestInit,
): Promise<Response> {
  const { origin, hostname } = addressOf(url);
  if (!origins.includes(origin)) {
    throw new ConnectorFailure("EGRESS_DENIED", `The answer leads to ${origin}, which is not the connection's host.`, {
      hint: "If a proxy stands before the source, let it pass on the host and scheme that it was asked by.",
    });
  }
  let response: Response;
  try {
    // A redirect would carry the password to wherever it points.
    response = await fetch(url, { ...init, redirect: "manual" });
  } catch (cause) {
    // The sidecar's `fetch` knows why.
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
      isRetryAfterSaid: saidRetryAfter(response.headers) !== undefined,
    });
  }
  return new ConnectorFailure("UPSTREAM_PROTOCOL", message);
}

/** Seconds, of a source that names none. */
const RETRY_AFTER = 5;
const LONGEST_RETRY_AFTER = 3600;

/** `Retry-After`: seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterOf(headers: Headers): number {
  return saidRetryAfter(headers) ?? RETRY_AFTER;
}

/** Undefined when it says nothing, or nothing sensible. */
export function saidRetryAfter(headers: Headers): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return seconds >= 0 && seconds < LONGEST_RETRY_AFTER ? seconds : undefined;
}
