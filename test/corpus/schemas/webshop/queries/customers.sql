-- top-customers: The ten customers who spent most
SELECT c.customer_id, c.name, SUM(l.quantity * l.unit_price * (1 - l.discount)) AS spent
FROM customers c
JOIN orders o ON o.customer_id = c.customer_id
JOIN order_lines l ON l.order_id = o.order_id
WHERE o.status NOT IN ('cancelled', 'pending')
GROUP BY c.customer_id, c.name
ORDER BY spent DESC, c.customer_id
LIMIT 10;

-- never-ordered: Customers who signed up and never ordered
SELECT c.customer_id, c.name, c.created_at::date AS signed_up
FROM customers c
LEFT JOIN orders o ON c.customer_id = o.customer_id
WHERE o.order_id IS NULL
ORDER BY signed_up, c.customer_id;

-- not-in-trap: Customers without orders by NOT IN, which the orders without customer empty
SELECT customer_id FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders);

-- first-order-cohort: Customers by the month of their first order
SELECT TO_CHAR(first_order, 'YYYY-MM') AS cohort, COUNT(*) AS customers
FROM (SELECT customer_id, MIN(placed_at) AS first_order FROM orders WHERE customer_id IS NOT NULL GROUP BY customer_id) f
GROUP BY TO_CHAR(first_order, 'YYYY-MM')
ORDER BY cohort;

-- retention-matrix: Monthly retention of the cohorts of 2023 for half a year
WITH first_orders AS (
    SELECT customer_id, DATE_TRUNC('month', MIN(placed_at)) AS cohort_month
    FROM orders
    WHERE customer_id IS NOT NULL
    GROUP BY customer_id
),
activity AS (
    SELECT DISTINCT o.customer_id, DATE_TRUNC('month', o.placed_at) AS active_month
    FROM orders o
    WHERE o.customer_id IS NOT NULL
),
offsets AS (
    SELECT
        f.cohort_month,
        a.customer_id,
        (EXTRACT(YEAR FROM a.active_month) - EXTRACT(YEAR FROM f.cohort_month)) * 12
          + (EXTRACT(MONTH FROM a.active_month) - EXTRACT(MONTH FROM f.cohort_month)) AS month_number
    FROM first_orders f
    JOIN activity a ON a.customer_id = f.customer_id
)
SELECT
    TO_CHAR(cohort_month, 'YYYY-MM') AS cohort,
    COUNT(DISTINCT CASE WHEN month_number = 0 THEN customer_id END) AS m0,
    COUNT(DISTINCT CASE WHEN month_number = 1 THEN customer_id END) AS m1,
    COUNT(DISTINCT CASE WHEN month_number = 2 THEN customer_id END) AS m2,
    COUNT(DISTINCT CASE WHEN month_number = 3 THEN customer_id END) AS m3,
    ROUND(100.0 * COUNT(DISTINCT CASE WHEN month_number = 3 THEN customer_id END)
          / NULLIF(COUNT(DISTINCT CASE WHEN month_number = 0 THEN customer_id END), 0), 1) AS m3_pct
FROM offsets
WHERE cohort_month < '2024-01-01'
GROUP BY cohort_month
ORDER BY cohort_month;

-- days-between-orders: Average days between the orders of each customer with at least three
WITH gaps AS (
  SELECT customer_id, placed_at,
         EXTRACT(EPOCH FROM placed_at - LAG(placed_at) OVER (PARTITION BY customer_id ORDER BY placed_at)) / 86400 AS gap_days
  FROM orders
  WHERE customer_id IS NOT NULL
)
SELECT customer_id, COUNT(*) AS orders, ROUND(AVG(gap_days)::numeric, 2) AS avg_gap
FROM gaps
GROUP BY customer_id
HAVING COUNT(*) >= 3
ORDER BY avg_gap, customer_id;

-- second-order: The date of the second order, NULL where there is none
SELECT c.customer_id, (
  SELECT o.placed_at FROM orders o WHERE o.customer_id = c.customer_id ORDER BY o.placed_at, o.order_id OFFSET 1 LIMIT 1
) AS second_order
FROM customers c
WHERE c.customer_id <= 60
ORDER BY c.customer_id;

