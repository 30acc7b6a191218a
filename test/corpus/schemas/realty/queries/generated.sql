-- metabase-nested: Three levels of nesting with aliases of every level
SELECT "source"."kind" AS "kind", AVG("source"."price_per_m2") AS "avg", COUNT(*) AS "count" FROM (SELECT "source"."kind" AS "kind", "source"."price" / CASE WHEN "source"."area_m2" = 0 THEN NULL ELSE "source"."area_m2" END AS "price_per_m2" FROM (SELECT "public"."property"."kind" AS "kind", "public"."property"."area_m2" AS "area_m2", "Price Change"."price" AS "price" FROM "public"."property" INNER JOIN "public"."price_change" AS "Price Change" ON "public"."property"."property_id" = "Price Change"."property_id" AND "public"."property"."listed_on" = "Price Change"."changed_on") AS "source") AS "source" WHERE "source"."price_per_m2" IS NOT NULL GROUP BY "source"."kind" ORDER BY "source"."kind" ASC;

-- tableau-bins: Bins and a parameter written into the text
SELECT (CASE WHEN ("property"."area_m2" IS NULL) THEN NULL ELSE FLOOR(CAST("property"."area_m2" AS DOUBLE PRECISION) / 50.0) * 50 END) AS "area (bin)", COUNT(DISTINCT "property"."property_id") AS "ctd:property_id:ok" FROM "public"."property" "property" WHERE (("property"."listed_on" >= (DATE '2023-01-01')) AND ("property"."listed_on" <= (DATE '2023-12-31'))) GROUP BY 1 ORDER BY 1 ASC NULLS FIRST;

-- superset-filters: Adhoc filters with casts and a metric expression
SELECT "energy_class" AS "energy_class", "kind" AS "kind", SUM("area_m2") / NULLIF(COUNT(*), 0) AS "Avg Area", COUNT(DISTINCT "region_id") AS "COUNT_DISTINCT(region_id)" FROM "public"."property" WHERE "listed_on" >= TO_DATE('2023-03-01', 'YYYY-MM-DD') AND "listed_on" < TO_DATE('2024-03-01', 'YYYY-MM-DD') AND ("energy_class" IN ('A', 'B', 'C')) AND ("has_garden" IS TRUE OR "has_garage" IS TRUE) GROUP BY "energy_class", "kind" ORDER BY "Avg Area" DESC, "energy_class", "kind" LIMIT 10000;

-- power-query: A folded query with added columns and a filter on them
select "_"."property_id", "_"."listed_year", "_"."is_old" from (select "$Outer"."property_id", "$Outer"."listed_year", case when "$Outer"."year_built" < 1950 then 1 when not ("$Outer"."year_built" < 1950) then 0 else null end as "is_old" from (select "property_id", "year_built", cast(extract(year from "listed_on") as integer) as "listed_year" from "public"."property" "$Table") "$Outer") "_" where "_"."is_old" = 1 and "_"."is_old" is not null order by "_"."property_id" limit 4096;

-- preview-with-null-columns: A preview of the wide table
SELECT * FROM (SELECT * FROM "public"."property") "t" ORDER BY "t"."property_id" DESC LIMIT 10;

-- hex-chained-cells: Cells chained as common tables
WITH "cell_1" AS (SELECT * FROM sale), "cell_2" AS (SELECT "property_id", "price", "closed_on" FROM "cell_1" WHERE "price" > 100000), "cell_3" AS (SELECT date_trunc('month', "closed_on")::date AS "month", sum("price") AS "volume", count(*) AS "n" FROM "cell_2" GROUP BY 1) SELECT * FROM "cell_3" ORDER BY "month";

