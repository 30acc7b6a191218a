-- per-code: Alerts by code and severity
SELECT code, severity, COUNT(*) AS n FROM alert GROUP BY code, severity ORDER BY code, severity DESC;

-- normal-codes: Codes brought to one spelling
SELECT UPPER(REPLACE(code, '-', '_')) AS code, COUNT(*) AS n FROM alert GROUP BY 1 ORDER BY 1;

-- open-alerts: Open alerts with their age on the fifth of March 2024
SELECT alert_id, device_id, code, TIMESTAMP '2024-03-05 00:00:00' - raised_at AS age FROM alert WHERE cleared_at IS NULL ORDER BY age DESC, alert_id LIMIT 15;

-- mean-time-to-clear: Mean time to clear per severity in minutes
SELECT severity, COUNT(cleared_at) AS cleared, ROUND(AVG(EXTRACT(EPOCH FROM (cleared_at - raised_at)) / 60), 2) AS mean_minutes, MAX(cleared_at - raised_at) AS longest FROM alert GROUP BY severity ORDER BY severity;

-- boundary-minutes: Alerts cleared within an hour, exactly an hour, or later
SELECT CASE WHEN cleared_at - raised_at < INTERVAL '1 hour' THEN 'less' WHEN cleared_at - raised_at = INTERVAL '60 minutes' THEN 'exactly' WHEN cleared_at IS NULL THEN 'open' ELSE 'more' END AS class, COUNT(*) AS n FROM alert GROUP BY 1 ORDER BY 1;

-- acknowledged: Three states of acknowledgement
SELECT CASE WHEN acknowledged IS TRUE THEN 'yes' WHEN acknowledged IS FALSE THEN 'no' ELSE 'unknown' END AS ack, COUNT(*) AS n, COUNT(*) FILTER (WHERE NOT acknowledged) AS not_ack, COUNT(*) FILTER (WHERE acknowledged IS NOT TRUE) AS is_not_true FROM alert GROUP BY 1 ORDER BY 1;

-- number-in-message: Numbers in the messages
SELECT message, SUBSTRING(message FROM '-?[0-9]+\.?[0-9]*') AS number FROM alert WHERE message ~ '[0-9]' GROUP BY message ORDER BY message;

-- regexp-numbers: Value and limit of the messages
SELECT alert_id, REGEXP_REPLACE(message, '^value (-?[\d.]+) (above|below) (\d+)$', '\2 \3: \1') AS rewritten FROM alert WHERE message LIKE 'value %' ORDER BY alert_id LIMIT 12;

-- storms: Alerts within ten minutes of another of the same device
SELECT a.alert_id, b.alert_id AS other, a.device_id FROM alert a JOIN alert b ON a.device_id = b.device_id AND a.alert_id < b.alert_id AND b.raised_at BETWEEN a.raised_at - INTERVAL '12 hours' AND a.raised_at + INTERVAL '12 hours' ORDER BY 1, 2;

-- overlapping: Alerts that are open at the same time on one device
SELECT x.alert_id, COUNT(y.alert_id) AS others FROM alert x JOIN alert y ON y.device_id = x.device_id AND y.alert_id <> x.alert_id AND y.raised_at <= COALESCE(x.cleared_at, 'infinity') AND COALESCE(y.cleared_at, 'infinity') >= x.raised_at GROUP BY x.alert_id HAVING COUNT(*) > 5 ORDER BY others DESC, 1;

-- first-of-day: First alert of every day
SELECT DISTINCT ON (raised_at::date) raised_at::date AS day, alert_id, code FROM alert ORDER BY raised_at::date, raised_at, alert_id LIMIT 20;

-- next-alert: Hours until the next alert of the same device
SELECT alert_id, device_id, ROUND(EXTRACT(EPOCH FROM LEAD(raised_at) OVER (PARTITION BY device_id ORDER BY raised_at, alert_id) - raised_at) / 3600, 1) AS hours FROM alert ORDER BY device_id, raised_at, alert_id LIMIT 30;

-- weekly-severity: Alerts per week and severity as a pivot
SELECT TO_CHAR(raised_at, 'IYYY-IW') AS week, COUNT(*) FILTER (WHERE severity >= 4) AS high, COUNT(*) FILTER (WHERE severity = 3) AS medium, COUNT(*) FILTER (WHERE severity <= 2) AS low FROM alert GROUP BY 1 ORDER BY 1;

-- clear-percent: Cleared alerts in percent by code, with a total
SELECT COALESCE(code, 'TOTAL') AS code, COUNT(*) AS n, ROUND(COUNT(cleared_at) * 100.0 / COUNT(*), 1) AS cleared_pct FROM alert GROUP BY GROUPING SETS ((code), ()) ORDER BY GROUPING(code), code;

-- silent-devices: Devices that never raised an alert
SELECT device_id FROM device EXCEPT ALL SELECT DISTINCT device_id FROM alert ORDER BY 1;

-- hours-open: Hours during which at least one alert of severity five was open, per day
SELECT d::date AS day, COUNT(a.alert_id) AS open FROM generate_series(timestamp '2024-02-01 12:00', timestamp '2024-02-14 12:00', interval '1 day') d LEFT JOIN alert a ON a.severity = 5 AND a.raised_at <= d AND (a.cleared_at > d OR a.cleared_at IS NULL) GROUP BY d ORDER BY d;

-- device-ranking: Devices by weighted alerts
SELECT device_id, SUM(severity * CASE WHEN cleared_at IS NULL THEN 2 ELSE 1 END) AS weight FROM alert GROUP BY device_id ORDER BY weight DESC, device_id FETCH FIRST 10 ROWS ONLY;

-- string-lengths: Messages by length, empty ones included
SELECT message, LENGTH(message) AS n, message = '' AS empty, COALESCE(NULLIF(message, ''), '(no text)') AS shown FROM alert GROUP BY message ORDER BY n DESC, message;

-- interval-text: Durations in words
SELECT alert_id, (cleared_at - raised_at)::text AS took, TO_CHAR(raised_at, 'YYYY-MM-DD"T"HH24:MI:SS') AS iso FROM alert WHERE cleared_at IS NOT NULL AND severity = 1 ORDER BY alert_id LIMIT 10;

-- same-code-twice: Devices with the same code on two days in a row
SELECT DISTINCT a.device_id, a.code FROM alert a JOIN alert b ON a.device_id = b.device_id AND a.code = b.code AND b.raised_at::date = a.raised_at::date + 1 ORDER BY 1, 2;
