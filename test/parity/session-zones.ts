/** Statements whose answer depends on the session's time zone, around changes of clocks. */

/** Zones with two changes of clocks in 2024; those of Lord Howe Island are set by half an hour. */
export const ZONES: readonly string[] = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"];

/** Before and at each change of the clocks of `ZONES`, and within the hours around it. */
export const INSTANTS = `(VALUES
  (1, TIMESTAMPTZ '2024-03-31 00:59:59+00'), (2, '2024-03-31 01:00:00+00'), (3, '2024-10-27 00:30:00+00'), (4, '2024-10-27 01:30:00+00'),
  (5, '2024-03-10 06:59:59.5+00'), (6, '2024-03-10 07:00:00+00'), (7, '2024-11-03 05:30:00+00'), (8, '2024-11-03 06:30:15+00'),
  (9, '2024-04-06 14:59:59+00'), (10, '2024-04-06 15:15:00+00'), (11, '2024-10-05 15:29:59+00'), (12, '2024-10-05 15:30:00+00'),
  (13, '2024-12-31 23:30:00+00'), (14, '2024-01-01 03:15:00+00'), (15, NULL)) AS v(i, t)`.replaceAll(/\s+/g, " ");

/** Local times that clocks of `ZONES` show twice, never and once. */
const LOCALS = `(VALUES
  (1, TIMESTAMP '2024-10-27 02:30:00'), (2, '2024-10-27 01:59:59.5'), (3, '2024-10-27 03:00:00'), (4, '2024-03-31 02:30:00'),
  (5, '2024-03-31 02:00:00'), (6, '2024-03-31 03:00:00'), (7, '2024-11-03 01:30:00'), (8, '2024-03-10 02:30:00'),
  (9, '2024-04-07 01:45:00'), (10, '2024-10-06 02:15:00'), (11, '2024-07-01 12:00:00'), (12, NULL)) AS v(i, l)`.replaceAll(
  /\s+/g,
  " ",
);

const DAYS =
  "(VALUES (1, DATE '2024-03-31'), (2, '2024-04-01'), (3, '2024-10-27'), (4, '2024-11-04'), (5, NULL)) AS v(i, d)";

const ofInstants = (expressions: string): string => `SELECT i, ${expressions} FROM ${INSTANTS} ORDER BY i`;
const ofLocals = (expressions: string): string => `SELECT i, ${expressions} FROM ${LOCALS} ORDER BY i`;
const ofDays = (expressions: string): string => `SELECT i, ${expressions} FROM ${DAYS} ORDER BY i`;

/** Statements that no source plans in another zone than UTC, by a part of their text. */
const REFUSED_EVERYWHERE: readonly string[] = [
  "l::text::timestamptz",
  "HH24:MI OF",
  "WHERE t IN (SELECT l",
  "UNION ALL SELECT l",
  "INTERVAL '1 day') AS g(s)",
];

export const isRefusedEverywhere = (sql: string): boolean => REFUSED_EVERYWHERE.some((part) => sql.includes(part));

export interface ZonedConstruct {
  readonly name: string;
  readonly queries: readonly string[];
}

