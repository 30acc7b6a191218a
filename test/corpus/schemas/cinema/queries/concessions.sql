-- by-product: Sales by product with the average price
SELECT product, SUM(qty) AS pieces, SUM(amount) AS amount, ROUND(SUM(amount) / SUM(qty) FILTER (WHERE amount IS NOT NULL), 4) AS avg_price FROM fact_concession GROUP BY product ORDER BY amount DESC;

-- by-cinema: A matrix of products and cinemas
SELECT product, SUM(amount) FILTER (WHERE cinema = 'Capitol') AS capitol, SUM(amount) FILTER (WHERE cinema = 'Odéon') AS odeon, SUM(amount) FILTER (WHERE cinema = 'Roxy') AS roxy FROM fact_concession GROUP BY product ORDER BY product;

-- per-visitor: Concessions per ticket by cinema, two facts joined through their dimensions
WITH tickets AS (SELECT s.cinema, COUNT(*) AS tickets FROM fact_ticket t JOIN dim_screen s USING (screen_key) GROUP BY s.cinema),
     snacks AS (SELECT cinema, SUM(amount) AS amount FROM fact_concession GROUP BY cinema)
SELECT cinema, tickets, amount, ROUND(amount / tickets, 4) AS per_ticket FROM tickets FULL JOIN snacks USING (cinema) ORDER BY cinema;

-- midnight: Sales at midnight and one second before
SELECT sold_at::time AS at, COUNT(*) AS n, MIN(sold_at) AS first_sale FROM fact_concession WHERE sold_at::time IN ('00:00:00', '23:59:59') GROUP BY 1 ORDER BY 1;

-- sizes: Sizes at the end of the product names
SELECT product, CASE WHEN product ~ ' [LS]$' THEN RIGHT(product, 1) WHEN product ~ '\d' THEN SPLIT_PART(product, ' ', 2) END AS size FROM fact_concession GROUP BY product ORDER BY product;

-- dash-product: Products with characters beyond ASCII
SELECT DISTINCT product, POSITION('–' IN product) AS dash_at, SPLIT_PART(product, ' – ', 2) AS flavour FROM fact_concession WHERE product LIKE '%–%';

-- missing-amount: Amounts estimated from the product's average where missing
SELECT f.sale_id, f.product, f.qty, f.amount, COALESCE(f.amount, ROUND(f.qty * a.unit, 2)) AS estimated FROM fact_concession f JOIN (SELECT product, SUM(amount) / SUM(qty) AS unit FROM fact_concession WHERE amount IS NOT NULL GROUP BY product) a ON a.product = f.product WHERE f.amount IS NULL ORDER BY f.sale_id;

-- rank-products: Rank of the products per cinema
SELECT cinema, product, SUM(amount) AS amount, RANK() OVER (PARTITION BY cinema ORDER BY SUM(amount) DESC) AS rnk FROM fact_concession GROUP BY cinema, product ORDER BY cinema, rnk, product;

-- pareto: Products that make up four fifths of the sales
WITH p AS (SELECT product, SUM(amount) AS amount FROM fact_concession GROUP BY product), c AS (SELECT product, amount, SUM(amount) OVER (ORDER BY amount DESC, product) - amount AS before, SUM(amount) OVER () AS total FROM p)
SELECT product, amount, ROUND(100 * amount / total, 2) AS pct FROM c WHERE before < 0.8 * total ORDER BY amount DESC;

-- weekend-snacks: Snacks per weekend day and weekday
SELECT d.is_weekend, COUNT(DISTINCT d.date_key) AS days, SUM(c.qty) AS pieces, ROUND(SUM(c.qty)::numeric / COUNT(DISTINCT d.date_key), 3) AS per_day FROM dim_date d JOIN fact_concession c ON c.date_key = d.date_key GROUP BY d.is_weekend ORDER BY d.is_weekend;

-- same-day-both: Days on which every cinema sold something
SELECT date_key FROM fact_concession GROUP BY date_key HAVING COUNT(DISTINCT cinema) = (SELECT COUNT(DISTINCT cinema) FROM dim_screen) ORDER BY date_key;

-- division: Relational division: cinemas that sold every product in December
SELECT DISTINCT c.cinema FROM fact_concession c WHERE NOT EXISTS (SELECT product FROM fact_concession EXCEPT SELECT x.product FROM fact_concession x JOIN dim_date d USING (date_key) WHERE x.cinema = c.cinema AND d.month = 12) ORDER BY 1;

-- monthly-growth: Sales by month with growth and running total
SELECT d.year * 100 + d.month AS ym, SUM(c.amount) AS amount, SUM(SUM(c.amount)) OVER (ORDER BY d.year * 100 + d.month) AS running, SUM(c.amount) - LAG(SUM(c.amount)) OVER (ORDER BY d.year * 100 + d.month) AS change FROM fact_concession c JOIN dim_date d USING (date_key) GROUP BY d.year * 100 + d.month ORDER BY ym;
