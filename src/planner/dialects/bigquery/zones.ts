/** Instants as what clocks show in UTC: the zone of a project may be another (`@@time_zone`), so it is always written. */
import { call, cast, text, typed } from "../../syntax/build.ts";
import type { Expression } from "../../syntax/tree.ts";
import { TIMESTAMP, TIMESTAMPTZ, typeOrUnknown } from "../../types.ts";

export const isZoned = (value: Expression): boolean => {
  const type = typeOrUnknown(value);
  return type.kind === "timestamp" && type.zoned;
};

/** An instant as DATETIME; anything else as it is. */
export const inUtc = (value: Expression): Expression =>
  isZoned(value) ? call("datetime in zone", [value, text("UTC", value)], typed(TIMESTAMP, value)) : value;

/** A date or an instant as DATETIME. */
export const asDateTime = (value: Expression): Expression =>
  typeOrUnknown(value).kind === "date" ? cast(value, "timestamp", typed(TIMESTAMP, value)) : inUtc(value);

/** A DATETIME in UTC as an instant. */
export const asInstant = (value: Expression): Expression =>
  isZoned(value) ? value : call("instant in zone", [asDateTime(value), text("UTC", value)], typed(TIMESTAMPTZ, value));
