-- top-scorers: The ten best scorers, own goals not counted
SELECT p."First Name", p."Last Name", COUNT(*) AS "Goals", COUNT(*) FILTER (WHERE g."Penalty") AS "Penalties"
FROM "Goal" g JOIN "Player" p ON p."PlayerId" = g."PlayerId" WHERE NOT g."Own Goal"
GROUP BY p."PlayerId", p."First Name", p."Last Name" ORDER BY "Goals" DESC, p."PlayerId" LIMIT 10;

-- top-per-season: Best scorers of each season, ties included
WITH c AS (SELECT m."SeasonId", g."PlayerId", COUNT(*) AS n FROM "Goal" g JOIN "Match" m USING ("MatchId") WHERE g."PlayerId" IS NOT NULL AND g."Own Goal" = false GROUP BY 1, 2),
     r AS (SELECT c.*, RANK() OVER (PARTITION BY "SeasonId" ORDER BY n DESC) AS place FROM c)
SELECT "SeasonId", place, "PlayerId", n FROM r WHERE place <= 2 ORDER BY 1, 2, 3;

-- minutes: Goals by quarter of an hour
SELECT LEAST(("Minute" - 1) / 15, 5) * 15 + 1 AS from_minute, COUNT(*) AS goals, COUNT(*) FILTER (WHERE "Minute" > 90) AS stoppage FROM "Goal" GROUP BY 1 ORDER BY 1;

-- late-winners: Winning goals in the last five minutes
SELECT g."MatchId", g."Minute", g."TeamId" FROM "Goal" g JOIN "Match" m ON m."MatchId" = g."MatchId"
WHERE g."Minute" >= 85 AND ABS(m."HomeGoals" - m."AwayGoals") = 1 AND g."GoalNo" = (SELECT MAX(x."GoalNo") FROM "Goal" x WHERE x."MatchId" = g."MatchId")
  AND g."TeamId" = CASE WHEN m."HomeGoals" > m."AwayGoals" THEN m."HomeTeamId" ELSE m."AwayTeamId" END
ORDER BY 1;

-- score-progress: The score after every goal of one match day
SELECT g."MatchId", g."GoalNo", g."Minute",
       SUM(CASE WHEN g."TeamId" = m."HomeTeamId" THEN 1 ELSE 0 END) OVER w AS home,
       SUM(CASE WHEN g."TeamId" = m."AwayTeamId" THEN 1 ELSE 0 END) OVER w AS away
FROM "Goal" g JOIN "Match" m USING ("MatchId") WHERE m."SeasonId" = 22 AND m."Round" <= 3
WINDOW w AS (PARTITION BY g."MatchId" ORDER BY g."GoalNo")
ORDER BY 1, 2;

-- braces: Players with two or more goals in a match
SELECT "MatchId", "PlayerId", COUNT(*) AS goals, ARRAY_AGG("Minute" ORDER BY "Minute", "GoalNo") AS minutes FROM "Goal" WHERE "PlayerId" IS NOT NULL AND NOT "Own Goal" GROUP BY 1, 2 HAVING COUNT(*) >= 2 ORDER BY 3 DESC, 1, 2;

-- first-goal-minute: Average minute of the first goal
SELECT ROUND(AVG(first_minute), 2) AS avg_first, MIN(first_minute), MAX(first_minute) FROM (SELECT "MatchId", MIN("Minute") AS first_minute FROM "Goal" GROUP BY "MatchId") f;

-- quick-double: Goals within three minutes of the one before
SELECT "MatchId", "GoalNo", "Minute", "Minute" - previous AS after FROM (SELECT "MatchId", "GoalNo", "Minute", LAG("Minute") OVER (PARTITION BY "MatchId" ORDER BY "GoalNo") AS previous FROM "Goal") t WHERE "Minute" - previous <= 2 ORDER BY 1, 2;

-- own-goals: Own goals with the side they helped
SELECT g."MatchId", g."Minute", p."Last Name" AS "Unlucky", t."Name" AS "Helped" FROM "Goal" g LEFT JOIN "Player" p USING ("PlayerId") JOIN "Team" t ON t."TeamId" = g."TeamId" WHERE g."Own Goal" ORDER BY 1, 2;

-- unknown-scorer: Goals without a scorer
SELECT COUNT(*) FILTER (WHERE "PlayerId" IS NULL) AS unknown, COUNT(*) AS "all", COUNT("PlayerId")::float / COUNT(*) AS known_share FROM "Goal";

-- scorer-dependency: Share of the best scorer in the goals of the team
SELECT "TeamId", MAX(n) AS best, SUM(n) AS total, ROUND(MAX(n) / SUM(n), 4) AS share FROM (SELECT "TeamId", "PlayerId", COUNT(*) AS n FROM "Goal" GROUP BY 1, 2) x GROUP BY "TeamId" ORDER BY share DESC, 1;

-- penalty-rate: Penalties per hundred goals by team
SELECT t."Name", ROUND(100 * AVG(g."Penalty"::int), 2) AS penalty_pct FROM "Goal" g JOIN "Team" t ON t."TeamId" = g."TeamId" GROUP BY 1 ORDER BY 2 DESC, 1;

-- cumulative-goals: Cumulative goals of the season by day
SELECT day, goals, SUM(goals) OVER (ORDER BY day) AS so_far FROM (SELECT m."KickOff"::date AS day, COUNT(*) AS goals FROM "Goal" g JOIN "Match" m USING ("MatchId") WHERE m."SeasonId" = 21 GROUP BY 1) d ORDER BY day;

-- goalkeepers: Clean sheets per team
SELECT t."TeamId", t."Name", COUNT(*) AS clean_sheets FROM "Team" t JOIN "Match" m ON (m."HomeTeamId" = t."TeamId" AND m."AwayGoals" = 0) OR (m."AwayTeamId" = t."TeamId" AND m."HomeGoals" = 0) GROUP BY t."TeamId" ORDER BY clean_sheets DESC, 1;

-- exactly-one-scorer: Matches with goals by one player only
SELECT "MatchId", MIN("PlayerId") AS player, COUNT(*) AS goals FROM "Goal" GROUP BY "MatchId" HAVING COUNT(DISTINCT "PlayerId") = 1 AND COUNT(*) > 1 AND COUNT(*) = COUNT("PlayerId") ORDER BY 1;

-- minute-median: Median minute by season and penalty
SELECT m."SeasonId", g."Penalty", percentile_disc(0.5) within group (order by g."Minute") AS median_minute, count(*) FROM "Goal" g JOIN "Match" m ON m."MatchId" = g."MatchId" GROUP BY m."SeasonId", g."Penalty" ORDER BY 1, 2;
