/** Tells whether a file of an answer is whole: a body that breaks off may end in good order (docs/reference/formats.md). */

/** The end line that `x-end-line: true` asks for. */
const END_LINE = /(?:^|\n)# end: \d+ rows\r?\n?$/;
/** Length of the last line at most, in bytes. */
const LONGEST_END = 64;

/** The CSV without its end line; undefined if it has none. */
export async function wholeCsv(file: Blob): Promise<Blob | undefined> {
  const start = Math.max(file.size - LONGEST_END, 0);
  const end = await file.slice(start).text();
  const found = END_LINE.exec(end);
  if (found === null) return undefined;
  const line = found[0].startsWith("\n") ? found[0].slice(1) : found[0];
  return file.slice(0, file.size - line.length, file.type);
}

/** Arrow's stream ends with a mark of eight bytes; undefined without it. */
export async function wholeArrow(file: Blob): Promise<Blob | undefined> {
  const end = new Uint8Array(await file.slice(-8).arrayBuffer());
  const isWhole = end.length === 8 && end.every((byte, index) => byte === (index < 4 ? 0xff : 0));
  return isWhole ? file : undefined;
}
