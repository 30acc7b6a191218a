/** Rows as a table for people, or with `--plain` as lines of fields between tabs. */
import { PROFILES } from "../../src/result/encode/profiles.ts";
import { displayZones, textWriter } from "../../src/result/encode/value-writers.ts";
import type { ResultStream, Value } from "../../src/result/types.ts";

/** A table is measured before it is printed, so it holds this many rows at most at once; further rows are another table. */
const ROWS_MEASURED = 1000;
const WIDEST_CELL = 60;

const NUMBERS: ReadonlySet<string> = new Set([
  ...["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"],
  ...["float32", "float64", "decimal"],
]);

export async function writeTable(
  stream: ResultStream,
  out: (text: string) => Promise<void>,
  isPlain: boolean,
): Promise<number> {
  const zoneOf = displayZones(undefined);
  const columns = stream.columns.map(({ name, type }) => ({
    name,
    isNumber: NUMBERS.has(type.kind),
    // Decimals have all digits of their scale, as in CSV.
    write:
      type.kind === "decimal" ? String : textWriter(type, { column: name, rules: PROFILES.modern.columns, zoneOf }),
  }));
  const cell = (value: Value | undefined, at: number): string =>
    value === null || value === undefined ? (isPlain ? "" : "NULL") : (columns[at]?.write(value) ?? "");
  const head = columns.map(({ name }) => shown(name, isPlain));
  let rows: string[][] = [];
  let count = 0;
  let hasHead = false;
  const flush = async (): Promise<void> => {
    const lines = isPlain ? rows.map((row) => row.join("\t")) : aligned(head, rows, columns);
    const titled = isPlain && !hasHead ? [head.join("\t"), ...lines] : lines;
    hasHead = true;
    rows = [];
    if (titled.length > 0) await out(`${titled.join("\n")}\n`);
  };
  for await (const batch of stream.batches) {
    for (const row of batch) {
      rows.push(row.map((value, at) => shown(cell(value, at), isPlain)));
      count++;
      if (rows.length === ROWS_MEASURED) await flush();
    }
  }
  if (rows.length > 0 || !hasHead) await flush();
  return count;
}

/** Control characters are escaped: a value must not move the cursor of a terminal, nor look like another line. */
function shown(text: string, isPlain: boolean): string {
  const safe = text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
    /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => ESCAPES.get(character) ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
  return isPlain || safe.length <= WIDEST_CELL ? safe : `${safe.slice(0, WIDEST_CELL - 1)}…`;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

function aligned(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  columns: readonly { readonly isNumber: boolean }[],
): readonly string[] {
  const widths = head.map((name, at) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[at] ?? "")), widthOf(name)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((text, at) => {
        const blanks = " ".repeat(Math.max(0, (widths[at] ?? 0) - widthOf(text)));
        return columns[at]?.isNumber === true ? blanks + text : text + blanks;
      })
      .join(" │ ")
      .trimEnd();
  return [line(head), widths.map((width) => "─".repeat(width)).join("─┼─"), ...rows.map(line)];
}

/** Wide characters of East Asia take two places. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]/u;
