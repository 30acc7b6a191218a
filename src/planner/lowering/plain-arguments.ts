/** What functions of texts are given, for targets whose manual settles their meaning for the usual arguments alone. */
import { unsupported } from "../diagnostics.ts";
import { values } from "../syntax/build.ts";
import type { Call } from "../syntax/tree.ts";
import { typeOrUnknown } from "../types.ts";
import { naturalOf } from "./written-counts.ts";

const nameOf = (node: Call): string => node.name[0]?.name ?? "";

/** Of texts alone, and of numbers that count; other values are refused. */
export function ofTexts(node: Call): undefined {
  for (const value of values(node)) {
    const { kind } = typeOrUnknown(value);
    if (kind !== "text" && kind !== "integer" && kind !== "null")
      throw unsupported(`${nameOf(node)} of ${kind}`, node.span);
  }
}

/** With a number of characters that is written and not negative. */
export const counted =
  (...places: readonly number[]) =>
  (node: Call): undefined => {
    ofTexts(node);
    for (const place of places) {
      const count = values(node)[place];
      if (count === undefined || naturalOf(count) !== undefined) continue;
      throw unsupported(`${nameOf(node)} with a computed or negative number`, count.span, "Write it as a literal.");
    }
  };

/** With a text to look for that is written, and not empty. */
export const sought =
  (place: number) =>
  (node: Call): undefined => {
    ofTexts(node);
    const needle = values(node)[place];
    if (needle?.kind === "string" && needle.value !== "") return;
    throw unsupported(`${nameOf(node)} of a computed or empty text`, node.span, "Write it as a literal.");
  };
