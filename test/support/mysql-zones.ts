/** Rows of MySQL's and MariaDB's tables of time zones, from the tables of this runtime. A server reads a zone when it is first named. */
import { openZone } from "../../src/result/text/zone.ts";

const FIRST = Date.UTC(1970, 0, 1) / 1000;
const LAST = Date.UTC(2038, 0, 18) / 1000;
/** No zone below changes its clocks twice in a week. */
const WEEK = 7 * 86_400;

/** The zones of the statements that tests run; a server does not know any other. */
const ZONES: readonly string[] = [
  ...[
    "Europe/Berlin",
    "Europe/Oslo",
    "Europe/Paris",
    "America/New_York",
    "America/Sao_Paulo",
    "Asia/Kolkata",
    "Asia/Tokyo",
  ],
  "Australia/Lord_Howe",
];

/** The first second with the offset that the zone has at `high`, where it has another one at `low`. */
function changeBetween(offsetAt: (second: number) => number, low: number, high: number): number {
  let [before, after] = [low, high];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle) === offsetAt(high)) after = middle;
    else before = middle;
  }
  return after;
}

function rowsOf(name: string, id: number): readonly string[] {
  const zone = openZone(name);
  if (zone === undefined) throw new Error(`no zone ${name}`);
  const offsetAt = (second: number): number => zone.offsetAt(second);
  const offsets = [offsetAt(FIRST)];
  const changes: string[] = [];
  for (let week = FIRST; week < LAST; week += WEEK) {
    if (offsetAt(week) === offsetAt(week + WEEK)) continue;
    const offset = offsetAt(week + WEEK);
    if (!offsets.includes(offset)) offsets.push(offset);
    changes.push(`(${id}, ${changeBetween(offsetAt, week, week + WEEK)}, ${offsets.indexOf(offset)})`);
  }
  const types = offsets.map((offset, index) => `(${id}, ${index}, ${offset}, 0, 'x')`);
  return [
    `INSERT INTO mysql.time_zone (Time_zone_id, Use_leap_seconds) VALUES (${id}, 'N')`,
    `INSERT INTO mysql.time_zone_name (Name, Time_zone_id) VALUES ('${name}', ${id})`,
    `INSERT INTO mysql.time_zone_transition_type (Time_zone_id, Transition_type_id, \`Offset\`, Is_DST, Abbreviation) VALUES ${types}`,
    ...(changes.length === 0
      ? []
      : [
          `INSERT INTO mysql.time_zone_transition (Time_zone_id, Transition_time, Transition_type_id) VALUES ${changes}`,
        ]),
  ];
}

let statements: readonly string[] | undefined;

/** Statements that let a server know the zones, each of one line. */
export function zoneTables(): readonly string[] {
  statements ??= ZONES.flatMap((name, index) => rowsOf(name, index + 1));
  return statements;
}
