/** `date_trunc` to decades, centuries and millennia, for targets that truncate to years: a century begins with its year 1. */
import { values } from "../../syntax/build.ts";
import type { Call } from "../../syntax/tree.ts";
import { type Definition, definitionOf } from "../meanings.ts";
import { isDateOrTimestamp } from "./time-arithmetic.ts";

/** The years of a unit, and the year after 1 BC with which the first one begins. */
const UNITS = { decade: [10, 0], century: [100, 1], millennium: [1000, 1] } as const;

const isUnit = (name: string): name is keyof typeof UNITS => Object.hasOwn(UNITS, name);

/** The years that have passed are taken from the start of the year; `undefined` for other units. */
export function truncatedToYears(node: Call): Definition | undefined {
  const [unit, value] = values(node);
  if (unit?.kind !== "string" || value === undefined || !isDateOrTimestamp(value)) return undefined;
  const name = unit.value.toLowerCase();
  if (!isUnit(name)) return undefined;
  const [years, first] = UNITS[name];
  const year = `CAST(extract(year FROM "$2") AS integer)${first === 0 ? "" : ` - ${first}`}`;
  return definitionOf(`date_trunc('year', "$2") - mod(${year}, ${years}) * interval '1 year'`);
}
