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

/**
 * `declared`: names by their lower case. A column has a declared name if it is written exactly so, else if only its case differs.
 * Undefined when the line has none of the names, whichever character separates its parts.
 */
export function readCsvHeader(line: string, declared: ReadonlyMap<string, string>): CsvHeader | undefined {
  let best: CsvHeader | undefined;
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const fields = fieldsOf(line, delimiter);
    const known = new Set(fields.map((field) => field.trim().toLowerCase()).filter((name) => declared.has(name))).size;
    if (known > most) [best, most] = [{ delimiter, names: namesOf(fields, declared) }, known];
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
