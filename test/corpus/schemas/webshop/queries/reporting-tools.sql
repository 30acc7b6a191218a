-- weeks-of-orders: Orders per week, as a reporting tool groups a time by week
SELECT DATE_TRUNC('week', "source"."placed_at") AS "placed_at", COUNT(*) AS "count"
FROM (SELECT "orders"."order_id" AS "order_id", "orders"."placed_at" AS "placed_at" FROM "orders") AS "source"
GROUP BY DATE_TRUNC('week', "source"."placed_at")
ORDER BY DATE_TRUNC('week', "source"."placed_at") ASC;

-- sunday-weeks: Orders per week that begins on Sunday
SELECT CAST(DATE_TRUNC('week', placed_at + INTERVAL '1 day') - INTERVAL '1 day' AS DATE) AS week_start, COUNT(*) AS orders
FROM orders
GROUP BY CAST(DATE_TRUNC('week', placed_at + INTERVAL '1 day') - INTERVAL '1 day' AS DATE)
ORDER BY 1;

-- week-of-year: Orders by ISO week within each year
SELECT EXTRACT(isoyear FROM placed_at) AS "Year", EXTRACT(week FROM placed_at) AS "Week", COUNT(DISTINCT customer_id) AS "Buyers"
FROM orders
GROUP BY EXTRACT(isoyear FROM placed_at), EXTRACT(week FROM placed_at)
ORDER BY 1, 2;

-- price-bins: Products by price in bins of 50, as a histogram asks
SELECT FLOOR(price / 50.0) * 50.0 AS bin, COUNT(*) AS products
FROM products
GROUP BY FLOOR(price / 50.0) * 50.0
ORDER BY bin;

-- price-bins-shifted: The same bins beginning at 10
SELECT FLOOR((price - 10) / 25) * 25 + 10 AS "bin", MIN(price) AS "least", MAX(price) AS "most"
FROM products
GROUP BY FLOOR((price - 10) / 25) * 25 + 10
ORDER BY "bin";

-- fee-bands: Orders by a custom group of their shipping fee
SELECT CASE WHEN shipping_fee = 0 THEN 'free' WHEN shipping_fee < 5 THEN 'below 5' WHEN shipping_fee < 10 THEN '5 to 10' ELSE '10 and more' END AS "Fee",
       COUNT(*) AS "Orders", SUM(shipping_fee) AS "Fees"
FROM orders
GROUP BY 1
ORDER BY 1;

-- relative-quarter: Orders of the quarter before the newest order's
SELECT COUNT(*) AS orders
FROM orders
WHERE placed_at >= (SELECT DATE_TRUNC('quarter', MAX(placed_at)) - INTERVAL '3 months' FROM orders)
  AND placed_at < (SELECT DATE_TRUNC('quarter', MAX(placed_at)) FROM orders);

-- last-thirty-days: Orders per day of the thirty days up to a fixed day
SELECT CAST(placed_at AS DATE) AS day, COUNT(*) AS orders
FROM orders
WHERE placed_at >= CAST('2024-02-15' AS DATE) - INTERVAL '30 days' AND placed_at < CAST('2024-02-15' AS DATE) + INTERVAL '1 day'
GROUP BY CAST(placed_at AS DATE)
ORDER BY day;

-- year-to-date: Orders of a year to date beside the same days of the year before
SELECT EXTRACT(year FROM placed_at) AS y, COUNT(*) AS orders
FROM orders
WHERE EXTRACT(year FROM placed_at) IN (2023, 2024)
  AND (EXTRACT(month FROM placed_at) < 3 OR (EXTRACT(month FROM placed_at) = 3 AND EXTRACT(day FROM placed_at) <= 15))
GROUP BY EXTRACT(year FROM placed_at)
ORDER BY y;

-- wrapped-measure: A measure filtered by a query around it
SELECT "t0"."country", "t0"."orders"
FROM (
  SELECT "c"."country" AS "country", COUNT("o"."order_id") AS "orders"
  FROM "customers" "c" LEFT JOIN "orders" "o" ON "o"."customer_id" = "c"."customer_id"
  GROUP BY "c"."country"
) "t0"
WHERE "t0"."orders" > 5
ORDER BY "t0"."orders" DESC, "t0"."country" NULLS LAST
LIMIT 1001;

-- two-levels-of-measures: The average number of orders of a buyer by country
SELECT country, AVG(1.0 * orders) AS orders_of_a_buyer, MAX(orders) AS most
FROM (
  SELECT c.country, c.customer_id, COUNT(*) AS orders
  FROM customers c JOIN orders o ON o.customer_id = c.customer_id
  GROUP BY c.country, c.customer_id
) per_buyer
GROUP BY country
ORDER BY country;

