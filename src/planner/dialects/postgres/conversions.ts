/** PostgreSQL's implicit conversions, seen on 14 to 18. */

import type { Conversions } from "../../access/common-types.ts";
import { isLiteral } from "../../access/literals.ts";
import type { Expression } from "../../syntax/tree.ts";

/** A decimal beyond the range of doubles fails beside one; a literal is converted once, before any row. */
function numbersHaveCommonType(numbers: readonly Expression[]): boolean {
  const kinds = new Set(numbers.filter((number) => !isLiteral(number)).map((number) => number.type?.kind));
  return !(kinds.has("float") && kinds.has("decimal"));
}

export const POSTGRES_CONVERSIONS: Conversions = {
  numbersHaveCommonType,
  oneTimestamp: true,
  intervalsHaveCommonType: true,
  collationsConflict: true,
};
