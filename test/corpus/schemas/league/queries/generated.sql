-- tableau-quoted: Quoted names and calculated fields as Tableau writes them
SELECT "Team"."Name" AS "Name", "Match"."SeasonId" AS "SeasonId", SUM("Match"."HomeGoals") AS "sum:HomeGoals:ok", COUNT("Match"."MatchId") AS "cnt:MatchId:ok" FROM "public"."Match" "Match" INNER JOIN "public"."Team" "Team" ON ("Match"."HomeTeamId" = "Team"."TeamId") WHERE ("Match"."Played" = TRUE) GROUP BY "Team"."Name", "Match"."SeasonId" ORDER BY "Team"."Name" ASC, "Match"."SeasonId" ASC;

-- metabase-fk: A foreign key followed to its display name
SELECT "Player__via__PlayerId"."Last Name" AS "Player__via__PlayerId__Last Name", COUNT(*) AS "count" FROM "public"."Goal" LEFT JOIN "public"."Player" AS "Player__via__PlayerId" ON "public"."Goal"."PlayerId" = "Player__via__PlayerId"."PlayerId" GROUP BY "Player__via__PlayerId"."Last Name" ORDER BY "count" DESC, "Player__via__PlayerId"."Last Name" ASC;

-- metabase-custom-column: A custom column and a nested question
SELECT "source"."Margin" AS "Margin", COUNT(*) AS "count" FROM (SELECT "public"."Match"."MatchId" AS "MatchId", ABS("public"."Match"."HomeGoals" - "public"."Match"."AwayGoals") AS "Margin" FROM "public"."Match" WHERE "public"."Match"."Played" = TRUE) AS "source" GROUP BY "source"."Margin" ORDER BY "source"."Margin" ASC;

-- bin-width: Bins of a numeric column as a tool computes them
SELECT (FLOOR((("Match"."Attendance" - 0.0) / 5000.0)) * 5000.0) + 0.0 AS "Attendance", COUNT(*) AS "count" FROM "Match" GROUP BY (FLOOR((("Match"."Attendance" - 0.0) / 5000.0)) * 5000.0) + 0.0 ORDER BY 1 ASC NULLS LAST;

-- orm-select: An ORM's select with numbered aliases
SELECT m_0."MatchId" AS "MatchId_1_0", m_0."KickOff" AS "KickOff_2_0", t_1."Name" AS "Name_3_1", t_2."Name" AS "Name_4_2" FROM "Match" m_0 LEFT OUTER JOIN "Team" t_1 ON m_0."HomeTeamId" = t_1."TeamId" LEFT OUTER JOIN "Team" t_2 ON m_0."AwayTeamId" = t_2."TeamId" WHERE (m_0."SeasonId" = 23 AND (m_0."Round" < 3)) ORDER BY m_0."KickOff" ASC, m_0."MatchId" ASC LIMIT 20 OFFSET 0;

-- llm-form-guide: A form guide in many steps
WITH team_matches AS (
    -- Normalise: one row per team and match
    SELECT
        m."MatchId" AS match_id,
        m."SeasonId" AS season_id,
        m."KickOff" AS kick_off,
        m."HomeTeamId" AS team_id,
        m."AwayTeamId" AS opponent_id,
        m."HomeGoals" AS goals_for,
        m."AwayGoals" AS goals_against,
        'H' AS venue
    FROM "Match" m
    WHERE m."Played" = TRUE
    UNION ALL
    SELECT
        m."MatchId",
        m."SeasonId",
        m."KickOff",
        m."AwayTeamId",
        m."HomeTeamId",
        m."AwayGoals",
        m."HomeGoals",
        'A'
    FROM "Match" m
    WHERE m."Played" = TRUE
),
with_result AS (
    SELECT
        *,
        CASE
            WHEN goals_for > goals_against THEN 'W'
            WHEN goals_for = goals_against THEN 'D'
            ELSE 'L'
        END AS result,
        CASE
            WHEN goals_for > goals_against THEN 3
            WHEN goals_for = goals_against THEN 1
            ELSE 0
        END AS points
    FROM team_matches
),
with_rolling AS (
    SELECT
        *,
        SUM(points) OVER (
            PARTITION BY team_id, season_id
            ORDER BY kick_off, match_id
            ROWS BETWEEN 4 PRECEDING AND CURRENT ROW
        ) AS last_five_points,
        COUNT(*) OVER (
            PARTITION BY team_id, season_id
            ORDER BY kick_off, match_id
            ROWS BETWEEN 4 PRECEDING AND CURRENT ROW
        ) AS games_in_window,
        ROW_NUMBER() OVER (PARTITION BY team_id, season_id ORDER BY kick_off DESC, match_id DESC) AS recency
    FROM with_result
)
SELECT
    t."Name" AS team_name,
    s."Label" AS season_label,
    wr.last_five_points,
    wr.games_in_window,
    ROUND(1.0 * wr.last_five_points / NULLIF(wr.games_in_window, 0), 2) AS points_per_game,
    CASE
        WHEN wr.last_five_points >= 10 THEN 'Hot'
        WHEN wr.last_five_points >= 5 THEN 'Steady'
        ELSE 'Cold'
    END AS form_label
FROM with_rolling wr
INNER JOIN "Team" t ON t."TeamId" = wr.team_id
INNER JOIN "Season" s ON s."SeasonId" = wr.season_id
WHERE wr.recency = 1
ORDER BY s."Label", wr.last_five_points DESC, t."Name";

-- llm-transfer-impact: Did players score more after their transfer?
WITH moves AS (
    SELECT "PlayerId" AS player_id, "On" AS moved_on, ROW_NUMBER() OVER (PARTITION BY "PlayerId" ORDER BY "On") AS move_no
    FROM "Transfer"
), first_move AS (
    SELECT player_id, moved_on FROM moves WHERE move_no = 1
), goals_dated AS (
    SELECT g."PlayerId" AS player_id, m."KickOff"::date AS day
    FROM "Goal" g
    INNER JOIN "Match" m ON m."MatchId" = g."MatchId"
    WHERE g."PlayerId" IS NOT NULL AND COALESCE(g."Own Goal", FALSE) = FALSE
)
SELECT
    fm.player_id,
    fm.moved_on,
    COUNT(CASE WHEN gd.day < fm.moved_on THEN 1 END) AS goals_before,
    COUNT(CASE WHEN gd.day >= fm.moved_on THEN 1 END) AS goals_after,
    COUNT(CASE WHEN gd.day >= fm.moved_on THEN 1 END) - COUNT(CASE WHEN gd.day < fm.moved_on THEN 1 END) AS difference
FROM first_move fm
LEFT JOIN goals_dated gd ON gd.player_id = fm.player_id
GROUP BY fm.player_id, fm.moved_on
ORDER BY difference DESC, fm.player_id;

-- keyword-columns: Columns named by keywords, quoted
SELECT "From", "To", "On" FROM (SELECT c."From", c."To", x."On" FROM "Contract" c JOIN "Transfer" x ON x."PlayerId" = c."PlayerId" AND x."On" = c."From") AS "select" ORDER BY "On", "To" NULLS FIRST LIMIT 10;
