/** Instants as what clocks show in UTC: one of TIMESTAMP_TZ shows the clock that it was written by. */
import { call, cast, typed } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { TIMESTAMP, TIMESTAMPTZ, typeOrUnknown } from "../../types.ts";

export const isZoned = (value: Expression): boolean => {
  const type = typeOrUnknown(value);
  return type.kind === "timestamp" && type.zoned;
};

/** An instant as what clocks show; anything else as it is. */
export const inUtc = (value: Expression): Expression =>
  isZoned(value) ? call("clock of utc", [value], typed(TIMESTAMP, value)) : value;

/** A date or an instant as what clocks show. */
export const asClock = (value: Expression): Expression =>
  typeOrUnknown(value).kind === "date" ? cast(value, "timestamp", typed(TIMESTAMP, value)) : inUtc(value);

/** What clocks show in UTC as an instant: sessions are in UTC. */
export const asInstant = (value: Expression): Expression =>
  isZoned(value) ? value : cast(asClock(value), "timestamp with time zone", typed(TIMESTAMPTZ, value));
