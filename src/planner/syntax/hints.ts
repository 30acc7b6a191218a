/** What the author of a broken query most likely meant. Used only once an error is certain. */
import { allKeywords, keywordFacts } from "./keywords.ts";
import type { Tokens } from "./tokens.ts";

const LONGEST_EXCERPT = 40;

/** `text` shortened for a message. */
export function excerpt(text: string): string {
  if (text.length <= LONGEST_EXCERPT) {
    return text;
  }
  // Never cut a surrogate pair in half.
  const last = text.charCodeAt(LONGEST_EXCERPT - 2);
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? LONGEST_EXCERPT - 2 : LONGEST_EXCERPT - 1)}…`;
}

/** The token at `index`, for "found …". */
export function describeToken(tokens: Tokens, index: number): string {
  const kind = tokens.kinds[index];
  return kind === undefined || kind === "$end" ? "the end of the text" : `'${excerpt(tokenText(tokens, index))}'`;
}

function tokenText(tokens: Tokens, index: number): string {
  return tokens.text.slice(tokens.starts[index], tokens.ends[index]);
}

const OPERATOR_HINTS: { readonly [operator: string]: string } = {
  "==": "equality is written =",
  "===": "equality is written =",
  "<=>": "write IS NOT DISTINCT FROM",
  "!": "negation is written NOT",
  "=~": "a regular expression match is written ~",
  "!==": "inequality is written <>",
  "@": "absolute values are written abs(x)",
};

/** Words of other dialects that read like an alias here, and what to write instead. */
const FOREIGN_WORDS: { readonly [word: string]: string } = {
  regexp: "a regular expression match is written ~",
  rlike: "a regular expression match is written ~",
  glob: "write LIKE with % and _",
  div: "integers divide with /, which truncates; numbers with //",
  mod: "write a % b or mod(a, b)",
  xor: "write a <> b for booleans",
  top: "write LIMIT n at the end of the query",
  pivot: "PIVOT is not part of the language: write sum(x) FILTER (WHERE …) per column",
  unpivot: "UNPIVOT is not part of the language: join (VALUES …) or unnest(…)",
  apply: "write CROSS JOIN LATERAL or LEFT JOIN LATERAL … ON TRUE",
  sample: "sampling is not part of the language",
  straight_join: "write JOIN",
  prewhere: "write WHERE",
  settings: "settings are not part of the language",
  elseif: "write WHEN",
  elsif: "write WHEN",
};

const PARAMETER_HINT = "values must be written as literals: the text is not a template and takes no parameters";

/** The hint for an unexpected token, or `undefined`. */
export function hintAt(tokens: Tokens, index: number): string | undefined {
  const kind = tokens.kinds[index];
  const text = tokenText(tokens, index);
  const adjacent = tokens.ends[index] === tokens.starts[index + 1];
  switch (kind) {
    case "$operator":
      return OPERATOR_HINTS[text] ?? "there is no such operator; put a blank between two operators";
    case "$parameter":
    case "?":
      return PARAMETER_HINT;
    case "%":
      return adjacent && (tokens.kinds[index + 1] === "(" || /^[sd]$/.test(tokenText(tokens, index + 1)))
        ? PARAMETER_HINT
        : undefined;
    case ":":
      return adjacent && /^\w/.test(tokenText(tokens, index + 1))
        ? isOperandEnd(tokens, index - 1)
          ? "members of JSON values are read with -> and ->>"
          : PARAMETER_HINT
        : undefined;
    case "{":
      return tokens.kinds[index + 1] === "{" ? PARAMETER_HINT : "braces are not part of the language";
    case "$session":
      return undefined;
    case "[":
      return 'names are quoted with double quotes: "name"; arrays are written ARRAY[1, 2]';
    case "$string":
      if (tokens.kinds[index - 1] === "$string") {
        return "strings are joined with ||; a quote inside a string is doubled: ''";
      }
      return tokens.kinds[index - 1] === "as"
        ? `an alias is a name: write "${excerpt(tokens.values[index] ?? "")}"`
        : wordHint(tokens, index);
    default:
      return wordHint(tokens, index);
  }
}

function isOperandEnd(tokens: Tokens, index: number): boolean {
  const kind = tokens.kinds[index];
  return kind === "$identifier" || kind === "$quoted" || kind === ")" || kind === "]";
}

/** A misspelt keyword in front of the unexpected token has usually been read as an alias; else the token itself is it. */
function wordHint(tokens: Tokens, index: number): string | undefined {
  for (const at of [index - 1, index]) {
    const kind = tokens.kinds[at];
    if (kind === undefined || kind.startsWith("$") ? kind !== "$identifier" : keywordFacts(kind) === undefined) {
      continue;
    }
    const word = tokenText(tokens, at).toLowerCase();
    const foreign = Object.hasOwn(FOREIGN_WORDS, word) ? FOREIGN_WORDS[word] : undefined;
    if (foreign !== undefined) {
      return foreign;
    }
    const near = kind === "$identifier" ? nearestKeyword(word) : undefined;
    if (near !== undefined) {
      return `did you mean ${near.toUpperCase()}?`;
    }
  }
  return undefined;
}

/** Keywords worth suggesting: those that shape a query. A misspelt function or column is not a misspelt keyword. */
const SUGGESTED = new Set(
  (
    "select from where group order having limit offset union intersect except join inner left right full cross natural " +
    "using distinct window qualify partition between case when then else over values with recursive and not like ilike " +
    "by asc desc as on exists interval"
  ).split(" "),
);

/** The keyword within one or two typing errors of a lower-case word; `undefined` when none is near. */
export function nearestKeyword(word: string, candidates: Iterable<string> = allKeywords()): string | undefined {
  let best: string | undefined;
  let bestDistance = word.length <= 4 ? 2 : 3;
  if (word.length < 3 || word.length > 20) {
    return undefined;
  }
  for (const candidate of candidates) {
    if (SUGGESTED.has(candidate) && Math.abs(candidate.length - word.length) < bestDistance) {
      const distance = editDistance(word, candidate);
      if (distance > 0 && distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, (beforePrevious[j - 2] ?? 0) + 1);
      }
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
