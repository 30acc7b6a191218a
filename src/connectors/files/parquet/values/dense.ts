/** Values of a column without NULLs, in sequence. */
import { tooShort } from "./bytes.ts";

/**
 * Called with the number of bytes before values take them, and with a negative number when they are released. Throws if it is too
 * much.
 */
export type Take = (bytes: number) => void;

export type Dense = Fixed | Texts;

/** Values of a fixed width. */
export class Fixed {
  readonly width: number;
  readonly #take: Take;
  #bytes: Uint8Array;
  #length = 0;

  constructor(width: number, take: Take, bytes: Uint8Array = new Uint8Array(0)) {
    this.width = width;
    this.#take = take;
    this.#bytes = bytes;
    this.#length = bytes.length;
  }

  get count(): number {
    return this.width === 0 ? 0 : this.#length / this.width;
  }

  /** Size of the values in bytes. */
  get size(): number {
    return this.#length;
  }

  /** The bytes of all values. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  append(other: Fixed): void {
    this.#reserve(other.bytes.length);
    this.#bytes.set(other.bytes, this.#length);
    this.#length += other.bytes.length;
  }

  /** Appends the values of the other list at these indexes. */
  gather(other: Fixed, places: Uint32Array): void {
    const { width } = this;
    this.#reserve(places.length * width);
    const { count, bytes } = other;
    const target = this.#bytes;
    let at = this.#length;
    for (const place of places) {
      if (place >= count) throw tooShort();
      const from = place * width;
      for (let i = 0; i < width; i++) target[at + i] = bytes[from + i] ?? 0;
      at += width;
    }
    this.#length = at;
  }

  #reserve(more: number): void {
    this.#take(more);
    this.#bytes = grown(this.#bytes, this.#length, this.#length + more);
  }
}

/** Values of any length. */
export class Texts {
  readonly #take: Take;
  #offsets = new Int32Array(64);
  #data = new Uint8Array(0);
  #count = 0;
  #length = 0;

  constructor(take: Take) {
    this.#take = take;
  }

  get count(): number {
    return this.#count;
  }

  /** Size of the values and their offsets in bytes. */
  get size(): number {
    return this.#length + 4 * this.#count;
  }

  /** The start of each value in `data`, and the end of the last. */
  get offsets(): Int32Array {
    return this.#offsets.subarray(0, this.#count + 1);
  }

  get data(): Uint8Array {
    return this.#data.subarray(0, this.#length);
  }

  add(text: Uint8Array): void {
    this.#take(text.length + 4);
    if (this.#length + text.length > this.#data.length) {
      this.#data = grown(this.#data, this.#length, this.#length + text.length);
    }
    if (this.#count + 2 > this.#offsets.length) {
      const larger = new Int32Array(this.#offsets.length * 2);
      larger.set(this.#offsets);
      this.#offsets = larger;
    }
    this.#data.set(text, this.#length);
    this.#length += text.length;
    this.#offsets[++this.#count] = this.#length;
  }

  append(other: Texts): void {
    const { offsets, data } = other;
    for (let i = 0; i < other.count; i++) this.add(data.subarray(offsets[i], offsets[i + 1]));
  }

  gather(other: Texts, places: Uint32Array): void {
    const { offsets, data, count } = other;
    for (const place of places) {
      if (place >= count) throw tooShort();
      this.add(data.subarray(offsets[place], offsets[place + 1]));
    }
  }
}

function grown(bytes: Uint8Array, have: number, wanted: number): Uint8Array<ArrayBuffer> {
  if (wanted <= bytes.length) return bytes as Uint8Array<ArrayBuffer>;
  const larger = new Uint8Array(Math.max(wanted, Math.min(bytes.length * 2, bytes.length + 4_194_304), 256));
  larger.set(bytes.subarray(0, have));
  return larger;
}
