-- trunc-units: Admissions truncated to year, quarter, month, week and day
SELECT stay_id, DATE_TRUNC('year', admitted_at) AS y, DATE_TRUNC('quarter', admitted_at) AS q, DATE_TRUNC('month', admitted_at) AS m,
       DATE_TRUNC('week', admitted_at) AS w, DATE_TRUNC('day', admitted_at) AS d
FROM stays
WHERE stay_id <= 30
ORDER BY stay_id;

-- extract-fields: Fields of the admissions around boundaries
SELECT DISTINCT admitted_at::date AS day, EXTRACT(DOY FROM admitted_at) AS doy, EXTRACT(ISOYEAR FROM admitted_at) AS iso_year, EXTRACT(WEEK FROM admitted_at) AS week,
       EXTRACT(DOW FROM admitted_at) AS dow, EXTRACT(ISODOW FROM admitted_at) AS isodow, EXTRACT(CENTURY FROM admitted_at) AS century
FROM stays
WHERE admitted_at::date IN ('2023-12-31', '2024-01-01', '2024-02-29', '2024-12-29', '2024-12-30', '2024-12-31')
ORDER BY day;

-- date-part: Fields by date_part, of dates and of intervals
SELECT stay_id, DATE_PART('hour', admitted_at) AS hour, DATE_PART('epoch', discharged_at - admitted_at) AS seconds, DATE_PART('day', discharged_at - admitted_at) AS days
FROM stays
WHERE discharged_at IS NOT NULL
ORDER BY stay_id
LIMIT 40;

-- add-months: Month ends plus a month, minus a month, plus a year
SELECT DISTINCT from_day, from_day + INTERVAL '1 month' AS plus, from_day - INTERVAL '1 month' AS minus, (from_day + INTERVAL '1 year')::date AS year_on, from_day + 30 AS days_on
FROM prescriptions
WHERE EXTRACT(DAY FROM from_day + 1) = 1
ORDER BY from_day;

-- last-day: Last day of each month of treatment
SELECT DISTINCT (DATE_TRUNC('month', from_day) + INTERVAL '1 month - 1 day')::date AS last_day, EXTRACT(DAY FROM DATE_TRUNC('month', from_day) + INTERVAL '1 month - 1 day') AS days
FROM prescriptions
ORDER BY last_day;

-- ages-exact: Ages in years, months and days as text
SELECT patient_id, AGE(DATE '2024-03-01', born_on)::text AS age
FROM patients
WHERE born_on IN ('2016-02-29', '1948-02-29', '1999-12-31', '2000-01-01')
ORDER BY patient_id;

-- to-char-patterns: Patterns of dates as people write them
SELECT DISTINCT TO_CHAR(admitted_at, 'DD/MM/YYYY HH24:MI') AS european, TO_CHAR(admitted_at, 'Mon DD, YYYY') AS american, TO_CHAR(admitted_at, 'YYYYMMDD') AS compact,
       TO_CHAR(admitted_at, 'Dy, FMDD FMMonth') AS words, TO_CHAR(admitted_at, 'Q"Q"YY') AS quarter, TO_CHAR(admitted_at, 'HH12:MI:SS am') AS clock
FROM stays
WHERE stay_id <= 25;

-- to-date: Dates read back from texts
SELECT stay_id, TO_DATE(TO_CHAR(admitted_at, 'DD.MM.YYYY'), 'DD.MM.YYYY') = admitted_at::date AS same, TO_TIMESTAMP(TO_CHAR(admitted_at, 'YYYY-MM-DD HH24:MI:SS'), 'YYYY-MM-DD HH24:MI:SS') AS back
FROM stays
ORDER BY stay_id
LIMIT 15;

-- text-dates: Dates in texts compared with dates
SELECT COUNT(*) AS n FROM stays WHERE admitted_at::date = '2024-02-29' OR admitted_at BETWEEN '2024-12-30' AND '2025-01-01 00:00' OR discharged_at::text LIKE '2023-12-31%';

