/** The way that a process's answers come by, one after the other. */
import type { Readable } from "node:stream";

export class AnswerPipe {
  readonly #source: Readable;
  #wake = (): void => undefined;
  #hasEnded = false;

  constructor(source: Readable) {
    this.#source = source;
    const wake = (): void => this.#wake();
    const end = (): void => {
      this.#hasEnded = true;
      wake();
    };
    source.on("readable", wake).once("end", end).once("close", end);
  }

  /**
   * The bytes of one answer, read at the reader's pace: so many as `length` comes to, or to the pipe's end however it
   * comes. Whether all of them came is for the frames to tell. Cancelling ends the pipe.
   */
  answer(length: Promise<number>): ReadableStream<Uint8Array> {
    let read = 0;
    let total = Number.POSITIVE_INFINITY;
    void length.then((bytes) => {
      total = bytes;
      this.#wake();
    });
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          for (;;) {
            const chunk = this.#source.read() as Uint8Array | null;
            if (chunk !== null) {
              read += chunk.length;
              return controller.enqueue(chunk);
            }
            if (this.#hasEnded || read >= total) return controller.close();
            await new Promise<void>((resolve) => {
              this.#wake = resolve;
            });
          }
        },
        cancel: () => void this.#source.destroy(),
      },
      { highWaterMark: 0 },
    );
  }
}
