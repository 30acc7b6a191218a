/** UTF-16 units that become text at a time: as many arguments as every platform's stack bears. */
const CHUNK = 8_192;

/**
 * Strict UTF-8 decoding of bytes that are given as the characters of a text, each below 256. Overlong forms, surrogates
 * and truncated sequences throw a `RangeError`.
 */
export function decodeUtf8(bytes: string): string {
  if (!/[^\p{ASCII}]/u.test(bytes)) return bytes;
  // A byte order mark is not part of the text.
  let i = bytes.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
  const units = new Uint16Array(CHUNK);
  let text = "";
  while (i < bytes.length) {
    let length = 0;
    // One character takes up to two units.
    while (i < bytes.length && length < CHUNK - 1) {
      const first = bytes.charCodeAt(i);
      if (first < 0x80) {
        units[length++] = first;
        i++;
        continue;
      }
      const size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
      const point = codePoint(bytes, i, size);
      if (point > 0xffff) {
        units[length++] = 0xd800 + ((point - 0x10000) >> 10);
        units[length++] = 0xdc00 + ((point - 0x10000) & 0x3ff);
      } else units[length++] = point;
      i += size;
    }
    text += Reflect.apply(String.fromCharCode, undefined, units.subarray(0, length)) as string;
  }
  return text;
}

/** The character of `size` bytes, two to four, that begins at `start`. */
function codePoint(bytes: string, start: number, size: number): number {
  const first = bytes.charCodeAt(start);
  if (first < 0xc2 || first > 0xf4 || start + size > bytes.length) throw new RangeError("not UTF-8");
  let point = first & (0xff >> (size + 1));
  for (let i = start + 1; i < start + size; i++) {
    const next = bytes.charCodeAt(i);
    if ((next & 0xc0) !== 0x80) throw new RangeError("not UTF-8");
    point = (point << 6) | (next & 0x3f);
  }
  const isOverlong = (size === 3 && point < 0x800) || (size === 4 && point < 0x10000);
  const isSurrogate = point >= 0xd800 && point <= 0xdfff;
  if (isOverlong || isSurrogate || point > 0x10ffff) throw new RangeError("not UTF-8");
  return point;
}
