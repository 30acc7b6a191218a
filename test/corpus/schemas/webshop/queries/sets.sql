-- union-dedupe: Cities of customers and nobody's city once each
SELECT city FROM customers UNION SELECT 'Nowhere' UNION SELECT NULL ORDER BY city NULLS FIRST;

-- except-all: Products sold more often than reviewed, by EXCEPT ALL
SELECT product_id FROM order_lines WHERE product_id <= 6
EXCEPT ALL
SELECT product_id FROM reviews WHERE product_id <= 6
ORDER BY 1;

-- intersect-all: Common repetitions of products in lines and reviews
SELECT product_id, COUNT(*) AS n
FROM (
  SELECT product_id FROM order_lines
  INTERSECT ALL
  SELECT product_id FROM reviews
) both_sides
GROUP BY product_id
ORDER BY n DESC, product_id
LIMIT 12;

-- nested-sets: Set operations in parentheses
(SELECT customer_id FROM orders WHERE status = 'cancelled' AND customer_id IS NOT NULL
 EXCEPT
 SELECT customer_id FROM orders WHERE status = 'delivered' AND customer_id IS NOT NULL)
UNION
(SELECT customer_id FROM customers WHERE newsletter = FALSE AND country = 'JP')
ORDER BY customer_id;

-- union-types: Union of integers, decimals and NULL in one column
SELECT 'stock' AS what, stock AS n FROM products WHERE product_id = 1
UNION ALL SELECT 'price', price FROM products WHERE product_id = 1
UNION ALL SELECT 'nothing', NULL
ORDER BY what;

-- union-order-limit: The best and the worst three reviewed products
(SELECT 'best' AS side, product_id, AVG(stars) AS mean FROM reviews GROUP BY product_id HAVING COUNT(stars) > 0 ORDER BY mean DESC, product_id LIMIT 3)
UNION ALL
(SELECT 'worst', product_id, AVG(stars) FROM reviews GROUP BY product_id HAVING COUNT(stars) > 0 ORDER BY 3, 2 LIMIT 3)
ORDER BY side, mean, product_id;

-- in-union: Customers who ordered or reviewed in December 2024
SELECT name, customer_id
FROM customers
WHERE customer_id IN (
    SELECT customer_id FROM orders WHERE placed_at >= '2024-12-01' AND placed_at < '2025-01-01'
    UNION
    SELECT customer_id FROM reviews WHERE written_on BETWEEN '2024-12-01' AND '2024-12-31'
)
ORDER BY customer_id;

-- values-lookup: Statuses with labels and order from a list of values
SELECT v.label, COUNT(o.order_id) AS orders
FROM (VALUES ('pending', 'Waiting', 1), ('paid', 'Paid', 2), ('shipped', 'On its way', 3), ('delivered', 'There', 4), ('lost', 'Lost', 5)) AS v(status, label, pos)
LEFT JOIN orders o ON o.status = v.status
GROUP BY v.label, v.pos
ORDER BY v.pos;

-- with-values: A price list of tiers joined by range
WITH tiers(tier, lo, hi) AS (VALUES ('S', 0.00, 9.99), ('M', 10.00, 99.98), ('L', 99.99, 999999.00))
SELECT t.tier, COUNT(p.product_id) AS products, SUM(p.price) AS total
FROM tiers t
LEFT JOIN products p ON p.price BETWEEN t.lo AND t.hi
GROUP BY t.tier
ORDER BY t.tier;

-- any-subquery: Products dearer than any and than all of the coffee products
SELECT product_id, price > ANY (SELECT price FROM products WHERE category_id = 7) AS over_any,
       price > ALL (SELECT price FROM products WHERE category_id = 7) AS over_all
FROM products
WHERE active
ORDER BY product_id;

-- all-of-nothing: ALL and ANY of an empty list
SELECT COUNT(*) FILTER (WHERE price > ALL (SELECT price FROM products WHERE category_id = 10)) AS all_of_nothing,
       COUNT(*) FILTER (WHERE price > ANY (SELECT price FROM products WHERE category_id = 10)) AS any_of_nothing
FROM products;

-- any-array: Products of several categories by = ANY of an array
SELECT product_id, category_id FROM products WHERE category_id = ANY (ARRAY[3, 5, 9]) ORDER BY product_id;

