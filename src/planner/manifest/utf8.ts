/**
 * Strict UTF-8 decoding in plain TypeScript: the planner knows no platform, and `TextDecoder` belongs to one.
 * Overlong forms, surrogates and truncated sequences throw a `RangeError`.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  let start = 0;
  // A byte order mark is no part of the text.
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3;
  const parts: string[] = [];
  let units: number[] = [];
  for (let i = start; i < bytes.length; ) {
    const first = bytes[i] ?? 0;
    if (first < 0x80) {
      units.push(first);
      i++;
    } else {
      const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
      if (first < 0xc2 || first > 0xf4 || i + length > bytes.length) throw new RangeError("not UTF-8");
      let point = first & (0xff >> (length + 1));
      for (let j = 1; j < length; j++) {
        const next = bytes[i + j] ?? 0;
        if ((next & 0xc0) !== 0x80) throw new RangeError("not UTF-8");
        point = (point << 6) | (next & 0x3f);
      }
      const overlong = (length === 3 && point < 0x800) || (length === 4 && point < 0x10000);
      if (overlong || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) throw new RangeError("not UTF-8");
      if (point > 0xffff) {
        units.push(0xd800 + ((point - 0x10000) >> 10), 0xdc00 + ((point - 0x10000) & 0x3ff));
      } else units.push(point);
      i += length;
    }
    if (units.length > 8000) {
      parts.push(String.fromCharCode(...units));
      units = [];
    }
  }
  parts.push(String.fromCharCode(...units));
  return parts.join("");
}
