-- bargain: Properties whose price per square metre is in the lowest tenth of their city
SELECT region_id, property_id, ROUND(per_m2, 2) AS per_m2 FROM (SELECT p.region_id, p.property_id, c.price / p.area_m2 AS per_m2, PERCENT_RANK() OVER (PARTITION BY p.region_id ORDER BY c.price / p.area_m2) AS pr FROM property p JOIN price_change c ON c.property_id = p.property_id AND c.changed_on = p.listed_on WHERE p.area_m2 > 0) x WHERE pr <= 0.1 ORDER BY region_id, per_m2, property_id;

-- second-highest: The second highest price, by three ways
SELECT (SELECT MAX(price) FROM sale WHERE price < (SELECT MAX(price) FROM sale)) AS by_max, (SELECT DISTINCT price FROM sale ORDER BY price DESC OFFSET 1 LIMIT 1) AS by_offset, (SELECT price FROM (SELECT price, DENSE_RANK() OVER (ORDER BY price DESC) AS r FROM sale) x WHERE r = 2 LIMIT 1) AS by_rank;

-- year-month-series: Every month of 2023 with listings, viewings, offers and sales
SELECT m.month, (SELECT COUNT(*) FROM property p WHERE TO_CHAR(p.listed_on, 'YYYY-MM') = m.month) AS listed, (SELECT COUNT(*) FROM viewing v WHERE TO_CHAR(v.scheduled_at, 'YYYY-MM') = m.month) AS viewed, (SELECT COUNT(*) FROM offer o WHERE TO_CHAR(o.offered_at, 'YYYY-MM') = m.month) AS offered, (SELECT COUNT(*) FROM sale s WHERE TO_CHAR(s.closed_on, 'YYYY-MM') = m.month) AS sold
FROM (SELECT '2023-' || LPAD(g::text, 2, '0') AS month FROM generate_series(1, 12) g) m ORDER BY m.month;

-- wish-fulfilment: How many of a client's wishes does each viewed property fulfil?
SELECT v.viewing_id, CARDINALITY(c.wants) AS wishes, (SELECT COUNT(*) FROM UNNEST(c.wants) AS w WHERE (w = 'garden' AND p.has_garden) OR (w = 'garage' AND p.has_garage) OR (w = 'pool' AND p.has_pool)) AS fulfilled FROM viewing v JOIN client c USING (client_id) JOIN property p USING (property_id) WHERE CARDINALITY(c.wants) > 0 ORDER BY fulfilled DESC, v.viewing_id LIMIT 15;

-- outlier-viewers: Clients with more viewings than twice the median
WITH n AS (SELECT client_id, COUNT(*) AS k FROM viewing GROUP BY client_id), m AS (SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY k) AS med FROM n) SELECT n.client_id, n.k, m.med FROM n, m WHERE n.k > 1.5 * m.med ORDER BY n.k DESC, 1;

-- offer-vs-budget: Offers above the bidder's budget
SELECT o.offer_id, o.amount, c.budget_max, ROUND(o.amount / c.budget_max * 100 - 100, 1) AS over_pct FROM offer o JOIN client c ON c.client_id = o.client_id AND o.amount > c.budget_max ORDER BY over_pct DESC, 1 LIMIT 10;

-- cascade: Regions with all properties below them, empty ones included
WITH RECURSIVE t AS (SELECT region_id AS top, region_id FROM region UNION ALL SELECT t.top, r.region_id FROM t JOIN region r ON r.parent_id = t.region_id)
SELECT r.level, r.name, COUNT(p.property_id) AS properties, COALESCE(SUM(p.area_m2), 0) AS m2 FROM region r JOIN t ON t.top = r.region_id LEFT JOIN property p ON p.region_id = t.region_id GROUP BY r.region_id ORDER BY properties DESC, r.region_id;

-- distance-matrix: Distances between the sold properties of one agent
SELECT a.property_id AS a, b.property_id AS b, ROUND((SQRT(((a.lat - b.lat) * 111.2)::float8 ^ 2 + ((a.lon - b.lon) * 72.4)::float8 ^ 2))::numeric, 1) AS km FROM property a JOIN property b ON a.property_id < b.property_id AND a.agent_id = b.agent_id WHERE a.property_id IN (SELECT property_id FROM sale) AND b.property_id IN (SELECT property_id FROM sale) AND a.lat IS NOT NULL AND b.lat IS NOT NULL AND a.lon IS NOT NULL AND b.lon IS NOT NULL AND a.agent_id <= 3 ORDER BY km, 1, 2 LIMIT 10;

