/** The body of an answer that fails when nothing comes for too long while somebody waits, and when the call is given up. */
export interface WatchOptions {
  /** A slow reader is no silence: only time in which a read waits counts. */
  readonly silenceMs: number;
  readonly onSilence: (milliseconds: number) => Error;
  /** Aborted: the body fails with the signal's reason and its connection is given up, whatever the platform's `fetch` does. */
  readonly signal: AbortSignal;
}

export function watchedBody(source: ReadableStream<Uint8Array>, options: WatchOptions): ReadableStream<Uint8Array> {
  const { silenceMs, onSilence, signal } = options;
  const reader = source.getReader();
  const aborted = Promise.withResolvers<never>();
  // Rejected without a read waiting for it is no unhandled rejection.
  aborted.promise.catch(() => undefined);
  const giveUp = (): void => {
    reader.cancel(signal.reason).catch(() => undefined);
    aborted.reject(signal.reason);
  };
  const done = (): void => signal.removeEventListener("abort", giveUp);
  if (signal.aborted) giveUp();
  else signal.addEventListener("abort", giveUp, { once: true });

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const silence = Promise.withResolvers<never>();
        const timer = setTimeout(() => silence.reject(onSilence(silenceMs)), silenceMs);
        try {
          const next = await Promise.race([aborted.promise, reader.read(), silence.promise]);
          if (!next.done) return controller.enqueue(next.value);
          done();
          controller.close();
        } catch (error) {
          done();
          // Nobody waits for the rest.
          reader.cancel(error).catch(() => undefined);
          throw error;
        } finally {
          clearTimeout(timer);
        }
      },
      async cancel(reason) {
        done();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
