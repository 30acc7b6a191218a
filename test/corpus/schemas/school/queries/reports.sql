-- dean-list: Students on the dean's list of each term, mean 80 and at least two grades
WITH term_results AS (
    SELECT
        e.student_id,
        e.term,
        AVG(e.grade) AS avg_grade,
        COUNT(e.grade) AS graded_courses
    FROM enrollments e
    WHERE e.grade IS NOT NULL
    GROUP BY e.student_id, e.term
)
SELECT
    tr.term,
    s.first_name || ' ' || s.last_name AS student_name,
    ROUND(tr.avg_grade, 2) AS average,
    tr.graded_courses
FROM term_results tr
INNER JOIN students s ON tr.student_id = s.student_id
WHERE tr.avg_grade >= 80
  AND tr.graded_courses >= 2
ORDER BY tr.term, average DESC, s.student_id;

-- course-catalogue: The catalogue with teacher, department and prerequisite
SELECT c.code, REGEXP_REPLACE(c.title, '\s{2,}', ' ', 'g') AS title, c.credits::text || ' cr' AS credits,
       COALESCE(t.full_name, 'TBA') AS teacher, TRIM(INITCAP(d.name)) AS department, COALESCE(p.code, 'none') AS prerequisite
FROM courses c
JOIN departments d ON d.department_id = c.department_id
LEFT JOIN teachers t ON t.teacher_id = c.teacher_id
LEFT JOIN courses p ON p.course_id = c.prerequisite_id
ORDER BY d.code, c.code;

-- retention-by-term: Students who register again in the next term
WITH terms AS (
    SELECT term, ROW_NUMBER() OVER (ORDER BY term) AS pos FROM (SELECT DISTINCT term FROM enrollments) t
), st AS (
    SELECT DISTINCT e.student_id, t.pos, t.term FROM enrollments e JOIN terms t ON t.term = e.term
)
SELECT a.term, COUNT(*) AS students, COUNT(b.student_id) AS again, ROUND(COUNT(b.student_id) * 100.0 / COUNT(*), 1) AS pct
FROM st a
LEFT JOIN st b ON b.student_id = a.student_id AND b.pos = a.pos + 1
GROUP BY a.term, a.pos
ORDER BY a.pos;

-- workload-matrix: Credits per student status and term
SELECT CASE WHEN s.is_fulltime THEN 'full-time' ELSE 'part-time' END AS status, e.term, SUM(c.credits) AS credits,
       ROUND(SUM(c.credits)::numeric / COUNT(DISTINCT e.student_id), 2) AS per_student
FROM enrollments e
JOIN students s USING (student_id)
JOIN courses c USING (course_id)
GROUP BY s.is_fulltime, e.term
ORDER BY status, e.term;

-- prerequisites-violated: Registrations without having passed the prerequisite in an earlier term
SELECT e.enrollment_id, e.student_id, c.code, p.code AS needs
FROM enrollments e
JOIN courses c ON c.course_id = e.course_id
JOIN courses p ON p.course_id = c.prerequisite_id
WHERE NOT EXISTS (
    SELECT 1 FROM enrollments x
    WHERE x.student_id = e.student_id AND x.course_id = p.course_id AND x.grade >= 60 AND x.term < e.term
)
ORDER BY e.enrollment_id
LIMIT 40;

-- teachers-results: Mean grade of each teacher's courses against the department's mean
SELECT t.teacher_id, t.full_name, ROUND(AVG(e.grade), 2) AS mean,
       ROUND(AVG(e.grade) - (SELECT AVG(e2.grade) FROM enrollments e2 JOIN courses c2 ON c2.course_id = e2.course_id WHERE c2.department_id = t.department_id), 2) AS against_department
FROM teachers t
JOIN courses c ON c.teacher_id = t.teacher_id
JOIN enrollments e ON e.course_id = c.course_id
GROUP BY t.teacher_id, t.full_name, t.department_id
HAVING COUNT(e.grade) > 5
ORDER BY t.teacher_id;

-- age-pyramid: Students by year of birth in groups of five with bars
SELECT MIN(EXTRACT(YEAR FROM born_on))::int AS from_year, COUNT(*) AS n, LPAD('', COUNT(*)::int / 2, '=') AS bar
FROM students
GROUP BY FLOOR(EXTRACT(YEAR FROM born_on) / 5)
ORDER BY 1;

-- registration-deadlines: Registrations relative to the first of September of their year
SELECT EXTRACT(YEAR FROM registered_on)::int AS year,
       COUNT(*) FILTER (WHERE registered_on < MAKE_DATE(EXTRACT(YEAR FROM registered_on)::int, 9, 1)) AS before,
       COUNT(*) FILTER (WHERE registered_on >= MAKE_DATE(EXTRACT(YEAR FROM registered_on)::int, 9, 1)) AS after
FROM enrollments
GROUP BY 1
ORDER BY 1;

-- student-transcript: Transcript of a student with a running mean
SELECT e.term, c.code, c.credits, e.grade,
       ROUND(AVG(e.grade) OVER (ORDER BY e.term, c.code ROWS UNBOUNDED PRECEDING), 2) AS running_mean,
       SUM(CASE WHEN e.grade >= 60 THEN c.credits ELSE 0 END) OVER (ORDER BY e.term, c.code ROWS UNBOUNDED PRECEDING) AS credits_so_far
FROM enrollments e
JOIN courses c ON c.course_id = e.course_id
WHERE e.student_id = 1005
ORDER BY e.term, c.code;

