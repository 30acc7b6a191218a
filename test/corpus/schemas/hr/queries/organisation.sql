-- org-chart: Everybody below the head of the company with level and path of names
WITH RECURSIVE chart AS (
    SELECT employee_id, first_name, manager_id, 1 AS level, TRIM(first_name)::text AS path
    FROM employees
    WHERE employee_id = 1
    UNION ALL
    SELECT e.employee_id, e.first_name, e.manager_id, c.level + 1, c.path || ' / ' || TRIM(e.first_name)
    FROM employees e
    JOIN chart c ON e.manager_id = c.employee_id
)
SELECT employee_id, level, path FROM chart ORDER BY level, employee_id;

-- span-of-control: Direct reports per manager
SELECT m.employee_id, m.first_name || ' ' || m.last_name AS manager, COUNT(e.employee_id) AS reports
FROM employees m
JOIN employees e ON e.manager_id = m.employee_id
GROUP BY m.employee_id, m.first_name, m.last_name
ORDER BY reports DESC, m.employee_id;

-- all-reports: Direct and indirect reports of each manager with more than five
WITH RECURSIVE below(boss, employee_id) AS (
    SELECT manager_id, employee_id FROM employees WHERE manager_id IS NOT NULL
    UNION ALL
    SELECT b.boss, e.employee_id FROM below b JOIN employees e ON e.manager_id = b.employee_id
)
SELECT boss, COUNT(*) AS people FROM below GROUP BY boss HAVING COUNT(*) > 5 ORDER BY people DESC, boss;

-- unit-paths: Full name of each unit
WITH RECURSIVE u AS (
  SELECT unit_id, CAST(name AS TEXT) AS full_name, 0 AS depth FROM units WHERE parent_id IS NULL
  UNION ALL
  SELECT c.unit_id, u.full_name || ' » ' || c.name, u.depth + 1 FROM units c JOIN u ON c.parent_id = u.unit_id
)
SELECT * FROM u ORDER BY full_name;

-- headcount-rolled-up: Active people per unit including all units below
WITH RECURSIVE sub AS (
    SELECT unit_id AS top, unit_id FROM units
    UNION ALL
    SELECT s.top, c.unit_id FROM sub s JOIN units c ON c.parent_id = s.unit_id
)
SELECT t.unit_id, t.name, COUNT(e.employee_id) AS people
FROM units t
JOIN sub s ON s.top = t.unit_id
LEFT JOIN employees e ON e.unit_id = s.unit_id AND e.left_on IS NULL
GROUP BY t.unit_id, t.name
ORDER BY people DESC, t.unit_id;

-- short-codes: Units by first letter of their code, those without one as other
SELECT COALESCE(NULLIF(SPLIT_PART(short, '-', 1), ''), 'other') AS branch, COUNT(*) AS units, STRING_AGG(name, ', ' ORDER BY unit_id) AS names
FROM units
GROUP BY COALESCE(NULLIF(SPLIT_PART(short, '-', 1), ''), 'other')
ORDER BY branch;

-- managers-of-other-units: People whose manager belongs to another unit
SELECT e.employee_id, eu.name AS unit, mu.name AS managers_unit
FROM employees e
JOIN employees m ON m.employee_id = e.manager_id
LEFT JOIN units eu ON eu.unit_id = e.unit_id
LEFT JOIN units mu ON mu.unit_id = m.unit_id
WHERE e.unit_id IS DISTINCT FROM m.unit_id
ORDER BY e.employee_id
LIMIT 50;

-- managers-who-left: People whose manager has left before the end of 2024
SELECT e.employee_id, m.employee_id AS manager, m.left_on
FROM employees e
INNER JOIN employees m ON e.manager_id = m.employee_id
WHERE m.left_on <= DATE '2024-12-31' AND (e.left_on IS NULL OR e.left_on > m.left_on)
ORDER BY m.left_on, e.employee_id;

-- common-manager: Chains of three: employee, manager, manager's manager
SELECT e.employee_id, m.employee_id AS manager, g.employee_id AS grand_manager
FROM employees e
LEFT JOIN employees m ON m.employee_id = e.manager_id
LEFT JOIN employees g ON g.employee_id = m.manager_id
ORDER BY e.employee_id
LIMIT 40;

-- deepest: The deepest level of the chart and who is there
WITH RECURSIVE lv(employee_id, level) AS (
    SELECT employee_id, 0 FROM employees WHERE manager_id IS NULL
    UNION ALL
    SELECT e.employee_id, lv.level + 1 FROM employees e, lv WHERE e.manager_id = lv.employee_id
)
SELECT level, COUNT(*) AS people, MIN(employee_id) AS first_one FROM lv GROUP BY level ORDER BY level DESC;

-- empty-units: Units without anybody, and units without any unit below
SELECT u.name,
       NOT EXISTS (SELECT 1 FROM employees e WHERE e.unit_id = u.unit_id) AS nobody,
       NOT EXISTS (SELECT 1 FROM units c WHERE c.parent_id = u.unit_id) AS leaf
FROM units u
ORDER BY u.unit_id;

-- jobs-per-unit: Jobs in each unit as one list, their case ignored
SELECT u.name AS unit, ARRAY_TO_STRING(ARRAY_AGG(DISTINCT LOWER(e.job) ORDER BY LOWER(e.job)), ', ') AS jobs
FROM units u
JOIN employees e ON e.unit_id = u.unit_id
GROUP BY u.unit_id
ORDER BY u.unit_id;

-- without-unit: People without unit or manager
SELECT employee_id, COALESCE(unit_id::text, 'no unit') AS unit, COALESCE(manager_id::text, 'no manager') AS manager
FROM employees
WHERE unit_id IS NULL OR manager_id IS NULL
ORDER BY employee_id;

-- same-surname-teams: Pairs with the same last name under the same manager
SELECT a.employee_id AS a, b.employee_id AS b, a.last_name
FROM employees a, employees b
WHERE a.last_name = b.last_name AND a.manager_id = b.manager_id AND a.employee_id < b.employee_id
ORDER BY 1, 2
LIMIT 30;
