/** A wire as the stream that the driver reads and writes. The driver holds an answer until it is whole: here it ends. */
import { Duplex } from "node:stream";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Wire } from "../../src/connectors/socket/wire.ts";

/** Of an answer to one request. Rows are asked for by how wide they can be (`statement.ts`), so long documents alone come near. */
const MOST_BYTES = 64 * 1024 * 1024;

export class WireStream extends Duplex {
  /** Why it was cut, where that was neither side's wish. */
  failure: unknown;
  readonly #wire: Wire;
  /** Since the last request. */
  #received = 0;

  constructor(wire: Wire) {
    super();
    this.#wire = wire;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  override _read(): void {
    this.#wire.read().then(
      (bytes) => {
        this.#received += bytes?.length ?? 0;
        if (this.#received <= MOST_BYTES) this.push(bytes ?? null);
        else
          this.#cut(new ConnectorFailure("SOURCE_ERROR", "The server sends more at once than can be held.", TOO_MUCH));
      },
      (error) => this.#cut(error),
    );
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

const TOO_MUCH = { hint: "Leave out long documents (CLOB, BLOB, JSON), or take a part of them with DBMS_LOB.SUBSTR." };
