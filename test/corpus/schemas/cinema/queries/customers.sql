-- tiers: Customers by tier, spellings joined
SELECT LOWER(tier) AS tier, COUNT(*) AS customers, COUNT(member_no) AS members FROM dim_customer WHERE is_current GROUP BY LOWER(tier) ORDER BY 1;

-- age-classes: Age classes of the customers in 2024
SELECT CASE WHEN birth_year IS NULL THEN 'unknown' WHEN 2024 - birth_year < 18 THEN 'minor' WHEN 2024 - birth_year < 30 THEN '18-29' WHEN 2024 - birth_year < 50 THEN '30-49' WHEN 2024 - birth_year < 65 THEN '50-64' ELSE '65+' END AS class, COUNT(*) AS n FROM dim_customer GROUP BY 1 ORDER BY 1;

-- postcode-kinds: Postcodes by form
SELECT CASE WHEN postcode ~ '^\d{5}$' THEN 'german' WHEN postcode ~ '^[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$' THEN 'british' WHEN postcode = '' THEN 'empty' WHEN postcode IS NULL THEN 'null' ELSE 'other' END AS kind, COUNT(*) FROM dim_customer GROUP BY 1 ORDER BY 1;

-- leading-zero: A postcode is not a number
SELECT postcode, postcode::int AS as_number, LPAD((postcode::int)::text, 5, '0') = postcode AS restored FROM dim_customer WHERE postcode ~ '^[0-9]+$' GROUP BY postcode ORDER BY postcode;

-- mail-domains: Customers per mail domain
SELECT LOWER(SUBSTRING(email FROM POSITION('@' IN email) + 1)) AS domain, COUNT(*) AS n FROM dim_customer WHERE email IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1;

-- history: Members with more than one version
SELECT member_no, COUNT(*) AS versions, MIN(valid_from) AS first_from, MAX(COALESCE(valid_to, DATE '9999-12-31')) AS last_to FROM dim_customer WHERE member_no IS NOT NULL GROUP BY member_no HAVING COUNT(*) > 1 ORDER BY 1;

-- version-on-day: The version valid on the day of each ticket
SELECT t.ticket_id, c.member_no, v.tier FROM fact_ticket t JOIN dim_customer c ON c.customer_key = t.customer_key JOIN dim_date d ON d.date_key = t.date_key
JOIN dim_customer v ON v.member_no = c.member_no AND d.full_date BETWEEN v.valid_from AND COALESCE(v.valid_to, '9999-12-31') ORDER BY t.ticket_id LIMIT 25;

-- spend: Spend per customer with deciles
SELECT decile, COUNT(*) AS customers, SUM(spend) AS spend, ROUND(AVG(spend), 2) AS avg_spend FROM (SELECT customer_key, SUM(gross) AS spend, NTILE(10) OVER (ORDER BY SUM(gross) DESC, customer_key) AS decile FROM fact_ticket WHERE customer_key IS NOT NULL GROUP BY customer_key) x GROUP BY decile ORDER BY decile;

-- rfm: Recency, frequency and monetary value
WITH base AS (
  SELECT t.customer_key, DATE '2024-04-01' - MAX(d.full_date) AS recency, COUNT(*) AS frequency, SUM(t.gross) AS monetary
  FROM fact_ticket t JOIN dim_date d USING (date_key) WHERE t.customer_key IS NOT NULL GROUP BY t.customer_key
)
SELECT customer_key, recency, frequency, monetary,
       NTILE(4) OVER (ORDER BY recency DESC, customer_key) AS r, NTILE(4) OVER (ORDER BY frequency, customer_key) AS f, NTILE(4) OVER (ORDER BY monetary, customer_key) AS m
FROM base ORDER BY customer_key LIMIT 40;

-- first-visit-cohort: Customers by the month of their first visit and how many come back
WITH visits AS (
  SELECT DISTINCT t.customer_key, date_trunc('month', d.full_date)::date AS month FROM fact_ticket t JOIN dim_date d ON d.date_key = t.date_key WHERE t.customer_key IS NOT NULL
), cohort AS (SELECT customer_key, MIN(month) AS first_month FROM visits GROUP BY customer_key)
SELECT c.first_month, (EXTRACT(YEAR FROM v.month) - EXTRACT(YEAR FROM c.first_month)) * 12 + EXTRACT(MONTH FROM v.month) - EXTRACT(MONTH FROM c.first_month) AS month_no, COUNT(*) AS customers
FROM cohort c JOIN visits v USING (customer_key) GROUP BY 1, 2 ORDER BY 1, 2;

-- anonymous-share: Share of tickets without a customer by channel
SELECT c.channel, ROUND(100.0 * COUNT(*) FILTER (WHERE t.customer_key IS NULL) / COUNT(*), 1) AS anonymous_pct FROM fact_ticket t JOIN dim_channel c USING (channel_key) GROUP BY c.channel ORDER BY 1;

-- days-between: Average days between two visits of a customer
SELECT ROUND(AVG(gap), 3) AS avg_gap, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY gap) AS median FROM (
  SELECT full_date - LAG(full_date) OVER (PARTITION BY customer_key ORDER BY full_date) AS gap FROM (SELECT DISTINCT t.customer_key, d.full_date FROM fact_ticket t JOIN dim_date d USING (date_key) WHERE t.customer_key IS NOT NULL) v
) g WHERE gap IS NOT NULL;

-- favourite-film: Favourite film of each gold customer
SELECT DISTINCT ON (c.customer_key) c.customer_key, m.title, COUNT(*) AS seen FROM dim_customer c JOIN fact_ticket t USING (customer_key) JOIN dim_film m USING (film_key) WHERE LOWER(c.tier) = 'gold' GROUP BY c.customer_key, m.film_key, m.title ORDER BY c.customer_key, seen DESC, m.title;

-- never-came: Members who never bought a ticket
SELECT customer_key, member_no FROM dim_customer c WHERE member_no IS NOT NULL AND NOT EXISTS (SELECT 1 FROM fact_ticket t WHERE t.customer_key = c.customer_key) ORDER BY 1;

-- joined-years: Members by year of joining with the share of the total
SELECT EXTRACT(YEAR FROM joined)::int AS year, COUNT(*) AS n, ROUND(RATIO_TO, 3) AS share FROM (SELECT joined, 1.0 / COUNT(*) OVER () AS one, COUNT(*) OVER (PARTITION BY EXTRACT(YEAR FROM joined)) * 1.0 / COUNT(*) OVER () AS RATIO_TO FROM dim_customer WHERE joined IS NOT NULL) j GROUP BY 1, RATIO_TO ORDER BY 1;

-- member-number: Member numbers as numbers, gaps among them
SELECT lo + 1 AS gap_from, hi - 1 AS gap_to FROM (SELECT SUBSTRING(member_no, 2)::int AS lo, LEAD(SUBSTRING(member_no, 2)::int) OVER (ORDER BY SUBSTRING(member_no, 2)::int) AS hi FROM dim_customer WHERE member_no IS NOT NULL) g WHERE hi > lo + 1 ORDER BY 1;

-- null-safe-join: Customers that agree in postcode, missing ones included
SELECT COUNT(*) AS pairs FROM dim_customer a JOIN dim_customer b ON a.postcode IS NOT DISTINCT FROM b.postcode AND a.customer_key < b.customer_key;
