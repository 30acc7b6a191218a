-- shipments-per-status: How many shipments are in each status?
SELECT status, COUNT(*) AS shipments FROM shipments GROUP BY status ORDER BY shipments DESC, status;

-- monthly-cost: Freight cost booked per month
SELECT date_trunc('month', booked_at) AS month, SUM(freight_cost) AS cost, AVG(freight_cost)::numeric(12,2) AS avg_cost
FROM shipments
WHERE status <> 'cancelled'
GROUP BY 1
ORDER BY 1;

-- newest-ten: The ten newest bookings
select shipment_id, origin, destination, booked_at from shipments order by booked_at desc, shipment_id desc limit 10;

-- late-deliveries: Deliveries after the promised day, with the days of delay
SELECT shipment_id, promised_on, delivered_at::date AS delivered_on, delivered_at::date - promised_on AS days_late
FROM shipments
WHERE delivered_at::date > promised_on
ORDER BY days_late DESC, shipment_id
LIMIT 25;

-- on-time-rate: On-time percentage per carrier, carriers without deliveries included
SELECT
  c.name,
  COUNT(s.delivered_at) AS delivered,
  COUNT(*) FILTER (WHERE s.delivered_at::date <= s.promised_on) AS on_time,
  ROUND(100.0 * COUNT(*) FILTER (WHERE s.delivered_at::date <= s.promised_on) / NULLIF(COUNT(s.delivered_at), 0), 2) AS on_time_pct
FROM carriers c
LEFT JOIN shipments s ON s.carrier_id = c.carrier_id
GROUP BY c.carrier_id, c.name
ORDER BY on_time_pct DESC NULLS LAST, c.name;

-- transit-hours: Average hours from pick-up to delivery per lane
SELECT origin || ' → ' || destination AS lane,
       COUNT(*) AS trips,
       ROUND(AVG(EXTRACT(EPOCH FROM (delivered_at - picked_up_at)) / 3600)::numeric, 2) AS avg_hours
FROM shipments
WHERE delivered_at IS NOT NULL
GROUP BY origin, destination
HAVING COUNT(*) >= 2
ORDER BY avg_hours DESC, lane;

-- cost-per-km: Cost per kilometre, guarding against zero and NULL
SELECT shipment_id,
       freight_cost,
       distance_km,
       ROUND((freight_cost / NULLIF(distance_km, 0)::numeric), 4) AS cost_per_km
FROM shipments
WHERE freight_cost IS NOT NULL
ORDER BY shipment_id
LIMIT 40;

-- running-cost: Cumulative freight cost by day
WITH daily AS (
  SELECT booked_at::date AS day, COALESCE(SUM(freight_cost), 0) AS cost
  FROM shipments
  GROUP BY booked_at::date
)
SELECT day, cost, SUM(cost) OVER (ORDER BY day) AS running_cost
FROM daily
ORDER BY day;

-- month-over-month: Change of the number of bookings against the month before
WITH monthly AS (
    SELECT
        TO_CHAR(booked_at, 'YYYY-MM') AS month,
        COUNT(*) AS bookings
    FROM shipments
    GROUP BY TO_CHAR(booked_at, 'YYYY-MM')
)
SELECT
    month,
    bookings,
    LAG(bookings) OVER (ORDER BY month) AS previous,
    bookings - LAG(bookings) OVER (ORDER BY month) AS change,
    ROUND(100.0 * (bookings - LAG(bookings) OVER (ORDER BY month)) / NULLIF(LAG(bookings) OVER (ORDER BY month), 0), 1) AS change_pct
FROM monthly
ORDER BY month;

-- weekday-profile: Bookings by day of the week, Monday first
SELECT EXTRACT(ISODOW FROM booked_at)::int AS dow, TO_CHAR(booked_at, 'Dy') AS weekday, COUNT(*) AS n
FROM shipments
GROUP BY 1, 2
ORDER BY 1;

-- hour-of-day: At what hour are shipments booked?
SELECT date_part('hour', booked_at) AS hour, count(*) AS n
FROM shipments
GROUP BY date_part('hour', booked_at)
ORDER BY hour;

-- both-directions: Lanes with traffic in both directions
SELECT a.origin, a.destination, a.n AS there, b.n AS back
FROM (SELECT origin, destination, COUNT(*) n FROM shipments GROUP BY origin, destination) a
JOIN (SELECT origin, destination, COUNT(*) n FROM shipments GROUP BY origin, destination) b
  ON a.origin = b.destination AND a.destination = b.origin
