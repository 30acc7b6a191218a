-- marks: How many scans of each mark, NULL included?
SELECT mark, COUNT(*) AS n FROM attendance GROUP BY mark ORDER BY mark;

-- duplicates: Scans that are in the log more than once
SELECT enrollment_id, held_on, COUNT(*) AS times
FROM attendance
GROUP BY enrollment_id, held_on
HAVING COUNT(*) > 1
ORDER BY times DESC, enrollment_id, held_on;

-- rate-per-course: Presence rate per course, late counts as present
SELECT c.code,
       COUNT(*) AS scans,
       ROUND(SUM(CASE WHEN a.mark IN ('present', 'late') THEN 1 ELSE 0 END)::numeric / COUNT(*), 4) AS rate
FROM attendance a
JOIN enrollments e ON e.enrollment_id = a.enrollment_id
JOIN courses c ON c.course_id = e.course_id
GROUP BY c.code
ORDER BY rate DESC, c.code;

-- by-weekday: Scans by weekday, Monday first
SELECT TO_CHAR(held_on, 'Dy') AS weekday, EXTRACT(ISODOW FROM held_on)::int AS n_day, COUNT(*) AS scans
FROM attendance
GROUP BY 1, 2
ORDER BY 2;

-- by-iso-week: Scans by ISO year and week around the turns of the year
SELECT EXTRACT(ISOYEAR FROM held_on) AS iso_year, EXTRACT(WEEK FROM held_on) AS iso_week, COUNT(*) AS scans
FROM attendance
WHERE EXTRACT(WEEK FROM held_on) IN (1, 52, 53)
GROUP BY 1, 2
ORDER BY 1, 2;

-- month-ends: Scans on the last day of a month
SELECT held_on, COUNT(*) AS scans
FROM attendance
WHERE held_on = (DATE_TRUNC('month', held_on) + INTERVAL '1 month' - INTERVAL '1 day')::date
GROUP BY held_on
ORDER BY held_on;

-- minutes-late: Sum, mean and maximum of the minutes of those who came late
SELECT e.term, SUM(a.minutes_late) AS total, ROUND(AVG(a.minutes_late), 2) AS mean, MAX(a.minutes_late) AS longest
FROM attendance a
INNER JOIN enrollments e USING (enrollment_id)
WHERE a.mark = 'late'
GROUP BY e.term
ORDER BY e.term;

-- hour-of-scan: Scans by hour of the day
SELECT EXTRACT(HOUR FROM scanned_at) AS hour, COUNT(*) AS n
FROM attendance
WHERE scanned_at IS NOT NULL
GROUP BY EXTRACT(HOUR FROM scanned_at)
ORDER BY hour;

-- half-hours: Scans in half-hour buckets between nine and noon
SELECT DATE_TRUNC('hour', scanned_at) + INTERVAL '30 min' * FLOOR(EXTRACT(MINUTE FROM scanned_at) / 30) AS bucket,
       COUNT(*) AS scans
FROM attendance
WHERE EXTRACT(HOUR FROM scanned_at) BETWEEN 9 AND 11
GROUP BY 1
ORDER BY 1;

-- calendar-of-september: Every day of September 2023 with its scans, zero where there were none
SELECT d.day::date AS day, COUNT(a.enrollment_id) AS scans
FROM generate_series(DATE '2023-09-01', DATE '2023-09-30', INTERVAL '1 day') AS d(day)
LEFT JOIN attendance a ON a.held_on = d.day::date
GROUP BY d.day
ORDER BY d.day;

-- gaps-between-scans: Days between one scan and the next of the same enrollment
SELECT enrollment_id, held_on,
       held_on - LAG(held_on) OVER (PARTITION BY enrollment_id ORDER BY held_on) AS days_since
FROM (SELECT DISTINCT enrollment_id, held_on FROM attendance) d
WHERE enrollment_id < 120
ORDER BY enrollment_id, held_on;

-- seven-day-mean: Seven-day moving mean of daily scans in autumn 2023
WITH daily AS (
  SELECT held_on AS day, COUNT(*) AS n
  FROM attendance
  WHERE held_on >= '2023-09-04' AND held_on < '2024-01-01'
  GROUP BY held_on
)
SELECT day, n,
       ROUND(AVG(n) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW), 2) AS moving_mean
