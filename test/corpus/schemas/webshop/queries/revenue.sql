-- total-revenue: Total revenue of all orders that were not cancelled
SELECT SUM(l.quantity * l.unit_price * (1 - l.discount)) AS revenue
FROM order_lines l
JOIN orders o ON o.order_id = l.order_id
WHERE o.status <> 'cancelled';

-- revenue-per-month: Revenue per month with the number of orders
SELECT DATE_TRUNC('month', o.placed_at) AS month,
       COUNT(DISTINCT o.order_id) AS orders,
       ROUND(SUM(l.quantity * l.unit_price * (1 - l.discount)), 2) AS revenue
FROM orders o
JOIN order_lines l ON l.order_id = o.order_id
WHERE LOWER(o.status) NOT IN ('cancelled', 'pending')
GROUP BY DATE_TRUNC('month', o.placed_at)
ORDER BY month;

-- month-over-month: Month over month growth of revenue in percent
WITH monthly_revenue AS (
    SELECT
        DATE_TRUNC('month', o.placed_at) AS month,
        SUM(ol.quantity * ol.unit_price) AS revenue
    FROM orders o
    INNER JOIN order_lines ol ON o.order_id = ol.order_id
    GROUP BY DATE_TRUNC('month', o.placed_at)
),
with_previous AS (
    SELECT
        month,
        revenue,
        LAG(revenue, 1) OVER (ORDER BY month) AS previous_revenue
    FROM monthly_revenue
)
SELECT
    TO_CHAR(month, 'YYYY-MM') AS month,
    ROUND(revenue::numeric, 2) AS revenue,
    ROUND(previous_revenue::numeric, 2) AS previous_revenue,
    CASE
        WHEN previous_revenue IS NULL OR previous_revenue = 0 THEN NULL
        ELSE ROUND(((revenue - previous_revenue) / previous_revenue * 100)::numeric, 2)
    END AS growth_pct
FROM with_previous
ORDER BY month;

-- year-over-year: Each month of 2024 beside the same month of 2023
SELECT m.mon,
       SUM(CASE WHEN m.yr = 2023 THEN m.revenue ELSE 0 END) AS rev_2023,
       SUM(CASE WHEN m.yr = 2024 THEN m.revenue ELSE 0 END) AS rev_2024,
       SUM(CASE WHEN m.yr = 2024 THEN m.revenue ELSE -m.revenue END) AS delta
FROM (
  SELECT EXTRACT(YEAR FROM o.placed_at) AS yr, EXTRACT(MONTH FROM o.placed_at) AS mon,
         SUM(l.quantity * l.unit_price) AS revenue
  FROM orders o, order_lines l
  WHERE o.order_id = l.order_id
  GROUP BY 1, 2
) m
GROUP BY m.mon
ORDER BY m.mon;

-- running-total: Daily revenue of March 2024 with its running total
SELECT day, revenue, SUM(revenue) OVER (ORDER BY day) AS running_total
FROM (
  SELECT o.placed_at::date AS day, SUM(l.quantity * l.unit_price) AS revenue
  FROM orders o JOIN order_lines l USING (order_id)
  WHERE o.placed_at >= '2024-03-01' AND o.placed_at < '2024-04-01'
  GROUP BY o.placed_at::date
) d
ORDER BY day;

