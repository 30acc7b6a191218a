-- nulls-default: Products by stock, smallest first
SELECT product_id, stock FROM products ORDER BY stock, product_id;

-- nulls-desc: Products by stock, largest first
SELECT product_id, stock FROM products ORDER BY stock DESC, product_id;

-- mixed-directions: Customers by country, newest first
SELECT customer_id, country, created_at FROM customers ORDER BY country ASC NULLS FIRST, created_at DESC, customer_id LIMIT 40;

-- order-by-case: Statuses in an order of their own
SELECT status, COUNT(*) AS n
FROM orders
GROUP BY status
ORDER BY CASE status WHEN 'pending' THEN 1 WHEN 'paid' THEN 2 WHEN 'shipped' THEN 3 WHEN 'delivered' THEN 4 ELSE 9 END, status;

-- order-by-boolean: Shipped ones last
SELECT order_id, shipped_on IS NOT NULL AS shipped FROM orders WHERE order_id <= 30 ORDER BY shipped_on IS NOT NULL, order_id;

-- order-by-aggregate: Countries by their newest customer
SELECT country FROM customers WHERE country IS NOT NULL GROUP BY country ORDER BY MAX(created_at) DESC;

-- order-by-two-ordinals: Ordered by the second and the first column
SELECT country, source, COUNT(*) AS n FROM customers GROUP BY country, source ORDER BY 2 NULLS FIRST, 1 NULLS LAST;

-- order-by-array: Products by their lists of tags
SELECT product_id, tags FROM products WHERE tags IS NOT NULL ORDER BY tags, product_id;

-- distinct-on-nulls: The newest order of each coupon, those without one, too
SELECT DISTINCT ON (coupon) coupon, order_id FROM orders ORDER BY coupon NULLS FIRST, placed_at DESC, order_id DESC;

-- top-one-with-ties: Best-selling product of each country with all ties
SELECT country, product_id, items
FROM (
  SELECT COALESCE(c.country, '-') AS country, l.product_id, SUM(l.quantity) AS items,
         RANK() OVER (PARTITION BY COALESCE(c.country, '-') ORDER BY SUM(l.quantity) DESC) AS rk
  FROM customers c
  JOIN orders o ON o.customer_id = c.customer_id
  JOIN order_lines l ON l.order_id = o.order_id
  GROUP BY COALESCE(c.country, '-'), l.product_id
) t
WHERE rk = 1
ORDER BY country, product_id;

-- limit-in-subquery: Sum of the five dearest products
SELECT SUM(price) AS total FROM (SELECT price FROM products ORDER BY price DESC LIMIT 5) t;

-- offset-without-limit: All but the first hundred customers
SELECT customer_id FROM customers ORDER BY customer_id OFFSET 100;

-- string-agg-orders: The same names put together in three orders
SELECT STRING_AGG(name, '|' ORDER BY name) AS up, STRING_AGG(name, '|' ORDER BY name DESC) AS down, STRING_AGG(name, '|' ORDER BY LENGTH(name), name) AS by_length
FROM categories;

-- array-agg-order: Lists in both directions, with a stand-in for NULL and without NULLs
SELECT ARRAY_AGG(COALESCE(parent_id, 0) ORDER BY parent_id NULLS FIRST, category_id) AS first_nulls, ARRAY_AGG(COALESCE(parent_id, 0) ORDER BY parent_id DESC NULLS LAST, category_id) AS last_nulls, ARRAY_AGG(parent_id ORDER BY category_id) FILTER (WHERE parent_id IS NOT NULL) AS without
FROM categories;

-- union-sorted-by-name: Sorted by a name that only the first part has
SELECT name AS label, 'category' AS kind FROM categories UNION ALL SELECT sku, 'product' FROM products WHERE price > 1000 ORDER BY label DESC, kind;

-- sort-dates-texts: Months sorted as texts and as dates
SELECT TO_CHAR(placed_at, 'Mon YYYY') AS month, COUNT(*) AS n FROM orders GROUP BY TO_CHAR(placed_at, 'Mon YYYY') ORDER BY TO_DATE(TO_CHAR(placed_at, 'Mon YYYY'), 'Mon YYYY');

-- keyset-paging: The next page after a known row
SELECT order_id, placed_at FROM orders WHERE (placed_at, order_id) > (TIMESTAMP '2024-06-01 00:00:00', 0) ORDER BY placed_at, order_id LIMIT 15;

-- nth-per-group: The third order of each customer with at least three
SELECT customer_id, order_id FROM (SELECT customer_id, order_id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed_at, order_id) AS n, COUNT(*) OVER (PARTITION BY customer_id) AS total FROM orders) t
WHERE n = 3 AND total >= 3 AND customer_id IS NOT NULL
ORDER BY customer_id;

-- reverse-of-limit: The last ten orders in ascending order
SELECT order_id, status FROM (SELECT order_id, status FROM orders ORDER BY order_id DESC LIMIT 10) t ORDER BY order_id;

-- sort-negative: Products by distance of their price from 50
SELECT product_id, price FROM products ORDER BY ABS(price - 50), product_id DESC LIMIT 20;
