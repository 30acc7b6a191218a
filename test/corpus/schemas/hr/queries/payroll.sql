-- current-salary: Salary of everybody on the last day of 2024
SELECT e.employee_id, s.monthly, s.currency
FROM employees e
JOIN salaries s ON s.employee_id = e.employee_id
WHERE s.from_day <= '2024-12-31' AND (s.to_day > '2024-12-31' OR s.to_day IS NULL)
ORDER BY s.monthly DESC, e.employee_id
LIMIT 40;

-- raises: Raises in percent from step to step
SELECT employee_id, from_day, monthly,
       ROUND((monthly / LAG(monthly) OVER w - 1) * 100, 2) AS raise_pct
FROM salaries
WINDOW w AS (PARTITION BY employee_id ORDER BY from_day)
ORDER BY employee_id, from_day;

-- biggest-raise: The biggest raise of each year of its start
WITH steps AS (
    SELECT employee_id, from_day, monthly - LAG(monthly) OVER (PARTITION BY employee_id ORDER BY from_day) AS raise
    FROM salaries
)
SELECT DISTINCT ON (EXTRACT(YEAR FROM from_day)) EXTRACT(YEAR FROM from_day)::int AS year, employee_id, raise
FROM steps
WHERE raise > 0
ORDER BY EXTRACT(YEAR FROM from_day), raise DESC, employee_id;

-- payroll-per-month: Payroll of each month of 2024 in both currencies
SELECT TO_CHAR(m.day, 'YYYY-MM') AS month,
       SUM(s.monthly * e.part_time) FILTER (WHERE s.currency = 'EUR') AS eur,
       SUM(s.monthly * e.part_time) FILTER (WHERE s.currency = 'USD') AS usd
FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-12-01', INTERVAL '1 month') AS m(day)
JOIN salaries s ON s.from_day <= m.day AND COALESCE(s.to_day, DATE '2099-01-01') > m.day
JOIN employees e ON e.employee_id = s.employee_id AND (e.left_on IS NULL OR e.left_on >= m.day)
GROUP BY m.day
ORDER BY m.day;

-- gender-neutral-bands: Salary bands of five hundred with their share
SELECT FLOOR(monthly / 500) * 500 AS band, COUNT(*) AS n, ROUND(COUNT(*) / SUM(COUNT(*)) OVER () * 100, 1) AS pct
FROM salaries
WHERE to_day IS NULL
GROUP BY FLOOR(monthly / 500)
ORDER BY band;

-- above-manager: People who earn more than their manager in the same currency
SELECT e.employee_id, es.monthly, ms.monthly AS managers
FROM employees e
JOIN salaries es ON es.employee_id = e.employee_id AND es.to_day IS NULL
JOIN salaries ms ON ms.employee_id = e.manager_id AND ms.to_day IS NULL
WHERE es.monthly > ms.monthly AND es.currency = ms.currency
ORDER BY e.employee_id;

-- median-per-job: Median salary per job and its distance from the overall median
WITH cur AS (
    SELECT LOWER(e.job) AS job, s.monthly::float8 AS monthly
    FROM employees e JOIN salaries s USING (employee_id)
    WHERE s.to_day IS NULL
), overall AS (
    SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY monthly) AS med FROM cur
)
SELECT c.job, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY c.monthly) AS median,
       PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY c.monthly) - MAX(o.med) AS distance
FROM cur c CROSS JOIN overall o
GROUP BY c.job
ORDER BY median DESC, c.job;

-- overlapping-steps: Steps that overlap or leave a gap
SELECT employee_id, to_day, next_from, next_from - to_day AS gap
FROM (SELECT employee_id, to_day, LEAD(from_day) OVER (PARTITION BY employee_id ORDER BY from_day) AS next_from FROM salaries) s
WHERE next_from IS DISTINCT FROM to_day OR next_from - to_day IS NULL
ORDER BY employee_id;