WHERE a.origin < a.destination
ORDER BY a.origin, a.destination;

-- heaviest-shipments: Shipments by total weight of their lines
SELECT s.shipment_id, s.origin, s.destination, SUM(l.quantity * i.weight_kg) AS total_kg
FROM shipments AS s
INNER JOIN shipment_lines AS l ON l.shipment_id = s.shipment_id
INNER JOIN items AS i ON i.sku = l.sku
GROUP BY s.shipment_id
HAVING SUM(l.quantity * i.weight_kg) > 500
ORDER BY total_kg DESC, s.shipment_id
LIMIT 15;

-- without-lines: Shipments that have no line
SELECT s.shipment_id, s.status
FROM shipments s
WHERE NOT EXISTS (SELECT 1 FROM shipment_lines l WHERE l.shipment_id = s.shipment_id)
ORDER BY s.shipment_id;

-- delivery-buckets: Deliveries by delay class
SELECT
    CASE
        WHEN delivered_at IS NULL THEN 'not delivered'
        WHEN promised_on IS NULL THEN 'no promise'
        WHEN delivered_at < promised_on + INTERVAL '1 day' THEN 'in time'
        WHEN delivered_at < promised_on + INTERVAL '4 days' THEN '1-3 days late'
        ELSE 'later'
    END AS bucket,
    COUNT(*) AS shipments,
    MIN(booked_at) AS first_booking,
    MAX(freight_cost) AS max_cost
FROM shipments
GROUP BY 1
ORDER BY 2 DESC, 1;

-- open-age: How old were undelivered shipments on the first of April 2024, in whole days?
SELECT shipment_id, status, DATE '2024-04-01' - booked_at::date AS age_days
FROM shipments
WHERE delivered_at IS NULL AND status NOT IN ('cancelled', 'lost')
ORDER BY age_days DESC, shipment_id;

-- note-search: Shipments whose note says fragile, in any case
SELECT shipment_id, notes FROM shipments WHERE notes ILIKE '%fragile%' ORDER BY 1;

-- note-reference: Purchase orders named in notes
SELECT shipment_id, notes, substring(notes from 'PO-[0-9]+') AS first_po
FROM shipments
WHERE notes ~ 'PO-\d+'
ORDER BY shipment_id;

-- note-wildcards: Notes that contain a percent sign or an underscore
SELECT DISTINCT notes FROM shipments WHERE notes LIKE '%\%%' OR notes LIKE '%\_%' ORDER BY notes;

-- null-notes: Empty notes and missing notes are not the same
SELECT COUNT(*) AS all_rows, COUNT(notes) AS with_note, COUNT(NULLIF(notes, '')) AS with_text, COUNT(*) - COUNT(notes) AS missing
FROM shipments;

-- first-last-per-origin: First and last booking of each origin
SELECT DISTINCT ON (origin) origin, shipment_id, booked_at
FROM shipments
ORDER BY origin, booked_at, shipment_id;

-- top-two-per-destination: The two dearest shipments to each destination
SELECT destination, shipment_id, freight_cost
FROM (
  SELECT destination, shipment_id, freight_cost,
         ROW_NUMBER() OVER (PARTITION BY destination ORDER BY freight_cost DESC, shipment_id) AS rn
  FROM shipments
  WHERE freight_cost IS NOT NULL
) ranked
WHERE rn <= 2
ORDER BY destination, rn;

-- gap-between-bookings: The longest pauses between bookings
SELECT shipment_id, booked_at, booked_at - LAG(booked_at) OVER (ORDER BY booked_at, shipment_id) AS pause
FROM shipments
ORDER BY pause DESC, shipment_id
LIMIT 10;

-- calendar-days: Bookings per day in January 2024, days without any included
SELECT d::date AS day, COUNT(s.shipment_id) AS bookings
FROM generate_series('2024-01-01'::date, '2024-01-31'::date, '1 day'::interval) AS d
LEFT JOIN shipments s ON s.booked_at >= d AND s.booked_at < d + interval '1 day'
GROUP BY d
ORDER BY d;

-- seven-day-average: Moving average of daily cost over seven days
WITH days AS (
  SELECT g::date AS day FROM generate_series(timestamp '2024-01-01', timestamp '2024-02-29', interval '1 day') g
), cost AS (
  SELECT booked_at::date AS day, SUM(freight_cost) AS cost FROM shipments GROUP BY 1
)
SELECT days.day,
       COALESCE(cost.cost, 0) AS cost,
       ROUND(AVG(COALESCE(cost.cost, 0)) OVER (ORDER BY days.day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW), 2) AS avg_7d
