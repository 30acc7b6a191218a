-- grafana-time-series: A query as Grafana builds it
SELECT floor(extract(epoch from read_at)/3600)*3600 AS "time", device_id::text AS metric, avg(temperature) AS "value" FROM reading WHERE read_at BETWEEN '2024-01-31T00:00:00Z' AND '2024-01-31T06:00:00Z' GROUP BY 1, 2 ORDER BY 1, 2;

-- superset-having: Superset's HAVING and row limit
SELECT device_id AS device_id, AVG(humidity) AS "AVG(humidity)", MAX(temperature) AS "MAX(temperature)" FROM public.reading WHERE read_at >= TO_TIMESTAMP('2024-01-31 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND read_at < TO_TIMESTAMP('2024-03-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND quality NOT IN ('bad') GROUP BY device_id HAVING (COUNT(*) > 10) ORDER BY "AVG(humidity)" DESC, device_id LIMIT 50000;

-- metabase-binned: Binned by hour of day with a cast
SELECT CAST(EXTRACT(hour FROM "public"."alert"."raised_at") AS integer) AS "raised_at", COUNT(*) AS "count", SUM(CASE WHEN "public"."alert"."severity" > 3 THEN 1 ELSE 0.0 END) AS "severe" FROM "public"."alert" GROUP BY CAST(EXTRACT(hour FROM "public"."alert"."raised_at") AS integer) ORDER BY CAST(EXTRACT(hour FROM "public"."alert"."raised_at") AS integer) ASC;

-- preview-all-types: A preview of a table with many types
SELECT * FROM (SELECT * FROM maintenance) AS "t" ORDER BY job_id LIMIT 5;

-- llm-device-health: A health report on the devices
WITH latest_readings AS (
    SELECT
        r.device_id,
        r.temperature,
        r.humidity,
        r.battery_mv,
        r.read_at,
        ROW_NUMBER() OVER (PARTITION BY r.device_id ORDER BY r.read_at DESC) AS rn
    FROM reading r
),
reading_stats AS (
    SELECT
        device_id,
        COUNT(*) AS total_readings,
        ROUND(100.0 * COUNT(CASE WHEN quality = 'ok' THEN 1 END) / NULLIF(COUNT(*), 0), 2) AS ok_percentage,
        ROUND(AVG(temperature)::numeric, 2) AS avg_temperature,
        ROUND(COALESCE(STDDEV(temperature), 0)::numeric, 4) AS temperature_stddev
    FROM reading
    GROUP BY device_id
),
alert_stats AS (
    SELECT
        device_id,
        COUNT(*) AS alert_count,
        SUM(CASE WHEN cleared_at IS NULL THEN 1 ELSE 0 END) AS open_alerts,
        MAX(severity) AS max_severity
    FROM alert
    WHERE raised_at >= DATE '2024-01-15'
    GROUP BY device_id
),
maintenance_stats AS (
    SELECT
        device_id,
        MAX(starts_at)::date AS last_maintenance,
        COALESCE(SUM(cost), 0) AS total_cost
    FROM maintenance
    GROUP BY device_id
)
SELECT
    d.device_id,
    d.model,
    s.name AS site_name,
    COALESCE(rs.total_readings, 0) AS total_readings,
    rs.ok_percentage,
    rs.avg_temperature,
    rs.temperature_stddev,
    lr.battery_mv AS last_battery_mv,
    COALESCE(als.alert_count, 0) AS alert_count,
    COALESCE(als.open_alerts, 0) AS open_alerts,
    COALESCE(als.max_severity, 0) AS max_severity,
    ms.last_maintenance,
    (DATE '2024-03-15' - ms.last_maintenance) AS days_since_maintenance,
    COALESCE(ms.total_cost, 0.00) AS maintenance_cost,
    CASE
        WHEN COALESCE(als.open_alerts, 0) >= 3 OR lr.battery_mv < 3000 THEN 'RED'
        WHEN COALESCE(als.open_alerts, 0) >= 1 OR rs.ok_percentage < 60 THEN 'YELLOW'
        ELSE 'GREEN'
    END AS health
FROM device d
INNER JOIN site s ON s.site_id = d.site_id
LEFT JOIN reading_stats rs ON rs.device_id = d.device_id
LEFT JOIN latest_readings lr ON lr.device_id = d.device_id AND lr.rn = 1
LEFT JOIN alert_stats als ON als.device_id = d.device_id
LEFT JOIN maintenance_stats ms ON ms.device_id = d.device_id
WHERE d.retired_at IS NULL
ORDER BY
    CASE
        WHEN COALESCE(als.open_alerts, 0) >= 3 OR lr.battery_mv < 3000 THEN 1
        WHEN COALESCE(als.open_alerts, 0) >= 1 OR rs.ok_percentage < 60 THEN 2
        ELSE 3
    END,
    d.device_id;

-- llm-anomalies: Anomalies by comparison with the same hour of the day before
WITH hourly AS (
    SELECT device_id, DATE_TRUNC('hour', read_at) AS hr, AVG(temperature) AS avg_temp
    FROM reading
    WHERE quality <> 'bad'
    GROUP BY device_id, DATE_TRUNC('hour', read_at)
)
SELECT
    cur.device_id,
    cur.hr,
    ROUND(cur.avg_temp::numeric, 2) AS current_temp,
    ROUND(prev.avg_temp::numeric, 2) AS previous_temp,
    ROUND((cur.avg_temp - prev.avg_temp)::numeric, 2) AS diff
FROM hourly cur
JOIN hourly prev
    ON prev.device_id = cur.device_id
   AND prev.hr = cur.hr - INTERVAL '24 hours'
WHERE ABS(cur.avg_temp - prev.avg_temp) > 1.5
ORDER BY ABS(cur.avg_temp - prev.avg_temp) DESC, cur.device_id, cur.hr
LIMIT 20;

-- recursive-clock: A calendar of hours by a recursive query, joined with readings
WITH RECURSIVE hours(h) AS (
  SELECT TIMESTAMP '2024-02-29 16:00:00'
  UNION ALL
  SELECT h + INTERVAL '1 hour' FROM hours WHERE h < TIMESTAMP '2024-03-01 07:00:00'
)
SELECT h, COUNT(r.device_id) AS readings FROM hours LEFT JOIN reading r ON r.read_at = h GROUP BY h ORDER BY h;
