-- prerequisite-chain: The whole chain of prerequisites of every course
WITH RECURSIVE chain AS (
    SELECT c.course_id AS root, c.course_id, c.prerequisite_id, 0 AS depth
    FROM courses c
    UNION ALL
    SELECT ch.root, p.course_id, p.prerequisite_id, ch.depth + 1
    FROM chain ch
    JOIN courses p ON p.course_id = ch.prerequisite_id
)
SELECT root, MAX(depth) AS longest, STRING_AGG(course_id::text, ' > ' ORDER BY depth) AS path
FROM chain
GROUP BY root
ORDER BY longest DESC, root;

-- mentors-tree: Teachers below each other with their depth and path
WITH RECURSIVE tree AS (
  SELECT teacher_id, full_name, mentor_id, 1 AS level, CAST(teacher_id AS TEXT) AS path
  FROM teachers
  WHERE mentor_id IS NULL
  UNION ALL
  SELECT t.teacher_id, t.full_name, t.mentor_id, tree.level + 1, tree.path || '/' || t.teacher_id
  FROM teachers t
  INNER JOIN tree ON t.mentor_id = tree.teacher_id
)
SELECT REPEAT('  ', level - 1) || full_name AS teacher, level, path
FROM tree
ORDER BY path;

-- courses-without-teacher: Courses that nobody teaches
SELECT c.course_id, c.code, c.title
FROM courses c
LEFT JOIN teachers t ON t.teacher_id = c.teacher_id
WHERE t.teacher_id IS NULL
ORDER BY c.course_id;

-- load-per-teacher: Courses and credits of every teacher, zero for those without
SELECT t.teacher_id, t.full_name,
       COUNT(c.course_id) AS courses,
       COALESCE(SUM(c.credits), 0) AS credits
FROM teachers t
LEFT JOIN courses c ON c.teacher_id = t.teacher_id
GROUP BY t.teacher_id, t.full_name
ORDER BY credits DESC, t.teacher_id;

-- salary-vs-department: Salaries compared with the department's mean
SELECT t.teacher_id, d.code, t.salary,
       ROUND(AVG(t.salary) OVER (PARTITION BY t.department_id)) AS dept_mean,
       t.salary - MAX(t.salary) OVER (PARTITION BY t.department_id) AS to_top
FROM teachers t
JOIN departments d ON d.department_id = t.department_id
WHERE t.salary IS NOT NULL
ORDER BY d.code, t.salary DESC, t.teacher_id;

-- titles-normalised: Teachers by title, however it is written
SELECT INITCAP(COALESCE(NULLIF(TRIM(title), ''), 'none')) AS title, COUNT(*) AS n, MIN(hired_on) AS first_hired
FROM teachers
GROUP BY 1
ORDER BY n DESC, title;

-- budget-per-campus: Budgets per campus; the empty and the missing campus apart
SELECT CASE WHEN campus IS NULL THEN '(null)' WHEN campus = '' THEN '(empty)' ELSE campus END AS campus,
       COUNT(*) AS departments,
       SUM(budget) AS budget,
       COUNT(budget) AS with_budget
FROM departments
GROUP BY campus
ORDER BY 1;

-- budget-per-head: Budget per student of each department, guarded against departments without students
SELECT d.code, d.budget, COUNT(s.student_id) AS heads,
       ROUND(d.budget / NULLIF(COUNT(s.student_id), 0), 2) AS per_head
FROM departments d
LEFT JOIN students s ON s.major_id = d.department_id
GROUP BY d.department_id, d.code, d.budget
ORDER BY d.code;

-- tenure-years: Years of service on 1 September 2024
SELECT full_name, hired_on,
       DATE '2024-09-01' - hired_on AS days,
       ROUND((DATE '2024-09-01' - hired_on) / 365.25, 1) AS years
FROM teachers
WHERE hired_on <= DATE '2024-09-01'
ORDER BY days DESC, teacher_id;

-- tags-split: The tags of courses, one per line, trimmed
SELECT c.code, TRIM(tag) AS tag
FROM courses c
CROSS JOIN LATERAL UNNEST(STRING_TO_ARRAY(c.tags, ';')) AS u(tag)
ORDER BY c.code, tag;

-- tags-count: How often is each tag used?
SELECT lower(btrim(t.tag)) AS tag, count(*) AS uses
FROM courses, unnest(string_to_array(courses.tags, ';')) AS t(tag)
WHERE btrim(t.tag) <> ''
GROUP BY lower(btrim(t.tag))
ORDER BY uses DESC, tag;