FROM days LEFT JOIN cost USING (day)
ORDER BY 1;

-- status-pivot: A matrix of origin and status
SELECT origin,
       SUM(CASE WHEN status = 'delivered' THEN 1 ELSE 0 END) AS delivered,
       SUM(CASE WHEN status = 'in_transit' THEN 1 ELSE 0 END) AS in_transit,
       SUM(CASE WHEN status = 'booked' THEN 1 ELSE 0 END) AS booked,
       SUM(CASE WHEN status IN ('lost', 'cancelled') THEN 1 ELSE 0 END) AS failed,
       COUNT(*) AS total
FROM shipments
GROUP BY origin
ORDER BY total DESC, origin;

-- rollup-status: Cost by origin and status with subtotals
SELECT COALESCE(origin, 'ALL') AS origin, COALESCE(status, 'ALL') AS status, SUM(freight_cost) AS cost, GROUPING(origin, status) AS level
FROM shipments
GROUP BY ROLLUP (origin, status)
ORDER BY GROUPING(origin), origin, GROUPING(status), status;

-- grouping-sets: Counts by carrier, by status, and over all
SELECT carrier_id, status, COUNT(*) AS n
FROM shipments
GROUP BY GROUPING SETS ((carrier_id), (status), ())
ORDER BY GROUPING(carrier_id), GROUPING(status), carrier_id NULLS FIRST, status;

-- cost-quartiles: Quartiles of the freight cost per status
SELECT status,
       PERCENTILE_CONT(0.25) WITHIN GROUP (ORDER BY freight_cost) AS p25,
       PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY freight_cost) AS median,
       PERCENTILE_CONT(0.75) WITHIN GROUP (ORDER BY freight_cost) AS p75,
       PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY freight_cost) AS p90
FROM shipments
GROUP BY status
ORDER BY status;

-- ntile-cost: Cost bands in five equal groups
SELECT band, COUNT(*) AS n, MIN(freight_cost) AS low, MAX(freight_cost) AS high
FROM (SELECT freight_cost, NTILE(5) OVER (ORDER BY freight_cost, shipment_id) AS band FROM shipments WHERE freight_cost IS NOT NULL) t
GROUP BY band
ORDER BY band;

-- above-own-average: Shipments dearer than the average of their carrier
SELECT s.shipment_id, s.carrier_id, s.freight_cost
FROM shipments s
WHERE s.freight_cost > (SELECT AVG(x.freight_cost) FROM shipments x WHERE x.carrier_id = s.carrier_id) * 1.5
ORDER BY s.shipment_id;

-- share-of-total: Each carrier's share of all freight cost
SELECT carrier_id,
       SUM(freight_cost) AS cost,
       ROUND(SUM(freight_cost) * 100.0 / SUM(SUM(freight_cost)) OVER (), 2) AS pct
FROM shipments
GROUP BY carrier_id
ORDER BY cost DESC NULLS LAST;

-- island-status: Runs of the same status in the order of booking
WITH marked AS (
  SELECT shipment_id, booked_at, status,
         ROW_NUMBER() OVER (ORDER BY booked_at, shipment_id) - ROW_NUMBER() OVER (PARTITION BY status ORDER BY booked_at, shipment_id) AS island
  FROM shipments
)
SELECT status, COUNT(*) AS length, MIN(booked_at) AS from_ts, MAX(booked_at) AS to_ts
FROM marked
GROUP BY status, island
HAVING COUNT(*) >= 3
ORDER BY from_ts;

-- lead-next: Time until the next booking from the same warehouse
SELECT origin, shipment_id, booked_at,
       LEAD(booked_at) OVER w AS next_booking,
       EXTRACT(EPOCH FROM LEAD(booked_at) OVER w - booked_at) / 86400 AS days_until_next
FROM shipments
WINDOW w AS (PARTITION BY origin ORDER BY booked_at, shipment_id)
ORDER BY origin, booked_at, shipment_id
LIMIT 50;

-- in-window: Bookings within 30 days before the newest one
SELECT COUNT(*) AS recent
FROM shipments
WHERE booked_at > (SELECT MAX(booked_at) FROM shipments) - INTERVAL '30 days';

-- distinct-lanes: How many different lanes, and carriers per lane?
SELECT COUNT(DISTINCT (origin, destination)) AS lanes, COUNT(DISTINCT carrier_id) AS carriers FROM shipments;

