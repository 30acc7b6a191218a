/** Renders PostgreSQL's regular expressions for Java, and for Joni, Trino's default library (https://github.com/jruby/joni). */

import { unsupported } from "../../diagnostics.ts";
import { call, inPlaceOf, integer, not, text, typed, values, when, withArguments } from "../../syntax/build.ts";
import type { Call, Expression, Like, StringLiteral } from "../../syntax/tree.ts";
import { BOOLEAN, type SqlType, TEXT } from "../../types.ts";
import { countOf } from "../numbers/written-counts.ts";
import { type Match, re2Match } from "./matches.ts";
import { flagsOf, ignoresCase, matchingBy, re2Test, similarPattern } from "./regular-expressions.ts";

const TEXTS: SqlType = { kind: "array", element: TEXT };

export interface JavaFlavour {
  /** The options, in parentheses, that ignore case and let `.` match a newline. */
  readonly anyCase: string;
  /** How the end of the text is matched. */
  readonly end: string;
  /** The text of a group that did not take part in the match. */
  readonly missingGroup: "null" | "empty";
}

/** The functions and operators for matching. */
export function javaExpressions({ anyCase, end, missingGroup }: JavaFlavour) {
  /** Converts a pattern in RE2's form: `.` matches a newline, `^` and `$` match only at the ends. */
  const java = (read: Expression, flags: string): StringLiteral => {
    const pattern = literal(read);
    const inner = pattern.value.replace(/^\(\?i\)/, "");
    const isFolded = inner !== pattern.value || ignoresCase(flags);
    const value = inner.replace(/\\x\{[^}\\]*\}|\\[pP]\w|\\.|\[:\^?\w+:\]|\[\^?\]?|[\]^$&]/gs, spelledBy(pattern, end));
    return { ...pattern, value: (isFolded ? anyCase : "(?s)") + value };
  };

  function tested(subject: Expression, pattern: Expression, flags: string, at: Expression): Expression {
    return call("regexp_like", [subject, java(re2Test(literal(pattern)), flags)], typed(BOOLEAN, at));
  }

  const { matching, regexpLike } = matchingBy(tested);

  function similar(node: Like): Expression {
    const pattern = similarPattern(node);
    const whole: StringLiteral = { ...pattern, value: `^(?:${pattern.value})$` };
    const found = call("regexp_like", [node.operand, java(whole, "")], typed(BOOLEAN, node));
    return node.negated ? not(found) : found;
  }

  function regexpReplace(node: Call): Expression {
    const [subject, pattern, replacement, written] = values(node);
    if (subject === undefined || pattern === undefined || replacement?.kind !== "string") {
      throw unsupported("a computed replacement", node.span, "Write pattern and replacement as literals.");
    }
    const flags = flagsOf(written, node);
    const every = flags.includes("g");
    const read = re2Match(pattern, flags, { every, groups: /\\[1-9]/.test(replacement.value) ? "present" : undefined });
    const own = java(read.pattern, flags);
    if (every) return withArguments(node, [subject, own, referring(replacement, read.groups, 0)]);
    // The text up to the first match, together with that match, occurs exactly once.
    const [options = "", rest = ""] = splitOptions(own.value);
    const first: StringLiteral = { ...own, value: `${options}\\A(.*?)(${rest})` };
    const references = referring(replacement, read.groups, 2);
    return withArguments(node, [subject, first, { ...references, value: `$1${references.value}` }]);
  }

  function regexpCount(node: Call): Expression {
    const [subject, pattern, start, flags] = values(node);
    if (subject === undefined || pattern === undefined) return node;
    if (start !== undefined && countOf(start) !== 1)
      throw unsupported("regexp_count from another start than 1", start.span);
    const options = flagsOf(flags, node);
    const read = re2Match(pattern, options, { every: true });
    return call("regexp_count", [subject, java(read.pattern, options)], inPlaceOf(node));
  }

  function regexpSubstring(node: Call): Expression {
    const [subject, pattern, start, count, flags, group] = values(node);
    if (subject === undefined || pattern === undefined) return node;
    const [first, nth, part] = [start, count, group].map((each, index) =>
      each === undefined ? [1, 1, 0][index] : countOf(each),
    );
    if (first !== 1 || nth === undefined || nth < 1 || part === undefined || part < 0) {
      throw unsupported("regexp_substr from another start than 1, or with computed counts", node.span);
    }
    const options = flagsOf(flags, node);
    const read = re2Match(pattern, options, { every: nth > 1, groups: part > 0 ? "all" : undefined });
    if (part > read.groups) throw unsupported("a group that the pattern does not have", node.span);
    const asked = [subject, java(read.pattern, options), ...(part === 0 ? [] : [integer(part, node)])];
    if (nth === 1) return call("regexp_extract", asked, inPlaceOf(node));
    const all = call("regexp_extract_all", asked, typed(TEXTS, node));
    return call("element_at", [all, integer(nth, node)], inPlaceOf(node));
  }

  /** The groups of the first match, or the whole match. */
  function regexpGroups(node: Call): Expression {
    const [subject, pattern, written] = values(node);
    if (subject === undefined || pattern === undefined) return node;
    const flags = flagsOf(written, node);
    if (flags.includes("g")) throw unsupported("the flag g of regexp_match", node.span);
    const read = re2Match(pattern, flags, { groups: "or NULL" });
    const own = java(read.pattern, flags);
    const elements = groupsOf(read).map((group) => {
      const extracted = call("regexp_extract", [subject, own, integer(group, node)], typed(TEXT, node));
      // A group that may be missing is never empty in this pattern.
      const isMissed = missingGroup === "empty" && group > 0 && read.missable[group - 1] === true;
      return isMissed ? call("nullif", [extracted, text("", node)], typed(TEXT, node)) : extracted;
    });
    const list: Expression = { kind: "array", elements, span: node.span, ...(node.type && { type: node.type }) };
    return when(call("regexp_like", [subject, own], typed(BOOLEAN, node)), list, undefined, inPlaceOf(node));
  }

  function regexpParts(node: Call): Expression {
    const [subject, pattern, written] = values(node);
    if (subject === undefined || pattern === undefined) return node;
    const flags = flagsOf(written, node);
    if (flags.includes("g")) throw unsupported("the flag g of a split", node.span);
    const read = re2Match(pattern, flags, { every: true, parts: true });
    return call("regexp_split", [subject, java(read.pattern, flags)], typed(TEXTS, node));
  }

  return { matching, regexpLike, similar, regexpReplace, regexpCount, regexpSubstring, regexpGroups, regexpParts };
}

