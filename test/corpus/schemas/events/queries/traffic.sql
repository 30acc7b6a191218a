-- page-views-per-day: Page views per day of March 2024, days without any included
SELECT d::date AS day, COUNT(e.kind) AS views
FROM generate_series('2024-03-01'::date, '2024-03-31'::date, '1 day') AS d
LEFT JOIN events e ON e.at::date = d::date AND e.kind = 'page_view'
GROUP BY d
ORDER BY d;

-- top-paths: Most viewed paths without their query strings, in lower case
SELECT LOWER(SPLIT_PART(payload->>'path', '?', 1)) AS path, COUNT(*) AS views
FROM events
WHERE kind = 'page_view' AND payload->>'path' IS NOT NULL
GROUP BY 1
ORDER BY views DESC, path;

-- query-parameters: The parameters of the visited paths
SELECT SPLIT_PART(SPLIT_PART(payload->>'path', '?', 2), '=', 1) AS name, SPLIT_PART(payload->>'path', '=', 2) AS value, COUNT(*) AS n
FROM events
WHERE payload->>'path' LIKE '%?%'
GROUP BY 1, 2
ORDER BY 1, 2;

-- sections: Views per first part of the path
SELECT COALESCE(NULLIF(SPLIT_PART(LTRIM(payload->>'path', '/'), '/', 1), ''), '(home)') AS section, COUNT(*) AS n
FROM events
WHERE kind IN ('page_view', 'click')
GROUP BY 1
ORDER BY n DESC, section;

-- response-times: Median and 95th percentile of the loading time per path
SELECT payload->>'path' AS path,
       COUNT(*) AS n,
       PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY (payload->>'ms')::int) AS p50,
       PERCENTILE_CONT(0.95) WITHIN GROUP (ORDER BY (payload->>'ms')::int) AS p95
FROM events
WHERE kind = 'page_view' AND payload IS NOT NULL
GROUP BY payload->>'path'
ORDER BY p95 DESC, path;

-- slow-pages: Page views above two seconds
SELECT session_id, at, (payload->>'ms')::integer AS ms
FROM events
WHERE kind = 'page_view' AND CAST(payload->>'ms' AS INTEGER) > 2500
ORDER BY ms DESC, session_id, at;

-- kinds-per-month: Events of each kind per month
SELECT TO_CHAR(at, 'YYYY-MM') AS month,
       COUNT(*) FILTER (WHERE kind = 'page_view') AS views,
       COUNT(*) FILTER (WHERE kind = 'click') AS clicks,
       COUNT(*) FILTER (WHERE kind = 'signup') AS signups,
       COUNT(*) FILTER (WHERE kind = 'purchase') AS purchases,
       COUNT(*) FILTER (WHERE kind = 'error') AS errors
FROM events
GROUP BY TO_CHAR(at, 'YYYY-MM')
ORDER BY month;

-- exact-duplicates: Events that were logged twice
SELECT session_id, at, kind, COUNT(*) AS times
FROM events
GROUP BY session_id, user_id, at, kind, payload
HAVING COUNT(*) > 1
ORDER BY session_id, at, kind;

-- deduplicated-count: Number of events with and without duplicates
SELECT (SELECT COUNT(*) FROM events) AS logged,
       (SELECT COUNT(*) FROM (SELECT DISTINCT session_id, at, kind, payload::text FROM events) d) AS different;

-- hourly-in-new-york: Events by hour of the day in New York
SELECT EXTRACT(HOUR FROM at AT TIME ZONE 'America/New_York')::int AS hour, COUNT(*) AS n
FROM events
GROUP BY 1
ORDER BY 1;

-- local-days: Days that differ between UTC and Tokyo
SELECT at::date AS utc_day, (at AT TIME ZONE 'Asia/Tokyo')::date AS tokyo_day, COUNT(*) AS n
FROM events
WHERE at::date <> (at AT TIME ZONE 'Asia/Tokyo')::date
GROUP BY 1, 2
ORDER BY 1
LIMIT 30;

-- summer-time-night: Events of the nights in which the clocks of Berlin change
SELECT at, at AT TIME ZONE 'Europe/Berlin' AS in_berlin, EXTRACT(HOUR FROM at AT TIME ZONE 'Europe/Berlin') AS hour
FROM events
WHERE (at >= '2024-03-31 00:00:00+00' AND at < '2024-03-31 04:00:00+00')
   OR (at >= '2024-10-27 00:00:00+00' AND at < '2024-10-27 04:00:00+00')
ORDER BY at, session_id, kind;

