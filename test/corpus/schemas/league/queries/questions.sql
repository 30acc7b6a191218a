-- upset: Wins of the visitors at the fullest stadiums
SELECT m."KickOff"::date AS "Day", h."Name" || ' – ' || a."Name" AS "Match", m."HomeGoals" || ':' || m."AwayGoals" AS "Score" FROM "Match" m JOIN "Team" h ON h."TeamId" = m."HomeTeamId" JOIN "Team" a ON a."TeamId" = m."AwayTeamId" WHERE m."AwayGoals" > m."HomeGoals" AND m."Attendance" > 0.9 * h."Capacity" ORDER BY "Day", "Match";

-- elo: Points won against teams by their rank in the season before
WITH prev AS (
  SELECT team, RANK() OVER (ORDER BY SUM(p) DESC, team) AS place FROM (
    SELECT "HomeTeamId" AS team, CASE WHEN "HomeGoals" > "AwayGoals" THEN 3 WHEN "HomeGoals" = "AwayGoals" THEN 1 ELSE 0 END AS p FROM "Match" WHERE "SeasonId" = 21
    UNION ALL SELECT "AwayTeamId", CASE WHEN "AwayGoals" > "HomeGoals" THEN 3 WHEN "HomeGoals" = "AwayGoals" THEN 1 ELSE 0 END FROM "Match" WHERE "SeasonId" = 21) s GROUP BY team
)
SELECT CASE WHEN prev.place <= 3 THEN 'top' ELSE 'rest' END AS opponents, COUNT(*) AS games, SUM(CASE WHEN m."HomeGoals" > m."AwayGoals" THEN 3 WHEN m."HomeGoals" = m."AwayGoals" THEN 1 ELSE 0 END) AS points FROM "Match" m JOIN prev ON prev.team = m."AwayTeamId" WHERE m."SeasonId" = 22 GROUP BY 1 ORDER BY 1;

-- poisson: Expected against observed numbers of goals
WITH l AS (SELECT AVG("HomeGoals")::float8 AS lambda, COUNT("HomeGoals") AS n FROM "Match")
SELECT k, COUNT(m."MatchId") AS observed, ROUND((l.n * EXP(-l.lambda) * POWER(l.lambda, k) / (CASE k WHEN 0 THEN 1 WHEN 1 THEN 1 WHEN 2 THEN 2 WHEN 3 THEN 6 ELSE 24 END))::numeric, 3) AS expected FROM generate_series(0, 4) AS k CROSS JOIN l LEFT JOIN "Match" m ON m."HomeGoals" = k GROUP BY k, l.lambda, l.n ORDER BY k;

-- title-race: Lead of the first over the second after each round, home games only
WITH p AS (SELECT "Round", "HomeTeamId" AS team, SUM(SUM(CASE WHEN "HomeGoals" > "AwayGoals" THEN 3 ELSE 0 END)) OVER (PARTITION BY "HomeTeamId" ORDER BY "Round") AS pts FROM "Match" WHERE "SeasonId" = 22 GROUP BY 1, 2),
r AS (SELECT "Round", pts, ROW_NUMBER() OVER (PARTITION BY "Round" ORDER BY pts DESC, team) AS rn FROM p)
SELECT "Round", MAX(pts) FILTER (WHERE rn = 1) AS first, MAX(pts) FILTER (WHERE rn = 2) AS second FROM r GROUP BY "Round" ORDER BY "Round";

-- mutual: Players who scored for two different teams
SELECT g."PlayerId", COUNT(DISTINCT g."TeamId") AS teams, SUM((NOT g."Own Goal")::int) AS goals FROM "Goal" g WHERE g."PlayerId" IS NOT NULL GROUP BY g."PlayerId" HAVING COUNT(DISTINCT g."TeamId") > 1 ORDER BY goals DESC, 1 LIMIT 12;

-- scoring-hours: Goals by the clock: kick-off plus minute, half-time counted as a quarter of an hour
SELECT DATE_TRUNC('hour', m."KickOff" + (g."Minute" + CASE WHEN g."Minute" > 45 THEN 15 ELSE 0 END) * INTERVAL '1 minute')::time AS hour, COUNT(*) AS goals FROM "Goal" g JOIN "Match" m USING ("MatchId") GROUP BY 1 ORDER BY 1;

-- same-referee: Home wins by referee, only those with ten matches or more
SELECT COALESCE(NULLIF(TRIM(LOWER("Referee")), ''), 'unknown') AS referee, COUNT(*) AS n, ROUND(AVG(CASE WHEN "HomeGoals" > "AwayGoals" THEN 100.0 ELSE 0 END), 2) AS home_win_pct FROM "Match" WHERE "Played" GROUP BY 1 HAVING COUNT(*) >= 10 ORDER BY home_win_pct DESC, 1;

-- lowest-wage-scorer: The cheapest goals: wage per goal
SELECT c."PlayerId", c."WeeklyWage", g.n AS goals, ROUND(c."WeeklyWage" / g.n, 2) AS per_goal FROM (SELECT DISTINCT ON ("PlayerId") "PlayerId", "WeeklyWage" FROM "Contract" ORDER BY "PlayerId", "From" DESC) c JOIN (SELECT "PlayerId", COUNT(*) AS n FROM "Goal" WHERE NOT "Own Goal" GROUP BY "PlayerId") g ON g."PlayerId" = c."PlayerId" ORDER BY per_goal, c."PlayerId" LIMIT 10;

-- derbies: Matches between teams of similar age
SELECT h."Short Code" AS h, a."Short Code" AS a, ABS(h."Founded" - a."Founded") AS years_apart, COUNT(m."MatchId") AS matches FROM "Team" h JOIN "Team" a ON ABS(h."Founded" - a."Founded") < 20 AND h."TeamId" < a."TeamId" LEFT JOIN "Match" m ON (m."HomeTeamId", m."AwayTeamId") IN ((h."TeamId", a."TeamId"), (a."TeamId", h."TeamId")) GROUP BY h."Short Code", a."Short Code", h."Founded", a."Founded" ORDER BY years_apart, 1, 2;

-- row-comparison: Rows compared as a whole
SELECT COUNT(*) FILTER (WHERE ("HomeGoals", "AwayGoals") = (1, 1)) AS one_one, COUNT(*) FILTER (WHERE ("HomeGoals", "AwayGoals") > (2, 1)) AS more, COUNT(*) FILTER (WHERE ("HomeGoals", "AwayGoals") IN ((0, 0), (3, 3))) AS listed FROM "Match";

-- whole-row-count: Matches counted by their rows and by a column
SELECT COUNT(m.*) AS rows, COUNT(m."Referee") AS referees, COUNT(DISTINCT m."Referee") AS different FROM "Match" m;

-- coalesce-chain: Attendance, or capacity, or nothing
SELECT m."MatchId", COALESCE(m."Attendance", t."Capacity", 0) AS visitors, CASE WHEN m."Attendance" IS NULL THEN 'estimated' ELSE 'counted' END AS how FROM "Match" m JOIN "Team" t ON t."TeamId" = m."HomeTeamId" WHERE m."SeasonId" = 21 AND (m."Attendance" IS NULL OR m."Round" = 1) ORDER BY 1;
