-- hires-cumulated: Hires per year with their cumulated sum and share
SELECT year, n, SUM(n) OVER (ORDER BY year) AS cumulated, ROUND(100.0 * SUM(n) OVER (ORDER BY year) / SUM(n) OVER (), 1) AS pct
FROM (SELECT EXTRACT(YEAR FROM hired_on)::int AS year, COUNT(*) AS n FROM employees GROUP BY 1) t
ORDER BY year;

-- leave-carried: Days of vacation taken per person and year against thirty
WITH v AS (
  SELECT employee_id, EXTRACT(YEAR FROM first_day)::int AS year, SUM(last_day - first_day + 1) AS taken
  FROM absences
  WHERE kind = 'vacation' AND approved
  GROUP BY employee_id, EXTRACT(YEAR FROM first_day)::int
)
SELECT employee_id, year, taken, GREATEST(30 - taken, 0) AS rest, SUM(30 - taken) OVER (PARTITION BY employee_id ORDER BY year) AS balance
FROM v
WHERE taken > 10
ORDER BY employee_id, year;

-- job-matrix: People per job and unit branch as columns
SELECT LOWER(e.job) AS job,
       COUNT(*) FILTER (WHERE u.short LIKE 'T%') AS tech,
       COUNT(*) FILTER (WHERE u.short LIKE 'S%') AS sales,
       COUNT(*) FILTER (WHERE u.short LIKE 'F%') AS finance,
       COUNT(*) FILTER (WHERE u.short IS NULL OR u.short = '') AS other
FROM employees e
LEFT JOIN units u ON u.unit_id = e.unit_id
GROUP BY LOWER(e.job)
ORDER BY job;

-- tenure-of-leavers: Tenure of leavers in days, percentiles
SELECT COUNT(*) AS leavers, MIN(left_on - hired_on) AS shortest, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY left_on - hired_on) AS median, MAX(left_on - hired_on) AS longest
FROM employees
WHERE left_on IS NOT NULL;

-- managers-load: Managers with weighted number of reports
SELECT m.employee_id, TRIM(m.first_name) AS name, SUM(e.part_time) AS fte, COUNT(*) FILTER (WHERE e.left_on IS NULL) AS active
FROM employees m
JOIN employees e ON e.manager_id = m.employee_id
GROUP BY m.employee_id
HAVING COUNT(*) >= 3
ORDER BY fte DESC, m.employee_id;

-- salary-bands-by-unit: People per band and unit path by recursion and pivot
WITH RECURSIVE tree AS (
    SELECT unit_id, unit_id AS top FROM units WHERE parent_id = 1
    UNION ALL
    SELECT c.unit_id, t.top FROM units c JOIN tree t ON t.unit_id = c.parent_id
)
SELECT u.name, COUNT(*) FILTER (WHERE s.monthly < 3000) AS low, COUNT(*) FILTER (WHERE s.monthly >= 3000 AND s.monthly < 4500) AS middle, COUNT(*) FILTER (WHERE s.monthly >= 4500) AS high
FROM tree t
JOIN units u ON u.unit_id = t.top
JOIN employees e ON e.unit_id = t.unit_id
JOIN salaries s ON s.employee_id = e.employee_id AND s.to_day IS NULL
GROUP BY u.name
ORDER BY u.name;

-- utilisation: Hours against capacity per month, capacity of 160 hours by part-time share
SELECT TO_CHAR(t.worked_on, 'YYYY-MM') AS month, SUM(t.hours) AS hours, SUM(DISTINCT e.part_time) AS distinct_shares,
       ROUND(SUM(t.hours) / (160 * COUNT(DISTINCT e.employee_id)), 4) AS utilisation
FROM timesheets t
JOIN employees e ON e.employee_id = t.employee_id
GROUP BY TO_CHAR(t.worked_on, 'YYYY-MM')
ORDER BY month;

-- first-project: First project of each person and days since hiring
SELECT DISTINCT ON (t.employee_id) t.employee_id, t.project, t.worked_on - e.hired_on AS days
FROM timesheets t
JOIN employees e ON e.employee_id = t.employee_id
ORDER BY t.employee_id, t.worked_on, t.entry_id
LIMIT 40;

