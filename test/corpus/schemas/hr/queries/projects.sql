-- hours-per-project: Hours and people per project, projects without hours included
SELECT p.code, p.title, COALESCE(SUM(t.hours), 0) AS hours, COUNT(DISTINCT t.employee_id) AS people
FROM projects p
LEFT JOIN timesheets t ON t.project = p.code
GROUP BY p.code
ORDER BY hours DESC, p.code;

-- outside-of-project: Hours booked before the start or after the end of a project
SELECT t.project, COUNT(*) AS entries, SUM(t.hours) AS hours
FROM timesheets t
JOIN projects p ON p.code = t.project
WHERE t.worked_on < p.starts_on OR t.worked_on > p.ends_on
GROUP BY t.project
ORDER BY t.project;

-- weekly-hours: People with more than ten hours in an ISO week
SELECT employee_id, EXTRACT(ISOYEAR FROM worked_on)::int AS y, EXTRACT(WEEK FROM worked_on)::int AS w, SUM(hours) AS hours
FROM timesheets
GROUP BY 1, 2, 3
HAVING SUM(hours) > 12
ORDER BY hours DESC, 1, 2, 3;

-- remarks-with-numbers: Numbers of issues out of the remarks
SELECT entry_id, remark, (REGEXP_MATCH(remark, '#([0-9]+)'))[1] AS first_number
FROM timesheets
WHERE remark LIKE '%#%'
ORDER BY entry_id
LIMIT 30;

-- all-numbers: All numbers of issues with their count
SELECT m.found[1] AS number, COUNT(*) AS n
FROM timesheets t
CROSS JOIN LATERAL REGEXP_MATCHES(t.remark, '#([0-9]+)', 'g') AS m(found)
GROUP BY m.found[1]
ORDER BY n DESC, number;

-- remarks-states: Remarks missing, blank and given per project
SELECT project,
       COUNT(*) - COUNT(remark) AS missing,
       COUNT(*) FILTER (WHERE TRIM(remark) = '') AS blank,
       COUNT(NULLIF(TRIM(remark), '')) AS given
FROM timesheets
GROUP BY project
ORDER BY project;

-- hours-as-text: Hours as hours and minutes
SELECT entry_id, hours, FLOOR(hours)::int || 'h ' || LPAD(ROUND((hours - FLOOR(hours)) * 60)::int::text, 2, '0') || 'm' AS shown
FROM timesheets
ORDER BY entry_id
LIMIT 30;

-- cost-of-project: Cost of each project by the salary valid on the day, 160 hours a month
SELECT t.project, ROUND(SUM(t.hours * s.monthly / 160), 2) AS cost
FROM timesheets t
JOIN salaries s ON s.employee_id = t.employee_id AND t.worked_on >= s.from_day AND (s.to_day IS NULL OR t.worked_on < s.to_day)
WHERE s.currency = 'EUR'
GROUP BY t.project
ORDER BY cost DESC;

-- budget-used: Share of the budget that is used, zero and missing budgets guarded
SELECT p.code, p.budget,
       CASE WHEN COALESCE(p.budget, 0) = 0 THEN NULL ELSE ROUND(SUM(t.hours) * 80 / p.budget, 4) END AS used
FROM projects p
JOIN timesheets t ON t.project = p.code
GROUP BY p.code, p.budget
ORDER BY p.code;

-- project-duration: Days, and months between first and last booking
SELECT project, MIN(worked_on) AS first_day, MAX(worked_on) AS last_day, MAX(worked_on) - MIN(worked_on) AS days,
       (EXTRACT(YEAR FROM MAX(worked_on)) - EXTRACT(YEAR FROM MIN(worked_on))) * 12 + EXTRACT(MONTH FROM MAX(worked_on)) - EXTRACT(MONTH FROM MIN(worked_on)) AS months
FROM timesheets
GROUP BY project
ORDER BY project;

-- cumulative-hours: Cumulated hours per project and month
SELECT project, month, hours, SUM(hours) OVER (PARTITION BY project ORDER BY month) AS cumulated,
       ROUND(hours / SUM(hours) OVER (PARTITION BY project), 3) AS share
