-- dock-schedule: Half-hour dock slots of one day with the shipments due in each
SELECT TO_CHAR(slot, 'HH24:MI') AS slot, COUNT(s.shipment_id) AS due, COALESCE(STRING_AGG(s.shipment_id::text, ',' ORDER BY s.shipment_id), '-') AS shipments
FROM generate_series(TIMESTAMP '2024-01-10 06:00', TIMESTAMP '2024-01-10 20:30', INTERVAL '30 minutes') AS slot
LEFT JOIN shipments s ON s.pickup_slot >= slot::time AND s.pickup_slot < slot::time + INTERVAL '30 minutes' AND s.status = 'in_transit'
GROUP BY slot ORDER BY slot;

-- due-date-shift: Promised days moved to Monday where they fall on a weekend
SELECT shipment_id, promised_on, promised_on + CASE EXTRACT(ISODOW FROM promised_on)::int WHEN 6 THEN 2 WHEN 7 THEN 1 ELSE 0 END AS working_day
FROM shipments WHERE EXTRACT(ISODOW FROM promised_on) >= 6 ORDER BY shipment_id LIMIT 20;

-- thirty-sixty-ninety: Shipments booked in the thirty, sixty and ninety days before the last booking
SELECT COUNT(*) FILTER (WHERE age <= 30) AS d30, COUNT(*) FILTER (WHERE age > 30 AND age <= 60) AS d60, COUNT(*) FILTER (WHERE age > 60 AND age <= 90) AS d90, COUNT(*) FILTER (WHERE age > 90) AS older
FROM (SELECT (SELECT MAX(booked_at)::date FROM shipments) - booked_at::date AS age FROM shipments) a;

-- truck-loads: Shipments packed into loads of a thousand kilograms in the order of booking
WITH w AS (
  SELECT s.shipment_id, s.booked_at, SUM(l.quantity * i.weight_kg) AS kg
  FROM shipments s JOIN shipment_lines l ON l.shipment_id = s.shipment_id JOIN items i ON i.sku = l.sku WHERE s.origin = 'HAM1' GROUP BY s.shipment_id, s.booked_at
)
SELECT CEIL(SUM(kg) OVER (ORDER BY booked_at, shipment_id) / 1000)::int AS load, shipment_id, kg FROM w ORDER BY booked_at, shipment_id;

-- pick-list: A pick list with cumulative quantity per bin until the demand is met
WITH demand AS (SELECT sku, SUM(quantity) AS need FROM shipment_lines JOIN shipments USING (shipment_id) WHERE status = 'booked' GROUP BY sku),
supply AS (
  SELECT s.sku, s.warehouse_code, s.bin, s.on_hand - s.reserved AS free, SUM(s.on_hand - s.reserved) OVER (PARTITION BY s.sku ORDER BY s.on_hand - s.reserved DESC, s.warehouse_code) AS cumulated FROM stock s WHERE s.on_hand > s.reserved
)
SELECT d.sku, p.warehouse_code, p.bin, LEAST(p.free, d.need - (p.cumulated - p.free)) AS pick FROM demand d JOIN supply p ON p.sku = d.sku AND p.cumulated - p.free < d.need ORDER BY d.sku, p.cumulated, p.warehouse_code;

-- shortages: Demand that the free stock does not cover
SELECT d.sku, d.need, COALESCE(f.free, 0) AS free, d.need - COALESCE(f.free, 0) AS short FROM (SELECT sku, SUM(quantity) AS need FROM shipment_lines GROUP BY sku) d LEFT JOIN (SELECT sku, SUM(on_hand - reserved) AS free FROM stock GROUP BY sku) f USING (sku) WHERE d.need > COALESCE(f.free, 0) ORDER BY short DESC, d.sku;

-- safety-stock: Mean and deviation of the weekly outflow, and a safety stock at 95 percent
SELECT sku, COUNT(*) AS weeks, ROUND(AVG(q), 3) AS mean, ROUND(COALESCE(STDDEV(q), 0), 3) AS sd, CEIL(1.645 * COALESCE(STDDEV(q), 0)) AS safety
FROM (SELECT sku, date_trunc('week', moved_at) AS week, -SUM(quantity) AS q FROM stock_moves WHERE kind = 'out' GROUP BY 1, 2) w GROUP BY sku HAVING COUNT(*) >= 4 ORDER BY safety DESC, sku LIMIT 15;

