-- event-counts: Events by name
SELECT name, COUNT(*) AS n, COUNT(DISTINCT account_id) AS accounts FROM events GROUP BY name ORDER BY n DESC, name;

-- daily-active: Daily active accounts
SELECT occurred_at::date AS day, COUNT(DISTINCT account_id) AS dau FROM events GROUP BY 1 ORDER BY 1;

-- weekly-vs-daily: Stickiness: average daily over weekly active accounts
WITH daily AS (
  SELECT date_trunc('week', occurred_at)::date AS week, occurred_at::date AS day, COUNT(DISTINCT account_id) AS dau FROM events GROUP BY 1, 2
), weekly AS (
  SELECT date_trunc('week', occurred_at)::date AS week, COUNT(DISTINCT account_id) AS wau FROM events GROUP BY 1
)
SELECT w.week, w.wau, ROUND(AVG(d.dau), 2) AS avg_dau, ROUND(AVG(d.dau) / w.wau, 3) AS stickiness
FROM weekly w JOIN daily d USING (week) GROUP BY w.week, w.wau ORDER BY w.week;

-- funnel-accounts: Login, project, invitation, upgrade click: how many accounts get so far?
WITH flags AS (
  SELECT account_id,
         MIN(occurred_at) FILTER (WHERE name = 'login') AS login_at,
         MIN(occurred_at) FILTER (WHERE name = 'create_project') AS project_at,
         MIN(occurred_at) FILTER (WHERE name = 'invite_user') AS invite_at,
         MIN(occurred_at) FILTER (WHERE name = 'upgrade_click') AS upgrade_at
  FROM events GROUP BY account_id
)
SELECT COUNT(login_at) AS step1,
       COUNT(*) FILTER (WHERE project_at > login_at) AS step2,
       COUNT(*) FILTER (WHERE invite_at > project_at AND project_at > login_at) AS step3,
       COUNT(*) FILTER (WHERE upgrade_at > invite_at AND invite_at > project_at AND project_at > login_at) AS step4
FROM flags;

-- sessions-by-gap: Sessions by a pause of more than two days per account
WITH diffs AS (
  SELECT account_id, id, occurred_at,
         CASE WHEN occurred_at - LAG(occurred_at) OVER (PARTITION BY account_id ORDER BY occurred_at, id) > INTERVAL '2 days' THEN 1 ELSE 0 END AS is_new
  FROM events
), numbered AS (
  SELECT *, SUM(is_new) OVER (PARTITION BY account_id ORDER BY occurred_at, id) AS session_no FROM diffs
)
SELECT session_no, COUNT(DISTINCT account_id) AS accounts, COUNT(*) AS events FROM numbered GROUP BY session_no ORDER BY session_no;

-- browser-share: Browsers in percent, events without properties left out
SELECT props->>'browser' AS browser, COUNT(*) AS n, ROUND(COUNT(*) * 100.0 / SUM(COUNT(*)) OVER (), 1) AS pct
FROM events WHERE props IS NOT NULL GROUP BY 1 ORDER BY n DESC;

-- latency-percentiles: Latencies by browser
SELECT props->>'browser' AS browser,
       PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY (props->>'ms')::int) AS p50,
       PERCENTILE_CONT(0.95) WITHIN GROUP (ORDER BY (props->>'ms')::int) AS p95,
       MAX((props->>'ms')::int) AS slowest
FROM events WHERE props ? 'ms' GROUP BY 1 ORDER BY 1;

-- export-formats: Exported rows by format
SELECT props->>'format' AS format, COUNT(*) AS exports, SUM((props->>'rows')::bigint) AS rows FROM events WHERE name = 'export' AND props->>'format' IS NOT NULL GROUP BY 1 ORDER BY 1;

-- utm-sources: Sources of visits from nested properties
SELECT props->'utm'->>'source' AS source, COUNT(*) AS n FROM events WHERE props->'utm' IS NOT NULL GROUP BY 1 ORDER BY 1;

-- props-text: Properties as text contain the word firefox
SELECT COUNT(*) AS n FROM events WHERE props::text LIKE '%firefox%';

-- first-event: First event of each account
SELECT DISTINCT ON (account_id) account_id, name, occurred_at FROM events ORDER BY account_id, occurred_at, id;

-- login-streak: Longest run of days with a login, per account
WITH days AS (SELECT DISTINCT account_id, occurred_at::date AS day FROM events WHERE name = 'login'),
runs AS (SELECT account_id, day, day - (ROW_NUMBER() OVER (PARTITION BY account_id ORDER BY day))::int AS grp FROM days),
lengths AS (SELECT account_id, grp, COUNT(*) AS len, MIN(day) AS from_day FROM runs GROUP BY account_id, grp)
SELECT account_id, MAX(len) AS streak FROM lengths GROUP BY account_id HAVING MAX(len) > 1 ORDER BY streak DESC, account_id;

-- session-stats: Events per session id, without the missing ones
SELECT events_in_session, COUNT(*) AS sessions FROM (SELECT session_id, COUNT(*) AS events_in_session FROM events WHERE session_id IS NOT NULL GROUP BY session_id) s GROUP BY 1 ORDER BY 1;

