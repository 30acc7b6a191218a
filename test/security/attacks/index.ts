/**
 * Attempts of a caller who may see four orders of the shop in `access-world.ts` and wants to see the others, or a column
 * that a rule withholds.
 */
import { SHARE } from "../../support/share.ts";
import { COLUMNS } from "./columns.ts";
import { ERRORS } from "./errors.ts";
import { GROUPING_AND_WINDOWS } from "./grouping-and-windows.ts";
import type { Heading } from "./heading.ts";
import { JOINS_AND_SUBQUERIES } from "./joins-and-subqueries.ts";
import { MODELLED_OBJECTS } from "./modelled-objects.ts";
import { PAST_THE_MANIFEST } from "./past-the-manifest.ts";

export const ATTACKS: readonly Heading[] = [
  ...JOINS_AND_SUBQUERIES,
  ...GROUPING_AND_WINDOWS,
  ...COLUMNS,
  ...MODELLED_OBJECTS,
  ...PAST_THE_MANIFEST,
  ...ERRORS,
];

/**
 * One of `each` that are answered, of so many times `SHARE` where that is said, and all that are refused; everything with
 * `ACCESS_RULES=all`. `beyond`: what is left out.
 */
export function sampled(each: number, beyond: ReadonlySet<string> = new Set()): readonly Heading[] {
  const isWhole = process.env["ACCESS_RULES"] === "all";
  return ATTACKS.map((heading) => ({
    ...heading,
    answered: heading.answered.filter((sql, index) => (isWhole || index % (each * SHARE) === 0) && !beyond.has(sql)),
  })).filter(({ answered, refused }) => answered.length + refused.length > 0);
}
