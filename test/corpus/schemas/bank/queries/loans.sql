-- outstanding: Outstanding principal per loan
SELECT l.loan_id, l.principal,
       l.principal - COALESCE(SUM(i.amount) FILTER (WHERE i.paid_on IS NOT NULL), 0) AS outstanding
FROM loans l
LEFT JOIN instalments i ON i.loan_id = l.loan_id
GROUP BY l.loan_id, l.principal
ORDER BY outstanding DESC, l.loan_id;

-- late-payments: Instalments paid late, and by how many days
SELECT loan_id, number, due_on, paid_on, paid_on - due_on AS days_late
FROM instalments
WHERE paid_on > due_on
ORDER BY days_late DESC, loan_id, number;

-- ageing: Ageing of what was due and unpaid on 31 December 2024
SELECT CASE
         WHEN DATE '2024-12-31' - due_on <= 30 THEN '0-30'
         WHEN DATE '2024-12-31' - due_on <= 90 THEN '31-90'
         ELSE '90+'
       END AS age, COUNT(*) AS n, SUM(amount) AS amount
FROM instalments
WHERE (paid_on IS NULL OR paid_on > DATE '2024-12-31') AND due_on <= DATE '2024-12-31'
GROUP BY 1
ORDER BY 1;

-- annuity: Monthly rate of each loan by the annuity formula
SELECT loan_id, principal, annual_rate, months,
       ROUND((principal * (annual_rate / 12) / (1 - POWER(1 + annual_rate / 12, -months)))::numeric, 2) AS rate
FROM loans
ORDER BY loan_id;

-- schedule: Due dates of every loan month by month from its start, the ends of months kept
SELECT l.loan_id, n.month, (l.start_on + (n.month || ' month')::interval)::date AS due
FROM loans l
CROSS JOIN generate_series(1, 3) AS n(month)
WHERE l.start_on IN ('2023-01-31', '2023-08-31', '2024-01-30')
ORDER BY l.loan_id, n.month;

-- maturity: Date of maturity, and whether it is in a leap year
SELECT loan_id, start_on, months, (start_on + months * INTERVAL '1 month')::date AS matures_on,
       EXTRACT(YEAR FROM start_on + months * INTERVAL '1 month')::int % 4 = 0 AS leap
FROM loans
ORDER BY matures_on, loan_id;

-- by-purpose: Loans by purpose with weighted mean of the rate
SELECT COALESCE(purpose, 'unknown') AS purpose, COUNT(*) AS n, SUM(principal) AS volume,
       ROUND((SUM(principal * annual_rate) / SUM(principal))::numeric, 5) AS weighted_rate
FROM loans
GROUP BY COALESCE(purpose, 'unknown')
ORDER BY volume DESC, purpose;

-- missed-in-a-row: Loans with two unpaid or late instalments in a row
WITH flagged AS (
    SELECT loan_id, number, (paid_on IS NULL OR paid_on > due_on + 5) AS bad
    FROM instalments
), pairs AS (
    SELECT loan_id, number, bad, LAG(bad) OVER (PARTITION BY loan_id ORDER BY number) AS bad_before
    FROM flagged
)
SELECT DISTINCT loan_id FROM pairs WHERE bad AND bad_before ORDER BY loan_id;

-- paid-in-time-rate: Share of instalments paid in time per loan
SELECT loan_id,
       COUNT(*) AS n,
       AVG((paid_on <= due_on)::int) AS in_time,
       ROUND(AVG(CASE WHEN paid_on <= due_on THEN 1 ELSE 0 END), 3) AS in_time_nulls_as_late
FROM instalments
GROUP BY loan_id
ORDER BY loan_id;

-- cash-plan: Expected instalments per month with a running total
SELECT TO_CHAR(due_on, 'YYYY/MM') AS month, SUM(amount) AS due, SUM(SUM(amount)) OVER (ORDER BY TO_CHAR(due_on, 'YYYY/MM')) AS cumulated
FROM instalments
GROUP BY TO_CHAR(due_on, 'YYYY/MM')
ORDER BY 1;

-- borrower-overview: Borrowers with number of loans, debt and best purpose text
SELECT c.client_id, c.last_name, COUNT(*) AS loans, SUM(l.principal) AS debt,
       STRING_AGG(COALESCE(l.purpose, '?'), '+' ORDER BY l.loan_id) AS purposes
FROM loans l
JOIN clients c ON c.client_id = l.client_id
GROUP BY c.client_id
HAVING COUNT(*) > 1
ORDER BY debt DESC, c.client_id;

-- longest-delay: The instalment of each loan that came latest, unpaid ones ignored
SELECT i.loan_id, i.number, i.paid_on - i.due_on AS delay
FROM instalments i
JOIN (
    SELECT loan_id, MAX(paid_on - due_on) AS delay FROM instalments GROUP BY loan_id
) m ON m.loan_id = i.loan_id AND m.delay = i.paid_on - i.due_on
ORDER BY delay DESC, i.loan_id, i.number;

-- interest-compound: A thousand euro at each rate after ten years
SELECT DISTINCT annual_rate, ROUND((1000 * POWER(1 + annual_rate, 10))::numeric, 2) AS after_ten, ROUND((LN(2) / LN(1 + annual_rate))::numeric, 3) AS years_to_double
FROM loans
ORDER BY annual_rate;

-- amortization: Rest of the debt of loan 1 month by month, by recursion
WITH RECURSIVE plan(month, rest) AS (
    SELECT 0, principal::numeric FROM loans WHERE loan_id = 1
    UNION ALL
    SELECT month + 1, ROUND(rest * 1.005 - 250, 2)
    FROM plan
    WHERE month < 12 AND rest > 0
)
SELECT month, rest FROM plan ORDER BY month;

-- unpaid-and-next: Unpaid instalments with the next one's due date
SELECT loan_id, number, due_on, next_due
FROM (
    SELECT loan_id, number, due_on, paid_on, LEAD(due_on) OVER (PARTITION BY loan_id ORDER BY number) AS next_due
    FROM instalments
) x
WHERE paid_on IS NULL
ORDER BY loan_id, number;
