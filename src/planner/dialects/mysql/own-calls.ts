/** Calls that rewrites make for what MySQL has no plain function for; `print.ts` spells them. No caller's name holds a blank. */

import { call, type Place } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";

/** CONCAT, which is NULL where a part is; the catalogue's `concat` skips those, and is never NULL. */
export const JOINED = "joined texts";

/** CONCAT of a document's text. */
const MADE_JSON = "made json";

export function madeJson(parts: readonly Expression[], at: Place): Call {
  return call(MADE_JSON, parts, at);
}

export const isMadeJson = (value: Expression): value is Call =>
  value.kind === "call" && value.name[0]?.name === MADE_JSON;

export const OWN_CALLS = { [JOINED]: "CONCAT", [MADE_JSON]: "CONCAT" } as const;
