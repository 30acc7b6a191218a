-- names: Names cleaned of titles and blanks
SELECT client_id, INITCAP(TRIM(REGEXP_REPLACE(REGEXP_REPLACE(full_name, '\s+(Jr\.|II|PhD)$', ''), '\s+', ' ', 'g'))) AS name FROM client ORDER BY client_id LIMIT 20;

-- last-first: Last name, first name turned around
SELECT full_name, CASE WHEN POSITION(',' IN full_name) > 0 THEN TRIM(SPLIT_PART(full_name, ',', 2)) || ' ' || SPLIT_PART(full_name, ',', 1) ELSE TRIM(full_name) END AS turned FROM client GROUP BY full_name ORDER BY full_name;

-- budgets: Budget ranges and where they contradict themselves
SELECT CASE WHEN budget_min IS NULL AND budget_max IS NULL THEN 'none' WHEN budget_min > budget_max THEN 'contradiction' WHEN budget_min IS NULL THEN 'up to' WHEN budget_max IS NULL THEN 'from' ELSE 'range' END AS kind, COUNT(*) AS n FROM client GROUP BY 1 ORDER BY 1;

-- matching: Properties within the budget and with all that the client wants
SELECT c.client_id, COUNT(*) AS matches
FROM client c
JOIN property p ON TRUE
JOIN (SELECT DISTINCT ON (property_id) property_id, price FROM price_change ORDER BY property_id, changed_on DESC) l ON l.property_id = p.property_id
WHERE l.price BETWEEN COALESCE(c.budget_min, 0) AND COALESCE(c.budget_max, 1e12)
  AND (NOT ('garden' = ANY (COALESCE(c.wants, '{}'::text[]))) OR p.has_garden)
  AND (NOT ('garage' = ANY (COALESCE(c.wants, '{}'::text[]))) OR p.has_garage)
GROUP BY c.client_id ORDER BY matches DESC, c.client_id LIMIT 20;

-- wants: What do clients want? Share of those who said so
SELECT w.want, COUNT(*) AS n, ROUND(100.0 * COUNT(*) / (SELECT COUNT(*) FROM client WHERE wants IS NOT NULL), 1) AS pct FROM client c JOIN LATERAL UNNEST(c.wants) AS w(want) ON TRUE GROUP BY w.want ORDER BY n DESC, w.want;

-- wants-sets: Sets of wishes, sorted, and how often each occurs
SELECT ARRAY_TO_STRING(ARRAY(SELECT UNNEST(wants) ORDER BY 1), '+') AS wishes, COUNT(*) AS n FROM client WHERE CARDINALITY(wants) > 0 GROUP BY 1 ORDER BY n DESC, 1;

-- duplicate-mails: Mail addresses that differ in case only
SELECT LOWER(email) AS email, COUNT(*) AS n FROM client GROUP BY LOWER(email) HAVING COUNT(*) > 1 ORDER BY 1;

-- newsletter: Newsletter answers as words and as numbers
SELECT COALESCE(newsletter::text, 'unknown') AS answer, COUNT(*) AS n, SUM(newsletter::int) AS as_sum FROM client GROUP BY newsletter ORDER BY newsletter NULLS LAST;

-- registrations: Registrations per month with the months that had none
SELECT TO_CHAR(m, 'YYYY-MM') AS month, COUNT(c.client_id) AS n FROM generate_series(TIMESTAMP '2023-01-01', TIMESTAMP '2024-02-01', INTERVAL '1 month') AS m LEFT JOIN client c ON DATE_TRUNC('month', c.created_at) = m GROUP BY m ORDER BY m;

-- inactive: Clients who neither viewed nor offered
SELECT client_id FROM client EXCEPT (SELECT client_id FROM viewing UNION SELECT client_id FROM offer) ORDER BY 1;

-- segments: Segments by activity
SELECT segment, COUNT(*) AS clients, SUM(viewings) AS viewings, SUM(offers) AS offers FROM (
  SELECT c.client_id, COUNT(DISTINCT v.viewing_id) AS viewings, COUNT(DISTINCT o.offer_id) AS offers,
         CASE WHEN COUNT(DISTINCT o.offer_id) > 2 THEN 'bidder' WHEN COUNT(DISTINCT v.viewing_id) > 6 THEN 'visitor' ELSE 'quiet' END AS segment
  FROM client c LEFT JOIN viewing v ON v.client_id = c.client_id LEFT JOIN offer o ON o.client_id = c.client_id GROUP BY c.client_id) s GROUP BY segment ORDER BY clients DESC, segment;

-- mail-hash: Mail addresses shortened for a report
SELECT client_id, LEFT(email, 2) || '…' || SUBSTRING(email FROM POSITION('@' IN email)) AS masked, MD5(LOWER(email)) AS digest FROM client WHERE email IS NOT NULL ORDER BY client_id LIMIT 6;

-- budget-buckets: Lower budgets in steps of ten millions of cents
SELECT TRUNC(budget_min / 10000000) AS step, COUNT(*) AS n, MIN(budget_min) AS lo, MAX(budget_min) AS hi FROM client WHERE budget_min IS NOT NULL GROUP BY 1 ORDER BY 1;
