/**
 * What `pg` takes for its socket: a `Wire` behind the events and methods the driver uses. Reading can be held, which the
 * driver knows nothing about: that is how rows wait on the server until somebody pulls them.
 */
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import { ConnectorFailure } from "../failure.ts";
import { notPostgres } from "../postgres/failures.ts";
import type { Wire } from "./wire.ts";

/** During start-up a server has little to say; more is not PostgreSQL, and the driver would buffer it all. */
const MAX_STARTUP_MESSAGE = 64 * 1024;
/** One row, at most: the driver collects it in buffers that double, then makes text of it, in a Worker's 128 MB. */
export const MAX_MESSAGE = 16 * 1024 * 1024;

const READY_FOR_QUERY = "Z".charCodeAt(0);
const DATA_ROW = "D".charCodeAt(0);

/** The length counts itself, and not the type before it. */
const LENGTH_BYTES = 4;
const HEADER_BYTES = 1 + LENGTH_BYTES;

export class PostgresStream extends EventEmitter {
  writable = true;
  readonly #wire: Wire;
  #outgoing: Uint8Array[] = [];
  #sent: Promise<void> = Promise.resolve();
  #held: Promise<void> | undefined;
  #release: (() => void) | undefined;
  #destroyed = false;
  readonly #frames = new MessageFrames();
  /** Who takes rows in the driver's place. */
  rows: RowSink | undefined;

  constructor(wire: Wire) {
    super();
    this.#wire = wire;
  }

  /** The wire is connected already; the driver only has to be told. */
  connect(): this {
    queueMicrotask(() => {
      this.emit("connect");
      this.#pump();
    });
    return this;
  }

  /** No bytes are read until `resume`. What the driver has been given already is not taken back. */
  hold(): void {
    this.#held ??= new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  resume(): void {
    this.#held = undefined;
    this.#release?.();
  }

  async #pump(): Promise<void> {
    try {
      while (!this.#destroyed) {
        const bytes = await this.#wire.read();
        if (bytes === undefined) break;
        this.#deliver(bytes);
        await this.#held;
      }
    } catch (error) {
      if (!this.#destroyed) this.emit("error", brokenProtocol(error));
    }
    this.#finish();
  }

  /**
   * Rows to whoever takes them, the rest to the driver, each in its turn: what the driver makes of one message decides who
   * gets the next. Its parser takes bytes apart in the listener; what it throws is the server's fault.
   */
  #deliver(bytes: Uint8Array): void {
    this.#frames.split(
      bytes,
      (from, to) => this.emit("data", Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from)),
      () => this.rows,
    );
  }

  /** Bytes of one turn leave together: the driver writes a message at a time. */
  write(bytes: Uint8Array, done?: () => void): boolean {
    if (this.#outgoing.length === 0) queueMicrotask(() => this.#flush());
    this.#outgoing.push(bytes);
    if (done !== undefined) queueMicrotask(() => this.#sent.then(done, done));
    return true;
  }

  #flush(): void {
    const bytes = Buffer.concat(this.#outgoing);
    this.#outgoing = [];
    this.#sent = this.#sent.then(() => this.#wire.write(bytes));
    this.#sent.catch((error) => {
      if (!this.#destroyed) this.emit("error", error);
      this.destroy();
    });
  }

  end(): void {
    this.destroy();
  }

  destroy(): void {
    this.#finish();
  }

  #finish(): void {
    if (this.#destroyed) return;
    this.#destroyed = true;
    this.writable = false;
    this.#wire.close();
    this.resume();
    this.emit("close");
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }
}

function brokenProtocol(error: unknown): unknown {
  if (error instanceof ConnectorFailure) return error;
  if (error instanceof Error && error.message.startsWith("Unknown authenticationOk message type")) {
    return new ConnectorFailure(
      "AUTHENTICATION",
      "The server asks for a method of authentication that is not supported.",
      {
        hint: "Use a password (SCRAM-SHA-256 or MD5) for this user.",
        cause: error,
      },
    );
  }
  return notPostgres(error);
}

/** Takes the bodies of DataRow messages. */
export interface RowSink {
  beginRow(length: number): void;
  /** A part of the body. */
  addToRow(chunk: Uint8Array, from: number, to: number): void;
  finishRow(): void;
}

/**
 * Follows message boundaries ahead of the driver's parser, which believes any length up to 4 GB and collects until it has
 * that much. A message is a type byte and a big-endian length that counts itself.
 */
class MessageFrames {
  /** Bytes of the current message's body still to come. */
  #remaining = 0;
  /** The part of a header that has arrived. */
  #header: number[] = [];
  /** Who takes the current message, if not the driver. */
  #sink: RowSink | undefined;
  #ready = false;

  /** `others` gets what is for the driver, and has seen all of it when `sinkOf` is asked who takes a row. */
  split(bytes: Uint8Array, others: (from: number, to: number) => void, sinkOf: () => RowSink | undefined): void {
    let offset = 0;
    /** What is before has been given to somebody. */
    let given = 0;
    const give = (): void => {
      if (offset > given && this.#sink === undefined) others(given, offset);
      given = offset;
    };
    while (offset < bytes.length) {
      if (this.#remaining > 0) {
        const from = offset;
        offset += Math.min(this.#remaining, bytes.length - offset);
        this.#remaining -= offset - from;
        this.#sink?.addToRow(bytes, from, offset);
      } else {
        if (this.#header.length === 0 && (this.#sink !== undefined || bytes[offset] === DATA_ROW)) {
          give();
          this.#sink = bytes[offset] === DATA_ROW ? sinkOf() : undefined;
        }
        offset = this.#readHeader(bytes, offset);
        if (this.#header.length > 0) continue;
        this.#sink?.beginRow(this.#remaining);
      }
      if (this.#remaining === 0) this.#sink?.finishRow();
    }
    give();
  }

  /** Returns where it ends. What has arrived of it is kept when that is not all. */
  #readHeader(bytes: Uint8Array, offset: number): number {
    if (this.#header.length === 0 && offset + HEADER_BYTES <= bytes.length) {
      this.#begin(bytes[offset] ?? 0, uint32(bytes, offset + 1));
      return offset + HEADER_BYTES;
    }
    this.#header.push(bytes[offset] ?? 0);
    if (this.#header.length === HEADER_BYTES) {
      const header = this.#header;
      this.#header = [];
      this.#begin(header[0] ?? 0, uint32(header, 1));
    }
    return offset + 1;
  }

  #begin(type: number, length: number): void {
    this.#checkMessage(type, length);
    this.#remaining = length - LENGTH_BYTES;
  }

  #checkMessage(type: number, length: number): void {
    const isLetter = (type >= 0x41 && type <= 0x5a) || (type >= 0x61 && type <= 0x7a) || (type >= 0x31 && type <= 0x33);
    if (!isLetter || length < LENGTH_BYTES || (!this.#ready && length > MAX_STARTUP_MESSAGE)) {
      throw notPostgres();
    }
    if (length > MAX_MESSAGE) {
      throw type === DATA_ROW
        ? new ConnectorFailure("SOURCE_ERROR", `A row of ${length} bytes is more than the ${MAX_MESSAGE} that fit.`, {
            hint: "Select fewer or shorter columns.",
          })
        : new ConnectorFailure("UPSTREAM_PROTOCOL", `The server announced a message of ${length} bytes.`);
    }
    if (type === READY_FOR_QUERY) this.#ready = true;
  }
}

function uint32(bytes: ArrayLike<number>, at: number): number {
  return (
    (bytes[at] ?? 0) * 0x1_00_00_00 +
    (((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0))
  );
}