-- quarter-hours: Events in slots of fifteen minutes on the leap day
SELECT DATE_TRUNC('hour', at) + (EXTRACT(MINUTE FROM at)::int / 15) * INTERVAL '15 minutes' AS slot, COUNT(*) AS n
FROM events
WHERE at >= '2024-02-29' AND at < '2024-03-01'
GROUP BY 1
ORDER BY 1;

-- epoch-buckets: Events in slots of six hours by epoch arithmetic
SELECT TO_TIMESTAMP(FLOOR(EXTRACT(EPOCH FROM at) / 21600) * 21600) AS slot, COUNT(*) AS n
FROM events
WHERE at BETWEEN '2024-12-29T00:00:00Z' AND '2025-01-02T00:00:00Z'
GROUP BY 1
ORDER BY 1;

-- growth-week-over-week: Views per ISO week with change to the week before, from autumn on
WITH weekly AS (
    SELECT DATE_TRUNC('week', at) AS week, COUNT(*) AS views
    FROM events
    WHERE kind = 'page_view' AND at >= '2024-09-01'
    GROUP BY DATE_TRUNC('week', at)
)
SELECT TO_CHAR(week, 'IYYY"-W"IW') AS week, views,
       LAG(views) OVER (ORDER BY week) AS before,
       ROUND(100.0 * (views - LAG(views) OVER (ORDER BY week)) / NULLIF(LAG(views) OVER (ORDER BY week), 0), 1) AS change_pct
FROM weekly
ORDER BY weekly.week;

-- weekday-hour-share: Share of each weekday among all events
SELECT TO_CHAR(at, 'ID') AS iso_day, TRIM(TO_CHAR(at, 'Day')) AS name, COUNT(*) AS n,
       ROUND(COUNT(*) * 100.0 / SUM(COUNT(*)) OVER (), 2) AS pct
FROM events
GROUP BY TO_CHAR(at, 'ID'), TRIM(TO_CHAR(at, 'Day'))
ORDER BY iso_day;

-- rolling-28-days: Distinct users of the 28 days up to each month's first day
SELECT m::date AS day,
       (SELECT COUNT(DISTINCT e.user_id) FROM events e WHERE e.at >= m - INTERVAL '28 days' AND e.at < m) AS users
FROM generate_series(TIMESTAMPTZ '2024-02-01 00:00:00+00', TIMESTAMPTZ '2024-12-01 00:00:00+00', INTERVAL '1 month') AS m
ORDER BY m;

-- daily-and-monthly-users: Daily and monthly active users and their quotient per month
WITH dau AS (
    SELECT DATE_TRUNC('day', at) AS d, COUNT(DISTINCT user_id) AS users FROM events WHERE user_id IS NOT NULL GROUP BY 1
), mau AS (
    SELECT DATE_TRUNC('month', at) AS m, COUNT(DISTINCT user_id) AS users FROM events WHERE user_id IS NOT NULL GROUP BY 1
)
SELECT mau.m::date AS month, ROUND(AVG(dau.users), 2) AS avg_dau, mau.users AS mau, ROUND(AVG(dau.users) / mau.users, 4) AS stickiness
FROM mau
JOIN dau ON DATE_TRUNC('month', dau.d) = mau.m
GROUP BY mau.m, mau.users
ORDER BY mau.m;

-- clicks-per-button: Clicks per button with the texts that it had
SELECT payload->'target'->>'id' AS button, COUNT(*) AS clicks,
       STRING_AGG(DISTINCT payload->'target'->>'text', ' | ' ORDER BY payload->'target'->>'text') AS texts
FROM events
WHERE kind = 'click'
GROUP BY payload->'target'->>'id'
ORDER BY clicks DESC, button;

-- error-codes: Errors by code, those without a code apart
SELECT COALESCE(payload->>'code', 'none') AS code, COUNT(*) AS n, COUNT(NULLIF(payload->>'message', '')) AS with_message
FROM events
WHERE kind = 'error'
GROUP BY COALESCE(payload->>'code', 'none')
ORDER BY n DESC, code;

-- json-null-or-missing: JSON null, SQL NULL and empty documents of errors
SELECT COUNT(*) FILTER (WHERE payload IS NULL) AS sql_null,
       COUNT(*) FILTER (WHERE payload = 'null'::jsonb) AS json_null,
       COUNT(*) FILTER (WHERE jsonb_typeof(payload) = 'object' AND payload = '{}'::jsonb) AS empty_object
FROM events
WHERE kind = 'error';

-- types-of-amounts: Amounts of purchases by the JSON type they have
SELECT jsonb_typeof(payload->'amount') AS type, COUNT(*) AS n, SUM((payload->>'amount')::numeric(10,2)) AS total
FROM events
WHERE kind = 'purchase'
GROUP BY 1
ORDER BY 1 NULLS LAST;
