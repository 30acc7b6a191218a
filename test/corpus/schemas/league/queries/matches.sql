-- scorelines: How often does each result occur?
SELECT "HomeGoals" || ':' || "AwayGoals" AS score, COUNT(*) AS n FROM "Match" WHERE "Played" GROUP BY 1 ORDER BY n DESC, score;

-- outcome-share: Home wins, draws and away wins in percent per season
SELECT "SeasonId", ROUND(100.0 * AVG(CASE WHEN "HomeGoals" > "AwayGoals" THEN 1 ELSE 0 END), 1) AS home_pct, ROUND(100.0 * AVG(CASE WHEN "HomeGoals" = "AwayGoals" THEN 1 ELSE 0 END), 1) AS draw_pct, ROUND(100.0 * AVG(CASE WHEN "HomeGoals" < "AwayGoals" THEN 1 ELSE 0 END), 1) AS away_pct
FROM "Match" WHERE "Played" GROUP BY "SeasonId" ORDER BY 1;

-- goals-per-match: Average goals per match and season
SELECT s."Label" AS "Season", COUNT(*) AS "Matches", SUM(m."HomeGoals" + m."AwayGoals") AS "Goals", ROUND(AVG(m."HomeGoals" + m."AwayGoals"), 2) AS "Per Match"
FROM "Match" m JOIN "Season" s ON s."SeasonId" = m."SeasonId" WHERE m."Played" GROUP BY s."Label" ORDER BY s."Label" DESC;

-- biggest-wins: The clearest results
SELECT m."KickOff"::date AS "Date", h."Name" AS "Home", a."Name" AS "Away", m."HomeGoals", m."AwayGoals", ABS(m."HomeGoals" - m."AwayGoals") AS "Margin"
FROM "Match" m, "Team" h, "Team" a
WHERE m."HomeTeamId" = h."TeamId" AND m."AwayTeamId" = a."TeamId" AND m."Played"
ORDER BY "Margin" DESC, "Date", m."MatchId" LIMIT 10;

-- attendance: Attendance per team against the capacity
SELECT t."Name", COUNT(m."Attendance") AS counted, AVG(m."Attendance")::int AS average, MAX(m."Attendance") AS record, ROUND(AVG(m."Attendance") / t."Capacity" * 100, 1) AS "fill %"
FROM "Team" t JOIN "Match" m ON m."HomeTeamId" = t."TeamId" GROUP BY t."TeamId", t."Name", t."Capacity" ORDER BY "fill %" DESC NULLS LAST, 1;

-- over-capacity: Matches with more visitors than seats
SELECT m."MatchId", m."Attendance", t."Capacity", m."Attendance" - t."Capacity" AS too_many FROM "Match" m JOIN "Team" t ON t."TeamId" = m."HomeTeamId" AND m."Attendance" > t."Capacity" ORDER BY too_many DESC, 1 LIMIT 15;

-- kickoff-times: Kick-off times of day
SELECT "KickOff"::time AS kick_off, COUNT(*) AS n FROM "Match" GROUP BY "KickOff"::time ORDER BY 1;

-- matches-per-month: Matches per month with names of months
SELECT TO_CHAR("KickOff", 'YYYY-MM') AS ym, TO_CHAR("KickOff", 'FMMonth') AS month, COUNT(*) AS n FROM "Match" GROUP BY 1, 2 ORDER BY 1;

-- not-played: Matches still to be played, by round
SELECT "Round", COUNT(*) AS open, MIN("KickOff") AS first_kick_off FROM "Match" WHERE NOT "Played" GROUP BY "Round" ORDER BY "Round";

-- rest-days: Days of rest before each match of a team
WITH g AS (
  SELECT "HomeTeamId" AS team, "KickOff" FROM "Match" UNION ALL SELECT "AwayTeamId", "KickOff" FROM "Match"
)
SELECT team, MIN(rest) AS shortest, MAX(rest) AS longest FROM (
  SELECT team, "KickOff"::date - LAG("KickOff"::date) OVER (PARTITION BY team ORDER BY "KickOff") AS rest FROM g
) r WHERE rest < 100 GROUP BY team ORDER BY team;

-- referees: Referees, names tidied
SELECT INITCAP(TRIM("Referee")) AS "Referee", COUNT(*) AS matches, SUM("HomeGoals" + "AwayGoals") AS goals FROM "Match" WHERE "Referee" IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1;

-- referee-variants: Spellings of the referees
SELECT DISTINCT '"' || "Referee" || '"' AS spelling, LENGTH("Referee") AS len, "Referee" = TRIM("Referee") AS tidy FROM "Match" WHERE "Referee" IS NOT NULL ORDER BY 1;

-- no-referee: Matches without a referee per season
SELECT "SeasonId", COUNT(*) - COUNT("Referee") AS without_referee, COUNT(*) AS matches FROM "Match" GROUP BY "SeasonId" ORDER BY "SeasonId";

-- both-scored: Share of matches in which both scored
SELECT ROUND(COUNT(*) FILTER (WHERE "HomeGoals" > 0 AND "AwayGoals" > 0)::numeric / COUNT(*), 4) AS both_scored FROM "Match" WHERE "Played";

