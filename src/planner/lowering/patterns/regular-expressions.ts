/** PostgreSQL's regular expressions on engines that use RE2 (DuckDB, BigQuery, ClickHouse …). */
import { type PlannerError, unsupported } from "../../diagnostics.ts";
import { not, values } from "../../syntax/build.ts";
import type { Binary, Call, Expression, Like, Span, StringLiteral } from "../../syntax/tree.ts";

/**
 * Converts a literal pattern to RE2's syntax. Letters, digits and spaces are those of Unicode, as in PostgreSQL's usual locales,
 * and `\b` is a backspace; constructs that RE2 lacks, and invalid patterns, are refused. A computed pattern cannot be inspected;
 * for the common syntax it has the same meaning.
 */
export function re2Pattern(pattern: Expression): Expression {
  if (pattern.kind !== "string") return pattern;
  const { value } = pattern;
  let result = "";
  let inside = false;
  for (let at = 0; at < value.length; ) {
    const rest = value.slice(at);
    const [read, written] = inside ? (insideBrackets(rest) ?? []) : (outsideBrackets(rest, at) ?? []);
    if (read === undefined || written === undefined) throw foreign(rest, pattern);
    result += written;
    at += read.length;
    if (inside ? read === "]" : /^\[\^?\]?$/.test(read)) inside = !inside;
  }
  return result === value ? pattern : { ...pattern, value: result };
}

const NO_WORD = "[^\\pL\\pN_]";

/**
 * `re2Pattern` for a pattern that is only tested for a match: `\m`, `\M` and `\y` at its ends, next to a letter or digit, may
 * also consume the character that is not one. RE2's own `\b` does not treat letters beyond ASCII as letters.
 */
