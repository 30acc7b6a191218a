-- daily-average: Average temperature per device and day
SELECT device_id, read_at::date AS day, AVG(temperature) AS avg_temperature, COUNT(*) AS readings, COUNT(temperature) AS valid
FROM reading GROUP BY device_id, read_at::date ORDER BY device_id, day;

-- hourly-buckets: Hourly averages of one device
SELECT DATE_TRUNC('hour', read_at) AS hour, ROUND(AVG(temperature)::numeric, 2) AS t, ROUND(AVG(humidity)::numeric, 2) AS h
FROM reading WHERE device_id = 5000000000 GROUP BY 1 ORDER BY 1;

-- min-max-range: Range of temperatures per device
SELECT device_id, MIN(temperature) AS lo, MAX(temperature) AS hi, MAX(temperature) - MIN(temperature) AS spread FROM reading GROUP BY device_id ORDER BY spread DESC, device_id;

-- gaps: Gaps of more than half an hour between readings of the first two days
SELECT device_id, previous, read_at, read_at - previous AS gap
FROM (SELECT device_id, read_at, LAG(read_at) OVER (PARTITION BY device_id ORDER BY read_at) AS previous FROM reading WHERE read_at < '2024-02-10') g
WHERE read_at - previous > INTERVAL '30 minutes'
ORDER BY gap DESC, device_id, read_at LIMIT 30;

-- missing-slots: Half hours of the 31st of January without a reading
SELECT d.device_id, COUNT(*) AS missing
FROM (SELECT DISTINCT device_id FROM reading) d
CROSS JOIN generate_series(TIMESTAMP '2024-01-31 00:00:00', TIMESTAMP '2024-01-31 23:30:00', INTERVAL '30 minutes') AS slot
LEFT JOIN reading r ON r.device_id = d.device_id AND r.read_at = slot
WHERE r.device_id IS NULL
GROUP BY d.device_id ORDER BY missing DESC, d.device_id;

-- forward-fill: Temperature of one device with the last known value filled in
WITH numbered AS (
  SELECT read_at, temperature, COUNT(temperature) OVER (ORDER BY read_at) AS grp FROM reading WHERE device_id = 5000000001
)
SELECT read_at, temperature, MAX(temperature) OVER (PARTITION BY grp) AS filled FROM numbered ORDER BY read_at;

-- jumps: Changes of more than half a degree between neighbours
SELECT device_id, read_at, temperature, delta FROM (
  SELECT device_id, read_at, temperature, temperature - LAG(temperature) OVER (PARTITION BY device_id ORDER BY read_at) AS delta FROM reading
) t WHERE ABS(delta) > 0.66 ORDER BY ABS(delta) DESC, device_id, read_at LIMIT 25;

-- moving-average: Moving average over five readings, centred
SELECT read_at, humidity, AVG(humidity) OVER (ORDER BY read_at ROWS BETWEEN 2 PRECEDING AND 2 FOLLOWING) AS smooth
FROM reading WHERE device_id = 5000000002 ORDER BY read_at LIMIT 40;

-- range-window: Average of the two hours before, by time and not by rows
SELECT read_at, AVG(humidity) OVER (ORDER BY read_at RANGE BETWEEN INTERVAL '2 hours' PRECEDING AND CURRENT ROW) AS avg_2h, COUNT(*) OVER (ORDER BY read_at RANGE BETWEEN INTERVAL '2 hours' PRECEDING AND CURRENT ROW) AS n
FROM reading WHERE device_id = 5000000003 ORDER BY read_at LIMIT 40;

-- fahrenheit: Temperatures in Fahrenheit, one digit
SELECT device_id, read_at, temperature, ROUND((temperature * 9 / 5 + 32)::numeric, 1) AS fahrenheit FROM reading WHERE temperature IS NOT NULL AND device_id = 5000000004 ORDER BY read_at LIMIT 20;

-- dew-point: Dew point by Magnus' formula
SELECT device_id, read_at, ROUND((243.04 * (LN(humidity / 100) + 17.625 * temperature / (243.04 + temperature)) / (17.625 - LN(humidity / 100) - 17.625 * temperature / (243.04 + temperature)))::numeric, 3) AS dew_point
FROM reading WHERE humidity IS NOT NULL AND temperature IS NOT NULL AND quality = 'ok' ORDER BY device_id, read_at LIMIT 20;

-- quality-share: Share of bad readings per device
SELECT device_id, ROUND(100.0 * SUM(CASE quality WHEN 'bad' THEN 1 ELSE 0 END) / COUNT(*), 2) AS bad_pct, ROUND(100.0 * SUM(CASE quality WHEN 'suspect' THEN 1 ELSE 0 END) / COUNT(*), 2) AS suspect_pct FROM reading GROUP BY device_id ORDER BY bad_pct DESC, suspect_pct DESC, device_id;

