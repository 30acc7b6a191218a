/**
 * Packets of the MySQL protocol over a `Wire`: three bytes of length, a sequence byte, the payload. A packet is read only on
 * demand: unread bytes stay in the network and slow the server down.
 */
import { Buffer } from "node:buffer";
import { ConnectorFailure } from "../failure.ts";
import { closedEarly, notMySql } from "../mysql/failures.ts";
import { asBuffer, PacketReader } from "../mysql/packet-reader.ts";
import type { Wire } from "./wire.ts";

const HEADER_BYTES = 4;
/** This length means that the payload continues in the next packet: too large a row for a Worker with 128 MB. */
const CONTINUED = 0xff_ff_ff;

export class MySqlPackets {
  readonly #wire: Wire;
  /** Unread bytes, from `#begin` to `#end`: a chunk of the wire, or a copy that can grow. */
  #bytes: Buffer = Buffer.alloc(0);
  #begin = 0;
  #end = 0;
  /** Start of the last packet. */
  #taken = 0;
  #isCopy = false;
  #sequence = 0;
  /** A pending read that outlasted the wait for it. */
  #reading: Promise<boolean> | undefined;
  #isClosed = false;
  #commands = 0;

  constructor(wire: Wire) {
    this.#wire = wire;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Number of sent commands. */
  get commands(): number {
    return this.#commands;
  }

  /** Begins a command: the packet sequence restarts. */
  command(code: number, payload: Uint8Array | string = ""): Promise<void> {
    this.#commands++;
    const body = typeof payload === "string" ? Buffer.from(payload, "utf8") : payload;
    return this.#send(0, Buffer.concat([Buffer.of(code), body]));
  }

  /** A command that the server does not answer. */
  silentCommand(code: number, payload: Uint8Array): void {
    this.command(code, payload).catch(() => {});
  }

  #send(sequence: number, payload: Buffer): Promise<void> {
    const parts: Buffer[] = [];
    this.#sequence = sequence;
    // A payload whose length is a multiple of the maximum ends with an empty packet.
    for (let at = 0; at <= payload.length; at += CONTINUED) {
      const length = Math.min(CONTINUED, payload.length - at);
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeUIntLE(length, 0, 3);
      header.writeUInt8(this.#sequence, 3);
      parts.push(header, payload.subarray(at, at + length));
      this.#sequence = (this.#sequence + 1) & 0xff;
    }
    return this.#wire.write(Buffer.concat(parts));
  }

  /** The next packet, after waiting for it. It is valid until the next packet is requested. */
  async next(): Promise<PacketReader> {
    for (;;) {
      const packet = this.take();
      if (packet !== undefined) return packet;
      if (!(await this.more())) throw closedEarly();
    }
  }

  /** The next packet, if it has arrived completely. */
  take(): PacketReader | undefined {
    const held = this.#end - this.#begin;
    if (held < HEADER_BYTES) return undefined;
    const length = this.#bytes.readUIntLE(this.#begin, 3);
    if (length === CONTINUED) {
      throw new ConnectorFailure("SOURCE_ERROR", "A row is larger than the 16 MiB that fit.", {
        hint: "Select fewer or shorter columns.",
      });
    }
    if (held < HEADER_BYTES + length) return undefined;
    if (length === 0 || this.#bytes[this.#begin + 3] !== this.#sequence) throw notMySql();
    this.#sequence = (this.#sequence + 1) & 0xff;
    const from = this.#begin + HEADER_BYTES;
    this.#taken = this.#begin;
    this.#begin = from + length;
    return new PacketReader(this.#bytes, from, this.#begin);
  }

  /** Puts back the last packet. */
  untake(): void {
    this.#begin = this.#taken;
    this.#sequence = (this.#sequence + 0xff) & 0xff;
  }

  /** Waits for more bytes; false at the end of the connection. */
  more(): Promise<boolean> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #read(): Promise<boolean> {
    const bytes = await this.#wire.read();
    if (bytes === undefined) {
      this.#isClosed = true;
      return false;
    }
    if (this.#begin === this.#end) {
      this.#bytes = asBuffer(bytes);
      this.#isCopy = false;
      this.#begin = 0;
      this.#end = bytes.byteLength;
    } else this.#append(bytes);
    return true;
  }

  #append(bytes: Uint8Array): void {
    const held = this.#end - this.#begin;
    const needed = held + bytes.byteLength;
    if (!this.#isCopy || this.#end + bytes.byteLength > this.#bytes.length) {
      // Doubles the capacity, so that a long row is not copied for each of its chunks.
      const room = Buffer.alloc(Math.max(needed, held * 2));
      this.#bytes.copy(room, 0, this.#begin, this.#end);
      this.#bytes = room;
      this.#isCopy = true;
      this.#begin = 0;
      this.#end = held;
    }
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.byteLength;
  }

  close(): void {
    this.#isClosed = true;
    this.#wire.close();
  }
}
