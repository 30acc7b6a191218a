-- uptime: Share of the half hours of two days in which each device reported
SELECT device_id, ROUND(COUNT(*) * 100.0 / 60, 2) AS pct FROM reading WHERE read_at < TIMESTAMP '2024-02-01 06:00:00' GROUP BY device_id ORDER BY pct, device_id;

-- state-changes: Changes of quality with the time in the state before
WITH c AS (SELECT device_id, read_at, quality, LAG(quality) OVER (PARTITION BY device_id ORDER BY read_at) AS before FROM reading)
SELECT before || ' → ' || quality AS change, COUNT(*) AS n FROM c WHERE before <> quality GROUP BY 1 ORDER BY n DESC, 1;

-- time-in-state: Hours between a state and the next reading
SELECT quality, ROUND(SUM(EXTRACT(EPOCH FROM next_at - read_at)) / 3600, 2) AS hours FROM (SELECT quality, read_at, LEAD(read_at) OVER (PARTITION BY device_id ORDER BY read_at) AS next_at FROM reading WHERE read_at < '2024-02-03') s WHERE next_at IS NOT NULL GROUP BY quality ORDER BY quality;

-- weighted-mean: Mean weighted by the time until the next reading
SELECT device_id, ROUND((SUM(temperature * EXTRACT(EPOCH FROM next_at - read_at)::float8) / SUM(EXTRACT(EPOCH FROM next_at - read_at)::float8))::numeric, 4) AS mean FROM (SELECT device_id, temperature, read_at, LEAD(read_at) OVER (PARTITION BY device_id ORDER BY read_at) AS next_at FROM reading WHERE read_at < '2024-02-03') s WHERE next_at IS NOT NULL AND temperature IS NOT NULL GROUP BY device_id ORDER BY device_id;

-- interpolate: Linear interpolation of single missing temperatures
SELECT device_id, read_at, temperature, CASE WHEN temperature IS NULL THEN ROUND(((prev + next) / 2)::numeric, 3) END AS interpolated FROM (SELECT device_id, read_at, temperature, LAG(temperature) OVER w AS prev, LEAD(temperature) OVER w AS next FROM reading WINDOW w AS (PARTITION BY device_id ORDER BY read_at)) x WHERE temperature IS NULL AND prev IS NOT NULL AND next IS NOT NULL ORDER BY device_id, read_at;

-- exponential: An exponential moving average by recursion over the first readings
WITH RECURSIVE n AS (SELECT read_at, humidity, ROW_NUMBER() OVER (ORDER BY read_at) AS i FROM reading WHERE device_id = 5000000000 AND humidity IS NOT NULL),
e AS (
  SELECT i, read_at, humidity, humidity AS ema FROM n WHERE i = 1
  UNION ALL
  SELECT n.i, n.read_at, n.humidity, 0.3 * n.humidity + 0.7 * e.ema FROM n JOIN e ON n.i = e.i + 1 WHERE n.i <= 12
)
SELECT i, read_at, humidity, ROUND(ema::numeric, 5) AS ema FROM e ORDER BY i;

-- crossing: Moments at which the humidity crosses fifty
SELECT device_id, read_at, CASE WHEN humidity >= 50 THEN 'up' ELSE 'down' END AS direction FROM (SELECT device_id, read_at, humidity, LAG(humidity) OVER (PARTITION BY device_id ORDER BY read_at) AS before FROM reading WHERE humidity IS NOT NULL) h WHERE (before < 50) <> (humidity < 50) ORDER BY device_id, read_at LIMIT 30;

-- daily-extremes: Times of the daily extremes
SELECT day, device_id, MAX(CASE WHEN hi = 1 THEN read_at END)::time AS hottest_at, MAX(CASE WHEN lo = 1 THEN read_at END)::time AS coldest_at FROM (
  SELECT read_at::date AS day, device_id, read_at, ROW_NUMBER() OVER (PARTITION BY device_id, read_at::date ORDER BY temperature DESC, read_at) AS hi, ROW_NUMBER() OVER (PARTITION BY device_id, read_at::date ORDER BY temperature, read_at) AS lo FROM reading WHERE temperature IS NOT NULL AND device_id < 5000000003) x GROUP BY day, device_id ORDER BY day, device_id;

