-- average-per-course: What is the average grade of each course, best first?
SELECT c.code, ROUND(AVG(e.grade), 2) AS avg_grade, COUNT(e.grade) AS graded
FROM courses c
JOIN enrollments e ON e.course_id = c.course_id
GROUP BY c.code
ORDER BY avg_grade DESC, c.code;

-- pass-rate-by-department: Pass rate (grade >= 60) per department, in percent
SELECT
    d.name AS department,
    COUNT(*) FILTER (WHERE e.grade >= 60) AS passed,
    COUNT(*) FILTER (WHERE e.grade IS NOT NULL) AS graded,
    ROUND(100.0 * COUNT(*) FILTER (WHERE e.grade >= 60) / NULLIF(COUNT(*) FILTER (WHERE e.grade IS NOT NULL), 0), 1) AS pass_rate_pct
FROM departments d
LEFT JOIN courses c ON c.department_id = d.department_id
LEFT JOIN enrollments e ON e.course_id = c.course_id
GROUP BY d.department_id
ORDER BY pass_rate_pct DESC NULLS LAST, department;

-- grade-letters: How many enrollments got each letter grade?
SELECT
  CASE
    WHEN grade >= 90 THEN 'A'
    WHEN grade >= 80 THEN 'B'
    WHEN grade >= 70 THEN 'C'
    WHEN grade >= 60 THEN 'D'
    WHEN grade IS NULL THEN 'not graded'
    ELSE 'F'
  END AS letter,
  count(*) AS n
FROM enrollments
GROUP BY 1
ORDER BY 1;

-- top-three-per-term: The three best students of each term by credit-weighted average (ties by id)
WITH weighted AS (
  SELECT e.term, e.student_id, SUM(e.grade * c.credits) / NULLIF(SUM(c.credits), 0) AS gpa
  FROM enrollments e
  JOIN courses c USING (course_id)
  WHERE e.grade IS NOT NULL
  GROUP BY e.term, e.student_id
), ranked AS (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY term ORDER BY gpa DESC, student_id) AS rn
  FROM weighted
)
SELECT r.term, r.rn, s.first_name || ' ' || s.last_name AS student, ROUND(r.gpa, 3) AS gpa
FROM ranked r
JOIN students s ON s.student_id = r.student_id
WHERE r.rn <= 3
ORDER BY r.term, r.rn;

-- median-grade: Median and quartiles of the grades per term
SELECT term,
       PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY grade) AS q1,
       PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY grade) AS median,
       PERCENTILE_CONT(0.75) WITHIN GROUP (ORDER BY grade) AS q3
FROM enrollments
GROUP BY term
ORDER BY term;

-- above-own-average: Enrollments graded above the average of their own course
SELECT e.enrollment_id, e.student_id, e.grade
FROM enrollments e
WHERE e.grade > (SELECT AVG(e2.grade) FROM enrollments e2 WHERE e2.course_id = e.course_id)
ORDER BY e.enrollment_id
LIMIT 50;

-- grade-minus-term-mean: Difference of each grade from the mean of its term
select enrollment_id, term, grade,
       round(grade - avg(grade) over (partition by term), 2) as diff
from enrollments
where grade is not null
order by enrollment_id;

-- best-grade-per-student: Each student's best grade and the course it was in
SELECT DISTINCT ON (s.student_id)
       s.student_id, s.last_name, c.code, e.grade
FROM students s
JOIN enrollments e ON e.student_id = s.student_id AND e.grade IS NOT NULL
JOIN courses c ON c.course_id = e.course_id
ORDER BY s.student_id, e.grade DESC, c.code, e.enrollment_id;

-- grades-pivot-by-term: Average grade of every department, one column per term
SELECT d.code,
       ROUND(AVG(CASE WHEN e.term = '2022F' THEN e.grade END), 2) AS "2022F",
       ROUND(AVG(CASE WHEN e.term = '2023S' THEN e.grade END), 2) AS "2023S",
       ROUND(AVG(CASE WHEN e.term = '2023F' THEN e.grade END), 2) AS "2023F",
       ROUND(AVG(CASE WHEN e.term = '2024S' THEN e.grade END), 2) AS "2024S",
       ROUND(AVG(CASE WHEN e.term = '2024F' THEN e.grade END), 2) AS "2024F"
FROM enrollments e
INNER JOIN courses c ON c.course_id = e.course_id
INNER JOIN departments d ON d.department_id = c.department_id
GROUP BY d.code
ORDER BY d.code;

-- histogram-of-tens: Histogram of grades in steps of ten
SELECT (FLOOR(grade / 10) * 10)::int AS bucket_from,
       (FLOOR(grade / 10) * 10)::int + 9 AS bucket_to,
       COUNT(*) AS how_many,
       REPEAT('#', COUNT(*)::int / 5) AS bar
FROM enrollments
WHERE grade IS NOT NULL
GROUP BY FLOOR(grade / 10)
ORDER BY bucket_from;

-- standard-deviation: Spread of grades in courses with at least ten graded enrollments
SELECT course_id,
       COUNT(grade)                            AS n,
       ROUND(STDDEV_SAMP(grade)::numeric, 4)   AS sd,
       ROUND(VAR_POP(grade)::numeric, 4)       AS var_pop,
       MAX(grade) - MIN(grade)                 AS spread
FROM enrollments
GROUP BY course_id
HAVING COUNT(grade) >= 10
ORDER BY sd DESC, course_id;