FROM (
    SELECT project, DATE_TRUNC('month', worked_on)::date AS month, SUM(hours) AS hours
    FROM timesheets
    GROUP BY project, DATE_TRUNC('month', worked_on)::date
) m
ORDER BY project, month;

-- top-contributors: The three top contributors of each project with their hours
WITH h AS (
  SELECT project, employee_id, SUM(hours) AS hours, RANK() OVER (PARTITION BY project ORDER BY SUM(hours) DESC) AS place
  FROM timesheets
  GROUP BY project, employee_id
)
SELECT h.project, h.place, TRIM(e.first_name) || ' ' || e.last_name AS name, h.hours
FROM h JOIN employees e USING (employee_id)
WHERE h.place <= 3
ORDER BY h.project, h.place, h.employee_id;

-- zero-entries: People with entries of zero hours and no full day
SELECT employee_id, COUNT(*) FILTER (WHERE hours = 0) AS zero_entries
FROM timesheets
GROUP BY employee_id
HAVING MIN(hours) = 0 AND MAX(hours) < 8
ORDER BY employee_id;

-- working-while-absent: Hours booked on days of absence
SELECT t.entry_id, t.employee_id, t.worked_on, a.kind
FROM timesheets t
JOIN absences a ON a.employee_id = t.employee_id AND t.worked_on BETWEEN a.first_day AND a.last_day
WHERE t.hours > 0
ORDER BY t.entry_id, a.absence_id;

-- people-on-all: People who have worked for Apollo, Hermes and Zeus
SELECT employee_id
FROM timesheets
WHERE project IN ('APOLLO', 'HERMES', 'ZEUS')
GROUP BY employee_id
HAVING COUNT(DISTINCT project) = 3
ORDER BY employee_id;

-- division: People who have worked for all projects that have any hours, by double negation
SELECT e.employee_id
FROM employees e
WHERE NOT EXISTS (
    SELECT 1 FROM (SELECT DISTINCT project FROM timesheets) p
    WHERE NOT EXISTS (SELECT 1 FROM timesheets t WHERE t.employee_id = e.employee_id AND t.project = p.project)
)
ORDER BY e.employee_id;

-- busiest-weekday: Hours per weekday and project, the busiest one only
SELECT project, dow, hours
FROM (
  SELECT project, EXTRACT(ISODOW FROM worked_on)::int AS dow, SUM(hours) AS hours,
         ROW_NUMBER() OVER (PARTITION BY project ORDER BY SUM(hours) DESC, EXTRACT(ISODOW FROM worked_on)) AS rn
  FROM timesheets
  GROUP BY project, EXTRACT(ISODOW FROM worked_on)
) d
WHERE rn = 1
ORDER BY project;

-- overlap-of-projects: Projects that ran at the same time and for how many days
SELECT a.code AS a, b.code AS b,
       LEAST(COALESCE(a.ends_on, DATE '2024-12-31'), COALESCE(b.ends_on, DATE '2024-12-31')) - GREATEST(a.starts_on, b.starts_on) + 1 AS days
FROM projects a
JOIN projects b ON a.code < b.code
 AND a.starts_on <= COALESCE(b.ends_on, DATE '2024-12-31')
 AND b.starts_on <= COALESCE(a.ends_on, DATE '2024-12-31')
ORDER BY days DESC, a.code, b.code;

-- titles-with-marks: Titles with a semicolon or parentheses, their parts
SELECT code, title, SPLIT_PART(title, ';', 1) AS before, TRIM(SPLIT_PART(title, ';', 2)) AS after, TRANSLATE(title, '()', '[]') AS brackets
FROM projects
WHERE title ~ '[;()]'
ORDER BY code;

-- month-matrix: Hours of each project per month of 2024 with row and column sums
SELECT COALESCE(project, 'TOTAL') AS project, COALESCE(TO_CHAR(worked_on, 'MM'), 'all') AS month, SUM(hours) AS hours
FROM timesheets
WHERE worked_on >= DATE '2024-01-01' AND worked_on < DATE '2025-01-01'
GROUP BY CUBE (project, TO_CHAR(worked_on, 'MM'))
ORDER BY GROUPING(project), 1, GROUPING(TO_CHAR(worked_on, 'MM')), 2;
