-- active-today: Subscriptions active on the last day of March 2024
SELECT COUNT(*) AS active FROM subscriptions WHERE started_on <= DATE '2024-03-31' AND (ended_on IS NULL OR ended_on > DATE '2024-03-31');

-- mrr-by-month: Monthly recurring revenue at each month's end
WITH months AS (
    SELECT (date_trunc('month', m) + INTERVAL '1 month' - INTERVAL '1 day')::date AS month_end
    FROM generate_series('2023-01-01'::timestamp, '2024-03-01'::timestamp, '1 month') AS m
)
SELECT
    m.month_end,
    COUNT(s.id) AS subscriptions,
    ROUND(SUM(p.monthly_price * s.seats * (1 - COALESCE(s.discount_pct, 0) / 100)), 2) AS mrr
FROM months m
LEFT JOIN subscriptions s
  ON s.started_on <= m.month_end AND (s.ended_on IS NULL OR s.ended_on > m.month_end)
LEFT JOIN plans p ON p.plan_code = s.plan_code
GROUP BY m.month_end
ORDER BY m.month_end;

-- mrr-growth: MRR against the month before, in percent
WITH m AS (
  SELECT g::date AS month FROM generate_series(date '2023-01-01', date '2024-03-01', interval '1 month') g
), mrr AS (
  SELECT m.month, COALESCE(SUM(p.monthly_price), 0) AS mrr
  FROM m
  LEFT JOIN subscriptions s ON s.started_on <= m.month AND COALESCE(s.ended_on, '9999-12-31') > m.month
  LEFT JOIN plans p USING (plan_code)
  GROUP BY m.month
)
SELECT month, mrr, LAG(mrr, 1, 0.00) OVER (ORDER BY month) AS before,
       ROUND((mrr - LAG(mrr) OVER (ORDER BY month)) / NULLIF(LAG(mrr) OVER (ORDER BY month), 0) * 100, 2) AS growth_pct
FROM mrr ORDER BY month;

-- churned-per-month: Subscriptions ended per month
SELECT TO_CHAR(ended_on, 'YYYY-MM') AS month, COUNT(*) AS churned, COUNT(DISTINCT account_id) AS accounts
FROM subscriptions WHERE ended_on IS NOT NULL GROUP BY 1 ORDER BY 1;

-- churn-rate: Monthly churn rate
WITH months AS (SELECT generate_series('2023-06-01'::date, '2024-02-01'::date, '1 month')::date AS month),
base AS (
  SELECT m.month,
         COUNT(*) FILTER (WHERE s.started_on < m.month AND (s.ended_on IS NULL OR s.ended_on >= m.month)) AS at_start,
         COUNT(*) FILTER (WHERE s.started_on < m.month AND s.ended_on >= m.month AND s.ended_on < m.month + INTERVAL '1 month') AS lost
  FROM months m CROSS JOIN subscriptions s
  GROUP BY m.month
)
SELECT month, at_start, lost, ROUND(100.0 * lost / NULLIF(at_start, 0), 2) AS churn_pct FROM base ORDER BY month;

-- reasons: Reasons for cancelling, unified
SELECT CASE
         WHEN cancel_reason IS NULL OR TRIM(cancel_reason) = '' THEN 'unknown'
         WHEN cancel_reason ILIKE 'missing feature%' THEN 'feature'
         WHEN cancel_reason ~* 'switched|competitor' THEN 'competitor'
         ELSE LOWER(cancel_reason)
       END AS reason, COUNT(*) AS n
FROM subscriptions WHERE ended_on IS NOT NULL GROUP BY 1 ORDER BY n DESC, reason;

-- feature-name: The feature that was missing
SELECT DISTINCT TRIM(SPLIT_PART(cancel_reason, ':', 2)) AS feature FROM subscriptions WHERE cancel_reason LIKE 'Missing feature:%' ORDER BY 1;

