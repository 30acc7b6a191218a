-- by-status: Offers by status with the average share of the price
SELECT o.status, COUNT(*) AS n, ROUND(AVG(o.amount / f.price) * 100, 2) AS pct_of_price FROM offer o JOIN (SELECT property_id, MAX(price) AS price FROM price_change GROUP BY property_id) f ON f.property_id = o.property_id GROUP BY o.status ORDER BY n DESC, o.status;

-- best-offer: The best offer of every property and the runner-up
SELECT property_id, MAX(amount) FILTER (WHERE rn = 1) AS best, MAX(amount) FILTER (WHERE rn = 2) AS second, MAX(amount) FILTER (WHERE rn = 1) - MAX(amount) FILTER (WHERE rn = 2) AS lead FROM (SELECT property_id, amount, ROW_NUMBER() OVER (PARTITION BY property_id ORDER BY amount DESC, offer_id) AS rn FROM offer) o GROUP BY property_id HAVING COUNT(*) > 1 ORDER BY lead DESC, property_id;

-- bidding: Offers that outbid all before them on the property
SELECT offer_id, property_id, amount, best_before FROM (SELECT offer_id, property_id, amount, MAX(amount) OVER (PARTITION BY property_id ORDER BY offered_at, offer_id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS best_before FROM offer) o WHERE amount > best_before ORDER BY 1;

-- sold-price: Sale price against the last asked price
SELECT s.property_id, s.price AS sold, l.price AS asked, ROUND((s.price / l.price - 1) * 100, 2) AS diff_pct FROM sale s JOIN LATERAL (SELECT price FROM price_change c WHERE c.property_id = s.property_id AND c.changed_on <= s.closed_on ORDER BY changed_on DESC LIMIT 1) l ON TRUE ORDER BY s.property_id;

-- days-on-market: Days from listing to closing by kind
SELECT p.kind, COUNT(*) AS sold, ROUND(AVG(s.closed_on - p.listed_on), 1) AS days FROM sale s JOIN property p ON p.property_id = s.property_id GROUP BY ROLLUP (p.kind) ORDER BY GROUPING(p.kind), p.kind;

-- sales-by-quarter: Sales by quarter with year-to-date volume
SELECT EXTRACT(YEAR FROM closed_on)::int AS year, EXTRACT(QUARTER FROM closed_on)::int AS q, COUNT(*) AS sales, SUM(price) AS volume, SUM(SUM(price)) OVER (PARTITION BY EXTRACT(YEAR FROM closed_on)::int ORDER BY EXTRACT(QUARTER FROM closed_on)::int) AS ytd FROM sale GROUP BY 1, 2 ORDER BY 1, 2;

-- conversion: Listing, viewing, offer, sale as a funnel
SELECT COUNT(*) AS listed, COUNT(*) FILTER (WHERE EXISTS (SELECT 1 FROM viewing v WHERE v.property_id = p.property_id AND v.showed_up)) AS viewed, COUNT(*) FILTER (WHERE EXISTS (SELECT 1 FROM offer o WHERE o.property_id = p.property_id)) AS offered, COUNT(*) FILTER (WHERE p.property_id IN (SELECT property_id FROM sale)) AS sold FROM property p;

-- two-accepted: Properties with more than one accepted offer
SELECT property_id, STRING_AGG(offer_id::text, ', ' ORDER BY offer_id) AS offers FROM offer WHERE status = 'accepted' GROUP BY property_id HAVING COUNT(*) > 1 ORDER BY 1;

-- accepted-without-sale: Accepted offers that did not become the sale
SELECT o.offer_id FROM offer o LEFT JOIN sale s ON s.offer_id = o.offer_id WHERE o.status = 'accepted' AND s.offer_id IS NULL ORDER BY 1;

-- weekday-offers: Offers by weekday, cross-checked with two functions
SELECT TO_CHAR(offered_at, 'FMDy') AS day, EXTRACT(ISODOW FROM offered_at)::int AS n_day, COUNT(*) AS offers, MOD((offered_at::date - DATE '2001-01-01'), 7) + 1 AS computed FROM offer GROUP BY 1, 2, 4 ORDER BY 2;

-- round-amounts: Offers in round thousands
SELECT COUNT(*) FILTER (WHERE amount = ROUND(amount, -3)) AS round_thousands, COUNT(*) FILTER (WHERE MOD(amount, 100) = 0) AS round_hundreds, COUNT(*) AS n FROM offer;

-- response-time: Time from the last viewing to the offer
SELECT o.offer_id, o.offered_at - MAX(v.scheduled_at) AS after_viewing FROM offer o JOIN viewing v ON v.property_id = o.property_id AND v.scheduled_at < o.offered_at GROUP BY o.offer_id, o.offered_at ORDER BY after_viewing, o.offer_id LIMIT 15;

-- buyers: Buyers by volume with their rank among all
SELECT c.full_name, COUNT(*) AS bought, SUM(s.price) AS volume, DENSE_RANK() OVER (ORDER BY SUM(s.price) DESC) AS place FROM sale s JOIN client c ON c.client_id = s.buyer_id GROUP BY c.client_id, c.full_name ORDER BY place, c.client_id;

-- status-transitions: Status of an offer and of the next one on the same property
SELECT status, next_status, COUNT(*) AS n FROM (SELECT status, LEAD(status) OVER (PARTITION BY property_id ORDER BY offered_at, offer_id) AS next_status FROM offer) t WHERE next_status IS NOT NULL GROUP BY 1, 2 ORDER BY n DESC, 1, 2;

-- pending-age: Pending offers by their age on April 1st
SELECT offer_id, DATE_PART('day', TIMESTAMP '2024-04-01' - offered_at)::int AS days, CASE WHEN offered_at < TIMESTAMP '2024-04-01' - INTERVAL '90 days' THEN 'stale' ELSE 'fresh' END AS state FROM offer WHERE status = 'pending' ORDER BY days DESC, 1;
