/** Texts of DuckDB's fixed-width values whose canonical form is a string. */

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A UUID is a 128-bit integer, low half first, with its top bit flipped so that it sorts like its text. */
export function uuidText(data: DataView, offset: number): string {
  let text = "";
  for (let byte = 15; byte >= 0; byte--) {
    const value = data.getUint8(offset + byte);
    text += HEX[byte === 15 ? value ^ 0x80 : value];
    if (byte === 12 || byte === 10 || byte === 8 || byte === 6) text += "-";
  }
  return text;
}

/** The low 24 bits contain the offset as the distance below +15:59:59, so that equal instants sort together. */
const LARGEST_OFFSET = 15 * 3600 + 59 * 60 + 59;

/** `10:00:00.5+02`, `23:59:59-03:30`: the text in PostgreSQL and in DuckDB. */
export function timeTzText(bits: bigint): string {
  const microseconds = Number(bits >> 24n);
  const offset = LARGEST_OFFSET - Number(bits & 0xff_ffffn);
  const seconds = Math.floor(microseconds / 1_000_000);
  const fraction = microseconds % 1_000_000;
  const time = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(twoDigits).join(":");
  const tail =
    fraction === 0
      ? ""
      : `.${String(fraction)
          .padStart(6, "0")
          .replace(/(?<!0)0+$/, "")}`;
  return time + tail + offsetText(offset);
}

function offsetText(seconds: number): string {
  const size = Math.abs(seconds);
  const parts = [Math.floor(size / 3600), Math.floor(size / 60) % 60, size % 60];
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop();
  return (seconds < 0 ? "-" : "+") + parts.map(twoDigits).join(":");
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
