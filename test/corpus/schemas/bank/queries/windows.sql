-- frame-groups: Sums over the current and the previous group of equal days
SELECT day, n, SUM(n) OVER (ORDER BY day GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) AS two_days
FROM (SELECT booked_at::date AS day, COUNT(*) AS n FROM movements WHERE booked_at < '2023-12-01' GROUP BY 1) t
ORDER BY day;

-- frame-following: Mean of the three movements around each one of an account
SELECT movement_id, amount, ROUND(AVG(amount) OVER (PARTITION BY iban ORDER BY booked_at, movement_id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING), 2) AS mean3
FROM movements
WHERE iban IN (SELECT iban FROM accounts WHERE product = 'deposit' AND currency = 'GBP')
ORDER BY movement_id;

-- exclude-current: Each account's balance compared with the mean of the others of the client
SELECT a.client_id, a.iban, b.balance, ROUND(AVG(b.balance) OVER (PARTITION BY a.client_id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING EXCLUDE CURRENT ROW), 2) AS others
FROM accounts a
JOIN (SELECT iban, SUM(amount) AS balance FROM movements GROUP BY iban) b USING (iban)
ORDER BY a.client_id, a.iban
LIMIT 60;

-- range-numbers: Clients within fifty points of each score
SELECT client_id, score, COUNT(*) OVER (ORDER BY score RANGE BETWEEN 50 PRECEDING AND 50 FOLLOWING) AS near
FROM clients
WHERE score IS NOT NULL
ORDER BY score, client_id;

-- filter-window: Running number of salaries beside the running number of all movements
SELECT movement_id, COUNT(*) FILTER (WHERE kind = 'salary') OVER w AS salaries, COUNT(*) OVER w AS movements
FROM movements
WHERE movement_id <= 80
WINDOW w AS (ORDER BY movement_id)
ORDER BY movement_id;

-- last-non-null: Last known partner of each account at each movement, by counting groups
SELECT movement_id, partner, MAX(partner) OVER (PARTITION BY iban, grp) AS known
FROM (
    SELECT movement_id, iban, partner, COUNT(partner) OVER (PARTITION BY iban ORDER BY booked_at, movement_id) AS grp
    FROM movements
) g
WHERE movement_id <= 120
ORDER BY movement_id;

-- ntile-groups: Balances in four groups with bounds
SELECT q, COUNT(*) AS accounts, MIN(balance) AS lo, MAX(balance) AS hi
FROM (SELECT iban, SUM(amount) AS balance, NTILE(4) OVER (ORDER BY SUM(amount), iban) AS q FROM movements GROUP BY iban) t
GROUP BY q
ORDER BY q;

-- named-windows: Two windows of which one builds on the other
SELECT loan_id, number, amount, SUM(amount) OVER so_far AS so_far, SUM(amount) OVER whole AS whole, ROUND(SUM(amount) OVER so_far / SUM(amount) OVER whole, 4) AS share
FROM instalments
WHERE loan_id <= 8
WINDOW whole AS (PARTITION BY loan_id), so_far AS (whole ORDER BY number)
ORDER BY loan_id, number;

-- rank-kinds: All ranking functions side by side over ties
SELECT client_id, score, ROW_NUMBER() OVER (ORDER BY score DESC, client_id) AS rn, RANK() OVER (ORDER BY score DESC) AS rk,
       DENSE_RANK() OVER (ORDER BY score DESC) AS dr, ROUND(CUME_DIST() OVER (ORDER BY score DESC)::numeric, 4) AS cd
FROM clients
WHERE score > 700
ORDER BY rn;

-- nulls-in-rank: Ranks with NULL scores first and last
SELECT client_id, score, RANK() OVER (ORDER BY score NULLS FIRST) AS nulls_first, RANK() OVER (ORDER BY score DESC NULLS LAST) AS nulls_last
FROM clients
WHERE client_id <= 45
ORDER BY client_id;

-- lead-default: Next due date with a default, and whether it is more than a month away
SELECT loan_id, number, due_on, LEAD(due_on, 1, DATE '9999-12-31') OVER (PARTITION BY loan_id ORDER BY number) AS next_due,
       LEAD(due_on) OVER (PARTITION BY loan_id ORDER BY number) - due_on > 30 AS long_gap
FROM instalments
WHERE loan_id BETWEEN 3 AND 7
ORDER BY loan_id, number;

-- window-over-aggregate: Each kind's share of the month and its place
SELECT TO_CHAR(booked_at, 'YYYY-MM') AS month, kind, COUNT(*) AS n,
       ROUND(COUNT(*)::numeric / SUM(COUNT(*)) OVER (PARTITION BY TO_CHAR(booked_at, 'YYYY-MM')), 3) AS share,
       RANK() OVER (PARTITION BY TO_CHAR(booked_at, 'YYYY-MM') ORDER BY COUNT(*) DESC) AS place
FROM movements
WHERE booked_at >= '2024-10-01'
GROUP BY TO_CHAR(booked_at, 'YYYY-MM'), kind
ORDER BY month, place, kind;

-- qualify-by-subquery: The largest movement of each kind and quarter
SELECT quarter, kind, movement_id, amount
FROM (
  SELECT DATE_TRUNC('quarter', booked_at)::date AS quarter, kind, movement_id, amount,
         ROW_NUMBER() OVER (PARTITION BY DATE_TRUNC('quarter', booked_at), kind ORDER BY ABS(amount) DESC, movement_id) AS rn
  FROM movements
) t
WHERE rn = 1
ORDER BY quarter, kind;

-- difference-from-first: Rates relative to the first and the last rate of their currency
SELECT currency, valid_from, per_euro - FIRST_VALUE(per_euro) OVER w AS from_first,
       per_euro - LAST_VALUE(per_euro) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS from_last
FROM rates
WINDOW w AS (PARTITION BY currency ORDER BY valid_from)
ORDER BY currency, valid_from;

-- longest-streak-up: Longest run of rising rates per currency
WITH d AS (
  SELECT currency, valid_from, CASE WHEN per_euro > LAG(per_euro) OVER (PARTITION BY currency ORDER BY valid_from) THEN 0 ELSE 1 END AS breaks
  FROM rates
), g AS (
  SELECT currency, valid_from, SUM(breaks) OVER (PARTITION BY currency ORDER BY valid_from) AS run FROM d
)
SELECT currency, MAX(n) AS longest FROM (SELECT currency, run, COUNT(*) AS n FROM g GROUP BY currency, run) r GROUP BY currency ORDER BY currency;

-- distinct-window: Distinct kinds so far by first occurrence
SELECT day, SUM(is_first) OVER (ORDER BY day) AS kinds_so_far
FROM (
    SELECT booked_at::date AS day,
           SUM(CASE WHEN first_time THEN 1 ELSE 0 END) AS is_first
    FROM (SELECT booked_at, ROW_NUMBER() OVER (PARTITION BY iban ORDER BY booked_at, movement_id) = 1 AS first_time FROM movements) m
    GROUP BY booked_at::date
) d
ORDER BY day
LIMIT 50;
