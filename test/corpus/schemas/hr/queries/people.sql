-- active-per-year-end: People employed at the end of each year
SELECT y.day, COUNT(e.employee_id) AS employed
FROM (VALUES (DATE '2019-12-31'), (DATE '2020-12-31'), (DATE '2021-12-31'), (DATE '2022-12-31'), (DATE '2023-12-31'), (DATE '2024-12-31')) AS y(day)
LEFT JOIN employees e ON e.hired_on <= y.day AND (e.left_on IS NULL OR e.left_on > y.day)
GROUP BY y.day
ORDER BY y.day;

-- joiners-and-leavers: Joiners, leavers and balance per quarter since 2022
WITH moves AS (
    SELECT DATE_TRUNC('quarter', hired_on)::date AS quarter, 1 AS joined, 0 AS gone FROM employees
    UNION ALL
    SELECT DATE_TRUNC('quarter', left_on)::date, 0, 1 FROM employees WHERE left_on IS NOT NULL
)
SELECT quarter, SUM(joined) AS joined, SUM(gone) AS gone, SUM(SUM(joined - gone)) OVER (ORDER BY quarter) AS balance
FROM moves
GROUP BY quarter
ORDER BY quarter;

-- tenure: Tenure in years and months on the last day of 2024
SELECT employee_id,
       EXTRACT(YEAR FROM AGE('2024-12-31'::date, hired_on))::int AS years,
       EXTRACT(MONTH FROM AGE('2024-12-31'::date, hired_on))::int AS months
FROM employees
WHERE left_on IS NULL AND hired_on <= '2024-12-31'
ORDER BY years DESC, months DESC, employee_id
LIMIT 40;

-- anniversaries: Round anniversaries in 2025
SELECT employee_id, hired_on, 2025 - EXTRACT(YEAR FROM hired_on) AS years, TO_CHAR(hired_on, 'DD Mon') AS day
FROM employees
WHERE left_on IS NULL AND MOD(2025 - EXTRACT(YEAR FROM hired_on)::int, 5) = 0 AND hired_on < '2025-01-01'
ORDER BY EXTRACT(MONTH FROM hired_on), EXTRACT(DAY FROM hired_on), employee_id;

-- turnover: Leavers of each year as a share of the mean headcount of its ends
WITH years AS (
  SELECT generate_series(2019, 2024) AS y
)
SELECT y,
       (SELECT COUNT(*) FROM employees WHERE EXTRACT(YEAR FROM left_on) = y) AS leavers,
       ROUND((SELECT COUNT(*) FROM employees WHERE EXTRACT(YEAR FROM left_on) = y) * 200.0 /
         NULLIF((SELECT COUNT(*) FROM employees WHERE hired_on < MAKE_DATE(y, 1, 1) AND (left_on IS NULL OR left_on >= MAKE_DATE(y, 1, 1)))
              + (SELECT COUNT(*) FROM employees WHERE hired_on <= MAKE_DATE(y, 12, 31) AND (left_on IS NULL OR left_on > MAKE_DATE(y, 12, 31))), 0), 2) AS turnover_pct
FROM years
ORDER BY y;

-- survival: How many of each hiring year were still there after one and after three years?
SELECT EXTRACT(YEAR FROM hired_on)::int AS hired,
       COUNT(*) AS people,
       COUNT(*) FILTER (WHERE left_on IS NULL OR left_on >= hired_on + INTERVAL '1 year') AS after_one,
       COUNT(*) FILTER (WHERE left_on IS NULL OR left_on >= hired_on + INTERVAL '3 years') AS after_three
FROM employees
GROUP BY EXTRACT(YEAR FROM hired_on)::int
ORDER BY hired;

-- skills: People per skill whatever its case
SELECT LOWER(s) AS skill, COUNT(*) AS people FROM employees CROSS JOIN UNNEST(skills) AS s GROUP BY LOWER(s) ORDER BY people DESC, skill;

-- skill-pairs: Which skills go together?
SELECT LOWER(a.s) AS skill_a, LOWER(b.s) AS skill_b, COUNT(*) AS people
FROM employees e
CROSS JOIN LATERAL UNNEST(e.skills) AS a(s)
CROSS JOIN LATERAL UNNEST(e.skills) AS b(s)
WHERE LOWER(a.s) < LOWER(b.s)
GROUP BY 1, 2
ORDER BY people DESC, 1, 2;