-- year-to-date: Revenue to date within each year
SELECT month, revenue,
       SUM(revenue) OVER (PARTITION BY EXTRACT(YEAR FROM month) ORDER BY month
                          ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS ytd
FROM (
  SELECT DATE_TRUNC('month', o.placed_at)::date AS month, SUM(ol.unit_price * ol.quantity) AS revenue
  FROM order_lines ol
  LEFT JOIN orders o ON o.order_id = ol.order_id
  GROUP BY 1
) x
ORDER BY month;

-- average-order-value: Average order value per country, orders without customer apart
SELECT COALESCE(c.country, 'unknown') AS country,
       COUNT(*) AS orders,
       ROUND(AVG(v.value), 2) AS aov
FROM (
    SELECT order_id, SUM(quantity * unit_price * (1 - discount)) AS value
    FROM order_lines
    GROUP BY order_id
) v
JOIN orders o ON o.order_id = v.order_id
LEFT JOIN customers c ON c.customer_id = o.customer_id
GROUP BY COALESCE(c.country, 'unknown')
ORDER BY aov DESC, country;

-- revenue-by-category: Revenue by top-level category, subcategories included
WITH RECURSIVE roots AS (
    SELECT category_id, category_id AS root_id, name AS root_name
    FROM categories
    WHERE parent_id IS NULL
    UNION ALL
    SELECT c.category_id, r.root_id, r.root_name
    FROM categories c
    JOIN roots r ON c.parent_id = r.category_id
)
SELECT r.root_name AS category, ROUND(SUM(l.quantity * l.unit_price), 2) AS revenue
FROM order_lines l
JOIN products p ON p.product_id = l.product_id
JOIN roots r ON r.category_id = p.category_id
GROUP BY r.root_name
ORDER BY revenue DESC, category;

-- gross-margin: Margin per product where the cost is known
SELECT p.product_id, p.name,
       SUM(l.quantity * (l.unit_price * (1 - l.discount) - p.cost)) AS margin,
       ROUND(SUM(l.quantity * (l.unit_price * (1 - l.discount) - p.cost)) / NULLIF(SUM(l.quantity * l.unit_price * (1 - l.discount)), 0), 4) AS margin_ratio
FROM order_lines l
INNER JOIN products p ON p.product_id = l.product_id
WHERE p.cost IS NOT NULL
GROUP BY p.product_id, p.name
ORDER BY margin DESC, p.product_id;

-- pareto: Products that make up the first 80 % of revenue
WITH rev AS (
  SELECT product_id, SUM(quantity * unit_price) AS revenue
  FROM order_lines
  GROUP BY product_id
), cum AS (
  SELECT product_id, revenue,
         SUM(revenue) OVER (ORDER BY revenue DESC, product_id) AS cumulative,
         SUM(revenue) OVER () AS total
  FROM rev
)
SELECT product_id, revenue, ROUND(100 * cumulative / total, 2) AS cum_pct
FROM cum
WHERE cumulative - revenue < 0.8 * total
ORDER BY revenue DESC, product_id;

-- weekend-vs-weekday: Revenue on weekends and on working days
SELECT CASE WHEN EXTRACT(DOW FROM o.placed_at) IN (0, 6) THEN 'weekend' ELSE 'weekday' END AS part_of_week,
       COUNT(DISTINCT o.order_id) AS orders,
       SUM(l.quantity) AS items,
       SUM(l.quantity * l.unit_price) AS revenue
FROM orders o
JOIN order_lines l ON o.order_id = l.order_id
GROUP BY 1
ORDER BY 1;

-- grouping-sets: Revenue by country, by status, by both and in all
SELECT c.country, o.status, SUM(l.quantity * l.unit_price) AS revenue,
       GROUPING(c.country) AS g_country, GROUPING(o.status) AS g_status
FROM orders o
JOIN customers c ON c.customer_id = o.customer_id
JOIN order_lines l ON l.order_id = o.order_id
GROUP BY GROUPING SETS ((c.country), (o.status), (c.country, o.status), ())
ORDER BY g_country, g_status, c.country NULLS FIRST, o.status;

-- discount-given: Discounts given per coupon, whatever its case
SELECT UPPER(COALESCE(o.coupon, 'none')) AS coupon,
       COUNT(DISTINCT o.order_id) AS orders,
       SUM(ROUND(l.quantity * l.unit_price * l.discount, 2)) AS discount
FROM orders o JOIN order_lines l USING (order_id)
GROUP BY 1
HAVING SUM(l.quantity * l.unit_price * l.discount) > 0
ORDER BY discount DESC;

-- shipping-included: Order totals with shipping, the twenty largest
SELECT o.order_id,
       SUM(l.quantity * l.unit_price * (1 - l.discount)) + o.shipping_fee AS total
FROM orders o
JOIN order_lines l ON l.order_id = o.order_id
GROUP BY o.order_id, o.shipping_fee
ORDER BY total DESC, o.order_id
LIMIT 20;

-- quarter-pivot: Revenue per quarter as columns, one row per year
SELECT EXTRACT(YEAR FROM o.placed_at)::int AS year,
       SUM(l.quantity * l.unit_price) FILTER (WHERE EXTRACT(QUARTER FROM o.placed_at) = 1) AS q1,
       SUM(l.quantity * l.unit_price) FILTER (WHERE EXTRACT(QUARTER FROM o.placed_at) = 2) AS q2,
       SUM(l.quantity * l.unit_price) FILTER (WHERE EXTRACT(QUARTER FROM o.placed_at) = 3) AS q3,
       SUM(l.quantity * l.unit_price) FILTER (WHERE EXTRACT(QUARTER FROM o.placed_at) = 4) AS q4
FROM orders o
JOIN order_lines l ON l.order_id = o.order_id
GROUP BY 1
ORDER BY 1;

-- best-month: The best month of each year
SELECT DISTINCT ON (EXTRACT(YEAR FROM m.month)) m.month::date, m.revenue
FROM (
    SELECT date_trunc('month', placed_at) AS month, sum(quantity * unit_price) AS revenue
    FROM orders NATURAL JOIN order_lines
    GROUP BY 1
) m
ORDER BY EXTRACT(YEAR FROM m.month), m.revenue DESC;

-- moving-three-months: Three-month moving average of revenue, only where three months are there
SELECT month, revenue,
       CASE WHEN COUNT(*) OVER w = 3 THEN ROUND(AVG(revenue) OVER w, 2) END AS avg_3m
FROM (
  SELECT TO_CHAR(o.placed_at, 'YYYY-MM') AS month, SUM(l.quantity * l.unit_price) AS revenue
  FROM orders o JOIN order_lines l ON l.order_id = o.order_id
  GROUP BY TO_CHAR(o.placed_at, 'YYYY-MM')
) t
WINDOW w AS (ORDER BY month ROWS 2 PRECEDING)
ORDER BY month;

-- zero-revenue-months: Months of 2022 to 2024 without any order
SELECT gs.m::date AS month
FROM generate_series('2022-10-01'::timestamp, '2025-02-01'::timestamp, '1 month'::interval) AS gs(m)
WHERE NOT EXISTS (
  SELECT 1 FROM orders o WHERE date_trunc('month', o.placed_at) = gs.m
)
ORDER BY month;

-- superset-style: Sum of revenue as a chart tool writes it
SELECT DATE_TRUNC('quarter', placed_at) AS "__timestamp",
       status AS status,
       sum(revenue) AS "SUM(revenue)"
FROM (
  SELECT o.placed_at, o.status, l.quantity * l.unit_price AS revenue
  FROM orders o
  JOIN order_lines l ON o.order_id = l.order_id
) AS virtual_table
WHERE placed_at >= TO_TIMESTAMP('2023-07-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')
  AND placed_at < TO_TIMESTAMP('2024-07-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US')
GROUP BY DATE_TRUNC('quarter', placed_at), status
ORDER BY "SUM(revenue)" DESC
LIMIT 10000;

-- tableau-style: Revenue per category as Tableau asks for it
SELECT "t0"."name" AS "category",
  SUM(("order_lines"."quantity" * "order_lines"."unit_price")) AS "sum:Calculation_1:ok",
  COUNT(DISTINCT "order_lines"."order_id") AS "ctd:order_id:ok"
FROM "public"."order_lines" "order_lines"
  INNER JOIN "public"."products" "products" ON ("order_lines"."product_id" = "products"."product_id")
  LEFT JOIN "public"."categories" "t0" ON ("products"."category_id" = "t0"."category_id")
WHERE (NOT ("t0"."name" IS NULL))
GROUP BY 1
ORDER BY 1;
