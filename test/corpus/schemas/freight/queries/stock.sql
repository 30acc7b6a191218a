-- below-reorder: What must be ordered again?
SELECT warehouse_code, sku, on_hand, reserved, on_hand - reserved AS available, reorder_point
FROM stock
WHERE on_hand - reserved < reorder_point
ORDER BY warehouse_code, sku;

-- stock-value: Value of the stock per warehouse
SELECT st.warehouse_code, SUM(st.on_hand * i.list_price) AS value, COUNT(*) FILTER (WHERE i.list_price IS NULL) AS without_price
FROM stock st
JOIN items i ON i.sku = st.sku
GROUP BY st.warehouse_code
ORDER BY value DESC;

-- zero-stock: Items out of stock everywhere they are kept
SELECT sku FROM stock GROUP BY sku HAVING MAX(on_hand) = 0 OR BOOL_AND(on_hand = 0) ORDER BY sku;

-- kept-everywhere: Items that at least five warehouses keep
SELECT i.sku, TRIM(i.description) AS description, COUNT(*) AS places
FROM items i JOIN stock s USING (sku)
GROUP BY i.sku, i.description
HAVING COUNT(*) >= 5
ORDER BY places DESC, i.sku;

-- not-kept: Items that no warehouse keeps
SELECT i.sku FROM items i LEFT JOIN stock s ON s.sku = i.sku WHERE s.sku IS NULL ORDER BY 1;

-- division-trap: Share of reserved pieces as integer and as decimal division
SELECT warehouse_code, sku, reserved / on_hand AS int_div, reserved % on_hand AS remainder, reserved::numeric / on_hand AS exact, ROUND(reserved * 1.0 / on_hand, 3) AS rounded
FROM stock WHERE on_hand > 0 AND reserved > 0
ORDER BY rounded DESC, warehouse_code, sku LIMIT 20;

-- bins: Aisle, rack and level of the bins
SELECT bin, SPLIT_PART(bin, '-', 1) AS aisle, SPLIT_PART(bin, '-', 2)::int AS rack, SPLIT_PART(bin, '-', 3)::int AS level, COUNT(*) AS places
FROM stock GROUP BY bin ORDER BY aisle, rack, level LIMIT 60;

-- aisle-usage: Pieces per aisle and warehouse, as a pivot
SELECT warehouse_code,
       SUM(on_hand) FILTER (WHERE bin LIKE 'A-%') AS aisle_a,
       SUM(on_hand) FILTER (WHERE bin LIKE 'B-%') AS aisle_b,
       SUM(on_hand) FILTER (WHERE bin LIKE 'C-%') AS aisle_c
FROM stock GROUP BY warehouse_code ORDER BY warehouse_code;

-- stale-counts: Places not counted in 2024, oldest first, never counted ones before all
SELECT warehouse_code, sku, last_counted
FROM stock
WHERE last_counted < DATE '2024-01-01' OR last_counted IS NULL
ORDER BY last_counted ASC NULLS FIRST, warehouse_code, sku;

-- count-age: Age of the counts in months and days on April 1st
SELECT warehouse_code, sku, AGE(DATE '2024-04-01', last_counted) AS age
FROM stock WHERE last_counted IS NOT NULL
ORDER BY last_counted, warehouse_code, sku LIMIT 15;

-- moves-balance: Sum of moves per place against the stock on hand
SELECT s.warehouse_code, s.sku, s.on_hand, COALESCE(SUM(m.quantity), 0) AS moved, s.on_hand - COALESCE(SUM(m.quantity), 0) AS difference
FROM stock s
LEFT JOIN stock_moves m ON m.warehouse_code = s.warehouse_code AND m.sku = s.sku
GROUP BY s.warehouse_code, s.sku
ORDER BY difference, s.warehouse_code, s.sku
LIMIT 30;

-- running-balance: Running balance of the busiest place
WITH busiest AS (
  SELECT warehouse_code, sku FROM stock_moves GROUP BY 1, 2 ORDER BY COUNT(*) DESC, 1, 2 LIMIT 1
)
SELECT m.move_id, m.moved_at, m.kind, m.quantity,
       SUM(m.quantity) OVER (ORDER BY m.moved_at, m.move_id ROWS UNBOUNDED PRECEDING) AS balance
FROM stock_moves m
JOIN busiest b ON (m.warehouse_code, m.sku) = (b.warehouse_code, b.sku)
ORDER BY m.moved_at, m.move_id;

-- inout-per-week: Pieces in and out per week
SELECT date_trunc('week', moved_at)::date AS week,
       SUM(CASE WHEN quantity > 0 THEN quantity ELSE 0 END) AS pieces_in,
       -SUM(CASE WHEN quantity < 0 THEN quantity ELSE 0 END) AS pieces_out,
       SUM(quantity) AS net
FROM stock_moves
WHERE kind != 'adjust'
GROUP BY 1 ORDER BY 1;

-- abc-analysis: ABC classes by stock value
WITH item_value AS (
    SELECT s.sku, SUM(s.on_hand * COALESCE(i.list_price, 0)) AS value
    FROM stock s
    JOIN items i ON i.sku = s.sku
    GROUP BY s.sku
),
cumulative AS (
    SELECT sku, value,
           SUM(value) OVER (ORDER BY value DESC, sku) AS running,
           SUM(value) OVER () AS total
    FROM item_value
),
classified AS (
    SELECT sku, value, ROUND(running / NULLIF(total, 0) * 100, 2) AS cum_pct,
           CASE WHEN running / NULLIF(total, 0) <= 0.8 THEN 'A'
                WHEN running / NULLIF(total, 0) <= 0.95 THEN 'B'
                ELSE 'C' END AS class
    FROM cumulative
)
SELECT class, COUNT(*) AS items, SUM(value) AS value, MAX(cum_pct) AS upto_pct
FROM classified
GROUP BY class
ORDER BY class;

