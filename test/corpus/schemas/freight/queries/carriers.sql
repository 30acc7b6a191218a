-- modes: Carriers per mode, with the best rating
SELECT mode, COUNT(*) AS carriers, MAX(rating) AS best FROM carriers GROUP BY mode ORDER BY mode;

-- email-domains: Domains of the mail addresses
SELECT LOWER(SPLIT_PART(email, '@', 2)) AS domain, COUNT(*) FROM carriers WHERE email LIKE '%@%' GROUP BY 1 ORDER BY 1;

-- clean-phones: Digits of the phone numbers
SELECT name, phone, REGEXP_REPLACE(phone, '[^0-9+]', '', 'g') AS digits, LENGTH(REGEXP_REPLACE(phone, '\D', '', 'g')) AS n FROM carriers ORDER BY carrier_id;

-- empty-as-null: Contacts, empty texts taken as missing
SELECT name, COALESCE(NULLIF(email, ''), 'no mail') AS email, COALESCE(NULLIF(TRIM(phone), ''), 'no phone') AS phone FROM carriers ORDER BY name;

-- rating-order: Carriers by rating, unknown ratings last
SELECT name, rating FROM carriers ORDER BY rating DESC NULLS LAST, name;

-- rating-arithmetic: Ratings on a scale of a hundred
SELECT name, rating * 20 AS score, ROUND((rating / 5)::numeric, 3) AS fraction FROM carriers WHERE rating IS NOT NULL ORDER BY carrier_id;

-- idle: Carriers without a shipment
SELECT c.carrier_id, c.name FROM carriers c LEFT JOIN shipments s ON c.carrier_id = s.carrier_id WHERE s.shipment_id IS NULL ORDER BY 1;

-- scorecard: A scorecard with several measures in one row per carrier
WITH delivered AS (
  SELECT carrier_id, COUNT(*) AS deliveries, AVG(delivered_at - picked_up_at) AS avg_transit
  FROM shipments WHERE status = 'delivered' GROUP BY carrier_id
), failures AS (
  SELECT carrier_id, COUNT(*) FILTER (WHERE status = 'lost') AS lost, COUNT(*) AS total FROM shipments GROUP BY carrier_id
)
SELECT c.name, COALESCE(d.deliveries, 0) AS deliveries,
       ROUND(EXTRACT(EPOCH FROM d.avg_transit)::numeric / 3600, 1) AS avg_hours,
       COALESCE(f.lost, 0) AS lost,
       CASE WHEN COALESCE(f.total, 0) = 0 THEN NULL ELSE ROUND(f.lost::numeric / f.total, 4) END AS loss_rate
FROM carriers c
LEFT JOIN delivered d ON d.carrier_id = c.carrier_id
LEFT JOIN failures f ON f.carrier_id = c.carrier_id
ORDER BY c.carrier_id;

-- names-like-regex: Carriers whose name has a character that is no letter, digit or blank
SELECT name FROM carriers WHERE name ~ '[^[:alnum:][:space:]]' ORDER BY carrier_id;

-- three-last: The last three shipments of each carrier
SELECT c.name, x.shipment_id, x.status
FROM carriers c
LEFT JOIN LATERAL (SELECT shipment_id, status FROM shipments s WHERE s.carrier_id = c.carrier_id ORDER BY booked_at DESC, shipment_id LIMIT 3) x ON TRUE
ORDER BY c.carrier_id, x.shipment_id;

-- first-share: Which carrier had the largest cost in each month?
SELECT month, name, cost FROM (
  SELECT date_trunc('month', s.booked_at)::date AS month, c.name, SUM(s.freight_cost) AS cost,
         ROW_NUMBER() OVER (PARTITION BY date_trunc('month', s.booked_at) ORDER BY SUM(s.freight_cost) DESC NULLS LAST, c.name) AS rn
  FROM shipments s JOIN carriers c ON c.carrier_id = s.carrier_id
  GROUP BY 1, 2, date_trunc('month', s.booked_at)
) t WHERE rn = 1 ORDER BY month;

-- null-carrier: Shipments without a carrier beside those with one, full join
SELECT COALESCE(c.name, 'unassigned') AS carrier, COUNT(s.shipment_id) AS n
FROM carriers c FULL JOIN shipments s ON s.carrier_id = c.carrier_id
GROUP BY c.name ORDER BY n DESC, carrier;

-- case-insensitive-mail: Carriers by mail without regard to case
SELECT name FROM carriers WHERE LOWER(email) = LOWER('aeolus@cargo.example');

-- mask-mail: Mail addresses masked for a report
SELECT carrier_id, CASE WHEN POSITION('@' IN email) > 1 THEN LEFT(email, 1) || REPEAT('*', POSITION('@' IN email) - 2) || SUBSTRING(email FROM POSITION('@' IN email)) END AS masked FROM carriers ORDER BY carrier_id;

-- cost-variance: Spread of the cost per carrier
SELECT carrier_id, COUNT(freight_cost) AS n, ROUND(STDDEV_SAMP(freight_cost), 2) AS sd, ROUND(STDDEV_POP(freight_cost) / NULLIF(AVG(freight_cost), 0), 4) AS cv FROM shipments GROUP BY carrier_id ORDER BY carrier_id NULLS LAST;
