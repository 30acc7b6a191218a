-- club-ages: Age of the clubs, unknown ones too
SELECT "Name", 2024 - "Founded" AS "Age", COALESCE('founded ' || "Founded", 'unknown') AS text FROM "Team" ORDER BY "Age" DESC NULLS LAST, "Name";

-- decades: Clubs by the decade of their founding
SELECT ("Founded" / 10) * 10 AS decade, COUNT(*) AS clubs, STRING_AGG("Name", ', ' ORDER BY "Founded", "Name") AS names FROM "Team" GROUP BY 1 ORDER BY 1 NULLS FIRST;

-- same-capacity: Teams with equal capacity
SELECT a."Name" AS one, b."Name" AS other, a."Capacity" FROM "Team" a JOIN "Team" b ON a."Capacity" = b."Capacity" AND a."TeamId" < b."TeamId";

-- capacity-vs-average: Capacity against the average of all
SELECT "Name", "Capacity", "Capacity" - AVG("Capacity") OVER () AS diff FROM "Team" ORDER BY diff DESC NULLS LAST, "Name";

-- quotes-in-names: Stadiums with quotation marks or apostrophes
SELECT "Stadium Name", REPLACE(REPLACE("Stadium Name", '"', ''), '''', '’') AS clean FROM "Team" WHERE "Stadium Name" LIKE '%"%' OR "Stadium Name" LIKE '%''%' ORDER BY 1;

-- city-in-name: Clubs named for their city
SELECT "Name", "City" FROM "Team" WHERE POSITION("City" IN "Name") > 0 ORDER BY 1;

-- lower-codes: Codes in lower case and sorted by length
SELECT LOWER("Short Code") AS code, CHAR_LENGTH("Short Code") AS n FROM "Team" WHERE "Short Code" IS NOT NULL ORDER BY n DESC, code;

-- never-played: Teams without a match
SELECT "Name" FROM "Team" t WHERE NOT EXISTS (SELECT 1 FROM "Match" m WHERE m."HomeTeamId" = t."TeamId" OR m."AwayTeamId" = t."TeamId");

-- unpivot: Facts about each team as rows
SELECT t."TeamId", f.fact, f.value FROM "Team" t CROSS JOIN LATERAL (VALUES ('city', t."City"), ('founded', t."Founded"::text), ('capacity', t."Capacity"::text)) f(fact, value) WHERE f.value IS NOT NULL ORDER BY 1, 2;

-- all-pairs: A double round robin generated
SELECT h."Short Code" || '-' || a."Short Code" AS pairing FROM "Team" h CROSS JOIN "Team" a WHERE h."TeamId" <> a."TeamId" AND h."TeamId" < 4 AND a."TeamId" < 4 ORDER BY 1;

-- generated-alias: An alias in capitals that needs quotes, used in the order
SELECT "Name" AS "NAME", "Capacity" AS "Cap. (seats)" FROM "Team" ORDER BY "Cap. (seats)" DESC NULLS LAST, "NAME" LIMIT 3;

-- unquoted-alias: An alias without quotes beside one of the same word in quotes
SELECT "Name" AS team_name, "City" AS "Team_Name" FROM "Team" WHERE "TeamId" = 1;

-- unicode-order: Lengths of names in characters and bytes
SELECT "Name", LENGTH("Name") AS chars, OCTET_LENGTH("Name") AS bytes, ASCII("Name") AS first_code, CHR(ASCII("Name")) AS first_char FROM "Team" ORDER BY "TeamId";
