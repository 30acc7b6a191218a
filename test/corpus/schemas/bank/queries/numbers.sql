-- rounding-halves: Halves of cents rounded, cut, floored and ceiled
SELECT DISTINCT amount, ROUND(amount / 2, 2) AS half, TRUNC(amount / 2, 2) AS cut, FLOOR(amount / 2) AS floored, CEIL(amount / 2) AS ceiled
FROM movements
WHERE kind <> 'salary'
ORDER BY amount;

-- integer-division: Quotients and remainders of scores, also negative
SELECT DISTINCT score, score / 7 AS quotient, score % 7 AS remainder, -score / 7 AS negative, MOD(-score, 7) AS negative_remainder
FROM clients
WHERE score > 750
ORDER BY score;

-- division-by-zero-guard: Amount per unit of overdraft, zero overdrafts guarded
SELECT iban, overdraft, ROUND(1000 / NULLIF(overdraft, 0), 4) AS per_thousand, COALESCE(1 / NULLIF(rate, 0), -1) AS years
FROM accounts
ORDER BY iban
LIMIT 40;

-- powers-and-logs: Powers, roots and logarithms of principals
SELECT loan_id, SQRT(principal) AS root, ROUND(LN(principal), 6) AS ln, ROUND(LOG(principal), 6) AS log10, ROUND(POWER(principal, 0.25), 5) AS fourth, ROUND(EXP(annual_rate)::numeric, 8) AS exp_rate
FROM loans
ORDER BY loan_id
LIMIT 15;

-- mixed-types: Integer, decimal and double together
SELECT loan_id, principal * annual_rate AS mixed, principal / months AS exact, months / 5 AS ints, months / 5.0 AS decimals, 1.0 * months / 7 AS quotient
FROM loans
ORDER BY loan_id;

-- percentages-sum: Percentages that need not add up to a hundred
SELECT currency, ROUND(COUNT(*) * 100.0 / SUM(COUNT(*)) OVER (), 0) AS pct, SUM(ROUND(COUNT(*) * 100.0 / 150, 0)) OVER (ORDER BY currency) AS cumulated
FROM accounts
GROUP BY currency
ORDER BY currency;

-- casts-around: Amounts as integer, text, double and short decimal
SELECT DISTINCT amount, amount::int AS as_int, amount::text AS as_text, amount::float8 AS as_double, amount::numeric(10,1) AS one_digit, CAST(amount AS varchar(4)) AS cut_text
FROM movements
WHERE amount BETWEEN -130 AND 60
ORDER BY amount;

-- greatest-least: Larger and smaller of values with NULL among them
SELECT card_id, GREATEST(monthly_limit, 1000) AS at_least, LEAST(monthly_limit, 1000, NULL) AS at_most, GREATEST(NULL, monthly_limit) AS same
FROM cards
ORDER BY card_id
LIMIT 25;

-- benford: First digits of absolute amounts
SELECT LEFT(LTRIM(REPLACE(ABS(amount)::text, '.', ''), '0'), 1) AS digit, COUNT(*) AS n
FROM movements
WHERE amount <> 0
GROUP BY 1
ORDER BY 1;

-- check-digit: Sum of the digits of each IBAN
SELECT iban, SUM(SUBSTRING(iban, g.i, 1)::int) AS digit_sum, SUM(SUBSTRING(iban, g.i, 1)::int) % 10 AS last
FROM accounts
CROSS JOIN generate_series(3, 12) AS g(i)
WHERE product = 'deposit'
GROUP BY iban
ORDER BY iban;

-- statistics: Variance, deviation and covariance of amounts and scores
SELECT ROUND(VARIANCE(score), 4) AS var_samp, ROUND(VAR_POP(score), 4) AS var_pop, ROUND(STDDEV(score), 4) AS sd,
       ROUND(COVAR_POP(score, branch_id)::numeric, 6) AS covar, ROUND(REGR_R2(score, branch_id)::numeric, 6) AS r2, ROUND(REGR_INTERCEPT(score, branch_id)::numeric, 4) AS intercept
FROM clients;

-- weighted-percentile: Percentiles in one go as an array
SELECT currency, PERCENTILE_CONT(ARRAY[0.1, 0.5, 0.9]) WITHIN GROUP (ORDER BY overdraft) AS deciles
FROM accounts
GROUP BY currency
ORDER BY currency;

-- bit-arithmetic: Bits of the branch number and parity
SELECT branch_id, branch_id & 1 AS odd, branch_id | 4 AS with_four, branch_id # 3 AS xor, branch_id << 2 AS shifted, ~branch_id AS inverted
FROM branches
ORDER BY branch_id;

-- factors: Greatest common divisor, least common multiple and factorial of months
SELECT DISTINCT months, GCD(months, 18) AS gcd, LCM(months, 9) AS lcm, DIV(months, 5) AS div, FACTORIAL(3) AS six
FROM loans
ORDER BY months;

-- exact-cents: Sum of amounts times a hundred is whole
SELECT SUM(amount) * 100 = TRUNC(SUM(amount) * 100) AS whole, SUM(amount * 0.1) = SUM(amount) * 0.1 AS distributive, SUM(amount) AS total
FROM movements;

-- small-differences: Decimal fractions that doubles get wrong
SELECT 0.1 + 0.2 = 0.3 AS decimals, 0.1::float8 + 0.2::float8 = 0.3::float8 AS doubles, COUNT(*) FILTER (WHERE amount * 3 = -29.97) AS thrice
FROM movements;

-- sign-cases: Movements by sign in a simple CASE
SELECT CASE SIGN(amount) WHEN 1 THEN 'in' WHEN -1 THEN 'out' ELSE 'zero' END AS direction, COUNT(*), SUM(ABS(amount))
FROM movements
GROUP BY 1
ORDER BY 1;

-- null-arithmetic: Arithmetic with NULL, and sums that leave it out
SELECT SUM(score) AS plain, SUM(COALESCE(score, 0)) AS zeroed, AVG(score) AS mean, AVG(COALESCE(score, 0)) AS mean_zeroed, COUNT(score + branch_id) AS both
FROM clients;

-- distance-of-scores: Closest other score of the same branch
SELECT a.client_id, a.score, MIN(ABS(a.score - b.score)) AS closest
FROM clients a
JOIN clients b ON b.branch_id = a.branch_id AND b.client_id <> a.client_id
WHERE a.score IS NOT NULL
GROUP BY a.client_id, a.score
ORDER BY closest DESC, a.client_id
LIMIT 30;

-- compound-with-recursion: A saving plan by recursion in doubles
WITH RECURSIVE s(year, capital) AS (
    SELECT 0, 1000::float8
    UNION ALL
    SELECT year + 1, capital * 1.03 + 100 FROM s WHERE year < 20
)
SELECT year, ROUND(capital::numeric, 2) AS capital FROM s WHERE year % 5 = 0 ORDER BY year;
