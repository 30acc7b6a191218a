/**
 * Columns of JSON, and what is extracted of them, which native DuckDB has a type for and this engine has not. To functions of JSON
 * and as a text each is the same; compared, cast, computed with or answered, it may be another value, or of another type.
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

/** The same of what `json_extract` gives: calls are folded from the inside out, and no such value may be left. */
export function extractsTexts(sql: string): boolean {
  if (!/json_extract\b/i.test(sql)) return true;
  let code = sql.replace(QUOTED, (each) => (each.startsWith("'") ? "''" : "name")).replaceAll(VALUE, "name");
  let before = "";
  for (let level = 0; before !== code; level++) {
    // Each level of calls reads the whole statement.
    if (level === MOST_LEVELS) return false;
    before = code;
    code = code
      .replace(TEST, "true")
      .replace(SHORT_CAST, "name")
      .replace(INNERMOST, (_, name: string, inside: string) => {
        const called = name.toLowerCase();
        if (called === "json_extract" && isOfJson(inside)) return VALUE;
        const folds = /^(?:json_.*|count)$/.test(called) ? isOfJson(inside) : called === "cast" && AS_TEXT.test(inside);
        return folds || !inside.includes(VALUE) ? " name " : `${name}{${inside}}`;
      });
  }
  return !code.includes(VALUE);
}

/** Calls within calls that are folded; no honest statement has so many. */
const MOST_LEVELS = 100;

/** What was extracted, until its use is known; no SQL of the planner's has it outside of quotes. */
const VALUE = "\u0001";
const INNERMOST = /(?<!\w)(\w*)\(([^()]*)\)/g;
const TEST = new RegExp(`(?<=\\(|\\b(?:WHERE|OR|NOT|WHEN|ON|HAVING) )${VALUE} IS (?:NOT )?NULL\\b`, "gi");
const SHORT_CAST = new RegExp(`${VALUE}::(?:TEXT|VARCHAR)\\b(?!\\s*[[(])`, "gi");
const AS_TEXT = new RegExp(`^\\s*${VALUE} AS (?:TEXT|VARCHAR|JSON)\\s*$`, "i");

/** Of arguments: each is one such value or has none. */
function isOfJson(inside: string): boolean {
  return inside.split(",").every((each) => !each.includes(VALUE) || each.trim() === VALUE);
}

/** Constants, and names, which may hold the beginning of one. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g;
/** What holds the column, and does not name it. */
const WHOLE_ROWS = /(?:\bSELECT|,)\s*(?:DISTINCT\s+)?\*|\.\*|\bCOLUMNS\s*\(/i;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