-- cheapest-per-lane: For each lane the carrier with the lowest cost per kilometre
SELECT lane, carrier, per_km FROM (
  SELECT s.origin || '-' || s.destination AS lane, c.name AS carrier, ROUND((SUM(s.freight_cost) / NULLIF(SUM(s.distance_km)::numeric, 0)), 3) AS per_km,
         ROW_NUMBER() OVER (PARTITION BY s.origin, s.destination ORDER BY SUM(s.freight_cost) / NULLIF(SUM(s.distance_km)::numeric, 0) NULLS LAST, c.name) AS rn
  FROM shipments s JOIN carriers c USING (carrier_id) WHERE s.freight_cost IS NOT NULL AND s.distance_km IS NOT NULL GROUP BY s.origin, s.destination, c.name) x
WHERE rn = 1 ORDER BY lane LIMIT 20;

-- speed: Average speed in km/h as a double
SELECT shipment_id, distance_km / (EXTRACT(EPOCH FROM delivered_at - picked_up_at)::double precision / 3600) AS kmh FROM shipments WHERE delivered_at IS NOT NULL AND distance_km IS NOT NULL ORDER BY kmh DESC, shipment_id LIMIT 12;

-- status-history: Time spent in each phase, as a stacked view
SELECT phase, COUNT(*) AS n, AVG(hours)::numeric(10, 2) AS avg_hours, MAX(hours)::numeric(10, 2) AS max_hours FROM (
  SELECT 'waiting' AS phase, EXTRACT(EPOCH FROM picked_up_at - booked_at) / 3600 AS hours FROM shipments WHERE picked_up_at IS NOT NULL
  UNION ALL SELECT 'moving', EXTRACT(EPOCH FROM COALESCE(delivered_at, TIMESTAMP '2024-05-01') - picked_up_at) / 3600 FROM shipments WHERE picked_up_at IS NOT NULL
) p GROUP BY phase ORDER BY phase;

-- booked-in-hours: Bookings within and outside the origin's opening hours
SELECT w.code, COUNT(*) FILTER (WHERE s.booked_at::time BETWEEN w.opens AND w.closes) AS inside, COUNT(*) FILTER (WHERE s.booked_at::time NOT BETWEEN w.opens AND w.closes) AS outside, COUNT(*) FILTER (WHERE w.opens IS NULL) AS unknown FROM shipments s JOIN warehouses w ON w.code = s.origin GROUP BY w.code ORDER BY w.code;

-- promise-by-carrier: The strictest and the laxest promise of each carrier
SELECT COALESCE(c.name, '(none)') AS carrier, MIN(s.promised_on - s.booked_at::date) AS strictest, MAX(s.promised_on - s.booked_at::date) AS laxest, MODE() WITHIN GROUP (ORDER BY s.promised_on - s.booked_at::date) AS usual FROM shipments s LEFT JOIN carriers c USING (carrier_id) WHERE s.promised_on IS NOT NULL GROUP BY c.name ORDER BY carrier;

-- consecutive-late: Carriers with two late deliveries one after the other
SELECT DISTINCT carrier_id FROM (
  SELECT carrier_id, delivered_at::date > promised_on AS late, LAG(delivered_at::date > promised_on) OVER (PARTITION BY carrier_id ORDER BY delivered_at, shipment_id) AS late_before FROM shipments WHERE delivered_at IS NOT NULL AND carrier_id IS NOT NULL
) t WHERE late AND late_before ORDER BY carrier_id;

-- symmetrical: Rows that BETWEEN SYMMETRIC finds with its bounds turned round
SELECT COUNT(*) AS n FROM shipments WHERE freight_cost BETWEEN SYMMETRIC 5000 AND 1000;

-- like-any: Codes that match one of several patterns
SELECT sku, bin, warehouse_code FROM stock WHERE bin LIKE ANY (ARRAY['A-1-%', 'B-12-%']) AND warehouse_code <> ALL (ARRAY['BER1', 'ROT1']) ORDER BY sku, bin, warehouse_code LIMIT 20;

-- nullif-zero-chain: Several guards at once
SELECT warehouse_code, COALESCE(NULLIF(SUM(on_hand), 0) / NULLIF(SUM(reserved), 0), 0) AS ratio, NULLIF(MAX(reorder_point), MIN(reorder_point)) AS spread FROM stock GROUP BY warehouse_code ORDER BY 1;
