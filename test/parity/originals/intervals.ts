import type { Subject } from "./subject.ts";

/** Intervals of either sign and of mixed signs, with and without fractions, with parts that carry over. */
const LENGTHS = `(VALUES ${[
  "1 month",
  "-1 month",
  "13 months 40 days 25:00:00",
  "-13 months -1 day 30:00:00",
  "1 month -1 day",
  "-1 day 2 hours",
  "-1 year 1 day -00:00:01.5",
  "1 day -25:00:00.000001",
  "29 days 24:00:00",
  "0 days",
  "100:59:59.5",
  "11 months 1 day 1 second",
]
  .map((length, index) => `(${index}, ${index % 3}, interval '${length}')`)
  .join(", ")}, (12, 0, NULL)) t(id, g, i)`;
const INSTANTS =
  "(VALUES (TIMESTAMP '2023-12-31', 1), ('2024-01-30', 2), ('2024-01-31', 3), ('2024-02-29', 4)) AS u(t, n)";
const byFactor = (factor: string): string =>
  `SELECT id, i * ${factor} AS p, i / ${factor} AS q FROM ${LENGTHS} ORDER BY id`;

/**
 * Intervals through numbers, their sums and means, `justify_…`, their text. Searched: 3,000 random intervals of parts of
 * both signs through and times factors of every size (DuckDB's own arithmetic of doubles is PostgreSQL's), the same
 * intervals as texts; sums and means over groups, windows, FILTER, no rows, DISTINCT.
 */
export const INTERVALS: Subject = {
  name: "intervals",
  queries: {
    "factor-2": byFactor("2"),
    "factor-minus-3": byFactor("-3"),
    "factor-0-5": byFactor("0.5"),
    "factor-0-1": byFactor("0.1"),
    "factor-numeric": byFactor("1.5::numeric(5, 2)"),
    "factor-double": byFactor("(1e0::float8 / 3)"),
    "factor-bigint": byFactor("7::bigint"),
    "factor-real": byFactor("-0.3::real"),
    "factor-null": byFactor("NULL"),
    "factor-column": `SELECT id, id * i AS p, i * id AS q, -i AS n, 0.25 * i AS r FROM ${LENGTHS} ORDER BY id`,
    "justify-hours-justify-days": `SELECT id, justify_hours(i) AS h, justify_days(i) AS d, justify_interval(i) AS j FROM ${LENGTHS} ORDER BY id`,
    "joined-concat-concat-ws": `SELECT id, i::text AS t, 'x' || i AS x, concat(i, 1) AS c, concat_ws(',', i, i) AS w FROM ${LENGTHS} ORDER BY id`,
    "sum-avg-count": `SELECT g, sum(i) AS s, avg(i) AS m, sum(i)::text AS t, avg(i)::text AS u, count(i) AS n FROM ${LENGTHS} GROUP BY g ORDER BY g`,
    "sum-avg-where": `SELECT sum(i) AS s, avg(i) AS m FROM ${LENGTHS} WHERE id > 50`,
    "avg-filter-extract": `SELECT avg(i) FILTER (WHERE id < 5) AS m, avg(i * 2) AS d, extract(epoch FROM avg(i)) AS e FROM ${LENGTHS}`,
    "avg-partition-sum": `SELECT id, avg(i) OVER (PARTITION BY g ORDER BY id) AS m, sum(i) OVER (ORDER BY id) AS s FROM ${LENGTHS} ORDER BY id`,
    "age-date-text": `SELECT age(DATE '2024-03-01', d)::text AS a FROM (VALUES (DATE '2016-02-29'), ('1948-02-29'), ('2024-03-02'), ('2025-12-31')) t(d) ORDER BY d`,
    "left-varchar-string-agg": `SELECT left((interval '-1 month')::varchar(5), 4) AS a, string_agg(i::text, '; ' ORDER BY i) AS b FROM (VALUES (interval '1 day'), ('-1 day 1 hour')) t(i)`,
    "justify-mixed-signs": "SELECT justify_interval('1 month -1 hour') AS b",
    "array-to-string-array-interval": "SELECT array_to_string(ARRAY[interval '1 mon', '-1 mon 1 day'], ',') AS a",
    "avg-distinct": `SELECT avg(DISTINCT i) FROM ${LENGTHS}`,
    // Intervals that are equal if a month has thirty days, and yet different
    // (src/planner/dialects/duckdb/equal-intervals.ts).
    "plus-interval-minus": `SELECT t + INTERVAL '1 month' AS a, t + INTERVAL '30 days' AS b, t + '720 hours'::interval AS c, t - INTERVAL '1 month' AS d, t - INTERVAL '30 days' AS e FROM ${INSTANTS} ORDER BY t`,
    "where-greater-timestamp": `SELECT t FROM ${INSTANTS} WHERE t + INTERVAL '1 month' > TIMESTAMP '2024-01-30 12:00' AND t + INTERVAL '30 days' < TIMESTAMP '2024-01-30 12:00' ORDER BY t`,
    "plus-times-interval": `SELECT t + n * INTERVAL '1 month' AS a, t + n * INTERVAL '30 days' AS b, t + 2 * INTERVAL '1 month' AS c, t + INTERVAL '60 days' AS d FROM ${INSTANTS} ORDER BY t`,
    "plus-interval-minus-1-day": `SELECT t + (INTERVAL '1 month' - INTERVAL '1 day') AS a, t + INTERVAL '29 days' AS b, t + 1.5 * INTERVAL '1 month' AS c, t + INTERVAL '45 days' AS d FROM ${INSTANTS} ORDER BY t`,
    "count-range-between": `SELECT t, count(*) OVER (ORDER BY t RANGE BETWEEN INTERVAL '1 month' PRECEDING AND CURRENT ROW) AS a, count(*) OVER (ORDER BY t RANGE BETWEEN INTERVAL '30 days' PRECEDING AND CURRENT ROW) AS b FROM ${INSTANTS} ORDER BY t`,
    "coalesce-interval-text": `SELECT coalesce(i, INTERVAL '1 month')::text AS a, coalesce(i, INTERVAL '30 days')::text AS b FROM (VALUES (1, NULL::interval)) t(n, i)`,
    "date-trunc-count-filter": `SELECT date_trunc('month', t + INTERVAL '1 year') AS a, count(*) FILTER (WHERE t + INTERVAL '360 days' > t + INTERVAL '1 year') AS n FROM ${INSTANTS} GROUP BY date_trunc('month', t + INTERVAL '1 year') ORDER BY date_trunc('month', t + INTERVAL '1 year')`,
    "plus-interval-month": `SELECT t + '1 month'::interval AS a, t + INTERVAL '30 days' AS b, CAST('7' AS integer) + n AS c, CAST('2024-01-31' AS date) AS d, t + n * INTERVAL '1' MONTH AS e FROM ${INSTANTS} ORDER BY t`,
    "generate-series-timestamp": `SELECT m, m + INTERVAL '30 days' AS d FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-04-01', INTERVAL '1 month') AS g(m) ORDER BY m`,
  },
};
