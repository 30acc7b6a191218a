/** Hints about the likely cause of a syntax error. Used only after parsing has failed. */
import { keywordFacts } from "./keywords.ts";
import type { TokenKind, Tokens } from "./tokens.ts";

const LONGEST_EXCERPT = 40;

/** `text` shortened for a message. */
export function excerpt(text: string): string {
  const short = text.length <= LONGEST_EXCERPT ? text : `${text.slice(0, LONGEST_EXCERPT - 1)}…`;
  // The cut may have split a surrogate pair, or the pair was broken in the input; messages are sent as JSON.
  return short.toWellFormed();
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
  "==": "Write = for equality.",
  "===": "Write = for equality.",
  "<=>": "Write IS NOT DISTINCT FROM.",
  "!": "Write NOT for negation.",
  "=~": "Write ~ for a regular expression match.",
  "!==": "Write <> for inequality.",
  "=!": "Write <> for inequality.",
  "=<": "Write <=.",
};

/** Words of other dialects that the parser reads as an alias, and their replacements. */
const FOREIGN_WORDS: { readonly [word: string]: string } = {
  regexp: "Write ~ for a regular expression match.",
  rlike: "Write ~ for a regular expression match.",
  glob: "Write LIKE with % and _.",
  div: "Integers divide with /, which truncates; numbers with //.",
  mod: "Write a % b or mod(a, b).",
  xor: "Write a <> b for booleans.",
  top: "Write LIMIT n at the end of the query.",
  pivot: "PIVOT is not part of the language: write sum(x) FILTER (WHERE …) per column.",
  unpivot: "UNPIVOT is not part of the language: join (VALUES …) or unnest(…).",
  apply: "Write CROSS JOIN LATERAL or LEFT JOIN LATERAL … ON TRUE.",
  sample: "Sampling is not part of the language.",
  straight_join: "Write JOIN.",
  prewhere: "Write WHERE.",
  settings: "Settings are not part of the language.",
  elseif: "Write WHEN.",
  elsif: "Write WHEN.",
  of: "Reading a table as of a time is not part of the language.",
};

const PARAMETER_HINT = "Write the value as a literal, or $1 for the first of the request's parameters.";

/** The hint for the unexpected token at `index`, where `expected` was expected; or `undefined`. */
export function hintAt(tokens: Tokens, index: number, expected: string): string | undefined {
  return signHint(tokens, index) ?? wordHint(tokens, index) ?? shapeHint(tokens, index, expected);
}

