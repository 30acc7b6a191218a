/** Reading and writing binary WASM (https://webassembly.github.io/spec/core/binary/modules.html). */

export const FUNCTIONS = 3;
export const EXPORTS = 7;
export const CODE = 10;
const HEADER_BYTES = 8;

/** The same module with changed sections; `change` gets a section's id and content. */
export function withSections(
  module: Uint8Array,
  change: (section: number, content: Uint8Array) => Uint8Array,
): Uint8Array {
  const sections: Uint8Array[] = [module.subarray(0, HEADER_BYTES)];
  for (const [section, content] of sectionsOf(module)) {
    const changed = change(section, content);
    sections.push(Uint8Array.of(section), leb128(changed.length), changed);
  }
  return Buffer.concat(sections);
}

export function* sectionsOf(module: Uint8Array): Generator<readonly [section: number, content: Uint8Array]> {
  for (let at = HEADER_BYTES; at < module.length; ) {
    const [size, content] = unsigned(module, at + 1);
    const end = content + size;
    yield [module[at] ?? 0, module.subarray(content, end)];
    at = end;
  }
}

/** A LEB128 number, and the offset after it. */
export function unsigned(bytes: Uint8Array, from: number): readonly [value: number, next: number] {
  let value = 0;
  let at = from;
  for (let shift = 1; ; shift *= 128) {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error("The module ends within a number.");
    value += (byte & 0x7f) * shift;
    if (byte < 0x80) return [value, at];
  }
}

/** A signed 32-bit LEB128 number. */
export function signed(bytes: Uint8Array, from: number): readonly [value: number, next: number] {
  const [digits, next] = unsigned(bytes, from);
  const bits = 7 * (next - from);
  return [bits < 32 && digits >= 2 ** (bits - 1) ? digits - 2 ** bits : digits | 0, next];
}

export function leb128(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) + 128);
    if (left < 128) return Uint8Array.from(bytes);
  }
}

export function signedLeb128(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let left = value | 0; ; left >>= 7) {
    const isLast = left >= -64 && left < 64;
    bytes.push((left & 0x7f) | (isLast ? 0 : 0x80));
    if (isLast) return Uint8Array.from(bytes);
  }
}
