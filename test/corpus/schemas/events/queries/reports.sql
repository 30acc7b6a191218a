-- daily-dashboard: Sessions, users, events and purchases per day of a week
WITH date_spine AS (
    SELECT generate_series('2024-02-26'::date, '2024-03-03'::date, '1 day'::interval)::date AS report_date
),
session_stats AS (
    SELECT DATE(started_at) AS d, COUNT(*) AS sessions, COUNT(DISTINCT user_id) AS users
    FROM sessions
    GROUP BY DATE(started_at)
),
event_stats AS (
    SELECT DATE(at) AS d, COUNT(*) AS events, COUNT(*) FILTER (WHERE kind = 'purchase') AS purchases
    FROM events
    GROUP BY DATE(at)
)
SELECT
    ds.report_date,
    COALESCE(ss.sessions, 0) AS sessions,
    COALESCE(ss.users, 0) AS users,
    COALESCE(es.events, 0) AS events,
    COALESCE(es.purchases, 0) AS purchases,
    ROUND(COALESCE(es.purchases, 0)::numeric / NULLIF(ss.sessions, 0), 3) AS purchases_per_session
FROM date_spine ds
LEFT JOIN session_stats ss ON ss.d = ds.report_date
LEFT JOIN event_stats es ON es.d = ds.report_date
ORDER BY ds.report_date;

-- attribution: First and last touch revenue of each campaign
WITH purchases AS (
    SELECT user_id, at, CAST(payload->>'amount' AS DECIMAL(10, 2)) AS amount
    FROM events
    WHERE kind = 'purchase' AND user_id IS NOT NULL
),
touches AS (
    SELECT p.user_id, p.at, p.amount, s.campaign,
           ROW_NUMBER() OVER (PARTITION BY p.user_id, p.at ORDER BY s.started_at ASC, s.session_id) AS first_rank,
           ROW_NUMBER() OVER (PARTITION BY p.user_id, p.at ORDER BY s.started_at DESC, s.session_id DESC) AS last_rank
    FROM purchases p
    JOIN sessions s ON s.user_id = p.user_id AND s.started_at <= p.at AND s.campaign IS NOT NULL
)
SELECT campaign,
       COALESCE(SUM(amount) FILTER (WHERE first_rank = 1), 0) AS first_touch,
       COALESCE(SUM(amount) FILTER (WHERE last_rank = 1), 0) AS last_touch
FROM touches
GROUP BY campaign
ORDER BY campaign;

-- engagement-segments: Users in segments by events and active days
WITH activity AS (
  SELECT u.user_id, COUNT(e.kind) AS events, COUNT(DISTINCT e.at::date) AS days
  FROM users u
  LEFT JOIN events e ON e.user_id = u.user_id
  GROUP BY u.user_id
)
SELECT CASE
         WHEN events = 0 THEN 'dormant'
         WHEN days = 1 THEN 'one-timer'
         WHEN events < 10 THEN 'casual'
         ELSE 'regular'
       END AS segment,
       COUNT(*) AS users, SUM(events) AS events, ROUND(AVG(days), 2) AS avg_days
FROM activity
GROUP BY 1
ORDER BY users DESC, segment;

-- new-returning-sessions: Sessions of new, returning and anonymous visitors per quarter
SELECT DATE_TRUNC('quarter', started_at)::date AS quarter,
       COUNT(*) FILTER (WHERE user_id IS NULL) AS anonymous,
       COUNT(*) FILTER (WHERE nth = 1 AND user_id IS NOT NULL) AS new_users,
       COUNT(*) FILTER (WHERE nth > 1 AND user_id IS NOT NULL) AS returning
FROM (SELECT user_id, started_at, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY started_at, session_id) AS nth FROM sessions) s
GROUP BY 1
ORDER BY 1;

