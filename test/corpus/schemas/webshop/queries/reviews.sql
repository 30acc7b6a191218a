-- average-stars: Average stars per product with at least three reviews
SELECT p.product_id, p.name, COUNT(r.stars) AS rated, ROUND(AVG(r.stars), 2) AS stars
FROM products p
JOIN reviews r ON r.product_id = p.product_id
GROUP BY p.product_id, p.name
HAVING COUNT(r.stars) >= 3
ORDER BY stars DESC, rated DESC, p.product_id;

-- star-distribution: Distribution of stars with percentages
SELECT stars, COUNT(*) AS n, ROUND(100.0 * COUNT(*) / (SELECT COUNT(*) FROM reviews WHERE stars IS NOT NULL), 1) AS pct
FROM reviews
WHERE stars IS NOT NULL
GROUP BY stars
ORDER BY stars DESC;

-- stars-bar: The stars as text
SELECT review_id, RPAD(REPEAT('★', stars), 5, '☆') AS shown
FROM reviews
WHERE stars IS NOT NULL
ORDER BY review_id
LIMIT 20;

-- word-counts: Words per review body
SELECT review_id, CARDINALITY(REGEXP_SPLIT_TO_ARRAY(TRIM(body), '\s+')) AS words
FROM reviews
WHERE TRIM(body) <> ''
ORDER BY words DESC, review_id
LIMIT 40;

-- bad-words: Reviews that complain
SELECT review_id, stars, body
FROM reviews
WHERE body ~* '(broke|not worth)' AND (stars <= 3 OR stars IS NULL)
ORDER BY review_id;

-- multi-line: Reviews of more than one line
SELECT review_id, POSITION(E'\n' IN body) AS break_at, SPLIT_PART(body, E'\n', 2) AS second_line
FROM reviews
WHERE body LIKE E'%\n%'
ORDER BY review_id;

-- verified: Reviews by customers who bought the product before they wrote
SELECT COUNT(*) AS verified
FROM reviews r
WHERE EXISTS (
    SELECT 1
    FROM orders o
    JOIN order_lines l ON l.order_id = o.order_id
    WHERE o.customer_id = r.customer_id
      AND l.product_id = r.product_id
      AND o.placed_at::date <= r.written_on
);

-- reviews-vs-sales: Products with many sales and few reviews
WITH sales AS (SELECT product_id, SUM(quantity) AS sold FROM order_lines GROUP BY product_id),
     rev AS (SELECT product_id, COUNT(*) AS reviews FROM reviews GROUP BY product_id)
SELECT COALESCE(s.product_id, r.product_id) AS product_id, COALESCE(s.sold, 0) AS sold, COALESCE(r.reviews, 0) AS reviews
FROM sales s
FULL OUTER JOIN rev r ON r.product_id = s.product_id
WHERE COALESCE(s.sold, 0) > 40 AND COALESCE(r.reviews, 0) < 4
ORDER BY sold DESC, product_id;

-- latest-review: The newest review of every product
SELECT product_id, review_id, written_on, stars
FROM (
  SELECT r.*, ROW_NUMBER() OVER (PARTITION BY product_id ORDER BY written_on DESC, review_id DESC) AS rn
  FROM reviews r
) t
WHERE rn = 1
ORDER BY product_id;

-- null-body-share: Share of reviews without a body, empty ones counted
SELECT AVG(CASE WHEN body IS NULL OR body = '' THEN 1.0 ELSE 0.0 END) AS share_empty,
       COUNT(*) - COUNT(body) AS nulls,
       SUM((body = '')::int) AS empties
FROM reviews;

-- stars-pivot: Stars per quarter of 2024 as columns
SELECT EXTRACT(QUARTER FROM written_on) AS quarter,
       COUNT(CASE stars WHEN 1 THEN 1 END) AS one,
       COUNT(CASE stars WHEN 2 THEN 1 END) AS two,
       COUNT(CASE stars WHEN 3 THEN 1 END) AS three,
       COUNT(CASE stars WHEN 4 THEN 1 END) AS four,
       COUNT(CASE stars WHEN 5 THEN 1 END) AS five
FROM reviews
WHERE written_on >= '2024-01-01' AND written_on < '2025-01-01'
GROUP BY 1
ORDER BY 1;

-- bayesian-mean: Mean stars drawn towards the overall mean
SELECT product_id,
       ROUND((5 * overall + SUM(stars)) / (5 + COUNT(stars)), 3) AS score
FROM reviews, (SELECT AVG(stars) AS overall FROM reviews) a
WHERE stars IS NOT NULL
GROUP BY product_id, overall
ORDER BY score DESC, product_id
LIMIT 15;

-- truncated: The first twenty characters of each review, with an ellipsis
SELECT review_id, CASE WHEN LENGTH(body) > 20 THEN LEFT(body, 20) || '…' ELSE body END AS teaser
FROM reviews
WHERE body IS NOT NULL
ORDER BY review_id
LIMIT 30;

-- reviewer-agreement: Pairs of reviewers who rated two products alike
SELECT a.customer_id AS x, b.customer_id AS y, COUNT(*) AS alike
FROM reviews a
JOIN reviews b USING (product_id, stars)
WHERE a.customer_id < b.customer_id
GROUP BY 1, 2
HAVING COUNT(DISTINCT product_id) >= 1
ORDER BY alike DESC, x, y;

-- accent-insensitive: Reviews in French
SELECT review_id, UPPER(body) AS upper_body, LENGTH(body) AS len, REVERSE(body) AS reversed
FROM reviews
WHERE body LIKE 'Tr_s bien%'
ORDER BY review_id;
