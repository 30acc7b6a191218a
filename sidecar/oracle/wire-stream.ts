/**
 * A wire as the stream that the driver uses. The driver buffers an answer until it is complete: this class limits its
 * size.
 */
import { Duplex } from "node:stream";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Wire } from "../../src/connectors/socket/wire.ts";

/** Size limit of one answer. Fetch sizes follow the row width (`statement.ts`), so only long documents come near. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * From this size on, more bytes are passed on only in proportion to the bytes received: the driver rereads a value from
 * its start whenever a part arrives, which takes quadratic time for long documents.
 */
const LARGE_BYTES = 256 * 1024;
const PART = 1 / 3;
/** Flushes if no more bytes arrive for this long. */
const PAUSE_MS = 5;

export class WireStream extends Duplex {
  /** The failure that cut the connection, if neither side closed it. */
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
      // The next read reports the end.
      const more = isHere ? await this.#arrival() : undefined;
      if (more === undefined) break;
      this.#take(more);
      parts.push(more);
      held += more.length;
    }
    return Buffer.concat(parts);
  }

  /** The next bytes; the same promise until they are taken. */
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

  /**
   * Signals the failure only by closing: the driver removes its listeners at times, and an unhandled error event ends
   * the process.
   */
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