-- bad-runs: Longest run of readings that are not ok
WITH m AS (SELECT device_id, read_at, quality, SUM(CASE WHEN quality = 'ok' THEN 1 ELSE 0 END) OVER (PARTITION BY device_id ORDER BY read_at) AS grp FROM reading)
SELECT device_id, MAX(n) AS longest FROM (SELECT device_id, grp, COUNT(*) AS n FROM m WHERE quality <> 'ok' GROUP BY device_id, grp) r GROUP BY device_id ORDER BY longest DESC, device_id;

-- percentiles: Percentiles of the humidity
SELECT PERCENTILE_CONT(0.05) WITHIN GROUP (ORDER BY humidity) AS p05, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY humidity) AS p50, PERCENTILE_CONT(0.95) WITHIN GROUP (ORDER BY humidity) AS p95, PERCENTILE_DISC(0.5) WITHIN GROUP (ORDER BY battery_mv) AS battery FROM reading;

-- z-score: Outliers by more than two standard deviations
SELECT device_id, read_at, ROUND(z::numeric, 3) AS z FROM (
  SELECT device_id, read_at, (temperature - AVG(temperature) OVER (PARTITION BY device_id)) / NULLIF(STDDEV(temperature) OVER (PARTITION BY device_id), 0) AS z FROM reading
) s WHERE ABS(z) > 2 ORDER BY ABS(z) DESC, device_id, read_at LIMIT 20;

-- correlation: Correlation of temperature and humidity per device
SELECT device_id, ROUND(CORR(temperature, humidity)::numeric, 6) AS r, REGR_COUNT(temperature, humidity) AS n FROM reading GROUP BY device_id ORDER BY device_id;

-- histogram: Temperatures in whole degrees
SELECT FLOOR(temperature)::int AS degree, COUNT(*) AS n FROM reading WHERE temperature IS NOT NULL GROUP BY 1 ORDER BY 1;

-- histogram-bar: Humidity in tens with bars
SELECT FLOOR(humidity / 10) * 10 AS from_pct, COUNT(*) AS n, RPAD('', (COUNT(*) / 10)::int, '=') AS bar FROM reading WHERE humidity IS NOT NULL GROUP BY 1 ORDER BY 1;

-- last-reading: Last reading of every device, also of those without any
SELECT d.device_id, r.read_at, r.temperature FROM device d LEFT JOIN LATERAL (SELECT read_at, temperature FROM reading x WHERE x.device_id = d.device_id ORDER BY read_at DESC LIMIT 1) r ON TRUE ORDER BY d.device_id;

-- first-last: First and last value of the day by window
SELECT DISTINCT device_id, read_at::date AS day, FIRST_VALUE(battery_mv) OVER w AS first_mv, LAST_VALUE(battery_mv) OVER w AS last_mv
FROM reading WHERE device_id < 5000000004
WINDOW w AS (PARTITION BY device_id, read_at::date ORDER BY read_at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) ORDER BY device_id, day;

-- ohlc: Opening, highest, lowest and closing temperature in blocks of six hours
SELECT device_id, date_trunc('day', read_at) + floor(extract(hour from read_at) / 6) * interval '6 hours' AS block,
       (ARRAY_AGG(temperature ORDER BY read_at) FILTER (WHERE temperature IS NOT NULL))[1] AS open, MAX(temperature) AS high, MIN(temperature) AS low, (ARRAY_AGG(temperature ORDER BY read_at DESC) FILTER (WHERE temperature IS NOT NULL))[1] AS close
FROM reading WHERE device_id IN (5000000005, 5000000006) GROUP BY 1, 2 ORDER BY 1, 2;

-- night-day: Night against day temperatures
SELECT CASE WHEN read_at::time >= '06:00' AND read_at::time < '22:00' THEN 'day' ELSE 'night' END AS part, COUNT(*) AS n, ROUND(AVG(temperature)::numeric, 3) AS t FROM reading GROUP BY 1 ORDER BY 1;

-- leap-day-hours: Readings of the leap day and of the hours after midnight
SELECT read_at::date AS day, EXTRACT(HOUR FROM read_at)::int AS hour, COUNT(*) AS n FROM reading WHERE read_at >= '2024-02-29' GROUP BY 1, 2 ORDER BY 1, 2;

-- across-midnight: Pairs of readings right before and after midnight
SELECT a.device_id, a.temperature AS before, b.temperature AS after FROM reading a JOIN reading b ON b.device_id = a.device_id AND b.read_at = a.read_at + INTERVAL '30 min' WHERE a.read_at::time = TIME '23:30' ORDER BY 1;

