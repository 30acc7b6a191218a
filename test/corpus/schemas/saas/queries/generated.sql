-- metabase-uuid-filter: A filtered, nested preview
SELECT "public"."accounts"."id" AS "id", "public"."accounts"."name" AS "name", "public"."accounts"."signed_up_at" AS "signed_up_at" FROM "public"."accounts" WHERE ("public"."accounts"."signed_up_at" >= timestamp with time zone '2023-06-01 00:00:00.000Z') AND ("public"."accounts"."country" <> 'US' OR "public"."accounts"."country" IS NULL) ORDER BY "public"."accounts"."id" ASC LIMIT 1048575;

-- metabase-week: Weeks from Sunday, shifted as Metabase does
SELECT (CAST(DATE_TRUNC('week', ("events"."occurred_at" + INTERVAL '1 day')) AS timestamp) + INTERVAL '-1 day') AS "occurred_at", COUNT(DISTINCT "events"."account_id") AS "count" FROM "events" GROUP BY (CAST(DATE_TRUNC('week', ("events"."occurred_at" + INTERVAL '1 day')) AS timestamp) + INTERVAL '-1 day') ORDER BY 1 ASC;

-- superset-top-n: The group limit subquery of a time series
SELECT DATE_TRUNC('MONTH', issued_on) AS issued_on, plan_code AS plan_code, SUM(subtotal) AS sum_subtotal FROM (SELECT i.*, s.plan_code FROM invoices i JOIN subscriptions s ON s.id = i.subscription_id) AS virtual_table JOIN (SELECT plan_code AS plan_code__, SUM(subtotal) AS mme_inner__ FROM (SELECT i.*, s.plan_code FROM invoices i JOIN subscriptions s ON s.id = i.subscription_id) AS virtual_table GROUP BY plan_code ORDER BY mme_inner__ DESC LIMIT 2) AS series_limit ON plan_code = plan_code__ GROUP BY DATE_TRUNC('MONTH', issued_on), plan_code ORDER BY issued_on, sum_subtotal DESC;

-- tableau-calculation: A calculated field within an aggregation
SELECT "accounts"."country" AS "country", SUM((CASE WHEN ("invoices"."status" = 'paid') THEN "invoices"."subtotal" ELSE NULL END)) AS "sum:Calculation_482:ok", AVG(CAST("invoices"."subtotal" AS DOUBLE PRECISION)) AS "avg:subtotal:ok" FROM "public"."invoices" "invoices" INNER JOIN "public"."accounts" "accounts" ON ("invoices"."account_id" = "accounts"."id") GROUP BY 1 HAVING (COUNT(1) > 0) ORDER BY 1 ASC NULLS FIRST;

-- looker-distinct-sum: A measure across a fan-out, computed in a derived table first
SELECT a.country AS "accounts.country", COALESCE(SUM(x.total), 0) AS "invoices.total", COALESCE(SUM(x.items), 0) AS "items.count" FROM accounts a LEFT JOIN (SELECT i.account_id, SUM(i.subtotal) AS total, SUM((SELECT COUNT(*) FROM invoice_items it WHERE it.invoice_no = i.invoice_no)) AS items FROM invoices i GROUP BY 1) x ON x.account_id = a.id GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 500;

-- redash-params: Parameters inlined as text
SELECT date_trunc('week', e.occurred_at)::date AS "Week::filter", e.name AS "Event", count(*) AS "N" FROM events e WHERE e.occurred_at::date BETWEEN '2024-01-01' AND '2024-01-31' AND ('all' = 'all' OR e.name = 'all') GROUP BY 1, 2 ORDER BY 1, 2;