-- rfm: Recency, frequency and money in quintiles as of New Year 2025
WITH base AS (
    SELECT o.customer_id,
           DATE '2025-01-01' - MAX(o.placed_at)::date AS recency,
           COUNT(DISTINCT o.order_id) AS frequency,
           SUM(l.quantity * l.unit_price) AS monetary
    FROM orders o
    JOIN order_lines l ON l.order_id = o.order_id
    WHERE o.customer_id IS NOT NULL AND o.status <> 'cancelled'
    GROUP BY o.customer_id
),
scored AS (
    SELECT customer_id,
           NTILE(5) OVER (ORDER BY recency DESC, customer_id) AS r,
           NTILE(5) OVER (ORDER BY frequency, customer_id) AS f,
           NTILE(5) OVER (ORDER BY monetary, customer_id) AS m
    FROM base
)
SELECT r || '-' || f || '-' || m AS segment, COUNT(*) AS customers
FROM scored
GROUP BY r, f, m
ORDER BY customers DESC, segment
LIMIT 15;

-- name-parts: First and last word of the names, blanks cleaned
SELECT customer_id,
       SPLIT_PART(REGEXP_REPLACE(TRIM(name), '\s+', ' ', 'g'), ' ', 1) AS first,
       NULLIF(SPLIT_PART(REGEXP_REPLACE(TRIM(name), '\s+', ' ', 'g'), ' ', 2), '') AS last
FROM customers
ORDER BY customer_id
LIMIT 40;

-- phone-digits: Phone numbers reduced to their digits
SELECT DISTINCT phone, REGEXP_REPLACE(phone, '[^0-9]', '', 'g') AS digits, phone ~ '^\+' AS international
FROM customers
WHERE phone IS NOT NULL;

-- signups-by-source: Sign-ups by source and month with the source's share
SELECT DATE_TRUNC('month', created_at)::date AS month,
       LOWER(COALESCE(source, '(none)')) AS source,
       COUNT(*) AS signups,
       ROUND(COUNT(*)::numeric / SUM(COUNT(*)) OVER (PARTITION BY DATE_TRUNC('month', created_at)), 3) AS share
FROM customers
WHERE created_at BETWEEN '2023-01-01' AND '2023-12-31 23:59:59'
GROUP BY DATE_TRUNC('month', created_at), LOWER(COALESCE(source, '(none)'))
ORDER BY 1, 2;

-- duplicate-emails: Addresses that occur more than once when the case is ignored
SELECT LOWER(email) AS email, COUNT(*) AS n, MIN(customer_id) AS first_id
FROM customers
WHERE email IS NOT NULL
GROUP BY LOWER(email)
HAVING COUNT(*) > 1
ORDER BY n DESC, email;

-- empty-or-null-city: Empty, missing and given cities
SELECT COUNT(*) FILTER (WHERE city IS NULL) AS missing,
       COUNT(*) FILTER (WHERE city = '') AS empty,
       COUNT(*) FILTER (WHERE city <> '') AS given,
       COUNT(NULLIF(city, '')) AS given_too
FROM customers;

-- customer-lifetime: Days between sign-up and the last order; negative where the order came first
SELECT c.customer_id, c.created_at::date AS since, MAX(o.placed_at)::date AS last_order,
       MAX(o.placed_at)::date - c.created_at::date AS days
FROM customers c
JOIN orders o ON o.customer_id = c.customer_id
GROUP BY c.customer_id, c.created_at
ORDER BY days DESC, c.customer_id
LIMIT 25;

-- churned: Customers whose last order is more than 180 days before the end of 2024
SELECT o.customer_id, MAX(o.placed_at) AS last_order
FROM orders o
WHERE o.customer_id IS NOT NULL
GROUP BY o.customer_id
HAVING MAX(o.placed_at) < TIMESTAMP '2024-12-31 00:00:00' - INTERVAL '180 days'
ORDER BY last_order, o.customer_id;

