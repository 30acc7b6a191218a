import type { Subject } from "./subject.ts";

/**
 * DuckDB compares intervals part by part, adds months to zoned timestamps last, and takes abbreviations of zones for zones. Searched:
 * comparisons, IN, BETWEEN, DISTINCT, GROUP BY, UNION, sorting, min and max, windows, joins, sums with timestamps in both orders.
 */
export const MIXED_INTERVALS: Subject = {
  name: "intervals of mixed signs, zones by abbreviation, series between texts",
  queries: {
    "in-between-distinct": `SELECT interval '2 days' - interval '1 hour' < interval '47 hours 30 minutes', interval '2 days -1 hour' = interval '47 hours', interval '47 hours' IN (interval '2 days -1 hour'), interval '2 days -1 hour' BETWEEN interval '46 hours' AND interval '47 hours', interval '2 days -1 hour' IS DISTINCT FROM interval '47 hours'`,
    "text-order": `SELECT i::text FROM (VALUES (interval '2 days -1 hour'), (interval '47 hours 30 minutes'), (interval '1 month -1 day'), (interval '29 days 12 hours')) t(i) ORDER BY i`,
    "text-desc-limit": `SELECT i::text FROM (VALUES (interval '2 days -1 hour'), (interval '47 hours 30 minutes'), (interval '1 month -1 day'), (interval '29 days 12 hours')) t(i) ORDER BY i DESC LIMIT 2`,
    "min-text-max": `SELECT min(i)::text, max(i)::text FROM (VALUES (interval '2 days -1 hour'), (interval '46 hours 30 minutes'), (interval '47 hours 30 minutes')) t(i)`,
    "count-distinct": "SELECT count(DISTINCT i) FROM (VALUES (interval '2 days -1 hour'), (interval '47 hours')) t(i)",
    "count-group": "SELECT count(*) FROM (VALUES (interval '2 days -1 hour'), (interval '47 hours')) t(i) GROUP BY i",
    distinct: "SELECT DISTINCT i FROM (VALUES (interval '2 days -1 hour'), (interval '47 hours')) t(i)",
    "greatest-interval-text": "SELECT greatest(interval '2 days -1 hour', interval '47 hours 30 minutes')::text AS a",
    "row-number-window-text": `SELECT row_number() OVER (ORDER BY i), i::text FROM (VALUES (interval '2 days -1 hour'), (interval '47 hours 30 minutes')) t(i)`,
    "join-on-equal": `SELECT a.x, b.y FROM (VALUES (interval '2 days -1 hour')) a(x) JOIN (VALUES (interval '47 hours')) b(y) ON a.x = b.y`,
    "join-using": `SELECT x FROM (VALUES (interval '2 days -1 hour')) a(x) JOIN (VALUES (interval '47 hours')) b(x) USING (x)`,
    "interval-47-hours-in": "SELECT interval '47 hours' IN (SELECT interval '2 days -1 hour') AS a",
    "interval-union-47-hours": "SELECT interval '2 days -1 hour' UNION SELECT interval '47 hours'",
    "generate-series-2024-01-03-interval": `SELECT d FROM generate_series('2024-01-01', '2024-01-03', interval '1 day') d`,
    "count-range-between": `SELECT t, count(*) OVER (ORDER BY t RANGE BETWEEN '1 hour' PRECEDING AND CURRENT ROW) FROM (VALUES (time '10:00'), (time '10:30')) v(t)`,
    "generate-series-2024-01-05-interval": `SELECT d FROM generate_series('2024-01-01', '2024-01-05', interval '1 day') d`,
    "generate-series-2024-01-02-interval": "SELECT generate_series('2024-01-01', '2024-01-02', interval '1 day') AS d",
    "timestamp-zone-msk": "SELECT timestamp '2024-01-01 00:00' AT TIME ZONE 'MSK' AS a",
    "time-zone-edt": "SELECT timestamptz '2024-07-01 12:00+00' AT TIME ZONE 'EDT' AS a",
    "zone-edt": "SELECT timestamptz '2024-07-01 12:00 EDT' AS a",
    "zone-msk": "SELECT timestamptz '2024-07-01 12:00 MSK' AS a",
    "time-zone-cet": "SELECT timestamptz '2024-07-01 12:00+00' AT TIME ZONE 'CET' AS a",
    "time-zone-pst": "SELECT timestamptz '2024-07-01 12:00+00' AT TIME ZONE 'PST' AS a",
    "count-window-range-between": `SELECT t, count(*) OVER (ORDER BY t RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW) FROM (VALUES (timestamp '2024-01-01'), (timestamp '2024-01-02')) v(t)`,
    "count-window-range-between-preceding": `SELECT t, count(*) OVER (ORDER BY t RANGE BETWEEN interval '1 hour' PRECEDING AND CURRENT ROW) FROM (VALUES (time '10:00'), (time '10:30')) v(t)`,
    "date-trunc-hour-time": "SELECT date_trunc('hour', time '10:30') AS a",
    "date-trunc-month-timestamptz": `SELECT date_trunc('month', timestamptz '2024-12-31 23:00+00') + interval '1 month - 1 second' AS a`,
    "timestamptz-minus-interval": "SELECT timestamptz '2024-12-01 00:00+00' - interval '-1 month 1 second' AS a",
    "interval-plus-timestamptz": "SELECT interval '1 month - 1 second' + timestamptz '2024-12-01 00:00+00' AS a",
    "plus-minus": `SELECT x + i, x - i FROM (VALUES (timestamptz '2024-12-01 00:00+00', interval '1 month -1 second'), (timestamptz '2024-03-31 00:00+00', interval '-1 month 2 days 3 hours')) t(x, i)`,
    "timestamptz-plus-times": "SELECT timestamptz '2024-12-01 00:00+00' + 3 * interval '1 month' AS a",
  },
};
