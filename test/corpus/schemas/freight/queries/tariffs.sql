-- valid-on: Tariffs valid on the 15th of February 2024
SELECT carrier_id, zone, per_km, minimum FROM tariffs
WHERE DATE '2024-02-15' BETWEEN valid_from AND COALESCE(valid_to, 'infinity'::date)
ORDER BY carrier_id, zone;

-- open-ended: Tariffs without an end
SELECT carrier_id, zone, valid_from FROM tariffs WHERE valid_to IS NULL ORDER BY 1, 2;

-- price-changes: Change of each tariff against the one before
SELECT carrier_id, zone, valid_from, per_km,
       per_km - LAG(per_km) OVER (PARTITION BY carrier_id, zone ORDER BY valid_from) AS change,
       ROUND((per_km / LAG(per_km) OVER (PARTITION BY carrier_id, zone ORDER BY valid_from) - 1) * 100, 1) AS change_pct
FROM tariffs ORDER BY carrier_id, zone, valid_from;

-- validity-gaps: Is any day without a tariff between two of them?
SELECT * FROM (
  SELECT carrier_id, zone, valid_to, LEAD(valid_from) OVER (PARTITION BY carrier_id, zone ORDER BY valid_from) AS next_from FROM tariffs
) t WHERE next_from - valid_to > 1 ORDER BY carrier_id, zone;

-- validity-days: For how many days was each tariff valid?
SELECT carrier_id, zone, valid_from, COALESCE(valid_to, DATE '2024-12-31') - valid_from + 1 AS days FROM tariffs ORDER BY days, carrier_id, zone, valid_from;

-- price-of-shipments: What each shipment would cost by the tariff of its day
SELECT s.shipment_id, s.distance_km, t.per_km, t.minimum,
       GREATEST(ROUND(s.distance_km::numeric * t.per_km, 2), COALESCE(t.minimum, 0)) AS tariff_price, s.freight_cost
FROM shipments s
JOIN tariffs t ON t.carrier_id = s.carrier_id AND t.zone = 'eu' AND s.booked_at::date >= t.valid_from AND (t.valid_to IS NULL OR s.booked_at::date <= t.valid_to)
WHERE s.distance_km IS NOT NULL
ORDER BY s.shipment_id LIMIT 40;

-- current-tariff: The newest tariff of each carrier and zone by DISTINCT ON
SELECT DISTINCT ON (carrier_id, zone) carrier_id, zone, valid_from, per_km FROM tariffs ORDER BY carrier_id, zone, valid_from DESC;

-- zone-matrix: Newest rates as a matrix of carriers and zones
SELECT c.name,
       MAX(t.per_km) FILTER (WHERE t.zone = 'domestic') AS domestic,
       MAX(t.per_km) FILTER (WHERE t.zone = 'eu') AS eu,
       MAX(t.per_km) FILTER (WHERE t.zone = 'world') AS world
FROM carriers c LEFT JOIN tariffs t ON t.carrier_id = c.carrier_id AND t.valid_to IS NULL
GROUP BY c.name ORDER BY c.name;

-- cheapest-carrier: The cheapest carrier per zone today
SELECT zone, name, per_km FROM (
  SELECT t.zone, c.name, t.per_km, RANK() OVER (PARTITION BY t.zone ORDER BY t.per_km) AS r
  FROM tariffs t JOIN carriers c ON c.carrier_id = t.carrier_id WHERE t.valid_to IS NULL) x
WHERE r = 1 ORDER BY zone, name;

-- monthly-average: Average rate per month, by a calendar of months
SELECT m::date AS month, t.zone, ROUND(AVG(t.per_km), 4) AS avg_rate, COUNT(*) AS tariffs
FROM generate_series(DATE '2023-01-01', DATE '2024-04-01', INTERVAL '1 month') AS m
JOIN tariffs t ON m::date >= t.valid_from AND m::date <= COALESCE(t.valid_to, DATE '9999-12-31')
GROUP BY m, t.zone ORDER BY month, t.zone;

-- overlaps: Pairs of tariffs whose periods overlap, by OVERLAPS
SELECT a.carrier_id, a.zone, a.valid_from, b.valid_from AS other_from
FROM tariffs a JOIN tariffs b ON a.carrier_id = b.carrier_id AND a.zone = b.zone AND a.valid_from < b.valid_from
WHERE (a.valid_from, COALESCE(a.valid_to, DATE '2099-01-01')) OVERLAPS (b.valid_from, COALESCE(b.valid_to, DATE '2099-01-01'))
ORDER BY 1, 2, 3;

-- year-of-start: Tariffs by the year and month of their start
SELECT EXTRACT(YEAR FROM valid_from)::int AS y, EXTRACT(MONTH FROM valid_from)::int AS m, COUNT(*) AS n, MIN(per_km) AS lo, MAX(per_km) AS hi
FROM tariffs GROUP BY 1, 2 ORDER BY 1, 2;

-- with-minimum: Rates with the minimum in words
SELECT carrier_id, zone, valid_from, CONCAT(per_km, ' €/km', ', min. ' || minimum || ' €') AS text FROM tariffs WHERE valid_from >= '2024-01-01' ORDER BY 1, 2, 3;

-- next-anniversary: First and last day of the month in which each tariff starts
SELECT DISTINCT valid_from, date_trunc('month', valid_from)::date AS first_day, (date_trunc('month', valid_from) + interval '1 month - 1 day')::date AS last_day, valid_from + 365 AS plus_365, (valid_from + interval '1 year')::date AS plus_year FROM tariffs ORDER BY 1;
