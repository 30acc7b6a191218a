-- monthly-statement: Statement of an account per month: opening balance, in, out, closing balance
WITH m AS (
    SELECT DATE_TRUNC('month', booked_at)::date AS month,
           SUM(amount) FILTER (WHERE amount > 0) AS money_in,
           SUM(amount) FILTER (WHERE amount < 0) AS money_out,
           SUM(amount) AS net
    FROM movements
    WHERE iban = (SELECT iban FROM movements GROUP BY iban ORDER BY COUNT(*) DESC, iban LIMIT 1)
    GROUP BY DATE_TRUNC('month', booked_at)::date
)
SELECT month,
       SUM(net) OVER (ORDER BY month) - net AS opening,
       COALESCE(money_in, 0) AS money_in,
       COALESCE(money_out, 0) AS money_out,
       SUM(net) OVER (ORDER BY month) AS closing
FROM m
ORDER BY month;

-- dormant-segments: Clients in segments by their last movement before 2025
WITH last_seen AS (
    SELECT c.client_id, MAX(m.booked_at) AS last_at
    FROM clients c
    LEFT JOIN accounts a ON a.client_id = c.client_id
    LEFT JOIN movements m ON m.iban = a.iban
    GROUP BY c.client_id
)
SELECT
    CASE
        WHEN last_at IS NULL THEN 'never'
        WHEN last_at >= TIMESTAMP '2025-01-01' - INTERVAL '30 days' THEN 'active'
        WHEN last_at >= TIMESTAMP '2025-01-01' - INTERVAL '90 days' THEN 'cooling'
        ELSE 'dormant'
    END AS segment,
    COUNT(*) AS clients,
    ROUND(COUNT(*) * 100.0 / SUM(COUNT(*)) OVER (), 1) AS pct
FROM last_seen
GROUP BY 1
ORDER BY clients DESC, segment;

-- portfolio: Loans by size class and purpose with subtotals
SELECT CASE WHEN GROUPING(size) = 1 THEN 'all sizes' ELSE size END AS size,
       CASE WHEN GROUPING(purpose) = 1 THEN 'all purposes' ELSE COALESCE(purpose, 'unknown') END AS purpose,
       COUNT(*) AS loans, SUM(principal) AS volume
FROM (SELECT CASE WHEN principal < 10000 THEN 'small' WHEN principal < 25000 THEN 'medium' ELSE 'large' END AS size, purpose, principal FROM loans) l
GROUP BY ROLLUP (size, purpose)
ORDER BY GROUPING(size), l.size, GROUPING(purpose), l.purpose NULLS LAST;

-- fraud-rules: Movements flagged by several rules with their points
SELECT m.movement_id,
       (ABS(m.amount) >= 1000)::int * 2
         + (EXTRACT(HOUR FROM m.booked_at) < 5)::int
         + (m.partner IS NULL OR TRIM(m.partner) = '')::int
         + (a.currency <> 'EUR')::int AS points
FROM movements m
JOIN accounts a ON a.iban = m.iban
WHERE (ABS(m.amount) >= 1000)::int * 2 + (EXTRACT(HOUR FROM m.booked_at) < 5)::int + (m.partner IS NULL OR TRIM(m.partner) = '')::int + (a.currency <> 'EUR')::int >= 4
ORDER BY points DESC, m.movement_id;

-- salary-regularity: Accounts with a salary in at least three months of 2024
SELECT iban, COUNT(DISTINCT DATE_TRUNC('month', booked_at)) AS months, MIN(booked_at)::date AS first_day, ROUND(AVG(amount), 2) AS mean
FROM movements
WHERE kind = 'salary' AND booked_at >= '2024-01-01' AND booked_at < '2025-01-01'
GROUP BY iban
HAVING COUNT(DISTINCT DATE_TRUNC('month', booked_at)) >= 3
ORDER BY months DESC, iban;

-- branch-league: Branches in a league of clients, accounts, deposits and loans
SELECT b.name,
       COUNT(DISTINCT c.client_id) AS clients,
       COUNT(DISTINCT a.iban) AS accounts,
       COUNT(DISTINCT l.loan_id) AS loans,
       (SELECT COALESCE(SUM(m.amount), 0) FROM movements m JOIN accounts x ON x.iban = m.iban JOIN clients y ON y.client_id = x.client_id WHERE y.branch_id = b.branch_id) AS deposits
FROM branches b
LEFT JOIN clients c ON c.branch_id = b.branch_id
LEFT JOIN accounts a ON a.client_id = c.client_id
LEFT JOIN loans l ON l.client_id = c.client_id
GROUP BY b.branch_id, b.name
ORDER BY deposits DESC;

-- currency-exposure: Exposure per currency in euro at the last rate of each quarter of 2024
WITH quarter_ends AS (
    SELECT (q + INTERVAL '3 months' - INTERVAL '1 day')::date AS day
    FROM generate_series(TIMESTAMP '2024-01-01', TIMESTAMP '2024-10-01', INTERVAL '3 months') AS q
),
rate AS (
    SELECT e.day, c.currency,
           (SELECT r.per_euro FROM rates r WHERE r.currency = c.currency AND r.valid_from <= e.day ORDER BY r.valid_from DESC LIMIT 1) AS per_euro
    FROM quarter_ends e CROSS JOIN (SELECT DISTINCT currency FROM accounts) c
)
SELECT r.day, r.currency, ROUND(COALESCE(SUM(m.amount), 0) / COALESCE(r.per_euro, 1), 2) AS euro
FROM rate r
LEFT JOIN accounts a ON a.currency = r.currency
LEFT JOIN movements m ON m.iban = a.iban AND m.booked_at::date <= r.day
GROUP BY r.day, r.currency, r.per_euro
ORDER BY r.day, r.currency;

