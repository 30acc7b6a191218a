-- per-priority: Tickets by priority in a sensible order
SELECT priority, COUNT(*) AS n, COUNT(closed_at) AS closed FROM tickets GROUP BY priority ORDER BY CASE priority WHEN 'urgent' THEN 1 WHEN 'high' THEN 2 WHEN 'normal' THEN 3 ELSE 4 END;

-- first-reply: Hours until the first reply
SELECT priority, ROUND(AVG(EXTRACT(EPOCH FROM first_reply_at - opened_at) / 3600)::numeric, 2) AS avg_hours, PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY EXTRACT(EPOCH FROM first_reply_at - opened_at) / 60) AS p90_minutes
FROM tickets WHERE first_reply_at IS NOT NULL GROUP BY priority ORDER BY priority;

-- sla: Replies within the agreed time
SELECT t.priority, COUNT(*) AS n, COUNT(*) FILTER (WHERE first_reply_at - opened_at <= l.within) AS kept
FROM tickets t JOIN (VALUES ('urgent', INTERVAL '1 hour'), ('high', INTERVAL '4 hours'), ('normal', INTERVAL '1 day'), ('low', INTERVAL '3 days')) AS l(priority, within) ON l.priority = t.priority
GROUP BY t.priority ORDER BY t.priority;

-- backlog: Open tickets at the end of each week
SELECT w::date AS week_end, COUNT(t.id) AS open
FROM generate_series(TIMESTAMP '2023-12-17', TIMESTAMP '2024-03-31', INTERVAL '7 days') AS w
LEFT JOIN tickets t ON t.opened_at <= w AND (t.closed_at IS NULL OR t.closed_at > w)
GROUP BY w ORDER BY w;

-- subjects: Subjects without reply prefixes and tags
SELECT TRIM(REGEXP_REPLACE(subject, '^((Re:|\[URGENT\])\s*)+', '', 'gi')) AS topic, COUNT(*) AS n FROM tickets GROUP BY 1 ORDER BY n DESC, topic;

-- reply-count: How often does the subject say Re:?
SELECT subject, (LENGTH(subject) - LENGTH(REPLACE(subject, 'Re:', ''))) / LENGTH('Re:') AS replies FROM tickets GROUP BY subject ORDER BY replies DESC, subject;

-- satisfaction: Average satisfaction by tag, tickets without a score left out
SELECT tag, ROUND(AVG(satisfaction), 3) AS score, COUNT(satisfaction) AS rated, COUNT(*) AS tickets
FROM tickets CROSS JOIN UNNEST(tags) AS tag GROUP BY tag ORDER BY score DESC NULLS LAST, tag;

-- stars: Satisfaction as stars
SELECT satisfaction, RPAD(REPEAT('*', satisfaction), 5, '.') AS stars, COUNT(*) AS n FROM tickets WHERE satisfaction IS NOT NULL GROUP BY satisfaction ORDER BY satisfaction DESC;

-- no-account: Tickets without an account
SELECT t.id, subject, COALESCE(a.name, '<none>') AS account FROM tickets t LEFT JOIN accounts a ON a.id = t.account_id WHERE t.account_id IS NULL ORDER BY t.id;

-- empty-tags: Tickets without tags against tickets whose tags are unknown
SELECT COUNT(*) FILTER (WHERE tags = '{}') AS empty, COUNT(*) FILTER (WHERE tags IS NULL) AS unknown, COUNT(*) FILTER (WHERE CARDINALITY(tags) > 0) AS some FROM tickets;

-- open-durations: Duration of closed tickets as an interval and as text
SELECT id, closed_at - opened_at AS took, TO_CHAR(closed_at, 'DD.MM.YYYY HH24:MI') AS closed FROM tickets WHERE closed_at IS NOT NULL ORDER BY took DESC, id LIMIT 10;

-- weekend-tickets: Tickets opened at the weekend
SELECT COUNT(*) FILTER (WHERE EXTRACT(ISODOW FROM opened_at) IN (6, 7)) AS weekend, COUNT(*) FILTER (WHERE EXTRACT(ISODOW FROM opened_at) < 6) AS weekdays FROM tickets;

-- repeat-within: Accounts that opened another ticket within ten days
SELECT account_id, id, opened_at FROM (
  SELECT account_id, id, opened_at, LAG(opened_at) OVER (PARTITION BY account_id ORDER BY opened_at, id) AS before FROM tickets WHERE account_id IS NOT NULL
) t WHERE opened_at - before < INTERVAL '10 days' ORDER BY account_id, opened_at;

-- tags-per-priority: Tags of each priority, sorted, without doubles
SELECT priority, ARRAY_AGG(DISTINCT tag ORDER BY tag) AS tags FROM tickets, UNNEST(tags) AS t(tag) GROUP BY priority ORDER BY priority;

-- unreplied: Unanswered tickets with their age in days and hours
SELECT id, priority, DATE_PART('day', TIMESTAMPTZ '2024-04-01 12:00+00' - opened_at) AS days, DATE_PART('hour', TIMESTAMPTZ '2024-04-01 12:00+00' - opened_at) AS hours FROM tickets WHERE first_reply_at IS NULL ORDER BY opened_at, id;

-- month-compare: Tickets per month beside the month before by a self join
WITH m AS (SELECT date_trunc('month', opened_at) AS month, COUNT(*) AS n FROM tickets GROUP BY 1)
SELECT a.month::date, a.n, b.n AS before, a.n - b.n AS diff FROM m a LEFT JOIN m b ON b.month = a.month - INTERVAL '1 month' ORDER BY 1;
