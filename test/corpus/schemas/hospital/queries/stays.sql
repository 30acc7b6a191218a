-- open-stays: Patients who are still in the house
SELECT s.stay_id, p.last_name, p.first_name, s.ward, s.admitted_at
FROM stays s
JOIN patients p ON p.patient_id = s.patient_id
WHERE s.discharged_at IS NULL
ORDER BY s.admitted_at, s.stay_id;

-- average-length: Average length of stay per ward in days
SELECT ward,
       COUNT(*) AS stays,
       ROUND(AVG(EXTRACT(EPOCH FROM (discharged_at - admitted_at)) / 86400)::numeric, 2) AS avg_days,
       MAX(discharged_at - admitted_at) > INTERVAL '30 days' AS any_long
FROM stays
WHERE discharged_at IS NOT NULL
GROUP BY ward
ORDER BY avg_days DESC;

-- nights: Nights of each stay, by dates
SELECT stay_id, discharged_at::date - admitted_at::date AS nights
FROM stays
WHERE discharged_at IS NOT NULL
ORDER BY nights DESC, stay_id
LIMIT 40;

-- daily-census: How many patients were in each ward at noon, around the turn of the year
SELECT d.day::date AS day, w.code, COUNT(s.stay_id) AS patients
FROM generate_series(DATE '2023-12-29', DATE '2024-01-03', INTERVAL '1 day') AS d(day)
CROSS JOIN wards w
LEFT JOIN stays s
  ON s.ward = w.code
 AND s.admitted_at <= d.day + INTERVAL '12 hours'
 AND (s.discharged_at IS NULL OR s.discharged_at > d.day + INTERVAL '12 hours')
GROUP BY d.day, w.code
ORDER BY d.day, w.code;

-- occupancy-rate: Nights per bed and ward in 2024, guarded against wards without beds
SELECT w.code, w.beds, SUM(LEAST(s.discharged_at::date, DATE '2024-12-31') - GREATEST(s.admitted_at::date, DATE '2024-01-01')) AS nights,
       ROUND(SUM(LEAST(s.discharged_at::date, DATE '2024-12-31') - GREATEST(s.admitted_at::date, DATE '2024-01-01'))::numeric / NULLIF(w.beds * 366, 0), 4) AS rate
FROM wards w
LEFT JOIN stays s ON s.ward = w.code AND s.discharged_at >= '2024-01-01' AND s.admitted_at < '2025-01-01'
GROUP BY w.code, w.beds
ORDER BY w.code;

-- readmissions: Patients who came back within thirty days
WITH ordered AS (
    SELECT patient_id, stay_id, admitted_at,
           LAG(discharged_at) OVER (PARTITION BY patient_id ORDER BY admitted_at, stay_id) AS previous_discharge
    FROM stays
)
SELECT patient_id, stay_id, admitted_at - previous_discharge AS away
FROM ordered
WHERE previous_discharge IS NOT NULL
  AND admitted_at BETWEEN previous_discharge AND previous_discharge + INTERVAL '30 days'
ORDER BY patient_id, stay_id;

-- readmission-rate: Readmission rate per ward of the first stay
SELECT a.ward,
       COUNT(*) AS discharges,
       COUNT(*) FILTER (WHERE EXISTS (
           SELECT 1 FROM stays b
           WHERE b.patient_id = a.patient_id AND b.admitted_at > a.discharged_at AND b.admitted_at <= a.discharged_at + INTERVAL '30 days'
       )) AS readmitted
FROM stays a
WHERE a.discharged_at IS NOT NULL
GROUP BY a.ward
ORDER BY a.ward;

-- overlapping: Stays of one patient that overlap, by mistake
SELECT a.stay_id AS first, b.stay_id AS second, a.patient_id
FROM stays a
JOIN stays b ON a.patient_id = b.patient_id AND a.stay_id < b.stay_id
 AND a.admitted_at < COALESCE(b.discharged_at, '2099-12-31')
 AND b.admitted_at < COALESCE(a.discharged_at, '2099-12-31')
ORDER BY 1, 2;

-- kinds-by-hour: Emergencies by hour of admission in four-hour blocks
SELECT FLOOR(EXTRACT(HOUR FROM admitted_at) / 4) * 4 AS from_hour, COUNT(*) AS n
FROM stays
WHERE kind = 'emergency'
GROUP BY FLOOR(EXTRACT(HOUR FROM admitted_at) / 4)
ORDER BY from_hour;

-- cost-per-night: Cost per night, stays of a day counted as one
SELECT stay_id, cost, ROUND(cost / GREATEST(discharged_at::date - admitted_at::date, 1), 2) AS per_night
FROM stays
WHERE cost IS NOT NULL AND discharged_at IS NOT NULL
ORDER BY per_night DESC, stay_id
LIMIT 30;

-- cost-by-kind: Cost by kind in any case, NULL costs counted apart
SELECT INITCAP(kind) AS kind, COUNT(*) AS stays, COUNT(cost) AS priced, SUM(cost) AS cost, ROUND(AVG(cost), 2) AS mean,
       ROUND(AVG(COALESCE(cost, 0)), 2) AS mean_with_zero
FROM stays
GROUP BY INITCAP(kind)
ORDER BY 1;

