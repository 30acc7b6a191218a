/** Calls that rewrites make for what MySQL has no plain function for; `print.ts` spells them. No caller's name holds a blank. */

import { call, type Place } from "../../syntax/build.ts";
import type { Call, Expression } from "../../syntax/tree.ts";

/** CONCAT, which is NULL where a part is; the catalogue's `concat` skips those, and is never NULL. */
export const JOINED = "joined texts";

/** CONCAT of a document's text. */
const JSON_DOCUMENT = "made json";

export function jsonDocument(parts: readonly Expression[], at: Place): Call {
  return call(JSON_DOCUMENT, parts, at);
}

export const isJsonDocument = (value: Expression): value is Call =>
  value.kind === "call" && value.name[0]?.name === JSON_DOCUMENT;

export const OWN_CALLS = { [JOINED]: "CONCAT", [JSON_DOCUMENT]: "CONCAT" } as const;
