/** JSON is a text there. */
import { unsupported } from "../../lowering/target.ts";
import type { Expression } from "../../syntax/tree.ts";

export function refuseJson(...sides: readonly Expression[]): void {
  const json = sides.find(({ type }) => type?.kind === "json");
  if (json === undefined) return;
  throw unsupported("a comparison of json", json.span, "Compare texts: j ->> 'key'.");
}
