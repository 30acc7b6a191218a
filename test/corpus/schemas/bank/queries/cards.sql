-- expired-but-active: Cards that had expired by the end of 2024 and are still active
SELECT card_id, number, expires_on FROM cards WHERE state = 'active' AND expires_on < '2024-12-31' ORDER BY card_id;

-- masked: Card numbers with brand and last four digits
SELECT card_id,
       CASE LEFT(number, 1) WHEN '4' THEN 'Visa' WHEN '5' THEN 'Mastercard' ELSE 'other' END AS brand,
       RIGHT(number, 4) AS last_four,
       TRANSLATE(number, '* ', '#') AS shown
FROM cards
ORDER BY card_id
LIMIT 30;

-- limits: Limits per state with NULL as unlimited
SELECT state, COUNT(*) AS cards, COUNT(monthly_limit) AS limited, MAX(COALESCE(monthly_limit, 99999)) AS highest, SUM(monthly_limit) AS total
FROM cards
GROUP BY state
ORDER BY state;

-- expiry-months: Cards per month of expiry, text by months
SELECT TO_CHAR(expires_on, 'MM/YY') AS expires, COUNT(*) AS cards
FROM cards
GROUP BY TO_CHAR(expires_on, 'MM/YY'), DATE_TRUNC('month', expires_on)
ORDER BY DATE_TRUNC('month', expires_on);

-- over-limit: Card spending per account and month above a tenth of the highest limit of its cards
WITH spending AS (
    SELECT iban, DATE_TRUNC('month', booked_at) AS month, -SUM(amount) AS spent
    FROM movements
    WHERE kind = 'card' AND amount < 0
    GROUP BY iban, DATE_TRUNC('month', booked_at)
), limits AS (
    SELECT iban, MAX(monthly_limit) AS lim FROM cards WHERE state = 'active' GROUP BY iban
)
SELECT s.iban, s.month::date AS month, s.spent, l.lim
FROM spending s
JOIN limits l ON l.iban = s.iban
WHERE s.spent > l.lim / 10
ORDER BY s.iban, s.month;

-- cards-per-account: Accounts with more than two cards
SELECT iban, COUNT(*) AS cards, ARRAY_AGG(state ORDER BY card_id) AS states
FROM cards
GROUP BY iban
HAVING COUNT(*) > 2
ORDER BY iban;

-- same-last-four: Cards that end in the same two digits
SELECT RIGHT(number, 2) AS ending, COUNT(*) AS n, MIN(card_id) AS first_card
FROM cards
GROUP BY RIGHT(number, 2)
HAVING COUNT(*) >= 3
ORDER BY n DESC, ending;

-- days-to-expiry: Days until expiry on New Year 2024, negative for expired ones
SELECT card_id, expires_on - DATE '2024-01-01' AS days,
       GREATEST(expires_on - DATE '2024-01-01', 0) AS days_left,
       LEAST(expires_on, DATE '2024-12-31') AS at_most
FROM cards
WHERE card_id % 5 = 0
ORDER BY card_id;

-- accounts-without-card: Open euro checking accounts without an active card
SELECT a.iban
FROM accounts a
WHERE a.product = 'checking' AND a.currency = 'EUR' AND a.closed_on IS NULL
  AND NOT EXISTS (SELECT 1 FROM cards k WHERE k.iban = a.iban AND k.state = 'active')
ORDER BY a.iban;

-- iban-checks: IBANs by length, prefix and digits
SELECT LENGTH(iban) AS len, LEFT(iban, 4) AS prefix, COUNT(*) AS n, BOOL_AND(iban ~ '^DE[0-9]{10}$') AS wellformed
FROM accounts
GROUP BY LENGTH(iban), LEFT(iban, 4)
ORDER BY n DESC, prefix
LIMIT 12;

-- iban-grouped: IBANs in blocks of four
SELECT iban, TRIM(REGEXP_REPLACE(iban, '(.{4})', '\1 ', 'g')) AS blocks
FROM accounts
ORDER BY iban
LIMIT 10;

-- rates-gaps: Months between two rates of a currency longer than a month
SELECT currency, valid_from, previous, valid_from - previous AS days
FROM (
    SELECT currency, valid_from, LAG(valid_from) OVER (PARTITION BY currency ORDER BY valid_from) AS previous
    FROM rates
) r
WHERE valid_from - previous > 31
ORDER BY currency, valid_from;

-- rates-pivot: Rates per day as columns
SELECT valid_from,
       MAX(per_euro) FILTER (WHERE currency = 'USD') AS usd,
       MAX(per_euro) FILTER (WHERE currency = 'GBP') AS gbp,
       MAX(per_euro) FILTER (WHERE currency = 'CHF') AS chf
FROM rates
GROUP BY valid_from
ORDER BY valid_from;

-- rates-change: Change of each rate against the one before in percent
SELECT currency, valid_from,
       ROUND(100 * (per_euro / LAG(per_euro) OVER w - 1), 4) AS change_pct,
       per_euro = MAX(per_euro) OVER (PARTITION BY currency) AS is_highest
FROM rates
WINDOW w AS (PARTITION BY currency ORDER BY valid_from)
ORDER BY currency, valid_from;

-- cross-rates: Rates of every currency in every other at the start of 2024
SELECT a.currency AS from_currency, b.currency AS to_currency, ROUND(b.per_euro / a.per_euro, 5) AS rate
FROM rates a
JOIN rates b ON a.valid_from = b.valid_from AND a.currency <> b.currency
WHERE a.valid_from = (SELECT MAX(valid_from) FROM rates WHERE valid_from <= '2024-01-15')
ORDER BY 1, 2;
