-- executive-summary: One line of key figures for the year 2024
WITH order_values AS (
    SELECT
        o.order_id,
        o.customer_id,
        o.placed_at,
        o.status,
        COALESCE(SUM(ol.quantity * ol.unit_price * (1 - ol.discount)), 0) + o.shipping_fee AS order_value
    FROM orders AS o
    LEFT JOIN order_lines AS ol ON ol.order_id = o.order_id
    WHERE o.placed_at >= '2024-01-01'::timestamp
      AND o.placed_at < '2025-01-01'::timestamp
    GROUP BY o.order_id, o.customer_id, o.placed_at, o.status, o.shipping_fee
)
SELECT
    COUNT(*) AS total_orders,
    COUNT(DISTINCT customer_id) AS unique_customers,
    ROUND(SUM(order_value)::numeric, 2) AS total_revenue,
    ROUND(AVG(order_value)::numeric, 2) AS avg_order_value,
    ROUND((SUM(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END) * 100.0 / COUNT(*))::numeric, 2) AS cancel_rate_pct,
    ROUND(1.0 * COUNT(*) / COUNT(DISTINCT customer_id), 2) AS orders_per_customer
FROM order_values;

-- customer-360: A long profile of each customer with tiers
WITH customer_orders AS (
    SELECT
        c.customer_id,
        c.name,
        c.country,
        COUNT(DISTINCT o.order_id) AS order_count,
        MIN(o.placed_at) AS first_order_at,
        MAX(o.placed_at) AS last_order_at
    FROM customers c
    LEFT JOIN orders o ON o.customer_id = c.customer_id AND o.status <> 'cancelled'
    GROUP BY c.customer_id, c.name, c.country
),
customer_spend AS (
    SELECT
        o.customer_id,
        SUM(ol.quantity * ol.unit_price * (1 - ol.discount)) AS lifetime_value,
        COUNT(DISTINCT ol.product_id) AS distinct_products
    FROM orders o
    JOIN order_lines ol ON o.order_id = ol.order_id
    WHERE o.status <> 'cancelled'
    GROUP BY o.customer_id
),
review_stats AS (
    SELECT customer_id, COUNT(*) AS reviews, AVG(stars) AS avg_stars
    FROM reviews
    GROUP BY customer_id
)
SELECT
    co.customer_id,
    TRIM(co.name) AS customer_name,
    COALESCE(co.country, 'Unknown') AS country,
    co.order_count,
    ROUND(COALESCE(cs.lifetime_value, 0), 2) AS ltv,
    COALESCE(cs.distinct_products, 0) AS distinct_products,
    COALESCE(rs.reviews, 0) AS reviews,
    ROUND(rs.avg_stars, 1) AS avg_stars,
    CASE
        WHEN co.order_count = 0 THEN 'Prospect'
        WHEN COALESCE(cs.lifetime_value, 0) >= 3000 THEN 'Platinum'
        WHEN COALESCE(cs.lifetime_value, 0) >= 1000 THEN 'Gold'
        WHEN COALESCE(cs.lifetime_value, 0) >= 100 THEN 'Silver'
        ELSE 'Bronze'
    END AS tier,
    EXTRACT(DAY FROM (TIMESTAMP '2025-01-01' - co.last_order_at)) AS days_since_last_order
FROM customer_orders co
LEFT JOIN customer_spend cs ON cs.customer_id = co.customer_id
LEFT JOIN review_stats rs ON rs.customer_id = co.customer_id
ORDER BY ltv DESC, co.customer_id
LIMIT 50;