-- llm-account-report: A report on accounts with everything an assistant can think of
WITH account_base AS (
    SELECT
        a.id AS account_id,
        a.name AS account_name,
        COALESCE(a.country, 'Unknown') AS country,
        a.signed_up_at,
        COALESCE(array_length(a.tags, 1), 0) AS tag_count
    FROM accounts a
    WHERE a.is_test = FALSE
),
subscription_summary AS (
    SELECT
        s.account_id,
        COUNT(*) AS total_subscriptions,
        COUNT(CASE WHEN s.ended_on IS NULL THEN 1 END) AS active_subscriptions,
        MIN(s.started_on) AS first_started,
        MAX(COALESCE(s.ended_on, DATE '2024-04-01')) AS last_active,
        SUM(CASE WHEN s.ended_on IS NULL THEN p.monthly_price * s.seats ELSE 0 END) AS current_mrr
    FROM subscriptions s
    INNER JOIN plans p ON p.plan_code = s.plan_code
    GROUP BY s.account_id
),
payment_summary AS (
    SELECT
        i.account_id,
        SUM(CASE WHEN i.status = 'paid' THEN i.subtotal ELSE 0 END) AS paid_total,
        SUM(CASE WHEN i.status = 'open' THEN i.subtotal ELSE 0 END) AS open_total,
        ROUND(AVG(CASE WHEN i.paid_at IS NOT NULL THEN EXTRACT(EPOCH FROM (i.paid_at - i.issued_on::timestamptz)) / 86400 END)::numeric, 2) AS avg_days_to_pay
    FROM invoices i
    GROUP BY i.account_id
),
activity_summary AS (
    SELECT
        e.account_id,
        COUNT(*) AS event_count,
        COUNT(DISTINCT DATE(e.occurred_at)) AS active_days,
        MAX(e.occurred_at) AS last_event_at
    FROM events e
    GROUP BY e.account_id
)
SELECT
    ab.account_name,
    ab.country,
    DATE(ab.signed_up_at) AS signup_date,
    COALESCE(ss.total_subscriptions, 0) AS total_subscriptions,
    COALESCE(ss.active_subscriptions, 0) AS active_subscriptions,
    COALESCE(ss.current_mrr, 0) AS current_mrr,
    COALESCE(ps.paid_total, 0) AS paid_total,
    COALESCE(ps.open_total, 0) AS open_total,
    ps.avg_days_to_pay,
    COALESCE(acs.event_count, 0) AS event_count,
    COALESCE(acs.active_days, 0) AS active_days,
    CASE
        WHEN COALESCE(ss.active_subscriptions, 0) = 0 THEN 'Churned'
        WHEN COALESCE(acs.active_days, 0) < 5 THEN 'At Risk'
        WHEN COALESCE(ss.current_mrr, 0) > 1000 THEN 'Key Account'
        ELSE 'Healthy'
    END AS segment,
    RANK() OVER (ORDER BY COALESCE(ps.paid_total, 0) DESC) AS revenue_rank
FROM account_base ab
LEFT JOIN subscription_summary ss ON ss.account_id = ab.account_id
LEFT JOIN payment_summary ps ON ps.account_id = ab.account_id
LEFT JOIN activity_summary acs ON acs.account_id = ab.account_id
ORDER BY revenue_rank, ab.account_name, ab.account_id
LIMIT 50;

-- llm-net-revenue-retention: Net revenue retention by month, annotated
WITH RECURSIVE month_series AS (
    -- anchor
    SELECT DATE '2023-07-01' AS month_start
    UNION ALL
    -- recursive part
    SELECT (month_start + INTERVAL '1 month')::date FROM month_series WHERE month_start < DATE '2024-02-01'
),
active AS (
    SELECT ms.month_start, s.account_id, SUM(p.monthly_price * s.seats) AS mrr
    FROM month_series ms
    JOIN subscriptions s ON s.started_on <= ms.month_start AND (s.ended_on > ms.month_start OR s.ended_on IS NULL)
    JOIN plans p ON p.plan_code = s.plan_code
    GROUP BY ms.month_start, s.account_id
)
SELECT
    cur.month_start,
    SUM(prev.mrr) AS starting_mrr,
    SUM(COALESCE(cur2.mrr, 0)) AS retained_mrr,
    ROUND(SUM(COALESCE(cur2.mrr, 0)) / NULLIF(SUM(prev.mrr), 0) * 100, 2) AS nrr_pct
FROM (SELECT DISTINCT month_start FROM active) cur
JOIN active prev ON prev.month_start = (cur.month_start - INTERVAL '1 month')::date
LEFT JOIN active cur2 ON cur2.month_start = cur.month_start AND cur2.account_id = prev.account_id
GROUP BY cur.month_start
ORDER BY cur.month_start;
