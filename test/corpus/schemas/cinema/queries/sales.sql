-- revenue-by-month: Net revenue by month from the star schema
SELECT d.year, d.month, d.month_name, SUM(f.gross - COALESCE(f.discount, 0)) AS net
FROM fact_ticket f JOIN dim_date d ON d.date_key = f.date_key
WHERE f.refunded = FALSE GROUP BY d.year, d.month, d.month_name ORDER BY d.year, d.month;

-- revenue-by-film: Tickets and revenue by film with their share
SELECT m.title, COUNT(*) AS tickets, SUM(t.gross) AS gross, ROUND(SUM(t.gross) / SUM(SUM(t.gross)) OVER () * 100, 2) AS share_pct
FROM fact_ticket t INNER JOIN dim_film m USING (film_key) GROUP BY m.title ORDER BY gross DESC, m.title;

-- net-of-vat: Net price without value added tax
SELECT vat_rate, COUNT(*) AS n, ROUND(SUM(gross / (1 + vat_rate)), 2) AS net, ROUND(SUM(gross - gross / (1 + vat_rate)), 2) AS vat FROM fact_ticket GROUP BY vat_rate ORDER BY vat_rate;

-- weekend-vs-week: Average price at weekends and on other days
SELECT CASE WHEN d.is_weekend THEN 'weekend' ELSE 'weekday' END AS kind, COUNT(*) AS tickets, ROUND(AVG(f.gross), 4) AS avg_gross, MIN(f.gross) AS lo, MAX(f.gross) AS hi
FROM fact_ticket f, dim_date d WHERE f.date_key = d.date_key GROUP BY 1 ORDER BY 1;

-- channels: Sales by channel and device with subtotals
SELECT COALESCE(c.channel, 'all channels') AS channel, CASE WHEN GROUPING(c.device) = 1 THEN 'all devices' ELSE COALESCE(c.device, 'no device') END AS device, COUNT(*) AS tickets, SUM(f.gross) AS gross
FROM fact_ticket f JOIN dim_channel c ON c.channel_key = f.channel_key GROUP BY ROLLUP (c.channel, c.device)
ORDER BY GROUPING(c.channel), c.channel, GROUPING(c.device), c.device NULLS LAST;

-- show-times: Occupied seats by show time
SELECT show_time, COUNT(*) AS seats, COUNT(DISTINCT film_key) AS films FROM fact_ticket GROUP BY show_time ORDER BY show_time;

-- evening-shows: Tickets of shows that start at eight in the evening or later
SELECT m.title, COUNT(*) AS late FROM fact_ticket t JOIN dim_film m ON m.film_key = t.film_key WHERE t.show_time >= TIME '20:00' GROUP BY m.title ORDER BY late DESC, m.title;

-- lead-time: Days between the purchase and the show
SELECT d.full_date - f.sold_at::date AS days_before, COUNT(*) AS tickets FROM fact_ticket f JOIN dim_date d USING (date_key) GROUP BY 1 ORDER BY 1;

-- last-minute: Tickets sold less than three hours before the show
SELECT f.ticket_id, f.sold_at, d.full_date + f.show_time AS starts_at FROM fact_ticket f JOIN dim_date d USING (date_key)
WHERE d.full_date + f.show_time - f.sold_at BETWEEN INTERVAL '0 hours' AND INTERVAL '3 hours' ORDER BY f.ticket_id;

-- refund-rate: Refund rate by film, only films with at least fifty tickets
SELECT film_key, COUNT(*) AS n, ROUND(AVG(refunded::int), 4) AS refund_rate FROM fact_ticket GROUP BY film_key HAVING COUNT(*) >= 50 ORDER BY refund_rate DESC, film_key;

-- promo-codes: Promotion codes, cleaned and counted
SELECT UPPER(TRIM(promo_code)) AS code, COUNT(*) AS used, SUM(discount) AS discount FROM fact_ticket WHERE TRIM(promo_code) <> '' GROUP BY 1 ORDER BY used DESC, code;

-- promo-kinds: No code, empty code, code
SELECT CASE WHEN promo_code IS NULL THEN 'none' WHEN promo_code = '' THEN 'empty' ELSE 'code' END AS kind, COUNT(*) AS n, COUNT(discount) AS with_discount FROM fact_ticket GROUP BY 1 ORDER BY 1;

