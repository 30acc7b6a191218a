/** A stream that fails when nothing comes for too long while somebody waits for it. A slow reader is no silence. */
export function breakOnSilence(
  source: ReadableStream<Uint8Array>,
  milliseconds: number,
  failure: (milliseconds: number) => Error,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const silence = new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(failure(milliseconds)), milliseconds);
        });
        try {
          const next = await Promise.race([reader.read(), silence]);
          if (next.done) controller.close();
          else controller.enqueue(next.value);
        } catch (error) {
          // Nobody waits for the rest; the connection is given up.
          reader.cancel(error).catch(() => undefined);
          throw error;
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
