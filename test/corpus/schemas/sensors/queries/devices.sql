-- per-model: Devices per model, case folded
SELECT UPPER(model) AS model, COUNT(*) AS devices, COUNT(retired_at) AS retired FROM device GROUP BY UPPER(model) ORDER BY 1;

-- age-in-years: Age of active devices on the first of March 2024
SELECT device_id, AGE(TIMESTAMP '2024-03-01', installed_at AT TIME ZONE 'UTC') AS age FROM device WHERE retired_at IS NULL ORDER BY installed_at, device_id LIMIT 10;

-- lifetime-days: Days in service of retired devices
SELECT device_id, EXTRACT(DAY FROM retired_at - installed_at) AS days, (retired_at - installed_at) > INTERVAL '180 days' AS long FROM device WHERE retired_at IS NOT NULL ORDER BY days DESC, device_id;

-- firmware-sorted: Firmware versions in their true order
SELECT firmware, COUNT(*) AS n FROM device WHERE firmware IS NOT NULL GROUP BY firmware
ORDER BY SPLIT_PART(firmware, '.', 1)::int, SPLIT_PART(firmware, '.', 2)::int, REGEXP_REPLACE(SPLIT_PART(firmware, '.', 3), '\D.*$', '')::int, firmware;

-- firmware-array: Versions as arrays of numbers
SELECT DISTINCT firmware, STRING_TO_ARRAY(SPLIT_PART(firmware, '-', 1), '.') AS parts, CARDINALITY(STRING_TO_ARRAY(firmware, '.')) AS n FROM device WHERE firmware IS NOT NULL ORDER BY firmware;

-- prereleases: Devices on a pre-release
SELECT device_id, firmware FROM device WHERE firmware ~ '-rc\d+$' ORDER BY 1;

-- serial-parts: Number and suffix of the serials
SELECT serial, SUBSTRING(serial, 3, 6)::int AS number, NULLIF(SUBSTRING(serial, 9), '') AS suffix, serial LIKE '%-R' AS refurbished FROM device ORDER BY serial LIMIT 15;

-- serial-duplicates: Serial numbers used more than once
SELECT SUBSTRING(serial FROM '\d+') AS number, COUNT(*) FROM device GROUP BY 1 HAVING COUNT(*) > 1;

-- calibration: Calibration values from JSON
SELECT device_id, (calibration->>'offset')::double precision AS offset_, (calibration->>'gain')::float AS gain, calibration->>'by' AS by FROM device WHERE calibration IS NOT NULL ORDER BY device_id;

-- calibrated-reading: Readings corrected by their device's calibration
SELECT r.device_id, r.read_at, r.temperature, ROUND(((r.temperature + COALESCE((d.calibration->>'offset')::float8, 0)) * COALESCE((d.calibration->>'gain')::float8, 1))::numeric, 4) AS corrected FROM reading r JOIN device d ON d.device_id = r.device_id WHERE r.temperature IS NOT NULL ORDER BY 1, 2 LIMIT 25;

-- calibration-points: Sum of the calibration points of each device
SELECT d.device_id, SUM(p.value::int) AS total, COUNT(*) AS n FROM device d CROSS JOIN LATERAL jsonb_array_elements_text(d.calibration->'points') AS p(value) GROUP BY d.device_id ORDER BY d.device_id;

-- calibration-second-point: Second point by index
SELECT device_id, calibration->'points'->1 AS json_point, (calibration->'points'->>1)::int + 1 AS plus_one FROM device WHERE calibration->'points'->>1 IS NOT NULL ORDER BY device_id LIMIT 10;

-- calibrator: Who calibrated how many? JSON null and missing documents together
SELECT COALESCE(calibration->>'by', 'nobody') AS by, COUNT(*) AS n FROM device GROUP BY 1 ORDER BY n DESC, 1;

-- channels: Devices by channel
SELECT c AS channel, COUNT(*) AS devices FROM device CROSS JOIN UNNEST(channels) AS c GROUP BY c ORDER BY c;

