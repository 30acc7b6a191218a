-- in-or-null: Patients of two blood groups or of none
SELECT patient_id, blood_group FROM patients WHERE blood_group IN ('A-', '0-') OR blood_group IS NULL ORDER BY patient_id;

-- not-in-list-null: NULL in a list of NOT IN empties the result
SELECT COUNT(*) AS n FROM patients WHERE blood_group NOT IN ('A+', NULL);

-- coalesce-chain: First known of allergy, blood group and sex
SELECT patient_id, COALESCE(NULLIF(allergies, ''), blood_group, sex, 'nothing') AS known FROM patients ORDER BY patient_id LIMIT 40;

-- nested-case: Triage by several conditions, the order of which matters
SELECT patient_id,
       CASE WHEN born_on > DATE '2020-01-01' THEN 'infant'
            WHEN born_on > DATE '2006-01-01' THEN CASE sex WHEN 'f' THEN 'girl' WHEN 'm' THEN 'boy' ELSE 'child' END
            WHEN weight_kg IS NULL THEN 'adult, unweighed'
            WHEN weight_kg > 100 THEN 'adult, heavy' ELSE 'adult' END AS triage
FROM patients
ORDER BY patient_id;

-- exists-and-not: Patients with a confirmed and without an unconfirmed diagnosis
SELECT DISTINCT s.patient_id
FROM stays s
WHERE EXISTS (SELECT 1 FROM diagnoses d WHERE d.stay_id = s.stay_id AND d.confirmed)
  AND NOT EXISTS (SELECT 1 FROM diagnoses d JOIN stays x ON x.stay_id = d.stay_id WHERE x.patient_id = s.patient_id AND NOT d.confirmed)
ORDER BY s.patient_id;

-- all-confirmed: Stays of which every diagnosis is confirmed
SELECT stay_id, COUNT(*) AS n FROM diagnoses GROUP BY stay_id HAVING EVERY(confirmed) ORDER BY stay_id;

-- any-of-them: Stays with any confirmed diagnosis by three ways
SELECT (SELECT COUNT(DISTINCT stay_id) FROM diagnoses WHERE confirmed) AS by_distinct,
       (SELECT COUNT(*) FROM stays s WHERE TRUE = ANY (SELECT d.confirmed FROM diagnoses d WHERE d.stay_id = s.stay_id)) AS by_any,
       (SELECT COUNT(*) FROM (SELECT stay_id FROM diagnoses GROUP BY stay_id HAVING BOOL_OR(confirmed)) t) AS by_bool_or;

-- correlated-count-filter: Wards with more than a third as many emergencies as planned stays
SELECT w.code
FROM wards w
WHERE (SELECT COUNT(*) FROM stays s WHERE s.ward = w.code AND s.kind = 'emergency') * 3 > (SELECT COUNT(*) FROM stays s WHERE s.ward = w.code AND LOWER(s.kind) = 'planned')
ORDER BY w.code;

-- max-by-join: The dearest stay of each ward by a join on the maximum
SELECT s.ward, s.stay_id, s.cost
FROM stays s
JOIN (SELECT ward, MAX(cost) AS top FROM stays GROUP BY ward) m ON m.ward = s.ward AND m.top = s.cost
ORDER BY s.ward, s.stay_id;

-- lateral-top-two: The two newest results of each patient with a stay in the emergency room
SELECT p.patient_id, l.test, l.value
FROM (SELECT DISTINCT patient_id FROM stays WHERE ward = 'ER') p
CROSS JOIN LATERAL (SELECT test, value, taken_at, lab_id FROM labs WHERE labs.patient_id = p.patient_id ORDER BY taken_at DESC, lab_id DESC LIMIT 2) l
ORDER BY p.patient_id, l.taken_at DESC, l.lab_id DESC;

-- grouped-by-expression: Results by test and rounded value, the commonest ones
SELECT test, ROUND(value::numeric, -1) AS tens, COUNT(*) AS n FROM labs WHERE value IS NOT NULL GROUP BY test, ROUND(value::numeric, -1) HAVING COUNT(*) > 20 ORDER BY n DESC, test, tens;

-- float-equality: Values that are exactly a quarter, a half or whole
SELECT value - FLOOR(value) AS fraction, COUNT(*) AS n FROM labs WHERE test = 'crp' AND value IS NOT NULL GROUP BY value - FLOOR(value) ORDER BY fraction;

-- sum-of-floats: Sums and means of doubles in whatever order
SELECT test, SUM(value) AS total, AVG(value) AS mean, SUM(value::numeric) AS exact FROM labs GROUP BY test ORDER BY test;

-- text-of-floats: Doubles as text
SELECT DISTINCT value, value::text AS as_text FROM labs WHERE test = 'glucose' AND value < 6 ORDER BY value;
