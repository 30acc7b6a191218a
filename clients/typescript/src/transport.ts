/** One request over `fetch`: credentials, retries, time-outs, cancelling, and errors of every kind. */
import { failureIn, SiskinError } from "./failure.ts";
import { unexpected } from "./rows.ts";
import type { ClientOptions, RequestOptions } from "./types.ts";

/** Seconds: a longer Retry-After is the caller's to wait for. */
const LONGEST_WAIT = 30;
/** Bytes of an error page that are read. */
const LONGEST_ERROR = 1 << 20;

export interface Answer {
  readonly response: Response;
  readonly requestId: string | undefined;
  /** The body. Leaving the loop early stops the answer. */
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;
}

export interface Call extends Pick<RequestOptions, "signal" | "timeZone" | "strict"> {
  /** Below `/v3/projects`. */
  readonly path: string;
  readonly accept: string;
  /** Sent by POST; without it the request is a GET. */
  readonly body?: object;
}

export async function send(options: ClientOptions, call: Call): Promise<Answer> {
  const { retries = 2 } = options;
  for (let attempt = 0; ; attempt++) {
    const answer = await attemptOf(options, call);
    const { response, requestId, chunks } = answer;
    const { status, headers, type } = response;
    const isRedirect = type === "opaqueredirect" || (status >= 300 && status < 400);
    const contentType = headers.get("content-type") ?? "no content type";
    if (response.ok && contentType.startsWith(call.accept)) return answer;
    const seconds = secondsUntil(headers.get("retry-after"));
    const isRetried = (status === 429 || status === 503) && seconds <= LONGEST_WAIT && attempt < retries;
    if (isRetried || isRedirect || response.ok) await chunks.return();
    if (isRedirect) {
      // The next address would get the credentials, or the request as a GET.
      throw new SiskinError("REDIRECTED", "The server answered with a redirect, which is not followed.", {
        status: status || undefined,
        requestId,
        hint: `Set url to the service's own address${headers.has("location") ? `: ${headers.get("location")}` : ""}.`,
      });
    }
    if (!isRetried) {
      const failure = response.ok ? undefined : failureIn(await textOf(chunks, LONGEST_ERROR), status, requestId);
      throw failure ?? unexpected(requestId, status, contentType);
    }
    await sleep(seconds * 1000, call.signal);
  }
}

async function attemptOf(options: ClientOptions, call: Call): Promise<Answer> {
  const { url, token, key, timeout = 120_000, headers: more, fetch: ask = fetch } = options;
  const { path, accept, body, signal, timeZone, strict } = call;
  signal?.throwIfAborted();
  const bearer = typeof token === "function" ? await token() : token;
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watch = (): void => {
    clearTimeout(timer);
    if (timeout === 0) return;
    const message = `The server sent nothing for ${timeout} ms.`;
    timer = setTimeout(() => stop.abort(new SiskinError("TIMEOUT", message)), timeout);
  };
  const end = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  };
  const failed = (error: unknown, status?: number, requestId?: string): unknown => {
    if (stop.signal.aborted) return stop.signal.reason;
    const reason = status === undefined ? "NETWORK" : "BROKEN_OFF";
    const message = status === undefined ? "The server cannot be reached." : "The answer broke off before its end.";
    return new SiskinError(reason, message, { cause: error, status, requestId });
  };
  watch();
  let response: Response;
  try {
    response = await ask(`${url.replace(/\/+$/, "")}/v3/projects${path}`, {
      method: body === undefined ? "GET" : "POST",
      redirect: "manual",
      signal: stop.signal,
      headers: {
        ...more,
        accept,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(key !== undefined && { "x-api-key": key }),
        ...(timeZone !== undefined && { "x-wren-timezone": timeZone }),
        ...(strict !== undefined && { "x-strict": `${strict}` }),
        ...(accept === "application/x-ndjson" && { "x-column-types": "true" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    end();
    throw failed(error);
  }
  const requestId = response.headers.get("x-correlation-id") ?? undefined;
  async function* chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = response.body?.getReader();
    try {
      for (;;) {
        watch();
        const part = await reader?.read();
        clearTimeout(timer);
        if (part?.value === undefined) return;
        yield part.value;
      }
    } catch (error) {
      throw failed(error, response.status, requestId);
    } finally {
      end();
      // A reader that leaves early closes the connection, and the service stops the statement.
      await reader?.cancel().catch(() => undefined);
    }
  }
  return { response, requestId, chunks: chunks() };
}

/** The body as text, of at most `most` bytes. */
export async function textOf(chunks: AsyncGenerator<Uint8Array>, most = Number.POSITIVE_INFINITY): Promise<string> {
  const decoder = new TextDecoder();
  const texts: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    texts.push(decoder.decode(chunk, { stream: true }));
    length += chunk.length;
    if (length > most) break;
  }
  return texts.join("");
}

/** Retry-After in seconds or as a date; infinite where it is absent or unreadable. */
function secondsUntil(header: string | null): number {
  if (header === null) return Number.POSITIVE_INFINITY;
  if (/^\d+$/.test(header)) return Number(header);
  const date = Date.parse(header);
  return Number.isNaN(date) ? Number.POSITIVE_INFINITY : Math.max(0, (date - Date.now()) / 1000);
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
}
