-- status-counts: Orders per status
SELECT status, COUNT(*) AS orders FROM orders GROUP BY status ORDER BY COUNT(*) DESC, status;

-- shipping-days: Average days from order to shipment per month
SELECT TO_CHAR(placed_at, 'YYYY-MM') AS month,
       COUNT(shipped_on) AS shipped,
       ROUND(AVG(shipped_on - placed_at::date), 2) AS avg_days,
       MAX(shipped_on - placed_at::date) AS slowest
FROM orders
GROUP BY 1
HAVING COUNT(shipped_on) > 0
ORDER BY 1;

-- last-of-year: Orders placed in the last week of 2024
SELECT order_id, placed_at, status
FROM orders
WHERE placed_at >= DATE '2024-12-25' AND placed_at < DATE '2025-01-01'
ORDER BY placed_at, order_id;

-- leap-day-orders: Orders on the leap day and a year later
SELECT order_id, placed_at::date AS day, (placed_at + INTERVAL '1 year')::date AS a_year_later, (placed_at + INTERVAL '1 month')::date AS a_month_later
FROM orders
WHERE placed_at::date = '2024-02-29'
ORDER BY order_id;

-- hour-heatmap: Orders by weekday and part of the day
SELECT EXTRACT(ISODOW FROM placed_at)::int AS weekday,
       COUNT(*) FILTER (WHERE EXTRACT(HOUR FROM placed_at) < 6) AS night,
       COUNT(*) FILTER (WHERE EXTRACT(HOUR FROM placed_at) BETWEEN 6 AND 11) AS morning,
       COUNT(*) FILTER (WHERE EXTRACT(HOUR FROM placed_at) BETWEEN 12 AND 17) AS afternoon,
       COUNT(*) FILTER (WHERE EXTRACT(HOUR FROM placed_at) >= 18) AS evening
FROM orders
GROUP BY EXTRACT(ISODOW FROM placed_at)::int
ORDER BY weekday;

-- orders-without-lines: Orders that have no lines at all
SELECT o.order_id, o.status
FROM orders o
WHERE (SELECT COUNT(*) FROM order_lines l WHERE l.order_id = o.order_id) = 0
ORDER BY o.order_id;

-- unpaid: Delivered orders without a successful payment
SELECT o.order_id, o.placed_at
FROM orders o
LEFT JOIN payments p ON p.order_id = o.order_id AND p.outcome = 'ok' AND p.amount > 0
WHERE o.status = 'delivered' AND p.payment_id IS NULL
ORDER BY o.order_id;

-- payment-methods: Payments by method with sums and share
SELECT method, COUNT(*) AS n, SUM(amount) AS total,
       ROUND(SUM(amount) / SUM(SUM(amount)) OVER () * 100, 2) AS pct
FROM payments
WHERE outcome = 'ok'
GROUP BY method
ORDER BY total DESC;

-- payment-delay: Hours from the order to its first payment
SELECT o.order_id, ROUND((EXTRACT(EPOCH FROM MIN(p.paid_at) - (o.placed_at AT TIME ZONE 'UTC')) / 3600)::numeric, 2) AS hours
FROM orders o
JOIN payments p ON p.order_id = o.order_id
WHERE p.paid_at IS NOT NULL
GROUP BY o.order_id, o.placed_at
ORDER BY hours DESC, o.order_id
LIMIT 30;

-- berlin-days: Payments per day as a clock in Berlin shows it, around the change of the hour
SELECT (paid_at AT TIME ZONE 'Europe/Berlin')::date AS day, COUNT(*) AS n
FROM payments
WHERE paid_at >= '2024-10-20T00:00:00Z' AND paid_at < '2024-11-05T00:00:00Z'
GROUP BY 1
ORDER BY 1;

-- refund-rate: Refunds per month as a share of what was paid
SELECT DATE_TRUNC('month', o.placed_at)::date AS month,
       SUM(p.amount) FILTER (WHERE p.amount > 0) AS paid,
       COALESCE(-SUM(p.amount) FILTER (WHERE p.amount < 0), 0) AS refunded,
       ROUND(COALESCE(-SUM(p.amount) FILTER (WHERE p.amount < 0), 0) / NULLIF(SUM(p.amount) FILTER (WHERE p.amount > 0), 0), 4) AS rate
FROM payments p
JOIN orders o ON o.order_id = p.order_id
GROUP BY 1
ORDER BY 1;

-- notes-cleaned: Notes with blanks squeezed and semicolons replaced
SELECT order_id, note, REPLACE(REGEXP_REPLACE(note, ' +', ' ', 'g'), ';', ',') AS cleaned
FROM orders
WHERE note IS NOT NULL AND note <> ''
ORDER BY order_id;

