/** Instants as what clocks show in UTC: the zone of a project may be another (`@@time_zone`), so it is always written. */
import { instantsBy } from "../../lowering/instants.ts";
import { call, text, typed } from "../../syntax/build.ts";
import { TIMESTAMP, TIMESTAMPTZ } from "../../types.ts";

/** Local times are DATETIME on BigQuery. TIMESTAMP_ADD has no months. */
export const { inUtc, asClock, asInstant, timeSum, atTimeZone } = instantsBy({
  ofInstant: (instant) => call("datetime in zone", [instant, text("UTC", instant)], typed(TIMESTAMP, instant)),
  inZone: (instant, zone, at) => call("datetime in zone", [instant, zone], typed(TIMESTAMP, at)),
  toInstant: (clock) => call("instant in zone", [clock, text("UTC", clock)], typed(TIMESTAMPTZ, clock)),
});
