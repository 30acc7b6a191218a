/** Instants as what clocks show in UTC: the zone of a project may be another (`@@time_zone`), so it is always written. */

import { words } from "../../lowering/templates/template.ts";
import { instantsBy } from "../../lowering/times/instants.ts";
import { instantSql } from "../../lowering/times/zone-instants.ts";
import { call, text, typed } from "../../syntax/build.ts";
import { TIMESTAMP, TIMESTAMPTZ } from "../../types.ts";

/** Local times are DATETIME on BigQuery. TIMESTAMP_ADD has no months. */
const OF_ZONE = words(
  instantSql({
    inZone: (time) => `DATETIME(TIMESTAMP(${time}, 'UTC'), $2)`,
    days: (time, days) => `DATETIME_ADD(${time}, INTERVAL ${days} DAY)`,
    minus: (time, from, to) => `DATETIME_SUB(${time}, INTERVAL DATETIME_DIFF(${to}, ${from}, SECOND) SECOND)`,
  }),
);

export const { inUtc, asClock, asInstant, timeSum, atTimeZone } = instantsBy({
  ofInstant: (instant) => call("datetime in zone", [instant, text("UTC", instant)], typed(TIMESTAMP, instant)),
  inZone: (instant, zone, at) => call("datetime in zone", [instant, zone], typed(TIMESTAMP, at)),
  toInstant: (clock) => call("instant in zone", [clock, text("UTC", clock)], typed(TIMESTAMPTZ, clock)),
  ofZone: OF_ZONE,
});
