/** Names that are printed, where the caller's own do not fit every target. */

/** PostgreSQL cuts names at 63 bytes, so that two long ones become one; room is left for a number at the end. */
const MAX_BYTES = 56;

/** `name`, or `replacement` when it is empty or too long for a target. */
export function printableName(name: string, replacement: string): string {
  return name === "" || byteLength(name) > MAX_BYTES ? replacement : name;
}

function byteLength(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
