-- from-and-to: Shipments with the cities that they leave and reach, one table in two roles
SELECT s.shipment_id, f.city AS from_city, t.city AS to_city
FROM shipments s
JOIN warehouses f ON f.code = s.origin
JOIN warehouses t ON t.code = s.destination
ORDER BY s.shipment_id
LIMIT 50;

-- within-one-city: Shipments whose warehouses stand in one city
SELECT COUNT(*) AS n
FROM shipments s, warehouses f, warehouses t
WHERE s.origin = f.code AND s.destination = t.code AND f.city = t.city AND f.code <> t.code;

-- missing-role: Shipments of which one warehouse is unknown
SELECT CASE WHEN f.code IS NULL THEN 'origin' ELSE 'destination' END AS missing, COUNT(*) AS n
FROM shipments s
LEFT JOIN warehouses f ON f.code = s.origin
LEFT JOIN warehouses t ON t.code = s.destination
WHERE f.code IS NULL OR t.code IS NULL
GROUP BY CASE WHEN f.code IS NULL THEN 'origin' ELSE 'destination' END
ORDER BY missing;

-- both-directions: Each pair of warehouses once, whichever way
SELECT LEAST(origin, destination) AS one, GREATEST(origin, destination) AS other, COUNT(*) AS n, AVG(freight_cost) AS cost
FROM shipments
WHERE origin IS NOT NULL AND destination IS NOT NULL
GROUP BY LEAST(origin, destination), GREATEST(origin, destination)
ORDER BY n DESC, one, other;

-- in-and-out: Shipments that leave and that reach each warehouse
SELECT w.code,
       (SELECT COUNT(*) FROM shipments s WHERE s.origin = w.code) AS leaving,
       (SELECT COUNT(*) FROM shipments s WHERE s.destination = w.code) AS arriving
FROM warehouses w
ORDER BY w.code;

-- there-and-back: Shipments followed by one in the other direction within ten days
SELECT a.shipment_id, b.shipment_id AS back
FROM shipments a
JOIN shipments b ON b.origin = a.destination AND b.destination = a.origin
WHERE b.booked_at > a.booked_at AND b.booked_at < a.booked_at + INTERVAL '10 days'
ORDER BY a.shipment_id, back;

-- cost-of-a-delivery: The ratio of a sum and a count by carrier, not the mean of ratios
SELECT c.name, SUM(s.freight_cost) / NULLIF(COUNT(s.delivered_at), 0) AS cost_per_delivery
FROM shipments s JOIN carriers c ON c.carrier_id = s.carrier_id
WHERE s.status <> 'cancelled'
GROUP BY c.name
ORDER BY c.name;

-- damaged-share: The share of damaged pieces by category, zero where nothing was shipped
SELECT i.category, COALESCE(1.0 * SUM(l.damaged) / NULLIF(SUM(l.quantity), 0), 0) AS damaged
FROM items i LEFT JOIN shipment_lines l ON l.sku = i.sku
GROUP BY i.category
ORDER BY i.category;