-- llm-market-report: A market report per city
WITH latest_price AS (
    SELECT DISTINCT ON (pc.property_id)
        pc.property_id,
        pc.price AS current_price,
        pc.changed_on
    FROM price_change pc
    ORDER BY pc.property_id, pc.changed_on DESC
),
first_price AS (
    SELECT pc.property_id, pc.price AS initial_price
    FROM price_change pc
    INNER JOIN (
        SELECT property_id, MIN(changed_on) AS first_change
        FROM price_change
        GROUP BY property_id
    ) fc ON fc.property_id = pc.property_id AND fc.first_change = pc.changed_on
),
property_metrics AS (
    SELECT
        p.property_id,
        r.name AS region_name,
        COALESCE(pr.name, 'n/a') AS parent_region,
        LOWER(p.kind) AS kind,
        p.area_m2,
        lp.current_price,
        fp.initial_price,
        CASE
            WHEN p.area_m2 IS NOT NULL AND p.area_m2 > 0
            THEN ROUND((lp.current_price / p.area_m2)::numeric, 2)
            ELSE NULL
        END AS price_per_sqm,
        ROUND(((lp.current_price - fp.initial_price) / NULLIF(fp.initial_price, 0)) * 100, 2) AS price_change_pct,
        (SELECT COUNT(*) FROM viewing v WHERE v.property_id = p.property_id AND v.showed_up IS TRUE) AS completed_viewings,
        (SELECT MAX(o.amount) FROM offer o WHERE o.property_id = p.property_id) AS best_offer,
        CASE WHEN s.property_id IS NOT NULL THEN 1 ELSE 0 END AS is_sold
    FROM property p
    INNER JOIN region r ON r.region_id = p.region_id
    LEFT JOIN region pr ON pr.region_id = r.parent_id
    LEFT JOIN latest_price lp ON lp.property_id = p.property_id
    LEFT JOIN first_price fp ON fp.property_id = p.property_id
    LEFT JOIN sale s ON s.property_id = p.property_id
)
SELECT
    region_name,
    parent_region,
    COUNT(*) AS total_listings,
    SUM(is_sold) AS sold_listings,
    ROUND(100.0 * SUM(is_sold) / COUNT(*), 1) AS sell_through_pct,
    ROUND(AVG(current_price)::numeric, 0) AS avg_price,
    ROUND(PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY price_per_sqm)::numeric, 2) AS median_price_per_sqm,
    MIN(price_change_pct) AS biggest_reduction_pct,
    SUM(completed_viewings) AS completed_viewings,
    COUNT(best_offer) AS listings_with_offer,
    RANK() OVER (ORDER BY COUNT(*) DESC) AS size_rank
FROM property_metrics
GROUP BY region_name, parent_region
HAVING COUNT(*) > 0
ORDER BY size_rank, region_name;

-- llm-agent-cohorts: Agents grouped by the year of hiring, with an average of averages
WITH agent_sales AS (
    SELECT a.agent_id, a.name, EXTRACT(YEAR FROM a.hired)::int AS hire_year, COUNT(s.property_id) AS sales, COALESCE(AVG(s.price), 0) AS avg_price
    FROM agent a
    LEFT JOIN property p ON p.agent_id = a.agent_id
    LEFT JOIN sale s ON s.property_id = p.property_id
    GROUP BY a.agent_id, a.name, EXTRACT(YEAR FROM a.hired)
)
SELECT hire_year, COUNT(*) AS agents, SUM(sales) AS sales, ROUND(AVG(sales), 2) AS avg_sales_per_agent, ROUND(AVG(avg_price)::numeric, 2) AS avg_of_avg, STRING_AGG(name, ' & ' ORDER BY sales DESC, name) AS names
FROM agent_sales
GROUP BY hire_year
ORDER BY hire_year ASC;

-- llm-price-gaps: Compares each sale with the neighbours by a self join and a window
SELECT
    x.property_id,
    x.price,
    x.region_avg,
    x.price - x.region_avg AS gap,
    CASE
        WHEN x.price > x.region_avg * 1.25 THEN 'Above market'
        WHEN x.price < x.region_avg * 0.75 THEN 'Below market'
        ELSE 'At market'
    END AS position
FROM (
    SELECT s.property_id, s.price, ROUND(AVG(s.price) OVER (PARTITION BY p.region_id), 2) AS region_avg
    FROM sale s
    JOIN property p ON p.property_id = s.property_id
) AS x
ORDER BY gap DESC, x.property_id;
