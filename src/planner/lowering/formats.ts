/** PostgreSQL's date format language, read once; a target spells each token its way or refuses it. */

export type FormatToken =
  | { readonly kind: "text"; readonly text: string }
  /** `pattern` in upper case without FM; `spelling` as written, which decides the case of names. */
  | { readonly kind: "pattern"; readonly pattern: string; readonly fill: boolean; readonly spelling: string };

/** Longest first, so that `MONTH` is not read as `MON` and `TH`. */
// biome-ignore format: a table reads better in rows
const PATTERNS: readonly string[] = [
  "MONTH", "HH24", "HH12", "YYYY", "IYYY", "IDDD", "Y,YYY", "SSSS", "A.M.", "P.M.", "MON", "DAY", "DDD", "IYY", "YYY",
  "TZH", "TZM", "HH", "MI", "SS", "MS", "US", "MM", "DD", "DY", "ID", "IW", "WW", "YY", "IY", "AM", "PM", "CC", "BC",
  "AD", "TZ", "OF", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6", "Y", "I", "D", "W", "J", "Q", "RM",
];

/** The longest pattern, and TH behind it: what has to be looked at in one place of a format. */
const LONGEST = 7;

/** The tokens of a format. Letters beyond ASCII are text: in upper case `ß` would be the pattern SS. */
export function readFormat(format: string): readonly FormatToken[] {
  const tokens: FormatToken[] = [];
  let fill = true;
  let position = 0;
  const literal = (text: string): void => {
    const last = tokens[tokens.length - 1];
    if (last?.kind === "text") tokens[tokens.length - 1] = { kind: "text", text: last.text + text };
    else tokens.push({ kind: "text", text });
  };
  while (position < format.length) {
    const ahead = format.slice(position, position + LONGEST);
    const upper = ahead.replace(/[a-z]/g, (letter) => letter.toUpperCase());
    if (ahead.startsWith('"')) {
      const end = format.indexOf('"', position + 1);
      literal(end < 0 ? format.slice(position + 1) : format.slice(position + 1, end));
      position = end < 0 ? format.length : end + 1;
      continue;
    }
    if (upper.startsWith("FM")) {
      fill = false;
      position += 2;
      continue;
    }
    const pattern = PATTERNS.find((candidate) => upper.startsWith(candidate));
    if (pattern === undefined) {
      literal(ahead.charAt(0));
      position++;
      continue;
    }
    const ordinal = upper.startsWith("TH", pattern.length) && pattern !== "MONTH";
    tokens.push({
      kind: "pattern",
      pattern: ordinal ? `${pattern}TH` : pattern,
      fill,
      spelling: ahead.slice(0, pattern.length),
    });
    fill = true;
    position += pattern.length + (ordinal ? 2 : 0);
  }
  return tokens;
}
