/** PostgreSQL's regular expressions on engines that use RE2 (DuckDB, BigQuery, ClickHouse …). */
import type { Expression } from "../syntax/tree.ts";
import { unsupported } from "./target.ts";

/**
 * Checks a literal pattern for what RE2 lacks or reads differently: look-around, back references, word-boundary
 * escapes of PostgreSQL, `\Z`. A pattern that is not a literal cannot be checked; it means the same for the common part.
 */
export function checkRe2Pattern(pattern: Expression): void {
  if (pattern.kind !== "string") return;
  const { value } = pattern;
  const foreign = /\\[mMyYZ1-9]|\(\?(?:=|!|<=|<!)|\[\[:[<>]:\]\]|^\*\*\*/.exec(value);
  if (foreign === null) return;
  throw unsupported(
    `"${foreign[0]}" in a regular expression`,
    pattern.span,
    "Use constructs without look-around and back references.",
  );
}

/** `\&` is the whole match in PostgreSQL and `\0` in RE2. */
export function re2Replacement(replacement: Expression): Expression {
  if (replacement.kind !== "string" || !replacement.value.includes("\\&")) return replacement;
  return { ...replacement, value: replacement.value.replaceAll("\\&", "\\0") };
}

/**
 * Options for DuckDB's regexp functions: `s` always, because `.` matches a newline in PostgreSQL; `i` and `g` as given.
 * `undefined` for flags that have no counterpart.
 */
export function re2Options(flags: string): string | undefined {
  return /^[gic]*$/.test(flags) ? `s${[...new Set(flags.replaceAll("c", ""))].join("")}` : undefined;
}

/** A SIMILAR TO pattern as an anchored RE2 pattern. */
export function similarToRe2(pattern: string, escape: string): string {
  let result = "";
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern.charAt(i);
    if (character === escape && i + 1 < pattern.length) {
      i++;
      result += quoted(pattern.charAt(i));
    } else if (character === "%") result += ".*";
    else if (character === "_") result += ".";
    else if ("|*+?{}()[]-".includes(character)) result += character;
    else result += quoted(character);
  }
  return result;
}

function quoted(character: string): string {
  return /[.^$\\|*+?{}()[\]]/.test(character) ? `\\${character}` : character;
}
