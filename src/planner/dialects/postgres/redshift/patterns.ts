/**
 * Regular expressions, as far as POSIX's and PostgreSQL's say the same: characters, classes, anchors, alternatives and repetitions,
 * and no backslash. https://docs.aws.amazon.com/redshift/latest/dg/pattern-matching-conditions-posix.html
 */
import { unsupported } from "../../../diagnostics.ts";
import { binary, inPlaceOf, text } from "../../../syntax/build.ts";
import type { Binary, Expression } from "../../../syntax/tree.ts";

const SIMPLE = /^(?:[\w #%&',/:;<=>@"~-]|\[\^?[\w #%&',/:;<=>@"~+*?.$()|-]+\]|[.^$()|]|(?<=[^(|^])[*+?](?![*+?{]))*$/;

/** `~` and `!~`; without case, as classes of both letters. */
export const matched =
  (operator: "~" | "!~", ignoresCase: boolean) =>
  (node: Binary): Expression => {
    const { left, right } = node;
    if (right.kind !== "string" || !SIMPLE.test(right.value)) {
      throw unsupported(
        "the regular expression",
        right.span,
        "Use a simple literal pattern without backslashes, or LIKE.",
      );
    }
    const pattern = ignoresCase ? ofBothCases(right.value, right) : right.value;
    return binary(left, operator, text(pattern, right), inPlaceOf(node));
  };

function ofBothCases(pattern: string, at: Expression): string {
  if (pattern.match(/\[[^[\]]*\]/g)?.some((set) => /[a-z]/i.test(set))) {
    throw unsupported("a class of letters without case", at.span, "Write both letters, with ~ in place of ~*.");
  }
  return pattern.replace(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
}