-- no-skills: People with unknown, with no and with several skills
SELECT CASE WHEN skills IS NULL THEN 'unknown' WHEN CARDINALITY(skills) = 0 THEN 'none' WHEN CARDINALITY(skills) = 1 THEN 'one' ELSE 'several' END AS skills,
       COUNT(*) AS n
FROM employees
GROUP BY 1
ORDER BY n DESC;

-- array-length-trap: array_length of an empty list is NULL, cardinality is 0
SELECT employee_id, ARRAY_LENGTH(skills, 1) AS len, CARDINALITY(skills) AS card, skills[2] AS second
FROM employees
WHERE employee_id <= 25
ORDER BY employee_id;

-- sql-people: People who know SQL in any spelling
SELECT e.employee_id, e.first_name
FROM employees e
WHERE EXISTS (SELECT 1 FROM UNNEST(e.skills) AS s WHERE UPPER(s) = 'SQL')
ORDER BY e.employee_id;

-- appended-skills: Skills with one appended, and where sql stands
SELECT employee_id, ARRAY_APPEND(skills, 'onboarding') AS skills, ARRAY_POSITION(skills, 'sql') AS at
FROM employees
WHERE skills IS NOT NULL AND employee_id BETWEEN 10 AND 30
ORDER BY employee_id;

-- names-cleaned: Names trimmed and in title case
SELECT employee_id, INITCAP(TRIM(first_name)) || ' ' || last_name AS name, LENGTH(first_name) - LENGTH(TRIM(first_name)) AS blanks
FROM employees
ORDER BY name, employee_id
LIMIT 50;

-- name-particles: Last names of more than one word, turned for sorting
SELECT DISTINCT last_name, REGEXP_REPLACE(last_name, '^(de|van|von) (.*)$', '\2, \1') AS sorted
FROM employees
WHERE last_name ~ ' '
ORDER BY sorted;

-- emails-normalised: E-mail addresses in lower case without blanks, duplicates counted
SELECT LOWER(TRIM(email)) AS email, COUNT(*) AS n, COUNT(DISTINCT email) AS spellings
FROM employees
WHERE email IS NOT NULL
GROUP BY LOWER(TRIM(email))
ORDER BY n DESC, email;

-- part-time: Full-time equivalents per job, whatever its case
SELECT LOWER(job) AS job, COUNT(*) AS heads, SUM(part_time) AS fte, ROUND(AVG(part_time), 3) AS mean,
       COUNT(*) FILTER (WHERE part_time < 1) * 100 / COUNT(*) AS pct_part_time
FROM employees
WHERE left_on IS NULL
GROUP BY LOWER(job)
ORDER BY fte DESC;

-- newest-per-unit: The two newest people of each unit
SELECT unit_id, employee_id, hired_on
FROM (
    SELECT unit_id, employee_id, hired_on, ROW_NUMBER() OVER (PARTITION BY unit_id ORDER BY hired_on DESC, employee_id) AS rn
    FROM employees
) x
WHERE rn <= 2
ORDER BY unit_id NULLS LAST, rn;

-- hired-same-day: Days on which more than one person was hired
SELECT hired_on, COUNT(*) AS n, STRING_AGG(TRIM(first_name), ', ' ORDER BY employee_id) AS who
FROM employees
GROUP BY hired_on
HAVING COUNT(*) > 1
ORDER BY hired_on;

-- month-of-hiring: Hires per month of the year over all years, months without any included
SELECT m.n AS month, TO_CHAR(MAKE_DATE(2024, m.n, 1), 'Mon') AS name, COUNT(e.employee_id) AS hires
FROM generate_series(1, 12) AS m(n)
LEFT JOIN employees e ON EXTRACT(MONTH FROM e.hired_on) = m.n
GROUP BY m.n
ORDER BY m.n;

-- probation-end: End of probation six months after hiring, moved from the weekend to Monday
SELECT employee_id, hired_on, (hired_on + INTERVAL '6 months')::date AS ends,
       CASE EXTRACT(ISODOW FROM hired_on + INTERVAL '6 months')
         WHEN 6 THEN (hired_on + INTERVAL '6 months 2 days')::date
         WHEN 7 THEN (hired_on + INTERVAL '6 months 1 day')::date
         ELSE (hired_on + INTERVAL '6 months')::date
       END AS working_day
FROM employees
WHERE hired_on >= '2023-01-01'
ORDER BY hired_on, employee_id;