-- without-salary: People without any salary, by three ways to ask
SELECT (SELECT COUNT(*) FROM employees e WHERE NOT EXISTS (SELECT 1 FROM salaries s WHERE s.employee_id = e.employee_id)) AS not_exists,
       (SELECT COUNT(*) FROM employees e LEFT JOIN salaries s ON s.employee_id = e.employee_id WHERE s.employee_id IS NULL) AS left_join,
       (SELECT COUNT(*) FROM employees WHERE employee_id NOT IN (SELECT employee_id FROM salaries)) AS not_in;

-- annual-cost: Annual cost per unit with thirteen salaries
SELECT COALESCE(u.name, '(none)') AS unit, COUNT(*) AS people, SUM(ROUND(s.monthly * 13 * e.part_time, 2)) AS annual
FROM salaries s
JOIN employees e ON e.employee_id = s.employee_id
LEFT JOIN units u ON u.unit_id = e.unit_id
WHERE s.to_day IS NULL
GROUP BY u.name
ORDER BY annual DESC, unit;

-- salary-rank: Rank within unit and in all, with ties
SELECT e.employee_id, e.unit_id, s.monthly,
       RANK() OVER (ORDER BY s.monthly DESC) AS overall,
       DENSE_RANK() OVER (PARTITION BY e.unit_id ORDER BY s.monthly DESC) AS in_unit
FROM employees e
JOIN salaries s ON s.employee_id = e.employee_id AND s.to_day IS NULL
WHERE e.unit_id IS NOT NULL
ORDER BY overall, e.employee_id
LIMIT 60;

-- spread: Ratio of the highest to the lowest salary per unit
SELECT e.unit_id, MAX(s.monthly) / MIN(s.monthly) AS ratio, ROUND(MAX(s.monthly) / MIN(s.monthly), 2) AS rounded
FROM salaries s, employees e
WHERE e.employee_id = s.employee_id AND s.to_day IS NULL
GROUP BY e.unit_id
ORDER BY e.unit_id;

-- days-in-step: Days of each step, the last until the end of 2024
SELECT employee_id, from_day, COALESCE(to_day, DATE '2024-12-31') - from_day AS days
FROM salaries
WHERE from_day < '2024-12-31'
ORDER BY days DESC, employee_id, from_day
LIMIT 30;

-- average-by-day: Time-weighted mean salary of each person with three steps or more
SELECT employee_id,
       ROUND(SUM(monthly * (COALESCE(to_day, '2025-01-01'::date) - from_day)) / SUM(COALESCE(to_day, '2025-01-01'::date) - from_day), 2) AS weighted
FROM salaries
WHERE from_day < '2025-01-01'
GROUP BY employee_id
HAVING COUNT(*) >= 3 AND SUM(COALESCE(to_day, '2025-01-01'::date) - from_day) > 0
ORDER BY weighted DESC, employee_id;

-- net-estimate: Net pay by a progressive tariff of three brackets
SELECT s.employee_id, s.monthly,
       s.monthly
         - LEAST(s.monthly, 2500) * 0.10
         - GREATEST(LEAST(s.monthly, 4500) - 2500, 0) * 0.25
         - GREATEST(s.monthly - 4500, 0) * 0.4 AS net
FROM salaries s
WHERE s.to_day IS NULL
ORDER BY net DESC, s.employee_id
LIMIT 25;

-- first-and-last: First and last salary of each person and the factor between them
SELECT employee_id, first_salary, last_salary, ROUND(last_salary / first_salary, 3) AS factor
FROM (
    SELECT DISTINCT employee_id,
           FIRST_VALUE(monthly) OVER (PARTITION BY employee_id ORDER BY from_day) AS first_salary,
           FIRST_VALUE(monthly) OVER (PARTITION BY employee_id ORDER BY from_day DESC) AS last_salary
    FROM salaries
) t
WHERE last_salary <> first_salary
ORDER BY factor DESC, employee_id;