export function re2Test(pattern: Expression): Expression {
  if (pattern.kind !== "string") return pattern;
  const ends = /^(\\[my](?=\w(?![*?{])))?([^|]*?)((?<=(?:^|[^\\])\w)\\[My])?$/s.exec(pattern.value);
  const [, start, middle = "", end] = ends ?? [];
  if (start === undefined && end === undefined) return re2Pattern(pattern);
  const read = re2Pattern({ ...pattern, value: middle });
  const inner = read.kind === "string" ? read.value : middle;
  return {
    ...pattern,
    value: (start === undefined ? "" : `(?:^|${NO_WORD})`) + inner + (end === undefined ? "" : `(?:$|${NO_WORD})`),
  };
}

/** The next construct and its RE2 form; `undefined` for an unsupported construct. */
type Reading = readonly [read: string, written: string] | undefined;

function outsideBrackets(rest: string, at: number): Reading {
  const same = (read: string | undefined): Reading => (read === undefined ? undefined : [read, read]);
  if (rest.startsWith("\\")) {
    const shorthand = /^\\[wWsS]/.exec(rest)?.[0];
    if (shorthand !== undefined) return [shorthand, CLASS_ESCAPES[shorthand] ?? shorthand];
    return /^\\A/.test(rest) ? (at === 0 ? same("\\A") : undefined) : escapeOf(rest);
  }
  // A bracket list begins with all characters that may precede a literal `]`.
  if (rest.startsWith("[")) return same(/^\[\^?\]?/.exec(rest)?.[0]);
  if (rest.startsWith("(?"))
    return same(/^\(\?:/.exec(rest)?.[0] ?? (at === 0 ? /^\(\?i\)/.exec(rest)?.[0] : undefined));
  if (at === 0 && rest.startsWith("***")) return undefined;
  return same(rest.charAt(0));
}

function insideBrackets(rest: string): Reading {
  if (/^\[[.=]/.test(rest)) return undefined;
  if (rest.startsWith("[:")) {
    const name = /^\[:[a-z]+:\]/.exec(rest)?.[0];
    const written = name === undefined ? undefined : NAMED_CLASSES[name];
    return name === undefined || written === undefined ? undefined : [name, written];
  }
  if (!rest.startsWith("\\")) return [rest.charAt(0), rest.charAt(0)];
  if (rest.startsWith("\\w")) return ["\\w", "\\pL\\pN_"];
  if (rest.startsWith("\\s")) return ["\\s", "\\s\\x0b\\x{85}\\pZ"];
  return escapeOf(rest);
}

const CLASS_ESCAPES: Readonly<Record<string, string>> = {
  "\\w": "[\\pL\\pN_]",
  "\\W": "[^\\pL\\pN_]",
  "\\s": "[\\s\\x0b\\x{85}\\pZ]",
  "\\S": "[^\\s\\x0b\\x{85}\\pZ]",
};

const NAMED_CLASSES: Readonly<Record<string, string>> = {
  "[:alpha:]": "\\pL",
  "[:alnum:]": "\\pL\\pN",
  "[:upper:]": "\\p{Lu}",
  "[:lower:]": "\\p{Ll}",
  "[:word:]": "\\pL\\pN_",
  "[:space:]": "\\s\\x0b\\x{85}\\pZ",
  "[:digit:]": "[:digit:]",
  "[:xdigit:]": "[:xdigit:]",
  "[:punct:]": "[:punct:]",
  "[:blank:]": "\\t\\p{Zs}",
  "[:cntrl:]": "\\p{Cc}",
};

/** Escapes for one character, and `\d`, inside or outside of a list. */
function escapeOf(rest: string): Reading {
  const plain = /^\\(?:[dDtnrfva]|[^\p{L}\p{N}])/u.exec(rest)?.[0];
  if (plain !== undefined) return [plain, plain];
  if (rest.startsWith("\\b")) return ["\\b", "\\x08"];
  if (rest.startsWith("\\B")) return ["\\B", "\\\\"];
  if (rest.startsWith("\\e")) return ["\\e", "\\x1b"];
  const control = /^\\c([A-Za-z])/.exec(rest);
  if (control !== null) return [control[0], codePoint((control[1] ?? "").charCodeAt(0) % 32)];
  const hex = /^\\(?:x([0-9a-fA-F]{2})(?![0-9a-fA-F])|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/.exec(rest);
  return hex === null ? undefined : [hex[0], codePoint(Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? "", 16))];
}

function codePoint(code: number): string {
  return `\\x{${code.toString(16)}}`;
}

function foreign(rest: string, pattern: Expression): PlannerError {
  const shown = /^(?:\\.|\(\?<?.?|\[[.=:]|\*{3}|.)/su.exec(rest)?.[0] ?? "";
  return unsupported(
    `"${shown}" in a regular expression`,
    pattern.span,
    "Use constructs without look-around, back references and options.",
  );
}

/** `\&` is the whole match in PostgreSQL and `\0` in RE2; a missing group is empty, and other backslashes are literal. */
export function re2Replacement(replacement: string, groups: number): string {
  return replacement.replace(/\\([\\&1-9])?/g, (_, named?: string) => {
    if (named === undefined || named === "\\") return "\\\\";
    if (named === "&") return "\\0";
    return Number(named) > groups ? "" : `\\${named}`;
  });
}

/** A part of a replacement: a text, or the number of a group. */
export type Reference = string | number;

/**
 * The parts of PostgreSQL's replacement. A group that the pattern does not have is empty, and other backslashes are literal.
 * @param shift how many groups stand before those of the pattern; with one, the last of them is the whole match
 */
export function referencesIn({ value, span }: StringLiteral, groups: number, shift: number): readonly Reference[] {
  const parts: Reference[] = [];
  for (let at = 0; at < value.length; at++) {
    const next = value.charAt(at) === "\\" ? value.charAt(at + 1) : "";
    if (/^[1-9&]$/.test(next)) {
      const group = next === "&" ? 0 : Number(next);
      if (group <= groups) parts.push(group + shift);
      at++;
    } else {
      parts.push(next === "\\" ? "\\" : value.charAt(at));
      if (next === "\\") at++;
    }
  }
  const isFollowed = parts.some((part, at) => typeof part === "number" && /^\d$/.test(String(parts[at + 1] ?? "")));
  if (isFollowed || parts.some((part) => typeof part === "number" && part > 9)) {
    throw unsupported(
      "the replacement text of a regular expression",
      span,
      "Put a character other than a digit behind a reference.",
    );
  }
  return parts;
}

/** The last of `i` and `c` counts. */
export function ignoresCase(flags: string): boolean {
  return flags.lastIndexOf("i") > flags.lastIndexOf("c");
}

/** A complete SIMILAR TO pattern, which must match the whole text; it is not anchored yet. */
export function similarPattern(node: Like): StringLiteral {
  const escape = node.escape === undefined ? "\\" : node.escape.kind === "string" ? node.escape.value : undefined;
  if (node.pattern.kind === "string" && escape !== undefined) {
    return { ...node.pattern, value: similarToRe2(node.pattern.value, escape, node.pattern.span) };
  }
  throw unsupported("SIMILAR TO with a computed pattern", node.span, "Write the pattern as a literal, or use LIKE.");
}

/** Converts a SIMILAR TO pattern to an anchored RE2 pattern. */
function similarToRe2(pattern: string, escape: string, span: Span): string {
  let result = "";
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern.charAt(i);
    if (character === escape && i + 1 < pattern.length) {
      i++;
      const escaped = pattern.charAt(i);
      // PostgreSQL interprets it as a class or an anchor (\A, \d), and `#"` as the end of a part.
      if (/[a-z0-9"]/i.test(escaped)) {
        throw unsupported(
          `SIMILAR TO with ${escape}${escaped} in its pattern`,
          span,
          "Use ~ with a regular expression.",
        );
      }
      result += quoted(escaped);
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

/** The flags of a call, which must be a literal. */
export function flagsOf(flags: Expression | undefined, at: Expression): string {
  if (flags === undefined) return "";
  if (flags.kind === "string" && /^[gic]*$/.test(flags.value)) return flags.value;
  throw unsupported("these flags of a regular expression", at.span, "Write 'i' or 'g'.");
}

type MatchTest = (subject: Expression, pattern: Expression, flags: string, at: Expression) => Expression;

/** `x ~ pattern`, its variants and `regexp_like`: whether a part of the text matches, by the target's test. */
export const matchingBy = (test: MatchTest) => ({
  matching:
    (flags: string, negated: boolean) =>
    (node: Binary): Expression => {
      const found = test(node.left, node.right, flags, node);
      return negated ? not(found) : found;
    },
  regexpLike: (node: Call): Expression => {
    const [subject, pattern, flags] = values(node);
    return subject === undefined || pattern === undefined ? node : test(subject, pattern, flagsOf(flags, node), node);
  },
});
