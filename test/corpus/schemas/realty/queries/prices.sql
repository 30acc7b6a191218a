-- current-price: The last price of every property
SELECT DISTINCT ON (property_id) property_id, changed_on, price FROM price_change ORDER BY property_id, changed_on DESC;

-- reductions: Reductions against the first price
SELECT property_id, first_price, last_price, ROUND((1 - last_price / first_price) * 100, 2) AS reduced_pct FROM (
  SELECT DISTINCT property_id, FIRST_VALUE(price) OVER w AS first_price, LAST_VALUE(price) OVER w AS last_price FROM price_change
  WINDOW w AS (PARTITION BY property_id ORDER BY changed_on ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
) p WHERE last_price < first_price ORDER BY reduced_pct DESC, property_id LIMIT 25;

-- number-of-changes: Properties by number of prices
SELECT changes, COUNT(*) AS properties FROM (SELECT property_id, COUNT(*) AS changes FROM price_change GROUP BY property_id) c GROUP BY changes ORDER BY changes;

-- price-on-day: Prices valid on New Year's Day 2024
SELECT p.property_id, c.price FROM property p CROSS JOIN LATERAL (SELECT x.price FROM price_change x WHERE x.property_id = p.property_id AND x.changed_on <= DATE '2024-01-01' ORDER BY x.changed_on DESC FETCH FIRST ROW ONLY) c ORDER BY p.property_id LIMIT 40;

-- validity: Prices with the period for which they held
SELECT property_id, changed_on AS valid_from, LEAD(changed_on) OVER (PARTITION BY property_id ORDER BY changed_on) - 1 AS valid_to, price FROM price_change WHERE property_id <= 12 ORDER BY 1, 2;

-- days-between-changes: Average number of days between changes
SELECT ROUND(AVG(days), 3) AS mean, MIN(days), MAX(days), COUNT(*) AS n FROM (SELECT changed_on - LAG(changed_on) OVER (PARTITION BY property_id ORDER BY changed_on) AS days FROM price_change) d WHERE days IS NOT NULL;

-- monthly-level: Average price level per month, by all prices valid at the month's end
SELECT m::date AS month_end, COUNT(*) AS priced, ROUND(AVG(c.price), 2) AS avg_price
FROM generate_series(DATE '2023-01-31', DATE '2024-03-31', INTERVAL '1 month') m
JOIN LATERAL (SELECT DISTINCT ON (property_id) property_id, price FROM price_change x WHERE x.changed_on <= m ORDER BY property_id, changed_on DESC) c ON TRUE
GROUP BY m ORDER BY m;

-- odd-prices: Prices that end in 990 or 500
SELECT CASE price % 1000 WHEN 990 THEN '…990' WHEN 500 THEN '…500' WHEN 0 THEN '…000' ELSE 'other' END AS ending, COUNT(*) AS n FROM price_change GROUP BY 1 ORDER BY n DESC, 1;

-- log-bands: Prices in logarithmic bands
SELECT FLOOR(LOG(price))::int AS magnitude, COUNT(*) AS n, MIN(price), MAX(price) FROM price_change GROUP BY 1 ORDER BY 1;

-- text-vs-price: Does the asked text agree with the first price?
SELECT COUNT(*) AS compared, COUNT(*) FILTER (WHERE NULLIF(REGEXP_REPLACE(REPLACE(p.asking_text, ',00', ''), '\D', '', 'g'), '')::numeric = c.price) AS equal FROM property p JOIN price_change c ON c.property_id = p.property_id AND c.changed_on = p.listed_on;

-- cumulative-reduction: Product of the changes by logarithms
SELECT property_id, ROUND(EXP(SUM(LN(price / prev)))::numeric, 6) AS factor FROM (SELECT property_id, price, LAG(price) OVER (PARTITION BY property_id ORDER BY changed_on) AS prev FROM price_change) x WHERE prev IS NOT NULL GROUP BY property_id ORDER BY factor, property_id LIMIT 15;

-- money-format: Prices in the German way
SELECT property_id, TRANSLATE(TO_CHAR(MAX(price), 'FM999,999,990.00'), ',.', '.,') || ' €' AS shown FROM price_change GROUP BY property_id ORDER BY MAX(price) DESC, property_id LIMIT 8;

-- moving-max: Highest price in the ninety days before each change
SELECT property_id, changed_on, price, MAX(price) OVER (PARTITION BY property_id ORDER BY changed_on RANGE BETWEEN INTERVAL '90 days' PRECEDING AND CURRENT ROW) AS max_90 FROM price_change WHERE property_id BETWEEN 20 AND 30 ORDER BY 1, 2;