-- cast-dates: Casts between date, timestamp and text
SELECT stay_id, CAST(admitted_at AS DATE) AS d, CAST(CAST(admitted_at AS DATE) AS TIMESTAMP) AS midnight, admitted_at::text AS t, admitted_at::date::text AS dt
FROM stays
WHERE stay_id % 20 = 0
ORDER BY stay_id;

-- make-dates: First of the month of birth in 2024 by make_date, and a time by make_timestamp
SELECT patient_id, MAKE_DATE(2024, EXTRACT(MONTH FROM born_on)::int, 1) AS first_day, MAKE_TIMESTAMP(2024, 2, 29, 23, 59, 59.5) AS leap
FROM patients
ORDER BY patient_id
LIMIT 20;

-- interval-arithmetic: Intervals times numbers and sums of them
SELECT kind, SUM(discharged_at - admitted_at) > INTERVAL '100 days' AS long, COUNT(*) * INTERVAL '90 minutes' AS effort
FROM stays
WHERE discharged_at IS NOT NULL
GROUP BY kind
ORDER BY kind;

-- overlaps: Stays that overlap the last week of the year
SELECT stay_id FROM stays
WHERE (admitted_at, COALESCE(discharged_at, TIMESTAMP '2025-06-01')) OVERLAPS (TIMESTAMP '2024-12-24', TIMESTAMP '2025-01-01')
ORDER BY stay_id;

-- fiscal-year: Cost per fiscal year that begins in April
SELECT CASE WHEN EXTRACT(MONTH FROM admitted_at) >= 4 THEN EXTRACT(YEAR FROM admitted_at) ELSE EXTRACT(YEAR FROM admitted_at) - 1 END::int AS fiscal_year,
       SUM(cost) AS cost, COUNT(*) AS stays
FROM stays
GROUP BY 1
ORDER BY 1;

-- nth-weekday: First Monday of each month with its admissions
WITH months AS (SELECT generate_series(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month')::date AS m)
SELECT m + (8 - EXTRACT(ISODOW FROM m)::int) % 7 AS first_monday, COUNT(s.stay_id) AS admissions
FROM months
LEFT JOIN stays s ON s.admitted_at::date = m + (8 - EXTRACT(ISODOW FROM m)::int) % 7
GROUP BY m
ORDER BY m;

-- same-period-last-year: Admissions of each quarter beside the same quarter a year before
WITH q AS (SELECT DATE_TRUNC('quarter', admitted_at) AS quarter, COUNT(*) AS n FROM stays GROUP BY 1)
SELECT a.quarter::date AS quarter, a.n, b.n AS year_before, a.n - b.n AS change
FROM q a
LEFT JOIN q b ON b.quarter = a.quarter - INTERVAL '1 year'
ORDER BY a.quarter;

-- minutes-of-day: Admissions by minute of the day, earliest and latest of each ward
SELECT ward, MIN(EXTRACT(HOUR FROM admitted_at) * 60 + EXTRACT(MINUTE FROM admitted_at)) AS earliest, MAX(admitted_at::time) AS latest
FROM stays
GROUP BY ward
ORDER BY ward;

-- days-in-month-share: Share of the month that had passed at each admission
SELECT stay_id, ROUND(EXTRACT(DAY FROM admitted_at) / EXTRACT(DAY FROM DATE_TRUNC('month', admitted_at) + INTERVAL '1 month' - INTERVAL '1 day'), 3) AS share
FROM stays
ORDER BY stay_id
LIMIT 40;

-- coalesce-dates: End of treatment or the far future, and whether it is open
SELECT prescription_id, COALESCE(to_day, DATE '9999-12-31') AS ends, to_day IS NULL AS open, NULLIF(to_day, from_day) AS later_end
FROM prescriptions
ORDER BY ends DESC, prescription_id
LIMIT 40;

-- week-starting-sunday: Admissions per week that begins on Sunday
SELECT (admitted_at::date - EXTRACT(DOW FROM admitted_at)::int) AS sunday, COUNT(*) AS n
FROM stays
WHERE admitted_at >= '2024-02-01' AND admitted_at < '2024-04-01'
GROUP BY 1
ORDER BY 1;
