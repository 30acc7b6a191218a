-- monthly-kwh: Consumption per month with all digits
SELECT DATE_TRUNC('month', day)::date AS month, SUM(kwh) AS kwh, COUNT(*) AS days FROM meter GROUP BY 1 ORDER BY 1;

-- device-totals: Totals and exact averages per device
SELECT device_id, SUM(kwh) AS total, ROUND(AVG(kwh), 6) AS per_day, MAX(peak_kw) AS peak FROM meter GROUP BY device_id ORDER BY total DESC;

-- cost: Cost at a tariff with four digits, rounded to cents
SELECT device_id, ROUND(SUM(kwh * 0.3127), 2) AS cost, ROUND(SUM(kwh) * 0.3127, 2) AS cost_of_sum FROM meter GROUP BY device_id ORDER BY device_id;

-- day-over-day: Change against the calendar day before
SELECT m.device_id, m.day, m.kwh, p.kwh AS yesterday, m.kwh - p.kwh AS change FROM meter m LEFT JOIN meter p ON p.device_id = m.device_id AND p.day = m.day - 1 WHERE m.device_id = 5000000004 ORDER BY m.day;

-- missing-days: Days without a value per device
SELECT d.device_id, COUNT(*) AS missing, MIN(c.day)::date AS first_missing
FROM (SELECT DISTINCT device_id FROM meter) d CROSS JOIN generate_series(DATE '2023-12-10', DATE '2024-02-22', INTERVAL '1 day') c(day)
WHERE NOT EXISTS (SELECT 1 FROM meter m WHERE m.device_id = d.device_id AND m.day = c.day::date) GROUP BY d.device_id ORDER BY d.device_id;

-- islands: Unbroken runs of days per device
WITH x AS (SELECT device_id, day, day - ROW_NUMBER() OVER (PARTITION BY device_id ORDER BY day)::int AS anchor FROM meter)
SELECT device_id, MIN(day) AS from_day, MAX(day) AS to_day, COUNT(*) AS days FROM x GROUP BY device_id, anchor HAVING COUNT(*) >= 15 ORDER BY days DESC, device_id, from_day;

-- year-boundary: The last week of 2023 and the first of 2024
SELECT TO_CHAR(day, 'IYYY-"W"IW') AS iso_week, SUM(kwh) AS kwh, COUNT(DISTINCT device_id) AS devices FROM meter WHERE day BETWEEN '2023-12-25' AND '2024-01-07' GROUP BY 1 ORDER BY 1;

-- weekend-share: Share of the consumption at weekends
SELECT device_id, ROUND(100 * SUM(kwh) FILTER (WHERE EXTRACT(ISODOW FROM day) > 5) / SUM(kwh), 2) AS weekend_pct FROM meter GROUP BY device_id ORDER BY device_id;

-- running-total: Running total of each month of one device
SELECT day, kwh, SUM(kwh) OVER (PARTITION BY DATE_TRUNC('month', day) ORDER BY day) AS month_to_date FROM meter WHERE device_id = 5000000005 ORDER BY day;

-- peak-day: Day of the highest peak per device, missing peaks left out
SELECT device_id, day, peak_kw FROM (SELECT m.*, ROW_NUMBER() OVER (PARTITION BY device_id ORDER BY peak_kw DESC NULLS LAST, day) AS rn FROM meter m) t WHERE rn = 1 ORDER BY device_id;

-- load-factor: Load factor of a day, guarded against zero
SELECT device_id, day, ROUND(kwh / 24 / NULLIF(peak_kw, 0), 5) AS load_factor FROM meter WHERE device_id = 5000000006 ORDER BY day LIMIT 20;

-- median-day: Median consumption, exact decimals
SELECT device_id, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY kwh) AS median FROM meter GROUP BY device_id ORDER BY device_id;

-- cumulative-share: Days that make up the first half of the consumption
SELECT device_id, COUNT(*) AS days FROM (SELECT device_id, SUM(kwh) OVER (PARTITION BY device_id ORDER BY kwh DESC, day) AS c, SUM(kwh) OVER (PARTITION BY device_id) AS t FROM meter) s WHERE c <= t / 2 GROUP BY device_id ORDER BY 1;

-- split-digits: Whole and fractional part
SELECT device_id, day, TRUNC(kwh) AS whole, kwh - TRUNC(kwh) AS fraction, MOD(kwh, 1) AS same, kwh::bigint AS rounded FROM meter WHERE device_id = 5000000007 ORDER BY day LIMIT 12;

-- thirds: Exact arithmetic on wide decimals
SELECT device_id, day, kwh + 0.0000000001 AS plus, kwh * 3 AS triple, -kwh AS negative, ABS(-kwh) = kwh AS same FROM meter WHERE day = '2024-01-01' ORDER BY device_id;

-- month-compare: January against December per device
SELECT device_id, SUM(CASE WHEN day < '2024-01-01' THEN kwh END) AS december, SUM(CASE WHEN day >= '2024-01-01' AND day < '2024-02-01' THEN kwh END) AS january,
       ROUND((SUM(CASE WHEN day >= '2024-01-01' AND day < '2024-02-01' THEN kwh END) / COUNT(*) FILTER (WHERE day >= '2024-01-01' AND day < '2024-02-01')) / (SUM(CASE WHEN day < '2024-01-01' THEN kwh END) / COUNT(*) FILTER (WHERE day < '2024-01-01')) - 1, 4) AS change
FROM meter GROUP BY device_id ORDER BY device_id;

-- days-in-month: Coverage of every month
SELECT m.month::date, EXTRACT(DAY FROM m.month + INTERVAL '1 month' - INTERVAL '1 day')::int AS days, COUNT(DISTINCT x.day) AS covered FROM generate_series(TIMESTAMP '2023-12-01', TIMESTAMP '2024-02-01', INTERVAL '1 month') AS m(month) LEFT JOIN meter x ON x.day >= m.month AND x.day < m.month + INTERVAL '1 month' GROUP BY m.month ORDER BY 1;

-- rank-days: The three days of the highest total with their rank
SELECT day, total, r FROM (SELECT day, SUM(kwh) AS total, RANK() OVER (ORDER BY SUM(kwh) DESC) AS r FROM meter GROUP BY day) d WHERE r <= 3 ORDER BY r;

-- to-char-kwh: Numbers formatted with a fixed width
SELECT device_id, TO_CHAR(SUM(kwh), '999990.000') AS padded FROM meter GROUP BY device_id ORDER BY device_id;