-- grade-inflation: Share of grades of 90 and more per department and year of the term
SELECT d.code, LEFT(e.term, 4)::int AS year, COUNT(e.grade) AS graded, ROUND(100.0 * SUM((e.grade >= 90)::int) / COUNT(e.grade), 1) AS pct_top
FROM enrollments e
JOIN courses c ON c.course_id = e.course_id
JOIN departments d ON d.department_id = c.department_id
WHERE e.grade IS NOT NULL
GROUP BY d.code, LEFT(e.term, 4)
ORDER BY d.code, year;

-- orphans: References that lead nowhere, by anti joins
SELECT 'students without major' AS what, COUNT(*) AS n FROM students WHERE major_id IS NULL
UNION ALL SELECT 'teachers without department', COUNT(*) FROM teachers WHERE department_id IS NULL
UNION ALL SELECT 'courses without teacher', COUNT(*) FROM courses WHERE teacher_id IS NULL
UNION ALL SELECT 'departments without students', COUNT(*) FROM departments d WHERE NOT EXISTS (SELECT FROM students s WHERE s.major_id = d.department_id)
ORDER BY what;

-- similar-students: Students who share most courses with student 1000
SELECT o.student_id, COUNT(*) AS shared
FROM (SELECT DISTINCT student_id, course_id FROM enrollments) m
JOIN (SELECT DISTINCT student_id, course_id FROM enrollments) o ON o.course_id = m.course_id AND o.student_id <> m.student_id
WHERE m.student_id = 1000
GROUP BY o.student_id
ORDER BY shared DESC, o.student_id
LIMIT 10;

-- jaccard: Similarity of the three most alike pairs of courses by their students
WITH sc AS (SELECT DISTINCT student_id, course_id FROM enrollments),
     sizes AS (SELECT course_id, COUNT(*) AS n FROM sc GROUP BY course_id),
     pairs AS (
       SELECT a.course_id AS a, b.course_id AS b, COUNT(*) AS both
       FROM sc a JOIN sc b ON a.student_id = b.student_id AND a.course_id < b.course_id
       GROUP BY a.course_id, b.course_id
     )
SELECT p.a, p.b, p.both, ROUND(p.both::numeric / (x.n + y.n - p.both), 4) AS jaccard
FROM pairs p
JOIN sizes x ON x.course_id = p.a
JOIN sizes y ON y.course_id = p.b
ORDER BY jaccard DESC, p.a, p.b
LIMIT 15;

-- unpivot: Key figures of a student as rows, by VALUES in a lateral join
SELECT s.student_id, v.name, v.value
FROM students s
CROSS JOIN LATERAL (VALUES ('country', s.country::text), ('balance', s.balance::text), ('fulltime', s.is_fulltime::text), ('born', s.born_on::text)) AS v(name, value)
WHERE s.student_id BETWEEN 1000 AND 1004
ORDER BY s.student_id, v.name;

-- bool-casts: Booleans as text and numbers
SELECT is_fulltime, is_fulltime::text AS as_text, is_fulltime::int AS as_int, COUNT(*) AS n, CAST('yes' AS boolean) AS yes, 'f'::boolean AS no
FROM students
GROUP BY is_fulltime
ORDER BY is_fulltime;

-- rolling-balance: Balances with running sum in order of enrollment, NULL as nothing
SELECT student_id, enrolled_on, balance, SUM(COALESCE(balance, 0)) OVER (ORDER BY enrolled_on, student_id) AS running
FROM students
ORDER BY enrolled_on, student_id
LIMIT 60;

-- codes-by-pattern: Courses whose code has a repeated digit
SELECT code FROM courses WHERE code ~ '([0-9])\1' ORDER BY code;

-- string-agg-distinct: Countries of each major's students in one text
SELECT d.code, STRING_AGG(DISTINCT UPPER(s.country), '/' ORDER BY UPPER(s.country)) AS countries
FROM departments d
JOIN students s ON s.major_id = d.department_id
GROUP BY d.code
ORDER BY d.code;

-- second-highest: Second highest salary of each department by offset and by rank
SELECT d.code,
       (SELECT DISTINCT t.salary FROM teachers t WHERE t.department_id = d.department_id AND t.salary IS NOT NULL ORDER BY t.salary DESC LIMIT 1 OFFSET 1) AS second
FROM departments d
ORDER BY d.code;

-- median-by-hand: Median of the credits without a percentile function
SELECT AVG(credits) AS median
FROM (SELECT credits, ROW_NUMBER() OVER (ORDER BY credits, course_id) AS rn, COUNT(*) OVER () AS n FROM courses) t
WHERE rn IN ((n + 1) / 2, (n + 2) / 2);

-- fibonacci: Numbers by recursion alone
WITH RECURSIVE f(a, b, n) AS (SELECT 0::bigint, 1::bigint, 1 UNION ALL SELECT b, a + b, n + 1 FROM f WHERE n < 30)
SELECT n, a FROM f ORDER BY n;

-- calendar-with-names: A calendar of ten days around the leap day with names and working days
SELECT d::date AS day, TO_CHAR(d, 'FMDay') AS weekday, EXTRACT(ISODOW FROM d) < 6 AS working, EXTRACT(DOY FROM d)::int AS day_of_year,
       (SELECT COUNT(*) FROM enrollments e WHERE e.registered_on = d::date) AS registrations
FROM generate_series(TIMESTAMP '2024-02-24', TIMESTAMP '2024-03-04', INTERVAL '1 day') AS d
ORDER BY d;