-- sick-rate: Days of sickness per person and month of the year, Bradford factor
SELECT employee_id, COUNT(*) AS spells, SUM(last_day - first_day + 1) AS days, COUNT(*) * COUNT(*) * SUM(last_day - first_day + 1) AS bradford
FROM absences
WHERE LOWER(kind) = 'sick'
GROUP BY employee_id
HAVING COUNT(*) > 1
ORDER BY bradford DESC, employee_id;

-- pay-gap-of-jobs: Highest minus lowest mean pay over jobs per currency
SELECT currency, MAX(mean) - MIN(mean) AS gap
FROM (
    SELECT s.currency, LOWER(e.job) AS job, AVG(s.monthly) AS mean
    FROM salaries s JOIN employees e USING (employee_id)
    GROUP BY s.currency, LOWER(e.job)
) t
GROUP BY currency
ORDER BY currency;

-- email-cleanup: What would a cleaning of the addresses change?
SELECT DISTINCT email, LOWER(BTRIM(email)) AS cleaned, email = LOWER(BTRIM(email)) AS clean, email ~ '^[a-z.]+@[a-z.]+$' AS valid
FROM employees
WHERE email IS NOT NULL;

-- calendar-grid: Hours of Hermes per ISO week and weekday as a grid
SELECT EXTRACT(WEEK FROM worked_on)::int AS week,
       COALESCE(SUM(hours) FILTER (WHERE EXTRACT(ISODOW FROM worked_on) = 1), 0) AS mo,
       COALESCE(SUM(hours) FILTER (WHERE EXTRACT(ISODOW FROM worked_on) = 2), 0) AS tu,
       COALESCE(SUM(hours) FILTER (WHERE EXTRACT(ISODOW FROM worked_on) = 3), 0) AS we,
       COALESCE(SUM(hours) FILTER (WHERE EXTRACT(ISODOW FROM worked_on) > 3), 0) AS rest
FROM timesheets
WHERE project = 'HERMES' AND EXTRACT(ISOYEAR FROM worked_on) = 2024
GROUP BY 1
ORDER BY 1;

-- two-year-window: People hired within two years of each other in one unit, counted per unit
SELECT a.unit_id, COUNT(*) AS pairs
FROM employees a
JOIN employees b ON a.unit_id = b.unit_id AND a.employee_id < b.employee_id
WHERE b.hired_on BETWEEN a.hired_on - INTERVAL '2 years' AND a.hired_on + INTERVAL '2 years'
GROUP BY a.unit_id
ORDER BY pairs DESC, a.unit_id;

-- array-slices: First skill, the rest, and the list put back together
SELECT employee_id, skills[1] AS first, skills[2:] AS rest, skills[1:1] || skills[2:] = skills AS same, skills || ARRAY['x'] AS longer
FROM employees
WHERE CARDINALITY(skills) > 1
ORDER BY employee_id
LIMIT 20;

-- array-equality: People with the same list of skills
SELECT skills, COUNT(*) AS n FROM employees GROUP BY skills ORDER BY n DESC, skills;

-- unnest-order: Skills with their places by WITH ORDINALITY
SELECT e.employee_id, s.place, s.skill
FROM employees e, UNNEST(e.skills) WITH ORDINALITY AS s(skill, place)
WHERE e.employee_id <= 20
ORDER BY e.employee_id, s.place;

-- array-remove: Lists without one skill, replaced spelling and length
SELECT DISTINCT skills, ARRAY_REMOVE(skills, 'sql') AS without, ARRAY_REPLACE(skills, 'Sql', 'sql') AS respelled, 'go' = ANY(skills) AS has_go FROM employees WHERE skills IS NOT NULL;

-- array-subquery: Skills of each unit by an array of a subquery
SELECT u.unit_id, ARRAY(SELECT DISTINCT LOWER(s) FROM employees e, UNNEST(e.skills) AS s WHERE e.unit_id = u.unit_id ORDER BY 1) AS skills
FROM units u
ORDER BY u.unit_id;
