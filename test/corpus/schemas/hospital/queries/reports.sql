-- ward-scorecard: Key figures of each ward in one table
WITH finished AS (
    SELECT ward, stay_id, patient_id, cost, admitted_at, discharged_at,
           EXTRACT(EPOCH FROM (discharged_at - admitted_at)) / 3600.0 AS hours
    FROM stays
    WHERE discharged_at IS NOT NULL
),
by_ward AS (
    SELECT ward,
           COUNT(*) AS stays,
           COUNT(DISTINCT patient_id) AS patients,
           ROUND(AVG(hours), 1) AS avg_hours,
           ROUND((PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY hours))::numeric, 1) AS p90_hours,
           SUM(cost) AS cost
    FROM finished
    GROUP BY ward
)
SELECT w.code, TRIM(w.name) AS ward, COALESCE(b.stays, 0) AS stays, COALESCE(b.patients, 0) AS patients, b.avg_hours, b.p90_hours,
       COALESCE(b.cost, 0.00) AS cost,
       ROUND(100.0 * COALESCE(b.cost, 0) / NULLIF(SUM(b.cost) OVER (), 0), 1) AS cost_pct
FROM wards w
LEFT JOIN by_ward b ON b.ward = w.code
ORDER BY cost DESC, w.code;

-- patient-timeline: Everything that happened to one patient, in order
SELECT at, what, detail
FROM (
    SELECT admitted_at AS at, 'admitted' AS what, ward AS detail FROM stays WHERE patient_id = 5007
    UNION ALL
    SELECT discharged_at, 'discharged', ward FROM stays WHERE patient_id = 5007 AND discharged_at IS NOT NULL
    UNION ALL
    SELECT taken_at, 'lab', test || '=' || COALESCE(value::text, '?') FROM labs WHERE patient_id = 5007
    UNION ALL
    SELECT from_day, 'prescribed', drug FROM prescriptions WHERE patient_id = 5007
) t
ORDER BY at, what, detail;

-- doctor-ranking: Doctors by stays, tests of their patients and prescriptions
SELECT d.doctor_id, d.full_name,
       COALESCE(s.n, 0) AS stays, COALESCE(p.n, 0) AS prescriptions,
       RANK() OVER (ORDER BY COALESCE(s.n, 0) + COALESCE(p.n, 0) DESC) AS place
FROM doctors d
LEFT JOIN (SELECT doctor_id, COUNT(*) AS n FROM stays WHERE doctor_id IS NOT NULL GROUP BY doctor_id) s ON s.doctor_id = d.doctor_id
LEFT JOIN (SELECT doctor_id, COUNT(*) AS n FROM prescriptions GROUP BY doctor_id) p ON p.doctor_id = d.doctor_id
ORDER BY place, d.doctor_id;

-- risk-groups: Patients at risk by age, weight and results
WITH latest AS (
    SELECT DISTINCT ON (patient_id, test) patient_id, test, value
    FROM labs
    WHERE value IS NOT NULL
    ORDER BY patient_id, test, taken_at DESC, lab_id DESC
),
flags AS (
    SELECT p.patient_id,
           (EXTRACT(YEAR FROM AGE(DATE '2025-01-01', p.born_on)) >= 65)::int AS old,
           COALESCE((p.weight_kg / POWER(p.height_cm / 100.0, 2) >= 30)::int, 0) AS obese,
           COALESCE(MAX(CASE WHEN l.test = 'glucose' AND l.value > 7.8 THEN 1 ELSE 0 END), 0) AS sugar,
           COALESCE(MAX(CASE WHEN l.test = 'crp' AND l.value > 10 THEN 1 ELSE 0 END), 0) AS inflamed
    FROM patients p
    LEFT JOIN latest l ON l.patient_id = p.patient_id
    GROUP BY p.patient_id, p.born_on, p.weight_kg, p.height_cm
)
SELECT old + obese + sugar + inflamed AS points, COUNT(*) AS patients, SUM(old) AS old, SUM(obese) AS obese, SUM(sugar) AS sugar, SUM(inflamed) AS inflamed
FROM flags
GROUP BY old + obese + sugar + inflamed
ORDER BY points DESC;

-- monthly-trend: Stays, mean length and cost per month with a three-month mean
WITH monthly AS (
  SELECT date_trunc('month', admitted_at)::date AS month, count(*) AS stays, coalesce(sum(cost), 0) AS cost
  FROM stays
  GROUP BY 1
)
SELECT month, stays, cost,
       round(avg(stays) OVER (ORDER BY month ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), 2) AS stays_3m,
       round(cost / nullif(lag(cost) OVER (ORDER BY month), 0) - 1, 3) AS cost_change
FROM monthly
ORDER BY month;

