-- age-groups: Patients by age group on 1 January 2024 and sex
SELECT CASE
         WHEN EXTRACT(YEAR FROM AGE(DATE '2024-01-01', born_on)) < 18 THEN '0-17'
         WHEN EXTRACT(YEAR FROM AGE(DATE '2024-01-01', born_on)) < 65 THEN '18-64'
         ELSE '65+'
       END AS age_group,
       COUNT(*) FILTER (WHERE sex = 'f') AS f,
       COUNT(*) FILTER (WHERE sex = 'm') AS m,
       COUNT(*) FILTER (WHERE sex NOT IN ('f', 'm') OR sex IS NULL) AS other
FROM patients
GROUP BY 1
ORDER BY 1;

-- bmi: Body mass index with its class
SELECT patient_id,
       ROUND((weight_kg / POWER(height_cm / 100.0, 2))::numeric, 1) AS bmi,
       CASE WHEN weight_kg / POWER(height_cm / 100.0, 2) >= 30 THEN 'obese'
            WHEN weight_kg / POWER(height_cm / 100.0, 2) >= 25 THEN 'over'
            WHEN weight_kg / POWER(height_cm / 100.0, 2) >= 18.5 THEN 'normal'
            ELSE 'under' END AS class
FROM patients
WHERE weight_kg IS NOT NULL AND height_cm IS NOT NULL
ORDER BY patient_id;

-- blood-groups: Patients per blood group and rhesus factor
SELECT COALESCE(REPLACE(REPLACE(blood_group, '+', ''), '-', ''), 'unknown') AS abo,
       SUM(CASE WHEN blood_group LIKE '%+' THEN 1 ELSE 0 END) AS positive,
       SUM(CASE WHEN RIGHT(blood_group, 1) = '-' THEN 1 ELSE 0 END) AS negative
FROM patients
GROUP BY 1
ORDER BY 1;

-- allergies-split: Patients per allergy, however the list is written
SELECT TRIM(LOWER(a.allergy)) AS allergy, COUNT(DISTINCT p.patient_id) AS patients
FROM patients p
CROSS JOIN LATERAL REGEXP_SPLIT_TO_TABLE(p.allergies, '[,;]') AS a(allergy)
WHERE p.allergies NOT IN ('', 'none')
GROUP BY 1
ORDER BY patients DESC, allergy;

-- allergy-search: Patients with a penicillin allergy, whatever the case
SELECT patient_id, allergies FROM patients WHERE allergies ~* '\mpenicillin\M' ORDER BY patient_id;

-- namesakes: Patients with the same name born on different days
SELECT LOWER(TRIM(first_name)) || ' ' || LOWER(last_name) AS name, COUNT(*) AS n, COUNT(DISTINCT born_on) AS birthdays,
       MIN(born_on) AS oldest, MAX(born_on) AS youngest
FROM patients
GROUP BY LOWER(TRIM(first_name)) || ' ' || LOWER(last_name)
HAVING COUNT(DISTINCT born_on) > 1
ORDER BY n DESC, name;

-- sorting-names: Last names in order of their code points, with the case-insensitive rank beside
SELECT DISTINCT last_name, DENSE_RANK() OVER (ORDER BY LOWER(last_name)) AS place
FROM patients
ORDER BY last_name;

-- born-on-leap-day: Patients born on a leap day and their birthday in 2023
SELECT patient_id, born_on, (born_on + (2023 - EXTRACT(YEAR FROM born_on)::int) * INTERVAL '1 year')::date AS birthday_2023
FROM patients
WHERE TO_CHAR(born_on, 'MM-DD') = '02-29'
ORDER BY patient_id;

-- next-birthday: Days to the next birthday after the leap day of 2024
SELECT patient_id,
       CASE WHEN this_year >= DATE '2024-02-29' THEN this_year - DATE '2024-02-29'
            ELSE (this_year + INTERVAL '1 year')::date - DATE '2024-02-29' END AS days
FROM (
  SELECT patient_id, MAKE_DATE(2024, EXTRACT(MONTH FROM born_on)::int, EXTRACT(DAY FROM born_on)::int) AS this_year
  FROM patients
) b
ORDER BY days, patient_id
LIMIT 30;

-- weights-by-sex: Weight statistics by sex with NULL as a group
SELECT sex, COUNT(weight_kg) AS n, ROUND(AVG(weight_kg)::numeric, 2) AS mean, ROUND(STDDEV(weight_kg)::numeric, 3) AS sd,
       MIN(weight_kg) AS lo, MAX(weight_kg) AS hi
FROM patients
GROUP BY sex
ORDER BY sex NULLS LAST;

-- height-deciles: Deciles of the height
SELECT decile, MIN(height_cm) AS from_cm, MAX(height_cm) AS to_cm, COUNT(*) AS n
FROM (SELECT height_cm, NTILE(10) OVER (ORDER BY height_cm, patient_id) AS decile FROM patients WHERE height_cm IS NOT NULL) t
GROUP BY decile
ORDER BY decile;

-- median-age-at-stay: Median age at admission per ward
SELECT s.ward, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY EXTRACT(YEAR FROM AGE(s.admitted_at::date, p.born_on))) AS median_age
FROM stays s
JOIN patients p USING (patient_id)
GROUP BY s.ward
ORDER BY s.ward;

-- never-admitted: Patients without any stay but with laboratory results
SELECT p.patient_id
FROM patients p
WHERE p.patient_id NOT IN (SELECT patient_id FROM stays)
  AND p.patient_id IN (SELECT patient_id FROM labs)
ORDER BY p.patient_id;

-- full-record: How much is known of each patient, the number of filled fields
SELECT patient_id,
       (sex IS NOT NULL)::int + (blood_group IS NOT NULL)::int + (allergies IS NOT NULL AND allergies <> '')::int
         + (weight_kg IS NOT NULL)::int + (height_cm IS NOT NULL)::int AS filled
FROM patients
ORDER BY filled, patient_id
LIMIT 50;

-- patient-labels: Labels as the printer wants them
SELECT UPPER(last_name) || ', ' || TRIM(first_name) || ' *' || TO_CHAR(born_on, 'DD.MM.YYYY') AS label
FROM patients
ORDER BY patient_id
LIMIT 25;

-- zodiac-quarter: Births per quarter and decade as a cross table
SELECT FLOOR(EXTRACT(YEAR FROM born_on) / 10) * 10 AS decade,
       COUNT(CASE WHEN EXTRACT(QUARTER FROM born_on) = 1 THEN 1 END) AS q1,
       COUNT(CASE WHEN EXTRACT(QUARTER FROM born_on) = 2 THEN 1 END) AS q2,
       COUNT(CASE WHEN EXTRACT(QUARTER FROM born_on) = 3 THEN 1 END) AS q3,
       COUNT(CASE WHEN EXTRACT(QUARTER FROM born_on) = 4 THEN 1 END) AS q4
FROM patients
GROUP BY 1
ORDER BY 1;
