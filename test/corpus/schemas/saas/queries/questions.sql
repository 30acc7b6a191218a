-- power-users: Users whose number of events is above the ninetieth percentile
WITH per_user AS (SELECT user_email, COUNT(*) AS n FROM events WHERE user_email IS NOT NULL GROUP BY user_email)
SELECT user_email, n FROM per_user WHERE n > (SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY n) FROM per_user) ORDER BY n DESC, user_email;

-- time-to-value: Hours from sign-up of the account to its first export
SELECT a.name, ROUND((EXTRACT(EPOCH FROM MIN(e.occurred_at) - a.signed_up_at) / 3600)::numeric, 1) AS hours FROM accounts a JOIN events e ON e.account_id = a.id AND e.name = 'export' GROUP BY a.id, a.name, a.signed_up_at ORDER BY hours, a.name LIMIT 15;

-- invoice-aging-json: Aging of the open invoices as one JSON text per currency
SELECT currency, STRING_AGG(invoice_no || '=' || subtotal, ';' ORDER BY invoice_no) AS list FROM invoices WHERE status = 'open' AND issued_on >= '2024-01-01' GROUP BY currency ORDER BY currency;

-- first-and-last-plan: First and last plan of each account in one row
SELECT DISTINCT a.name, FIRST_VALUE(s.plan_code) OVER w AS first_plan, LAST_VALUE(s.plan_code) OVER w AS last_plan, COUNT(*) OVER (PARTITION BY a.id) AS subscriptions
FROM subscriptions s JOIN accounts a ON a.id = s.account_id
WINDOW w AS (PARTITION BY a.id ORDER BY s.started_on, s.id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) ORDER BY a.name, 2, 3 LIMIT 30;

-- arr-by-country: Annual recurring revenue by country with shares and ranks
SELECT COALESCE(a.country, 'n/a') AS country, SUM(p.monthly_price * s.seats * 12) AS arr, RANK() OVER (ORDER BY SUM(p.monthly_price * s.seats) DESC) AS place, TO_CHAR(100.0 * SUM(p.monthly_price * s.seats) / SUM(SUM(p.monthly_price * s.seats)) OVER (), 'FM990.0') || '%' AS share
FROM subscriptions s JOIN plans p USING (plan_code) JOIN accounts a ON a.id = s.account_id WHERE s.ended_on IS NULL GROUP BY a.country ORDER BY place, country;

-- overlapping-subscriptions: Accounts with two subscriptions at the same time
SELECT x.account_id, x.plan_code, y.plan_code AS other FROM subscriptions x JOIN subscriptions y ON x.account_id = y.account_id AND x.id < y.id WHERE daterange(x.started_on, x.ended_on) && daterange(y.started_on, y.ended_on) ORDER BY 1, 2, 3;

-- overlap-by-dates: The same with comparisons of dates
SELECT COUNT(*) AS pairs FROM subscriptions x JOIN subscriptions y ON x.account_id = y.account_id AND x.id < y.id AND x.started_on < COALESCE(y.ended_on, DATE '9999-12-31') AND y.started_on < COALESCE(x.ended_on, DATE '9999-12-31');

-- tag-churn: Churn by tag of the account
SELECT t.tag, COUNT(DISTINCT a.id) AS accounts, COUNT(DISTINCT a.id) FILTER (WHERE s.ended_on IS NOT NULL) AS with_churn FROM accounts a CROSS JOIN LATERAL UNNEST(COALESCE(a.tags, ARRAY['(none)'])) AS t(tag) LEFT JOIN subscriptions s ON s.account_id = a.id GROUP BY t.tag ORDER BY t.tag;

-- sql-quotes: Text with quotes compared with literals
SELECT name, name = 'Quote "Q" Ltd' AS quoted, name LIKE '%''%' AS apostrophe, E'tab\there' AS tabbed FROM accounts WHERE name LIKE '%"%' OR name LIKE '%''%' ORDER BY name;

-- dollar-quotes: Dollar-quoted text
SELECT COUNT(*) AS n FROM tickets WHERE subject = $$Invoice wrong?$$ OR subject LIKE $tag$%Re:%$tag$;

-- settings-merge: Settings with a default for what is missing
SELECT name, COALESCE(settings->>'theme', 'light') || '/' || COALESCE(settings->'billing'->>'method', 'none') || '/' || COALESCE(settings->>'seats', '0') AS summary FROM accounts ORDER BY name, id LIMIT 20;

-- json-number-sum: Sums over JSON numbers by theme
SELECT settings->>'theme' AS theme, SUM((settings->>'seats')::int) AS seats, AVG((settings->>'seats')::float) AS mean, MAX((settings->'seats')::int) AS direct FROM accounts WHERE settings IS NOT NULL GROUP BY 1 ORDER BY 1;

-- json-boolean-logic: Conditions on nested JSON with missing keys
SELECT COUNT(*) FILTER (WHERE settings->'billing'->>'vat' IS NOT NULL) AS with_vat, COUNT(*) FILTER (WHERE settings->'billing'->>'vat' IS NULL AND settings->'billing' IS NOT NULL) AS without_vat, COUNT(*) FILTER (WHERE settings->'billing' IS NULL) AS no_billing, COUNT(*) AS n FROM accounts;

-- next-invoice: Days between invoices of a subscription and whether that is a month
SELECT subscription_id, issued_on, LEAD(issued_on) OVER w AS next_on, LEAD(issued_on) OVER w = (issued_on + INTERVAL '1 month')::date AS is_month FROM invoices WHERE currency = 'JPY' WINDOW w AS (PARTITION BY subscription_id ORDER BY issued_on, invoice_no) ORDER BY subscription_id, issued_on, invoice_no LIMIT 25;

-- working-hours: Tickets opened in working hours in Paris
SELECT CASE WHEN EXTRACT(ISODOW FROM opened_at AT TIME ZONE 'Europe/Paris') < 6 AND (opened_at AT TIME ZONE 'Europe/Paris')::time BETWEEN '09:00' AND '17:59:59.999999' THEN 'office' ELSE 'off' END AS kind, COUNT(*) AS n FROM tickets GROUP BY 1 ORDER BY 1;

-- date-text-mix: Dates compared with texts of several forms
SELECT COUNT(*) FILTER (WHERE issued_on >= '2024-01-01') AS iso, COUNT(*) FILTER (WHERE issued_on >= '20240101') AS basic, COUNT(*) FILTER (WHERE issued_on::text LIKE '2024-01%') AS prefix, COUNT(*) FILTER (WHERE EXTRACT(YEAR FROM issued_on) = '2024') AS by_year FROM invoices;

-- cube-three: Three dimensions in a cube, only the totals of two
SELECT currency, status, COUNT(*) AS n FROM invoices GROUP BY CUBE (currency, status) HAVING GROUPING(currency, status) > 0 ORDER BY currency NULLS LAST, status NULLS LAST;

-- lateral-chain: The newest invoice, its dearest item and the plan of each paying account
SELECT a.name, i.invoice_no, x.description, x.unit_price FROM accounts a
CROSS JOIN LATERAL (SELECT invoice_no FROM invoices v WHERE v.account_id = a.id AND v.status = 'paid' ORDER BY v.issued_on DESC, v.invoice_no DESC LIMIT 1) i
CROSS JOIN LATERAL (SELECT description, unit_price FROM invoice_items t WHERE t.invoice_no = i.invoice_no ORDER BY unit_price DESC, position LIMIT 1) x ORDER BY a.name, i.invoice_no LIMIT 20;
