/**
 * The socket that `pg` uses: a `Wire` behind the events and methods that the driver needs. Reading can be paused without the
 * driver's knowledge: rows then wait on the server until they are pulled.
 */
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import { ConnectorFailure } from "../failure.ts";
import { notPostgres } from "../postgres/failures.ts";
import type { Wire } from "./wire.ts";

/** A server sends little during start-up; more bytes are not PostgreSQL's protocol, and the driver would buffer all of them. */
const MAX_STARTUP_MESSAGE = 64 * 1024;
/** Maximum size of a row: the driver collects it in doubling buffers and then converts it to text, in a Worker with 128 MB. */
export const MAX_MESSAGE = 16 * 1024 * 1024;

const READY_FOR_QUERY = "Z".charCodeAt(0);
const DATA_ROW = "D".charCodeAt(0);

/** The length counts itself, and not the type byte before it. */
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
  /** Takes rows in place of the driver. */
  rows: RowSink | undefined;

  constructor(wire: Wire) {
    super();
    this.#wire = wire;
  }

  /** The wire is already connected; the driver only needs the event. */
  connect(): this {
    queueMicrotask(() => {
      this.emit("connect");
      this.#pump();
    });
    return this;
  }

  /** No bytes are read until `resume`. Bytes that the driver already has are not taken back. */
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
   * Passes rows to the sink and the rest to the driver, in order: the driver's reaction to a message decides who gets the next.
   * Its parser runs in the listener; an error that it throws is the server's fault.
   */
  #deliver(bytes: Uint8Array): void {
    this.#frames.split(
      bytes,
      (from, to) => this.emit("data", Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from)),
      () => this.rows,
    );
  }

  /** Bytes of one turn are sent together: the driver writes one message at a time. */
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
 * Tracks message boundaries before the driver's parser, which trusts any length up to 4 GB and buffers that much. A message is a
 * type byte and a big-endian length that counts itself.
 */
class MessageFrames {
  /** Remaining bytes of the current message's body. */
  #remaining = 0;
  /** The part of a header that has arrived. */
  #header: number[] = [];
  /** Takes the current message; undefined for the driver. */
  #sink: RowSink | undefined;
  #ready = false;

  /** `others` gets the driver's bytes, and has received all of them before `sinkOf` is called for a row. */
  split(bytes: Uint8Array, others: (from: number, to: number) => void, sinkOf: () => RowSink | undefined): void {
    let offset = 0;
    /** All bytes before this offset have been passed on. */
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

  /** Returns the end of the header. An incomplete header is kept. */
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
