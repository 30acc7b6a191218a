-- days-per-kind: Days of absence per kind in any case, calendar days with both ends
SELECT LOWER(kind) AS kind, COUNT(*) AS absences, SUM(last_day - first_day + 1) AS days, ROUND(AVG(last_day - first_day + 1), 2) AS mean
FROM absences
GROUP BY LOWER(kind)
ORDER BY days DESC;

-- working-days: Working days of each absence around New Year
SELECT a.absence_id, a.first_day, a.last_day,
       COUNT(*) FILTER (WHERE EXTRACT(ISODOW FROM d.day) <= 5) AS working_days
FROM absences a
CROSS JOIN LATERAL generate_series(a.first_day::timestamp, a.last_day::timestamp, INTERVAL '1 day') AS d(day)
WHERE a.first_day BETWEEN '2023-12-20' AND '2024-01-15'
GROUP BY a.absence_id, a.first_day, a.last_day
ORDER BY a.absence_id;

-- absent-per-day: How many were absent on each day of the last week of February 2024?
SELECT d.day::date AS day, COUNT(DISTINCT a.employee_id) AS absent
FROM generate_series(DATE '2024-02-24', DATE '2024-03-02', INTERVAL '1 day') AS d(day)
LEFT JOIN absences a ON d.day BETWEEN a.first_day AND a.last_day
GROUP BY 1
ORDER BY 1;

-- approval: Absences by approval, three states
SELECT CASE approved WHEN TRUE THEN 'yes' WHEN FALSE THEN 'no' ELSE 'open' END AS approved, COUNT(*) AS n
FROM absences
GROUP BY approved
ORDER BY n DESC;

-- approval-logic: NOT and IS with NULL
SELECT COUNT(*) FILTER (WHERE approved) AS yes,
       COUNT(*) FILTER (WHERE NOT approved) AS no,
       COUNT(*) FILTER (WHERE approved IS NOT TRUE) AS not_yes,
       COUNT(*) FILTER (WHERE approved IS NULL) AS open,
       BOOL_AND(approved) AS all_known_yes,
       EVERY(COALESCE(approved, TRUE)) AS every_one
FROM absences;

-- split-at-month-end: Days of each month for absences that run over its end
SELECT absence_id,
       (DATE_TRUNC('month', first_day) + INTERVAL '1 month')::date - first_day AS in_first_month,
       last_day - DATE_TRUNC('month', last_day)::date + 1 AS in_last_month
FROM absences
WHERE DATE_TRUNC('month', first_day) <> DATE_TRUNC('month', last_day)
ORDER BY absence_id;

-- sick-after-vacation: Sick leave that begins within three days after a vacation
SELECT v.employee_id, v.last_day, s.first_day
FROM absences v
JOIN absences s ON s.employee_id = v.employee_id AND s.first_day BETWEEN v.last_day AND v.last_day + 3
WHERE v.kind = 'vacation' AND LOWER(s.kind) = 'sick'
ORDER BY v.employee_id, v.last_day, s.first_day;

-- merged: Absences of each person merged where they touch
WITH o AS (
  SELECT employee_id, first_day, last_day,
         MAX(last_day) OVER (PARTITION BY employee_id ORDER BY first_day, last_day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
  FROM absences
), g AS (
  SELECT employee_id, first_day, last_day,
         SUM(CASE WHEN before IS NULL OR first_day > before + 1 THEN 1 ELSE 0 END) OVER (PARTITION BY employee_id ORDER BY first_day, last_day) AS grp
  FROM o
)
SELECT employee_id, MIN(first_day) AS first_day, MAX(last_day) AS last_day, COUNT(*) AS parts
FROM g
GROUP BY employee_id, grp
HAVING COUNT(*) > 1
ORDER BY employee_id, first_day;

-- most-absent: People with most days, and their share of all
SELECT employee_id, SUM(last_day - first_day + 1) AS days,
       ROUND(100.0 * SUM(last_day - first_day + 1) / SUM(SUM(last_day - first_day + 1)) OVER (), 2) AS pct
FROM absences
WHERE approved IS NOT FALSE
GROUP BY employee_id
ORDER BY days DESC, employee_id
LIMIT 15;

-- never-absent: Active people without any absence
SELECT e.employee_id
FROM employees e
LEFT JOIN absences a USING (employee_id)
WHERE a.absence_id IS NULL AND e.left_on IS NULL
ORDER BY e.employee_id;

-- absences-after-leaving: Absences after the person has left
SELECT a.absence_id, a.first_day, e.left_on
FROM absences a
JOIN employees e ON e.employee_id = a.employee_id
WHERE a.first_day > e.left_on
ORDER BY a.absence_id;

-- kinds-by-month: Absences per month and kind as a cross table
SELECT TO_CHAR(first_day, 'YYYY-MM') AS month,
       COUNT(*) FILTER (WHERE kind = 'vacation') AS vacation,
       COUNT(*) FILTER (WHERE kind ILIKE 'sick') AS sick,
       COUNT(*) FILTER (WHERE kind IN ('parental', 'unpaid')) AS other
FROM absences
GROUP BY TO_CHAR(first_day, 'YYYY-MM')
ORDER BY month;

-- bridge-days: Absences of a single day on a Monday or a Friday
SELECT TRIM(TO_CHAR(first_day, 'Day')) AS weekday, COUNT(*) AS n
FROM absences
WHERE first_day = last_day AND EXTRACT(DOW FROM first_day) IN (1, 5)
GROUP BY TRIM(TO_CHAR(first_day, 'Day'))
ORDER BY weekday;

-- week-53: Absences in ISO week 53 or the first week of the ISO year
SELECT absence_id, first_day, EXTRACT(ISOYEAR FROM first_day)::int AS iso_year, EXTRACT(WEEK FROM first_day)::int AS week
FROM absences
WHERE EXTRACT(WEEK FROM first_day) IN (1, 53)
ORDER BY first_day, absence_id;

-- days-until-next: Days from the end of an absence to the next one of the same person
SELECT employee_id, absence_id, LEAD(first_day) OVER (PARTITION BY employee_id ORDER BY first_day, absence_id) - last_day AS days
FROM absences
WHERE employee_id <= 15
ORDER BY employee_id, first_day, absence_id;