-- carriers-per-lane: Which carriers drove each lane, as a list
SELECT origin, destination, STRING_AGG(DISTINCT c.name, ', ' ORDER BY c.name) AS carriers
FROM shipments s JOIN carriers c USING (carrier_id)
GROUP BY origin, destination
ORDER BY origin, destination;

-- average-promise: Promised days between booking and delivery, per month
SELECT to_char(booked_at, 'Mon YYYY') AS month, min(date_trunc('month', booked_at)) AS sort_key, avg(promised_on - booked_at::date) AS promised_days
FROM shipments
GROUP BY 1
ORDER BY 2;

-- iso-weeks: Deliveries per ISO week
SELECT EXTRACT(ISOYEAR FROM delivered_at) AS iso_year, EXTRACT(WEEK FROM delivered_at) AS iso_week, COUNT(*) AS deliveries
FROM shipments
WHERE delivered_at IS NOT NULL
GROUP BY 1, 2
ORDER BY 1, 2;

-- week-start: Cost per week, the week named by its Monday
SELECT DATE_TRUNC('week', booked_at)::DATE AS week_start, SUM(COALESCE(freight_cost, 0)) AS cost
FROM shipments
GROUP BY DATE_TRUNC('week', booked_at)
ORDER BY week_start DESC;

-- quarters: Shipments and cost by quarter
SELECT 'Q' || EXTRACT(QUARTER FROM booked_at) || ' ' || EXTRACT(YEAR FROM booked_at) AS quarter, COUNT(*) AS shipments, SUM(freight_cost) AS cost
FROM shipments
GROUP BY EXTRACT(YEAR FROM booked_at), EXTRACT(QUARTER FROM booked_at)
ORDER BY EXTRACT(YEAR FROM booked_at), EXTRACT(QUARTER FROM booked_at);

-- leap-day: What happened on the 29th of February 2024?
SELECT shipment_id, 'booked' AS what, booked_at AS at FROM shipments WHERE booked_at::date = '2024-02-29'
UNION ALL
SELECT shipment_id, 'picked up', picked_up_at FROM shipments WHERE picked_up_at::date = '2024-02-29'
UNION ALL
SELECT shipment_id, 'delivered', delivered_at FROM shipments WHERE delivered_at::date = '2024-02-29'
ORDER BY at, shipment_id;

-- timeline: All events of the three first shipments as rows
SELECT s.shipment_id, e.event, e.at
FROM shipments s
CROSS JOIN LATERAL (VALUES ('booked', s.booked_at), ('picked_up', s.picked_up_at), ('delivered', s.delivered_at)) AS e(event, at)
WHERE s.shipment_id < 100010 AND e.at IS NOT NULL
ORDER BY s.shipment_id, e.at;

-- self-lost: Shipments lost on lanes where another one was delivered within a week
SELECT l.shipment_id AS lost, MIN(d.shipment_id) AS delivered
FROM shipments l
JOIN shipments d ON d.origin = l.origin AND d.destination = l.destination AND d.status = 'delivered'
 AND d.booked_at BETWEEN l.booked_at - INTERVAL '7 days' AND l.booked_at + INTERVAL '7 days'
WHERE l.status = 'lost'
GROUP BY l.shipment_id
ORDER BY 1;

-- damage-rate: Damaged pieces per thousand by carrier
SELECT c.name AS carrier, SUM(l.damaged) AS damaged, SUM(l.quantity) AS pieces,
       ROUND(1000.0 * SUM(l.damaged) / SUM(l.quantity), 3) AS per_mille
FROM shipment_lines l
JOIN shipments s USING (shipment_id)
LEFT JOIN carriers c ON c.carrier_id = s.carrier_id
GROUP BY c.name
ORDER BY per_mille DESC, carrier NULLS LAST;

-- funnel: How far do shipments get, as a funnel with rates
WITH steps AS (
  SELECT 1 AS step, 'booked' AS name, COUNT(booked_at) AS n FROM shipments
  UNION ALL SELECT 2, 'picked up', COUNT(picked_up_at) FROM shipments
  UNION ALL SELECT 3, 'delivered', COUNT(delivered_at) FROM shipments
  UNION ALL SELECT 4, 'in time', COUNT(*) FROM shipments WHERE delivered_at::date <= promised_on
)
SELECT step, name, n,
       ROUND(n * 100.0 / FIRST_VALUE(n) OVER (ORDER BY step), 1) AS pct_of_first,
       ROUND(n * 100.0 / LAG(n) OVER (ORDER BY step), 1) AS pct_of_previous
FROM steps
ORDER BY step;
