-- commas-first: Commas in front, keywords in small letters
select e.employee_id
     , e.first_name
     , e.last_name
     , u.name unit
from employees e
     left join units u
       on u.unit_id = e.unit_id
where e.left_on is null
  and e.part_time < 1
order by e.employee_id
;

-- select-star: A whole small table
SELECT * FROM units ORDER BY unit_id;

-- star-and-more: A table's columns and one more
SELECT p.*, p.ends_on - p.starts_on AS days FROM projects p ORDER BY p.code;

-- star-of-join: Both tables' columns
SELECT * FROM projects p JOIN units u ON u.unit_id = p.unit_id ORDER BY p.code;

-- quoted-aliases: Aliases with blanks, capitals and reserved words
SELECT job AS "Job Title", COUNT(*) AS "COUNT", MIN(hired_on) AS "from", MAX(hired_on) AS "to", SUM(part_time) AS "Σ FTE"
FROM employees
GROUP BY job
ORDER BY "COUNT" DESC, "Job Title";

-- quoted-tables: Quoted table and column names
SELECT "e"."employee_id", "u"."name" FROM "employees" AS "e" INNER JOIN "units" AS "u" ON "e"."unit_id" = "u"."unit_id" WHERE "u"."short" LIKE 'T%' ORDER BY "e"."employee_id";

-- case-of-names: Table and column names in any case
SELECT E.Employee_ID, e.LAST_NAME FROM EMPLOYEES e WHERE E.JOB = 'clerk' ORDER BY 1;

-- same-name-twice: Two columns of the same name
SELECT e.employee_id, e.first_name, m.first_name, e.unit_id AS unit, m.unit_id AS unit
FROM employees e JOIN employees m ON m.employee_id = e.manager_id
ORDER BY e.employee_id
LIMIT 20;

-- unnamed-columns: Columns without names
SELECT UPPER(job), LENGTH(job), job || '!', 1, 'x', CASE WHEN job = 'clerk' THEN 1 END FROM employees GROUP BY job ORDER BY 1, 3;

-- alias-shadows-column: An alias that is called like a column
SELECT LOWER(job) AS job, COUNT(*) AS employee_id FROM employees GROUP BY LOWER(job) ORDER BY employee_id DESC, job;

-- alias-in-order-expression: Ordered by an alias and by expressions of columns
SELECT employee_id, part_time * 40 AS hours FROM employees ORDER BY hours DESC, LENGTH(last_name), employee_id LIMIT 30;

-- order-by-hidden: Ordered by a column that is not selected
SELECT first_name FROM employees ORDER BY hired_on, employee_id LIMIT 20;

-- distinct-order: Distinct values in their order
SELECT DISTINCT job, part_time FROM employees ORDER BY part_time DESC, job;

-- distinct-count-forms: Ways to count distinct values
SELECT COUNT(DISTINCT job) AS jobs, COUNT(DISTINCT LOWER(job)) AS folded, COUNT(DISTINCT (job, unit_id)) AS pairs, (SELECT COUNT(*) FROM (SELECT DISTINCT job, unit_id FROM employees) d) AS pairs_too
FROM employees;

-- nested-parentheses: More parentheses than needed
SELECT ((COUNT(*))) AS n FROM ((SELECT (employee_id) FROM employees WHERE (((job) = ('clerk')) OR ((job) IN (('analyst')))))) AS x;

-- not-variants: NOT in its forms
SELECT COUNT(*) FILTER (WHERE NOT job = 'clerk') AS a, COUNT(*) FILTER (WHERE job != 'clerk') AS b, COUNT(*) FILTER (WHERE job <> ALL (ARRAY['clerk'])) AS c,
       COUNT(*) FILTER (WHERE unit_id NOT BETWEEN 11 AND 13) AS d, COUNT(*) FILTER (WHERE NOT (unit_id >= 11 AND unit_id <= 13)) AS e
FROM employees;

-- is-distinct: Comparisons that know NULL
SELECT COUNT(*) FILTER (WHERE unit_id = manager_id) AS equal, COUNT(*) FILTER (WHERE unit_id IS NOT DISTINCT FROM manager_id) AS same, COUNT(*) FILTER (WHERE (unit_id = manager_id) IS UNKNOWN) AS unknown
FROM employees;

-- between-symmetric: Bounds in the wrong order
SELECT COUNT(*) FILTER (WHERE hours BETWEEN 8 AND 4) AS none, COUNT(*) FILTER (WHERE hours BETWEEN SYMMETRIC 8 AND 4) AS some FROM timesheets;