function splitOptions(pattern: string): readonly string[] {
  return /^(\(\?\w+\))(.*)$/s.exec(pattern)?.slice(1) ?? ["", pattern];
}

/** `\1` and `\&` in Java's form; with `shift` the whole match is the second group. */
function referring(replacement: StringLiteral, groups: number, shift: number): StringLiteral {
  const { value } = replacement;
  let result = "";
  for (let at = 0; at < value.length; at++) {
    const next = value.charAt(at) === "\\" ? value.charAt(at + 1) : "";
    if (/^[1-9&]$/.test(next)) {
      at++;
      const group = next === "&" ? 0 : Number(next);
      if (group > groups) continue;
      if (/\d/.test(value.charAt(at + 1)) || group + shift > 9) {
        throw unsupported(
          "the replacement text of a regular expression",
          replacement.span,
          "Put a character other than a digit behind a reference.",
        );
      }
      result += `$${group === 0 ? shift : group + shift}`;
    } else {
      const character = next === "\\" ? "\\" : value.charAt(at);
      if (next === "\\") at++;
      result += /[\\$]/.test(character) ? `\\${character}` : character;
    }
  }
  return { ...replacement, value: result };
}

const groupsOf = ({ groups }: Match): readonly number[] =>
  groups === 0 ? [0] : Array.from({ length: groups }, (_, index) => index + 1);

function literal(pattern: Expression): StringLiteral {
  if (pattern.kind === "string") return pattern;
  throw unsupported("a computed regular expression", pattern.span, "Write the pattern as a literal.");
}

function spelledBy(pattern: StringLiteral, end: string): (part: string) => string {
  let inside = false;
  return (part) => {
    if (part.startsWith("\\x{")) return `\\u${codeOf(part, pattern)}`;
    if (/^\\[pP]\w/.test(part)) return part === "\\p{" ? part : `${part.slice(0, 2)}{${part.slice(2)}}`;
    // Exactly this character, because Java's `\v` matches any line terminator.
    if (part === "\\v") return "\\x0B";
    if (part === "\\d") return inside ? "0-9" : "[0-9]";
    if (part === "\\D" && !inside) return "[^0-9]";
    if (/^\\[sS]$/.test(part)) return part;
    if (/^\[:\w+:\]$/.test(part)) return named(part, pattern);
    if (part.startsWith("[")) {
      if (inside) return part.replaceAll("[", "\\[");
      inside = true;
      return part.replace("]", "\\]");
    }
    if (part === "]") {
      inside = false;
      return part;
    }
    if (inside) return part === "&" ? "\\&" : part;
    return part === "^" ? "\\A" : part === "$" ? end : part;
  };
}

function codeOf(part: string, { span }: StringLiteral): string {
  const digits = part.slice(3, -1);
  if (digits.length > 4)
    throw unsupported("the character escape in a regular expression", span, "Write the character.");
  return digits.padStart(4, "0");
}

const NAMED: Readonly<Record<string, string>> = {
  "[:digit:]": "0-9",
  "[:xdigit:]": "0-9A-Fa-f",
};

function named(part: string, { span }: StringLiteral): string {
  const spelled = NAMED[part];
  if (spelled === undefined) throw unsupported(`"${part}" in a regular expression`, span, "Write the characters.");
  return spelled;
}
