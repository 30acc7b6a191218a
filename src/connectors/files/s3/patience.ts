/** Time limits and retries of requests to a store. */
import type { ConnectorFailure } from "../../failure.ts";
import { waitFor } from "../../watch.ts";

export interface Patience {
  /** Limit for waiting for the store; time in which the reader does not read is not counted. */
  readonly stallMs: number;
  /** Minimum bytes in that time, unless the response ends. */
  readonly leastBytes: number;
  /** Milliseconds before each retry. */
  readonly pauses: readonly number[];
}

/** A store with less than three kilobytes a second does not work; the number of retries is that of AWS's clients. */
export const PATIENCE: Patience = { stallMs: 20_000, leastBytes: 64 * 1024, pauses: [100, 400, 1600] };

/** After a longer delay the caller should retry itself. */
const LONGEST_PAUSE_SECONDS = 2;

/** Statuses of stores and load balancers for which the same request may succeed soon. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** The pause before a retry; undefined if a retry is useless. */
export function pauseAfter({ status, headers }: Pick<Response, "status" | "headers">, milliseconds: number) {
  if (!PASSING.has(status)) return undefined;
  const told = headers.get("retry-after");
  if (told !== null) return Number(told) <= LONGEST_PAUSE_SECONDS ? Number(told) * 1000 : undefined;
  // Requests that were refused together must not retry together.
  return milliseconds * (0.5 + Math.random() / 2);
}

/** The same bytes; fails with the result of `late` when they arrive too slowly. `late` also ends the request. */
export function moving(
  body: ReadableStream<Uint8Array>,
  { stallMs, leastBytes }: Patience,
  late: () => ConnectorFailure,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let waited = 0;
  let bytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const begun = performance.now();
        const read = await waitFor(reader.read(), { milliseconds: Math.max(0, stallMs - waited) }, late);
        if (read.done) {
          controller.close();
          return;
        }
        waited += performance.now() - begun;
        bytes += read.value.byteLength;
        if (bytes >= leastBytes) {
          waited = 0;
          bytes = 0;
        }
        controller.enqueue(read.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
