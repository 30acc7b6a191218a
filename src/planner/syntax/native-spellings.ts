/**
 * Replaces names of the input language in native SQL with the source's names (docs/decisions/0023-native-sql.md): existing
 * manifests write `CAST(x AS double)` and `nvl(x, 0)` for PostgreSQL, which has neither. All other text is unchanged.
 */

/** A token of a text without comments. `text` is its word or sign in lower case, empty for quoted names and strings. */
export interface NativeToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface NativeSpellings {
  /** Names of types, in lower case → the source's. */
  readonly types: Readonly<Record<string, string>>;
  /** Names of functions, in lower case → functions of the source with the same arguments. */
  readonly functions: Readonly<Record<string, { readonly as: string; readonly arguments?: number }>>;
}

/** `text` with each name that the source lacks replaced by the source's name. */
export function respelled(text: string, tokens: readonly NativeToken[], spellings: NativeSpellings): string {
  const candidates = [...tokens.keys()].filter((index) => {
    const word = tokens[index]?.text;
    return entry(spellings.types, word) !== undefined || entry(spellings.functions, word) !== undefined;
  });
  if (candidates.length === 0) return text;
  const brackets = bracketsOf(tokens);
  let result = "";
  let copied = 0;
  for (const index of candidates) {
    const token = tokens[index];
    const name = typeAt(tokens, index, brackets, spellings) ?? functionAt(tokens, index, brackets, spellings);
    if (token === undefined || name === undefined) continue;
    result += text.slice(copied, token.start) + name;
    copied = token.end;
  }
  return result + text.slice(copied);
}

/** A type follows `::`, or AS in a cast. */
function typeAt(
  tokens: readonly NativeToken[],
  index: number,
  { around }: Brackets,
  { types }: NativeSpellings,
): string | undefined {
  const name = entry(types, tokens[index]?.text);
  if (name === undefined || tokens[index + 1]?.text === "precision") return undefined;
  const [first, second] = [tokens[index - 2]?.text, tokens[index - 1]?.text];
  if (first === ":" && second === ":") return name;
  const called = tokens[(around[index] ?? 0) - 1]?.text;
  return second === "as" && called === "cast" ? name : undefined;
}

/** A function is followed by its arguments; a qualified name is a function of the source and stays. */
function functionAt(
  tokens: readonly NativeToken[],
  index: number,
  { commas }: Brackets,
  { functions }: NativeSpellings,
): string | undefined {
  const called = entry(functions, tokens[index]?.text);
  if (called === undefined || tokens[index + 1]?.text !== "(" || tokens[index - 1]?.text === ".") return undefined;
  const given = (commas.get(index + 1) ?? 0) + 1;
  return called.arguments === undefined || given === called.arguments ? called.as : undefined;
}

const entry = <T>(table: Readonly<Record<string, T>>, name: string | undefined): T | undefined =>
  name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

interface Brackets {
  /** For each token the innermost bracket around it; -1 outside all brackets. */
  readonly around: readonly number[];
  /** Opening bracket → number of commas directly inside it. */
  readonly commas: ReadonlyMap<number, number>;
}

/** One pass: a manifest may hold a million tokens. */
export function bracketsOf(tokens: readonly NativeToken[]): Brackets {
  const open: number[] = [];
  const around: number[] = [];
  const commas = new Map<number, number>();
  for (const [index, { text }] of tokens.entries()) {
    if (text === ")" || text === "]" || text === "}") open.pop();
    const innermost = open.at(-1) ?? -1;
    around.push(innermost);
    if (text === ",") commas.set(innermost, (commas.get(innermost) ?? 0) + 1);
    if (text === "(" || text === "[" || text === "{") open.push(index);
  }
  return { around, commas };
}