-- row-comparison: Orders after a given moment and number, compared as rows
SELECT order_id, placed_at FROM orders WHERE (placed_at::date, order_id) > (DATE '2024-12-30', 100) ORDER BY placed_at, order_id;

-- exists-correlated-twice: Customers who reviewed something they never bought
SELECT DISTINCT r.customer_id
FROM reviews r
WHERE r.customer_id IS NOT NULL
  AND NOT EXISTS (
    SELECT 1 FROM orders o
    WHERE o.customer_id = r.customer_id
      AND EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = o.order_id AND l.product_id = r.product_id))
ORDER BY r.customer_id
LIMIT 40;

-- scalar-in-order: Categories in order of the number of their products
SELECT c.name FROM categories c ORDER BY (SELECT COUNT(*) FROM products p WHERE p.category_id = c.category_id) DESC, c.name;

-- scalar-in-having: Categories with more products than the mean category
SELECT category_id, COUNT(*) AS n
FROM products
WHERE category_id IS NOT NULL
GROUP BY category_id
HAVING COUNT(*) > (SELECT AVG(n) FROM (SELECT COUNT(*) AS n FROM products WHERE category_id IS NOT NULL GROUP BY category_id) t)
ORDER BY n DESC, category_id;

-- empty-aggregates: Aggregates of no rows at all
SELECT COUNT(*) AS n, SUM(price) AS total, AVG(price) AS mean, MIN(name) AS first_name, ARRAY_AGG(sku) AS skus, STRING_AGG(sku, ',') AS list, BOOL_AND(active) AS all_active
FROM products
WHERE price < 0;

-- empty-groups: Groups of no rows
SELECT category_id, COUNT(*) FROM products WHERE price < 0 GROUP BY category_id;

-- having-without-group: HAVING without GROUP BY
SELECT COUNT(*) AS n, MAX(price) AS dearest FROM products HAVING COUNT(*) > 10;

-- join-using-three: Three tables by USING, the merged column unqualified
SELECT order_id, COUNT(*) AS rows_of_join, SUM(amount) AS paid
FROM orders
JOIN order_lines USING (order_id)
JOIN payments USING (order_id)
WHERE order_id < 40
GROUP BY order_id
ORDER BY order_id;

-- fan-out-guard: Paid and ordered sums without multiplying lines by payments
SELECT o.order_id, l.ordered, p.paid, p.paid - l.ordered AS difference
FROM orders o
LEFT JOIN (SELECT order_id, SUM(quantity * unit_price) AS ordered FROM order_lines GROUP BY order_id) l ON l.order_id = o.order_id
LEFT JOIN (SELECT order_id, SUM(amount) AS paid FROM payments WHERE outcome = 'ok' GROUP BY order_id) p ON p.order_id = o.order_id
WHERE p.paid IS NOT NULL
ORDER BY difference DESC NULLS LAST, o.order_id
LIMIT 40;

-- semi-anti-matrix: Customers by whether they ordered and whether they reviewed
SELECT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id) AS ordered,
       EXISTS (SELECT 1 FROM reviews r WHERE r.customer_id = c.customer_id) AS reviewed,
       COUNT(*) AS customers
FROM customers c
GROUP BY 1, 2
ORDER BY 1, 2;

-- natural-full: Orders and payments by month, natural full join of two subqueries
SELECT month, orders, payments
FROM (SELECT TO_CHAR(placed_at, 'YYYY-MM') AS month, COUNT(*) AS orders FROM orders GROUP BY 1) a
NATURAL FULL JOIN (SELECT TO_CHAR(paid_at, 'YYYY-MM') AS month, COUNT(*) AS payments FROM payments WHERE paid_at IS NOT NULL GROUP BY 1) b
ORDER BY month;

-- limit-from-cte: As many orders as a common table says
WITH settings AS (SELECT 7 AS page_size, 2 AS page)
SELECT order_id, status
FROM orders
ORDER BY order_id
LIMIT (SELECT page_size FROM settings) OFFSET (SELECT page_size * (page - 1) FROM settings);

-- fetch-with-ties: The dearest products with ties
SELECT product_id, price FROM products ORDER BY price DESC FETCH FIRST 3 ROWS WITH TIES;
