-- balance-per-account: Balance of each account, zero for those without movements
SELECT a.iban, a.currency, COALESCE(SUM(m.amount), 0) AS balance
FROM accounts a
LEFT JOIN movements m ON m.iban = a.iban
GROUP BY a.iban, a.currency
ORDER BY balance DESC, a.iban;

-- running-balance: Running balance of one account after each movement
SELECT m.movement_id, m.booked_at, m.amount,
       SUM(m.amount) OVER (ORDER BY m.booked_at, m.movement_id ROWS UNBOUNDED PRECEDING) AS balance
FROM movements m
WHERE m.iban = (SELECT MIN(iban) FROM movements)
ORDER BY m.booked_at, m.movement_id;

-- month-end-balances: Balance of all euro accounts at the end of each month of 2024
SELECT me.day::date AS month_end,
       (SELECT COALESCE(SUM(m.amount), 0)
        FROM movements m JOIN accounts a ON a.iban = m.iban
        WHERE a.currency = 'EUR' AND m.booked_at < me.day + INTERVAL '1 day') AS balance
FROM (
  SELECT (DATE '2024-01-01' + (n || ' months')::interval - INTERVAL '1 day') AS day
  FROM generate_series(1, 12) AS n
) me
ORDER BY me.day;

-- overdrawn: Accounts that are below their overdraft
SELECT a.iban, a.overdraft, SUM(m.amount) AS balance
FROM accounts a
INNER JOIN movements m ON a.iban = m.iban
WHERE a.closed_on IS NULL
GROUP BY a.iban, a.overdraft
HAVING SUM(m.amount) < -a.overdraft
ORDER BY balance, a.iban;

-- lowest-point: The lowest running balance each account ever had, and when
WITH running AS (
    SELECT iban, booked_at, movement_id,
           SUM(amount) OVER (PARTITION BY iban ORDER BY booked_at, movement_id) AS balance
    FROM movements
)
SELECT DISTINCT ON (iban) iban, balance AS lowest, booked_at AS reached_at
FROM running
ORDER BY iban, balance, booked_at, movement_id;

-- in-euro: Balances in euro at the latest official or unofficial rate
WITH latest AS (
    SELECT currency, per_euro,
           ROW_NUMBER() OVER (PARTITION BY currency ORDER BY valid_from DESC) AS rn
    FROM rates
)
SELECT a.currency,
       SUM(m.amount) AS in_currency,
       ROUND(SUM(m.amount / COALESCE(l.per_euro, 1)), 2) AS in_euro
FROM movements m
JOIN accounts a ON a.iban = m.iban
LEFT JOIN latest l ON l.currency = a.currency AND l.rn = 1
GROUP BY a.currency
ORDER BY a.currency;

-- rate-of-the-day: Foreign movements in euro at the rate valid on their day
SELECT m.movement_id, a.currency, m.amount, r.per_euro, ROUND(m.amount / r.per_euro, 2) AS euro
FROM movements m
JOIN accounts a USING (iban)
LEFT JOIN LATERAL (
    SELECT x.per_euro
    FROM rates x
    WHERE x.currency = a.currency AND x.valid_from <= m.booked_at::date
    ORDER BY x.valid_from DESC
    LIMIT 1
) r ON true
WHERE a.currency <> 'EUR' AND m.movement_id <= 150
ORDER BY m.movement_id;

-- client-wealth: Sum over the accounts of each private client, only positive ones
SELECT c.client_id, c.last_name, SUM(b.balance) AS wealth
FROM clients c
JOIN accounts a ON a.client_id = c.client_id
JOIN (SELECT iban, SUM(amount) AS balance FROM movements GROUP BY iban) b ON b.iban = a.iban
WHERE TRIM(LOWER(c.kind)) = 'private'
GROUP BY c.client_id, c.last_name
HAVING SUM(b.balance) > 0
ORDER BY wealth DESC, c.client_id
LIMIT 20;

-- share-of-branch: Each branch's share of all deposits
SELECT b.name, SUM(m.amount) AS deposits,
       ROUND(100 * SUM(m.amount) / SUM(SUM(m.amount)) OVER (), 2) AS pct