/** One statement for each construct that PostgreSQL computes by the session's `TimeZone`. */
export const ZONED_CONSTRUCTS: readonly ZonedConstruct[] = [
  {
    name: "date_trunc of an instant",
    queries: [
      ofInstants("date_trunc('day', t) AS a, date_trunc('week', t) AS b"),
      ofInstants("date_trunc('month', t) AS a, date_trunc('quarter', t) AS b, date_trunc('year', t) AS c"),
      ofInstants("date_trunc('hour', t) AS a"),
      ofInstants("date_trunc('minute', t) AS a, date_trunc('second', t) AS b"),
      `SELECT date_trunc('day', t) AS d, count(*) AS n FROM ${INSTANTS} GROUP BY 1 ORDER BY 1`,
      `SELECT date_trunc('month', t) AS m, max(extract(hour FROM t)) AS h FROM ${INSTANTS} WHERE t IS NOT NULL GROUP BY date_trunc('month', t) HAVING date_trunc('month', t) < TIMESTAMPTZ '2024-11-15' ORDER BY date_trunc('month', t)`,
    ],
  },
  {
    name: "extract from an instant",
    queries: [
      ofInstants("extract(year FROM t) AS a, extract(month FROM t) AS b, extract(day FROM t) AS c"),
      ofInstants("extract(hour FROM t) AS a, extract(minute FROM t) AS b, extract(second FROM t) AS c"),
      ofInstants(
        "extract(quarter FROM t) AS a, extract(dow FROM t) AS b, extract(isodow FROM t) AS c, extract(doy FROM t) AS e",
      ),
      ofInstants("extract(week FROM t) AS a, extract(isoyear FROM t) AS b"),
      ofInstants("date_part('hour', t) AS a, extract(epoch FROM t) AS b"),
      ofInstants("extract(timezone FROM t) AS a"),
      ofInstants("extract(timezone_hour FROM t) AS a, extract(timezone_minute FROM t) AS b"),
    ],
  },
  {
    name: "casts of an instant",
    queries: [
      ofInstants("t::date AS a"),
      ofInstants("t::timestamp AS a"),
      ofInstants("t::time AS a"),
      ofInstants("t::text AS a"),
      ofInstants("'at ' || t AS a"),
      `SELECT t::date AS d, count(*) AS n FROM ${INSTANTS} GROUP BY 1 ORDER BY 1`,
    ],
  },
  {
    name: "casts to an instant",
    queries: [ofLocals("l::timestamptz AS a"), ofDays("d::timestamptz AS a"), ofLocals("l::text::timestamptz AS a")],
  },
  {
    name: "to_char of an instant",
    queries: [
      ofInstants("to_char(t, 'YYYY-MM-DD HH24:MI') AS a"),
      ofInstants("to_char(t, 'YYYY-MM') AS a"),
      ofInstants("to_char(t, 'HH24:MI OF') AS a"),
    ],
  },
  {
    name: "comparisons of instants with local times",
    queries: [
      ofInstants("t >= DATE '2024-03-31' AS a, t < TIMESTAMP '2024-10-27 02:30:00' AS b"),
      ofInstants("t BETWEEN DATE '2024-03-10' AND DATE '2024-10-27' AS a, t = TIMESTAMP '2024-03-31 03:00:00' AS b"),
      ofInstants("t IN (TIMESTAMP '2024-03-31 03:00:00', TIMESTAMP '2024-10-27 02:30:00') AS a"),
      ofInstants("t >= '2024-10-27' AND t < '2024-10-28 00:00:00' AS a, t < TIMESTAMPTZ '2024-03-31 02:30:00' AS b"),
      `SELECT v.i, count(w.l) AS n FROM ${INSTANTS} LEFT JOIN ${LOCALS.replace("v(", "w(")} ON t < l GROUP BY v.i ORDER BY v.i`,
      `SELECT i FROM ${INSTANTS} WHERE t IN (SELECT l FROM ${LOCALS.replace("v(i, l)", "w(j, l)")}) ORDER BY i`,
    ],
  },
  {
    name: "instants beside local times",
    queries: [
      ofInstants("CASE WHEN i < 4 THEN t ELSE TIMESTAMP '2024-10-27 02:30:00' END AS a"),
      ofInstants("coalesce(t, DATE '2024-03-31') AS a, greatest(t, TIMESTAMP '2024-06-01 00:00:00') AS b"),
      `SELECT t AS a FROM ${INSTANTS} WHERE i < 3 UNION ALL SELECT l FROM ${LOCALS} WHERE i < 5 ORDER BY 1`,
      ofInstants("nullif(t, TIMESTAMP '2024-03-31 03:00:00') AS a, ARRAY[t, TIMESTAMP '2024-01-01'] IS NULL AS b"),
    ],
  },
  {
    name: "instants and intervals",
    queries: [
      ofInstants("t + INTERVAL '1 day' AS a, t - INTERVAL '2 days' AS b"),
      ofInstants("t + INTERVAL '1 month' AS a, t - INTERVAL '1 week' AS b"),
      ofInstants("t + INTERVAL '36 hours' AS a"),
      ofInstants("t + INTERVAL '1 day 2 hours' AS a, t - INTERVAL '1 month 3 days' AS b"),
      ofInstants("t + i * INTERVAL '1 day' AS a"),
      ofInstants("t + i * INTERVAL '1 hour' AS a"),
      ofInstants("t - TIMESTAMP '2024-01-01 00:00:00' > INTERVAL '80 days' AS a"),
      ofInstants("extract(epoch FROM t - DATE '2024-03-31') AS a"),
      ofInstants("date_bin('6 hours', t, TIMESTAMP '2024-01-01 00:00:00') AS a"),
    ],
  },
  {
    name: "ages",
    queries: [
      ofInstants("extract(month FROM age(t, TIMESTAMPTZ '2024-01-01 00:00:00+00')) AS a"),
      ofInstants("extract(day FROM age(TIMESTAMPTZ '2025-01-01 00:00:00+00', t)) AS a"),
    ],
  },
  {
    name: "the day and the local time of now",
    queries: [
      "SELECT current_date = now()::date AS a",
      "SELECT localtimestamp = now()::timestamp AS a",
      "SELECT current_date - now()::date AS a, date_trunc('day', now()) = current_date AS b",
    ],
  },
  {
    name: "series of instants",
    queries: [
      "SELECT s FROM generate_series(TIMESTAMPTZ '2024-03-30 00:00:00', TIMESTAMPTZ '2024-04-02 00:00:00', INTERVAL '1 day') AS g(s) ORDER BY 1",
      "SELECT s FROM generate_series(TIMESTAMPTZ '2024-10-26 22:00:00+00', TIMESTAMPTZ '2024-10-27 03:00:00+00', INTERVAL '1 hour') AS g(s) ORDER BY 1",
    ],
  },
  {
    name: "texts read as instants",
    queries: [
      "SELECT to_timestamp('2024-10-27 02:30:00', 'YYYY-MM-DD HH24:MI:SS') AS a",
      ofLocals("to_timestamp(to_char(l, 'YYYY-MM-DD HH24:MI:SS'), 'YYYY-MM-DD HH24:MI:SS') AS a"),
    ],
  },
  {
    name: "JSON of instants",
    queries: [
      ofInstants("to_json(t) AS a"),
      ofInstants("json_build_object('t', t) AS a"),
      `SELECT json_agg(t ORDER BY i) AS a FROM ${INSTANTS} WHERE i < 9`,
    ],
  },
  {
    name: "AT TIME ZONE of the session's local times",
    queries: [ofDays("d AT TIME ZONE 'UTC' AS a"), ofLocals("l AT TIME ZONE 'UTC' AS a")],
  },
];

