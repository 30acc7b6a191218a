-- price-bands: Products per price band with the mean price
SELECT CASE WHEN price < 10 THEN 'under 10' WHEN price < 100 THEN '10 to 99.99' ELSE '100 and more' END AS band,
       COUNT(*) AS products, ROUND(AVG(price), 2) AS mean
FROM products
GROUP BY 1
ORDER BY MIN(price);

-- tag-counts: How many products carry each tag?
SELECT tag, COUNT(*) AS products
FROM products, UNNEST(tags) AS tag
GROUP BY tag
ORDER BY products DESC, tag;

-- tagged-sale: Products tagged sale, by ANY
SELECT product_id, name FROM products WHERE 'sale' = ANY(tags) ORDER BY product_id;

-- tags-text: Tags as one text, the number of them, and the first
SELECT product_id, ARRAY_TO_STRING(tags, ', ') AS tags, CARDINALITY(tags) AS n, tags[1] AS first_tag
FROM products
ORDER BY product_id;

-- tags-contain: Products that are both eco and on sale
SELECT product_id, sku FROM products WHERE tags @> ARRAY['eco', 'sale'] ORDER BY sku;

-- tags-overlap: Products with any of two tags
SELECT COUNT(*) AS n FROM products WHERE tags && ARRAY['gift', 'new'];

-- json-colors: Colours out of the attributes
SELECT attributes->>'color' AS color, COUNT(*) AS n
FROM products
WHERE attributes IS NOT NULL
GROUP BY attributes->>'color'
ORDER BY n DESC, color;

