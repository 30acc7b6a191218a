-- table-2022: The final table of 2022/23 with three points for a win
WITH results AS (
  SELECT "HomeTeamId" AS team, "HomeGoals" AS gf, "AwayGoals" AS ga FROM "Match" WHERE "SeasonId" = 22
  UNION ALL
  SELECT "AwayTeamId", "AwayGoals", "HomeGoals" FROM "Match" WHERE "SeasonId" = 22
)
SELECT RANK() OVER (ORDER BY SUM(CASE WHEN gf > ga THEN 3 WHEN gf = ga THEN 1 ELSE 0 END) DESC, SUM(gf - ga) DESC, SUM(gf) DESC) AS "Rank",
       t."Name" AS "Team",
       COUNT(*) AS "P",
       COUNT(*) FILTER (WHERE gf > ga) AS "W",
       COUNT(*) FILTER (WHERE gf = ga) AS "D",
       COUNT(*) FILTER (WHERE gf < ga) AS "L",
       SUM(gf) AS "GF", SUM(ga) AS "GA", SUM(gf - ga) AS "GD",
       SUM(CASE WHEN gf > ga THEN 3 WHEN gf = ga THEN 1 ELSE 0 END) AS "Pts"
FROM results r JOIN "Team" t ON t."TeamId" = r.team
GROUP BY t."TeamId", t."Name"
ORDER BY "Rank", "Team";

-- champions: The champion of each finished season
WITH pts AS (
  SELECT "SeasonId", "HomeTeamId" AS team, CASE SIGN("HomeGoals" - "AwayGoals") WHEN 1 THEN 3 WHEN 0 THEN 1 ELSE 0 END AS p, "HomeGoals" - "AwayGoals" AS gd FROM "Match" WHERE "Played"
  UNION ALL
  SELECT "SeasonId", "AwayTeamId", CASE SIGN("AwayGoals" - "HomeGoals") WHEN 1 THEN 3 WHEN 0 THEN 1 ELSE 0 END, "AwayGoals" - "HomeGoals" FROM "Match" WHERE "Played"
), totals AS (
  SELECT "SeasonId", team, SUM(p) AS points, SUM(gd) AS gd, ROW_NUMBER() OVER (PARTITION BY "SeasonId" ORDER BY SUM(p) DESC, SUM(gd) DESC, team) AS place
  FROM pts GROUP BY "SeasonId", team
)
SELECT s."Label", t."Name", points, gd FROM totals JOIN "Season" s USING ("SeasonId") JOIN "Team" t ON t."TeamId" = totals.team WHERE place = 1 ORDER BY s."Label";

-- table-after-round: Points of every team after each round of 2021/22, cumulated
SELECT "Round", team, SUM(points) OVER (PARTITION BY team ORDER BY "Round") AS running
FROM (
  SELECT "Round", "HomeTeamId" AS team, SUM(CASE WHEN "HomeGoals" > "AwayGoals" THEN 3 WHEN "HomeGoals" = "AwayGoals" THEN 1 ELSE 0 END) AS points FROM "Match" WHERE "SeasonId" = 21 GROUP BY 1, 2
) x ORDER BY team, "Round";

-- home-away: Points at home and away per team
SELECT t."Short Code" AS code,
       SUM(CASE WHEN m."HomeTeamId" = t."TeamId" THEN CASE WHEN m."HomeGoals" > m."AwayGoals" THEN 3 WHEN m."HomeGoals" = m."AwayGoals" THEN 1 ELSE 0 END ELSE 0 END) AS home_points,
       SUM(CASE WHEN m."AwayTeamId" = t."TeamId" THEN CASE WHEN m."AwayGoals" > m."HomeGoals" THEN 3 WHEN m."HomeGoals" = m."AwayGoals" THEN 1 ELSE 0 END ELSE 0 END) AS away_points
FROM "Team" t LEFT JOIN "Match" m ON t."TeamId" IN (m."HomeTeamId", m."AwayTeamId") AND m."Played"
GROUP BY t."Short Code" ORDER BY home_points DESC, away_points DESC, code;

