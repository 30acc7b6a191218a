-- revenue-by-month: Paid revenue per month and currency
SELECT to_char(issued_on, 'YYYY-MM') AS month, currency, sum(subtotal + coalesce(tax, 0)) AS gross
FROM invoices WHERE status = 'paid' GROUP BY 1, 2 ORDER BY 1, 2;

-- overdue: Open invoices by age class on the first of April 2024
SELECT CASE
         WHEN DATE '2024-04-01' - due_on <= 0 THEN 'not due'
         WHEN DATE '2024-04-01' - due_on <= 30 THEN '1-30'
         WHEN DATE '2024-04-01' - due_on <= 60 THEN '31-60'
         WHEN DATE '2024-04-01' - due_on <= 90 THEN '61-90'
         ELSE '90+'
       END AS bucket,
       COUNT(*) AS invoices, SUM(subtotal) AS amount
FROM invoices WHERE status = 'open' GROUP BY 1 ORDER BY MIN(DATE '2024-04-01' - due_on);

-- days-to-pay: Days from issue to payment per currency
SELECT currency, COUNT(*) AS paid, ROUND(AVG(paid_at::date - issued_on), 2) AS avg_days, MAX(paid_at::date - issued_on) AS worst
FROM invoices WHERE paid_at IS NOT NULL GROUP BY currency ORDER BY currency;

-- paid-late: Share of invoices paid after they were due
SELECT ROUND(100.0 * SUM(CASE WHEN paid_at::date > due_on THEN 1 ELSE 0 END) / COUNT(*), 2) AS late_pct FROM invoices WHERE status = 'paid';

-- tax-rate: Effective tax rate, missing taxes kept apart
SELECT COUNT(*) AS n, COUNT(tax) AS with_tax, SUM(tax) / SUM(subtotal) FILTER (WHERE tax IS NOT NULL) AS rate FROM invoices WHERE subtotal > 0;

-- invoice-number: Year and running number of the invoice numbers
SELECT invoice_no, SPLIT_PART(invoice_no, '-', 2)::int AS year, LTRIM(SPLIT_PART(invoice_no, '-', 3), '0') AS number FROM invoices ORDER BY invoice_no LIMIT 12;

-- number-gaps: Are there gaps in the running numbers?
SELECT COUNT(*) AS gaps FROM (
  SELECT RIGHT(invoice_no, 5)::int AS n, LAG(RIGHT(invoice_no, 5)::int) OVER (ORDER BY RIGHT(invoice_no, 5)) AS p FROM invoices
) t WHERE n - p > 1;

-- eur-conversion: Revenue in EUR by the latest rate before the issue
SELECT i.currency, COUNT(*) AS n,
       ROUND(SUM(i.subtotal * CASE WHEN i.currency = 'EUR' THEN 1 ELSE r.rate END), 2) AS eur
FROM invoices i
LEFT JOIN LATERAL (
  SELECT rate FROM exchange_rates x WHERE x.currency = i.currency AND x.day <= i.issued_on ORDER BY x.day DESC LIMIT 1
) r ON TRUE
WHERE i.status = 'paid'
GROUP BY i.currency ORDER BY i.currency;

-- rate-validity: Rates with the day until which they hold
SELECT currency, day, rate, COALESCE(LEAD(day) OVER (PARTITION BY currency ORDER BY day) - 1, DATE '2024-12-31') AS valid_to FROM exchange_rates ORDER BY currency, day;

-- rate-change: Daily change of the rates in basis points
SELECT currency, day, ROUND((rate / LAG(rate) OVER (PARTITION BY currency ORDER BY day) - 1) * 10000, 2) AS bp FROM exchange_rates ORDER BY 1, 2;

