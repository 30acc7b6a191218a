-- tableau-lod: A level-of-detail expression as Tableau expands it
SELECT "t0"."cinema" AS "cinema", AVG("t1"."__measure__0") AS "avg:Calculation_1:ok" FROM (SELECT "dim_screen"."cinema" AS "cinema", "fact_ticket"."customer_key" AS "customer_key" FROM "fact_ticket" INNER JOIN "dim_screen" ON ("fact_ticket"."screen_key" = "dim_screen"."screen_key") GROUP BY 1, 2) "t0" INNER JOIN (SELECT "fact_ticket"."customer_key" AS "customer_key", SUM("fact_ticket"."gross") AS "__measure__0" FROM "fact_ticket" GROUP BY 1) "t1" ON ("t0"."customer_key" = "t1"."customer_key") GROUP BY 1 ORDER BY 1;

-- tableau-nulls: Null-safe join of two sub-selects
SELECT "a"."device" AS "device", "a"."n" AS "n", "b"."g" AS "g" FROM (SELECT "c"."device" AS "device", COUNT(1) AS "n" FROM "fact_ticket" "f" JOIN "dim_channel" "c" ON "f"."channel_key" = "c"."channel_key" GROUP BY "c"."device") "a" JOIN (SELECT "c"."device" AS "device", SUM("f"."gross") AS "g" FROM "fact_ticket" "f" JOIN "dim_channel" "c" ON "f"."channel_key" = "c"."channel_key" GROUP BY "c"."device") "b" ON (("a"."device" = "b"."device") OR (("a"."device" IS NULL) AND ("b"."device" IS NULL))) ORDER BY "device" ASC NULLS FIRST;

-- power-bi-topn: A TopN filter as a nested query
select "basetable0"."c10" as "title", sum("basetable0"."c20") as "a0" from (select "f"."title" as "c10", "t"."gross" as "c20", "t"."refunded" as "c30" from "public"."fact_ticket" "t" inner join "public"."dim_film" "f" on "t"."film_key" = "f"."film_key") "basetable0" where not "basetable0"."c30" group by "basetable0"."c10" order by "a0" desc, "title" limit 3;

-- metabase-relative: Relative dates spelled out with a fixed day
SELECT CAST("public"."dim_date"."full_date" AS date) AS "full_date", SUM("public"."fact_ticket"."gross") AS "sum" FROM "public"."fact_ticket" INNER JOIN "public"."dim_date" ON "public"."fact_ticket"."date_key" = "public"."dim_date"."date_key" WHERE ("public"."dim_date"."full_date" >= CAST((CAST(timestamp '2024-03-01 10:00:00' AS timestamp) + (INTERVAL '-30 day')) AS date)) AND ("public"."dim_date"."full_date" < CAST(timestamp '2024-03-01 10:00:00' AS date)) GROUP BY CAST("public"."dim_date"."full_date" AS date) ORDER BY 1 ASC;

-- superset-contribution: Post-processing pushed into SQL
SELECT cinema, month_name, "SUM(gross)", "SUM(gross)" / SUM("SUM(gross)") OVER (PARTITION BY cinema) AS contribution FROM (SELECT s.cinema AS cinema, d.month_name AS month_name, SUM(t.gross) AS "SUM(gross)" FROM fact_ticket t JOIN dim_screen s ON s.screen_key = t.screen_key JOIN dim_date d ON d.date_key = t.date_key GROUP BY s.cinema, d.month_name) AS virtual_table ORDER BY cinema, month_name;

-- preview-wide: A preview of the fact table
SELECT "t".* FROM (SELECT * FROM "fact_ticket") "t" WHERE "t"."ticket_id" <= 20 ORDER BY "t"."ticket_id" LIMIT 1000;

-- llm-dashboard: Key figures of the company in one query
WITH ticket_base AS (
    SELECT
        t.ticket_id,
        t.gross,
        COALESCE(t.discount, 0) AS discount,
        t.gross - COALESCE(t.discount, 0) AS net_price,
        ROUND((t.gross - COALESCE(t.discount, 0)) / (1 + t.vat_rate), 2) AS net_of_vat,
        t.refunded,
        t.customer_key,
        d.full_date,
        d.is_weekend,
        DATE_TRUNC('month', d.full_date)::date AS month_start,
        s.cinema,
        f.title,
        f.release_date
    FROM fact_ticket t
    INNER JOIN dim_date d ON d.date_key = t.date_key
    INNER JOIN dim_screen s ON s.screen_key = t.screen_key
    INNER JOIN dim_film f ON f.film_key = t.film_key
),
monthly AS (
    SELECT
        month_start,
        cinema,
        COUNT(*) AS tickets,
        COUNT(*) FILTER (WHERE refunded) AS refunds,
        COUNT(DISTINCT customer_key) AS known_customers,
        SUM(CASE WHEN refunded THEN 0 ELSE net_price END) AS revenue,
        SUM(CASE WHEN refunded THEN 0 ELSE net_of_vat END) AS revenue_net,
        ROUND(100.0 * SUM(CASE WHEN is_weekend THEN 1 ELSE 0 END) / NULLIF(COUNT(*), 0), 1) AS weekend_pct,
        SUM(CASE WHEN full_date - release_date <= 6 THEN 1 ELSE 0 END) AS opening_week_tickets
    FROM ticket_base
    GROUP BY month_start, cinema
),
with_growth AS (
    SELECT
        m.*,
        LAG(m.revenue) OVER (PARTITION BY m.cinema ORDER BY m.month_start) AS prev_revenue,
        SUM(m.revenue) OVER (PARTITION BY m.cinema ORDER BY m.month_start ROWS UNBOUNDED PRECEDING) AS cumulative_revenue,
        RANK() OVER (PARTITION BY m.month_start ORDER BY m.revenue DESC) AS cinema_rank
    FROM monthly m
)
SELECT
    TO_CHAR(month_start, 'YYYY-MM') AS month,
    cinema,
    tickets,
    refunds,
    known_customers,
    revenue,
    revenue_net,
    weekend_pct,
    opening_week_tickets,
    ROUND((revenue - prev_revenue) / NULLIF(prev_revenue, 0) * 100, 1) AS growth_pct,
    cumulative_revenue,
    cinema_rank
FROM with_growth
ORDER BY month, cinema_rank, cinema;

-- llm-film-lifecycle: The life of a film in weeks, with needless steps
WITH weeks AS (SELECT generate_series(1, 8) AS week_no),
film_weeks AS (
    SELECT f.film_key, f.title, w.week_no, f.release_date + (w.week_no - 1) * 7 AS week_start, f.release_date + w.week_no * 7 - 1 AS week_end
    FROM dim_film f CROSS JOIN weeks w
    WHERE f.release_date <= DATE '2024-01-05'
),
sales AS (
    SELECT fw.film_key, fw.week_no, COUNT(t.ticket_id) AS tickets
    FROM film_weeks fw
    LEFT JOIN dim_date d ON d.full_date BETWEEN fw.week_start AND fw.week_end
    LEFT JOIN fact_ticket t ON t.date_key = d.date_key AND t.film_key = fw.film_key
    GROUP BY fw.film_key, fw.week_no
)
SELECT fw.title, s.week_no, s.tickets, ROUND(1.0 * s.tickets / NULLIF(MAX(s.tickets) OVER (PARTITION BY s.film_key), 0), 3) AS relative
FROM sales s JOIN (SELECT DISTINCT film_key, title FROM film_weeks) fw ON fw.film_key = s.film_key
ORDER BY fw.title, s.week_no;