-- bought-both: Customers who bought from both Audio and Coffee
SELECT DISTINCT o.customer_id
FROM orders o
JOIN order_lines l USING (order_id)
JOIN products p USING (product_id)
WHERE p.category_id = 4
INTERSECT
SELECT o.customer_id
FROM orders o
JOIN order_lines l USING (order_id)
JOIN products p USING (product_id)
WHERE p.category_id = 7
ORDER BY customer_id NULLS LAST;

-- same-city-pairs: Pairs of customers of the same city and country
SELECT a.customer_id AS a, b.customer_id AS b, a.city
FROM customers a
JOIN customers b ON a.city = b.city AND a.country = b.country AND a.customer_id < b.customer_id
WHERE a.city <> ''
ORDER BY a.customer_id, b.customer_id
LIMIT 50;

-- new-vs-returning: Orders of new and of returning customers per month
SELECT TO_CHAR(o.placed_at, 'YYYY-MM') AS month,
       COUNT(*) FILTER (WHERE o.nth = 1) AS new_customers,
       COUNT(*) FILTER (WHERE o.nth > 1) AS returning
FROM (
  SELECT placed_at, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at, order_id) AS nth
  FROM orders
  WHERE customer_id IS NOT NULL
) o
GROUP BY TO_CHAR(o.placed_at, 'YYYY-MM')
ORDER BY month;

-- favourite-category: The category each customer buys most from
WITH bought AS (
    SELECT o.customer_id, p.category_id, SUM(l.quantity) AS items
    FROM orders o
    JOIN order_lines l ON l.order_id = o.order_id
    JOIN products p ON p.product_id = l.product_id
    WHERE o.customer_id IS NOT NULL AND p.category_id IS NOT NULL
    GROUP BY o.customer_id, p.category_id
)
SELECT b.customer_id, c.name AS category, b.items
FROM bought b
JOIN categories c ON c.category_id = b.category_id
WHERE NOT EXISTS (
    SELECT 1 FROM bought x
    WHERE x.customer_id = b.customer_id AND (x.items > b.items OR (x.items = b.items AND x.category_id < b.category_id))
)
ORDER BY b.customer_id;

-- orders-in-30-days: Customers who ordered within 30 days of signing up
SELECT COUNT(DISTINCT c.customer_id) AS converted,
       COUNT(DISTINCT c.customer_id) * 1.0 / (SELECT COUNT(*) FROM customers) AS rate
FROM customers c
JOIN orders o ON o.customer_id = c.customer_id
  AND o.placed_at >= c.created_at
  AND o.placed_at < c.created_at + INTERVAL '30 days';

-- percentile-spend: The 50th, 90th and 99th percentile of spending per customer
SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY spent) AS p50,
       PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY spent) AS p90,
       PERCENTILE_DISC(0.99) WITHIN GROUP (ORDER BY spent) AS p99
FROM (
    SELECT o.customer_id, SUM(l.quantity * l.unit_price)::float8 AS spent
    FROM orders o JOIN order_lines l ON l.order_id = o.order_id
    GROUP BY o.customer_id
) s;

-- greeting-lines: A greeting per customer with title case and fallback
SELECT customer_id,
       CONCAT('Dear ', INITCAP(TRIM(name)), COALESCE(' of ' || NULLIF(city, ''), ''), ',') AS greeting
FROM customers
ORDER BY customer_id
LIMIT 30;

-- activity-days: On how many different days did each customer order, and what was the longest pause?
WITH days AS (
    SELECT DISTINCT customer_id, placed_at::date AS day
    FROM orders
    WHERE customer_id IS NOT NULL
), paused AS (
    SELECT customer_id, day, day - LAG(day) OVER (PARTITION BY customer_id ORDER BY day) AS pause
    FROM days
)
SELECT customer_id, COUNT(*) AS days, MAX(pause) AS longest_pause
FROM paused
GROUP BY customer_id
ORDER BY longest_pause DESC NULLS LAST, customer_id
LIMIT 25;