-- discount-math: Average discount with and without the missing ones
SELECT AVG(discount) AS avg_known, AVG(COALESCE(discount, 0)) AS avg_all, SUM(discount) / COUNT(*) AS same_as_all, COUNT(discount) AS known FROM fact_ticket;

-- free-tickets: Tickets whose discount is the whole price
SELECT COUNT(*) FILTER (WHERE discount = gross) AS free, COUNT(*) FILTER (WHERE discount <> gross) AS partly, COUNT(*) FILTER (WHERE discount IS DISTINCT FROM gross) AS not_free FROM fact_ticket;

-- seven-day-moving: Seven-day moving average of the tickets by calendar day
WITH daily AS (
  SELECT d.full_date, COUNT(f.ticket_id) AS tickets FROM dim_date d LEFT JOIN fact_ticket f ON f.date_key = d.date_key GROUP BY d.full_date
)
SELECT full_date, tickets, ROUND(AVG(tickets) OVER (ORDER BY full_date ROWS BETWEEN 6 PRECEDING AND CURRENT ROW), 2) AS ma7 FROM daily ORDER BY full_date LIMIT 60;

-- week-over-week: ISO weeks with their growth
WITH weekly AS (
  SELECT TO_CHAR(d.full_date, 'IYYY-IW') AS week, SUM(f.gross) AS gross FROM fact_ticket f JOIN dim_date d ON f.date_key = d.date_key GROUP BY 1
)
SELECT week, gross, ROUND((gross - LAG(gross) OVER (ORDER BY week)) * 100.0 / LAG(gross) OVER (ORDER BY week), 1) AS growth FROM weekly ORDER BY week;

-- iso-week-check: Does the calendar's week agree with the engine's?
SELECT COUNT(*) AS days, COUNT(*) FILTER (WHERE week_iso <> EXTRACT(WEEK FROM full_date)) AS different FROM dim_date;

-- date-key-check: Date keys taken apart
SELECT date_key, date_key / 10000 AS y, date_key / 100 % 100 AS m, date_key % 100 AS d, TO_DATE(date_key::text, 'YYYYMMDD') = full_date AS same FROM dim_date WHERE day_name = 'Thursday' ORDER BY date_key LIMIT 10;

-- holidays: Sales on holidays against the same weekday a week before
SELECT d.full_date, d.holiday_name, COUNT(f.ticket_id) AS tickets, (SELECT COUNT(*) FROM fact_ticket x JOIN dim_date y ON y.date_key = x.date_key WHERE y.full_date = d.full_date - 7) AS week_before
FROM dim_date d LEFT JOIN fact_ticket f USING (date_key) WHERE d.is_holiday GROUP BY d.full_date, d.holiday_name ORDER BY 1;

-- top-film-per-month: Best film of each month
SELECT year, month, title, tickets FROM (
  SELECT d.year, d.month, m.title, COUNT(*) AS tickets, RANK() OVER (PARTITION BY d.year, d.month ORDER BY COUNT(*) DESC) AS r
  FROM fact_ticket f JOIN dim_date d USING (date_key) JOIN dim_film m USING (film_key) GROUP BY d.year, d.month, m.title
) x WHERE r = 1 ORDER BY year, month, title;

-- month-pivot: Films by month as columns
SELECT m.title,
  SUM(CASE WHEN d.year = 2023 AND d.month = 11 THEN 1 ELSE 0 END) AS "Nov",
  SUM(CASE WHEN d.year = 2023 AND d.month = 12 THEN 1 ELSE 0 END) AS "Dec",
  SUM(CASE WHEN d.year = 2024 AND d.month = 1 THEN 1 ELSE 0 END) AS "Jan",
  SUM(CASE WHEN d.year = 2024 AND d.month = 2 THEN 1 ELSE 0 END) AS "Feb",
  SUM(CASE WHEN d.year = 2024 AND d.month = 3 THEN 1 ELSE 0 END) AS "Mar"
FROM dim_film m LEFT JOIN fact_ticket f ON f.film_key = m.film_key LEFT JOIN dim_date d ON d.date_key = f.date_key GROUP BY m.title ORDER BY m.title;

-- cumulative-by-film: Cumulative tickets since the release, by week of run
SELECT film_key, week_of_run, tickets, SUM(tickets) OVER (PARTITION BY film_key ORDER BY week_of_run) AS so_far
FROM (SELECT f.film_key, (d.full_date - m.release_date) / 7 + 1 AS week_of_run, COUNT(*) AS tickets FROM fact_ticket f JOIN dim_date d USING (date_key) JOIN dim_film m USING (film_key) WHERE m.film_key <= 3 GROUP BY 1, 2) w ORDER BY 1, 2;

