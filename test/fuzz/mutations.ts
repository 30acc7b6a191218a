/** Ways to damage a query: by token, by character, by nesting, by splicing it with another. */
import type { Random } from "../planner/syntax/random.ts";
import { FRAGMENTS, FUNCTIONS, NUMBERS, oddName } from "./vocabulary.ts";

/** Tokens and the blanks between them; joined again they are the text. */
function pieces(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}_$]+|'(?:[^']|'')*'?|"[^"]*"?|[^\s\p{L}\p{N}_$]/gu) ?? [];
}

/** The text with a few tokens taken out, doubled, exchanged, moved or put in. */
export function damagedTokens(text: string, dice: Random): string {
  const { pick, below } = dice;
  const tokens = pieces(text);
  for (let i = 0; i < 1 + below(3) && tokens.length > 0; i++) {
    const at = below(tokens.length);
    const other = below(tokens.length);
    const token = tokens[at]!;
    const [from, to] = [Math.min(at, other), Math.max(at, other)];
    pick<() => void>([
      () => tokens.splice(at, 1),
      () => tokens.splice(at, 0, token, " "),
      () => {
        tokens[at] = tokens[other]!;
        tokens[other] = token;
      },
      () => tokens.splice(at, 1, ` ${pick(FRAGMENTS)} `),
      () => tokens.splice(at, 0, ` ${pick(FRAGMENTS)} `),
      () => tokens.splice(at, 1, pick(NUMBERS)),
      () => tokens.splice(at, 1, pick(FUNCTIONS)),
      () => tokens.splice(at, 1, oddName(dice)),
      () => tokens.splice(at, 1, /^\w/.test(token) ? misspelt(token, dice) : token),
      () => tokens.splice(from, Math.min(12, to - from)),
      () => tokens.splice(to, 0, ...tokens.slice(from, Math.min(to, from + 12))),
    ])();
  }
  return tokens.join("");
}

function misspelt(word: string, { pick, below }: Random): string {
  const at = below(word.length);
  return pick([
    word.slice(0, at) + word.slice(at + 1),
    word.slice(0, at) + word.charAt(at) + word.slice(at),
    word.slice(0, at) + word.slice(at + 1, at + 2) + word.slice(at, at + 1) + word.slice(at + 2),
    word.toUpperCase(),
  ]);
}

/** The text with characters replaced, cut off or put in, whole UTF-16 range. */
export function damagedCharacters(text: string, dice: Random): string {
  let result = text;
  for (let i = 0; i < 1 + dice.below(4); i++) {
    const at = dice.below(result.length + 1);
    result =
      result.slice(0, at) + dice.pick(["", character(dice), dice.pick(FRAGMENTS)]) + result.slice(at + dice.below(3));
  }
  return dice.chance(0.1) ? result.slice(0, dice.below(result.length + 1)) : result;
}

function character({ chance, below }: Random): string {
  return String.fromCharCode(chance(0.7) ? below(128) : below(65_536));
}

export function randomCharacters(dice: Random): string {
  return Array.from({ length: dice.below(60) }, () => character(dice)).join("");
}

export function keywordSalad(words: readonly string[], { pick, below, chance }: Random): string {
  const start = chance(0.6) ? "SELECT " : "";
  return (
    start +
    Array.from(
      { length: 1 + below(25) },
      () => pick(chance(0.75) ? FRAGMENTS : words) + (chance(0.85) ? " " : ""),
    ).join("")
  );
}

/** The beginning of one query and the end of another, or one inside the other. */
export function spliced(one: string, other: string, dice: Random): string {
  const [first, second] = [pieces(one), pieces(other)];
  const at = dice.below(first.length + 1);
  const from = dice.below(second.length + 1);
  if (dice.chance(0.5)) return [...first.slice(0, at), " ", ...second.slice(from)].join("");
  return [...first.slice(0, at), " (", ...second, ") ", ...first.slice(at)].join("");
}

/** Constructs nested far beyond what people write: around the limit, and far above it. */
export function nested(dice: Random): string {
  const { pick, chance } = dice;
  const depth = chance(0.9) ? pick([3, 10, 40, 120]) : pick([248, 251, 480, 499, 500, 501, 1_000, 5_000]);
  const around = (open: string, inner: string, close: string): string =>
    open.repeat(depth) + inner + (chance(0.9) ? close.repeat(depth) : close.repeat(Math.max(0, depth - 1)));
  return pick<() => string>([
    () => `SELECT ${around("(", "1", ")")}`,
    () => around("(", "SELECT 1", ")"),
    () => around("SELECT * FROM (", "SELECT 1 AS a", ") AS t"),
    () => around("SELECT (", "SELECT 1", ")"),
    () => `SELECT ${around("CASE WHEN TRUE THEN ", "1", " END")}`,
    () => `SELECT ${around("coalesce(1, ", "1", ")")}`,
    () => `SELECT ${around("upper(", "'a'", ")")}`,
    () => `SELECT ${around("NOT ", "TRUE", "")}`,
    () => `SELECT ${around("- ", "1", "")}`,
    () => `SELECT 1${" + 1".repeat(depth)}`,
    () => `SELECT 'a'${" || 'a'".repeat(depth)}`,
    () => `SELECT 1${"::int".repeat(depth)}`,
    () => `SELECT ARRAY[1]${"[1]".repeat(depth)}`,
    () => `SELECT a${".a".repeat(depth)}`,
    () => `SELECT ${around("ARRAY[", "1", "]")}`,
    () => `SELECT CAST(NULL AS ${around("array<", "int", ">")})`,
    () => `SELECT 1${" UNION ALL SELECT 1".repeat(depth)}`,
    () => `SELECT 1 WHERE TRUE${" AND 1 = 1".repeat(depth)}`,
    () => `SELECT 1 WHERE 1 IN (1${", 1".repeat(depth)})`,
    () => `SELECT 1 WHERE ${around("EXISTS (SELECT 1 WHERE ", "TRUE", ")")}`,
    () =>
      `WITH ${Array.from({ length: Math.min(depth, 300) }, (_, i) => `c${i} AS (SELECT * FROM ${i === 0 ? "(SELECT 1 AS a) t" : `c${i - 1}`})`).join(", ")} SELECT 1`,
    () => `SELECT 1 FROM ${around("(", "(SELECT 1) a CROSS JOIN (SELECT 2) b", ")")}`,
    () => `SELECT 1 FROM (SELECT 1) a${" CROSS JOIN (SELECT 1) b".repeat(Math.min(depth, 300))}`,
    () => `SELECT 1 ${around("/*", "", "*/")}`,
    () => `SELECT ${"x".repeat(depth * 40)}`,
    () => `SELECT '${"x".repeat(depth * 40)}'`,
    () => `SELECT ${"9".repeat(depth * 4)}${pick(["", ".5", "e10", `.${"9".repeat(depth)}`])}`,
    () => `SELECT INTERVAL '${"9".repeat(depth)} days'`,
    () => `SELECT 1 AS ${"é".repeat(depth)}`,
  ])();
}
