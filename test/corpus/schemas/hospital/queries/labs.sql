-- out-of-range: Results outside the reference range of each test
WITH ranges (test, low, high) AS (
    VALUES ('glucose', 3.9, 7.8), ('hemoglobin', 120, 170), ('sodium', 135, 145), ('crp', 0, 10)
)
SELECT l.test,
       COUNT(*) FILTER (WHERE l.value < r.low) AS below,
       COUNT(*) FILTER (WHERE l.value > r.high) AS above,
       COUNT(*) FILTER (WHERE l.value BETWEEN r.low AND r.high) AS inside,
       COUNT(*) FILTER (WHERE l.value IS NULL) AS missing
FROM labs l
JOIN ranges r ON r.test = l.test
GROUP BY l.test
ORDER BY l.test;

-- latest-per-test: The latest result of each test for ten patients
SELECT DISTINCT ON (patient_id, test) patient_id, test, value, taken_at
FROM labs
WHERE patient_id < 5010
ORDER BY patient_id, test, taken_at DESC, lab_id DESC;

-- latest-pivot: The latest values of each patient side by side
SELECT patient_id,
       MAX(value) FILTER (WHERE test = 'glucose') AS glucose,
       MAX(value) FILTER (WHERE test = 'hemoglobin') AS hemoglobin,
       MAX(value) FILTER (WHERE test = 'sodium') AS sodium,
       MAX(value) FILTER (WHERE test = 'crp') AS crp
FROM (
    SELECT patient_id, test, value, ROW_NUMBER() OVER (PARTITION BY patient_id, test ORDER BY taken_at DESC, lab_id) AS rn
    FROM labs
    WHERE value IS NOT NULL
) x
WHERE rn = 1
GROUP BY patient_id
ORDER BY patient_id;

-- change-since-last: Change of CRP since the last measurement
SELECT patient_id, taken_at, value,
       value - LAG(value) OVER (PARTITION BY patient_id ORDER BY taken_at, lab_id) AS change
FROM labs
WHERE test = 'crp' AND value IS NOT NULL
ORDER BY patient_id, taken_at, lab_id;

-- rising-twice: Patients whose glucose rose twice in a row
WITH steps AS (
  SELECT patient_id, lab_id, value,
         LAG(value, 1) OVER w AS v1, LAG(value, 2) OVER w AS v2, LAG(value, 3) OVER w AS v3
  FROM labs
  WHERE test = 'glucose' AND value IS NOT NULL
  WINDOW w AS (PARTITION BY patient_id ORDER BY taken_at, lab_id)
)
SELECT DISTINCT patient_id FROM steps WHERE value > v1 AND v1 > v2 AND (v3 IS NULL OR v3 <> v2) ORDER BY patient_id;

-- weekly-counts: Tests per ISO week of the turn of the year
SELECT TO_CHAR(DATE_TRUNC('week', taken_at), 'YYYY-MM-DD') AS week_from, TO_CHAR(taken_at, 'IYYY-IW') AS iso_week, COUNT(*) AS n
FROM labs
WHERE taken_at BETWEEN '2023-12-15' AND '2024-01-20'
GROUP BY DATE_TRUNC('week', taken_at), TO_CHAR(taken_at, 'IYYY-IW')
ORDER BY week_from;

-- remarks: Remarks with empty ones as NULL
SELECT COALESCE(NULLIF(remark, ''), '(none)') AS remark, COUNT(*) AS n, COUNT(DISTINCT test) AS tests
FROM labs
GROUP BY COALESCE(NULLIF(remark, ''), '(none)')
ORDER BY n DESC, remark;

-- z-scores: Results more than two standard deviations away from the test's mean
SELECT lab_id, test, value, ROUND(((value - mean) / sd)::numeric, 3) AS z
FROM (
    SELECT lab_id, test, value, AVG(value) OVER (PARTITION BY test) AS mean, STDDEV_POP(value) OVER (PARTITION BY test) AS sd
    FROM labs
    WHERE value IS NOT NULL
) s
WHERE ABS(value - mean) > 1.7 * sd
ORDER BY z DESC, lab_id;

