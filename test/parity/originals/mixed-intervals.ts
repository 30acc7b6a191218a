import type { Subject } from "./subject.ts";

/**
 * DuckDB compares intervals part by part, adds months to zoned timestamps last, and takes abbreviations of zones for zones. Searched:
 * comparisons, IN, BETWEEN, DISTINCT, GROUP BY, UNION, sorting, min and max, windows, joins, sums with timestamps in both orders.
 */
export const MIXED_INTERVALS: Subject = {
  name: "intervals of mixed signs, zones by abbreviation, series between texts",
  queries: [
    "SELECT interval '2 days' - interval '1 hour' < interval '47 hours 30 minutes', interval '2 days -1 hour' = interval '47 hours', interval '47 hours' IN (interval '2 days -1 hour'), interval '2 days -1 hour' BETWEEN interval '46 hours' AND interval '47 hours', interval '2 days -1 hour' IS DISTINCT FROM interval '47 hours'",
    "SELECT i::text FROM (VALUES (interval '2 days -1 hour'), (interval '47 hours 30 minutes'), (interval '1 month -1 day'), (interval '29 days 12 hours')) t(i) ORDER BY i",
    "SELECT i::text FROM (VALUES (interval '2 days -1 hour'), (interval '47 hours 30 minutes'), (interval '1 month -1 day'), (interval '29 days 12 hours')) t(i) ORDER BY i DESC LIMIT 2",
    "SELECT min(i)::text, max(i)::text FROM (VALUES (interval '2 days -1 hour'), (interval '46 hours 30 minutes'), (interval '47 hours 30 minutes')) t(i)",
    "SELECT count(DISTINCT i) FROM (VALUES (interval '2 days -1 hour'), (interval '47 hours')) t(i)",
    "SELECT count(*) FROM (VALUES (interval '2 days -1 hour'), (interval '47 hours')) t(i) GROUP BY i",
    "SELECT DISTINCT i FROM (VALUES (interval '2 days -1 hour'), (interval '47 hours')) t(i)",
    "SELECT greatest(interval '2 days -1 hour', interval '47 hours 30 minutes')::text AS a",
    "SELECT row_number() OVER (ORDER BY i), i::text FROM (VALUES (interval '2 days -1 hour'), (interval '47 hours 30 minutes')) t(i)",
    "SELECT a.x, b.y FROM (VALUES (interval '2 days -1 hour')) a(x) JOIN (VALUES (interval '47 hours')) b(y) ON a.x = b.y",
    "SELECT x FROM (VALUES (interval '2 days -1 hour')) a(x) JOIN (VALUES (interval '47 hours')) b(x) USING (x)",
    "SELECT interval '47 hours' IN (SELECT interval '2 days -1 hour') AS a",
    "SELECT interval '2 days -1 hour' UNION SELECT interval '47 hours'",
    "SELECT d FROM generate_series('2024-01-01', '2024-01-03', interval '1 day') d",
    "SELECT t, count(*) OVER (ORDER BY t RANGE BETWEEN '1 hour' PRECEDING AND CURRENT ROW) FROM (VALUES (time '10:00'), (time '10:30')) v(t)",
    "SELECT d FROM generate_series('2024-01-01', '2024-01-05', interval '1 day') d",
    "SELECT generate_series('2024-01-01', '2024-01-02', interval '1 day') AS d",
    "SELECT timestamp '2024-01-01 00:00' AT TIME ZONE 'MSK' AS a",
    "SELECT timestamptz '2024-07-01 12:00+00' AT TIME ZONE 'EDT' AS a",
    "SELECT timestamptz '2024-07-01 12:00 EDT' AS a",
    "SELECT timestamptz '2024-07-01 12:00 MSK' AS a",
    "SELECT timestamptz '2024-07-01 12:00+00' AT TIME ZONE 'CET' AS a",
    "SELECT timestamptz '2024-07-01 12:00+00' AT TIME ZONE 'PST' AS a",
    "SELECT t, count(*) OVER (ORDER BY t RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW) FROM (VALUES (timestamp '2024-01-01'), (timestamp '2024-01-02')) v(t)",
    "SELECT t, count(*) OVER (ORDER BY t RANGE BETWEEN interval '1 hour' PRECEDING AND CURRENT ROW) FROM (VALUES (time '10:00'), (time '10:30')) v(t)",
    "SELECT date_trunc('hour', time '10:30') AS a",
    "SELECT date_trunc('month', timestamptz '2024-12-31 23:00+00') + interval '1 month - 1 second' AS a",
    "SELECT timestamptz '2024-12-01 00:00+00' - interval '-1 month 1 second' AS a",
    "SELECT interval '1 month - 1 second' + timestamptz '2024-12-01 00:00+00' AS a",
    "SELECT x + i, x - i FROM (VALUES (timestamptz '2024-12-01 00:00+00', interval '1 month -1 second'), (timestamptz '2024-03-31 00:00+00', interval '-1 month 2 days 3 hours')) t(x, i)",
    "SELECT timestamptz '2024-12-01 00:00+00' + 3 * interval '1 month' AS a",
  ],
};