/** Signs that come from other languages. */
function signHint(tokens: Tokens, index: number): string | undefined {
  const { kinds } = tokens;
  const next = tokenText(tokens, index + 1);
  const adjacent = tokens.ends[index] === tokens.starts[index + 1];
  switch (kinds[index]) {
    case "$operator":
      return (
        OPERATOR_HINTS[tokenText(tokens, index)] ?? "There is no such operator; put a blank between two operators."
      );
    case "$parameter":
    case "?":
      return PARAMETER_HINT;
    case "%":
      return adjacent && /^[(sd]$/.test(next) ? PARAMETER_HINT : undefined;
    case ":":
      if (!adjacent || !/^\w/.test(next)) {
        return undefined;
      }
      return endsOperand(kinds[index - 1]) ? "Write -> or ->> to read members of JSON values." : PARAMETER_HINT;
    case "=>":
      return endsOperand(kinds[index - 1]) ? "Write >= for greater or equal." : undefined;
    case "*":
      return kinds[index - 1] === "distinct" ? "Name the columns: * counts rows, and every row is one." : undefined;
    case "{":
      return kinds[index + 1] === "{" ? PARAMETER_HINT : "Braces are not part of the language.";
    case "[":
      return 'Names are quoted with double quotes: "name"; arrays are written ARRAY[1, 2].';
    case "$string":
      if (kinds[index - 1] === "$string") {
        return "Strings are joined with ||; a quote inside a string is doubled ('').";
      }
      return kinds[index - 1] === "as" ? `An alias is a name: "${excerpt(tokens.values[index] ?? "")}".` : undefined;
    case "with":
      return kinds[index + 1] === "(" ? "Table hints are not part of the language." : undefined;
    case "not":
      return kinds[index + 1] === "null" ? "Write IS NOT NULL." : undefined;
    case "outer":
      return tokenText(tokens, index + 1).toLowerCase() === "apply" ? "Write LEFT JOIN LATERAL … ON TRUE." : undefined;
    case "null":
      return kinds[index - 1] === "not" ? "Write IS NOT NULL." : undefined;
    default:
      return undefined;
  }
}

/**
 * A misspelt keyword before the unexpected token was usually read as an alias; otherwise the token itself is misspelt.
 */
function wordHint(tokens: Tokens, index: number): string | undefined {
  for (const at of [index - 1, index]) {
    const kind = tokens.kinds[at];
    if (kind === undefined || (kind !== "$identifier" && keywordFacts(kind)?.keywordClass !== "unreserved")) {
      continue;
    }
    const word = tokenText(tokens, at).toLowerCase();
    if (Object.hasOwn(FOREIGN_WORDS, word)) {
      return FOREIGN_WORDS[word];
    }
    const near = kind === "$identifier" ? nearestKeyword(word) : undefined;
    // A table called `orders` is no misspelt ORDER unless BY follows.
    const alone = near !== undefined && /^(order|group|partition)$/.test(near) && tokens.kinds[at + 1] !== "by";
    if (near !== undefined && !alone) {
      return `Did you mean ${near.toUpperCase()}?`;
    }
  }
  return undefined;
}

/** Missing and surplus commas, brackets and quotes. */
function shapeHint(tokens: Tokens, index: number, expected: string): string | undefined {
  const { kinds } = tokens;
  const kind = kinds[index] ?? "$end";
  const previous = kinds[index - 1];
  const word = tokenText(tokens, index);
  if (previous === "," && (endsList(kind) || expected === "a name after WITH")) {
    return kind === "$end"
      ? "Remove the comma at the end."
      : `Remove the comma in front of ${describeToken(tokens, index)}.`;
  }
  if ((previous === "select" || previous === "distinct") && kind === "from") {
    return "Name at least one column, or write *.";
  }
  if (previous === "from" && kinds[index - 2] === "as") {
    return "An alias is missing between AS and FROM.";
  }
  if (expected.startsWith("BY after") && (kind === "from" || kind === ",")) {
    const name = tokenText(tokens, index - 1);
    return `${name} is a reserved word; as a name it needs quotes: "${name}".`;
  }
  if (previous === "exists") {
    return "Write EXISTS (SELECT …).";
  }
  if (kind === "as" && kinds[index - 2] === "as") {
    return "One expression takes one alias.";
  }
  if (previous === "*" && (kind === "$identifier" || kind === "as")) {
    return "An alias cannot stand behind *: name the columns.";
  }
  if (kind === "," && previous === "$number" && kinds[index + 1] === "$number") {
    return "Numbers are written without separators between thousands.";
  }
  if (kind === "$identifier" && previous === "$string" && tokens.ends[index - 1] === tokens.starts[index]) {
    return "A quote inside a string is doubled ('').";
  }
  if (kind === "select" || kind === "values") {
    return "A sub-query stands in parentheses.";
  }
  if (kind === ")") {
    return openBracket(tokens, index) === undefined ? "There is no '(' for it." : undefined;
  }
  if (expected.includes("')'") && endsList(kind)) {
    const open = openBracket(tokens, index);
    return open === undefined || kinds[open] !== "("
      ? undefined
      : `The '(' in front of ${describeToken(tokens, open + 1)} is not closed.`;
  }
  if (keywordFacts(kind)?.keywordClass === "reserved") {
    return endsOperandLike(kinds[index + 1]) && !/^(end|then|else|when|from)$/.test(kind)
      ? `${word} is a reserved word; as a name it needs quotes: "${word}".`
      : undefined;
  }
  if (
    endsOperand(previous) &&
    (kind === "$identifier" || kind === "$quoted" || kind === "$string" || kind === "$number")
  ) {
    return `Is a comma, an operator or AND missing in front of ${describeToken(tokens, index)}?`;
  }
  return undefined;
}

/** True for tokens that end a list: a comma before them is surplus, or a closing bracket is missing. */
function endsList(kind: TokenKind): boolean {
  return /^(from|where|group|having|order|limit|window|union|join|on|\)|;|\$end)$/.test(kind);
}

function endsOperand(kind: TokenKind | undefined): boolean {
  return kind !== undefined && /^(\$identifier|\$quoted|\$number|\$string|\)|\]|end|null|true|false)$/.test(kind);
}

/** Tokens that follow a word that was meant as a column. */
function endsOperandLike(kind: TokenKind | undefined): boolean {
  return kind !== undefined && /^(,|\.|\)|=|<>|<|>|<=|>=|from|as|\$end)$/.test(kind);
}

/** The innermost bracket still open before `index`. */
function openBracket(tokens: Tokens, index: number): number | undefined {
  let depth = 0;
  for (let i = index - 1; i >= 0; i--) {
    const kind = tokens.kinds[i];
    if (kind === ")" || kind === "]") {
      depth++;
    } else if (kind === "(" || kind === "[") {
      if (depth === 0) {
        return i;
      }
      depth--;
    }
  }
  return undefined;
}

/** Keywords worth suggesting, likelier ones first. A misspelt function or column is not a misspelt keyword. */
const SUGGESTED: readonly string[] = (
  "select from where group order having limit offset union intersect except join inner left right full cross natural " +
  "using distinct window qualify partition between with values recursive interval exists like ilike over case when then " +
  "else desc asc and not"
).split(" ");

/** The keyword within one or two typing errors of a lower-case word; `undefined` when none is near. */
export function nearestKeyword(word: string, candidates: readonly string[] = SUGGESTED): string | undefined {
  if (word.length < 3 || word.length > 20) {
    return undefined;
  }
  let best: string | undefined;
  let bestDistance = word.length <= 4 ? 2 : 3;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) < bestDistance) {
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
