-- opening-hours: Opening hours of every warehouse as text
SELECT code, TO_CHAR(opens, 'HH24:MI') || '–' || TO_CHAR(closes, 'HH24:MI') AS hours FROM warehouses ORDER BY code;

-- hours-open: How many hours a day is each warehouse open?
SELECT code, closes - opens AS open_for, ROUND(EXTRACT(EPOCH FROM (closes - opens)) / 3600.0, 2) AS hours
FROM warehouses
WHERE opens IS NOT NULL
ORDER BY hours DESC, code;

-- open-at-seven: Warehouses open at seven in the morning
SELECT code FROM warehouses WHERE TIME '07:00' BETWEEN opens AND closes ORDER BY code;

-- early-slots: Pick-up slots before the origin opens
SELECT s.shipment_id, s.pickup_slot, w.opens
FROM shipments s JOIN warehouses w ON w.code = s.origin
WHERE s.pickup_slot < w.opens
ORDER BY s.shipment_id;

-- slots-by-hour: Pick-ups by hour of the slot
SELECT EXTRACT(HOUR FROM pickup_slot) AS hour, COUNT(*) AS pickups
FROM shipments
WHERE pickup_slot IS NOT NULL
GROUP BY 1 ORDER BY 1;

-- slot-plus-half-hour: Slots and the end of their window
SELECT DISTINCT pickup_slot, pickup_slot + INTERVAL '30 minutes' AS until FROM shipments WHERE pickup_slot >= '19:00' ORDER BY 1;

-- part-of-day: Pick-ups by part of the day
SELECT CASE WHEN pickup_slot < '12:00' THEN 'morning' WHEN pickup_slot < '17:00:00'::time THEN 'afternoon' WHEN pickup_slot IS NULL THEN 'unknown' ELSE 'evening' END AS part,
       COUNT(*) AS n, MIN(pickup_slot) AS earliest, MAX(pickup_slot) AS latest
FROM shipments GROUP BY 1 ORDER BY n DESC, part;

-- distances: Distance between all pairs of warehouses in km (haversine)
SELECT a.code AS a, b.code AS b,
       ROUND((6371 * 2 * ASIN(SQRT(POWER(SIN(RADIANS(b.latitude - a.latitude) / 2), 2) + COS(RADIANS(a.latitude)) * COS(RADIANS(b.latitude)) * POWER(SIN(RADIANS(b.longitude - a.longitude) / 2), 2))))::numeric, 1) AS km
FROM warehouses a
JOIN warehouses b ON a.code < b.code
ORDER BY km, a, b;

-- nearest-neighbour: The nearest other warehouse of each
SELECT w.code, n.code AS nearest, ROUND(n.d2::numeric, 4) AS squared_degrees
FROM warehouses w
CROSS JOIN LATERAL (
  SELECT o.code, POWER(o.latitude - w.latitude, 2) + POWER(o.longitude - w.longitude, 2) AS d2
  FROM warehouses o WHERE o.code <> w.code
  ORDER BY d2 LIMIT 1
) n
ORDER BY w.code;

-- capacity-rank: Rank by capacity, unknown ones last
SELECT code, capacity_m3, RANK() OVER (ORDER BY capacity_m3 DESC NULLS LAST) AS rnk FROM warehouses ORDER BY rnk, code;

-- capacity-share: Share of the capacity of all active warehouses
SELECT code, ROUND(100 * capacity_m3 / SUM(capacity_m3) OVER (), 1) AS pct
FROM warehouses WHERE active AND capacity_m3 > 0 ORDER BY pct DESC;

-- never-origin: Warehouses from which nothing was ever lost
SELECT code FROM warehouses WHERE code NOT IN (SELECT origin FROM shipments WHERE status = 'lost' AND carrier_id = 2) ORDER BY code;

-- balance: Outgoing against incoming shipments
SELECT w.code, COALESCE(o.n, 0) AS outgoing, COALESCE(i.n, 0) AS incoming, COALESCE(o.n, 0) - COALESCE(i.n, 0) AS balance
FROM warehouses w
LEFT JOIN (SELECT origin, COUNT(*) AS n FROM shipments GROUP BY origin) o ON o.origin = w.code
LEFT JOIN (SELECT destination, COUNT(*) AS n FROM shipments GROUP BY destination) i ON i.destination = w.code
ORDER BY balance DESC, w.code;

