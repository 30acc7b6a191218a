-- members-per-film: Share of members among the known buyers of each film
SELECT m.title, COUNT(c.customer_key) AS known, COUNT(c.member_no) AS members, ROUND(COUNT(c.member_no)::numeric / NULLIF(COUNT(c.customer_key), 0), 3) AS share FROM fact_ticket t JOIN dim_film m USING (film_key) LEFT JOIN dim_customer c ON c.customer_key = t.customer_key GROUP BY m.title ORDER BY share DESC NULLS LAST, m.title;

-- above-average-days: Days whose takings exceed the average of their weekday by half
SELECT full_date, day_name, takings, ROUND(mean, 2) AS mean FROM (SELECT d.full_date, d.day_name, SUM(t.gross) AS takings, AVG(SUM(t.gross)) OVER (PARTITION BY d.day_name) AS mean FROM fact_ticket t JOIN dim_date d USING (date_key) GROUP BY d.full_date, d.day_name) x WHERE takings > 1.5 * mean ORDER BY full_date;

-- cross-sell: Concession amounts per quartile of the day's tickets
WITH t AS (SELECT date_key, COUNT(*) AS tickets, NTILE(4) OVER (ORDER BY COUNT(*), date_key) AS q FROM fact_ticket GROUP BY date_key), c AS (SELECT date_key, SUM(amount) AS amount FROM fact_concession GROUP BY date_key)
SELECT t.q, SUM(t.tickets) AS tickets, SUM(c.amount) AS amount, COUNT(c.date_key) AS days_with_snacks FROM t LEFT JOIN c USING (date_key) GROUP BY t.q ORDER BY t.q;

-- film-pairs-by-customer: Films that the same customers saw
SELECT a.film_key AS one, b.film_key AS other, COUNT(DISTINCT a.customer_key) AS customers FROM fact_ticket a JOIN fact_ticket b ON a.customer_key = b.customer_key AND a.film_key < b.film_key GROUP BY a.film_key, b.film_key ORDER BY customers DESC, 1, 2 LIMIT 12;

-- discount-depth: Depth of the discounts in steps of ten percent
SELECT WIDTH_BUCKET(discount / gross, 0, 1, 10) AS step, COUNT(*) AS n FROM fact_ticket WHERE discount > 0 GROUP BY 1 ORDER BY 1;

-- seat-blocks: Neighbouring seats sold for the same film and day
SELECT a.ticket_id, b.ticket_id AS neighbour, a.seat_row, a.seat_no, b.seat_no AS next_seat FROM fact_ticket a JOIN fact_ticket b ON a.date_key = b.date_key AND a.seat_row = b.seat_row AND b.seat_no = a.seat_no + 1 AND a.film_key = b.film_key ORDER BY 1, 2;

-- quarter-labels: Quarters by three ways of naming them
SELECT DISTINCT year || '-Q' || quarter AS by_columns, TO_CHAR(full_date, 'YYYY-"Q"Q') AS by_format, DATE_TRUNC('quarter', full_date)::date AS starts FROM dim_date ORDER BY starts;

-- count-distinct-case: Distinct customers by condition
SELECT COUNT(DISTINCT CASE WHEN refunded THEN customer_key END) AS refunders, COUNT(DISTINCT customer_key) FILTER (WHERE NOT refunded) AS keepers, COUNT(DISTINCT COALESCE(customer_key, -ticket_id)) AS everybody FROM fact_ticket;

-- first-purchase-channel: Channel of the first purchase of every customer
SELECT ch.channel, COUNT(*) AS customers FROM (SELECT DISTINCT ON (customer_key) customer_key, channel_key FROM fact_ticket WHERE customer_key IS NOT NULL ORDER BY customer_key, sold_at, ticket_id) f JOIN dim_channel ch USING (channel_key) GROUP BY ch.channel ORDER BY customers DESC, 1;

-- moving-distinct: Different films per day and in the three days up to it
SELECT d.full_date, (SELECT COUNT(DISTINCT t.film_key) FROM fact_ticket t JOIN dim_date x ON x.date_key = t.date_key WHERE x.full_date BETWEEN d.full_date - 2 AND d.full_date) AS films_3d FROM dim_date d WHERE d.month = 1 AND d.year = 2024 ORDER BY 1;

-- gross-to-net-bridge: From gross to net in steps, as rows
SELECT step, label, ROUND(amount, 2) AS amount, ROUND(SUM(amount) OVER (ORDER BY step), 2) AS running FROM (
  SELECT 1 AS step, 'gross' AS label, SUM(gross) AS amount FROM fact_ticket
  UNION ALL SELECT 2, 'discounts', -SUM(COALESCE(discount, 0)) FROM fact_ticket
  UNION ALL SELECT 3, 'refunds', -SUM(CASE WHEN refunded THEN gross - COALESCE(discount, 0) ELSE 0 END) FROM fact_ticket
  UNION ALL SELECT 4, 'tax', -SUM(CASE WHEN refunded THEN 0 ELSE (gross - COALESCE(discount, 0)) * vat_rate / (1 + vat_rate) END) FROM fact_ticket
) b ORDER BY step;

-- natural-join: Screens and their tickets by a natural join on one common column
SELECT cinema, COUNT(*) AS n FROM (SELECT screen_key, ticket_id FROM fact_ticket) t NATURAL JOIN (SELECT screen_key, cinema FROM dim_screen) s GROUP BY cinema ORDER BY cinema;

-- percentile-within-window: Share of each film's price points in order
SELECT film_key, gross, COUNT(*) AS n, ROUND((CUME_DIST() OVER (PARTITION BY film_key ORDER BY gross))::numeric, 4) AS cd FROM fact_ticket WHERE film_key IN (1, 2) GROUP BY film_key, gross ORDER BY 1, 2;

-- exclude-current: Average of the other films in the month
SELECT film_key, month, n, ROUND(AVG(n) OVER (PARTITION BY month ORDER BY film_key ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW), 3) AS others FROM (SELECT t.film_key, d.month, COUNT(*) AS n FROM fact_ticket t JOIN dim_date d USING (date_key) GROUP BY 1, 2) x ORDER BY month, film_key;

-- groups-frame: Sums over the two neighbouring prices
SELECT gross, n, SUM(n) OVER (ORDER BY gross GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS around FROM (SELECT gross, COUNT(*) AS n FROM fact_ticket GROUP BY gross) p ORDER BY gross;
