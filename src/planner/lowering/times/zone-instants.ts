/** Instants of local times, from the local times at instants: what engines take where clocks change differs, or is not documented. */

/** SQL of a target. Times are local times in UTC. */
interface ZoneSql {
  /** The local time in the zone `$2`. */
  readonly inZone: (time: string) => string;
  /** The time a number of days later. */
  readonly days: (time: string, days: number) => string;
  /** The time less the whole seconds from one time to another. */
  readonly minus: (time: string, from: string, to: string) => string;
}

/**
 * The text of a template: the local time in UTC when clocks of the zone `$2` show the time `$1`. A day later each change of the clocks is
 * over. Where the offset of that day leads to an instant that shows `$1`, it is the one, and the later one of a time that occurs twice.
 * Otherwise the offset of the day before counts, also for a time that does not occur. So does PostgreSQL decide, by the same two
 * offsets (`DetermineTimeZoneOffset`): clocks change at most once in 48 hours.
 */
export function instantSql({ inZone, days, minus }: ZoneSql): string {
  const byOffsetOf = (day: string): string => minus("$1", day, inZone(day));
  const later = byOffsetOf(days("$1", 1));
  return `CASE WHEN ${inZone(later)} = $1 THEN ${later} ELSE ${byOffsetOf(days("$1", -1))} END`;
}
