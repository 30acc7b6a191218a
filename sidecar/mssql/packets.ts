/** Packets of TDS: eight bytes of header, a part of a message (MS-TDS §2.2.3). */
import { closedEarly, notTds } from "./failures.ts";

const HEADER_BYTES = 8;

/** Message types, by sender (MS-TDS §2.2.3.1.1). */
export const MESSAGES = { batch: 0x01, rpc: 0x03, answer: 0x04, attention: 0x06, login: 0x10, prelogin: 0x12 } as const;

/** Until the server has agreed to another, each way. */
export const FIRST_PACKET_BYTES = 4096;

const STATUS = { last: 0x01, resets: 0x08 } as const;

/** The packets of one message. `resets`: the server takes back first what was changed in the session. */
export function packetsOf(type: number, payload: Uint8Array, size: number, resets = false): Buffer[] {
  const room = size - HEADER_BYTES;
  const packets: Buffer[] = [];
  for (let at = 0, number = 1; at === 0 || at < payload.length; at += room, number++) {
    const part = payload.subarray(at, at + room);
    const packet = Buffer.alloc(HEADER_BYTES + part.length);
    packet[0] = type;
    packet[1] = (at + room >= payload.length ? STATUS.last : 0) | (resets ? STATUS.resets : 0);
    packet.writeUInt16BE(packet.length, 2);
    packet[6] = number & 0xff;
    packet.set(part, HEADER_BYTES);
    packets.push(packet);
  }
  return packets;
}

export interface PacketPart {
  readonly payload: Buffer;
  /** The message ends with it. */
  readonly isLast: boolean;
}

/** Takes bytes as they come, and gives the packets of a server's answers as they are complete. */
export class PacketSplitter {
  readonly #types: readonly number[];
  #held: Buffer = Buffer.alloc(0);
  /** Free buffer space after the held bytes. */
  #spare: Buffer = Buffer.alloc(0);

  /** `types` are those that a server's packets have: of the handshake's, the client's own as well. */
  constructor(types: readonly number[] = [MESSAGES.answer]) {
    this.#types = types;
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  add(bytes: Uint8Array): void {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { length } = this.#held;
    if (length === 0) {
      this.#held = view;
      this.#spare = Buffer.alloc(0);
      return;
    }
    if (view.length > this.#spare.length) {
      // Twice as much each time, so that a packet is not copied for each of its pieces.
      const room = Buffer.allocUnsafeSlow(Math.max(length + view.length, length * 2));
      room.set(this.#held);
      this.#held = room.subarray(0, length);
      this.#spare = room.subarray(length);
    }
    this.#spare.set(view);
    this.#spare = this.#spare.subarray(view.length);
    this.#held = Buffer.from(this.#held.buffer, this.#held.byteOffset, length + view.length);
  }

  /**
   * The next packet, if it has arrived completely. A first byte that begins no answer is rejected before its length is
   * used.
   */
  take(): PacketPart | undefined {
    const [type] = this.#held;
    if (type !== undefined && !this.#types.includes(type)) throw notTds();
    if (this.#held.length < HEADER_BYTES) return undefined;
    const length = this.#held.readUInt16BE(2);
    if (length < HEADER_BYTES) throw notTds();
    if (this.#held.length < length) return undefined;
    const payload = this.#held.subarray(HEADER_BYTES, length);
    const isLast = ((this.#held[1] as number) & STATUS.last) !== 0;
    this.#held = this.#held.subarray(length);
    return { payload, isLast };
  }

  /** Bytes after the last packet taken. */
  rest(): Buffer {
    const rest = this.#held;
    this.#held = Buffer.alloc(0);
    this.#spare = Buffer.alloc(0);
    return rest;
  }
}

/** A whole message of at most `most` bytes, with nothing after it. Reads with `read`, which ends with `undefined`. */
export async function readMessage(read: () => Promise<Uint8Array | undefined>, most: number): Promise<Buffer> {
  const splitter = new PacketSplitter();
  const parts: Buffer[] = [];
  let length = 0;
  for (;;) {
    const part = splitter.take();
    if (part === undefined) {
      const bytes = await read();
      if (bytes === undefined) throw splitter.isEmpty && length === 0 ? closedEarly() : notTds();
      splitter.add(bytes);
      continue;
    }
    parts.push(part.payload);
    length += part.payload.length;
    if (length > most) throw notTds();
    if (!part.isLast) continue;
    if (!splitter.isEmpty) throw notTds();
    return Buffer.concat(parts);
  }
}
