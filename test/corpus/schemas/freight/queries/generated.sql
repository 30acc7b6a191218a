-- metabase-count: A count by month as Metabase writes it
SELECT CAST(DATE_TRUNC('month', "public"."shipments"."booked_at") AS date) AS "booked_at", COUNT(*) AS "count" FROM "public"."shipments" WHERE "public"."shipments"."status" = 'delivered' GROUP BY CAST(DATE_TRUNC('month', "public"."shipments"."booked_at") AS date) ORDER BY CAST(DATE_TRUNC('month', "public"."shipments"."booked_at") AS date) ASC;

-- metabase-join: A join with an aliased source and a filter on a nested query
SELECT "source"."Carriers - Carrier__name" AS "Carriers - Carrier__name", SUM("source"."freight_cost") AS "sum" FROM (SELECT "shipments"."shipment_id" AS "shipment_id", "shipments"."freight_cost" AS "freight_cost", "Carriers - Carrier"."name" AS "Carriers - Carrier__name" FROM "shipments" LEFT JOIN "carriers" AS "Carriers - Carrier" ON "shipments"."carrier_id" = "Carriers - Carrier"."carrier_id") AS "source" WHERE ("source"."freight_cost" > 100) GROUP BY "source"."Carriers - Carrier__name" ORDER BY "sum" DESC, "source"."Carriers - Carrier__name" ASC LIMIT 2000;

-- tableau-extract: Sums by a truncated date in Tableau's manner
SELECT SUM("t0"."freight_cost") AS "sum:freight_cost:ok", CAST("t0"."status" AS TEXT) AS "status", CAST(DATE_TRUNC('QUARTER', CAST("t0"."booked_at" AS TIMESTAMP)) AS DATE) AS "tqr:booked_at:ok" FROM "shipments" "t0" GROUP BY 2, 3 ORDER BY 3, 2;

-- superset-time-grain: A time series as Superset builds it
SELECT DATE_TRUNC('day', moved_at) AS __timestamp, kind AS kind, sum(quantity) AS "SUM(quantity)" FROM stock_moves WHERE moved_at >= TO_TIMESTAMP('2024-02-01 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') AND moved_at < TO_TIMESTAMP('2024-02-08 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') GROUP BY DATE_TRUNC('day', moved_at), kind ORDER BY __timestamp, kind LIMIT 10000;

-- preview: A table preview
SELECT * FROM (SELECT * FROM "warehouses") "t" ORDER BY "code" LIMIT 1000;

-- power-bi-nesting: Nested selects with generated aliases
select "_"."warehouse_code", sum("_"."on_hand") as "a0", count("_"."sku") as "a1" from ( select "rows"."warehouse_code" as "warehouse_code", "rows"."sku" as "sku", "rows"."on_hand" as "on_hand" from ( select "$Table"."warehouse_code", "$Table"."sku", "$Table"."on_hand" from "public"."stock" "$Table" ) "rows" where "rows"."on_hand" > 0 ) "_" group by "_"."warehouse_code" order by "_"."warehouse_code" limit 501;

-- looker-pivot: Generated column names with dots and spaces
SELECT carriers.name AS "carriers.name", COUNT(DISTINCT CASE WHEN shipments.status = 'delivered' THEN shipments.shipment_id ELSE NULL END) AS "shipments.delivered count", COALESCE(SUM(shipments.freight_cost ), 0) AS "shipments.total cost" FROM shipments AS shipments LEFT JOIN carriers AS carriers ON shipments.carrier_id = carriers.carrier_id WHERE ((( shipments.booked_at ) >= ((DATE_TRUNC('month', DATE '2024-01-01'))) AND ( shipments.booked_at ) < ((DATE_TRUNC('month', DATE '2024-01-01') + INTERVAL '2 MONTH')))) GROUP BY 1 ORDER BY 3 DESC, 1 FETCH NEXT 500 ROWS ONLY;

-- totals-row: A table with a totals row glued below
SELECT mode, n, cost FROM (
  SELECT 0 AS o, c.mode, COUNT(*) AS n, SUM(s.freight_cost) AS cost FROM shipments s JOIN carriers c USING (carrier_id) GROUP BY c.mode
  UNION ALL
  SELECT 1, 'Total', COUNT(*), SUM(freight_cost) FROM shipments WHERE carrier_id IS NOT NULL
) t ORDER BY o, mode;

-- llm-bottlenecks: Lanes slower than the overall average, written with far too many steps
/* Step 1: compute per-shipment durations
   Step 2: compute the overall average
   Step 3: compare lanes with it */
WITH shipment_durations AS (
    SELECT
        s.shipment_id,
        s.origin,
        s.destination,
        EXTRACT(EPOCH FROM (s.delivered_at - s.booked_at)) / 86400.0 AS total_days,
        EXTRACT(EPOCH FROM (s.picked_up_at - s.booked_at)) / 3600.0 AS wait_hours
    FROM shipments s
    WHERE s.status = 'delivered'
      AND s.delivered_at IS NOT NULL -- just to be safe
      AND s.picked_up_at IS NOT NULL
),
overall AS (
    SELECT AVG(total_days) AS avg_days, COUNT(*) AS n
    FROM shipment_durations
),
lane_stats AS (
    SELECT
        origin,
        destination,
        COUNT(*) AS shipment_count,
        ROUND(AVG(total_days)::numeric, 2) AS avg_days,
        ROUND(MAX(total_days)::numeric, 2) AS worst_days,
        ROUND(AVG(wait_hours)::numeric, 2) AS avg_wait_hours
    FROM shipment_durations
    GROUP BY origin, destination
),
flagged AS (
    SELECT
        l.*,
        ROUND((l.avg_days / NULLIF(o.avg_days, 0)::numeric - 1) * 100, 1) AS pct_above_average,
        CASE
            WHEN l.avg_days > 1.5 * o.avg_days THEN 'critical'
            WHEN l.avg_days > o.avg_days THEN 'slow'
            ELSE 'ok'
        END AS rating
    FROM lane_stats l
    CROSS JOIN overall o
)
SELECT
    f.origin,
    w1.city AS origin_city,
    f.destination,
    w2.city AS destination_city,
    f.shipment_count,
    f.avg_days,
    f.worst_days,
    f.avg_wait_hours,
    f.pct_above_average,
    f.rating
FROM flagged f
LEFT JOIN warehouses w1 ON w1.code = f.origin
LEFT JOIN warehouses w2 ON w2.code = f.destination
WHERE f.rating <> 'ok'
ORDER BY
    CASE f.rating WHEN 'critical' THEN 1 ELSE 2 END,
    f.avg_days DESC,
    f.origin,
    f.destination;

-- odd-layout: The same words with odd blanks, capitals and comments
select/*all*/s . origin ,count( * )as"N of shipments"
	from shipments    s--the table
 where s.status in('lost','cancelled')
group
by s.origin order
by 2 desc,1;

-- params-inlined: Filters as a client inlines them
SELECT t.shipment_id, t.origin FROM public.shipments t WHERE (1 = 1) AND (t.origin IN ('BER1', 'HAM1', 'ROT1')) AND (t.freight_cost BETWEEN '100' AND '2500.50') AND (t.booked_at >= '2024-01-01' AND t.booked_at < '2024-03-01 00:00:00') AND NOT (t.status = 'lost') ORDER BY t.shipment_id ASC NULLS LAST LIMIT 100 OFFSET 0;
