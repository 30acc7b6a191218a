-- per-kind: Number, sum, mean and median of the movements of each kind
SELECT kind, COUNT(*) AS n, SUM(amount) AS total, ROUND(AVG(amount), 2) AS mean,
       PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY amount) AS median
FROM movements
GROUP BY kind
ORDER BY kind;

-- in-and-out: Money in and out per month
SELECT TO_CHAR(booked_at, 'YYYY-MM') AS month,
       SUM(CASE WHEN amount > 0 THEN amount ELSE 0 END) AS money_in,
       SUM(CASE WHEN amount < 0 THEN -amount ELSE 0 END) AS money_out,
       SUM(amount) AS net
FROM movements
GROUP BY TO_CHAR(booked_at, 'YYYY-MM')
ORDER BY month;

-- partner-normalised: Spending per partner, cleaned of branch numbers and case
SELECT UPPER(TRIM(REGEXP_REPLACE(partner, '[0-9*]+.*$', ''))) AS partner_name,
       COUNT(*) AS n,
       -SUM(amount) AS spent
FROM movements
WHERE partner IS NOT NULL AND partner <> '' AND amount < 0
GROUP BY 1
ORDER BY spent DESC, partner_name;

-- salary-months: Months named in the texts of salaries
SELECT DISTINCT partner, SUBSTRING(partner, POSITION('SALARY' IN partner) + 7, 7) AS month_text
FROM movements
WHERE partner LIKE '%SALARY%';

-- duplicate-suspects: Movements of one account with the same amount within two hours
SELECT a.movement_id AS first, b.movement_id AS second, a.amount, b.booked_at - a.booked_at AS apart
FROM movements a
JOIN movements b
  ON a.iban = b.iban
 AND a.amount = b.amount
 AND a.movement_id < b.movement_id
 AND b.booked_at BETWEEN a.booked_at AND a.booked_at + INTERVAL '2 hours'
ORDER BY a.movement_id, b.movement_id;

-- midnight-bookings: Movements in the first or the last second of a day
SELECT booked_at::date AS day, COUNT(*) FILTER (WHERE booked_at = DATE_TRUNC('day', booked_at)) AS first_second,
       COUNT(*) FILTER (WHERE booked_at = DATE_TRUNC('day', booked_at) + INTERVAL '23:59:59') AS last_second
FROM movements
GROUP BY 1
HAVING COUNT(*) FILTER (WHERE booked_at::time IN (TIME '00:00:00', TIME '23:59:59')) > 0
ORDER BY 1;

-- value-date-lag: Days between booking and value date
SELECT value_date - booked_at::date AS lag_days, COUNT(*) AS n
FROM movements
GROUP BY 1
ORDER BY 1 NULLS LAST;

-- top-spending-days: The five days of each month with the highest spending
SELECT month, day, spent
FROM (
  SELECT DATE_TRUNC('month', day)::date AS month, day, spent,
         RANK() OVER (PARTITION BY DATE_TRUNC('month', day) ORDER BY spent DESC) AS r
  FROM (
    SELECT booked_at::date AS day, -SUM(amount) AS spent
    FROM movements
    WHERE amount < 0
    GROUP BY booked_at::date
  ) per_day
) ranked
WHERE r <= 5 AND month >= '2024-06-01'
ORDER BY month, r, day;

-- no-movement-days: Days of February 2024 without any booking
SELECT d::date AS day
FROM generate_series(TIMESTAMP '2024-02-01', TIMESTAMP '2024-02-29', INTERVAL '1 day') d
EXCEPT
SELECT booked_at::date FROM movements
ORDER BY day;

-- large-vs-mean: Movements more than twice as large as the account's mean of the same sign
SELECT m.movement_id, m.iban, m.amount
FROM movements m
WHERE ABS(m.amount) > 2 * (
    SELECT AVG(ABS(x.amount)) FROM movements x WHERE x.iban = m.iban AND SIGN(x.amount) = SIGN(m.amount)
)
ORDER BY m.movement_id
LIMIT 60;

-- fees-per-client: Fees per client and half-year
SELECT c.client_id,
       CONCAT(EXTRACT(YEAR FROM m.booked_at), '-H', CASE WHEN EXTRACT(MONTH FROM m.booked_at) <= 6 THEN 1 ELSE 2 END) AS half,
       SUM(-m.amount) AS fees
FROM movements m
JOIN accounts a ON a.iban = m.iban
JOIN clients c ON c.client_id = a.client_id
WHERE m.kind = 'fee'
GROUP BY 1, 2
HAVING SUM(-m.amount) > 0
ORDER BY fees DESC, c.client_id, half
LIMIT 40;

-- kinds-pivot: Sum of each kind per quarter
SELECT DATE_TRUNC('quarter', booked_at)::date AS quarter,
       SUM(amount) FILTER (WHERE kind = 'salary') AS salary,
       SUM(amount) FILTER (WHERE kind = 'card') AS card,
       SUM(amount) FILTER (WHERE kind = 'fee') AS fee,
       SUM(amount) FILTER (WHERE kind NOT IN ('salary', 'card', 'fee')) AS other