-- cost-outliers: Stays whose cost is above the third quartile plus 1.5 times the quartile range
WITH q AS (
  SELECT ward,
         PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY cost) AS q1,
         PERCENTILE_CONT(0.75) WITHIN GROUP (ORDER BY cost) AS q3
  FROM stays
  WHERE cost IS NOT NULL
  GROUP BY ward
)
SELECT s.stay_id, s.ward, s.cost
FROM stays s
JOIN q ON q.ward = s.ward
WHERE s.cost > q.q3 + 1.5 * (q.q3 - q.q1)
ORDER BY s.ward, s.stay_id;

-- busiest-day: The day with most admissions of each ward, the earlier one at a tie
SELECT DISTINCT ON (ward) ward, day, admissions
FROM (
    SELECT ward, admitted_at::date AS day, COUNT(*) AS admissions
    FROM stays
    GROUP BY ward, admitted_at::date
) t
ORDER BY ward, admissions DESC, day;

-- longest-gap-free: Longest runs of consecutive days with an admission
WITH days AS (
  SELECT DISTINCT DATE(admitted_at) AS d FROM stays
), grp AS (
  SELECT d, d - CAST(DENSE_RANK() OVER (ORDER BY d) AS INTEGER) AS g FROM days
)
SELECT MIN(d) AS start_day, MAX(d) AS end_day, COUNT(*) AS length
FROM grp
GROUP BY g
ORDER BY length DESC, start_day
LIMIT 5;

-- admitted-and-discharged: Admissions and discharges per month side by side
SELECT COALESCE(a.m, d.m)::date AS month, COALESCE(a.n, 0) AS admitted, COALESCE(d.n, 0) AS discharged
FROM (SELECT DATE_TRUNC('month', admitted_at) AS m, COUNT(*) AS n FROM stays GROUP BY 1) a
FULL JOIN (SELECT DATE_TRUNC('month', discharged_at) AS m, COUNT(*) AS n FROM stays WHERE discharged_at IS NOT NULL GROUP BY 1) d
  ON d.m = a.m
ORDER BY 1;

-- transfers-chain: Stays that begin within six hours of the end of another of the same patient
SELECT s.stay_id, n.stay_id AS next_stay, n.admitted_at - s.discharged_at AS between_stays
FROM stays s
JOIN stays n ON n.patient_id = s.patient_id AND n.stay_id <> s.stay_id
WHERE n.admitted_at >= s.discharged_at AND n.admitted_at < s.discharged_at + INTERVAL '720 hours'
ORDER BY between_stays, s.stay_id, n.stay_id
LIMIT 20;

-- without-doctor: Stays without a doctor or with a doctor of another ward
SELECT s.stay_id, s.ward, d.full_name, d.ward AS doctor_ward
FROM stays s
LEFT JOIN doctors d ON d.doctor_id = s.doctor_id
WHERE d.doctor_id IS NULL OR d.ward IS DISTINCT FROM s.ward
ORDER BY s.stay_id
LIMIT 60;

-- cumulative-cost: Cumulated cost per ward over the year 2024, last value of each month
SELECT ward, month, cost, SUM(cost) OVER (PARTITION BY ward ORDER BY month) AS cumulated
FROM (
  SELECT ward, EXTRACT(MONTH FROM admitted_at)::int AS month, COALESCE(SUM(cost), 0) AS cost
  FROM stays
  WHERE EXTRACT(YEAR FROM admitted_at) = 2024
  GROUP BY ward, EXTRACT(MONTH FROM admitted_at)::int
) m
ORDER BY ward, month;

-- cube-of-stays: Stays by ward and kind with all subtotals
SELECT ward, LOWER(kind) AS kind, COUNT(*) AS n, GROUPING(ward, LOWER(kind)) AS level
FROM stays
GROUP BY CUBE (ward, LOWER(kind))
ORDER BY level, ward, kind;

-- shift-of-admission: Admissions per shift; the night belongs to the evening before
SELECT (admitted_at - INTERVAL '6 hours')::date AS working_day,
       COUNT(*) FILTER (WHERE (admitted_at - INTERVAL '6 hours')::time < '08:00') AS early,
       COUNT(*) FILTER (WHERE (admitted_at - INTERVAL '6 hours')::time >= '08:00' AND (admitted_at - INTERVAL '6 hours')::time < '16:00') AS late,
       COUNT(*) FILTER (WHERE (admitted_at - INTERVAL '6 hours')::time >= '16:00') AS night
FROM stays
WHERE admitted_at >= '2024-02-20' AND admitted_at < '2024-03-10'
GROUP BY 1
ORDER BY 1;

-- maximum-at-once: Most patients of a ward at the same moment
WITH moves AS (
    SELECT ward, admitted_at AS at, 1 AS step FROM stays
    UNION ALL
    SELECT ward, discharged_at, -1 FROM stays WHERE discharged_at IS NOT NULL
), level AS (
    SELECT ward, SUM(step) OVER (PARTITION BY ward ORDER BY at, step ROWS UNBOUNDED PRECEDING) AS present
    FROM moves
)
SELECT ward, MAX(present) AS at_once FROM level GROUP BY ward ORDER BY ward;
