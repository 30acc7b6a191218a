/**
 * Decompresses Snappy and LZ4's block format (https://github.com/google/snappy/blob/main/format_description.txt,
 * https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md): literals, and copies of earlier output. The platform supports
 * neither. The size of the output is declared, and never exceeded.
 */
import { ParquetFault } from "../fault.ts";

export function unSnappy(input: Uint8Array, size: number): Uint8Array {
  const output = new Output(input, size);
  let at = 0;
  let told = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = input[at++];
    if (byte === undefined || shift > 28) throw broken();
    told += (byte & 127) * 2 ** shift;
    if (byte < 128) break;
  }
  if (told !== size) throw broken();
  while (at < input.length) {
    const tag = input[at++] ?? 0;
    const kind = tag & 3;
    if (kind === 0) {
      let length = tag >> 2;
      if (length >= 60) {
        const bytes = length - 59;
        length = number(input, at, bytes);
        at += bytes;
      }
      at = output.literal(at, length + 1);
    } else if (kind === 1) {
      output.copy(((tag >> 5) << 8) | number(input, at, 1), ((tag >> 2) & 7) + 4);
      at += 1;
    } else {
      const bytes = kind === 2 ? 2 : 4;
      output.copy(number(input, at, bytes), (tag >> 2) + 1);
      at += bytes;
    }
  }
  return output.whole();
}

export function unLz4(input: Uint8Array, size: number): Uint8Array {
  const output = new Output(input, size);
  let at = 0;
  const extended = (length: number): number => {
    if (length < 15) return length;
    let sum = length;
    for (;;) {
      const byte = number(input, at++, 1);
      sum += byte;
      if (byte < 255) return sum;
    }
  };
  while (at < input.length) {
    const token = number(input, at++, 1);
    const length = extended(token >> 4);
    at = output.literal(at, length);
    // No copy follows the last literal.
    if (at === input.length) break;
    const distance = number(input, at, 2);
    at += 2;
    output.copy(distance, extended(token & 15) + 4);
  }
  return output.whole();
}

class Output {
  readonly #input: Uint8Array;
  readonly #bytes: Uint8Array;
  #length = 0;

  constructor(input: Uint8Array, size: number) {
    this.#input = input;
    this.#bytes = new Uint8Array(size);
  }

  /** Returns the next position in the input. */
  literal(at: number, length: number): number {
    if (at + length > this.#input.length || this.#length + length > this.#bytes.length) throw broken();
    this.#bytes.set(this.#input.subarray(at, at + length), this.#length);
    this.#length += length;
    return at + length;
  }

  copy(distance: number, length: number): void {
    const bytes = this.#bytes;
    let at = this.#length;
    const end = at + length;
    if (distance === 0 || distance > at || end > bytes.length) throw broken();
    // A copy may include bytes that it writes itself.
    if (distance >= length) bytes.copyWithin(at, at - distance, end - distance);
    else for (; at < end; at++) bytes[at] = bytes[at - distance] ?? 0;
    this.#length = end;
  }

  whole(): Uint8Array {
    if (this.#length !== this.#bytes.length) throw broken();
    return this.#bytes;
  }
}

/** Little-endian. */
function number(input: Uint8Array, at: number, bytes: number): number {
  if (at + bytes > input.length) throw broken();
  let value = 0;
  for (let index = bytes - 1; index >= 0; index--) value = value * 256 + (input[at + index] ?? 0);
  return value;
}

function broken(): ParquetFault {
  return new ParquetFault("Compressed values in it are broken.");
}
