-- minutes-played: Minutes and appearances of each player
SELECT a."PlayerId", COUNT(*) AS games, SUM(a."Minutes") AS minutes, ROUND(AVG(a."Rating")::numeric, 3) AS rating FROM "Appearance" a GROUP BY a."PlayerId" HAVING SUM(a."Minutes") >= 900 ORDER BY minutes DESC, 1 LIMIT 20;

-- starters-vs-subs: Ratings of starters and substitutes
SELECT "Starter", COUNT(*) AS n, COUNT("Rating") AS rated, AVG("Rating") AS avg_rating, MIN("Rating") AS lo, MAX("Rating") AS hi FROM "Appearance" GROUP BY "Starter" ORDER BY "Starter" DESC;

-- cards: Cards per player, two yellows counted as sent off
SELECT "PlayerId", SUM("Yellow") AS yellow, COUNT(*) FILTER (WHERE "Red" OR "Yellow" = 2) AS sent_off FROM "Appearance" GROUP BY "PlayerId" HAVING COUNT(*) FILTER (WHERE "Red" OR "Yellow" = 2) > 1 ORDER BY sent_off DESC, yellow DESC, 1;

-- goals-per-90: Goals per ninety minutes
WITH g AS (SELECT "PlayerId", COUNT(*) AS goals FROM "Goal" JOIN "Match" USING ("MatchId") WHERE "SeasonId" = 22 AND NOT "Own Goal" GROUP BY 1),
m AS (SELECT a."PlayerId", SUM(a."Minutes") AS minutes FROM "Appearance" a JOIN "Match" x ON x."MatchId" = a."MatchId" WHERE x."SeasonId" = 22 GROUP BY 1)
SELECT m."PlayerId", COALESCE(g.goals, 0) AS goals, m.minutes, ROUND(COALESCE(g.goals, 0) * 90.0 / m.minutes, 3) AS per_90 FROM m LEFT JOIN g USING ("PlayerId") WHERE m.minutes > 300 ORDER BY per_90 DESC, 1 LIMIT 15;

-- best-eleven: The best rated player per position in a season
SELECT DISTINCT ON (p."Position") p."Position", p."PlayerId", ROUND(AVG(a."Rating")::numeric, 2) AS rating, COUNT(*) AS games
FROM "Appearance" a JOIN "Player" p USING ("PlayerId") JOIN "Match" m USING ("MatchId") WHERE m."SeasonId" = 22 GROUP BY p."Position", p."PlayerId" HAVING COUNT(a."Rating") >= 5 ORDER BY p."Position", AVG(a."Rating") DESC, p."PlayerId";

-- rating-trend: Rating against the player's last three games
SELECT a."PlayerId", a."MatchId", a."Rating", AVG(a."Rating") OVER (PARTITION BY a."PlayerId" ORDER BY a."MatchId" ROWS BETWEEN 3 PRECEDING AND 1 PRECEDING) AS last_three FROM "Appearance" a WHERE a."PlayerId" BETWEEN 1000 AND 1003 ORDER BY 1, 2 LIMIT 60;

-- rating-classes: Ratings in classes by comparisons of floats
SELECT CASE WHEN "Rating" < 5 THEN 'poor' WHEN "Rating" < 6.5 THEN 'fair' WHEN "Rating" < 8.25 THEN 'good' WHEN "Rating" IS NOT NULL THEN 'great' END AS class, COUNT(*) AS n FROM "Appearance" GROUP BY 1 ORDER BY 2 DESC;

-- ever-present: Players with the most consecutive matches of their team
WITH numbered AS (
  SELECT a."PlayerId", a."MatchId", m."SeasonId", ROW_NUMBER() OVER (PARTITION BY a."PlayerId" ORDER BY m."KickOff", a."MatchId") AS n FROM "Appearance" a JOIN "Match" m ON m."MatchId" = a."MatchId" WHERE a."Starter" AND a."Minutes" = 90
)
SELECT "PlayerId", MAX(n) AS full_games FROM numbered GROUP BY "PlayerId" ORDER BY 2 DESC, 1 LIMIT 10;

-- distinct-opponents: Against how many different teams did each player appear at home?
SELECT a."PlayerId", COUNT(DISTINCT m."AwayTeamId") AS opponents FROM "Appearance" a, "Match" m WHERE a."MatchId" = m."MatchId" GROUP BY a."PlayerId" ORDER BY opponents DESC, 1 LIMIT 12;

-- minutes-share: Share of the minutes of the team
SELECT c."TeamId", a."PlayerId", SUM(a."Minutes") AS mins, ROUND(SUM(a."Minutes") * 100.0 / SUM(SUM(a."Minutes")) OVER (PARTITION BY c."TeamId"), 2) AS pct FROM "Appearance" a JOIN "Contract" c ON c."PlayerId" = a."PlayerId" AND c."From" = '2021-07-01' GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2 LIMIT 30;

-- exact-rating: Ratings of exactly seven and a half
SELECT COUNT(*) FROM "Appearance" WHERE "Rating" = 7.5;

-- rating-sum: Sum and rounded average of the single floats per match
SELECT "MatchId", SUM("Rating") AS total, ROUND(CAST(AVG("Rating") AS NUMERIC), 1) AS avg1 FROM "Appearance" GROUP BY "MatchId" HAVING COUNT("Rating") > 8 ORDER BY 1 LIMIT 20;