-- no-humidity: Devices that do not measure humidity
SELECT device_id, channels FROM device WHERE NOT ('humidity' = ANY (channels)) ORDER BY device_id;

-- channel-list: Channels appended and counted
SELECT device_id, ARRAY_APPEND(channels, 'clock') AS more, ARRAY_LENGTH(channels, 1) AS n, ARRAY_POSITION(channels, 'battery') AS battery_at FROM device ORDER BY device_id LIMIT 12;

-- per-site: Devices per site, sites without devices as well
SELECT s.name, COUNT(d.device_id) AS devices, COUNT(d.device_id) FILTER (WHERE d.retired_at IS NULL) AS active FROM site s LEFT JOIN device d ON d.site_id = s.site_id GROUP BY s.site_id ORDER BY devices DESC, s.name;

-- installed-per-quarter: Installations by quarter with a running total
SELECT EXTRACT(YEAR FROM installed_at) || '-Q' || EXTRACT(QUARTER FROM installed_at) AS quarter, COUNT(*) AS installed, SUM(COUNT(*)) OVER (ORDER BY EXTRACT(YEAR FROM installed_at), EXTRACT(QUARTER FROM installed_at)) AS total FROM device GROUP BY EXTRACT(YEAR FROM installed_at), EXTRACT(QUARTER FROM installed_at) ORDER BY EXTRACT(YEAR FROM installed_at), EXTRACT(QUARTER FROM installed_at);

-- local-install-time: Installation in the local time of the site
SELECT d.device_id, s.timezone, d.installed_at AT TIME ZONE s.timezone AS local_time FROM device d JOIN site s USING (site_id) ORDER BY d.device_id LIMIT 12;

-- dst-days: Installations on the days around the change of the clocks, in Berlin time
SELECT (TIMESTAMPTZ '2024-03-31 00:30:00+00' AT TIME ZONE 'Europe/Berlin') AS before, (TIMESTAMPTZ '2024-03-31 01:30:00+00' AT TIME ZONE 'Europe/Berlin') AS after, (TIMESTAMP '2024-03-31 12:00' AT TIME ZONE 'Europe/Berlin') AS noon FROM site WHERE site_id = 1;

-- bigint-arithmetic: Device numbers beyond 32 bits
SELECT device_id, device_id % 1000 AS last_three, device_id - 5000000000 AS n, device_id * 1000 AS large FROM device ORDER BY device_id DESC LIMIT 5;

-- coordinates-box: Sites in a box of coordinates
SELECT name FROM site WHERE latitude BETWEEN 40 AND 60 AND longitude BETWEEN -10 AND 20 ORDER BY name;

-- distance-from-berlin: Distance of every site from the first
SELECT b.name, ROUND((ACOS(LEAST(1, SIN(RADIANS(a.latitude)) * SIN(RADIANS(b.latitude)) + COS(RADIANS(a.latitude)) * COS(RADIANS(b.latitude)) * COS(RADIANS(b.longitude - a.longitude)))) * 6371)::numeric, 0) AS km FROM site a CROSS JOIN site b WHERE a.site_id = 1 AND b.site_id <> 1 ORDER BY km;

-- degrees-minutes: Latitudes in degrees and minutes
SELECT name, CASE WHEN latitude < 0 THEN 'S' ELSE 'N' END || ' ' || TRUNC(ABS(latitude))::int || '° ' || ROUND(((ABS(latitude) - TRUNC(ABS(latitude))) * 60)::numeric, 2) || '''' AS dm FROM site WHERE latitude <> 0 ORDER BY site_id;

-- site-age: Years and days since commissioning
SELECT name, commissioned, (DATE '2024-02-29' - commissioned) / 365 AS years_rough, EXTRACT(YEAR FROM AGE(DATE '2024-02-29', commissioned)) AS years FROM site ORDER BY commissioned NULLS LAST;

-- elevation-feet: Elevations in feet, single floats
SELECT name, elevation_m, elevation_m / 0.3048 AS feet, CEIL(elevation_m) AS up, elevation_m::int AS rounded FROM site ORDER BY site_id;
