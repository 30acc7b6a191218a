-- items-per-category: Items per category, the missing category named
SELECT COALESCE(category, '(none)') AS category, COUNT(*) AS items, ROUND(AVG(weight_kg), 3) AS avg_kg
FROM items GROUP BY category ORDER BY items DESC, category;

-- volume: Volume in litres, unknown where a measure is missing
SELECT sku, length_cm::int * width_cm * height_cm / 1000.0 AS litres FROM items ORDER BY litres DESC NULLS LAST, sku LIMIT 20;

-- density: Weight per litre
SELECT sku, ROUND(weight_kg / (length_cm::int * width_cm * height_cm / 1000.0), 4) AS kg_per_litre
FROM items WHERE height_cm > 0 AND weight_kg IS NOT NULL ORDER BY 2 DESC, 1;

-- tidy-description: Descriptions without doubled and trailing blanks
SELECT sku, '[' || REGEXP_REPLACE(TRIM(description), '\s+', ' ', 'g') || ']' AS tidy FROM items WHERE description <> REGEXP_REPLACE(TRIM(description), '\s+', ' ', 'g') ORDER BY sku;

-- same-description: Descriptions that several items share after trimming
SELECT TRIM(BOTH ' ' FROM description) AS description, COUNT(*) AS n, STRING_AGG(sku, ',' ORDER BY sku) AS skus
FROM items GROUP BY 1 HAVING COUNT(*) > 1 ORDER BY n DESC, description;

-- title-case: Descriptions in title case with their words counted
SELECT DISTINCT INITCAP(LOWER(TRIM(description))) AS title, ARRAY_LENGTH(STRING_TO_ARRAY(TRIM(description), ' '), 1) AS words FROM items ORDER BY 1;

-- percent-in-name: Descriptions with a percent sign
SELECT sku, description FROM items WHERE description LIKE '%!%%' ESCAPE '!' ORDER BY sku;

-- price-format: List prices as they are printed on labels
SELECT sku, TO_CHAR(list_price, 'FM999,990.00') AS label FROM items WHERE list_price IS NOT NULL ORDER BY list_price DESC, sku LIMIT 10;

-- price-bands: Items by price band
SELECT CASE WHEN list_price < 50 THEN '0-50' WHEN list_price < 100 THEN '50-100' WHEN list_price < 250 THEN '100-250' WHEN list_price >= 250 THEN '250+' END AS band, COUNT(*)
FROM items GROUP BY 1 ORDER BY MIN(list_price) NULLS LAST;

-- width-bucket: Histogram of the weights in eight buckets
SELECT WIDTH_BUCKET(weight_kg, 0, 42, 8) AS bucket, COUNT(*) AS n, MIN(weight_kg) AS lightest, MAX(weight_kg) AS heaviest
FROM items WHERE weight_kg IS NOT NULL GROUP BY 1 ORDER BY 1;

-- price-rank-in-category: Dearest item of each category, ties shared
WITH r AS (SELECT sku, category, list_price, DENSE_RANK() OVER (PARTITION BY category ORDER BY list_price DESC NULLS LAST) AS dr FROM items)
SELECT category, sku, list_price FROM r WHERE dr = 1 ORDER BY category NULLS FIRST, sku;

-- price-vs-category: Price against the category's average
SELECT sku, category, list_price, ROUND(list_price - AVG(list_price) OVER (PARTITION BY category), 2) AS diff,
       ROUND(100 * list_price / AVG(list_price) OVER (PARTITION BY category) - 100, 1) AS diff_pct
FROM items ORDER BY sku;

-- missing-data: Which values are missing, per column?
SELECT COUNT(*) - COUNT(category) AS category, COUNT(*) - COUNT(weight_kg) AS weight, COUNT(*) - COUNT(height_cm) AS height, SUM((list_price IS NULL)::int) AS price FROM items;

-- hazardous-share: Share of hazardous items per unit
SELECT unit, ROUND(AVG(CASE WHEN hazardous THEN 1.0 ELSE 0.0 END) * 100, 1) AS hazardous_pct, BOOL_OR(hazardous) AS any_hazard, EVERY(hazardous) AS all_hazard
FROM items GROUP BY unit ORDER BY unit;