-- references: Purchase orders with the suffix in capitals
SELECT UPPER(reference) AS reference, COUNT(*) AS moves, SUM(quantity) AS pieces
FROM stock_moves WHERE reference IS NOT NULL
GROUP BY UPPER(reference) HAVING COUNT(*) > 2
ORDER BY 2 DESC, 1;

-- reference-number: The number within the reference, by regular expression
SELECT DISTINCT REGEXP_REPLACE(reference, '^PO-(\d+)/.*$', '\1')::integer AS po
FROM stock_moves WHERE reference IS NOT NULL ORDER BY po LIMIT 20;

-- adjustments: Adjustments by sign
SELECT SIGN(quantity)::int AS direction, COUNT(*) AS n, SUM(ABS(quantity)) AS pieces, MIN(quantity), MAX(quantity)
FROM stock_moves WHERE kind = 'adjust' GROUP BY SIGN(quantity) ORDER BY 1;

-- last-move-per-place: The last move of each place in Berlin
SELECT DISTINCT ON (sku) sku, kind, quantity, moved_at, move_id
FROM stock_moves WHERE warehouse_code = 'BER1'
ORDER BY sku, moved_at DESC, move_id DESC;

-- no-moves: Places without any move, by an anti join on two columns
SELECT warehouse_code, COUNT(*) AS quiet_places
FROM stock s
WHERE (s.warehouse_code, s.sku) NOT IN (SELECT m.warehouse_code, m.sku FROM stock_moves m)
GROUP BY warehouse_code ORDER BY quiet_places DESC, warehouse_code;

-- daily-moves-range: Moves in the seven days up to each day with moves
SELECT day, n, SUM(n) OVER (ORDER BY day RANGE BETWEEN INTERVAL '6 days' PRECEDING AND CURRENT ROW) AS n_7d
FROM (SELECT moved_at::date AS day, COUNT(*) AS n FROM stock_moves GROUP BY 1) d
ORDER BY day;

-- turnover: Days of stock left at the rate of the last ninety days
SELECT s.warehouse_code, s.sku, s.on_hand, o.out_qty,
       ROUND(s.on_hand * 91.0 / o.out_qty, 1) AS days_left
FROM stock s
JOIN (SELECT warehouse_code, sku, -SUM(quantity) AS out_qty FROM stock_moves WHERE kind = 'out' GROUP BY warehouse_code, sku) o
  USING (warehouse_code, sku)
WHERE s.on_hand > 0
ORDER BY days_left, warehouse_code, sku
LIMIT 25;

-- weekday-in-out: Cross table of kind and weekday
SELECT kind,
  COUNT(*) FILTER (WHERE EXTRACT(DOW FROM moved_at) = 0) AS sun,
  COUNT(*) FILTER (WHERE EXTRACT(DOW FROM moved_at) = 1) AS mon,
  COUNT(*) FILTER (WHERE EXTRACT(DOW FROM moved_at) IN (2, 3, 4, 5)) AS tue_fri,
  COUNT(*) FILTER (WHERE EXTRACT(DOW FROM moved_at) = 6) AS sat
FROM stock_moves GROUP BY kind ORDER BY kind;

-- cube-kind: Pieces by kind and warehouse with all totals
SELECT kind, warehouse_code, SUM(quantity) AS pieces, COUNT(*) AS moves
FROM stock_moves
GROUP BY CUBE (kind, warehouse_code)
ORDER BY kind NULLS LAST, warehouse_code NULLS LAST;

-- first-inbound: The first inbound move of each item and its share of all inbound pieces
WITH inbound AS (
  SELECT sku, quantity, moved_at, ROW_NUMBER() OVER (PARTITION BY sku ORDER BY moved_at, move_id) AS rn, SUM(quantity) OVER (PARTITION BY sku) AS total
  FROM stock_moves WHERE kind = 'in'
)
SELECT sku, moved_at, quantity, total, ROUND(quantity::decimal / total, 3) AS share FROM inbound WHERE rn = 1 ORDER BY sku;

-- fetch-first: Five largest places, ties kept
SELECT warehouse_code, sku, on_hand FROM stock ORDER BY on_hand DESC FETCH FIRST 5 ROWS WITH TIES;

-- offset-page: The third page of the stock list
SELECT warehouse_code, sku, on_hand FROM stock ORDER BY warehouse_code, sku OFFSET 20 ROWS FETCH NEXT 10 ROWS ONLY;

-- union-codes: Every code that occurs anywhere
SELECT code AS place FROM warehouses UNION SELECT warehouse_code FROM stock UNION SELECT warehouse_code FROM stock_moves ORDER BY place;

-- intersect-places: Items that Berlin and Rotterdam both keep
SELECT sku FROM stock WHERE warehouse_code = 'BER1' INTERSECT SELECT sku FROM stock WHERE warehouse_code = 'ROT1' ORDER BY sku;

-- except-places: Items that Berlin keeps and Rotterdam does not
SELECT sku FROM stock WHERE warehouse_code = 'BER1' EXCEPT SELECT sku FROM stock WHERE warehouse_code = 'ROT1' ORDER BY sku;

-- any-all: Places with more on hand than every place of Tokyo
SELECT warehouse_code, sku, on_hand FROM stock WHERE on_hand > ALL (SELECT on_hand FROM stock WHERE warehouse_code = 'TYO1') ORDER BY 3 DESC, 1, 2;