-- tableau-bins: A histogram as Tableau writes it
SELECT (FLOOR("movements"."amount" / 500) * 500) AS "amount (bin)", SUM(1) AS "cnt:movements:ok"
FROM "public"."movements" "movements"
WHERE (("movements"."booked_at" >= (TIMESTAMP '2024-01-01 00:00:00.000')) AND ("movements"."booked_at" < (TIMESTAMP '2024-07-01 00:00:00.000')))
GROUP BY 1
HAVING (COUNT(1) > 0)
ORDER BY 1;

-- redash-parameters: A query as a dashboard fills in its parameters
SELECT m.kind, count(*) AS "Count", sum(m.amount) AS "Sum"
FROM movements m
WHERE m.booked_at >= '2024-03-01 00:00' AND m.booked_at <= '2024-03-31 23:59'
  AND ('all' = 'all' OR m.kind = 'all')
  AND m.kind IN ('card','fee','cash')
GROUP BY 1
ORDER BY 3 DESC
LIMIT 1000;

-- month-over-month-pivot: Two months beside each other with absolute and relative change
SELECT kind, february, march, march - february AS change, ROUND((march - february) / NULLIF(ABS(february), 0) * 100, 1) AS change_pct
FROM (
  SELECT kind,
         COALESCE(SUM(amount) FILTER (WHERE booked_at >= '2024-02-01' AND booked_at < '2024-03-01'), 0) AS february,
         COALESCE(SUM(amount) FILTER (WHERE booked_at >= '2024-03-01' AND booked_at < '2024-04-01'), 0) AS march
  FROM movements
  GROUP BY kind
) p
ORDER BY kind;

-- top-percent: Accounts that hold the top tenth of all money in
WITH t AS (
  SELECT iban, SUM(amount) AS money_in, CUME_DIST() OVER (ORDER BY SUM(amount) DESC) AS cd
  FROM movements
  WHERE amount > 0
  GROUP BY iban
)
SELECT iban, money_in FROM t WHERE cd <= 0.1 ORDER BY money_in DESC, iban;

-- gini: Gini coefficient of the positive balances
WITH b AS (
    SELECT balance, ROW_NUMBER() OVER (ORDER BY balance) AS i, COUNT(*) OVER () AS n
    FROM (SELECT SUM(amount) AS balance FROM movements GROUP BY iban) s
    WHERE balance > 0
)
SELECT ROUND(2 * SUM(i * balance) / (MAX(n) * SUM(balance)) - (MAX(n) + 1.0) / MAX(n), 4) AS gini FROM b;

-- list-of-clients-per-branch: Names per branch in one text, empty names shown
SELECT b.name, STRING_AGG(COALESCE(NULLIF(c.last_name, ''), '<empty>'), ', ' ORDER BY c.last_name, c.client_id) AS names
FROM branches b
JOIN clients c ON c.branch_id = b.branch_id
WHERE c.client_id <= 40
GROUP BY b.name
ORDER BY b.name;

-- instalment-calendar: Sum due and sum paid per ISO week of the summer
SELECT COALESCE(d.week, p.week) AS week, COALESCE(d.due, 0) AS due, COALESCE(p.paid, 0) AS paid
FROM (SELECT TO_CHAR(due_on, 'IYYY-IW') AS week, SUM(amount) AS due FROM instalments GROUP BY 1) d
FULL OUTER JOIN (SELECT TO_CHAR(paid_on, 'IYYY-IW') AS week, SUM(amount) AS paid FROM instalments WHERE paid_on IS NOT NULL GROUP BY 1) p ON p.week = d.week
WHERE COALESCE(d.week, p.week) BETWEEN '2023-26' AND '2023-40'
ORDER BY 1;

-- value-date-shift: Movements whose value date is in another month than their booking
SELECT TO_CHAR(booked_at, 'YYYY-MM') AS booked, TO_CHAR(value_date, 'YYYY-MM') AS valued, COUNT(*) AS n, SUM(amount) AS amount
FROM movements
WHERE TO_CHAR(booked_at, 'YYYY-MM') <> TO_CHAR(value_date, 'YYYY-MM')
GROUP BY 1, 2
ORDER BY 1, 2;

-- self-join-transfers: Possible transfers between accounts of one client on the same day
SELECT o.movement_id AS outgoing, i.movement_id AS incoming, i.amount
FROM movements o
JOIN accounts ao ON ao.iban = o.iban
JOIN accounts ai ON ai.client_id = ao.client_id AND ai.iban <> ao.iban
JOIN movements i ON i.iban = ai.iban AND i.booked_at::date = o.booked_at::date AND SIGN(i.amount) = 1
WHERE o.amount < 0
ORDER BY 1, 2
LIMIT 40;
