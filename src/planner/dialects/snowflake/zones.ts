/**
 * Instants as what clocks show in UTC: one of TIMESTAMP_TZ shows the clock that it was written by, and sessions are in UTC.
 * https://docs.snowflake.com/en/sql-reference/functions/convert_timezone
 */
import { instantsBy } from "../../lowering/instants.ts";
import { call, cast, typed } from "../../syntax/build.ts";
import { TIMESTAMP, TIMESTAMPTZ } from "../../types.ts";

export const { inUtc, asClock, asInstant, timeSum, atTimeZone } = instantsBy({
  ofInstant: (instant) => call("clock of utc", [instant], typed(TIMESTAMP, instant)),
  inZone: (instant, zone, at) => call("clock in zone", [zone, instant], typed(TIMESTAMP, at)),
  toInstant: (clock) => cast(clock, "timestamp with time zone", typed(TIMESTAMPTZ, clock)),
});