-- code-number: Level of a course out of its code
SELECT code, SPLIT_PART(code, '-', 1) AS subject, CAST(SPLIT_PART(code, '-', 2) AS INTEGER) AS number,
       CAST(SPLIT_PART(code, '-', 2) AS INTEGER) / 100 AS level
FROM courses
ORDER BY number;

-- double-blanks: Titles with more than one blank in a row, cleaned
SELECT course_id, title, REGEXP_REPLACE(TRIM(title), '\s+', ' ', 'g') AS cleaned,
       LENGTH(title) - LENGTH(REGEXP_REPLACE(TRIM(title), '\s+', ' ', 'g')) AS removed
FROM courses
WHERE title <> REGEXP_REPLACE(TRIM(title), '\s+', ' ', 'g')
ORDER BY course_id;

-- teacher-and-mentor: Every teacher beside the mentor, and who was hired first
SELECT t.full_name AS teacher, m.full_name AS mentor,
       CASE WHEN t.hired_on < m.hired_on THEN 'teacher' WHEN m.hired_on < t.hired_on THEN 'mentor' ELSE 'same day' END AS first
FROM teachers t
JOIN teachers m ON t.mentor_id = m.teacher_id
ORDER BY t.teacher_id;

-- departments-overview: One line per department: teachers, courses, students
SELECT d.name,
       (SELECT COUNT(*) FROM teachers t WHERE t.department_id = d.department_id) AS teachers,
       (SELECT COUNT(*) FROM courses c WHERE c.department_id = d.department_id) AS courses,
       (SELECT COUNT(*) FROM students s WHERE s.major_id = d.department_id) AS students
FROM departments d
ORDER BY d.department_id;

-- most-popular-course: The most popular course of each department, all of them at a tie
WITH counted AS (
    SELECT c.department_id, c.course_id, c.code, COUNT(e.enrollment_id) AS n
    FROM courses c
    LEFT JOIN enrollments e ON e.course_id = c.course_id
    GROUP BY c.department_id, c.course_id, c.code
)
SELECT d.code AS department, x.code, x.n
FROM counted x
JOIN departments d ON d.department_id = x.department_id
WHERE x.n = (SELECT MAX(y.n) FROM counted y WHERE y.department_id = x.department_id)
ORDER BY 1, 2;

-- common-students: Pairs of courses that share the most students
SELECT a.course_id AS course_a, b.course_id AS course_b, COUNT(DISTINCT a.student_id) AS shared
FROM enrollments a
JOIN enrollments b ON a.student_id = b.student_id AND a.course_id < b.course_id
GROUP BY a.course_id, b.course_id
HAVING COUNT(DISTINCT a.student_id) >= 5
ORDER BY shared DESC, course_a, course_b;

-- people-of-all-kinds: Everybody in one list
SELECT 'teacher' AS kind, full_name AS name FROM teachers
UNION ALL
SELECT 'student', first_name || ' ' || last_name FROM students
ORDER BY kind, name;

-- shared-names: Full names that both a teacher and a student have
SELECT full_name FROM teachers
INTERSECT
SELECT first_name || ' ' || last_name FROM students
ORDER BY 1;

-- never-taught-courses: Courses without registrations by EXCEPT
SELECT course_id FROM courses
EXCEPT
SELECT course_id FROM enrollments
ORDER BY course_id;

-- ladder-of-levels: Each course with the number of courses that need it, directly or not
WITH RECURSIVE needs(course_id, needed_by) AS (
    SELECT prerequisite_id, course_id FROM courses WHERE prerequisite_id IS NOT NULL
    UNION
    SELECT n.course_id, c.course_id
    FROM needs n
    JOIN courses c ON c.prerequisite_id = n.needed_by
)
SELECT c.code, COUNT(n.needed_by) AS needed_by
FROM courses c
LEFT JOIN needs n ON n.course_id = c.course_id
GROUP BY c.code
ORDER BY needed_by DESC, c.code;

-- cross-department-teaching: Teachers who teach a course of another department than their own
SELECT t.teacher_id, td.code AS own, cd.code AS teaches, c.code AS course
FROM teachers t
JOIN courses c ON c.teacher_id = t.teacher_id
LEFT JOIN departments td ON td.department_id = t.department_id
JOIN departments cd ON cd.department_id = c.department_id
WHERE t.department_id IS DISTINCT FROM c.department_id
ORDER BY t.teacher_id, c.course_id;
