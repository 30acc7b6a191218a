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