FROM daily
ORDER BY day;

-- seven-day-range: Scans in the seven days up to each day by a RANGE frame
SELECT day, n, SUM(n) OVER (ORDER BY day RANGE BETWEEN INTERVAL '6 days' PRECEDING AND CURRENT ROW) AS last_seven
FROM (SELECT held_on AS day, COUNT(*) AS n FROM attendance GROUP BY held_on) t
WHERE day >= DATE '2024-01-01'
ORDER BY day;

-- streaks: Runs of days in a row on which something was scanned
WITH days AS (
    SELECT DISTINCT held_on FROM attendance
), islands AS (
    SELECT held_on, held_on - (ROW_NUMBER() OVER (ORDER BY held_on))::int AS island
    FROM days
)
SELECT MIN(held_on) AS from_day, MAX(held_on) AS to_day, COUNT(*) AS days
FROM islands
GROUP BY island
HAVING COUNT(*) >= 4
ORDER BY days DESC, from_day;

-- absent-and-late: Students with at least two absences and one late arrival
SELECT e.student_id,
       COUNT(*) FILTER (WHERE a.mark = 'absent') AS absences,
       COUNT(*) FILTER (WHERE a.mark = 'late') AS late
FROM attendance a JOIN enrollments e ON e.enrollment_id = a.enrollment_id
GROUP BY e.student_id
HAVING COUNT(*) FILTER (WHERE a.mark = 'absent') >= 2
   AND COUNT(*) FILTER (WHERE a.mark = 'late') >= 1
ORDER BY e.student_id;

-- midnight-scans: Scans exactly at midnight or in the last second of a day
SELECT held_on, scanned_at, scanned_at::time AS at, TO_CHAR(scanned_at, 'HH12:MI AM') AS shown
FROM attendance
WHERE scanned_at::time IN ('00:00:00', '23:59:59')
ORDER BY scanned_at, enrollment_id
LIMIT 40;

-- quarter-report: Scans by quarter with the share of the year
SELECT y, q, n, ROUND(n / SUM(n) OVER (PARTITION BY y) * 100, 1) AS pct_of_year
FROM (
    SELECT EXTRACT(YEAR FROM held_on)::int AS y, EXTRACT(QUARTER FROM held_on)::int AS q, COUNT(*) AS n
    FROM attendance
    GROUP BY 1, 2
) t
ORDER BY y, q;

-- never-scanned: Completed enrollments without any scan, per term
SELECT e.term, COUNT(*) AS without_scan
FROM enrollments e
LEFT JOIN attendance a ON a.enrollment_id = e.enrollment_id
WHERE a.enrollment_id IS NULL AND LOWER(e.status) = 'completed'
GROUP BY e.term
ORDER BY 1;

-- metabase-style: Scans by month as a BI tool asks for them
SELECT DATE_TRUNC('month', "source"."held_on") AS "held_on", "source"."mark" AS "mark", COUNT(*) AS "count"
FROM (
  SELECT "attendance"."enrollment_id" AS "enrollment_id", "attendance"."held_on" AS "held_on", "attendance"."mark" AS "mark",
         "Enrollments"."term" AS "Enrollments__term"
  FROM "attendance"
  LEFT JOIN "enrollments" AS "Enrollments" ON "attendance"."enrollment_id" = "Enrollments"."enrollment_id"
) AS "source"
WHERE ("source"."Enrollments__term" = '2023F') AND ("source"."mark" IS NOT NULL)
GROUP BY DATE_TRUNC('month', "source"."held_on"), "source"."mark"
ORDER BY DATE_TRUNC('month', "source"."held_on") ASC, "source"."mark" ASC;

-- registration-to-first-scan: Days from registration to the first scan afterwards
SELECT e.enrollment_id, e.registered_on, f.first_scan, f.first_scan - e.registered_on AS waited
FROM enrollments e
CROSS JOIN LATERAL (
    SELECT MIN(a.held_on) AS first_scan
    FROM attendance a
    WHERE a.enrollment_id = e.enrollment_id AND a.held_on >= e.registered_on
) f
WHERE f.first_scan IS NOT NULL
ORDER BY waited, e.enrollment_id
LIMIT 80;
