-- plans: Users per plan in any case, and the share that signed up
SELECT LOWER(plan) AS plan, COUNT(*) AS users, COUNT(signed_up_at) AS signed_up,
       ROUND(COUNT(signed_up_at)::numeric / COUNT(*), 3) AS share
FROM users
GROUP BY LOWER(plan)
ORDER BY users DESC;

-- languages: Users per language, missing ones as unknown
SELECT COALESCE(settings->>'lang', 'unknown') AS lang, COUNT(*) AS n
FROM users
GROUP BY 1
ORDER BY n DESC, lang;

-- beta-flags: Users with the beta flag set, unset and missing
SELECT CASE (settings->'flags'->>'beta')::boolean WHEN TRUE THEN 'on' WHEN FALSE THEN 'off' ELSE 'missing' END AS beta, COUNT(*) AS n
FROM users
GROUP BY 1
ORDER BY 1;

-- setting-keys: Which keys do the settings have, and how often?
SELECT k.key, COUNT(*) AS users
FROM users u, LATERAL jsonb_object_keys(u.settings) AS k(key)
GROUP BY k.key
ORDER BY users DESC, k.key;

-- settings-as-rows: Settings of five users as key and value
SELECT u.user_id, s.key, s.value
FROM users u
CROSS JOIN LATERAL jsonb_each_text(u.settings) AS s(key, value)
WHERE u.user_id <= 'u0012'
ORDER BY u.user_id, s.key;

-- theme-null: Users whose theme is missing, JSON null or given
SELECT user_id,
       settings->'theme' IS NULL AS missing,
       settings->>'theme' IS NULL AS no_text,
       COALESCE(settings->>'theme', 'default') AS theme
FROM users
WHERE user_id < 'u0030'
ORDER BY user_id;

-- signups-per-week: Sign-ups per week with cumulated sum
SELECT week::date AS week, n, SUM(n) OVER (ORDER BY week) AS total
FROM (
  SELECT DATE_TRUNC('week', signed_up_at) AS week, COUNT(*) AS n
  FROM users
  WHERE signed_up_at IS NOT NULL
  GROUP BY 1
) w
ORDER BY week;

-- time-to-first-session: Days from sign-up to the first session afterwards
SELECT u.user_id, ROUND((EXTRACT(EPOCH FROM MIN(s.started_at) - u.signed_up_at) / 86400)::numeric, 1) AS days
FROM users u
JOIN sessions s ON s.user_id = u.user_id AND s.started_at >= u.signed_up_at
GROUP BY u.user_id, u.signed_up_at
ORDER BY days DESC, u.user_id
LIMIT 30;

-- weekly-retention: Users active in week 0, 1, 2 and 4 after signing up
SELECT DATE_TRUNC('month', u.signed_up_at)::date AS cohort,
       COUNT(DISTINCT u.user_id) AS users,
       COUNT(DISTINCT u.user_id) FILTER (WHERE FLOOR(EXTRACT(EPOCH FROM e.at - u.signed_up_at) / 604800) = 0) AS w0,
       COUNT(DISTINCT u.user_id) FILTER (WHERE FLOOR(EXTRACT(EPOCH FROM e.at - u.signed_up_at) / 604800) = 1) AS w1,
       COUNT(DISTINCT u.user_id) FILTER (WHERE FLOOR(EXTRACT(EPOCH FROM e.at - u.signed_up_at) / 604800) BETWEEN 2 AND 8) AS w2_to_8
FROM users u
LEFT JOIN events e ON e.user_id = u.user_id AND e.at >= u.signed_up_at
WHERE u.signed_up_at IS NOT NULL
GROUP BY 1
ORDER BY 1;

-- revenue-per-user: Revenue per paying user in dollars at a fixed rate
SELECT user_id,
       SUM(CASE payload->>'currency' WHEN 'EUR' THEN (payload->>'amount')::numeric(10,2) * 1.1 ELSE (payload->>'amount')::numeric(10,2) END) AS usd,
       COUNT(*) AS purchases
FROM events
WHERE kind = 'purchase' AND user_id IS NOT NULL
GROUP BY user_id
HAVING SUM((payload->>'amount')::numeric(10,2)) > 0
ORDER BY usd DESC, user_id
LIMIT 20;

-- items-bought: How often was each item bought?
SELECT i.item::int AS item, COUNT(*) AS times
FROM events e
CROSS JOIN LATERAL jsonb_array_elements_text(e.payload->'items') AS i(item)
WHERE e.kind = 'purchase'
GROUP BY i.item::int
ORDER BY times DESC, item;

-- first-items: First item and number of items of each purchase
SELECT session_id, at, payload->'items'->>0 AS first_item, (payload->'items'->0)::int AS first_number, jsonb_array_length(payload->'items') AS n
FROM events
WHERE kind = 'purchase' AND payload->'items' IS NOT NULL
ORDER BY at, session_id, payload->>'amount', n
LIMIT 40;

-- last-item: Last item by a negative index and by a path
SELECT DISTINCT payload->'items' AS items, payload->'items'->>-1 AS last_item, payload #>> '{items,1}' AS second
FROM events
WHERE kind = 'purchase' AND payload IS NOT NULL;