-- abc-analysis: Products in classes A, B and C by cumulated revenue
WITH product_revenue AS (
    SELECT p.product_id, p.name, COALESCE(SUM(ol.quantity * ol.unit_price), 0) AS revenue
    FROM products p
    LEFT JOIN order_lines ol ON ol.product_id = p.product_id
    GROUP BY p.product_id, p.name
),
ranked AS (
    SELECT *,
           SUM(revenue) OVER (ORDER BY revenue DESC, product_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running,
           SUM(revenue) OVER () AS total
    FROM product_revenue
)
SELECT
    CASE WHEN running <= 0.7 * total THEN 'A' WHEN running <= 0.9 * total THEN 'B' ELSE 'C' END AS class,
    COUNT(*) AS products,
    SUM(revenue) AS revenue,
    ROUND(100.0 * SUM(revenue) / MAX(total), 2) AS revenue_pct
FROM ranked
GROUP BY 1
ORDER BY 1;

-- growth-dashboard: Orders, customers and revenue per quarter with growth against the quarter before
SELECT
  quarter_label,
  orders,
  revenue,
  ROUND(100.0 * (revenue - LAG(revenue) OVER (ORDER BY quarter_start)) / NULLIF(LAG(revenue) OVER (ORDER BY quarter_start), 0), 2) AS revenue_growth_pct,
  orders - LAG(orders) OVER (ORDER BY quarter_start) AS orders_delta
FROM (
  SELECT
    DATE_TRUNC('quarter', o.placed_at) AS quarter_start,
    EXTRACT(YEAR FROM DATE_TRUNC('quarter', o.placed_at)) || '-Q' || EXTRACT(QUARTER FROM DATE_TRUNC('quarter', o.placed_at)) AS quarter_label,
    COUNT(DISTINCT o.order_id) AS orders,
    SUM(l.quantity * l.unit_price) AS revenue
  FROM orders o
  JOIN order_lines l ON l.order_id = o.order_id
  GROUP BY 1, 2
) AS q
ORDER BY quarter_start;

-- basket-profile: Size and value of baskets by hour block, only blocks with enough orders
WITH baskets AS (
  SELECT o.order_id,
         CASE
           WHEN EXTRACT(HOUR FROM o.placed_at) BETWEEN 0 AND 5 THEN '1 night'
           WHEN EXTRACT(HOUR FROM o.placed_at) BETWEEN 6 AND 11 THEN '2 morning'
           WHEN EXTRACT(HOUR FROM o.placed_at) BETWEEN 12 AND 17 THEN '3 afternoon'
           ELSE '4 evening'
         END AS block,
         COUNT(l.line_no) AS lines,
         SUM(l.quantity) AS items,
         SUM(l.quantity * l.unit_price * (1 - l.discount)) AS value
  FROM orders o
  LEFT JOIN order_lines l ON l.order_id = o.order_id
  GROUP BY o.order_id, o.placed_at
)
SELECT block, COUNT(*) AS baskets, ROUND(AVG(lines), 2) AS avg_lines, ROUND(AVG(COALESCE(items, 0)), 2) AS avg_items,
       ROUND(AVG(value), 2) AS avg_value, ROUND(STDDEV_SAMP(value), 4) AS sd_value
FROM baskets
GROUP BY block
HAVING COUNT(*) >= 10
ORDER BY block;

-- inventory-coverage: Days that the stock lasts at the speed of the last ninety days of 2024
WITH sold AS (
    SELECT l.product_id, SUM(l.quantity) AS units
    FROM order_lines l
    JOIN orders o USING (order_id)
    WHERE o.placed_at > TIMESTAMP '2024-12-31 23:59:59' - INTERVAL '90 days'
    GROUP BY l.product_id
)
SELECT p.product_id, p.sku, p.stock, COALESCE(s.units, 0) AS units_90d,
       CASE WHEN COALESCE(s.units, 0) = 0 THEN NULL ELSE ROUND(p.stock / (s.units / 90.0), 1) END AS days_left
FROM products p
LEFT JOIN sold s ON s.product_id = p.product_id
WHERE p.active IS TRUE AND p.stock > 0
ORDER BY days_left ASC NULLS LAST, p.product_id
LIMIT 30;

-- coupon-effect: Mean order value with and without coupon, and its lift
WITH v AS (
  SELECT o.order_id, (o.coupon IS NOT NULL) AS with_coupon, SUM(l.quantity * l.unit_price * (1 - l.discount)) AS value
  FROM orders o JOIN order_lines l ON l.order_id = o.order_id
  GROUP BY o.order_id, (o.coupon IS NOT NULL)
)
SELECT
  AVG(value) FILTER (WHERE with_coupon) AS avg_with,
  AVG(value) FILTER (WHERE NOT with_coupon) AS avg_without,
  ROUND(AVG(value) FILTER (WHERE with_coupon) / AVG(value) FILTER (WHERE NOT with_coupon) - 1, 4) AS lift
FROM v;

-- late-shipments-by-country: Countries with the worst quarter of shipping days
WITH d AS (
  SELECT COALESCE(c.country, '??') AS country, o.shipped_on - o.placed_at::date AS days
  FROM orders o LEFT JOIN customers c ON c.customer_id = o.customer_id
  WHERE o.shipped_on IS NOT NULL
)
SELECT country, COUNT(*) AS n, PERCENTILE_CONT(0.75) WITHIN GROUP (ORDER BY days) AS p75, MODE() WITHIN GROUP (ORDER BY days) AS commonest
FROM d
GROUP BY country
ORDER BY p75 DESC, country;

-- category-share-of-month: Leading category of each month with its share of revenue
WITH m AS (
    SELECT DATE_TRUNC('month', o.placed_at)::date AS month, COALESCE(c.name, 'Uncategorised') AS category, SUM(l.quantity * l.unit_price) AS revenue
    FROM orders o
    JOIN order_lines l ON l.order_id = o.order_id
    JOIN products p ON p.product_id = l.product_id
    LEFT JOIN categories c ON c.category_id = p.category_id
    GROUP BY 1, 2
), r AS (
    SELECT month, category, revenue,
           ROW_NUMBER() OVER (PARTITION BY month ORDER BY revenue DESC, category) AS place,
           revenue / NULLIF(SUM(revenue) OVER (PARTITION BY month), 0) AS share
    FROM m
)
SELECT month, category, ROUND(share, 3) AS share FROM r WHERE place = 1 ORDER BY month;

-- customers-by-tag: Which tags do customers of each country buy?
SELECT COALESCE(c.country, 'n/a') AS country, t.tag, SUM(l.quantity) AS items
FROM customers c
JOIN orders o ON o.customer_id = c.customer_id
JOIN order_lines l ON l.order_id = o.order_id
JOIN products p ON p.product_id = l.product_id
CROSS JOIN LATERAL UNNEST(p.tags) AS t(tag)
GROUP BY 1, 2
HAVING SUM(l.quantity) >= 20
ORDER BY items DESC, country, tag;

-- json-agg-of-order: Lines of an order as a JSON list
SELECT o.order_id, JSON_AGG(JSON_BUILD_OBJECT('line', l.line_no, 'product', l.product_id, 'qty', l.quantity) ORDER BY l.line_no) AS lines
FROM orders o
JOIN order_lines l ON l.order_id = o.order_id
WHERE o.order_id <= 5
GROUP BY o.order_id
ORDER BY o.order_id;

-- json-object-agg: Orders per status as one JSON object
SELECT JSONB_OBJECT_AGG(status, n) AS statuses FROM (SELECT status, COUNT(*) AS n FROM orders GROUP BY status) s;

-- price-changes: Products sold at more than one price or below today's
SELECT p.product_id, p.price, MIN(l.unit_price) AS lowest, COUNT(DISTINCT l.unit_price) AS prices
FROM products p
JOIN order_lines l ON l.product_id = p.product_id
GROUP BY p.product_id
HAVING COUNT(DISTINCT l.unit_price) > 1 OR MIN(l.unit_price) <= p.price
ORDER BY p.product_id
LIMIT 20;

-- looker-style: Aliases with dots and a row limit as Looker writes them
SELECT
    (TO_CHAR(DATE_TRUNC('month', orders.placed_at ), 'YYYY-MM')) AS "orders.created_month",
    orders.status  AS "orders.status",
    COUNT(DISTINCT orders.order_id ) AS "orders.count",
    COALESCE(SUM(order_lines.quantity * order_lines.unit_price ), 0) AS "order_lines.total_sale_price"
FROM public.orders  AS orders
LEFT JOIN public.order_lines  AS order_lines ON order_lines.order_id = orders.order_id
WHERE ((( orders.placed_at ) >= ((TIMESTAMP '2024-06-01')) AND ( orders.placed_at ) < ((TIMESTAMP '2024-09-01'))))
GROUP BY
    1,
    2
ORDER BY
    1 DESC,
    2
FETCH NEXT 500 ROWS ONLY;

-- powerbi-style: Nested selects with quoted names as Power BI folds them
select "rows"."status" as "status",
    sum("rows"."shipping_fee") as "fees",
    count(1) as "n"
from
(
    select "_"."order_id", "_"."status", "_"."shipping_fee"
    from
    (
        select "order_id", "status", "shipping_fee", "customer_id" from "public"."orders" "$Table"
    ) "_"
    where not "_"."customer_id" is null and "_"."shipping_fee" <> 0
) "rows"
group by "status"
order by "status";
