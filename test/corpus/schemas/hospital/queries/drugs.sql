-- drug-names: Drugs without strength, in one spelling
SELECT LOWER(SPLIT_PART(drug, ' ', 1)) AS substance, COUNT(*) AS n FROM prescriptions GROUP BY 1 ORDER BY n DESC, substance;

-- strengths: Strength and unit out of the drug's text
SELECT DISTINCT drug, (REGEXP_MATCH(drug, '([0-9]+) ?(mg|MG|g)'))[1]::int AS strength, LOWER(SUBSTRING(drug FROM '[0-9]+ ?([a-zA-Z]+)')) AS unit
FROM prescriptions
ORDER BY drug;

-- doses-per-day: Doses a day by adding the digits of the scheme
SELECT prescription_id, dose,
       CASE WHEN dose ~ '^[0-9]-[0-9]-[0-9]$'
            THEN CAST(SPLIT_PART(dose, '-', 1) AS INT) + CAST(SPLIT_PART(dose, '-', 2) AS INT) + CAST(SPLIT_PART(dose, '-', 3) AS INT)
       END AS per_day
FROM prescriptions
ORDER BY prescription_id
LIMIT 60;

-- days-of-treatment: Days of each prescription, both ends counted; open ones until the end of 2024
SELECT drug, SUM(COALESCE(to_day, DATE '2024-12-31') - from_day + 1) AS days
FROM prescriptions
GROUP BY drug
ORDER BY days DESC, drug;

-- overlapping-drugs: Patients with two different drugs on the same day
SELECT DISTINCT a.patient_id, LEAST(a.drug, b.drug) AS drug_a, GREATEST(a.drug, b.drug) AS drug_b
FROM prescriptions a
JOIN prescriptions b
  ON a.patient_id = b.patient_id
 AND a.prescription_id < b.prescription_id
 AND LOWER(a.drug) <> LOWER(b.drug)
 AND a.from_day <= COALESCE(b.to_day, 'infinity'::date)
 AND b.from_day <= COALESCE(a.to_day, '9999-12-31'::date)
ORDER BY 1, 2, 3;

-- prescribers: Prescriptions per doctor with ward names, doctors without any included
SELECT d.doctor_id, d.full_name, COALESCE(w.name, 'no ward') AS ward, COUNT(p.prescription_id) AS n
FROM doctors d
LEFT JOIN wards w ON w.code = d.ward
LEFT JOIN prescriptions p ON p.doctor_id = d.doctor_id
GROUP BY d.doctor_id, d.full_name, w.name
ORDER BY n DESC, d.doctor_id;

-- grades-any-case: Doctors by grade and ward as a list
SELECT LOWER(grade) AS grade, COUNT(*) AS n, ARRAY_AGG(DISTINCT ward ORDER BY ward) FILTER (WHERE ward IS NOT NULL) AS wards
FROM doctors
GROUP BY LOWER(grade)
ORDER BY grade;

-- without-phone: Doctors without a phone, and the last digits of those with one
SELECT doctor_id, COALESCE('…' || RIGHT(phone, 4), 'none') AS phone FROM doctors ORDER BY phone, doctor_id;

-- merged-periods: Periods of treatment per patient and drug, overlapping ones merged
WITH p AS (
    SELECT patient_id, LOWER(drug) AS drug, from_day, COALESCE(to_day, DATE '2024-12-31') AS to_day
    FROM prescriptions
),
marked AS (
    SELECT patient_id, drug, from_day, to_day,
           CASE WHEN from_day <= MAX(to_day) OVER (PARTITION BY patient_id, drug ORDER BY from_day, to_day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
                THEN 0 ELSE 1 END AS starts
    FROM p
),
grouped AS (
    SELECT patient_id, drug, from_day, to_day,
           SUM(starts) OVER (PARTITION BY patient_id, drug ORDER BY from_day, to_day) AS period
    FROM marked
)
SELECT patient_id, drug, MIN(from_day) AS from_day, MAX(to_day) AS to_day, COUNT(*) AS prescriptions
FROM grouped
GROUP BY patient_id, drug, period
HAVING COUNT(*) > 1
ORDER BY patient_id, drug, from_day;

-- active-on: Prescriptions that were active on the leap day
SELECT LOWER(drug) AS drug, COUNT(*) AS active
FROM prescriptions
WHERE DATE '2024-02-29' BETWEEN from_day AND COALESCE(to_day, DATE '2024-02-29')
GROUP BY LOWER(drug)
ORDER BY active DESC, drug;

-- month-expansion: Active prescriptions per month of the first half of 2024
SELECT m.month::date AS month, COUNT(p.prescription_id) AS active
FROM generate_series(DATE '2024-01-01', DATE '2024-06-01', '1 month'::interval) AS m(month)
LEFT JOIN prescriptions p
  ON p.from_day < m.month + INTERVAL '1 month' AND COALESCE(p.to_day, '2024-12-31') >= m.month
GROUP BY m.month
ORDER BY m.month;

-- diagnoses-top: Commonest main diagnoses, the code in capitals
SELECT UPPER(d.icd) AS icd, COUNT(*) AS stays, COUNT(*) FILTER (WHERE d.confirmed) AS confirmed,
       ROUND(100.0 * COUNT(*) FILTER (WHERE d.confirmed) / COUNT(*), 1) AS pct
FROM diagnoses d
WHERE d.rank = 1
GROUP BY UPPER(d.icd)
ORDER BY stays DESC, icd;

-- icd-chapters: Diagnoses by chapter letter and group number
SELECT LEFT(UPPER(icd), 1) AS chapter, SUBSTRING(icd, 2, 2)::int AS number, COUNT(*) AS n
FROM diagnoses
GROUP BY 1, 2
ORDER BY 1, 2;

-- comorbidity: Which diagnoses occur together in a stay?
SELECT UPPER(a.icd) AS a, UPPER(b.icd) AS b, COUNT(*) AS together
FROM diagnoses a
JOIN diagnoses b ON b.stay_id = a.stay_id AND UPPER(b.icd) > UPPER(a.icd)
GROUP BY UPPER(a.icd), UPPER(b.icd)
ORDER BY together DESC, a, b
LIMIT 20;

-- stays-without-diagnosis: Discharged stays without any diagnosis, per ward
SELECT s.ward, COUNT(*) AS undiagnosed
FROM stays s
WHERE s.discharged_at IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM diagnoses d WHERE d.stay_id = s.stay_id)
GROUP BY s.ward
ORDER BY undiagnosed DESC, s.ward;

-- stay-summary: One line per stay with its diagnoses as a list
SELECT s.stay_id, s.ward, COALESCE(STRING_AGG(d.icd, '; ' ORDER BY d.rank), '-') AS diagnoses
FROM stays s
LEFT JOIN diagnoses d ON d.stay_id = s.stay_id
WHERE s.stay_id <= 50
GROUP BY s.stay_id, s.ward
ORDER BY s.stay_id;

-- ward-head-count: Doctors and patients in the house per ward by scalar subqueries
SELECT w.name,
       w.floor,
       (SELECT COUNT(*) FROM doctors d WHERE d.ward = w.code) AS doctors,
       (SELECT COUNT(*) FROM stays s WHERE s.ward = w.code AND s.discharged_at IS NULL) AS in_house,
       w.beds - (SELECT COUNT(*) FROM stays s WHERE s.ward = w.code AND s.discharged_at IS NULL) AS free
FROM wards w
ORDER BY w.floor DESC NULLS LAST, w.code;
