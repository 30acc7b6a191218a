/**
 * Instants as what clocks show in UTC: one of TIMESTAMP_TZ shows the clock that it was written by, and sessions are in UTC.
 * https://docs.snowflake.com/en/sql-reference/functions/convert_timezone
 */

import { spelled, words } from "../../lowering/templates/template.ts";
import { instantsBy } from "../../lowering/times/instants.ts";
import { instantSql } from "../../lowering/times/zone-instants.ts";
import { cast, typed } from "../../syntax/build.ts";
import { TIMESTAMP, TIMESTAMPTZ } from "../../types.ts";

const IN_UTC = words("CAST(CONVERT_TIMEZONE('UTC', $1) AS TIMESTAMP_NTZ)", { type: TIMESTAMP });
const IN_ZONE = words("CAST(CONVERT_TIMEZONE($2, $1) AS TIMESTAMP_NTZ)", { type: TIMESTAMP });

const OF_ZONE = words(
  instantSql({
    inZone: (time) => `CONVERT_TIMEZONE('UTC', $2, ${time})`,
    days: (time, days) => `DATEADD(day, ${days}, ${time})`,
    minus: (time, from, to) => `DATEADD(second, DATEDIFF(second, ${to}, ${from}), ${time})`,
  }),
);

export const { inUtc, asClock, asInstant, timeSum, atTimeZone } = instantsBy({
  ofInstant: (instant) => spelled(IN_UTC, [instant], instant),
  inZone: (instant, zone, at) => spelled(IN_ZONE, [instant, zone], at),
  toInstant: (clock) => cast(clock, "timestamp with time zone", typed(TIMESTAMPTZ, clock)),
  ofZone: OF_ZONE,
});