-- decay: Second week against first week of each film
SELECT title, w1, w2, ROUND(100.0 * (w2 - w1) / NULLIF(w1, 0), 1) AS change_pct FROM (
  SELECT m.title, COUNT(*) FILTER (WHERE d.full_date < m.release_date + 7) AS w1, COUNT(*) FILTER (WHERE d.full_date >= m.release_date + 7 AND d.full_date < m.release_date + 14) AS w2
  FROM dim_film m JOIN fact_ticket f USING (film_key) JOIN dim_date d USING (date_key) GROUP BY m.film_key, m.title) t ORDER BY change_pct NULLS LAST, title;

-- occupancy: Tickets against seats of each screen and show
SELECT s.cinema, s.screen_no, COUNT(*) AS tickets, COUNT(DISTINCT (f.date_key, f.show_time)) AS shows, ROUND(COUNT(*)::numeric / (COUNT(DISTINCT (f.date_key, f.show_time)) * s.seats) * 100, 3) AS fill_pct
FROM fact_ticket f JOIN dim_screen s USING (screen_key) GROUP BY s.screen_key, s.cinema, s.screen_no, s.seats ORDER BY fill_pct DESC, 1, 2;

-- double-booked: Seats sold twice for one show
SELECT date_key, screen_key, show_time, seat_row, seat_no, COUNT(*) AS n, ARRAY_AGG(ticket_id ORDER BY ticket_id) AS tickets FROM fact_ticket GROUP BY 1, 2, 3, 4, 5 HAVING COUNT(*) > 1 ORDER BY 1, 2, 3, 4, 5;

-- seat-labels: Seat labels with padded numbers
SELECT seat_row || LPAD(seat_no::text, 2, '0') AS seat, COUNT(*) AS n FROM fact_ticket WHERE seat_row IN ('A', 'AA') GROUP BY 1 ORDER BY n DESC, seat LIMIT 15;

-- rows-order: Rows in the order of the hall: one letter before two
SELECT seat_row, COUNT(*) AS n FROM fact_ticket GROUP BY seat_row ORDER BY LENGTH(seat_row), seat_row;

-- price-points: Price points with cumulative distribution
SELECT gross, COUNT(*) AS n, ROUND(SUM(COUNT(*)) OVER (ORDER BY gross) / SUM(COUNT(*)) OVER (), 4) AS cumulative FROM fact_ticket GROUP BY gross ORDER BY gross;

-- basket: Tickets bought at the same moment by the same customer
SELECT size, COUNT(*) AS baskets FROM (SELECT customer_key, sold_at::date AS day, COUNT(*) AS size FROM fact_ticket WHERE customer_key IS NOT NULL GROUP BY 1, 2) b GROUP BY size ORDER BY size;

-- revenue-variance: Daily revenue: mean, deviation, coefficient
SELECT ROUND(AVG(rev), 3) AS mean, ROUND(STDDEV_SAMP(rev), 3) AS sd, ROUND(STDDEV_SAMP(rev) / AVG(rev), 5) AS cv, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY rev) AS median FROM (SELECT date_key, SUM(gross) AS rev FROM fact_ticket GROUP BY date_key) d;

-- best-and-worst-day: The best and the worst day in one row each
(SELECT 'best' AS what, date_key, COUNT(*) AS tickets FROM fact_ticket GROUP BY date_key ORDER BY tickets DESC, date_key LIMIT 1)
UNION ALL
(SELECT 'worst', date_key, COUNT(*) AS tickets FROM fact_ticket GROUP BY date_key ORDER BY tickets, date_key LIMIT 1)
ORDER BY what;

-- days-without-sales: Calendar days without a ticket
SELECT d.full_date FROM dim_date d WHERE NOT EXISTS (SELECT 1 FROM fact_ticket f WHERE f.date_key = d.date_key) ORDER BY 1;

-- month-end-share: Share of the sales in the last three days of each month
SELECT d.year, d.month, ROUND(100.0 * COUNT(*) FILTER (WHERE d.full_date > (date_trunc('month', d.full_date) + interval '1 month')::date - 4) / COUNT(*), 1) AS pct FROM fact_ticket f JOIN dim_date d USING (date_key) GROUP BY 1, 2 ORDER BY 1, 2;
