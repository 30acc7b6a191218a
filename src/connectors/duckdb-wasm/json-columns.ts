/**
 * Columns of JSON, which native DuckDB has a type for and this engine has not. To functions of JSON and as a text each is the same;
 * compared, cast, computed with or answered, it may be another value, or of another type.
 */

/** Whether a statement, in the planner's words, asks of a column what a text tells as well; a name is told by its letters alone. */
export function readsAsText(sql: string, column: string): boolean {
  const code = sql.replace(QUOTED, (each) => (each.startsWith("'") ? "''" : each));
  if (WHOLE_ROWS.test(code)) return false;
  const name = `(?<![\\w"])(?:"${escaped(column.replaceAll('"', '""'))}"|${escaped(column)})(?![\\w"])`;
  const qualified = `(?:(?:\\w+|"(?:[^"]|"")*")\\.)*${name}`;
  const asked = [
    `\\bjson_\\w+\\(${qualified}(?=[,)])`,
    `\\bCAST\\(${qualified} AS (?:TEXT|VARCHAR)\\)`,
    `(?<=\\(|\\b(?:WHERE|${/\bBETWEEN\b/i.test(code) ? "" : "AND|"}OR|NOT|WHEN|ON|HAVING) )${qualified} IS (?:NOT )?NULL\\b`,
  ];
  const others = code.replace(new RegExp(asked.join("|"), "gi"), "''");
  return !new RegExp(name, "i").test(others);
}

/** Constants, and names, which may hold the beginning of one. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g;
/** What holds the column, and does not name it. */
const WHOLE_ROWS = /(?:\bSELECT|,)\s*(?:DISTINCT\s+)?\*|\.\*|\bCOLUMNS\s*\(/i;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