-- lifetime: Average lifetime of ended subscriptions by plan in days
SELECT plan_code, COUNT(*) AS ended, AVG(ended_on - started_on) AS avg_days, MIN(ended_on - started_on) AS shortest, MAX(ended_on - started_on) AS longest
FROM subscriptions WHERE ended_on IS NOT NULL GROUP BY plan_code ORDER BY plan_code;

-- median-lifetime: Median lifetime, open ones counted until the first of April
SELECT plan_code, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY COALESCE(ended_on, '2024-04-01'::date) - started_on) AS median_days
FROM subscriptions GROUP BY plan_code ORDER BY median_days DESC, plan_code;

-- upgrades: Accounts whose later subscription costs more
WITH ordered AS (
  SELECT s.account_id, s.plan_code, p.monthly_price, s.started_on,
         LAG(s.plan_code) OVER (PARTITION BY s.account_id ORDER BY s.started_on, s.id) AS prev_plan,
         LAG(p.monthly_price) OVER (PARTITION BY s.account_id ORDER BY s.started_on, s.id) AS prev_price
  FROM subscriptions s JOIN plans p ON p.plan_code = s.plan_code
)
SELECT prev_plan || ' -> ' || plan_code AS change,
       COUNT(*) AS n,
       SUM(monthly_price - prev_price) AS delta
FROM ordered WHERE prev_price IS NOT NULL AND monthly_price <> prev_price
GROUP BY prev_plan, plan_code ORDER BY n DESC, change;

-- gaps-between: Days without a subscription between two of the same account
SELECT account_id, ended_on, next_start, next_start - ended_on AS gap_days
FROM (SELECT account_id, ended_on, LEAD(started_on) OVER (PARTITION BY account_id ORDER BY started_on, id) AS next_start FROM subscriptions) t
WHERE next_start > ended_on
ORDER BY gap_days DESC, account_id, ended_on;

-- trial-conversion: Share of trials that lasted longer than the trial
SELECT plan_code, COUNT(trial_ends_on) AS trials,
       COUNT(*) FILTER (WHERE trial_ends_on IS NOT NULL AND (ended_on IS NULL OR ended_on > trial_ends_on)) AS converted,
       ROUND(AVG(CASE WHEN trial_ends_on IS NULL THEN NULL WHEN ended_on IS NULL OR ended_on > trial_ends_on THEN 1 ELSE 0 END), 3) AS rate
FROM subscriptions GROUP BY plan_code ORDER BY plan_code;

-- annual-share: Share of annual billing per quarter of the start
SELECT date_trunc('quarter', started_on)::date AS quarter, AVG((billing_period = 'annual')::int)::numeric(5,4) AS annual_share, COUNT(*) AS n
FROM subscriptions GROUP BY 1 ORDER BY 1;

-- seats-histogram: Subscriptions by seats in tens
SELECT (seats / 10) * 10 AS from_seats, (seats / 10) * 10 + 9 AS to_seats, COUNT(*) AS n FROM subscriptions GROUP BY seats / 10 ORDER BY 1;

-- over-included: Subscriptions with more seats than the plan includes
SELECT s.id, s.plan_code, s.seats, p.seats_included, s.seats - p.seats_included AS extra
FROM subscriptions s JOIN plans p USING (plan_code) WHERE s.seats > p.seats_included ORDER BY extra DESC, s.id LIMIT 20;

-- discount-groups: Discounts with NULL as its own group
SELECT discount_pct, COUNT(*), GROUPING(discount_pct) AS is_total FROM subscriptions GROUP BY ROLLUP (discount_pct) ORDER BY GROUPING(discount_pct), discount_pct;

-- next-renewal: The next renewal of annual subscriptions after April 1st 2024
SELECT id, started_on,
       (started_on + make_interval(years => (EXTRACT(YEAR FROM AGE(DATE '2024-04-01', started_on)) + 1)::int))::date AS renewal
