-- per-week: Viewings per week and the share that took place
SELECT DATE_TRUNC('week', scheduled_at)::date AS week, COUNT(*) AS scheduled, COUNT(*) FILTER (WHERE showed_up) AS took_place, ROUND(AVG(CASE WHEN showed_up THEN 1.0 WHEN NOT showed_up THEN 0.0 END), 3) AS rate FROM viewing GROUP BY 1 ORDER BY 1;

-- no-shows: Clients with several missed viewings
SELECT c.client_id, c.full_name, COUNT(*) AS missed FROM viewing v JOIN client c ON c.client_id = v.client_id WHERE v.showed_up = FALSE GROUP BY c.client_id, c.full_name HAVING COUNT(*) >= 2 ORDER BY missed DESC, 1;

-- three-values: Showed up: true, false, unknown
SELECT showed_up, COUNT(*) AS n, COUNT(score) AS scored, AVG(score) AS avg_score FROM viewing GROUP BY showed_up ORDER BY showed_up DESC NULLS LAST;

-- score-histogram: Scores from one to ten, missing ones as zero
SELECT s AS score, COUNT(v.viewing_id) AS n FROM generate_series(1, 10) s LEFT JOIN viewing v ON v.score = s GROUP BY s ORDER BY s;

-- hour-matrix: Viewings by hour and weekday
SELECT EXTRACT(HOUR FROM scheduled_at)::int AS hour, COUNT(*) FILTER (WHERE EXTRACT(ISODOW FROM scheduled_at) BETWEEN 1 AND 5) AS weekdays, COUNT(*) FILTER (WHERE EXTRACT(ISODOW FROM scheduled_at) = 6) AS saturday, COUNT(*) FILTER (WHERE EXTRACT(ISODOW FROM scheduled_at) = 7) AS sunday FROM viewing GROUP BY 1 ORDER BY 1;

-- overlapping: Viewings of one property that overlap in time
SELECT a.viewing_id, b.viewing_id AS other, a.property_id FROM viewing a JOIN viewing b ON a.property_id = b.property_id AND a.viewing_id < b.viewing_id
WHERE a.scheduled_at < b.scheduled_at + COALESCE(b.duration_min, 30) * INTERVAL '1 minute' AND b.scheduled_at < a.scheduled_at + COALESCE(a.duration_min, 30) * INTERVAL '1 minute' ORDER BY 1, 2;

-- same-day: Clients with several viewings on one day
SELECT client_id, scheduled_at::date AS day, COUNT(*) AS n, ARRAY_AGG(property_id ORDER BY scheduled_at, property_id) AS properties FROM viewing GROUP BY client_id, scheduled_at::date HAVING COUNT(*) > 1 ORDER BY client_id, day;

-- first-viewing: Days from listing to the first viewing
SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY days) AS median_days, MIN(days), MAX(days) FROM (SELECT p.property_id, MIN(v.scheduled_at)::date - p.listed_on AS days FROM property p JOIN viewing v USING (property_id) GROUP BY p.property_id) d;

-- comments: Comments by mood
SELECT CASE WHEN comment ILIKE '%small%' THEN 'too small' WHEN comment ILIKE '%?' THEN 'question' WHEN comment ~* '^(liked|schöne)' THEN 'positive' WHEN comment = '' THEN 'empty' WHEN comment IS NULL THEN 'none' ELSE 'other' END AS mood, COUNT(*) AS n FROM viewing GROUP BY 1 ORDER BY n DESC, 1;

-- comment-normal: Comments without case and punctuation
SELECT LOWER(TRIM(TRAILING '!?. ' FROM comment)) AS normal, COUNT(*) AS n FROM viewing WHERE comment <> '' GROUP BY 1 ORDER BY n DESC, 1;

-- hours-total: Hours of viewings per agent
SELECT COALESCE(a.name, 'no agent') AS agent, ROUND(SUM(COALESCE(v.duration_min, 30)) / 60.0, 2) AS hours FROM viewing v JOIN property p USING (property_id) LEFT JOIN agent a USING (agent_id) GROUP BY a.name ORDER BY hours DESC, agent;

-- between-viewings: Time between two viewings of a client
SELECT client_id, scheduled_at, scheduled_at - LAG(scheduled_at) OVER (PARTITION BY client_id ORDER BY scheduled_at, viewing_id) AS since_last FROM viewing WHERE client_id <= 4 ORDER BY client_id, scheduled_at, viewing_id;

-- viewings-to-offer: Viewings before the first offer of each client
SELECT o.client_id, MIN(o.offered_at) AS first_offer, (SELECT COUNT(*) FROM viewing v WHERE v.client_id = o.client_id AND v.scheduled_at < MIN(o.offered_at)) AS viewings_before FROM offer o GROUP BY o.client_id ORDER BY 3 DESC, 1 LIMIT 20;

-- end-times: When do the last viewings of each day end?
SELECT DISTINCT ON (scheduled_at::date) scheduled_at::date AS day, viewing_id, (scheduled_at + duration_min * INTERVAL '1 min')::time AS ends FROM viewing WHERE duration_min IS NOT NULL ORDER BY scheduled_at::date, scheduled_at DESC, viewing_id LIMIT 20;

-- score-correlation: Correlation of score and price
SELECT ROUND(CORR(v.score, c.price)::numeric, 5) AS r, COUNT(*) AS n FROM viewing v JOIN (SELECT property_id, MAX(price) AS price FROM price_change GROUP BY property_id) c ON c.property_id = v.property_id WHERE v.score IS NOT NULL;
