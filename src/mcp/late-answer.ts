/**
 * Answers that take long become event streams with comments in between: a client that goes away closes its connection, which the
 * platform notices when it writes to it.
 */

/** Time after which an answer becomes a stream. */
const LATE_MS = 1000;
/** Time between comments, also in streams of the library. */
export const BEAT_MS = 1500;

const COMMENT = ": keepalive\n\n";

/** `gone` is called when the reader of the stream goes away. */
export async function withBeats(answer: Promise<Response>, accept: string | null, gone: () => void): Promise<Response> {
  if (accept?.includes("text/event-stream") !== true) return answer;
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, LATE_MS);
  try {
    const early = await Promise.race([answer, late]);
    if (early !== undefined) return early;
  } finally {
    clearTimeout(timer);
  }
  return streamed(answer, gone);
}

function streamed(answer: Promise<Response>, gone: () => void): Response {
  const encoder = new TextEncoder();
  let beats: ReturnType<typeof setInterval> | undefined;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const stream = new ReadableStream<Uint8Array>({
    async start(controller) {
      beats = setInterval(() => controller.enqueue(encoder.encode(COMMENT)), BEAT_MS);
      void answer
        .then(async (response) => {
          if (isStream(response) && response.body !== null) {
            clearInterval(beats);
            reader = response.body.getReader();
            for (let read = await reader.read(); !read.done; read = await reader.read()) controller.enqueue(read.value);
          } else {
            controller.enqueue(encoder.encode(`event: message\ndata: ${await response.text()}\n\n`));
          }
          controller.close();
        })
        .catch((error: unknown) => controller.error(error))
        // The reader has gone, and the stream is closed already.
        .catch(() => undefined)
        .finally(() => clearInterval(beats));
    },
    async cancel(reason) {
      clearInterval(beats);
      gone();
      await reader?.cancel(reason);
    },
  });
  return new Response(stream, {
    headers: {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}

export const isStream = ({ headers }: Response): boolean =>
  headers.get("content-type")?.startsWith("text/event-stream") === true;