-- moving-median: Mean of the last three sodium values of each patient, NULL values left out
SELECT patient_id, lab_id, ROUND(AVG(value) OVER (PARTITION BY patient_id ORDER BY taken_at, lab_id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)::numeric, 2) AS mean3
FROM labs
WHERE test = 'sodium'
ORDER BY patient_id, taken_at, lab_id
LIMIT 120;

-- during-stay: Number of tests taken during a stay
SELECT s.stay_id, COUNT(l.lab_id) AS tests
FROM stays s
LEFT JOIN labs l ON l.patient_id = s.patient_id
 AND l.taken_at BETWEEN s.admitted_at AND COALESCE(s.discharged_at, TIMESTAMP '2025-01-01')
GROUP BY s.stay_id
HAVING COUNT(l.lab_id) > 0
ORDER BY tests DESC, s.stay_id;

-- first-test-after-admission: Hours from admission to the first test
SELECT s.stay_id, ROUND(EXTRACT(EPOCH FROM (f.first_at - s.admitted_at)) / 3600, 2) AS hours
FROM stays s
JOIN LATERAL (
    SELECT MIN(l.taken_at) AS first_at FROM labs l WHERE l.patient_id = s.patient_id AND l.taken_at >= s.admitted_at
) f ON f.first_at IS NOT NULL
ORDER BY hours, s.stay_id
LIMIT 40;

-- test-pairs: Days on which a patient had both glucose and CRP taken
SELECT patient_id, taken_at::date AS day, STRING_AGG(DISTINCT test, '+' ORDER BY test) AS tests
FROM labs
WHERE test IN ('glucose', 'crp')
GROUP BY patient_id, taken_at::date
HAVING COUNT(DISTINCT test) = 2
ORDER BY patient_id, day;

-- units-converted: Glucose in mg/dl and hemoglobin in g/dl
SELECT lab_id, test,
       CASE test WHEN 'glucose' THEN ROUND((value * 18.0182)::numeric, 1) WHEN 'hemoglobin' THEN ROUND((value / 10)::numeric, 1) END AS converted,
       CASE test WHEN 'glucose' THEN 'mg/dl' WHEN 'hemoglobin' THEN 'g/dl' ELSE 'as is' END AS unit
FROM labs
WHERE lab_id <= 60
ORDER BY lab_id;

-- value-to-integer: Values cast to integers, halves to even as floats are
SELECT value, CAST(value AS INTEGER) AS as_int, ROUND(value) AS rounded, FLOOR(value) AS floored, CEIL(value) AS ceiled, TRUNC(value) AS cut
FROM labs
WHERE test = 'crp' AND value IS NOT NULL
GROUP BY value
ORDER BY value
LIMIT 40;

-- hemolyzed-share: Share of hemolyzed samples per month
SELECT DATE_TRUNC('month', taken_at)::date AS month,
       COUNT(*) AS samples,
       ROUND(AVG((remark IS NOT DISTINCT FROM 'hemolyzed')::int), 4) AS share
FROM labs
GROUP BY DATE_TRUNC('month', taken_at)::date
ORDER BY month;

-- extremes: Lowest and highest value of each test with who had them
SELECT l.test, l.value, l.patient_id, l.taken_at
FROM labs l
JOIN (SELECT test, MIN(value) AS lo, MAX(value) AS hi FROM labs GROUP BY test) e ON e.test = l.test AND l.value IN (e.lo, e.hi)
ORDER BY l.test, l.value, l.patient_id, l.lab_id;

-- coverage: Patients with all four tests
SELECT patient_id
FROM labs
WHERE value IS NOT NULL
GROUP BY patient_id
HAVING COUNT(DISTINCT test) = (SELECT COUNT(DISTINCT test) FROM labs)
ORDER BY patient_id;