-- rate-extremes: Lowest and highest rate per currency and the days they held
SELECT DISTINCT currency,
       FIRST_VALUE(day) OVER w AS lowest_on, MIN(rate) OVER (PARTITION BY currency) AS lowest,
       LAST_VALUE(day) OVER (PARTITION BY currency ORDER BY rate, day ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS highest_on
FROM exchange_rates WINDOW w AS (PARTITION BY currency ORDER BY rate, day) ORDER BY currency;

-- full-precision: Rates with all ten digits multiplied
SELECT currency, day, rate * 1000000 AS per_million, rate * rate AS squared FROM exchange_rates WHERE day < '2023-02-01' ORDER BY 1, 2;

-- items-sum: Sum of the items against the subtotal
SELECT i.invoice_no, i.subtotal, SUM(x.quantity * x.unit_price) AS items, i.subtotal - SUM(x.quantity * x.unit_price) AS difference
FROM invoices i JOIN invoice_items x ON x.invoice_no = i.invoice_no
GROUP BY i.invoice_no HAVING i.subtotal <> SUM(x.quantity * x.unit_price)
ORDER BY ABS(i.subtotal - SUM(x.quantity * x.unit_price)) DESC, i.invoice_no LIMIT 15;

-- kinds: Amount by kind of item
SELECT kind, COUNT(*) AS items, ROUND(SUM(quantity * unit_price), 2) AS amount, ROUND(AVG(unit_price), 4) AS avg_price FROM invoice_items GROUP BY kind ORDER BY kind;

-- soft-hyphen: Items whose text has characters beyond ASCII
SELECT DISTINCT description, LENGTH(description) AS characters, OCTET_LENGTH(description) AS bytes FROM invoice_items WHERE description ~ '[^ -~]' ORDER BY 1;

-- meta-po: Purchase orders from the metadata
SELECT meta->>'po' AS po, COUNT(*) AS n FROM invoices WHERE meta->>'po' IS NOT NULL GROUP BY 1 ORDER BY n DESC, po LIMIT 10;

-- meta-null-kinds: JSON null, missing key and missing document
SELECT CASE WHEN meta IS NULL THEN 'no document' WHEN jsonb_typeof(meta->'po') = 'null' THEN 'json null' WHEN meta->'po' IS NULL THEN 'no key' ELSE 'value' END AS kind, COUNT(*) AS n
FROM invoices GROUP BY 1 ORDER BY 1;

-- meta-attempts: Payment attempts, averaged by status
SELECT status, AVG((meta->>'attempts')::numeric) AS avg_attempts, MAX((meta->>'attempts')::int) AS most FROM invoices GROUP BY status ORDER BY status;

-- meta-lines: Lines inside the metadata as rows
SELECT l.value->>'sku' AS sku, SUM((l.value->>'n')::int) AS seats FROM invoices i CROSS JOIN LATERAL jsonb_array_elements(i.meta->'lines') AS l(value) GROUP BY 1 ORDER BY 1;

-- json-path: The first line's sku by path
SELECT meta #>> '{lines,0,sku}' AS sku, COUNT(*) AS n FROM invoices WHERE meta IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1;

-- status-cross: Status by currency as a matrix with totals
SELECT status, COUNT(*) FILTER (WHERE currency = 'EUR') AS eur, COUNT(*) FILTER (WHERE currency = 'USD') AS usd, COUNT(*) FILTER (WHERE currency = 'JPY') AS jpy, COUNT(*) AS total
FROM invoices GROUP BY ROLLUP (status) ORDER BY status NULLS LAST;

-- largest-per-account: The largest invoice of each account
SELECT DISTINCT ON (a.id) a.name, i.invoice_no, i.subtotal FROM invoices i JOIN accounts a ON a.id = i.account_id ORDER BY a.id, i.subtotal DESC, i.invoice_no;

-- ltv: Lifetime value per account in its main currency
WITH paid AS (
  SELECT account_id, currency, SUM(subtotal) AS total, COUNT(*) AS n FROM invoices WHERE status = 'paid' GROUP BY account_id, currency
), ranked AS (
  SELECT *, ROW_NUMBER() OVER (PARTITION BY account_id ORDER BY total DESC, currency) AS rn FROM paid
)
SELECT a.name, r.currency, r.total, r.n FROM ranked r JOIN accounts a ON a.id = r.account_id WHERE r.rn = 1 ORDER BY r.total DESC, a.name LIMIT 20;

-- quarter-to-date: Running revenue within each quarter
SELECT issued_on, subtotal, SUM(subtotal) OVER (PARTITION BY date_trunc('quarter', issued_on) ORDER BY issued_on, invoice_no) AS qtd
FROM invoices WHERE currency = 'EUR' AND status = 'paid' ORDER BY issued_on, invoice_no LIMIT 60;

-- year-over-year: January to March of both years compared
SELECT EXTRACT(MONTH FROM issued_on)::int AS month,
       SUM(CASE WHEN EXTRACT(YEAR FROM issued_on) = 2023 THEN subtotal END) AS y2023,
       SUM(CASE WHEN EXTRACT(YEAR FROM issued_on) = 2024 THEN subtotal END) AS y2024
FROM invoices WHERE EXTRACT(MONTH FROM issued_on) <= 3 GROUP BY 1 ORDER BY 1;

-- payment-weekday: Weekdays on which people pay
SELECT TRIM(TO_CHAR(paid_at, 'Day')) AS weekday, COUNT(*) AS n FROM invoices WHERE paid_at IS NOT NULL GROUP BY TRIM(TO_CHAR(paid_at, 'Day')), EXTRACT(ISODOW FROM paid_at) ORDER BY EXTRACT(ISODOW FROM paid_at);

-- end-of-month: Invoices issued on the last day of a month
SELECT invoice_no, issued_on FROM invoices WHERE issued_on + 1 = date_trunc('month', issued_on + 1)::date ORDER BY invoice_no;

-- void-rate: Void and uncollectible invoices per plan
SELECT s.plan_code, COUNT(*) AS invoices, SUM((i.status IN ('void', 'uncollectible'))::int) AS bad, ROUND(SUM((i.status IN ('void', 'uncollectible'))::int)::numeric / COUNT(*) * 100, 1) AS bad_pct
FROM invoices i JOIN subscriptions s ON s.id = i.subscription_id GROUP BY s.plan_code ORDER BY bad_pct DESC, s.plan_code;

-- formatted-total: Totals formatted for a mail
SELECT currency, TO_CHAR(SUM(subtotal), '999G999G990D00') AS total FROM invoices GROUP BY currency ORDER BY currency;

-- unpaid-chain: Accounts with three or more unpaid invoices in a row
WITH seq AS (
  SELECT account_id, invoice_no, status,
         ROW_NUMBER() OVER (PARTITION BY account_id ORDER BY issued_on, invoice_no)
       - ROW_NUMBER() OVER (PARTITION BY account_id, (status = 'paid') ORDER BY issued_on, invoice_no) AS grp
  FROM invoices
)
SELECT account_id, COUNT(*) AS unpaid_in_a_row FROM seq WHERE status <> 'paid' GROUP BY account_id, grp HAVING COUNT(*) >= 2 ORDER BY 2 DESC, 1;

-- average-basket: Items per invoice and their average price
SELECT ROUND(AVG(n), 3) AS items_per_invoice, ROUND(AVG(total), 2) AS avg_total FROM (SELECT invoice_no, COUNT(*) AS n, SUM(quantity * unit_price) AS total FROM invoice_items GROUP BY invoice_no) t;