-- longest-side: Longest and shortest side
SELECT sku, GREATEST(length_cm, width_cm, height_cm) AS longest, LEAST(length_cm, width_cm, height_cm) AS shortest FROM items ORDER BY longest DESC, shortest, sku LIMIT 12;

-- not-equal-null: Items not in the category toys — the ones without category are lost here
SELECT COUNT(*) AS strict FROM items WHERE category <> 'toys';

-- distinct-from: ... and here they are kept
SELECT COUNT(*) AS lenient FROM items WHERE category IS DISTINCT FROM 'toys';

-- sku-numbers: Numbers of the SKUs, and the gaps between items ever shipped
WITH used AS (SELECT DISTINCT CAST(RIGHT(sku, 4) AS INT) AS n FROM shipment_lines)
SELECT n, n - LAG(n) OVER (ORDER BY n) AS step FROM used ORDER BY n;

-- never-shipped: Items that were never shipped in large quantities
SELECT sku FROM items EXCEPT SELECT sku FROM shipment_lines WHERE quantity > 30 ORDER BY 1;

-- shipped-together: Pairs of items that travel together most often
SELECT a.sku AS left_sku, b.sku AS right_sku, COUNT(*) AS together
FROM shipment_lines a JOIN shipment_lines b ON a.shipment_id = b.shipment_id AND a.sku < b.sku
GROUP BY 1, 2 HAVING COUNT(*) > 1 ORDER BY together DESC, left_sku, right_sku LIMIT 20;

-- best-sellers: Most shipped items with cumulative share
SELECT sku, pieces, SUM(pieces) OVER (ORDER BY pieces DESC, sku) AS running, ROUND(SUM(pieces) OVER (ORDER BY pieces DESC, sku) * 100.0 / SUM(pieces) OVER (), 1) AS running_pct
FROM (SELECT sku, SUM(quantity) AS pieces FROM shipment_lines GROUP BY sku) t ORDER BY pieces DESC, sku LIMIT 15;

-- lines-per-shipment: Distribution of the number of lines
SELECT lines, COUNT(*) AS shipments FROM (SELECT s.shipment_id, COUNT(l.line_no) AS lines FROM shipments s LEFT JOIN shipment_lines l USING (shipment_id) GROUP BY s.shipment_id) x GROUP BY lines ORDER BY lines;

-- line-gaps: Shipments whose line numbers are not 1 to n
SELECT shipment_id FROM shipment_lines GROUP BY shipment_id HAVING MAX(line_no) <> COUNT(*) OR MIN(line_no) <> 1 ORDER BY 1;

-- mode-of-unit: The most frequent unit per category
SELECT category, MODE() WITHIN GROUP (ORDER BY unit) AS usual_unit, COUNT(*) AS n FROM items WHERE category IS NOT NULL GROUP BY category HAVING COUNT(*) > 2 ORDER BY category;

-- parse-sku: SKUs taken apart
SELECT sku, STRPOS(sku, '-') AS dash, LPAD(LTRIM(SPLIT_PART(sku, '-', 2), '0'), 6, '*') AS padded, OVERLAY(sku PLACING '#' FROM 4 FOR 1) AS overlaid, TRANSLATE(sku, 'SKU', 'xyz') AS translated FROM items ORDER BY sku LIMIT 8;

-- stats: Spread of the weights
SELECT ROUND(STDDEV(weight_kg), 4) AS sd, ROUND(VAR_POP(weight_kg), 4) AS var_pop, ROUND(CORR(weight_kg::float8, list_price::float8)::numeric, 6) AS corr FROM items;

-- freight-class: Freight class by volumetric weight
SELECT freight_class, COUNT(*) AS items, ROUND(AVG(chargeable), 2) AS avg_chargeable
FROM (
  SELECT sku, GREATEST(weight_kg, length_cm::int * width_cm * height_cm / 5000.0) AS chargeable,
         CASE WHEN GREATEST(weight_kg, length_cm::int * width_cm * height_cm / 5000.0) > 30 THEN 'heavy'
              WHEN GREATEST(weight_kg, length_cm::int * width_cm * height_cm / 5000.0) > 5 THEN 'medium' ELSE 'light' END AS freight_class
  FROM items
) c
GROUP BY freight_class ORDER BY avg_chargeable DESC;