-- cohort-triangle: Users of each sign-up quarter who were active in later quarters
WITH cohorts AS (
    SELECT user_id, DATE_TRUNC('quarter', signed_up_at) AS cohort FROM users WHERE signed_up_at IS NOT NULL
), active AS (
    SELECT DISTINCT user_id, DATE_TRUNC('quarter', at) AS quarter FROM events WHERE user_id IS NOT NULL
)
SELECT TO_CHAR(c.cohort, 'YYYY"Q"Q') AS cohort, TO_CHAR(a.quarter, 'YYYY"Q"Q') AS quarter, COUNT(*) AS users,
       ROUND(100.0 * COUNT(*) / (SELECT COUNT(*) FROM cohorts x WHERE x.cohort = c.cohort), 1) AS pct
FROM cohorts c
JOIN active a ON a.user_id = c.user_id AND a.quarter >= c.cohort
GROUP BY c.cohort, a.quarter
ORDER BY c.cohort, a.quarter;

-- error-budget: Errors per hundred page views and month, alarm above a threshold
SELECT month, views, errors, ROUND(100.0 * errors / NULLIF(views, 0), 2) AS per_hundred, CASE WHEN errors > 0.2 * views THEN 'ALARM' ELSE 'ok' END AS state
FROM (
  SELECT TO_CHAR(at, 'YYYY-MM') AS month, COUNT(CASE WHEN kind = 'page_view' THEN 1 END) AS views, COUNT(CASE WHEN kind = 'error' THEN 1 END) AS errors
  FROM events
  GROUP BY TO_CHAR(at, 'YYYY-MM')
) t
ORDER BY month;

-- top-pages-per-country: The two most viewed paths of each country
WITH ranked AS (
    SELECT COALESCE(UPPER(u.country), '--') AS country, e.payload->>'path' AS path, COUNT(*) AS views,
           ROW_NUMBER() OVER (PARTITION BY COALESCE(UPPER(u.country), '--') ORDER BY COUNT(*) DESC, e.payload->>'path') AS rn
    FROM events e
    JOIN users u ON u.user_id = e.user_id
    WHERE e.kind = 'page_view' AND e.payload IS NOT NULL
    GROUP BY COALESCE(UPPER(u.country), '--'), e.payload->>'path'
)
SELECT country, path, views FROM ranked WHERE rn <= 2 ORDER BY country, rn;

-- time-on-page: Seconds to the next event of the session, median per kind
SELECT kind, COUNT(seconds) AS n, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY seconds) AS median, ROUND(AVG(seconds), 1) AS mean
FROM (
    SELECT kind, EXTRACT(EPOCH FROM LEAD(at) OVER (PARTITION BY session_id ORDER BY at, kind, payload::text) - at) AS seconds
    FROM events
) t
GROUP BY kind
ORDER BY kind;

-- purchases-json: Purchases summed up as one JSON document per currency
SELECT payload->>'currency' AS currency, COUNT(*) AS n, JSONB_AGG(payload->'amount' ORDER BY at, session_id) AS amounts
FROM events
WHERE kind = 'purchase' AND at >= '2024-11-01'
GROUP BY payload->>'currency'
ORDER BY currency;

-- build-document: One JSON document per user by jsonb_build_object
SELECT user_id, JSONB_BUILD_OBJECT('plan', LOWER(plan), 'lang', settings->'lang', 'signed', signed_up_at IS NOT NULL) AS doc
FROM users
WHERE user_id <= 'u0010'
ORDER BY user_id;

-- json-path-text: Values by paths as text, missing ones as NULL
SELECT user_id, settings #>> '{flags,beta}' AS beta, settings #> '{flags}' AS flags, jsonb_extract_path_text(settings, 'flags', 'news') AS news
FROM users
WHERE settings ? 'flags'
ORDER BY user_id
LIMIT 20;

-- json-any-keys: Documents with any and with all of several keys
SELECT COUNT(*) FILTER (WHERE settings ?| ARRAY['theme', 'flags']) AS any_key, COUNT(*) FILTER (WHERE settings ?& ARRAY['theme', 'flags']) AS all_keys FROM users;

-- json-without-key: Settings without the flags
SELECT DISTINCT settings - 'flags' AS rest FROM users WHERE settings IS NOT NULL;

