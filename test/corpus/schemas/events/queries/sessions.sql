-- bounce-rate: Share of sessions with at most one event, per referrer in any case
SELECT COALESCE(LOWER(s.referrer), '(none)') AS referrer,
       COUNT(*) AS sessions,
       ROUND(AVG(CASE WHEN c.n <= 1 OR c.n IS NULL THEN 1.0 ELSE 0 END), 4) AS bounce_rate
FROM sessions s
LEFT JOIN (SELECT session_id, COUNT(*) AS n FROM events GROUP BY session_id) c USING (session_id)
GROUP BY 1
ORDER BY sessions DESC, referrer;

-- duration: Mean and longest duration of sessions per month
SELECT DATE_TRUNC('month', started_at) AS month,
       COUNT(ended_at) AS ended,
       ROUND(AVG(EXTRACT(EPOCH FROM ended_at - started_at)), 1) AS mean_seconds,
       MAX(ended_at - started_at) AS longest
FROM sessions
GROUP BY 1
ORDER BY 1;

-- duration-buckets: Sessions by duration
SELECT CASE
         WHEN ended_at IS NULL THEN 'open'
         WHEN ended_at - started_at < INTERVAL '1 minute' THEN '< 1 min'
         WHEN ended_at - started_at < INTERVAL '10 minutes' THEN '< 10 min'
         ELSE '10 min +'
       END AS duration, COUNT(*) AS n
FROM sessions
GROUP BY 1
ORDER BY n DESC, duration;

-- browsers: Browser out of the agent, bots apart
SELECT CASE
         WHEN agent IS NULL OR agent = '' THEN 'unknown'
         WHEN agent ILIKE '%bot%' THEN 'bot'
         WHEN agent LIKE '%Chrome/%' THEN 'Chrome'
         WHEN agent LIKE '%Firefox/%' THEN 'Firefox'
         WHEN agent LIKE '%Safari/%' THEN 'Safari'
         ELSE 'other'
       END AS browser,
       COUNT(*) AS sessions
FROM sessions
GROUP BY 1
ORDER BY 2 DESC, 1;

-- agent-versions: Versions at the end of the agents
SELECT DISTINCT agent, SUBSTRING(agent FROM '([0-9]+\.[0-9]+)$') AS version, REGEXP_REPLACE(agent, '^.*\(([^);]*).*$', '\1') AS platform
FROM sessions
WHERE agent <> '';

-- over-midnight: Sessions that last past midnight UTC
SELECT session_id, started_at, ended_at FROM sessions WHERE ended_at::date > started_at::date ORDER BY session_id;

-- first-and-last-event: First and last kind of event in each session, and the time between them
SELECT DISTINCT session_id,
       FIRST_VALUE(kind) OVER w AS first_kind,
       LAST_VALUE(kind) OVER w AS last_kind,
       MAX(at) OVER (PARTITION BY session_id) - MIN(at) OVER (PARTITION BY session_id) AS span
