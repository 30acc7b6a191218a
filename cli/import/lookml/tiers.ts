/** Dimensions of type `tier`: the labels that Looker gives to ranges of numbers. */
import type { Item } from "../item.ts";
import { Unmapped } from "../sql-text.ts";

/** Throws `Unmapped`. */
export function tierCase(item: Item, sql: string): string {
  const tiers = item.texts("tiers");
  const numbers = tiers.map(Number);
  const [first, last] = [tiers[0], tiers.at(-1)];
  if (
    first === undefined ||
    last === undefined ||
    numbers.some((each, at) => Number.isNaN(each) || each <= (numbers[at - 1] ?? -Infinity))
  ) {
    throw new Unmapped("The tiers are no rising list of numbers.");
  }
  const style = item.text("style") ?? "classic";
  const label = (at: number): string => labelOf(style, tiers, at);
  const between = tiers.slice(1).map((tier, at) => `WHEN ${sql} < ${tier} THEN '${label(at + 1)}'`);
  const labels = [
    `WHEN ${sql} < ${first} THEN '${label(0)}'`,
    ...between,
    `WHEN ${sql} >= ${last} THEN '${label(tiers.length)}'`,
  ];
  return `CASE ${labels.join(" ")} ELSE 'Undefined' END`;
}

function labelOf(style: string, tiers: readonly string[], at: number): string {
  const [from, to] = [tiers[at - 1], tiers[at]];
  switch (style) {
    case "interval":
      return `${from === undefined ? "(-inf" : `[${from}`}, ${to ?? "inf"})`;
    case "relational":
      if (from === undefined) return `< ${to}`;
      return to === undefined ? `>= ${from}` : `>= ${from} and < ${to}`;
    case "integer":
      if (![...tiers].every((tier) => /^-?\d+$/.test(tier)))
        throw new Unmapped("Tiers of style integer are no integers.");
      if (from === undefined) return `Below ${to}`;
      return to === undefined ? `${from} or Above` : `${from} to ${Number(to) - 1}`;
    default:
      throw new Unmapped(`The labels of a tier of style ${style} have no counterpart.`);
  }
}