-- text-similarity: Streets that begin alike
SELECT DISTINCT a.street, b.street AS other, LEFT(a.street, 3) AS prefix FROM property a JOIN property b ON LEFT(a.street, 1) = LEFT(b.street, 1) AND a.street < b.street ORDER BY 1, 2;

-- starts-with: Properties in streets by several tests of prefixes
SELECT COUNT(*) FILTER (WHERE street LIKE 'A%') AS by_like, COUNT(*) FILTER (WHERE STARTS_WITH(street, 'A')) AS by_function, COUNT(*) FILTER (WHERE LEFT(street, 1) = 'A') AS by_left, COUNT(*) FILTER (WHERE street ~ '^A') AS by_regex, COUNT(*) FILTER (WHERE street ^@ 'A') AS by_operator FROM property;

-- split-and-count: Words of the descriptions with their frequency
SELECT w.word, COUNT(*) AS n FROM property p CROSS JOIN LATERAL UNNEST(STRING_TO_ARRAY(LOWER(TRANSLATE(p.description, '.,;!()', '')), ' ')) AS w(word) WHERE LENGTH(w.word) > 3 GROUP BY w.word ORDER BY n DESC, w.word LIMIT 15;

-- padding: A price list with padded columns
SELECT RPAD(COALESCE(LEFT(p.street, 12), '-'), 14, '.') || LPAD(TO_CHAR(c.price, 'FM9999999990'), 9) AS line FROM property p JOIN price_change c ON c.property_id = p.property_id AND c.changed_on = p.listed_on WHERE p.property_id <= 10 ORDER BY p.property_id;

-- boolean-aggregates: Boolean aggregates per kind, with NULLs in between
SELECT LOWER(kind) AS kind, BOOL_AND(has_garden) AS all_gardens, BOOL_OR(has_pool) AS any_pool, BOOL_AND(has_pool) AS all_pools, EVERY(area_m2 > 20) AS all_large, COUNT(has_pool) AS known FROM property GROUP BY LOWER(kind) ORDER BY 1;

-- having-without-group: One row if there are enough sales
SELECT SUM(price) AS volume, COUNT(*) AS n FROM sale HAVING COUNT(*) > 5;

-- null-arithmetic: What NULL does in sums, averages, comparisons and texts
SELECT COUNT(*) FILTER (WHERE plot_m2 > 1000) AS large, COUNT(*) FILTER (WHERE NOT plot_m2 > 1000) AS not_large, COUNT(*) FILTER (WHERE plot_m2 IS NULL) AS unknown, SUM(plot_m2 + area_m2) AS both_known, SUM(plot_m2) + SUM(area_m2) AS each_known, COUNT(*) FILTER (WHERE 'x' || plot_m2 IS NULL) AS null_text FROM property;

-- not-in-null: A NOT IN over a list with NULL finds nothing
SELECT (SELECT COUNT(*) FROM agent WHERE agent_id NOT IN (SELECT agent_id FROM property)) AS by_not_in, (SELECT COUNT(*) FROM agent a WHERE NOT EXISTS (SELECT 1 FROM property p WHERE p.agent_id = a.agent_id)) AS by_not_exists;

-- union-types: Numbers of several types in one column
SELECT 'bedrooms' AS what, bedrooms AS value FROM property WHERE property_id = 1 UNION ALL SELECT 'bathrooms', bathrooms FROM property WHERE property_id = 3 UNION ALL SELECT 'plot', plot_m2 FROM property WHERE property_id = 5 UNION ALL SELECT 'half', 0.5 ORDER BY what;

-- case-types: A CASE over numbers of several types
SELECT property_id, CASE WHEN property_id % 3 = 0 THEN bedrooms WHEN property_id % 3 = 1 THEN bathrooms ELSE area_m2 END AS mixed FROM property WHERE property_id <= 9 ORDER BY property_id;