-- session-length: Length of the sessions in hours
SELECT LEFT(session_id::text, 8) AS session, COUNT(*) AS events, ROUND(EXTRACT(EPOCH FROM MAX(occurred_at) - MIN(occurred_at))::numeric / 3600, 2) AS hours
FROM events WHERE session_id IS NOT NULL GROUP BY session_id ORDER BY hours DESC, session LIMIT 10;

-- minute-bins: Events by quarter of an hour on one day
SELECT to_timestamp(floor(extract(epoch from occurred_at) / 900) * 900) AS bin, COUNT(*) AS n FROM events WHERE occurred_at >= '2024-01-15' AND occurred_at < '2024-01-17' GROUP BY 1 ORDER BY 1;

-- microseconds: Events with the fraction of their second
SELECT id, EXTRACT(MICROSECONDS FROM occurred_at) AS us, EXTRACT(MILLISECONDS FROM occurred_at) AS ms, DATE_TRUNC('second', occurred_at) AS second FROM events ORDER BY id LIMIT 12;

-- heatmap: Weekday by hour as a heat map in long form
SELECT EXTRACT(DOW FROM occurred_at)::int AS dow, EXTRACT(HOUR FROM occurred_at)::int / 6 AS quarter_of_day, COUNT(*) AS n FROM events GROUP BY 1, 2 ORDER BY 1, 2;

-- time-zones: The same instant in three zones
SELECT id, occurred_at AT TIME ZONE 'UTC' AS utc, occurred_at AT TIME ZONE 'America/New_York' AS new_york, occurred_at AT TIME ZONE 'Asia/Tokyo' AS tokyo FROM events WHERE id <= 6 ORDER BY id;

-- local-days: Events per local day in Tokyo against UTC days
SELECT COALESCE(u.day, t.day) AS day, u.n AS utc_n, t.n AS tokyo_n
FROM (SELECT (occurred_at AT TIME ZONE 'UTC')::date AS day, COUNT(*) AS n FROM events GROUP BY 1) u
FULL OUTER JOIN (SELECT (occurred_at AT TIME ZONE 'Asia/Tokyo')::date AS day, COUNT(*) AS n FROM events GROUP BY 1) t ON t.day = u.day
ORDER BY 1 LIMIT 20;

-- user-activity: Users with more than one account
SELECT user_email, COUNT(DISTINCT account_id) AS accounts, COUNT(*) AS events FROM events WHERE user_email IS NOT NULL GROUP BY user_email HAVING COUNT(DISTINCT account_id) > 1 ORDER BY events DESC, user_email;

-- rolling-four-weeks: Events of the last 28 days at each day's end
SELECT d::date AS day, (SELECT COUNT(*) FROM events e WHERE e.occurred_at >= d - INTERVAL '27 days' AND e.occurred_at < d + INTERVAL '1 day') AS n_28d
FROM generate_series('2024-02-01'::timestamptz, '2024-02-10'::timestamptz, '1 day') AS d ORDER BY 1;

-- conversion-window: Upgrade clicks within a week of a project
SELECT COUNT(DISTINCT p.account_id) AS projects, COUNT(DISTINCT u.account_id) AS upgraded
FROM events p LEFT JOIN events u ON u.account_id = p.account_id AND u.name = 'upgrade_click' AND u.occurred_at BETWEEN p.occurred_at AND p.occurred_at + INTERVAL '168 hours'
WHERE p.name = 'create_project';

-- previous-event: What people do right before an export
SELECT prev AS previous_event, COUNT(*) AS n FROM (
  SELECT name, LAG(name) OVER (PARTITION BY account_id ORDER BY occurred_at, id) AS prev FROM events
) s WHERE name = 'export' GROUP BY prev ORDER BY n DESC, prev NULLS LAST;

-- user-number: Users by the number in their address
SELECT (REGEXP_MATCH(user_email, '^user(\d+)@'))[1]::int AS user_no, COUNT(*) AS n FROM events WHERE user_email ~ '^user\d+@' GROUP BY 1 ORDER BY 1 LIMIT 15;

-- json-build: One row per account as a JSON document
SELECT a.name, json_build_object('logins', COUNT(e.id), 'last', MAX(e.occurred_at)::date) AS summary FROM accounts a JOIN events e ON e.account_id = a.id AND e.name = 'login' GROUP BY a.id, a.name ORDER BY a.name, a.id LIMIT 8;

-- cross-tab-weeks: Events by name and week as columns
SELECT name,
  SUM(CASE WHEN date_trunc('week', occurred_at) = '2024-01-08' THEN 1 ELSE 0 END) AS w02,
  SUM(CASE WHEN date_trunc('week', occurred_at) = '2024-01-15' THEN 1 ELSE 0 END) AS w03,
  SUM(CASE WHEN date_trunc('week', occurred_at) = '2024-01-22' THEN 1 ELSE 0 END) AS w04
FROM events GROUP BY name ORDER BY name;
