-- seats-per-cinema: Seats and screens of each cinema
SELECT cinema, COUNT(*) AS screens, SUM(seats) AS seats, MAX(seats) AS largest, STRING_AGG(screen_no || ':' || format, ', ' ORDER BY screen_no) AS formats FROM dim_screen GROUP BY cinema ORDER BY cinema;

-- dolby: Dolby: yes, no, unknown
SELECT has_dolby, COUNT(*) AS n, COALESCE(has_dolby, FALSE) AS assumed FROM dim_screen GROUP BY has_dolby ORDER BY has_dolby NULLS FIRST;

-- largest-screen: The largest screen of each cinema
SELECT * FROM dim_screen s WHERE seats = (SELECT MAX(seats) FROM dim_screen x WHERE x.cinema = s.cinema) ORDER BY screen_key;

-- utilisation: Shows per screen and day
SELECT s.screen_key, ROUND(COUNT(DISTINCT (t.date_key, t.show_time))::numeric / COUNT(DISTINCT t.date_key), 3) AS shows_per_day FROM dim_screen s JOIN fact_ticket t ON t.screen_key = s.screen_key GROUP BY s.screen_key ORDER BY 2 DESC, 1;

-- format-premium: Average price by format against the overall average
SELECT format, ROUND(AVG(gross), 3) AS avg_price, ROUND(AVG(gross) - (SELECT AVG(gross) FROM fact_ticket), 3) AS premium FROM fact_ticket JOIN dim_screen USING (screen_key) GROUP BY format ORDER BY premium DESC, format;

-- program: The programme of one day as text
SELECT s.cinema, s.screen_no, STRING_AGG(DISTINCT TO_CHAR(t.sold_at, 'YYYY'), ',') AS years, COUNT(DISTINCT t.show_time) AS shows, MIN(t.show_time) AS first_show, MAX(t.show_time) AS last_show FROM fact_ticket t JOIN dim_screen s USING (screen_key) JOIN dim_date d USING (date_key) WHERE d.full_date BETWEEN '2024-01-01' AND '2024-01-07' GROUP BY s.cinema, s.screen_no ORDER BY 1, 2;

-- screens-ordinal: Screens numbered over all cinemas
SELECT ROW_NUMBER() OVER (ORDER BY cinema, screen_no) AS n, cinema, screen_no, seats, SUM(seats) OVER (ORDER BY cinema, screen_no ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS seats_before FROM dim_screen ORDER BY 1;

-- except-format: Formats that a cinema lacks
SELECT c.cinema, f.format FROM (SELECT DISTINCT cinema FROM dim_screen) c CROSS JOIN (SELECT DISTINCT format FROM dim_screen) f EXCEPT SELECT cinema, format FROM dim_screen ORDER BY 1, 2;

-- heat: Weekday by show time as columns
SELECT d.day_name, COUNT(*) FILTER (WHERE t.show_time = '11:15') AS t1115, COUNT(*) FILTER (WHERE t.show_time = '14:00') AS t1400, COUNT(*) FILTER (WHERE t.show_time = '17:30:00') AS t1730, COUNT(*) FILTER (WHERE t.show_time > '18:00') AS evening FROM fact_ticket t JOIN dim_date d USING (date_key) GROUP BY d.day_name ORDER BY MIN(EXTRACT(ISODOW FROM d.full_date));
