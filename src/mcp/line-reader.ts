/** Lines of a stream of text, of which none is kept beyond a length. */

export class LineReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #longest: number;
  readonly #decoder = new TextDecoder();
  #text = "";
  #isOver = false;

  /** When `signal` aborts, the stream is cancelled and reading fails. */
  constructor(stream: ReadableStream<Uint8Array>, longest: number, signal: AbortSignal) {
    this.#reader = stream.getReader();
    this.#longest = longest;
    const stop = (): void => void this.close();
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  }

  /** Undefined at the end. A line that is longer than the limit is not read to its end. */
  async next(): Promise<string | "too long" | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n");
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return end > this.#longest ? "too long" : line;
      }
      if (this.#text.length > this.#longest) return "too long";
      if (this.#isOver) return undefined;
      const { done, value } = await this.#reader.read();
      this.#isOver = done;
      this.#text += done ? this.#decoder.decode() : this.#decoder.decode(value, { stream: true });
    }
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#isOver = true;
    await this.#reader.cancel().catch(() => undefined);
  }
}