-- diagnosis-cost: Mean cost of stays by main diagnosis, confirmed ones only, with at least three
SELECT UPPER(d.icd) AS icd, COUNT(*) AS stays, ROUND(AVG(s.cost), 2) AS mean_cost, MIN(s.cost) AS lo, MAX(s.cost) AS hi
FROM diagnoses d
JOIN stays s ON s.stay_id = d.stay_id
WHERE d.rank = 1 AND s.cost IS NOT NULL
GROUP BY UPPER(d.icd)
HAVING COUNT(*) >= 3
ORDER BY mean_cost DESC, icd;

-- sankey: From which ward to which at the next stay
SELECT ward AS source, next_ward AS target, COUNT(*) AS value
FROM (
  SELECT ward, LEAD(ward) OVER (PARTITION BY patient_id ORDER BY admitted_at, stay_id) AS next_ward FROM stays
) x
WHERE next_ward IS NOT NULL
GROUP BY ward, next_ward
ORDER BY value DESC, source, target;

-- data-quality: Faults of the data with their counts
SELECT 'discharged before admitted' AS fault, COUNT(*) AS n FROM stays WHERE discharged_at < admitted_at
UNION ALL
SELECT 'sex unknown', COUNT(*) FROM patients WHERE sex IS NULL
UNION ALL
SELECT 'name with blanks at the ends', COUNT(*) FROM patients WHERE first_name <> TRIM(first_name)
UNION ALL
SELECT 'icd in small letters', COUNT(*) FROM diagnoses WHERE icd <> UPPER(icd)
UNION ALL
SELECT 'lab without value', COUNT(*) FROM labs WHERE value IS NULL
UNION ALL
SELECT 'prescription ends before it begins', COUNT(*) FROM prescriptions WHERE to_day < from_day
ORDER BY n DESC, fault;

-- metabase-nested: Filtered and grouped twice as a question over a question
SELECT "source"."ward" AS "ward", AVG("source"."count") AS "avg"
FROM (
  SELECT "stays"."ward" AS "ward", CAST("stays"."admitted_at" AS date) AS "admitted_at", COUNT(*) AS "count"
  FROM "stays"
  WHERE ("stays"."kind" = 'emergency') OR ("stays"."kind" = 'transfer')
  GROUP BY "stays"."ward", CAST("stays"."admitted_at" AS date)
) AS "source"
WHERE "source"."admitted_at" BETWEEN date '2024-01-01' AND date '2024-12-31'
GROUP BY "source"."ward"
ORDER BY "avg" DESC, "source"."ward" ASC;

-- superset-top-n: Series limited to the wards with most stays, as a chart tool does it
SELECT DATE_TRUNC('month', admitted_at) AS __timestamp, s.ward AS ward, COUNT(*) AS "count"
FROM stays s
JOIN (
  SELECT ward AS ward__, COUNT(*) AS mme_inner__
  FROM stays
  GROUP BY ward
  ORDER BY mme_inner__ DESC, ward
  LIMIT 2
) AS series_limit ON ward = ward__
GROUP BY DATE_TRUNC('month', admitted_at), s.ward
ORDER BY "count" DESC, __timestamp, ward
LIMIT 100;

-- whole-rows: Count of whole rows and of left-joined whole rows
SELECT COUNT(p.*) AS patients, COUNT(s.*) AS stays, COUNT(*) AS joined
FROM patients p
LEFT JOIN stays s ON s.patient_id = p.patient_id;

-- comments-everywhere: A query full of comments /* and odd spacing */
select /* the ward */ s.ward   -- code
     , count( * )    as   "n"  /* how many; a semicolon */
  from stays   as s
  -- only planned ones
 where lower( s . kind ) = 'planned' /* nested /* comment */ here */
 group
    by s.ward
 order by "n" desc
        , 1;

-- group-by-mixture: Grouped by ordinal, alias and expression at once
SELECT ward, LOWER(kind) AS k, EXTRACT(YEAR FROM admitted_at) AS y, COUNT(*) AS n
FROM stays
GROUP BY 1, k, EXTRACT(YEAR FROM admitted_at)
HAVING COUNT(*) > 5
ORDER BY n DESC, ward, k, y;

-- needless-ctes: Steps that a language model writes for a simple count
WITH base_data AS (
    SELECT * FROM patients
), filtered_data AS (
    SELECT * FROM base_data WHERE blood_group IS NOT NULL
), final_result AS (
    SELECT blood_group, COUNT(*) AS patient_count FROM filtered_data GROUP BY blood_group
)
SELECT blood_group, patient_count FROM final_result ORDER BY patient_count DESC, blood_group ASC;

-- boolean-columns: Comparisons as columns
SELECT stay_id, cost > 1000 AS dear, cost IS NULL AS unknown, kind = 'Planned' AS capital, discharged_at IS NULL OR cost = 0 AS either, NOT (cost > 1000) AS not_dear
FROM stays
ORDER BY stay_id
LIMIT 30;