FROM branches b
JOIN clients c ON c.branch_id = b.branch_id
JOIN accounts a ON a.client_id = c.client_id
JOIN movements m ON m.iban = a.iban
WHERE m.amount > 0
GROUP BY b.name
ORDER BY pct DESC;

-- idle-accounts: Open accounts without a movement in the last quarter of 2024
SELECT a.iban, a.product, MAX(m.booked_at) AS last_movement
FROM accounts a
LEFT JOIN movements m ON m.iban = a.iban
WHERE a.closed_on IS NULL
GROUP BY a.iban, a.product
HAVING MAX(m.booked_at) < '2024-10-01' OR MAX(m.booked_at) IS NULL
ORDER BY last_movement NULLS FIRST, a.iban;

-- interest-of-a-year: Interest of a year on positive savings balances, rounded to cents
SELECT a.iban, b.balance, a.rate, ROUND(b.balance * a.rate, 2) AS interest, TRUNC(b.balance * a.rate, 2) AS cut
FROM accounts a
JOIN (SELECT iban, SUM(amount) AS balance FROM movements GROUP BY iban) b ON b.iban = a.iban
WHERE a.product = 'savings' AND a.rate > 0 AND b.balance > 0
ORDER BY interest DESC, a.iban;

-- closing-after-opening: Accounts closed within a year, with their life in years, months and days
SELECT iban, opened_on, closed_on,
       EXTRACT(YEAR FROM AGE(closed_on, opened_on)) AS y,
       EXTRACT(MONTH FROM AGE(closed_on, opened_on)) AS m,
       EXTRACT(DAY FROM AGE(closed_on, opened_on)) AS d
FROM accounts
WHERE closed_on < opened_on + INTERVAL '1 year'
ORDER BY iban;

-- accounts-per-client: Number of clients by number of accounts
SELECT accounts, COUNT(*) AS clients
FROM (
    SELECT c.client_id, COUNT(a.iban) AS accounts
    FROM clients c
    LEFT JOIN accounts a ON a.client_id = c.client_id
    GROUP BY c.client_id
) n
GROUP BY accounts
ORDER BY accounts;

-- products-matrix: Which products does each client have?
SELECT c.client_id,
       BOOL_OR(a.product = 'checking') AS checking,
       BOOL_OR(a.product = 'savings') AS savings,
       BOOL_OR(a.product = 'deposit') AS deposit,
       STRING_AGG(DISTINCT a.currency, ',' ORDER BY a.currency) AS currencies
FROM clients c
JOIN accounts a USING (client_id)
GROUP BY c.client_id
ORDER BY c.client_id;

-- opened-per-year: Accounts opened and closed per year
SELECT y.year, COALESCE(o.opened, 0) AS opened, COALESCE(k.closed, 0) AS closed
FROM generate_series(2019, 2025) AS y(year)
LEFT JOIN (SELECT EXTRACT(YEAR FROM opened_on)::int AS year, COUNT(*) AS opened FROM accounts GROUP BY 1) o ON o.year = y.year
LEFT JOIN (SELECT EXTRACT(YEAR FROM closed_on)::int AS year, COUNT(*) AS closed FROM accounts WHERE closed_on IS NOT NULL GROUP BY 1) k ON k.year = y.year
ORDER BY y.year;

-- balance-signs: Accounts by sign of their balance
SELECT SIGN(balance) AS sign, COUNT(*) AS accounts, SUM(balance) AS total
FROM (SELECT iban, SUM(amount) AS balance FROM movements GROUP BY iban) b
GROUP BY SIGN(balance)
ORDER BY sign;

-- widest-swing: The ten accounts with the largest swing between two movements in a row
SELECT iban, MAX(ABS(amount - previous)) AS swing
FROM (
    SELECT iban, amount, LAG(amount) OVER (PARTITION BY iban ORDER BY booked_at, movement_id) AS previous
    FROM movements
) t
GROUP BY iban
HAVING MAX(ABS(amount - previous)) IS NOT NULL
ORDER BY swing DESC, iban
LIMIT 10;
