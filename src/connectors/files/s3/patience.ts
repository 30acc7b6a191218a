/** How long a store is waited for, and how often it is asked again. */
import type { ConnectorFailure } from "../../failure.ts";
import { waitFor } from "../../watch.ts";

export interface Patience {
  /** Of waiting for the store alone, however slowly its bytes are taken. */
  readonly stallMs: number;
  /** What has to come in that time, unless the answer ends. */
  readonly leastBytes: number;
  /** Milliseconds before each further attempt. */
  readonly pauses: readonly number[];
}

/** Three kilobytes a second are no store that works, and a client of AWS asks so often, too. */
export const PATIENCE: Patience = { stallMs: 20_000, leastBytes: 64 * 1024, pauses: [100, 400, 1600] };

/** Longer than that a caller waits better by itself. */
const LONGEST_PAUSE_SECONDS = 2;

/** What stores and the balancers before them answer when the same request may be answered a moment later. */
const PASSING: ReadonlySet<number> = new Set([429, 500, 502, 503, 504]);

/** How long to wait before it is asked for once more; undefined where that is of no use. */
export function pauseAfter({ status, headers }: Pick<Response, "status" | "headers">, milliseconds: number) {
  if (!PASSING.has(status)) return undefined;
  const told = headers.get("retry-after");
  if (told !== null) return Number(told) <= LONGEST_PAUSE_SECONDS ? Number(told) * 1000 : undefined;
  // Requests that were refused together do not come back together.
  return milliseconds * (0.5 + Math.random() / 2);
}

/** The same bytes, failing with what `late` gives when they come too slowly. `late` also ends the request. */
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
