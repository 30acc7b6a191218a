/** LIKE patterns with an explicit escape character, for targets that interpret backslashes differently. */

import { unsupported } from "../../diagnostics.ts";
import { call, inPlaceOf } from "../../syntax/build.ts";
import type { Expression, Like } from "../../syntax/tree.ts";
import { TEXT } from "../../types.ts";

/** An ordinary character as ESCAPE; the meaning of a backslash in a literal depends on the server's `sql_mode`. */
const ESCAPE = "|";

/**
 * The pattern and its ESCAPE, so that a backslash is an ordinary character.
 * @param special characters that have a meaning in the target's patterns and none in the standard's; a computed pattern may
 * contain one
 */
export function patternOf(node: Like, special = ""): Pick<Like, "pattern" | "escape"> {
  const { pattern, escape } = node;
  const own = escape === undefined ? "\\" : escape.kind === "string" ? escape.value : undefined;
  if (own === undefined || own === "")
    throw unsupported("a computed or empty ESCAPE", node.span, "Write one character.");
  if (pattern.kind !== "string") {
    // ILIKE is compared in lower case, in which other characters of the pattern could become escapes.
    if (node.operator === "ilike" && own.toLowerCase() !== own.toUpperCase())
      throw unsupported("ILIKE with a computed pattern and a letter as its ESCAPE", node.span, "Write a sign.");
    if (own !== "\\" && special === "") return { pattern, escape };
    throw unsupported("LIKE with a computed pattern", pattern.span, "Add ESCAPE '|', or use position(… IN …) > 0.");
  }
  const rewritten = respelled(pattern.value, own, `%_${special}`);
  if (rewritten === undefined) throw unsupported("a pattern that ends with its escape character", pattern.span);
  // Without ESCAPE, a backslash is the escape character.
  const needed = /[|\\]/.test(rewritten);
  return {
    pattern: { ...pattern, value: rewritten },
    escape: needed ? { kind: "string", value: ESCAPE, span: pattern.span, type: TEXT } : undefined,
  };
}

/** LIKE; and ILIKE, if the target lacks it, as LIKE of both sides in lower case. */
export function likeInLowerCase(node: Like): Like {
  const { pattern, escape } = patternOf(node);
  if (node.operator === "like") return { ...node, pattern, escape };
  const lower = (value: Expression): Expression => call("lower", [value], inPlaceOf(value));
  return { ...node, operator: "like", operand: lower(node.operand), pattern: lower(pattern), escape };
}

/** The pattern with `|` as its escape character; `undefined` if the last one escapes nothing. */
function respelled(pattern: string, escape: string, special: string): string | undefined {
  const isSpecial = (character: string): boolean => special.includes(character) && !"%_".includes(character);
  let result = "";
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    if (character !== escape) result += character === ESCAPE || isSpecial(character) ? ESCAPE + character : character;
    else {
      const next = characters[++at];
      if (next === undefined) return undefined;
      result += next === ESCAPE || special.includes(next) ? ESCAPE + next : next;
    }
  }
  return result;
}
