/**
 * Parses the header of a CSV file and finds its delimiter: the character between the names that the manifest declares. Rows have
 * no influence.
 */

export interface CsvHeader {
  readonly delimiter: string;
  /** In the order of the file, as DuckDB would name them. */
  readonly names: readonly string[];
}

/** The delimiters that DuckDB tries. */
const DELIMITERS = [",", "|", ";", "\t"];

/** Undefined when the line names none of `declared`, whatever separates its parts. Case does not count, as in DuckDB. */
export function readCsvHeader(line: string, declared: ReadonlySet<string>): CsvHeader | undefined {
  let best: CsvHeader | undefined;
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const names = namesOf(fieldsOf(line, delimiter));
    const known = names.filter((name) => declared.has(name.toLowerCase())).length;
    if (known > most) [best, most] = [{ delimiter, names }, known];
  }
  return best;
}

/** Quotes are doubled within quotes (RFC 4180). */
function fieldsOf(line: string, delimiter: string): readonly string[] {
  const fields: string[] = [];
  let field = "";
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === '"' && quoted && line[at + 1] === '"') field += line[at++];
    else if (character === '"') quoted = !quoted;
    else if (character === delimiter && !quoted) {
      fields.push(field);
      field = "";
    } else field += character;
  }
  return [...fields, field];
}

/** Every column gets a name of its own: the later of two equal ones has a number. */
function namesOf(fields: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  return fields.map((field, index) => {
    const base = field.trim() || `column${index}`;
    let name = base;
    for (let count = 1; taken.has(name.toLowerCase()); count++) name = `${base}_${count}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