-- case-without-else: CASE without ELSE, and nested
SELECT employee_id, CASE WHEN part_time = 1 THEN 'full' WHEN part_time >= 0.5 THEN CASE WHEN job = 'clerk' THEN 'half clerk' ELSE 'half' END END AS class
FROM employees
ORDER BY employee_id
LIMIT 35;

-- union-of-ctes: Two common tables put together twice
WITH a AS (SELECT employee_id AS id FROM employees WHERE job = 'clerk'), b AS (SELECT id FROM a WHERE id % 2 = 0), c AS (TABLE b UNION ALL TABLE a)
SELECT id, COUNT(*) AS times FROM c GROUP BY id ORDER BY id;

-- shadowing-cte: A common table that is called like a table
WITH employees AS (SELECT * FROM employees WHERE left_on IS NULL)
SELECT job, COUNT(*) AS n FROM employees GROUP BY job ORDER BY n DESC, job;

-- nested-with: WITH inside of a subquery
SELECT x.job, x.n FROM (WITH j AS (SELECT job, COUNT(*) AS n FROM employees GROUP BY job) SELECT * FROM j WHERE n > 10) x ORDER BY x.n DESC, x.job;

-- materialized: Common tables with a word to the optimizer
WITH cur AS MATERIALIZED (SELECT employee_id, monthly FROM salaries WHERE to_day IS NULL), top AS NOT MATERIALIZED (SELECT * FROM cur WHERE monthly > 4500)
SELECT COUNT(*) AS n, MAX(monthly) AS highest FROM top;

-- implicit-join: Tables by comma, conditions in WHERE
SELECT e.employee_id, p.code, SUM(t.hours) AS hours
FROM employees e, timesheets t, projects p
WHERE t.employee_id = e.employee_id AND p.code = t.project AND p.budget > 0 AND t.hours <> 0
GROUP BY e.employee_id, p.code
HAVING SUM(t.hours) > 20
ORDER BY hours DESC, e.employee_id, p.code;

-- right-join: All units by a right join
SELECT u.name, COUNT(e.employee_id) AS n FROM employees e RIGHT OUTER JOIN units u ON e.unit_id = u.unit_id AND e.left_on IS NULL GROUP BY u.name ORDER BY u.name;

-- cross-join-filter: A grid of units and jobs with the empty places
SELECT u.name, j.job
FROM units u CROSS JOIN (SELECT DISTINCT LOWER(job) AS job FROM employees) j
WHERE NOT EXISTS (SELECT 1 FROM employees e WHERE e.unit_id = u.unit_id AND LOWER(e.job) = j.job)
ORDER BY u.name, j.job;

-- condition-in-on: Conditions of the outer side in ON and in WHERE
SELECT (SELECT COUNT(*) FROM employees e LEFT JOIN salaries s ON s.employee_id = e.employee_id AND s.currency = 'USD') AS in_on,
       (SELECT COUNT(*) FROM employees e LEFT JOIN salaries s ON s.employee_id = e.employee_id WHERE s.currency = 'USD') AS in_where;

-- constant-only: No table at all
SELECT 1 + 1 AS two, 'a' || 'b' AS ab, DATE '2024-02-29' + 1 AS march, NULL AS nothing, TRUE AND NULL AS unknown, ARRAY[1, 2, 3] AS list;

-- boolean-logic: Truth tables with NULL
SELECT a.v AS a, b.v AS b, a.v AND b.v AS both, a.v OR b.v AS either, a.v = b.v AS equal
FROM (VALUES (TRUE), (FALSE), (NULL::boolean)) AS a(v) CROSS JOIN (VALUES (TRUE), (FALSE), (NULL::boolean)) AS b(v)
ORDER BY 1, 2;

-- long-in-list: A long list of numbers
SELECT COUNT(*) AS n FROM timesheets WHERE entry_id IN (1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, -1, 0, 10000000000);

-- string-numbers: Numbers in quotes beside columns of numbers
SELECT COUNT(*) AS n FROM timesheets WHERE employee_id = '7' OR hours >= '8.0' OR entry_id IN ('1', '2');

-- dollar-and-escape: Texts in dollars and with escapes
SELECT $$it's$$ AS dollars, E'tab\there' AS escaped, 'back\slash' AS plain, U&'\00e4' AS unicode;

-- limit-all: LIMIT ALL and OFFSET before LIMIT
SELECT unit_id FROM units ORDER BY unit_id OFFSET 3 ROWS FETCH NEXT 4 ROWS ONLY;

-- group-by-nothing: Grouped by the empty set
SELECT COUNT(*) AS n, AVG(hours) AS mean FROM timesheets GROUP BY ();

-- group-by-constant-alias: A constant among the groups
SELECT 'all' AS scope, job, COUNT(*) AS n FROM employees GROUP BY scope, job ORDER BY n DESC, job;