FROM events
WHERE session_id <= 80
WINDOW w AS (PARTITION BY session_id ORDER BY at, kind, payload->>'path' ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
ORDER BY session_id;

-- entry-pages: Pages on which sessions begin
WITH firsts AS (
  SELECT session_id, payload->>'path' AS path,
         ROW_NUMBER() OVER (PARTITION BY session_id ORDER BY at, payload->>'path') AS n
  FROM events
  WHERE kind = 'page_view' AND payload ? 'path'
)
SELECT path, COUNT(*) AS entries FROM firsts WHERE n = 1 GROUP BY path ORDER BY entries DESC, path;

-- paths-of-sessions: The way through the site as text
SELECT session_id, STRING_AGG(kind, ' > ' ORDER BY at, kind) AS way
FROM events
GROUP BY session_id
HAVING COUNT(*) >= 6
ORDER BY session_id;

-- page-transitions: Which page follows which?
SELECT path, next_path, COUNT(*) AS n
FROM (
    SELECT session_id, payload->>'path' AS path,
           LEAD(payload->>'path') OVER (PARTITION BY session_id ORDER BY at, payload->>'path', payload->>'ms') AS next_path
    FROM events
    WHERE kind = 'page_view'
) t
WHERE path <> next_path
GROUP BY path, next_path
HAVING COUNT(*) > 2
ORDER BY n DESC, path, next_path;

-- funnel-by-session: How many sessions saw pricing, clicked, signed up and purchased?
SELECT COUNT(*) AS sessions,
       SUM(saw_pricing::int) AS pricing,
       SUM((saw_pricing AND clicked)::int) AS clicked,
       SUM((saw_pricing AND clicked AND signed_up)::int) AS signed_up,
       SUM((saw_pricing AND clicked AND signed_up AND purchased)::int) AS purchased
FROM (
  SELECT s.session_id,
         COALESCE(BOOL_OR(LOWER(e.payload->>'path') = '/pricing'), FALSE) AS saw_pricing,
         COALESCE(BOOL_OR(e.kind = 'click'), FALSE) AS clicked,
         COALESCE(BOOL_OR(e.kind = 'signup'), FALSE) AS signed_up,
         COALESCE(BOOL_OR(e.kind = 'purchase'), FALSE) AS purchased
  FROM sessions s
  LEFT JOIN events e ON e.session_id = s.session_id
  GROUP BY s.session_id
) f;

-- ordered-funnel: Sessions with a view, then a click, then a purchase in that order of time
WITH v AS (SELECT session_id, MIN(at) AS t FROM events WHERE kind = 'page_view' GROUP BY session_id),
     c AS (SELECT e.session_id, MIN(e.at) AS t FROM events e JOIN v ON v.session_id = e.session_id AND e.at >= v.t WHERE e.kind = 'click' GROUP BY e.session_id),
     p AS (SELECT e.session_id, MIN(e.at) AS t FROM events e JOIN c ON c.session_id = e.session_id AND e.at >= c.t WHERE e.kind = 'purchase' GROUP BY e.session_id)
SELECT 'view' AS step, COUNT(*) AS sessions FROM v
UNION ALL SELECT 'click', COUNT(*) FROM c
UNION ALL SELECT 'purchase', COUNT(*) FROM p;

-- idle-gaps: Longest pause between two events of a session
SELECT session_id, MAX(EXTRACT(EPOCH FROM at - previous))::int AS longest_pause
FROM (SELECT session_id, at, LAG(at) OVER (PARTITION BY session_id ORDER BY at) AS previous FROM events) t
GROUP BY session_id
HAVING MAX(EXTRACT(EPOCH FROM at - previous)) > 300
ORDER BY longest_pause DESC, session_id;

-- resessionized: New sessions of users by pauses of thirty minutes, whatever the session number says
WITH e AS (
    SELECT user_id, at,
           CASE WHEN at - LAG(at) OVER (PARTITION BY user_id ORDER BY at) <= INTERVAL '30 minutes' THEN 0 ELSE 1 END AS is_new
    FROM events
    WHERE user_id IS NOT NULL
)
SELECT user_id, SUM(is_new) AS visits, COUNT(*) AS events
FROM e
GROUP BY user_id
ORDER BY visits DESC, events DESC, user_id
LIMIT 25;

-- campaigns-sessions: Sessions of each campaign within and outside of its days
SELECT c.name,
       COUNT(s.session_id) AS sessions,
       COUNT(s.session_id) FILTER (WHERE s.started_at::date BETWEEN c.from_day AND COALESCE(c.to_day, DATE '2024-12-31')) AS in_time,
       ROUND(c.budget / NULLIF(COUNT(s.session_id), 0), 2) AS per_session
FROM campaigns c
LEFT JOIN sessions s ON s.campaign = c.name
GROUP BY c.name, c.budget
ORDER BY c.name;

-- campaign-channels: Budget of each channel, divided evenly among a campaign's channels
SELECT ch.channel, SUM(c.budget / CARDINALITY(c.channels)) AS budget, COUNT(*) AS campaigns
FROM campaigns c, UNNEST(c.channels) AS ch(channel)
GROUP BY ch.channel
ORDER BY ch.channel;

-- campaign-length: Days of each campaign, and its channels as text
SELECT name, to_day - from_day + 1 AS days, ARRAY_LENGTH(channels, 1) AS n_channels, ARRAY_TO_STRING(channels, '+') AS channels
FROM campaigns
ORDER BY days DESC NULLS LAST, name;

-- sessions-without-events: Sessions that have no event at all, per month
SELECT EXTRACT(MONTH FROM s.started_at)::int AS month, COUNT(*) AS empty_sessions
FROM sessions s
LEFT JOIN events e ON e.session_id = s.session_id
WHERE e.session_id IS NULL
GROUP BY 1
ORDER BY 1;

-- concurrent-sessions: Sessions less than a day apart from another of the same user
SELECT a.session_id, b.session_id AS other, a.user_id
FROM sessions a
JOIN sessions b ON a.user_id = b.user_id AND a.session_id < b.session_id
 AND a.started_at < COALESCE(b.ended_at, b.started_at + INTERVAL '1 hour') + INTERVAL '1 day'
 AND b.started_at < COALESCE(a.ended_at, a.started_at + INTERVAL '1 hour') + INTERVAL '1 day'
ORDER BY 1, 2;

-- metabase-sessions: Sessions by week and referrer as a BI tool asks
SELECT
  CAST(DATE_TRUNC('week', "public"."sessions"."started_at") AS date) AS "started_at",
  "public"."sessions"."referrer" AS "referrer",
  COUNT(*) AS "count",
  COUNT(DISTINCT "public"."sessions"."user_id") AS "count_2"
FROM "public"."sessions"
WHERE "public"."sessions"."started_at" >= timestamp with time zone '2024-10-01 00:00:00.000Z'
  AND "public"."sessions"."started_at" < timestamp with time zone '2025-01-01 00:00:00.000Z'
GROUP BY CAST(DATE_TRUNC('week', "public"."sessions"."started_at") AS date), "public"."sessions"."referrer"
ORDER BY CAST(DATE_TRUNC('week', "public"."sessions"."started_at") AS date) ASC, "public"."sessions"."referrer" ASC;

-- last-touch: The last campaign before each purchase, within thirty days
SELECT e.session_id, e.at, t.campaign
FROM events e
LEFT JOIN LATERAL (
    SELECT s.campaign
    FROM sessions s
    WHERE s.user_id = e.user_id AND s.campaign IS NOT NULL AND s.started_at <= e.at AND s.started_at > e.at - INTERVAL '30 days'
    ORDER BY s.started_at DESC
    LIMIT 1
) t ON TRUE
WHERE e.kind = 'purchase' AND e.user_id IS NOT NULL
ORDER BY e.at, e.session_id, t.campaign;
