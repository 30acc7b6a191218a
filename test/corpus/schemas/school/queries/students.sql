-- list-by-name: All students by last and first name
SELECT student_id, last_name, first_name FROM students ORDER BY last_name, first_name, student_id;

-- email-domains: Which mail domains do students use?
SELECT LOWER(SPLIT_PART(email, '@', 2)) AS domain, COUNT(*) AS students
FROM students
WHERE email IS NOT NULL
GROUP BY 1
ORDER BY students DESC, domain;

-- missing-contact: Students without an address or with a country code that is not in capitals
SELECT student_id, COALESCE(email, 'n/a') AS email, country
FROM students
WHERE email IS NULL OR country <> UPPER(country)
ORDER BY student_id;

-- age-at-enrollment: Age in full years on the day of enrollment
SELECT student_id, born_on, enrolled_on,
       EXTRACT(YEAR FROM AGE(enrolled_on, born_on)) AS age_years
FROM students
ORDER BY age_years, student_id;

-- leap-day-birthdays: Who is born on 29 February?
SELECT first_name, last_name, born_on
FROM students
WHERE EXTRACT(MONTH FROM born_on) = 2 AND EXTRACT(DAY FROM born_on) = 29
ORDER BY student_id;

-- born-by-decade: Students by decade of birth
SELECT (EXTRACT(YEAR FROM born_on)::int / 10) * 10 AS decade, COUNT(*)
FROM students
GROUP BY 1
ORDER BY 1;

-- initials: Initials and a short login of each student
SELECT student_id,
       UPPER(LEFT(first_name, 1) || LEFT(last_name, 1)) AS initials,
       LOWER(SUBSTRING(first_name FROM 1 FOR 3)) || '_' || LPAD((student_id % 1000)::text, 4, '0') AS login
FROM students
ORDER BY student_id;

-- same-name: Names that more than one student has
SELECT LOWER(first_name) AS first, last_name AS last, COUNT(*) AS n,
       ARRAY_AGG(student_id ORDER BY student_id) AS ids
FROM students
GROUP BY LOWER(first_name), last_name
HAVING COUNT(*) > 1
ORDER BY n DESC, first, last;

-- country-share: Share of each country, NULL shown as unknown
SELECT COALESCE(UPPER(country), '??') AS country,
       COUNT(*) AS n,
       ROUND(COUNT(*) * 100.0 / SUM(COUNT(*)) OVER (), 2) AS pct
FROM students
GROUP BY COALESCE(UPPER(country), '??')
ORDER BY n DESC, country;

-- owing: Students who owe money, with the amount as positive number
SELECT student_id, ABS(balance) AS owes
FROM students
WHERE balance < 0
ORDER BY owes DESC, student_id;

-- balance-buckets: Students by size of their balance
SELECT CASE
         WHEN balance IS NULL THEN '0 unknown'
         WHEN balance < 0 THEN '1 owes'
         WHEN balance = 0 THEN '2 even'
         WHEN balance BETWEEN 0.01 AND 500 THEN '3 small'
         ELSE '4 large'
       END AS bucket,
       COUNT(*) AS students,
       SUM(balance) AS total
FROM students
GROUP BY 1
ORDER BY 1;

-- enrolled-per-month: New students per month
SELECT DATE_TRUNC('month', enrolled_on)::date AS month, COUNT(*) AS new_students
FROM students
GROUP BY 1
ORDER BY 1;

-- enrolled-per-month-text: New students per month with month names
SELECT TO_CHAR(enrolled_on, 'YYYY-MM') AS ym, TO_CHAR(MIN(enrolled_on), 'Mon YYYY') AS label, COUNT(*) AS n
FROM students
GROUP BY TO_CHAR(enrolled_on, 'YYYY-MM')
ORDER BY ym;