FROM subscriptions WHERE billing_period = 'annual' AND ended_on IS NULL ORDER BY started_on, id;

-- cohort-size: Accounts by the month of their first subscription
SELECT cohort, COUNT(*) AS accounts FROM (
  SELECT account_id, date_trunc('month', MIN(started_on))::date AS cohort FROM subscriptions GROUP BY account_id
) f GROUP BY cohort ORDER BY cohort;

-- cohort-retention: Share of each quarter's cohort still subscribed after 1, 3, 6 and 12 months
WITH firsts AS (
  SELECT account_id, MIN(started_on) AS first_day FROM subscriptions GROUP BY account_id
), checks AS (
  SELECT f.account_id, date_trunc('quarter', f.first_day)::date AS cohort, k.months,
         EXISTS (
           SELECT 1 FROM subscriptions s
           WHERE s.account_id = f.account_id
             AND s.started_on <= f.first_day + k.months * INTERVAL '1 month'
             AND (s.ended_on IS NULL OR s.ended_on > f.first_day + k.months * INTERVAL '1 month')
         ) AS alive
  FROM firsts f CROSS JOIN (VALUES (1), (3), (6), (12)) AS k(months)
)
SELECT cohort,
       COUNT(DISTINCT account_id) AS accounts,
       ROUND(100.0 * COUNT(*) FILTER (WHERE months = 1 AND alive) / COUNT(*) FILTER (WHERE months = 1), 1) AS m1,
       ROUND(100.0 * COUNT(*) FILTER (WHERE months = 3 AND alive) / COUNT(*) FILTER (WHERE months = 3), 1) AS m3,
       ROUND(100.0 * COUNT(*) FILTER (WHERE months = 6 AND alive) / COUNT(*) FILTER (WHERE months = 6), 1) AS m6,
       ROUND(100.0 * COUNT(*) FILTER (WHERE months = 12 AND alive) / COUNT(*) FILTER (WHERE months = 12), 1) AS m12
FROM checks GROUP BY cohort ORDER BY cohort;

-- concurrent: The day with the most subscriptions at once
WITH deltas AS (
  SELECT started_on AS day, 1 AS delta FROM subscriptions
  UNION ALL
  SELECT ended_on, -1 FROM subscriptions WHERE ended_on IS NOT NULL
), running AS (
  SELECT day, SUM(SUM(delta)) OVER (ORDER BY day) AS active FROM deltas GROUP BY day
)
SELECT day, active FROM running WHERE active = (SELECT MAX(active) FROM running) ORDER BY day;

-- prorated: Prorated price of the first month of monthly subscriptions
SELECT s.id, s.started_on,
       EXTRACT(DAY FROM date_trunc('month', s.started_on) + interval '1 month' - interval '1 day')::int AS days_in_month,
       ROUND(p.monthly_price * (EXTRACT(DAY FROM date_trunc('month', s.started_on) + interval '1 month' - interval '1 day') - EXTRACT(DAY FROM s.started_on) + 1)
             / EXTRACT(DAY FROM date_trunc('month', s.started_on) + interval '1 month' - interval '1 day'), 4) AS prorated
FROM subscriptions s JOIN plans p ON p.plan_code = s.plan_code
WHERE s.billing_period = 'monthly' AND p.monthly_price > 0
ORDER BY s.started_on, s.id LIMIT 25;

-- plan-switch-paths: The plans of each account as a path
SELECT path, COUNT(*) AS accounts FROM (
  SELECT account_id, STRING_AGG(plan_code, ' > ' ORDER BY started_on, id) AS path FROM subscriptions GROUP BY account_id
) p GROUP BY path HAVING COUNT(*) > 1 ORDER BY accounts DESC, path;

-- reactivated: Accounts that came back after more than a month
SELECT COUNT(DISTINCT a.account_id) AS came_back
FROM subscriptions a JOIN subscriptions b ON b.account_id = a.account_id AND b.started_on > a.ended_on + 30;
