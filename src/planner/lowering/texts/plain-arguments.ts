/** Checks arguments of text functions, for targets whose manual defines only the usual arguments. */
import { unsupported } from "../../diagnostics.ts";
import { values } from "../../syntax/build.ts";
import type { Call } from "../../syntax/tree.ts";
import { typeOrUnknown } from "../../types.ts";

const nameOf = (node: Call): string => node.name[0]?.name ?? "";

/** Only texts and counts are allowed; other values are refused. */
export function ofTexts(node: Call): undefined {
  for (const value of values(node)) {
    const { kind } = typeOrUnknown(value);
    if (kind !== "text" && kind !== "integer" && kind !== "null")
      throw unsupported(`${nameOf(node)} of ${kind}`, node.span);
  }
}

/** The searched text must be a literal and not empty. */
export const sought =
  (place: number) =>
  (node: Call): undefined => {
    ofTexts(node);
    const needle = values(node)[place];
    if (needle?.kind === "string" && needle.value !== "") return;
    throw unsupported(`${nameOf(node)} of a computed or empty text`, node.span, "Write it as a literal.");
  };