-- float-specials: Signs, powers and roots of floats
SELECT name, SIGN(latitude) AS s, ABS(longitude) AS a, ROUND(SQRT(ABS(latitude))::numeric, 6) AS root, ROUND(POWER(latitude, 2)::numeric, 4) AS square, ROUND(EXP(latitude / 100)::numeric, 6) AS e, ROUND(DEGREES(ATAN2(latitude, longitude))::numeric, 4) AS angle FROM site ORDER BY site_id;

-- float-rounding: Rounding of halves in decimals and casts of doubles
SELECT v, ROUND(v::numeric) AS as_numeric, v::double precision::int AS cast_double, v::numeric::int AS cast_numeric, TRUNC(v::numeric, 0) AS cut FROM (VALUES (0.5), (1.5), (2.5), (-0.5), (-1.5), (-2.5)) AS t(v) ORDER BY v;

-- integer-division-signs: Quotients and remainders of negative integers
SELECT a, b, a / b AS quotient, a % b AS remainder, MOD(a, b) AS mod, DIV(a, b) AS div FROM (VALUES (7, 2), (-7, 2), (7, -2), (-7, -2)) AS t(a, b) ORDER BY a, b;

-- bits: Status bits taken from the battery value
SELECT battery_mv, battery_mv & 15 AS low_bits, battery_mv >> 4 AS shifted, (battery_mv & 1) = 1 AS odd, battery_mv # 255 AS xored FROM reading WHERE device_id = 5000000001 AND battery_mv IS NOT NULL ORDER BY read_at LIMIT 8;

-- interval-compare: Intervals that are equal in different words
SELECT INTERVAL '1 day' = INTERVAL '24 hours' AS a, INTERVAL '1 month' = INTERVAL '30 days' AS b, INTERVAL '1 year' > INTERVAL '364 days' AS c, INTERVAL '90 minutes' = INTERVAL '01:30:00' AS d FROM site WHERE site_id = 1;

-- month-arithmetic: Months added to ends of months
SELECT d, (d + INTERVAL '1 month')::date AS plus_one, (d + INTERVAL '2 months')::date AS plus_two, (d + INTERVAL '1 month' + INTERVAL '1 month')::date AS twice, (d - INTERVAL '1 year')::date AS year_before FROM (VALUES (DATE '2024-01-31'), (DATE '2024-02-29'), (DATE '2023-12-31'), (DATE '2024-03-30')) AS t(d) ORDER BY d;

-- extract-everything: All parts of one timestamp
SELECT EXTRACT(CENTURY FROM t) AS century, EXTRACT(DECADE FROM t) AS decade, EXTRACT(ISOYEAR FROM t) AS isoyear, EXTRACT(WEEK FROM t) AS week, EXTRACT(DOY FROM t) AS doy, EXTRACT(SECOND FROM t) AS second, EXTRACT(MILLISECONDS FROM t) AS ms, EXTRACT(EPOCH FROM t) AS epoch FROM (VALUES (TIMESTAMP '2024-12-30 23:59:59.987654'), (TIMESTAMP '2021-01-03 00:00:00')) AS v(t) ORDER BY t;

-- trunc-everything: One timestamp truncated to every unit
SELECT date_trunc('decade', t) AS decade, date_trunc('year', t) AS year, date_trunc('quarter', t) AS quarter, date_trunc('month', t) AS month, date_trunc('week', t) AS week, date_trunc('day', t) AS day, date_trunc('hour', t) AS hour, date_trunc('minute', t) AS minute, date_trunc('second', t) AS second FROM (VALUES (TIMESTAMP '2024-12-30 13:45:56.789'), (TIMESTAMP '2021-01-03 00:00:00')) AS v(t) ORDER BY t;
