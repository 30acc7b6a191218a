-- planned-hours: Planned hours of the jobs
SELECT job_id, planned, EXTRACT(EPOCH FROM planned) / 3600 AS hours FROM maintenance WHERE planned IS NOT NULL ORDER BY planned DESC, job_id;

-- overrun: Jobs that took longer than planned
SELECT job_id, planned, ends_at - starts_at AS actual, (ends_at - starts_at) - planned AS over FROM maintenance WHERE ends_at - starts_at > planned ORDER BY over DESC, job_id;

-- total-planned: Sum and average of the planned intervals
SELECT technician, SUM(planned) AS total, AVG(planned) AS mean, COUNT(planned) AS n FROM maintenance GROUP BY technician ORDER BY technician NULLS LAST;

-- planned-end: When was each job meant to end?
SELECT job_id, starts_at + planned AS planned_end, ends_at, ends_at <= starts_at + planned AS in_time FROM maintenance ORDER BY job_id LIMIT 20;

-- technicians: Technicians under one spelling
SELECT INITCAP(TRIM(technician)) AS technician, COUNT(*) AS jobs, SUM(cost) AS cost FROM maintenance WHERE technician IS NOT NULL GROUP BY 1 ORDER BY jobs DESC, 1;

-- parts-used: How often was each part changed? The same part twice counts twice
SELECT p.part, COUNT(*) AS used, COUNT(DISTINCT m.job_id) AS jobs FROM maintenance m, UNNEST(m.parts) AS p(part) GROUP BY p.part ORDER BY used DESC, p.part;

-- duplicate-parts: Jobs that name a part twice
SELECT job_id, parts FROM maintenance WHERE CARDINALITY(parts) > (SELECT COUNT(DISTINCT x) FROM UNNEST(parts) AS x) ORDER BY job_id;

-- parts-text: Parts in one cell, those with a comma kept apart
SELECT job_id, ARRAY_TO_STRING(parts, ' | ', '?') AS parts FROM maintenance WHERE 'seal, rubber' = ANY(parts) ORDER BY job_id;

-- cost-per-hour: Cost per hour worked
SELECT job_id, cost, ROUND(cost / NULLIF((EXTRACT(EPOCH FROM ends_at - starts_at) / 3600), 0)::numeric, 2) AS per_hour FROM maintenance WHERE cost > 0 AND ends_at IS NOT NULL ORDER BY job_id LIMIT 20;

-- cost-quantiles: Cost by technician and quarter
SELECT DATE_TRUNC('quarter', starts_at)::date AS quarter, COUNT(*) AS jobs, SUM(cost) AS cost, ROUND(AVG(cost), 2) AS avg_cost, COUNT(*) FILTER (WHERE cost IS NULL) AS unknown FROM maintenance GROUP BY 1 ORDER BY 1;

-- after-alert: First maintenance after each device's worst alert
SELECT a.device_id, a.alert_id, m.job_id, m.starts_at - a.raised_at AS waited
FROM (SELECT DISTINCT ON (device_id) device_id, alert_id, raised_at FROM alert ORDER BY device_id, severity DESC, raised_at, alert_id) a
LEFT JOIN LATERAL (SELECT job_id, starts_at FROM maintenance x WHERE x.device_id = a.device_id AND x.starts_at > a.raised_at ORDER BY starts_at, job_id LIMIT 1) m ON TRUE ORDER BY a.device_id;

-- interval-buckets: Jobs by planned length
SELECT CASE WHEN planned <= INTERVAL '1 hour' THEN 'short' WHEN planned < INTERVAL '1 day' THEN 'medium' WHEN planned IS NULL THEN 'unplanned' ELSE 'long' END AS length, COUNT(*) AS n FROM maintenance GROUP BY 1 ORDER BY 1;

-- double-interval: Intervals multiplied and divided
SELECT DISTINCT planned, planned * 2 AS twice, planned / 2 AS half, planned + INTERVAL '10 minutes' AS padded, -planned AS negative FROM maintenance WHERE planned IS NOT NULL ORDER BY planned;

-- working-days: Working days between start and end
SELECT m.job_id, COUNT(*) AS days FROM maintenance m CROSS JOIN LATERAL generate_series(m.starts_at::date, m.ends_at::date, INTERVAL '1 day') AS g(day) WHERE EXTRACT(ISODOW FROM g.day) < 6 GROUP BY m.job_id ORDER BY days DESC, m.job_id LIMIT 15;

-- shift: Early, late and night shift of the starts
SELECT CASE WHEN starts_at::time BETWEEN '06:00:00' AND '13:59:59' THEN 'early' WHEN starts_at::time BETWEEN '14:00:00' AND '21:59:59' THEN 'late' ELSE 'night' END AS shift, COUNT(*) AS jobs, ROUND(AVG(cost), 2) AS cost FROM maintenance GROUP BY 1 ORDER BY 1;

-- extract-interval: Parts of the planned time
SELECT DISTINCT planned, EXTRACT(HOUR FROM planned) AS hours, EXTRACT(MINUTE FROM planned) AS minutes, EXTRACT(DAY FROM planned) AS days FROM maintenance WHERE planned IS NOT NULL ORDER BY planned;

-- never-maintained: Devices without maintenance and with alerts
SELECT d.device_id, (SELECT COUNT(*) FROM alert a WHERE a.device_id = d.device_id) AS alerts FROM device d WHERE d.device_id NOT IN (SELECT m.device_id FROM maintenance m) ORDER BY 2 DESC, 1;
