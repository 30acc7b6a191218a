/**
 * The bytes of one answer, which packets may cut anywhere, read in order in the units of the protocol: little-endian
 * numbers, UTF-16 texts. Readers throw `MORE` for incomplete data, and read it again from its start when more has
 * arrived.
 */
import { LittleEndianReader } from "../../src/connectors/little-endian.ts";
import type { Wire } from "../../src/connectors/socket/wire.ts";
import { closedEarly, notTds } from "./failures.ts";
import { PacketSplitter } from "./packets.ts";

/** Thrown by readers only. */
export const MORE: unique symbol = Symbol("more bytes are needed");

/** Ends a wait that another reader continues. */
class Interrupted extends Error {
  override readonly name = "Interrupted";
}

export class AnswerReader extends LittleEndianReader {
  /** Bytes from `at` to `#end` have arrived and are unread. */
  bytes: Buffer = Buffer.alloc(0);
  at = 0;
  #end = 0;
  /** The last packet of the message has come. */
  #isWhole = true;
  readonly #wire: Wire;
  readonly #splitter = new PacketSplitter();
  /** A pending read whose waiter has timed out. */
  #reading: Promise<boolean> | undefined;
  #interruptions = 0;

  constructor(wire: Wire) {
    super();
    this.#wire = wire;
  }

  /** Bytes that have come and were not read. */
  get held(): number {
    return this.#end - this.at;
  }

  /** All of the message has come. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** All of the message has been read. */
  get isOver(): boolean {
    return this.#isWhole && this.held === 0;
  }

  /** Begins another message. The previous one must be complete. */
  begin(): void {
    if (!this.isOver) throw notTds();
    this.#isWhole = false;
  }

  /** Ends the current wait without consuming anything: the interrupting reader continues from the same position. */
  interrupt(): void {
    this.#interruptions++;
  }

  /** Waits for a packet. Fails at the end of the connection, and where the message has ended and more of it is needed. */
  async more(): Promise<void> {
    const interruptions = this.#interruptions;
    while (!this.takeArrived()) {
      if (this.#isWhole) throw notTds();
      const hasCome = await this.arrival();
      if (this.#interruptions !== interruptions) throw new Interrupted();
      if (!hasCome) throw closedEarly();
    }
  }

  /** Waits for whatever comes; false at the end of the connection. */
  arrival(): Promise<boolean> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<boolean> {
    const bytes = await this.#wire.read();
    if (bytes === undefined) return false;
    this.#splitter.add(bytes);
    return true;
  }

  /** The next packet of the message, where it has come already. */
  takeArrived(): boolean {
    if (this.#isWhole) return false;
    const part = this.#splitter.take();
    if (part === undefined) return false;
    this.#append(part.payload);
    this.#isWhole = part.isLast;
    return true;
  }

  #append(part: Buffer): void {
    const { held } = this;
    if (held === 0) {
      this.bytes = part;
      this.at = 0;
      this.#end = part.length;
      return;
    }
    // Twice as much each time, so that a long row is not copied for each of its packets.
    if (this.#end + part.length > this.bytes.length || !this.#isOwn) {
      const room = Buffer.alloc(Math.max(held + part.length, held * 2));
      this.bytes.copy(room, 0, this.at, this.#end);
      this.bytes = room;
      this.#own = room;
      this.at = 0;
      this.#end = held;
    }
    this.bytes.set(part, this.#end);
    this.#end += part.length;
  }

  /** The buffer allocated by this reader, which it may write to. */
  #own: Buffer | undefined;

  get #isOwn(): boolean {
    return this.bytes === this.#own;
  }

  /** Skips `count` bytes and returns their start. */
  skip(count: number): number {
    const from = this.at;
    if (count > this.#end - from) throw MORE;
    this.at = from + count;
    return from;
  }

  /** An unsigned integer of at most six bytes. */
  uint(bytes: number): number {
    return this.bytes.readUIntLE(this.skip(bytes), bytes);
  }

  /** Without a sign, of any length. */
  big(bytes: number): bigint {
    const from = this.skip(bytes);
    let value = 0n;
    for (let at = from + bytes - 1; at >= from; at--) value = (value << 8n) | BigInt(this.bytes[at] as number);
    return value;
  }

  /** So many characters of UTF-16. */
  text(characters: number): string {
    const from = this.skip(characters * 2);
    return this.bytes.toString("utf16le", from, this.at);
  }

  /** A text behind its length in one byte (B_VARCHAR). */
  shortText(): string {
    return this.text(this.uint8());
  }

  /** A text behind its length in two bytes (US_VARCHAR). */
  longText(): string {
    return this.text(this.uint16());
  }

  /** A copy: the buffer is used again. */
  data(count: number): Uint8Array {
    const from = this.skip(count);
    return new Uint8Array(this.bytes.subarray(from, this.at));
  }
}