-- json-nested: Height and area out of the nested dimensions
SELECT product_id,
       (attributes->'dims'->>'h')::int AS h,
       (attributes #>> '{dims,w}')::int * (attributes->'dims'->>'h')::int AS area
FROM products
WHERE attributes->'dims' IS NOT NULL
ORDER BY product_id;

-- json-heavy: Products heavier than one unit
SELECT product_id, name, CAST(attributes->>'weight' AS NUMERIC(6,2)) AS weight
FROM products
WHERE (attributes->>'weight')::numeric > 1
ORDER BY weight DESC, product_id;

-- json-has-key: Products whose attributes have the key color, even if it is null
SELECT COUNT(*) FILTER (WHERE attributes ? 'color') AS with_key,
       COUNT(*) FILTER (WHERE attributes->>'color' IS NOT NULL) AS with_value,
       COUNT(*) FILTER (WHERE NOT attributes ? 'color') AS without_key
FROM products;

-- json-sizes: Every size of every product on a line of its own
SELECT p.product_id, s.size
FROM products p
CROSS JOIN LATERAL jsonb_array_elements_text(p.attributes->'sizes') AS s(size)
ORDER BY p.product_id, s.size;

-- json-array-length: How many sizes does each product have?
SELECT product_id, jsonb_array_length(attributes->'sizes') AS sizes
FROM products
WHERE jsonb_typeof(attributes->'sizes') = 'array'
ORDER BY sizes DESC, product_id;

-- json-boolean: Recalled products
SELECT product_id, sku, (attributes->>'recalled')::boolean AS recalled
FROM products
WHERE COALESCE((attributes->>'recalled')::boolean, FALSE)
ORDER BY product_id;

-- stock-value: Value of the stock at cost and at price, missing costs estimated at 60 % of the price
SELECT SUM(stock * COALESCE(cost, ROUND(price * 0.6, 2))) AS at_cost,
       SUM(stock * price) AS at_price
FROM products
WHERE stock > 0 AND active;

-- out-of-stock: Active products that are out of stock or have impossible stock
SELECT product_id, name, stock,
       CASE WHEN stock IS NULL THEN 'unknown' WHEN stock < 0 THEN 'impossible' WHEN stock = 0 THEN 'out' END AS why
FROM products
WHERE active AND (stock IS NULL OR stock <= 0)
ORDER BY stock NULLS FIRST, product_id;

-- never-sold: Products that nobody ever bought
SELECT p.product_id, p.sku, p.listed_on
FROM products p
WHERE NOT EXISTS (SELECT * FROM order_lines l WHERE l.product_id = p.product_id)
ORDER BY p.product_id;

-- top-three-per-category: The three best sellers of each category by items
SELECT category, product, items, place
FROM (
    SELECT c.name AS category, p.name AS product, SUM(l.quantity) AS items,
           ROW_NUMBER() OVER (PARTITION BY c.category_id ORDER BY SUM(l.quantity) DESC, p.product_id) AS place
    FROM categories c
    JOIN products p ON p.category_id = c.category_id
    JOIN order_lines l ON l.product_id = p.product_id
    GROUP BY c.category_id, c.name, p.product_id, p.name
) t
WHERE place <= 3
ORDER BY category, place;

-- category-paths: The full path of each category
WITH RECURSIVE path AS (
  SELECT category_id, name::text AS path, 0 AS depth FROM categories WHERE parent_id IS NULL
  UNION ALL
  SELECT c.category_id, p.path || ' > ' || c.name, p.depth + 1
  FROM categories c JOIN path p ON c.parent_id = p.category_id
)
SELECT category_id, path, depth FROM path ORDER BY path;

-- category-sizes: Products per category, empty categories included
SELECT c.category_id, c.name, COUNT(p.product_id) AS products, MIN(p.price) AS cheapest, MAX(p.price) AS dearest
FROM categories c
LEFT JOIN products p ON p.category_id = c.category_id AND p.active
GROUP BY c.category_id, c.name
ORDER BY products DESC, c.name;

-- sku-number: The number within the SKU, and whether a letter follows
SELECT sku, CAST(SUBSTRING(sku, 5, 5) AS INTEGER) AS number, RIGHT(sku, 1) ~ '[a-z]' AS variant
FROM products
ORDER BY number
LIMIT 25;

-- sku-pattern: SKUs that end in a letter, by SUBSTRING with a pattern
SELECT sku, SUBSTRING(sku FROM '[0-9]+') AS digits, SUBSTRING(sku FROM '([a-z])$') AS letter
FROM products
WHERE sku ~ '[a-z]$'
ORDER BY sku;

-- percent-sign: Products with a literal percent sign or underscore in the name
SELECT product_id, name FROM products WHERE name LIKE '%\%%' OR name LIKE '%\_%' ORDER BY product_id;

-- trailing-blank: Names with trailing blanks
SELECT product_id, name, LENGTH(name) - LENGTH(RTRIM(name)) AS blanks, name = RTRIM(name) AS same
FROM products
WHERE name <> RTRIM(name)
ORDER BY product_id;

-- price-vs-category: Each product's price relative to the average of its category
SELECT p.product_id, p.price,
       ROUND(p.price / AVG(p.price) OVER (PARTITION BY p.category_id), 3) AS relative,
       RANK() OVER (PARTITION BY p.category_id ORDER BY p.price DESC) AS price_rank
FROM products p
WHERE p.category_id IS NOT NULL AND p.price > 0
ORDER BY p.product_id;

-- bought-together: Pairs of products bought together at least three times
SELECT a.product_id AS product_a, b.product_id AS product_b, COUNT(*) AS together
FROM order_lines a
JOIN order_lines b ON a.order_id = b.order_id AND a.product_id < b.product_id
GROUP BY a.product_id, b.product_id
HAVING COUNT(*) >= 2
ORDER BY together DESC, product_a, product_b;

-- listed-age: Months a product had been listed by the end of 2024
SELECT product_id, listed_on,
       EXTRACT(YEAR FROM AGE(DATE '2024-12-31', listed_on)) * 12 + EXTRACT(MONTH FROM AGE(DATE '2024-12-31', listed_on)) AS months
FROM products
ORDER BY months DESC, product_id
LIMIT 30;

-- cheapest-per-category-lateral: The two cheapest active products of each category
SELECT c.name AS category, x.name AS product, x.price
FROM categories c
LEFT JOIN LATERAL (
    SELECT p.name, p.price, p.product_id
    FROM products p
    WHERE p.category_id = c.category_id AND p.active
    ORDER BY p.price, p.product_id
    LIMIT 2
) x ON TRUE
ORDER BY c.name, x.price, x.product_id;
