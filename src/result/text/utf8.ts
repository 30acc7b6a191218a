/** Validates UTF-8 as the platform's strict decoder does, without a call into the platform for each value. */

/** Index of the first non-ASCII byte from `from` on; `to` when there is none. */
export function endOfAscii(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && (bytes[at] as number) < 0x80) at++;
  return at;
}

/** Rejects overlong forms, surrogates, code points beyond U+10FFFF and incomplete sequences. `to` is within the bytes. */
export function isUtf8(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = endOfAscii(bytes, from, to); at < to; at = endOfAscii(bytes, at, to)) {
    const lead = bytes[at] as number;
    const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (lead < 0xc2 || lead > 0xf4 || at + length > to) return false;
    const second = bytes[at + 1] as number;
    const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
    const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
    if (second < lowest || second > highest) return false;
    for (let next = at + 2; next < at + length; next++) if (((bytes[next] as number) & 0xc0) !== 0x80) return false;
    at += length;
  }
  return true;
}
