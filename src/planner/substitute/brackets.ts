/** Which brackets belong together, found once for a whole text. */
import { PlannerError } from "../diagnostics.ts";
import { syntaxFault } from "../syntax/syntax-fault.ts";
import type { Token } from "./tokens.ts";

const CLOSING: { readonly [open: string]: string } = { "(": ")", "[": "]", "{": "}" };

/**
 * Index of the closing bracket by index of the opening one.
 * @throws PlannerError SYNTAX for brackets that do not belong together, LIMIT_DEPTH
 */
export function matchBrackets(tokens: readonly Token[], depth: number): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach((token, index) => {
    if (token.kind !== "sign") return;
    if (Object.hasOwn(CLOSING, token.value)) {
      open.push(index);
      if (open.length > depth) {
        throw new PlannerError("LIMIT_DEPTH", `brackets are nested deeper than ${depth} levels`, { span: token });
      }
    } else if (token.value === ")" || token.value === "]" || token.value === "}") {
      const opening = open.pop();
      const expected = opening === undefined ? undefined : CLOSING[tokens[opening]?.value ?? ""];
      if (opening === undefined || expected !== token.value) {
        throw syntaxFault(`'${token.value}' closes nothing`, token.start, token.end);
      }
      pairs.set(opening, index);
    }
  });
  const last = tokens[open.at(-1) ?? -1];
  if (last !== undefined) throw syntaxFault(`'${last.value}' is not closed`, last.start, last.end);
  return pairs;
}