-- volume-in-stock: Cubic metres of goods in each warehouse
SELECT w.code, w.capacity_m3,
       ROUND(SUM(st.on_hand * i.length_cm * i.width_cm * i.height_cm / 1000000.0), 3) AS used_m3,
       ROUND(SUM(st.on_hand * i.length_cm * i.width_cm * i.height_cm / 1000000.0) / NULLIF(w.capacity_m3, 0) * 100, 4) AS used_pct
FROM warehouses w
LEFT JOIN stock st ON st.warehouse_code = w.code
LEFT JOIN items i ON i.sku = st.sku
GROUP BY w.code
ORDER BY used_pct DESC NULLS LAST, w.code;

-- initials: First letter and length of the city name
SELECT city, LEFT(city, 1) AS initial, LENGTH(city) AS characters, UPPER(city) AS loud, REVERSE(city) AS backwards FROM warehouses ORDER BY code;

-- code-parts: Region letters and number of each code
SELECT code, SUBSTRING(code FROM 1 FOR 3) AS letters, RIGHT(code, 1)::int AS number, code SIMILAR TO '[A-Z]{3}[0-9]' AS well_formed FROM warehouses ORDER BY code;

-- boolean-text: Active or not, as words
SELECT code, CASE active WHEN true THEN 'yes' ELSE 'no' END AS open, active::text AS raw, active::int AS bit FROM warehouses ORDER BY 1;

-- reachable: Where can goods travel from Berlin in at most three delivered hops?
WITH RECURSIVE lanes AS (
  SELECT DISTINCT origin, destination FROM shipments WHERE status = 'delivered' AND carrier_id = 1
), reach AS (
  SELECT 'BER1'::text AS code, 0 AS hops
  UNION
  SELECT l.destination, r.hops + 1 FROM reach r JOIN lanes l ON l.origin = r.code WHERE r.hops < 3
)
SELECT code, MIN(hops) AS hops FROM reach GROUP BY code ORDER BY hops, code;

-- route-paths: Paths of two hops from Hamburg without turning back
WITH RECURSIVE path AS (
  SELECT origin, destination, origin || '>' || destination AS route, 1 AS legs
  FROM (SELECT DISTINCT origin, destination FROM shipments WHERE status = 'lost') l
  WHERE origin = 'HAM1'
  UNION ALL
  SELECT p.origin, l.destination, p.route || '>' || l.destination, p.legs + 1
  FROM path p
  JOIN (SELECT DISTINCT origin, destination FROM shipments WHERE status = 'lost') l ON l.origin = p.destination
  WHERE p.legs < 3 AND POSITION(l.destination IN p.route) = 0
)
SELECT route, legs FROM path ORDER BY route;

-- hemisphere: Warehouses by hemisphere
SELECT CASE SIGN(latitude) WHEN 1 THEN 'north' WHEN -1 THEN 'south' ELSE 'equator' END AS ns,
       CASE WHEN longitude >= 0 THEN 'east' ELSE 'west' END AS ew,
       COUNT(*), ARRAY_AGG(code ORDER BY code) AS codes
FROM warehouses GROUP BY 1, 2 ORDER BY 1, 2;

-- rounding-coordinates: Coordinates rounded, floored and cut
SELECT code, ROUND(latitude::numeric, 1) AS r1, FLOOR(longitude) AS fl, CEIL(longitude) AS ce, TRUNC(longitude) AS tr, ROUND(longitude::numeric, -1) AS tens FROM warehouses ORDER BY code;

-- open-slots-per-day: Half-hour slots that each warehouse offers in a day
SELECT w.code, COUNT(*) AS slots, MIN(t::time) AS first_slot, MAX(t::time) AS last_slot
FROM warehouses w
CROSS JOIN generate_series(TIMESTAMP '2024-01-01 00:00', TIMESTAMP '2024-01-01 23:30', INTERVAL '30 minutes') AS t
WHERE t::time >= w.opens AND t::time < w.closes
GROUP BY w.code
ORDER BY slots DESC, w.code;