-- failed-then-passed: Students who failed a course and passed the same course in a later term
SELECT DISTINCT f.student_id, f.course_id, f.term AS failed_in, p.term AS passed_in
FROM enrollments f
JOIN enrollments p
  ON p.student_id = f.student_id
 AND p.course_id = f.course_id
 AND p.term > f.term
WHERE f.grade < 60 AND p.grade >= 60
ORDER BY 1, 2, 3, 4;

-- rollup-department-term: Mean grade by department and term with subtotals and a grand total
SELECT COALESCE(d.code, 'ALL') AS department,
       COALESCE(e.term, 'all terms') AS term,
       ROUND(AVG(e.grade), 3) AS mean_grade,
       COUNT(*) AS enrollments
FROM enrollments e
JOIN courses c USING (course_id)
JOIN departments d USING (department_id)
GROUP BY ROLLUP (d.code, e.term)
ORDER BY d.code NULLS LAST, e.term NULLS LAST;

-- percent-rank-in-course: Where does each grade stand in its course?
SELECT enrollment_id, course_id, grade,
       PERCENT_RANK() OVER w AS pr,
       CUME_DIST() OVER w AS cd,
       DENSE_RANK() OVER w AS dr
FROM enrollments
WHERE grade IS NOT NULL AND course_id <= 6
WINDOW w AS (PARTITION BY course_id ORDER BY grade)
ORDER BY enrollment_id;

-- quartile-counts: Students by quartile of their mean grade
WITH m AS (
    SELECT student_id, AVG(grade) AS mean_grade
    FROM enrollments
    WHERE grade IS NOT NULL
    GROUP BY student_id
),
q AS (
    SELECT student_id, mean_grade, NTILE(4) OVER (ORDER BY mean_grade, student_id) AS quartile
    FROM m
)
SELECT quartile, COUNT(*) AS students, ROUND(MIN(mean_grade), 2) AS lo, ROUND(MAX(mean_grade), 2) AS hi
FROM q
GROUP BY quartile
ORDER BY quartile;

-- status-any-case: Completed enrollments whatever the case of the word
SELECT LOWER(status) AS status, COUNT(*) AS n, COUNT(DISTINCT student_id) AS students
FROM enrollments
GROUP BY LOWER(status)
ORDER BY n DESC, status;

-- credits-earned: Credits that each full-time student has earned (grade 60 or more, each course once)
WITH passed AS (
    SELECT DISTINCT e.student_id, e.course_id
    FROM enrollments AS e
    WHERE e.grade >= 60
)
SELECT s.student_id,
       s.first_name,
       COALESCE(SUM(c.credits), 0) AS credits
FROM students AS s
LEFT JOIN passed AS p ON p.student_id = s.student_id
LEFT JOIN courses AS c ON c.course_id = p.course_id
WHERE s.is_fulltime
GROUP BY s.student_id, s.first_name
ORDER BY credits DESC, s.student_id
LIMIT 30;

-- mode-grade: The commonest grade of each term; the lower one of two
SELECT term, MODE() WITHIN GROUP (ORDER BY grade) AS commonest, COUNT(DISTINCT grade) AS different
FROM enrollments
GROUP BY term
ORDER BY term;

-- grade-trend: Did the mean rise from term to term?
SELECT term,
       ROUND(mean, 3) AS mean,
       ROUND(mean - LAG(mean) OVER (ORDER BY term), 3) AS change,
       CASE
           WHEN LAG(mean) OVER (ORDER BY term) IS NULL THEN 'first'
           WHEN mean > LAG(mean) OVER (ORDER BY term) THEN 'up'
           ELSE 'down'
       END AS direction
FROM (SELECT term, AVG(grade) AS mean FROM enrollments GROUP BY term) AS t
ORDER BY term;

-- having-all-graded: Courses in which nobody waits for a grade
SELECT course_id, COUNT(*) AS n
FROM enrollments
GROUP BY course_id
HAVING BOOL_AND(grade IS NOT NULL)
ORDER BY course_id;

-- ordered-grades-list: All grades of each student in order of registration, as text
SELECT student_id,
       STRING_AGG(COALESCE(grade::text, '-'), ' ' ORDER BY registered_on, enrollment_id) AS history
FROM enrollments
WHERE student_id BETWEEN 1000 AND 1030
GROUP BY student_id
ORDER BY student_id;

-- first-and-last-grade: First and last grade of each student
SELECT DISTINCT student_id,
       FIRST_VALUE(grade) OVER (PARTITION BY student_id ORDER BY registered_on, enrollment_id) AS first_grade,
       LAST_VALUE(grade) OVER (
           PARTITION BY student_id ORDER BY registered_on, enrollment_id
           ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
       ) AS last_grade
FROM enrollments
ORDER BY student_id;

-- weighted-gpa-scale: GPA on the four point scale
WITH points AS (
  SELECT e.student_id, c.credits,
         CASE WHEN e.grade >= 90 THEN 4.0
              WHEN e.grade >= 80 THEN 3.0
              WHEN e.grade >= 70 THEN 2.0
              WHEN e.grade >= 60 THEN 1.0
              ELSE 0 END AS pts
  FROM enrollments e JOIN courses c ON e.course_id = c.course_id
  WHERE e.grade IS NOT NULL AND c.credits > 0
)
SELECT student_id, ROUND(SUM(pts * credits) / SUM(credits), 2) AS gpa, SUM(credits) AS credits
FROM points
GROUP BY student_id
HAVING SUM(credits) > 6
ORDER BY gpa DESC, credits DESC, student_id
FETCH FIRST 20 ROWS ONLY;