-- top-others: Revenue of the three best categories and of the others together
WITH revenue AS (
  SELECT COALESCE(p.category_id, 0) AS category, SUM(l.quantity * l.unit_price) AS revenue
  FROM order_lines l JOIN products p ON p.product_id = l.product_id
  GROUP BY COALESCE(p.category_id, 0)
), ranked AS (
  SELECT category, revenue, ROW_NUMBER() OVER (ORDER BY revenue DESC, category) AS place FROM revenue
)
SELECT CASE WHEN place <= 3 THEN 'first ' || CAST(place AS VARCHAR) ELSE 'others' END AS label, SUM(revenue) AS revenue
FROM ranked
GROUP BY CASE WHEN place <= 3 THEN 'first ' || CAST(place AS VARCHAR) ELSE 'others' END
ORDER BY label;

-- share-of-cancelled: The share of cancelled orders by country
SELECT c.country, 1.0 * SUM(CASE WHEN o.status = 'cancelled' THEN 1 ELSE 0 END) / NULLIF(COUNT(*), 0) AS share
FROM orders o JOIN customers c ON c.customer_id = o.customer_id
GROUP BY c.country
HAVING COUNT(*) >= 3
ORDER BY c.country;

-- margin: The margin of each product that has a cost
SELECT sku, (price - cost) / NULLIF(price, 0) AS margin
FROM products
WHERE cost IS NOT NULL
ORDER BY margin DESC, sku
LIMIT 20;

-- share-of-month: Each status's share of its month's orders
SELECT DATE_TRUNC('month', placed_at) AS month, status, COUNT(*) AS orders,
       100.0 * COUNT(*) / SUM(COUNT(*)) OVER (PARTITION BY DATE_TRUNC('month', placed_at)) AS percent
FROM orders
GROUP BY DATE_TRUNC('month', placed_at), status
ORDER BY month, status;

-- change-to-last-month: Orders of each month and the change to the month before
SELECT month, orders, orders - LAG(orders) OVER (ORDER BY month) AS change
FROM (SELECT DATE_TRUNC('month', placed_at) AS month, COUNT(*) AS orders FROM orders GROUP BY 1) m
ORDER BY month;

-- distinct-list: The values of a filter, as a picker asks for them
SELECT DISTINCT status AS status FROM orders ORDER BY status ASC LIMIT 1000;

-- picker-search: The values of a filter that hold what somebody typed
SELECT country FROM customers WHERE LOWER(country) LIKE '%' || LOWER('e') || '%' GROUP BY country ORDER BY country LIMIT 20;

-- range-of-filter: The ends of a slider
SELECT MIN(placed_at) AS first, MAX(placed_at) AS last, MIN(shipping_fee) AS least, MAX(shipping_fee) AS most FROM orders;

-- probe-of-columns: The columns alone, as a tool asks before it draws
SELECT * FROM (SELECT order_id, status, shipping_fee FROM orders) AS virtual_table LIMIT 0;

-- true-and-false: A filter that a tool writes by its own constants
SELECT COUNT(*) AS n FROM customers WHERE (1 = 1) AND (newsletter = TRUE) AND NOT (1 = 0);

-- filter-of-many: A filter by a list that holds NULL and another text
SELECT source, COUNT(*) AS n FROM customers WHERE (source IN ('ads', 'email', 'organic') OR source IS NULL) GROUP BY source ORDER BY source;

-- pivot: Orders by country, a column for each status
SELECT c.country,
       COUNT(CASE WHEN o.status = 'paid' THEN 1 END) AS paid,
       COUNT(CASE WHEN o.status = 'shipped' THEN 1 END) AS shipped,
       COUNT(CASE WHEN o.status = 'cancelled' THEN 1 END) AS cancelled
FROM customers c JOIN orders o ON o.customer_id = c.customer_id
GROUP BY c.country
ORDER BY c.country;

-- totals-beside: Orders by country and all of them in a row more
SELECT country, n FROM (
  SELECT c.country AS country, COUNT(*) AS n, 0 AS place FROM customers c JOIN orders o ON o.customer_id = c.customer_id GROUP BY c.country
  UNION ALL
  SELECT 'all', COUNT(*), 1 FROM customers c JOIN orders o ON o.customer_id = c.customer_id
) t
ORDER BY place, country;