/** Zones that the statement names itself: the session is in UTC. */
export const NAMED_ZONES: readonly ZonedConstruct[] = [
  {
    name: "local times in zones as instants",
    queries: [
      ...ZONES.map((zone) => ofLocals(`l AT TIME ZONE '${zone}' AS a`)),
      ofLocals("l AT TIME ZONE 'Asia/Kolkata' AS a"),
    ],
  },
  {
    name: "date_trunc in a zone",
    queries: ZONES.flatMap((zone) => [
      ofInstants(`date_trunc('day', t, '${zone}') AS a, date_trunc('month', t, '${zone}') AS b`),
      ofInstants(`date_trunc('hour', t, '${zone}') AS a, date_trunc('minute', t, '${zone}') AS b`),
      ofInstants(`date_trunc('second', t, '${zone}') AS a, date_trunc('week', t, '${zone}') AS b`),
    ]),
  },
  {
    name: "instants as local times in zones",
    queries: ZONES.flatMap((zone) => [
      ofInstants(`t AT TIME ZONE '${zone}' AS a`),
      ofInstants(`extract(hour FROM t AT TIME ZONE '${zone}') AS a, (t AT TIME ZONE '${zone}')::date AS b`),
      ofInstants(`to_char(t AT TIME ZONE '${zone}', 'YYYY-MM-DD HH24:MI') AS a`),
      ofInstants(`date_bin('1 day', t AT TIME ZONE '${zone}', TIMESTAMP '2024-01-01') AS a`),
    ]),
  },
];