-- json-text-compare: Text of a JSON value and its unquoted text
SELECT DISTINCT (settings->'lang')::text AS quoted, settings->>'lang' AS plain, LENGTH(settings->>'lang') AS chars FROM users WHERE settings->'lang' IS NOT NULL;

-- json-numbers-sort: Loading times as numbers and as texts in their orders
SELECT ms_text, ROW_NUMBER() OVER (ORDER BY ms_text) AS by_text, ROW_NUMBER() OVER (ORDER BY ms_text::int) AS by_number
FROM (SELECT DISTINCT payload->>'ms' AS ms_text FROM events WHERE kind = 'page_view' AND payload->>'ms' IS NOT NULL) t
ORDER BY by_number
LIMIT 60;

-- posthog-style: Unique users per day in aliased subqueries
SELECT day_start, groupArray.n AS total
FROM (
  SELECT toDay.day_start, COUNT(DISTINCT toDay.actor) AS n
  FROM (
    SELECT DATE_TRUNC('day', e.at AT TIME ZONE 'UTC') AS day_start, COALESCE(e.user_id, 'anon-' || e.session_id) AS actor
    FROM events e
    WHERE e.kind IN ('page_view', 'click')
  ) toDay
  GROUP BY toDay.day_start
) groupArray
ORDER BY day_start DESC
LIMIT 20;

-- at-time-zone-both: From instant to clock and back
SELECT session_id, started_at, started_at AT TIME ZONE 'America/Sao_Paulo' AS clock, (started_at AT TIME ZONE 'America/Sao_Paulo') AT TIME ZONE 'America/Sao_Paulo' = started_at AS same
FROM sessions
WHERE session_id <= 20
ORDER BY session_id;

-- truncate-in-zone: Days of Kolkata by three-argument date_trunc and by shifting
SELECT DATE_TRUNC('day', at, 'Asia/Kolkata') AS day_start, COUNT(*) AS n
FROM events
WHERE at >= '2024-12-29 00:00:00+00' AND at < '2025-01-01 00:00:00+00'
GROUP BY 1
ORDER BY 1;

-- epoch-round-trip: Instants from epochs and back
SELECT session_id, EXTRACT(EPOCH FROM started_at)::bigint AS epoch, TO_TIMESTAMP(EXTRACT(EPOCH FROM started_at)) = started_at AS same
FROM sessions
WHERE session_id % 25 = 0
ORDER BY session_id;

-- date-bin: Events in bins of twelve minutes on New Year's Eve
SELECT DATE_BIN('12 minutes', at, TIMESTAMPTZ '2024-01-01 00:00:00+00') AS bin, COUNT(*) AS n
FROM events
WHERE at >= '2024-12-31 00:00:00+00' AND at < '2025-01-01 12:00:00+00'
GROUP BY 1
ORDER BY 1;

-- url-decoding: Paths with percent codes, their parts
SELECT DISTINCT payload->>'path' AS path, (payload->>'path') LIKE '%\%%' AS encoded, REPLACE(payload->>'path', '%C3%A9', 'é') AS decoded, LENGTH(payload->>'path') AS len
FROM events
WHERE payload->>'path' LIKE '/s%';

-- array-contains-channel: Campaigns that use search, by ANY, by containment and by position
SELECT name, 'search' = ANY(channels) AS by_any, channels @> ARRAY['search'] AS by_containment, ARRAY_POSITION(channels, 'search') AS at, channels[1:2] AS first_two
FROM campaigns
ORDER BY name;

-- array-aggregation: Campaigns of each user as a list without repetition
SELECT user_id, ARRAY_AGG(DISTINCT campaign ORDER BY campaign) AS campaigns
FROM sessions
WHERE campaign IS NOT NULL AND user_id IS NOT NULL
GROUP BY user_id
HAVING COUNT(DISTINCT campaign) > 1
ORDER BY user_id;

-- unnest-with-ordinality: Channels with their places
SELECT c.name, ch.place, ch.channel
FROM campaigns c
CROSS JOIN LATERAL UNNEST(c.channels) WITH ORDINALITY AS ch(channel, place)
ORDER BY c.name, ch.place;
