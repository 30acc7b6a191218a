-- weekends-per-month: Weekend days per month
SELECT year, month, COUNT(*) FILTER (WHERE is_weekend) AS weekend_days, COUNT(*) AS days FROM dim_date GROUP BY year, month ORDER BY year, month;

-- first-mondays: First Monday of every month
SELECT year, month, MIN(full_date) AS first_monday FROM dim_date WHERE day_name = 'Monday' AND EXTRACT(DAY FROM full_date) <= 7 GROUP BY 1, 2 ORDER BY 1, 2;

-- calendar-vs-series: Days that the calendar lacks within its own range
SELECT g::date AS missing FROM generate_series((SELECT MIN(full_date) FROM dim_date), (SELECT MAX(full_date) FROM dim_date), '1 day'::interval) g WHERE g::date NOT IN (SELECT full_date FROM dim_date) ORDER BY 1;

-- names-agree: Do the stored names agree with the engine's?
SELECT COUNT(*) FILTER (WHERE month_name <> TO_CHAR(full_date, 'FMMonth')) AS months, COUNT(*) FILTER (WHERE day_name <> RTRIM(TO_CHAR(full_date, 'Day'))) AS days, COUNT(*) FILTER (WHERE quarter <> EXTRACT(QUARTER FROM full_date)) AS quarters FROM dim_date;

-- day-numbers: Day of the year, days left, Julian-like number
SELECT full_date, EXTRACT(DOY FROM full_date) AS doy, (DATE_TRUNC('year', full_date) + INTERVAL '1 year')::date - full_date - 1 AS left_in_year, full_date - DATE '1970-01-01' AS epoch_day FROM dim_date WHERE date_key IN (20231231, 20240101, 20240229, 20240301) ORDER BY 1;

-- next-holiday: Days until the next holiday
SELECT d.full_date, (SELECT MIN(h.full_date) FROM dim_date h WHERE h.is_holiday AND h.full_date >= d.full_date) - d.full_date AS days FROM dim_date d WHERE EXTRACT(DAY FROM d.full_date) = 1 ORDER BY 1;

-- week-of-month: Days by the week of the month
SELECT (EXTRACT(DAY FROM full_date)::int - 1) / 7 + 1 AS week_of_month, COUNT(*) AS days FROM dim_date GROUP BY 1 ORDER BY 1;

-- formats: One day in many formats
SELECT TO_CHAR(full_date, 'DD.MM.YY') AS de, TO_CHAR(full_date, 'MM/DD/YYYY') AS us, TO_CHAR(full_date, 'YYYYMMDD') AS basic, TO_CHAR(full_date, 'Mon DD, YYYY') AS text, TO_CHAR(full_date, 'YYYY-DDD') AS ordinal FROM dim_date WHERE is_holiday ORDER BY full_date;

-- same-day-last-month: The same day a month before
SELECT full_date, (full_date - INTERVAL '1 month')::date AS month_before FROM dim_date WHERE EXTRACT(DAY FROM full_date) >= 29 ORDER BY 1;

-- business-days: Business days between two dates
SELECT COUNT(*) AS business_days FROM dim_date WHERE full_date > '2023-12-22' AND full_date <= '2024-01-05' AND NOT is_weekend AND NOT is_holiday;

-- bridging-days: Days between a holiday and a weekend
SELECT d.full_date FROM dim_date d JOIN dim_date p ON p.full_date = d.full_date - 1 JOIN dim_date n ON n.full_date = d.full_date + 1 WHERE NOT d.is_weekend AND NOT d.is_holiday AND ((p.is_holiday AND n.is_weekend) OR (p.is_weekend AND n.is_holiday)) ORDER BY 1;

-- holiday-islands: Runs of days off
WITH off AS (SELECT full_date, full_date - (ROW_NUMBER() OVER (ORDER BY full_date))::int AS grp FROM dim_date WHERE is_weekend OR is_holiday)
SELECT MIN(full_date) AS from_day, MAX(full_date) AS to_day, COUNT(*) AS days FROM off GROUP BY grp HAVING COUNT(*) > 2 ORDER BY 1;
