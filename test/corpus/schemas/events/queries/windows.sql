-- running-users: Users seen so far by day of their first event
SELECT day, SUM(new_users) OVER (ORDER BY day) AS users
FROM (SELECT first_at::date AS day, COUNT(*) AS new_users FROM (SELECT user_id, MIN(at) AS first_at FROM events WHERE user_id IS NOT NULL GROUP BY user_id) f GROUP BY 1) t
ORDER BY day;

-- range-interval: Events of the thirty minutes before each purchase in its session
SELECT session_id, at, kind, COUNT(*) OVER (PARTITION BY session_id ORDER BY at RANGE BETWEEN INTERVAL '30 minutes' PRECEDING AND CURRENT ROW) AS within
FROM events
WHERE session_id <= 40
ORDER BY session_id, at, kind, payload->>'path';

-- gap-labels: Pauses between sessions of a user in classes
SELECT CASE WHEN pause IS NULL THEN '0 first' WHEN pause < INTERVAL '1 day' THEN '1 day' WHEN pause < INTERVAL '7 days' THEN '2 week' WHEN pause < INTERVAL '30 days' THEN '3 month' ELSE '4 longer' END AS pause, COUNT(*) AS n
FROM (SELECT started_at - LAG(started_at) OVER (PARTITION BY user_id ORDER BY started_at) AS pause FROM sessions WHERE user_id IS NOT NULL) t
GROUP BY 1
ORDER BY 1;

-- share-of-kind: Each kind's share within its session
SELECT session_id, kind, COUNT(*) AS n, ROUND(1.0 * COUNT(*) / SUM(COUNT(*)) OVER (PARTITION BY session_id), 3) AS share
FROM events
GROUP BY session_id, kind
HAVING COUNT(*) >= 3
ORDER BY session_id, kind;

-- percentiles-of-duration: Duration of sessions by country, three percentiles
SELECT COALESCE(UPPER(u.country), '-') AS country, COUNT(s.ended_at) AS n,
       PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY EXTRACT(EPOCH FROM s.ended_at - s.started_at)) AS p50,
       PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY EXTRACT(EPOCH FROM s.ended_at - s.started_at)) AS p90
FROM sessions s
JOIN users u ON u.user_id = s.user_id
GROUP BY 1
ORDER BY 1;

-- month-rank: Rank of each month by events, and the distance to the best
SELECT TO_CHAR(at, 'MM') AS month, COUNT(*) AS n, RANK() OVER (ORDER BY COUNT(*) DESC) AS place, COUNT(*) - MAX(COUNT(*)) OVER () AS to_best
FROM events
GROUP BY TO_CHAR(at, 'MM')
ORDER BY month;

-- previous-campaign: Campaign of each session beside the last known one before
SELECT session_id, campaign, LAG(campaign) OVER (PARTITION BY user_id ORDER BY started_at) AS before
FROM sessions
WHERE user_id IS NOT NULL AND campaign IS NOT NULL
ORDER BY session_id;

-- first-value-of-group: Referrer of each user's first session for all of the user's sessions
SELECT session_id, user_id, FIRST_VALUE(referrer) OVER (PARTITION BY user_id ORDER BY started_at) AS acquired_by
FROM sessions
WHERE user_id < 'u0020'
ORDER BY session_id;

-- bucket-by-ntile: Sessions in five groups by start, with bounds
SELECT bucket, COUNT(*) AS n, MIN(started_at) AS from_at, MAX(started_at) AS to_at
FROM (SELECT started_at, NTILE(5) OVER (ORDER BY started_at, session_id) AS bucket FROM sessions) b
GROUP BY bucket
ORDER BY bucket;

-- alternate-days: Days with more events than the day before and the day after
SELECT day, n
FROM (SELECT at::date AS day, COUNT(*) AS n, LAG(COUNT(*)) OVER (ORDER BY at::date) AS before, LEAD(COUNT(*)) OVER (ORDER BY at::date) AS after FROM events GROUP BY at::date) t
WHERE n > before AND n > after
ORDER BY n DESC, day
LIMIT 20;
