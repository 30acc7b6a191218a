/** `generate_series` as an array, for engines with `sequence`. */

import { isUtc } from "../../datetimes.ts";
import { unsupported } from "../../diagnostics.ts";
import { intervalParts } from "../../intervals.ts";
import { call, cast, comparison, inPlaceOf, integer, typed, values, when } from "../../syntax/build.ts";
import type { Expression, TableFunction } from "../../syntax/tree.ts";
import { TIMESTAMP, TIMESTAMPTZ, typeOrUnknown } from "../../types.ts";
import { countOf } from "../numbers/written-counts.ts";

/** Conversions of a target whose `sequence` takes no instants. */
export interface ClocksOfInstants {
  /** A date or an instant as its local time in UTC. */
  readonly clockOf: (value: Expression) => Expression;
  /** An array of local times in UTC as one of instants. */
  readonly instantsOf: (clocks: Expression) => Expression;
}

/**
 * If the end is before the start, `sequence` counts backwards or is an error; on Trino it has at most ten thousand values. A series of
 * instants has the days and months of UTC, the zone of all sessions.
 */
export function seriesOf(table: TableFunction, clocks?: ClocksOfInstants): Expression {
  const [from, to, step = integer(1, table)] = values(table.call);
  if (from === undefined || to === undefined) throw unsupported("generate_series with these arguments", table.span);
  const isOfTimes = ["date", "timestamp"].includes(typeOrUnknown(from).kind);
  if (!isOfTimes && [from, to, step].some((each) => typeOrUnknown(each).kind !== "integer")) {
    throw unsupported("a series of fractions", table.span, "Divide a series of integers.");
  }
  if (isOfTimes) refuseLongMonths(from, step);
  const forwards = isForwards(step, table);
  const isOfInstants = from.type?.kind === "timestamp" && from.type.zoned;
  const end = (each: Expression): Expression => {
    if (!isOfTimes) return each;
    if (!isOfInstants) return cast(each, "timestamp", typed(TIMESTAMP, each));
    return clocks?.clockOf(each) ?? cast(each, "timestamp with time zone", typed(TIMESTAMPTZ, each));
  };
  const [start, stop] = [end(from), end(to)];
  const list = call("sequence", [start, stop, step], inPlaceOf(table.call));
  const isThere = comparison(start, forwards ? "<=" : ">=", stop, table);
  const made = isOfInstants && clocks !== undefined ? clocks.instantsOf(list) : list;
  return when(isThere, made, undefined, inPlaceOf(table.call));
}

/**
 * PostgreSQL adds the step to the last value: after 31 January it continues with 28 February, and then with the 28th of each
 * month.
 */
export function refuseLongMonths(written: Expression, step: Expression): void {
  let from = written;
  while (from.kind === "cast") from = from.operand;
  const parts = step.kind === "interval" ? intervalParts(step) : undefined;
  if (parts === undefined || parts.months === 0) return;
  const isFirst = isStartOfMonths(from);
  const isEarly = from.kind === "typed" && /^\d+-\d\d-(0\d|1\d|2[0-8])/.test(from.value) && !isElsewhere(from.value);
  if (isFirst || isEarly) return;
  throw unsupported(
    "a series of months from a day that some do not have",
    from.span,
    "Begin it at date_trunc('month', …).",
  );
}

/** An instant whose text shows the day of another zone than UTC. */
function isElsewhere(value: string): boolean {
  const fromMinutes = value.slice(value.indexOf(":"));
  const zone = fromMinutes.replace(/^[\d:.]+/, "").trim();
  return zone !== "" && !isUtc(zone);
}

/** A timestamp truncated to months or longer units, by the name that the engine's rule has given the function. */
function isStartOfMonths(from: Expression): boolean {
  if (from.kind === "spelled") return from.template.isStartOfMonths;
  if (from.kind !== "call") return false;
  const name = from.name[0]?.name ?? "";
  const unit = /^start of (\w+)$/.exec(name)?.[1];
  if (unit !== undefined) return hasWholeMonths(unit);
  const isTruncation = /^(?:date|datetime|timestamp)_trunc$/i.test(name);
  return isTruncation && from.arguments.some(({ value }) => value.kind === "string" && hasWholeMonths(value.value));
}

/** Whether a unit of time is a month or longer. */
export const hasWholeMonths = (unit: string): boolean =>
  /^(?:month|quarter|year|decade|century|millennium)$/i.test(unit);

export function isForwards(step: Expression, { span }: TableFunction): boolean {
  const count = countOf(step);
  if (count !== undefined && count !== 0) return count > 0;
  const parts = step.kind === "interval" ? intervalParts(step) : undefined;
  const amounts = parts === undefined ? [] : [parts.months, parts.days, Number(parts.microseconds)];
  // On Trino, months and days are two interval types.
  if (amounts.filter((each) => each !== 0).length === 1) return amounts.every((each) => each >= 0);
  throw unsupported("a series with this step", span, "Write the step as a literal of one unit that is not zero.");
}
