-- kinds-trimmed: Clients per kind, blanks and case ignored
SELECT TRIM(BOTH ' ' FROM LOWER(kind)) AS kind, COUNT(*) AS clients FROM clients GROUP BY 1 ORDER BY 1;

-- risk-by-score: Scores per risk class, however it is written
SELECT COALESCE(LOWER(risk), 'none') AS risk, MIN(score) AS lo, MAX(score) AS hi, ROUND(AVG(score), 1) AS mean, COUNT(*) - COUNT(score) AS unknown
FROM clients
GROUP BY COALESCE(LOWER(risk), 'none')
ORDER BY mean DESC NULLS LAST, risk;

-- score-buckets: Scores in buckets of a hundred
SELECT score / 100 * 100 AS bucket, COUNT(*) AS clients
FROM clients
WHERE score IS NOT NULL
GROUP BY score / 100
ORDER BY bucket;

-- width-buckets: Scores in five equal buckets between 300 and 850
SELECT WIDTH_BUCKET(score, 300, 850, 5) AS bucket, COUNT(*) AS n, MIN(score) AS lo, MAX(score) AS hi
FROM clients
WHERE score IS NOT NULL
GROUP BY 1
ORDER BY 1;

-- generations: Clients per generation
SELECT CASE
         WHEN born_on IS NULL THEN 'unknown'
         WHEN born_on < DATE '1965-01-01' THEN 'boomer'
         WHEN born_on < DATE '1981-01-01' THEN 'x'
         ELSE 'later'
       END AS generation,
       COUNT(*) AS n
FROM clients
GROUP BY generation
ORDER BY n DESC, generation;

-- birthdays-in-march: Birthdays between 28 February and 5 March
SELECT client_id, last_name, TO_CHAR(born_on, 'DD.MM.') AS birthday
FROM clients
WHERE (EXTRACT(MONTH FROM born_on) = 2 AND EXTRACT(DAY FROM born_on) >= 28)
   OR (EXTRACT(MONTH FROM born_on) = 3 AND EXTRACT(DAY FROM born_on) <= 5)
ORDER BY EXTRACT(MONTH FROM born_on), EXTRACT(DAY FROM born_on), client_id;

-- age-on-day: Age on 28 February 2025 of those born on a leap day
SELECT client_id, born_on, EXTRACT(YEAR FROM AGE(DATE '2025-02-28', born_on)) AS age, AGE(DATE '2025-02-28', born_on) >= INTERVAL '61 years' AS old_enough
FROM clients
WHERE born_on IN ('1964-02-29', '1958-02-28')
ORDER BY client_id;

-- branch-hours: How long is each branch open?
SELECT name, opens, closes, EXTRACT(EPOCH FROM closes - opens) / 3600 AS hours
FROM branches
ORDER BY branch_id;

-- branches-open-at: Branches that are open at a quarter to five
SELECT name FROM branches WHERE TIME '16:45' >= opens AND TIME '16:45' < COALESCE(closes, TIME '23:59:59') ORDER BY name;

-- clients-per-branch: Clients per branch and kind, with all branches
SELECT b.branch_id, b.name, COALESCE(b.city, 'nowhere') AS city,
       COUNT(c.client_id) FILTER (WHERE c.kind = 'business') AS business,
       COUNT(c.client_id) FILTER (WHERE c.kind <> 'business') AS private
FROM branches b
LEFT OUTER JOIN clients c ON c.branch_id = b.branch_id
GROUP BY b.branch_id, b.name, b.city
ORDER BY b.branch_id;

-- name-variants: Last names that differ only in case
SELECT LOWER(last_name) AS name, COUNT(DISTINCT last_name) AS spellings, COUNT(*) AS clients
FROM clients
GROUP BY LOWER(last_name)
HAVING COUNT(DISTINCT last_name) > 1
ORDER BY name;

-- legal-forms: Clients with a legal form or an ampersand in the name
SELECT client_id, last_name,
       CASE WHEN last_name ~ '(GmbH|AG)$' THEN 'company' WHEN last_name LIKE '%&%' THEN 'partners' ELSE 'person' END AS form
FROM clients
WHERE last_name ~ '[&]|GmbH'
ORDER BY client_id;

-- best-scores-per-branch: The best two scores per branch with ties
SELECT branch_id, client_id, score
FROM (
  SELECT branch_id, client_id, score, DENSE_RANK() OVER (PARTITION BY branch_id ORDER BY score DESC) AS place
  FROM clients
  WHERE score IS NOT NULL
) s
WHERE place <= 2
ORDER BY branch_id, place, client_id;

-- without-account: Clients without any account, by left join and by set difference
SELECT client_id FROM clients LEFT JOIN accounts USING (client_id) WHERE iban IS NULL
INTERSECT
(SELECT client_id FROM clients EXCEPT SELECT client_id FROM accounts)
ORDER BY client_id;

-- risk-null-trap: Clients that are not high risk; NULL is not counted by the first
SELECT COUNT(*) FILTER (WHERE risk <> 'high') AS unequal,
       COUNT(*) FILTER (WHERE risk IS DISTINCT FROM 'high') AS distinct_from,
       COUNT(*) FILTER (WHERE NOT (COALESCE(risk, '') = 'high')) AS coalesced,
       COUNT(*) AS everyone
FROM clients;

-- score-correlation: Correlation and regression of score and wealth
SELECT ROUND(CORR(c.score, b.balance)::numeric, 6) AS correlation,
       ROUND(REGR_SLOPE(b.balance, c.score)::numeric, 6) AS slope,
       REGR_COUNT(b.balance, c.score) AS pairs
FROM clients c
JOIN accounts a ON a.client_id = c.client_id
JOIN (SELECT iban, SUM(amount)::float8 AS balance FROM movements GROUP BY iban) b ON b.iban = a.iban;

-- scorecard: A card per client with defaults for what is missing
SELECT client_id,
       last_name || COALESCE(' (' || born_on::text || ')', ' (?)') AS client,
       COALESCE(score::text, 'n/a') AS score,
       CASE country WHEN 'DE' THEN 'home' WHEN 'PL' THEN 'neighbour' ELSE 'abroad' END AS place
FROM clients
ORDER BY client_id
LIMIT 45;

-- cross-sell: Clients with a checking and without a savings account
SELECT c.client_id
FROM clients c
WHERE c.client_id IN (SELECT a.client_id FROM accounts a WHERE a.product = 'checking')
  AND c.client_id NOT IN (SELECT a.client_id FROM accounts a WHERE a.product = 'savings')
ORDER BY 1;

-- percentile-of-client: Percentile rank of each client's score within the country
SELECT client_id, country, score,
       ROUND((100 * PERCENT_RANK() OVER (PARTITION BY country ORDER BY score))::numeric, 1) AS pct
FROM clients
WHERE score IS NOT NULL
ORDER BY country, score, client_id;