-- form: The last five results of each team as letters
WITH r AS (
  SELECT "HomeTeamId" AS team, "KickOff", "MatchId", CASE WHEN "HomeGoals" > "AwayGoals" THEN 'W' WHEN "HomeGoals" < "AwayGoals" THEN 'L' ELSE 'D' END AS res FROM "Match" WHERE "Played"
  UNION ALL
  SELECT "AwayTeamId", "KickOff", "MatchId", CASE WHEN "HomeGoals" < "AwayGoals" THEN 'W' WHEN "HomeGoals" > "AwayGoals" THEN 'L' ELSE 'D' END FROM "Match" WHERE "Played"
), n AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY team ORDER BY "KickOff" DESC, "MatchId" DESC) AS rn FROM r)
SELECT t."Name", STRING_AGG(n.res, '' ORDER BY n.rn DESC) AS form FROM n JOIN "Team" t ON t."TeamId" = n.team WHERE rn <= 5 GROUP BY t."Name" ORDER BY 1;

-- win-streaks: The longest winning streak of each team over all seasons
WITH games AS (
  SELECT "HomeTeamId" AS team, "KickOff" AS at, "MatchId" AS id, "HomeGoals" > "AwayGoals" AS won FROM "Match" WHERE "Played"
  UNION ALL SELECT "AwayTeamId", "KickOff", "MatchId", "AwayGoals" > "HomeGoals" FROM "Match" WHERE "Played"
), grouped AS (
  SELECT team, won, ROW_NUMBER() OVER (PARTITION BY team ORDER BY at, id) - ROW_NUMBER() OVER (PARTITION BY team, won ORDER BY at, id) AS g FROM games
)
SELECT team, MAX(len) AS longest FROM (SELECT team, g, COUNT(*) AS len FROM grouped WHERE won GROUP BY team, g) s GROUP BY team ORDER BY longest DESC, team;

-- points-per-game: Points per game by season as a pivot
WITH p AS (
  SELECT "SeasonId" AS s, "HomeTeamId" AS team, CASE WHEN "HomeGoals" > "AwayGoals" THEN 3.0 WHEN "HomeGoals" = "AwayGoals" THEN 1.0 ELSE 0.0 END AS pts FROM "Match" WHERE "Played"
  UNION ALL
  SELECT "SeasonId", "AwayTeamId", CASE WHEN "AwayGoals" > "HomeGoals" THEN 3.0 WHEN "HomeGoals" = "AwayGoals" THEN 1.0 ELSE 0.0 END FROM "Match" WHERE "Played"
)
SELECT t."Name" AS "Team Name",
       ROUND(AVG(pts) FILTER (WHERE s = 21), 2) AS "2021/22",
       ROUND(AVG(pts) FILTER (WHERE s = 22), 2) AS "2022/23",
       ROUND(AVG(pts) FILTER (WHERE s = 23), 2) AS "2023/24"
FROM p JOIN "Team" t ON t."TeamId" = p.team GROUP BY t."Name" ORDER BY "Team Name";

-- head-to-head: A matrix of wins of rows over columns
SELECT h."Short Code" AS team,
  COUNT(*) FILTER (WHERE a."Short Code" = 'FCN') AS "vs FCN",
  COUNT(*) FILTER (WHERE a."Short Code" = 'RVE') AS "vs RVE",
  COUNT(*) FILTER (WHERE a."Short Code" = 'UQU') AS "vs UQU"
FROM "Match" m JOIN "Team" h ON h."TeamId" = m."HomeTeamId" JOIN "Team" a ON a."TeamId" = m."AwayTeamId"
WHERE m."HomeGoals" > m."AwayGoals" GROUP BY h."Short Code" ORDER BY 1;

-- unbeaten-at-home: Teams that lost fewer than four home games in a season
SELECT m."SeasonId", t."Name", COUNT(*) FILTER (WHERE m."HomeGoals" < m."AwayGoals") AS lost
FROM "Match" m JOIN "Team" t ON t."TeamId" = m."HomeTeamId" WHERE m."Played" GROUP BY 1, 2 HAVING COUNT(*) FILTER (WHERE m."HomeGoals" < m."AwayGoals") < 2 ORDER BY 1, 2;

-- goal-difference-ranks: Different kinds of rank side by side
SELECT team, gd, ROW_NUMBER() OVER (ORDER BY gd DESC, team) AS rn, RANK() OVER (ORDER BY gd DESC) AS rk, DENSE_RANK() OVER (ORDER BY gd DESC) AS dr, ROUND(PERCENT_RANK() OVER (ORDER BY gd DESC)::numeric, 4) AS pr, ROUND(CUME_DIST() OVER (ORDER BY gd DESC)::numeric, 4) AS cd
FROM (SELECT "HomeTeamId" AS team, SUM("HomeGoals" - "AwayGoals") AS gd FROM "Match" GROUP BY "HomeTeamId") g ORDER BY rn;