-- goalless-sides: Matches in which exactly one side scored
SELECT COUNT(*) AS n FROM "Match" WHERE ("HomeGoals" = 0) <> ("AwayGoals" = 0);

-- round-totals: Goals per round with subtotals per season
SELECT "SeasonId", "Round", SUM("HomeGoals" + "AwayGoals") AS goals FROM "Match" WHERE "Played" AND "Round" <= 3 GROUP BY ROLLUP ("SeasonId", "Round") ORDER BY "SeasonId" NULLS LAST, "Round" NULLS LAST;

-- return-match: First and second leg of each pairing with the aggregate score
SELECT a."SeasonId", a."HomeTeamId" AS team_a, a."AwayTeamId" AS team_b,
       a."HomeGoals" + b."AwayGoals" AS goals_a, a."AwayGoals" + b."HomeGoals" AS goals_b,
       CASE WHEN a."HomeGoals" + b."AwayGoals" > a."AwayGoals" + b."HomeGoals" THEN 'A' WHEN a."HomeGoals" + b."AwayGoals" < a."AwayGoals" + b."HomeGoals" THEN 'B' ELSE '-' END AS "Winner"
FROM "Match" a JOIN "Match" b ON b."SeasonId" = a."SeasonId" AND b."HomeTeamId" = a."AwayTeamId" AND b."AwayTeamId" = a."HomeTeamId"
WHERE a."HomeTeamId" < a."AwayTeamId" AND a."SeasonId" < 23 ORDER BY 1, 2, 3;

-- attendance-trend: Attendance against the average of the five home games before
SELECT "HomeTeamId", "KickOff", "Attendance",
       ROUND(AVG("Attendance") OVER (PARTITION BY "HomeTeamId" ORDER BY "KickOff", "MatchId" ROWS BETWEEN 5 PRECEDING AND 1 PRECEDING), 1) AS avg_before
FROM "Match" WHERE "Played" AND "HomeTeamId" IN (1, 2) ORDER BY 1, 2, "MatchId";

-- attendance-quartiles: Quartile of each match's attendance
SELECT q, COUNT(*) AS n, MIN("Attendance") AS lo, MAX("Attendance") AS hi FROM (SELECT "Attendance", NTILE(4) OVER (ORDER BY "Attendance", "MatchId") AS q FROM "Match" WHERE "Attendance" IS NOT NULL) x GROUP BY q ORDER BY q;

-- weekday: Do people come on other days of the week?
SELECT EXTRACT(DOW FROM "KickOff") AS dow, to_char("KickOff", 'FMDay') AS "Day", COUNT(*), ROUND(AVG("Attendance")) AS "Ø" FROM "Match" GROUP BY 1, 2 ORDER BY 1;

-- season-progress: Share of the season gone at each kick-off
SELECT DISTINCT m."SeasonId", m."Round", ROUND((MIN(m."KickOff") OVER (PARTITION BY m."SeasonId", m."Round")::date - s."StartsOn")::numeric / (s."EndsOn" - s."StartsOn"), 3) AS gone
FROM "Match" m JOIN "Season" s USING ("SeasonId") WHERE m."Round" IN (1, 7, 14) ORDER BY 1, 2;

-- comeback: Matches in which the side that scored first did not win
WITH first_goal AS (SELECT DISTINCT ON ("MatchId") "MatchId", "TeamId" FROM "Goal" ORDER BY "MatchId", "GoalNo")
SELECT COUNT(*) AS n, COUNT(*) FILTER (WHERE m."HomeGoals" = m."AwayGoals") AS drawn
FROM "Match" m JOIN first_goal f USING ("MatchId")
WHERE (f."TeamId" = m."HomeTeamId" AND m."HomeGoals" <= m."AwayGoals") OR (f."TeamId" = m."AwayTeamId" AND m."AwayGoals" <= m."HomeGoals");

-- season-of-day: Which season is a day in?
SELECT d.day::date, s."Label" FROM (VALUES ('2021-08-13'), ('2022-05-22'), ('2022-07-01'), ('2024-02-29')) AS d(day) LEFT JOIN "Season" s ON d.day::date BETWEEN s."StartsOn" AND s."EndsOn" ORDER BY 1;

-- score-consistency: Do the goals recorded add up to the result?
SELECT m."MatchId", m."HomeGoals", m."AwayGoals", COUNT(g."GoalNo") AS recorded
FROM "Match" m LEFT JOIN "Goal" g ON g."MatchId" = m."MatchId" WHERE m."Played"
GROUP BY m."MatchId" HAVING COUNT(g."GoalNo") <> m."HomeGoals" + m."AwayGoals" ORDER BY 1;

-- result-per-round: The results of a round as one text
SELECT "Round", STRING_AGG("HomeTeamId" || '-' || "AwayTeamId" || ' ' || "HomeGoals" || ':' || "AwayGoals", '; ' ORDER BY "MatchId") AS results FROM "Match" WHERE "SeasonId" = 22 AND "Round" BETWEEN 1 AND 4 GROUP BY "Round" ORDER BY "Round";
