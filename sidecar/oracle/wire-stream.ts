/** A wire as the stream that the driver reads and writes. The driver holds an answer until it is whole: here it ends. */
import { Duplex } from "node:stream";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Wire } from "../../src/connectors/socket/wire.ts";

/** Of an answer to one request. Rows are asked for by how wide they can be (`statement.ts`), so long documents alone come near. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * From so many bytes of an answer on, more of them are handed over only by a part of what there is already: the driver reads a
 * value from its beginning whenever some of it has come, which for long documents takes the square of the time.
 */
const LARGE_BYTES = 256 * 1024;
const PART = 1 / 3;
/** Unless nothing more comes for so long. */
const PAUSE_MS = 5;

export class WireStream extends Duplex {
  /** Why it was cut, where that was neither side's wish. */
  failure: unknown;
  readonly #wire: Wire;
  /** Since the last request. */
  #received = 0;
  /** On its way. */
  #pending: Promise<Uint8Array | undefined> | undefined;

  constructor(wire: Wire) {
    super({ allowHalfOpen: false });
    this.#wire = wire;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  override _read(): void {
    this.#next().then(
      (bytes) => this.push(bytes ?? null),
      (error) => this.#cut(error),
    );
  }

  async #next(): Promise<Uint8Array | undefined> {
    const first = this.#take(await this.#arrival());
    if (first === undefined || this.#received < LARGE_BYTES) return first;
    const parts = [first];
    for (let held = first.length; held < this.#received * PART; ) {
      const isHere = await Promise.race([this.#arrival().then(() => true), pause()]);
      // The end is told by the next reading.
      const more = isHere ? await this.#arrival() : undefined;
      if (more === undefined) break;
      this.#take(more);
      parts.push(more);
      held += more.length;
    }
    return Buffer.concat(parts);
  }

  /** What comes next; again and again the same, until it is taken. */
  #arrival(): Promise<Uint8Array | undefined> {
    this.#pending ??= this.#wire.read();
    return this.#pending;
  }

  #take(bytes: Uint8Array | undefined): Uint8Array | undefined {
    this.#pending = undefined;
    this.#received += bytes?.length ?? 0;
    if (this.#received <= MOST_BYTES) return bytes;
    throw new ConnectorFailure("SOURCE_ERROR", "The server sends more at once than can be held.", {
      hint: "Leave out long documents (CLOB, BLOB, JSON), or take a part of them with DBMS_LOB.SUBSTR.",
    });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#received = 0;
    this.#wire.write(chunk).then(
      () => done(),
      (error) => {
        this.#cut(error);
        done();
      },
    );
  }

  override _final(done: () => void): void {
    this.#wire.close();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#wire.close();
    done(error);
  }

  /** Told by its end alone: the driver takes its listeners away at times, and an error that nobody hears ends the process. */
  #cut(failure: unknown): void {
    this.failure ??= failure;
    this.destroy();
  }
}

function pause(): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), PAUSE_MS).unref();
  });
}
