-- valid-today: Contracts valid on the first of January 2024
SELECT c."TeamId", COUNT(*) AS players, SUM(c."WeeklyWage") AS weekly FROM "Contract" c WHERE c."From" <= DATE '2024-01-01' AND (c."To" IS NULL OR c."To" >= DATE '2024-01-01') GROUP BY 1 ORDER BY 1;

-- yearly-wages: Wages per year with thousands separators
SELECT t."Name", TO_CHAR(SUM(c."WeeklyWage") * 52, 'FM999,999,999,990.00') AS per_year FROM "Contract" c JOIN "Team" t USING ("TeamId") WHERE c."To" IS NULL GROUP BY t."Name" ORDER BY t."Name";

-- top-earners: The three best paid players of each team
SELECT "TeamId", rn, "PlayerId", "WeeklyWage" FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY "TeamId" ORDER BY "WeeklyWage" DESC, "PlayerId") AS rn FROM "Contract") x WHERE rn <= 3 ORDER BY 1, 2;

-- duration: Length of the contracts in months
SELECT "PlayerId", "TeamId", "From", "To", EXTRACT(YEAR FROM AGE("To", "From")) * 12 + EXTRACT(MONTH FROM AGE("To", "From")) AS months FROM "Contract" WHERE "To" IS NOT NULL ORDER BY months, 1, 2 LIMIT 25;

-- several-teams: Players of more than one team with their path
SELECT c."PlayerId", STRING_AGG(t."Short Code", ' → ' ORDER BY c."From") AS path, COUNT(DISTINCT c."TeamId") AS teams FROM "Contract" c JOIN "Team" t ON t."TeamId" = c."TeamId" GROUP BY c."PlayerId" HAVING COUNT(DISTINCT c."TeamId") > 1 ORDER BY 1;

-- raise: Change of the wage at a transfer
SELECT "PlayerId", "WeeklyWage" AS new_wage, prev AS old_wage, ROUND(("WeeklyWage" / prev - 1) * 100, 1) AS pct FROM (SELECT "PlayerId", "From", "WeeklyWage", LAG("WeeklyWage") OVER (PARTITION BY "PlayerId" ORDER BY "From") AS prev FROM "Contract") w WHERE prev IS NOT NULL ORDER BY pct DESC, 1;

-- loans: Players on loan
SELECT t."Name" AS team, COUNT(*) FILTER (WHERE c."Loan") AS loans, COUNT(*) AS contracts, BOOL_OR(c."Loan") AS any FROM "Contract" c RIGHT JOIN "Team" t ON t."TeamId" = c."TeamId" GROUP BY t."Name" ORDER BY 2 DESC, 1;

-- wage-gini: Gini coefficient of the wages
WITH w AS (SELECT "WeeklyWage" AS x, ROW_NUMBER() OVER (ORDER BY "WeeklyWage", "PlayerId", "TeamId") AS i, COUNT(*) OVER () AS n FROM "Contract")
SELECT ROUND((2.0 * SUM(i * x) / (MAX(n) * SUM(x)) - (MAX(n) + 1.0) / MAX(n))::numeric, 5) AS gini FROM w;

-- wage-bands: Histogram of the wages in bands of 20,000
SELECT FLOOR("WeeklyWage" / 20000) * 20000 AS band, COUNT(*) AS n FROM "Contract" GROUP BY 1 ORDER BY 1;

-- expiring: Contracts that end within half a year of a day
SELECT "PlayerId", "To", "To" - DATE '2024-01-15' AS days FROM "Contract" WHERE "To" BETWEEN DATE '2024-01-15' AND DATE '2024-01-15' + INTERVAL '6 months' ORDER BY "To", 1;

-- transfers-balance: Transfer balance per team
SELECT t."Name", COALESCE(SUM(x."Fee") FILTER (WHERE x."FromTeamId" = t."TeamId"), 0) AS earned, COALESCE(SUM(x."Fee") FILTER (WHERE x."ToTeamId" = t."TeamId"), 0) AS spent
FROM "Team" t LEFT JOIN "Transfer" x ON t."TeamId" IN (x."FromTeamId", x."ToTeamId") GROUP BY t."TeamId", t."Name" ORDER BY t."TeamId";

-- free-transfers: Free, unknown and paid transfers
SELECT CASE WHEN "Fee" IS NULL THEN 'unknown' WHEN "Fee" = 0 THEN 'free' WHEN "Fee" < 10000000 THEN 'below 10 M' ELSE '10 M and more' END AS kind, COUNT(*) AS n, SUM("Fee") AS total FROM "Transfer" GROUP BY 1 ORDER BY 1;

-- windows: Transfers by window
SELECT CASE WHEN EXTRACT(MONTH FROM "On") IN (6, 7, 8) THEN 'summer ' ELSE 'winter ' END || EXTRACT(YEAR FROM "On")::text AS "Window", COUNT(*) AS "Transfers", ROUND(AVG("Fee") / 1e6, 2) AS "Ø million" FROM "Transfer" GROUP BY 1 ORDER BY 1;

-- record: The dearest transfer of each receiving team
SELECT DISTINCT ON (x."ToTeamId") t."Name", p."Last Name", x."Fee" FROM "Transfer" x JOIN "Team" t ON t."TeamId" = x."ToTeamId" JOIN "Player" p ON p."PlayerId" = x."PlayerId" WHERE x."Fee" IS NOT NULL ORDER BY x."ToTeamId", x."Fee" DESC, x."TransferId";

-- transfer-routes: All teams a player could reach by transfers seen so far
WITH RECURSIVE r("from", "to", hops) AS (
  SELECT DISTINCT "FromTeamId", "ToTeamId", 1 FROM "Transfer" WHERE "FromTeamId" IS NOT NULL
  UNION
  SELECT r."from", t."ToTeamId", r.hops + 1 FROM r JOIN "Transfer" t ON t."FromTeamId" = r."to" WHERE r.hops < 4
)
SELECT "from", COUNT(DISTINCT "to") AS reachable, MAX(hops) AS hops FROM r GROUP BY "from" ORDER BY "from";

-- fee-format: Fees in millions as text
SELECT "TransferId", CASE WHEN "Fee" >= 1000000 THEN ROUND("Fee" / 1000000, 1) || ' M €' WHEN "Fee" > 0 THEN ROUND("Fee" / 1000) || ' T €' WHEN "Fee" = 0 THEN 'free' ELSE '?' END AS fee FROM "Transfer" ORDER BY 1;