FROM movements
GROUP BY DATE_TRUNC('quarter', booked_at)
ORDER BY quarter;

-- first-of-kind: First movement of each kind per account, for accounts opened in 2023
SELECT iban, kind, booked_at, amount
FROM (
    SELECT m.iban, m.kind, m.booked_at, m.amount,
           ROW_NUMBER() OVER (PARTITION BY m.iban, m.kind ORDER BY m.booked_at, m.movement_id) AS n
    FROM movements m
    JOIN accounts a ON a.iban = m.iban
    WHERE a.opened_on BETWEEN DATE '2023-01-01' AND DATE '2023-12-31'
) f
WHERE n = 1
ORDER BY iban, kind;

-- bursts: Runs of movements of one account less than a day apart, of three or more
WITH marked AS (
    SELECT iban, booked_at, movement_id,
           CASE WHEN booked_at - LAG(booked_at) OVER (PARTITION BY iban ORDER BY booked_at, movement_id) < INTERVAL '24 hours'
                THEN 0 ELSE 1 END AS starts
    FROM movements
),
numbered AS (
    SELECT iban, booked_at,
           SUM(starts) OVER (PARTITION BY iban ORDER BY booked_at, movement_id) AS burst
    FROM marked
)
SELECT iban, burst, COUNT(*) AS n, MIN(booked_at) AS from_at, MAX(booked_at) AS to_at
FROM numbered
GROUP BY iban, burst
HAVING COUNT(*) >= 3
ORDER BY n DESC, iban, burst;

-- weekday-names: Spending by name of the weekday
SELECT TO_CHAR(booked_at, 'FMDay') AS weekday, COUNT(*) AS n, SUM(amount) AS total
FROM movements
WHERE amount < 0
GROUP BY TO_CHAR(booked_at, 'FMDay'), EXTRACT(DOW FROM booked_at)
ORDER BY EXTRACT(DOW FROM booked_at);

-- amount-text: Amounts as text with two digits and a sign
SELECT movement_id, TO_CHAR(amount, 'FM999999990.00') AS plain, TO_CHAR(amount, 'S99990.00') AS signed
FROM movements
WHERE movement_id <= 40
ORDER BY movement_id;

-- cumulative-by-kind: Cumulated sums per kind and month
WITH m AS (
  SELECT kind, date_trunc('month', booked_at)::date AS month, sum(amount) AS total
  FROM movements
  GROUP BY 1, 2
)
SELECT kind, month, total, sum(total) OVER (PARTITION BY kind ORDER BY month) AS cumulated
FROM m
ORDER BY kind, month;

-- share-within-account: Movements that make up more than a fifth of what an account spent
SELECT movement_id, iban, amount, ROUND(amount / spent, 3) AS share
FROM (
    SELECT movement_id, iban, amount, SUM(amount) OVER (PARTITION BY iban) AS spent
    FROM movements
    WHERE amount < 0
) s
WHERE amount / spent > 0.2
ORDER BY share DESC, movement_id;

-- blank-partners: Movements whose partner is missing, empty or given
SELECT CASE WHEN partner IS NULL THEN 'missing' WHEN partner = '' THEN 'empty' ELSE 'given' END AS partner_state,
       kind, COUNT(*) AS n
FROM movements
GROUP BY CUBE (1, 2)
ORDER BY 1 NULLS LAST, 2 NULLS LAST;

-- hours-of-day: Movements by three-hour slots
SELECT LPAD((EXTRACT(HOUR FROM booked_at)::int / 3 * 3)::text, 2, '0') || ':00' AS slot, COUNT(*) AS n
FROM movements
GROUP BY EXTRACT(HOUR FROM booked_at)::int / 3
ORDER BY slot;

-- between-timestamps: Movements of the last day of 2023, by BETWEEN and by half-open range
SELECT
  (SELECT COUNT(*) FROM movements WHERE booked_at BETWEEN '2023-12-31' AND '2023-12-31') AS at_midnight,
  (SELECT COUNT(*) FROM movements WHERE booked_at BETWEEN '2023-12-31 00:00:00' AND '2023-12-31 23:59:59') AS between_seconds,
  (SELECT COUNT(*) FROM movements WHERE booked_at >= '2023-12-31' AND booked_at < '2024-01-01') AS half_open,
  (SELECT COUNT(*) FROM movements WHERE booked_at::date = '2023-12-31') AS by_date;

-- lag-two: Each movement beside the one two before it
SELECT movement_id, amount,
       LAG(amount, 2, 0) OVER (PARTITION BY iban ORDER BY booked_at, movement_id) AS two_before,
       NTH_VALUE(amount, 2) OVER (PARTITION BY iban ORDER BY booked_at, movement_id
                                  ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS second
FROM movements
WHERE iban IN (SELECT iban FROM accounts WHERE currency = 'CHF')
ORDER BY movement_id;

-- same-amount-groups: Amounts that occur on more than thirty accounts
SELECT amount, COUNT(DISTINCT iban) AS accounts, MIN(booked_at)::date AS first_day, MAX(booked_at)::date AS last_day
FROM movements
GROUP BY amount
HAVING COUNT(DISTINCT iban) > 30
ORDER BY accounts DESC, amount;