-- notes-with-emoji: Notes with a gift in them
SELECT order_id, LENGTH(note) AS chars, LEFT(note, 1) AS first_char, ASCII(note) AS code_point
FROM orders
WHERE note LIKE '🎁%'
ORDER BY order_id;

-- coupon-usage: First use of each coupon in any spelling and how often it was used by whom
SELECT LOWER(coupon) AS coupon, MIN(placed_at) AS first_use, COUNT(*) AS uses, COUNT(DISTINCT customer_id) AS customers,
       STRING_AGG(DISTINCT coupon, '/' ORDER BY coupon) AS spellings
FROM orders
WHERE coupon IS NOT NULL
GROUP BY LOWER(coupon)
ORDER BY uses DESC;

-- order-sizes: Distribution of the number of lines per order
SELECT lines, COUNT(*) AS orders
FROM (
  SELECT o.order_id, COUNT(l.line_no) AS lines
  FROM orders o LEFT JOIN order_lines l ON l.order_id = o.order_id
  GROUP BY o.order_id
) t
GROUP BY lines
ORDER BY lines;

-- largest-line: The largest line of every order above 2000
SELECT order_id, line_no, quantity * unit_price AS value
FROM order_lines l
WHERE quantity * unit_price > 2000
  AND quantity * unit_price >= ALL (SELECT quantity * unit_price FROM order_lines x WHERE x.order_id = l.order_id)
ORDER BY order_id, line_no;

-- previous-order-of-customer: Each order beside the customer's previous one
SELECT o.order_id, o.customer_id, o.placed_at::date AS day,
       LAG(o.order_id) OVER w AS previous,
       o.placed_at::date - LAG(o.placed_at::date) OVER w AS days_since,
       LEAD(o.status, 1, 'none') OVER w AS next_status
FROM orders o
WHERE o.customer_id BETWEEN 1 AND 25
WINDOW w AS (PARTITION BY o.customer_id ORDER BY o.placed_at, o.order_id)
ORDER BY o.customer_id, o.placed_at, o.order_id;

-- funnel: Orders that got as far as payment, shipment and delivery
SELECT 'ordered' AS step, COUNT(*) AS n, 1 AS pos FROM orders
UNION ALL
SELECT 'paid', COUNT(DISTINCT order_id), 2 FROM payments WHERE outcome = 'ok' AND amount > 0
UNION ALL
SELECT 'shipped', COUNT(*), 3 FROM orders WHERE shipped_on IS NOT NULL
UNION ALL
SELECT 'delivered', COUNT(*), 4 FROM orders WHERE status = 'delivered'
ORDER BY pos;

-- iso-weeks: Orders per ISO week around New Year
SELECT TO_CHAR(placed_at, 'IYYY-"W"IW') AS week, COUNT(*) AS orders
FROM orders
WHERE placed_at BETWEEN '2023-12-18' AND '2024-01-15' OR placed_at >= '2024-12-16'
GROUP BY 1
ORDER BY 1;

-- business-days: Working days between order and shipment
SELECT o.order_id, o.placed_at::date AS placed, o.shipped_on,
       (SELECT COUNT(*)
        FROM generate_series(o.placed_at::date + 1, o.shipped_on, INTERVAL '1 day') AS g(d)
        WHERE EXTRACT(ISODOW FROM g.d) < 6) AS working_days
FROM orders o
WHERE o.shipped_on IS NOT NULL AND o.order_id <= 60
ORDER BY o.order_id;

-- status-crosstab: Orders per country and status
SELECT COALESCE(c.country, '-') AS country,
       SUM(CASE WHEN o.status = 'delivered' THEN 1 ELSE 0 END) AS delivered,
       SUM(CASE WHEN o.status = 'cancelled' THEN 1 ELSE 0 END) AS cancelled,
       SUM(CASE WHEN o.status NOT IN ('delivered', 'cancelled') THEN 1 ELSE 0 END) AS other,
       COUNT(*) AS all_orders
FROM customers c
RIGHT JOIN orders o ON o.customer_id = c.customer_id
GROUP BY COALESCE(c.country, '-')
ORDER BY all_orders DESC, country;

-- nulls-first-desc: Orders by shipment date, unshipped first
SELECT order_id, shipped_on FROM orders ORDER BY shipped_on DESC NULLS FIRST, order_id LIMIT 60;

-- tuple-in: Lines by pairs of order and line number
SELECT order_id, line_no, product_id FROM order_lines WHERE (order_id, line_no) IN ((1, 1), (2, 1), (3, 2), (5, 1)) ORDER BY 1, 2;

-- same-day-orders: Days with more than three orders, and their order numbers
SELECT placed_at::date AS day, COUNT(*) AS n, ARRAY_AGG(order_id ORDER BY order_id) AS order_ids
FROM orders
GROUP BY placed_at::date
HAVING COUNT(*) > 3
ORDER BY n DESC, day;
