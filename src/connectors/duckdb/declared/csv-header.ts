/**
 * Parses the header of a CSV file and finds its delimiter: the character between the names that the manifest declares. Rows have
 * no influence.
 */
import type { CsvOptions } from "../../connection/csv-options.ts";
import { quotesOf } from "../csv-reading.ts";

export interface CsvHeader {
  readonly delimiter: string;
  /** In the order of the file, as DuckDB would name them. */
  readonly names: readonly string[];
}

/** The delimiters that DuckDB tries. */
const DELIMITERS = [",", "|", ";", "\t"];

/**
 * `declared`: names by their lower case. A column has a declared name if it is written exactly so, else if only its case differs.
 * Undefined when the line has none of the names, whichever character separates its parts.
 */
export function readCsvHeader(
  line: string,
  declared: ReadonlyMap<string, string>,
  options: CsvOptions = {},
): CsvHeader | undefined {
  let best: CsvHeader | undefined;
  let most = 0;
  for (const delimiter of delimitersOf(options)) {
    const fields = fieldsOf(line, delimiter, options);
    const known = new Set(fields.map((field) => field.trim().toLowerCase()).filter((name) => declared.has(name))).size;
    if (known > most) [best, most] = [{ delimiter, names: namesOf(fields, declared) }, known];
  }
  return best;
}

function delimitersOf({ delimiter }: CsvOptions): readonly string[] {
  return delimiter === undefined ? DELIMITERS : [delimiter];
}

function fieldsOf(line: string, delimiter: string, options: CsvOptions): readonly string[] {
  const { quote, escape } = quotesOf(options);
  const fields: string[] = [];
  let field = "";
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (quoted && character === escape && (line[at + 1] === quote || line[at + 1] === escape)) field += line[++at];
    else if (character === quote) quoted = !quoted;
    else if (character === delimiter && !quoted) {
      fields.push(field);
      field = "";
    } else field += character;
  }
  return [...fields, field];
}

/** Every column gets a unique name: the later of two equal names gets a number. */
function namesOf(fields: readonly string[], declared: ReadonlyMap<string, string>): readonly string[] {
  const names = fields.map((field, index) => field.trim() || `column${index}`);
  const exact = new Set([...declared.values()].flatMap((name) => (names.includes(name) ? [names.indexOf(name)] : [])));
  const taken = new Set([...exact].map((index) => names[index]?.toLowerCase()));
  return names.map((base, index) => {
    if (exact.has(index)) return base;
    let name = base;
    for (let count = 1; taken.has(name.toLowerCase()); count++) name = `${base}_${count}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

/** DuckDB's names of the columns of a file without a header: `column0`, of ten and more columns `column00`. */
const NUMBERED = /^column\d+$/;

/**
 * The columns of a file without a header, where the manifest declares DuckDB's names of them. `line`: its first row, separated by the
 * character that gives the most values. Undefined where no declared name is numbered so.
 */
export function unnamedColumns(
  line: string,
  declared: ReadonlyMap<string, string>,
  options: CsvOptions = {},
): CsvHeader | undefined {
  const numbered = [...declared.keys()].filter((name) => NUMBERED.test(name));
  if (numbered.length === 0) return undefined;
  const [first = ",", ...others] = delimitersOf(options);
  const count = (delimiter: string): number => fieldsOf(line, delimiter, options).length;
  const delimiter = others.reduce((best, other) => (count(other) > count(best) ? other : best), first);
  const columns = count(delimiter);
  const digits = String(columns - 1).length;
  const names = Array.from({ length: columns }, (_, index) => `column${String(index).padStart(digits, "0")}`);
  return numbered.some((name) => names.includes(name)) ? { delimiter, names } : undefined;
}
