/**
 * JSON columns, and values extracted from them. Native DuckDB has a type for them, and the WASM engine represents them as text.
 * JSON functions and the text form are the same for both; comparison, casts, computation or the result may have another value or
 * type.
 */

/**
 * Whether a statement, in the planner's SQL, uses a column only in ways that are the same for a text. Columns are matched by name
 * alone.
 */
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

/**
 * The same for results of `json_extract`: calls are folded from the inside out, and no extracted value may be left at the end.
 */
export function extractsTexts(sql: string): boolean {
  if (!/json_extract\b/i.test(sql)) return true;
  let code = sql.replace(QUOTED, (each) => (each.startsWith("'") ? "''" : "name")).replaceAll(VALUE, "name");
  let before = "";
  for (let level = 0; before !== code; level++) {
    // Each nesting level reads the whole statement.
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

/** Maximum nesting level of folded calls; ordinary statements have fewer. */
const MOST_LEVELS = 100;

/** Placeholder of an extracted value until its use is known; the planner's SQL never contains it outside of quotes. */
const VALUE = "\u0001";
const INNERMOST = /(?<!\w)(\w*)\(([^()]*)\)/g;
const TEST = new RegExp(`(?<=\\(|\\b(?:WHERE|OR|NOT|WHEN|ON|HAVING) )${VALUE} IS (?:NOT )?NULL\\b`, "gi");
const SHORT_CAST = new RegExp(`${VALUE}::(?:TEXT|VARCHAR)\\b(?!\\s*[[(])`, "gi");
const AS_TEXT = new RegExp(`^\\s*${VALUE} AS (?:TEXT|VARCHAR|JSON)\\s*$`, "i");

/** Whether each argument is exactly one such value or contains none. */
function isOfJson(inside: string): boolean {
  return inside.split(",").every((each) => !each.includes(VALUE) || each.trim() === VALUE);
}

/** Constants and quoted names, which may contain the start of a constant. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"/g;
/** Constructs that include the column without naming it. */
const WHOLE_ROWS = /(?:\bSELECT|,)\s*(?:DISTINCT\s+)?\*|\.\*|\bCOLUMNS\s*\(/i;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
