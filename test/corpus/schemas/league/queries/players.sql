-- squad-list: The squad with full names, missing first names handled
SELECT "PlayerId", COALESCE("First Name" || ' ', '') || "Last Name" AS "Name", "Position" FROM "Player" WHERE "Nationality" = 'DK' ORDER BY "Last Name", "First Name", "PlayerId";

-- concat-nulls: The same with CONCAT_WS
SELECT "PlayerId", CONCAT_WS(' ', "First Name", "Last Name") AS name, CONCAT("First Name", "Last Name") AS glued, "First Name" || "Last Name" AS strict FROM "Player" WHERE "First Name" IS NULL OR "PlayerId" < 1004 ORDER BY 1;

-- age-on-day: Age of the players at the season's start
SELECT "PlayerId", "BirthDate", EXTRACT(YEAR FROM AGE(DATE '2023-08-18', "BirthDate"))::int AS age FROM "Player" WHERE "BirthDate" IS NOT NULL ORDER BY age DESC, "BirthDate", 1 LIMIT 20;

-- age-groups: Players by age group
SELECT CASE WHEN age < 21 THEN 'U21' WHEN age BETWEEN 21 AND 25 THEN '21-25' WHEN age BETWEEN 26 AND 30 THEN '26-30' WHEN age IS NULL THEN '?' ELSE '31+' END AS "Age Group", COUNT(*) AS "N"
FROM (SELECT DATE_PART('year', AGE('2024-01-01'::date, "BirthDate")) AS age FROM "Player") a GROUP BY 1 ORDER BY 1;

-- birthdays: Birthdays in the next thirty days after Christmas
SELECT "PlayerId", TO_CHAR("BirthDate", 'DD Mon') AS birthday FROM "Player"
WHERE TO_CHAR("BirthDate", 'MMDD') >= '1224' OR TO_CHAR("BirthDate", 'MMDD') <= '0123'
ORDER BY CASE WHEN TO_CHAR("BirthDate", 'MMDD') >= '1224' THEN 0 ELSE 1 END, TO_CHAR("BirthDate", 'MMDD'), "PlayerId";

-- leap-children: Born on the 29th of February, or on the first or last day of a year
SELECT "PlayerId", "BirthDate" FROM "Player" WHERE EXTRACT(MONTH FROM "BirthDate") = 2 AND EXTRACT(DAY FROM "BirthDate") >= 28 OR EXTRACT(DOY FROM "BirthDate") IN (1, 365, 366) ORDER BY 1;

-- bmi: Body mass index by position
SELECT "Position", COUNT("HeightCm") AS n, ROUND(AVG("WeightKg" / POWER("HeightCm" / 100.0, 2)), 2) AS bmi FROM "Player" GROUP BY "Position" ORDER BY bmi DESC, "Position";

-- tallest: The tallest player of each position, all of equal height
SELECT "Position", "PlayerId", "HeightCm" FROM (SELECT "Position", "PlayerId", "HeightCm", RANK() OVER (PARTITION BY "Position" ORDER BY "HeightCm" DESC NULLS LAST) AS "r" FROM "Player") "p" WHERE "r" = 1 ORDER BY "Position", "PlayerId";

-- height-feet: Heights in feet and inches
SELECT DISTINCT "HeightCm", FLOOR("HeightCm" / 2.54 / 12)::int || '''' || ROUND(MOD("HeightCm" / 2.54, 12))::int || '"' AS imperial FROM "Player" WHERE "HeightCm" > 190 ORDER BY 1;

-- foot: Preferred foot in percent, unknown apart
SELECT COALESCE("Foot", 'unknown') AS foot, COUNT(*) AS n, ROUND(100.0 * COUNT(*) / SUM(COUNT(*)) OVER (), 1) AS pct, ROUND(100.0 * COUNT("Foot") / NULLIF(SUM(COUNT("Foot")) OVER (), 0), 1) AS pct_known FROM "Player" GROUP BY "Foot" ORDER BY n DESC, 1;

-- double-names: Last names with a hyphen, an apostrophe or several words
SELECT DISTINCT "Last Name", CASE WHEN "Last Name" LIKE '%-%' THEN 'hyphen' WHEN "Last Name" LIKE '%''%' THEN 'apostrophe' WHEN "Last Name" LIKE '% %' THEN 'words' END AS why FROM "Player" WHERE "Last Name" ~ '[-'' ]' ORDER BY 1;

-- initials: Initials of the players
SELECT "PlayerId", LEFT("First Name", 1) || '.' || LEFT("Last Name", 1) || '.' AS initials FROM "Player" WHERE "Nationality" IN ('FR', 'JP') ORDER BY 1;

-- ascii-names: Names folded to ASCII
SELECT DISTINCT "First Name", TRANSLATE("First Name", 'öéáãñÉ', 'oeaanE') AS ascii FROM "Player" WHERE "First Name" IS NOT NULL ORDER BY "First Name";

-- sort-nulls-first: Players by weight, unknown ones first
SELECT "PlayerId", "WeightKg" FROM "Player" ORDER BY "WeightKg" DESC NULLS FIRST, "PlayerId" LIMIT 15;

-- nationality-matrix: Nationalities by position
SELECT "Nationality", SUM(CASE WHEN "Position" = 'GK' THEN 1 END) AS gk, SUM(CASE WHEN "Position" = 'DF' THEN 1 END) AS df, SUM(CASE WHEN "Position" = 'MF' THEN 1 END) AS mf, SUM(CASE WHEN "Position" = 'FW' THEN 1 END) AS fw FROM "Player" GROUP BY "Nationality" ORDER BY "Nationality";

-- same-birthday: Players born on the same day of the year
SELECT a."PlayerId" AS "A", b."PlayerId" AS "B", TO_CHAR(a."BirthDate", 'MM-DD') AS "Day" FROM "Player" a INNER JOIN "Player" b ON a."PlayerId" < b."PlayerId" AND TO_CHAR(a."BirthDate", 'MM-DD') = TO_CHAR(b."BirthDate", 'MM-DD') ORDER BY 3, 1, 2;

-- star-sign: Share of players born in each quarter of the year
SELECT EXTRACT(QUARTER FROM "BirthDate") AS q, COUNT(*) AS n, REPEAT('#', COUNT(*)::int / 2) AS bar FROM "Player" WHERE "BirthDate" IS NOT NULL GROUP BY 1 ORDER BY 1;

-- weight-stats: Spread of the weights by position
SELECT "Position", MIN("WeightKg"), MAX("WeightKg"), ROUND(AVG("WeightKg"), 3) AS mean, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY "WeightKg") AS median, ROUND(STDDEV("WeightKg"), 3) AS sd FROM "Player" GROUP BY "Position" ORDER BY "Position";

-- regression: Weight as a linear function of height
SELECT ROUND(REGR_SLOPE("WeightKg", "HeightCm")::numeric, 5) AS slope, ROUND(REGR_INTERCEPT("WeightKg", "HeightCm")::numeric, 4) AS intercept, REGR_COUNT("WeightKg", "HeightCm") AS n FROM "Player";

-- uncapped: Players without an appearance
SELECT p."PlayerId" FROM "Player" p LEFT JOIN "Appearance" a ON a."PlayerId" = p."PlayerId" WHERE a."MatchId" IS NULL ORDER BY 1 LIMIT 30;