-- same-moment: Differences of two devices at the same moments
SELECT a.read_at, a.temperature AS a, b.temperature AS b, ROUND((a.temperature - b.temperature)::numeric, 2) AS diff FROM reading a JOIN reading b USING (read_at) WHERE a.device_id = 5000000000 AND b.device_id = 5000000007 AND a.temperature IS NOT NULL AND b.temperature IS NOT NULL ORDER BY read_at LIMIT 30;

-- null-in-both: Readings in which everything is missing or nearly so
SELECT NUM_NULLS(temperature, humidity, battery_mv) AS nulls, COUNT(*) AS n FROM reading GROUP BY 1 ORDER BY 1;

-- battery-volts: Battery in volts by integer and decimal division
SELECT DISTINCT battery_mv / 1000 AS whole, COUNT(*) OVER (PARTITION BY battery_mv / 1000) AS n, MIN(battery_mv / 1000.0) OVER (PARTITION BY battery_mv / 1000) AS lowest FROM reading WHERE battery_mv IS NOT NULL ORDER BY whole;

-- smallint-sum: Sums of small integers do not overflow
SELECT SUM(battery_mv) AS total, SUM(battery_mv::bigint * battery_mv) AS squares, AVG(battery_mv) AS mean FROM reading;

-- real-equality: Comparison of single floats with a literal
SELECT COUNT(*) FILTER (WHERE temperature > 20.1) AS above, COUNT(*) FILTER (WHERE temperature <= 20.1) AS not_above, COUNT(*) AS n FROM reading;

-- real-text: Single and double floats as text
SELECT device_id, temperature::text AS t, humidity::text AS h FROM reading WHERE device_id = 5000000008 ORDER BY read_at LIMIT 12;

-- epoch-bins: Five-minute bins by epoch arithmetic
SELECT to_timestamp((extract(epoch from read_at)::bigint / 3600) * 3600) AT TIME ZONE 'UTC' AS bin, count(*) FROM reading WHERE device_id = 5000000009 GROUP BY 1 ORDER BY 1 LIMIT 20;

-- date-bin: Bins of ninety minutes
SELECT date_bin('90 minutes', read_at, TIMESTAMP '2024-01-31') AS bin, COUNT(*) AS n, ROUND(AVG(humidity)::numeric, 2) AS humidity FROM reading WHERE device_id = 5000000010 AND read_at < '2024-02-02' GROUP BY 1 ORDER BY 1;

-- pivot-devices: Temperatures of three devices side by side
SELECT read_at, MAX(temperature) FILTER (WHERE device_id = 5000000000) AS d0, MAX(temperature) FILTER (WHERE device_id = 5000000001) AS d1, MAX(temperature) FILTER (WHERE device_id = 5000000002) AS d2 FROM reading WHERE read_at < '2024-01-31 08:00' GROUP BY read_at ORDER BY read_at;

-- unpivot-metrics: Metrics as rows with their averages
SELECT device_id, metric, ROUND(AVG(value)::numeric, 3) AS avg_value
FROM (SELECT device_id, 'temperature' AS metric, temperature::double precision AS value FROM reading UNION ALL SELECT device_id, 'humidity', humidity FROM reading UNION ALL SELECT device_id, 'battery', battery_mv FROM reading) u
WHERE device_id < 5000000003 GROUP BY 1, 2 ORDER BY 1, 2;

-- threshold-breaches: Readings outside of the model's limits
SELECT d.model, COUNT(*) AS readings, COUNT(*) FILTER (WHERE r.temperature > t.high) AS too_hot, COUNT(*) FILTER (WHERE r.temperature < t.low) AS too_cold
FROM reading r JOIN device d USING (device_id) LEFT JOIN threshold t ON t.metric = 'temperature' AND t.model = d.model GROUP BY d.model ORDER BY d.model;

-- cumulative-degree-hours: Degree hours above eighteen, cumulated by day
SELECT day, ROUND(dh::numeric, 3) AS degree_hours, ROUND(SUM(dh) OVER (ORDER BY day)::numeric, 3) AS cumulated FROM (SELECT read_at::date AS day, SUM(GREATEST(temperature - 18, 0) * 0.5) AS dh FROM reading GROUP BY 1) d ORDER BY day;

-- trend: Trend of the temperature in degrees per hour
SELECT device_id, ROUND(REGR_SLOPE(temperature, EXTRACT(EPOCH FROM read_at) / 3600)::numeric, 6) AS per_hour FROM reading WHERE read_at < '2024-02-15' GROUP BY device_id ORDER BY device_id;

-- nth-value: Third reading of every device
SELECT DISTINCT device_id, NTH_VALUE(humidity, 3) OVER (PARTITION BY device_id ORDER BY read_at ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS third FROM reading ORDER BY device_id;

-- max-by: When was it hottest on each device?
SELECT DISTINCT ON (device_id) device_id, read_at, temperature FROM reading WHERE temperature IS NOT NULL ORDER BY device_id, temperature DESC, read_at;