-- no-courses: Students who never registered for a course
SELECT s.student_id, s.first_name, s.last_name
FROM students s
WHERE NOT EXISTS (SELECT 1 FROM enrollments e WHERE e.student_id = s.student_id)
ORDER BY s.student_id;

-- not-in-null-trap: Departments that are nobody's major, with the NULL majors in the list
SELECT d.code
FROM departments d
WHERE d.department_id NOT IN (SELECT s.major_id FROM students s);

-- not-in-guarded: Departments that are nobody's major among students of Brazil
SELECT d.code
FROM departments d
WHERE d.department_id NOT IN (SELECT s.major_id FROM students s WHERE s.country = 'BR' AND s.major_id IS NOT NULL)
ORDER BY d.code;

-- unicode-names: Students whose first name has letters beyond ASCII
SELECT student_id, first_name, LENGTH(first_name) AS letters, OCTET_LENGTH(first_name) AS bytes
FROM students
WHERE first_name ~ '[^a-zA-Z]'
ORDER BY student_id;

-- name-search: Students with 'an' somewhere in the name, whatever the case
SELECT student_id, first_name || ' ' || last_name AS name
FROM students
WHERE first_name ILIKE '%an%' OR last_name ILIKE '%an%'
ORDER BY name, student_id;

-- apostrophes: Last names with an apostrophe, and without it
SELECT DISTINCT last_name, REPLACE(last_name, '''', '') AS plain, POSITION('''' IN last_name) AS at
FROM students
WHERE last_name LIKE '%''%';

-- fulltime-ratio: Full-time students per major
SELECT d.name AS major,
       COUNT(s.student_id) AS students,
       SUM(CASE WHEN s.is_fulltime THEN 1 ELSE 0 END) AS fulltime,
       AVG(s.is_fulltime::int) AS ratio
FROM departments d
LEFT JOIN students s ON s.major_id = d.department_id
GROUP BY d.name
ORDER BY d.name;

-- cumulative-students: Running count of students by month of enrollment
SELECT month, n, SUM(n) OVER (ORDER BY month) AS so_far
FROM (
  SELECT date_trunc('month', enrolled_on) AS month, count(*) AS n
  FROM students
  GROUP BY date_trunc('month', enrolled_on)
) x
ORDER BY month;

-- oldest-per-country: The oldest student of each country
SELECT country, student_id, born_on
FROM (
    SELECT country, student_id, born_on,
           RANK() OVER (PARTITION BY country ORDER BY born_on ASC) AS rnk
    FROM students
    WHERE country IS NOT NULL
) ranked
WHERE rnk = 1
ORDER BY country, student_id;

-- birthday-weekday: On which weekdays are students born?
SELECT EXTRACT(ISODOW FROM born_on) AS dow, TRIM(TO_CHAR(born_on, 'Day')) AS weekday, COUNT(*) AS n
FROM students
GROUP BY 1, 2
ORDER BY 1;

-- cleaned-email: E-mail addresses cleaned of case and digits before the @
SELECT student_id, email,
       REGEXP_REPLACE(LOWER(email), '[0-9]+@', '@') AS cleaned,
       email LIKE '%@uni.edu' AS is_uni
FROM students
ORDER BY student_id
LIMIT 60;

-- paging: The third page of ten students
SELECT student_id, email FROM students ORDER BY student_id OFFSET 20 LIMIT 10;

-- in-list-mixed: Students of three countries or born after the turn of the century
SELECT COUNT(*) AS n
FROM students
WHERE country IN ('DE', 'FR', 'JP') OR born_on > '2000-01-01';

-- terms-per-student: How many terms, courses and registrations has each student?
SELECT s.student_id,
       COUNT(DISTINCT e.term) AS terms,
       COUNT(DISTINCT e.course_id) AS courses,
       COUNT(e.enrollment_id) AS registrations
FROM students s
LEFT JOIN enrollments e ON e.student_id = s.student_id
GROUP BY s.student_id
ORDER BY registrations DESC, s.student_id;
