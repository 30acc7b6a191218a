/**
 * WASM without exports that nobody asks for. DuckDB's has 75,000, for extensions that it would link to: of each JavaScript makes a
 * function or a global, a place in a table and a property, which is most of its start and a fourth of an isolate's memory.
 */

/** Of sections (https://webassembly.github.io/spec/core/binary/modules.html). */
const EXPORTS = 7;
const HEADER_BYTES = 8;

/** The same module with those exports alone that `isWanted` is true for. */
export function withExports(module: Uint8Array, isWanted: (name: string) => boolean): Uint8Array {
  const sections: Uint8Array[] = [module.subarray(0, HEADER_BYTES)];
  for (let at = HEADER_BYTES; at < module.length; ) {
    const [size, content] = unsigned(module, at + 1);
    const end = content + size;
    const isKept = module[at] !== EXPORTS;
    sections.push(isKept ? module.subarray(at, end) : exportSection(module.subarray(content, end), isWanted));
    at = end;
  }
  return Buffer.concat(sections);
}

function exportSection(content: Uint8Array, isWanted: (name: string) => boolean): Uint8Array {
  const [count, first] = unsigned(content, 0);
  const wanted: Uint8Array[] = [];
  let at = first;
  for (let entry = 0; entry < count; entry++) {
    const [length, name] = unsigned(content, at);
    const kind = name + length;
    const [, end] = unsigned(content, kind + 1);
    if (isWanted(Buffer.from(content.subarray(name, kind)).toString("utf8"))) wanted.push(content.subarray(at, end));
    at = end;
  }
  const entries = Buffer.concat([leb128(wanted.length), ...wanted]);
  return Buffer.concat([Uint8Array.of(EXPORTS), leb128(entries.length), entries]);
}

/** A number in LEB128, and where what follows it begins. */
function unsigned(bytes: Uint8Array, from: number): readonly [value: number, next: number] {
  let value = 0;
  let at = from;
  for (let shift = 1; ; shift *= 128) {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error("The module ends within a number.");
    value += (byte & 0x7f) * shift;
    if (byte < 0x80) return [value, at];
  }
}

function leb128(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    bytes.push(left < 128 ? left : (left % 128) + 128);
    if (left < 128) return Uint8Array.from(bytes);
  }
}
