/**
 * Patterns of `strftime` and `date_format` in PostgreSQL's format language (docs/decisions/0039-names-of-other-engines.md): with
 * `%` they are C's, else Java's. What MySQL means otherwise than C (`%i`, `%s`), Java's week years and days of the year where days
 * of the month were meant (`YYYY-MM-DD`) are refused: they have no certain meaning.
 */

export type PatternOutcome =
  | { readonly ok: true; readonly pattern: string }
  /** `token` is the token without an equivalent. */
  | { readonly ok: false; readonly token: string };

const OF_C: Readonly<Record<string, string>> = {
  Y: "YYYY",
  y: "YY",
  m: "MM",
  d: "DD",
  H: "HH24",
  I: "HH12",
  M: "MI",
  S: "SS",
  p: "AM",
  j: "DDD",
  b: "Mon",
  B: "FMMonth",
  a: "Dy",
  A: "FMDay",
  F: "YYYY-MM-DD",
  T: "HH24:MI:SS",
  R: "HH24:MI",
  G: "IYYY",
  V: "IW",
  u: "ID",
  "-d": "FMDD",
  "-m": "FMMM",
  "-H": "FMHH24",
  "-I": "FMHH12",
};

const OF_JAVA: Readonly<Record<string, string>> = {
  yyyy: "YYYY",
  uuuu: "YYYY",
  yy: "YY",
  MMMM: "FMMonth",
  MMM: "Mon",
  MM: "MM",
  M: "FMMM",
  dd: "DD",
  d: "FMDD",
  HH: "HH24",
  H: "FMHH24",
  hh: "HH12",
  h: "FMHH12",
  mm: "MI",
  m: "FMMI",
  ss: "SS",
  s: "FMSS",
  SSS: "MS",
  SSSSSS: "US",
  a: "AM",
  EEEE: "FMDay",
  EEE: "Dy",
  EE: "Dy",
  E: "Dy",
  DDD: "DDD",
};

/** The same pattern in PostgreSQL's language, letters that are text in quotes. */
export function postgresPattern(pattern: string): PatternOutcome {
  return pattern.includes("%") ? ofC(pattern) : ofJava(pattern);
}

function ofC(pattern: string): PatternOutcome {
  let result = "";
  for (const [part, token] of pattern.matchAll(/%(-?.?)|[^%]+/gsu)) {
    const said = token === undefined ? quoted(part) : token === "%" ? "%" : entry(OF_C, token);
    if (said === undefined) return { ok: false, token: part };
    result += said;
  }
  return { ok: true, pattern: result };
}

function ofJava(pattern: string): PatternOutcome {
  let result = "";
  // A word of one letter repeated, a text in quotes (two of them are one), or signs.
  for (const [part, , inQuotes] of pattern.matchAll(/([A-Za-z])\1*|'((?:[^']|'')*)'|[^A-Za-z']+|'/gs)) {
    const said = /^[A-Za-z]/.test(part)
      ? entry(OF_JAVA, part)
      : inQuotes === undefined
        ? quoted(part)
        : quoted(inQuotes === "" ? "'" : inQuotes.replaceAll("''", "'"));
    if (said === undefined || part === "'") return { ok: false, token: part };
    result += said;
  }
  return { ok: true, pattern: result };
}

const entry = (table: Readonly<Record<string, string>>, token: string): string | undefined =>
  Object.hasOwn(table, token) ? table[token] : undefined;

/** Signs are literal; letters and digits would be tokens, so they are quoted. */
function quoted(text: string): string {
  return /[\p{L}\p{N}"\\]/u.test(text) ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : text;
}