-- purchases-in-range: Purchases between 10 and 130 by whatever type the amount has
SELECT COUNT(*) AS n, MIN((payload->>'amount')::float) AS lo, MAX((payload->>'amount')::float) AS hi
FROM events
WHERE kind = 'purchase' AND (payload->>'amount')::float BETWEEN 10 AND 130;

-- ab-test: Conversion per variant of the experiment with blanks trimmed
SELECT TRIM(a.variant) AS variant,
       COUNT(DISTINCT a.user_id) AS users,
       COUNT(DISTINCT e.user_id) AS converted,
       ROUND(COUNT(DISTINCT e.user_id)::numeric / COUNT(DISTINCT a.user_id), 4) AS rate
FROM assignments a
LEFT JOIN events e ON e.user_id = a.user_id AND e.kind = 'purchase' AND e.at::date >= a.assigned_on
GROUP BY TRIM(a.variant)
ORDER BY variant;

-- ab-lift: Lift of the variant over the control in one line
WITH r AS (
  SELECT TRIM(a.variant) AS variant, COUNT(DISTINCT a.user_id) AS n, COUNT(DISTINCT e.user_id) AS c
  FROM assignments a
  LEFT JOIN events e ON e.user_id = a.user_id AND e.kind = 'purchase'
  GROUP BY 1
)
SELECT v.c * 1.0 / v.n AS variant_rate, k.c * 1.0 / k.n AS control_rate,
       ROUND((v.c * 1.0 / v.n) / NULLIF(k.c * 1.0 / k.n, 0) - 1, 4) AS lift
FROM r v, r k
WHERE v.variant = 'variant' AND k.variant = 'control';

-- not-assigned: Users without an assignment, by EXCEPT
SELECT user_id FROM users EXCEPT SELECT user_id FROM assignments ORDER BY user_id LIMIT 20;

-- user-numbers: The number in the user's id, and whether it is even
SELECT user_id, SUBSTR(user_id, 2)::int AS number, MOD(SUBSTR(user_id, 2)::int, 2) = 0 AS even
FROM users
WHERE country = 'jp' OR country IS NULL
ORDER BY number;

-- power-users: Users in the top tenth by events
SELECT user_id, n
FROM (
  SELECT user_id, COUNT(*) AS n, PERCENT_RANK() OVER (ORDER BY COUNT(*) DESC) AS pr
  FROM events
  WHERE user_id IS NOT NULL
  GROUP BY user_id
) t
WHERE pr <= 0.1
ORDER BY n DESC, user_id;

-- churn-candidates: Users whose last event is more than ninety days older than the newest event of all
SELECT user_id, MAX(at)::date AS last_seen
FROM events
WHERE user_id IS NOT NULL
GROUP BY user_id
HAVING MAX(at) < (SELECT MAX(at) FROM events) - INTERVAL '90 days'
ORDER BY last_seen, user_id
LIMIT 30;

-- country-plan-cross: Users per country and plan with totals
SELECT COALESCE(UPPER(country), 'n/a') AS country, LOWER(plan) AS plan, COUNT(*) AS n
FROM users
GROUP BY GROUPING SETS ((UPPER(country), LOWER(plan)), (UPPER(country)), ())
ORDER BY UPPER(country) NULLS FIRST, LOWER(plan) NULLS FIRST, n;

-- streak-of-days: Longest run of days in a row on which a user was active
WITH days AS (
    SELECT DISTINCT user_id, at::date AS day FROM events WHERE user_id IS NOT NULL
), runs AS (
    SELECT user_id, day, day - (ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY day))::int AS run FROM days
)
SELECT user_id, MAX(n) AS longest
FROM (SELECT user_id, run, COUNT(*) AS n FROM runs GROUP BY user_id, run) r
GROUP BY user_id
HAVING MAX(n) > 1
ORDER BY longest DESC, user_id;

-- same-instant: Timestamps with different offsets that are the same instant
SELECT COUNT(*) FILTER (WHERE at = '2024-02-29 12:00:00+00'::timestamptz) AS a,
       COUNT(*) FILTER (WHERE at >= '2024-02-29T00:00:00+05:30' AND at < '2024-03-01T00:00:00+05:30') AS indian_day,
       COUNT(*) FILTER (WHERE at >= '2024-02-28 18:30:00Z' AND at < '2024-02-29 18:30:00Z') AS same_day
FROM events;

-- json-documents: Whole settings documents as they are, for three users
SELECT user_id, settings FROM users WHERE settings IS NOT NULL ORDER BY user_id LIMIT 10;

-- contains-flag: Users whose settings contain a given document
SELECT user_id FROM users WHERE settings @> '{"flags": {"beta": true}}' ORDER BY user_id;

-- most-common-agent: The commonest agent of each user, by count and name
SELECT user_id, agent
FROM (
  SELECT user_id, agent, ROW_NUMBER() OVER (PARTITION BY user_id ORDER BY COUNT(*) DESC, agent) AS rn
  FROM sessions
  WHERE user_id IS NOT NULL AND agent <> ''
  GROUP BY user_id, agent
) a
WHERE rn = 1
ORDER BY user_id
LIMIT 50;
