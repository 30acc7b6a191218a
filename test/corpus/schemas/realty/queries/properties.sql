-- kinds: Properties by kind, spellings joined
SELECT LOWER(kind) AS kind, COUNT(*) AS n, MIN(listed_on) AS first_listed, MAX(listed_on) AS last_listed FROM property GROUP BY 1 ORDER BY n DESC, 1;

-- price-number: Prices from their text: signs, points and blanks removed
SELECT property_id, asking_text, REGEXP_REPLACE(REGEXP_REPLACE(asking_text, ',\d\d\s', ''), '[^0-9]', '', 'g') AS digits FROM property WHERE asking_text ~ '\d' ORDER BY property_id LIMIT 30;

-- price-numeric: The same as numbers, and their average by kind
WITH parsed AS (
  SELECT property_id, LOWER(kind) AS kind, NULLIF(REGEXP_REPLACE(REPLACE(asking_text, ',00', ''), '[^0-9]', '', 'g'), '')::bigint AS price FROM property
)
SELECT kind, COUNT(*) AS n, COUNT(price) AS priced, ROUND(AVG(price), 2) AS avg_price, MAX(price) AS dearest FROM parsed GROUP BY kind ORDER BY kind;

-- price-formats: How are prices written?
SELECT CASE WHEN asking_text IS NULL THEN 'missing' WHEN asking_text = '' THEN 'empty' WHEN asking_text LIKE '€%' THEN 'euro sign first' WHEN asking_text LIKE '%EUR' THEN 'EUR last' WHEN asking_text ~ '^\d+$' THEN 'digits' WHEN asking_text ~ '€$' THEN 'euro sign last' ELSE 'words' END AS format, COUNT(*) AS n FROM property GROUP BY 1 ORDER BY n DESC, 1;

-- price-per-m2: Price per square metre by energy class
SELECT p.energy_class, ROUND(AVG(c.price / NULLIF(p.area_m2, 0)), 2) AS per_m2, COUNT(*) AS n
FROM property p JOIN LATERAL (SELECT price FROM price_change x WHERE x.property_id = p.property_id ORDER BY changed_on DESC LIMIT 1) c ON TRUE
GROUP BY p.energy_class ORDER BY p.energy_class NULLS LAST;

-- energy-order: Energy classes in their order
SELECT energy_class, COUNT(*) AS n FROM property WHERE energy_class IS NOT NULL GROUP BY energy_class ORDER BY RPAD(energy_class, 2, 'Z');

-- amenities: Combinations of amenities
SELECT has_garden, has_garage, has_pool, COUNT(*) AS n FROM property GROUP BY has_garden, has_garage, has_pool ORDER BY has_garden, has_garage, has_pool NULLS FIRST;

-- amenity-count: Number of amenities of each property
SELECT has_garden::int + has_garage::int + COALESCE(has_pool, FALSE)::int AS amenities, COUNT(*) AS n, ROUND(AVG(area_m2), 1) AS area FROM property GROUP BY 1 ORDER BY 1;

-- all-three: Properties with everything, unknown pools apart
SELECT COUNT(*) FILTER (WHERE has_garden AND has_garage AND has_pool) AS yes, COUNT(*) FILTER (WHERE NOT (has_garden AND has_garage AND has_pool)) AS no, COUNT(*) FILTER (WHERE (has_garden AND has_garage AND has_pool) IS NULL) AS unknown FROM property;

-- bedrooms: Bedrooms, none and unknown
SELECT COALESCE(bedrooms::text, 'unknown') AS bedrooms, COUNT(*) AS n, AVG(bathrooms) AS bathrooms FROM property GROUP BY bedrooms ORDER BY bedrooms NULLS LAST;

-- half-baths: Bathrooms with halves
SELECT bathrooms, TRUNC(bathrooms)::int AS full_baths, (bathrooms % 1 <> 0) AS has_half, COUNT(*) FROM property WHERE bathrooms IS NOT NULL GROUP BY bathrooms ORDER BY bathrooms;

-- year-classes: Properties by age of the building
SELECT CASE WHEN year_built < 1919 THEN 'before 1919' WHEN year_built BETWEEN 1919 AND 1948 THEN '1919-1948' WHEN year_built < 1979 THEN '1949-1978' WHEN year_built < 2000 THEN '1979-1999' WHEN year_built >= 2000 THEN '2000+' ELSE 'unknown' END AS era, COUNT(*) AS n, ROUND(AVG(area_m2), 1) AS avg_area FROM property GROUP BY 1 ORDER BY MIN(year_built) NULLS LAST;

-- decade-counts: Decades with and without buildings
SELECT d AS decade, COUNT(p.property_id) AS n FROM generate_series(1880, 2020, 10) AS d LEFT JOIN property p ON p.year_built >= d AND p.year_built < d + 10 GROUP BY d ORDER BY d;

-- house-numbers: Numbers and letters of the house numbers
SELECT house_no, SUBSTRING(house_no FROM '^[0-9]+')::int AS number, NULLIF(REGEXP_REPLACE(house_no, '^[0-9 -]+', ''), '') AS letter, house_no LIKE '%-%' AS is_range FROM property WHERE house_no <> '' GROUP BY house_no ORDER BY number, house_no;

-- addresses: Addresses as one line, parts may be missing
SELECT property_id, CONCAT_WS(', ', NULLIF(TRIM(CONCAT(street, ' ', house_no)), ''), postcode) AS address FROM property ORDER BY property_id LIMIT 25;

-- street-spellings: Streets with abbreviations written out
SELECT REGEXP_REPLACE(street, 'str\.$', 'straße') AS street, COUNT(*) AS n FROM property WHERE street IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1;

-- sharp-s: Lower and upper case of a street with a sharp s
SELECT DISTINCT street, UPPER(street) AS up, LOWER(street) AS low, LENGTH(UPPER(street)) AS n FROM property WHERE street LIKE 'Av%' ORDER BY 1;

-- postcodes: Postcodes that cannot be German
SELECT postcode, COUNT(*) AS n FROM property WHERE postcode IS NULL OR postcode !~ '^[0-9]{5}$' GROUP BY postcode ORDER BY postcode NULLS LAST;

-- bounding-box: Properties in a box of coordinates
SELECT property_id, lat, lon FROM property WHERE lat BETWEEN 45 AND 50.5 AND lon BETWEEN -1.5 AND 12 ORDER BY property_id;

-- grid: Properties in a grid of one degree
SELECT FLOOR(lat)::int AS lat_cell, FLOOR(lon)::int AS lon_cell, COUNT(*) AS n FROM property WHERE lat IS NOT NULL AND lon IS NOT NULL GROUP BY 1, 2 HAVING COUNT(*) > 1 ORDER BY 3 DESC, 1, 2;

-- nearest-three: The three nearest properties to Munich's centre
SELECT property_id, ROUND(SQRT(POWER((lat - 48.137154)::float8 * 111.32, 2) + POWER((lon - 11.576124)::float8 * 74.3, 2))::numeric, 2) AS km FROM property WHERE lat IS NOT NULL AND lon IS NOT NULL ORDER BY SQRT(POWER((lat - 48.137154)::float8 * 111.32, 2) + POWER((lon - 11.576124)::float8 * 74.3, 2)), property_id LIMIT 3;

-- floors: Floors in words
SELECT floor, CASE floor WHEN -1 THEN 'basement' WHEN 0 THEN 'ground floor' WHEN 1 THEN '1st' WHEN 2 THEN '2nd' WHEN 3 THEN '3rd' ELSE floor || 'th' END AS text, COUNT(*) AS n FROM property WHERE floor IS NOT NULL GROUP BY floor ORDER BY floor;

-- listed-per-month: Listings per month with a running total and the share of the year
SELECT DATE_TRUNC('month', listed_on)::date AS month, COUNT(*) AS n, SUM(COUNT(*)) OVER (ORDER BY DATE_TRUNC('month', listed_on)) AS total, ROUND(COUNT(*) * 1.0 / SUM(COUNT(*)) OVER (PARTITION BY EXTRACT(YEAR FROM DATE_TRUNC('month', listed_on))), 3) AS share FROM property GROUP BY DATE_TRUNC('month', listed_on) ORDER BY 1;

-- description-words: Descriptions with a telephone number or a word
SELECT description, COUNT(*) AS n, description ~ '\d{4}-\d{3}' AS has_phone, description ~* '\mno agents\M' AS no_agents FROM property GROUP BY description ORDER BY n DESC, description;

-- description-parts: First sentence of the descriptions
SELECT DISTINCT SPLIT_PART(description, '.', 1) AS first_part, LENGTH(description) AS n, POSITION(';' IN description) AS semicolon FROM property WHERE description <> '' ORDER BY 1;

-- heating: Heating from the features
SELECT features->>'heating' AS heating, COUNT(*) AS n, ROUND(AVG((features->'energy'->>'kwh')::int), 2) AS kwh FROM property GROUP BY 1 ORDER BY n DESC, 1 NULLS LAST;

-- rooms: Rooms listed in the features with their area
SELECT r.value->>'kind' AS kind, COUNT(*) AS n, ROUND(SUM((r.value->>'m2')::numeric), 1) AS m2 FROM property p CROSS JOIN LATERAL jsonb_array_elements(p.features->'rooms') AS r(value) GROUP BY 1 ORDER BY 1;

-- room-counts: Properties by number of listed rooms
SELECT jsonb_array_length(features->'rooms') AS rooms, COUNT(*) AS n FROM property WHERE features IS NOT NULL GROUP BY 1 ORDER BY 1;

-- balcony: A JSON boolean as a condition
SELECT COUNT(*) FILTER (WHERE (features->>'balcony')::boolean) AS with_balcony, COUNT(*) FILTER (WHERE features->>'balcony' = 'false') AS without, COUNT(*) FILTER (WHERE features->'balcony' IS NULL) AS unknown FROM property;

-- certificate-age: Age of the energy certificates from a JSON date
SELECT property_id, (features->'energy'->>'issued')::date AS issued, DATE '2024-04-01' - (features->'energy'->>'issued')::date AS days FROM property WHERE (features #>> '{energy,issued}')::date < DATE '2016-01-01' ORDER BY issued, property_id;

-- json-null: Certificates whose kilowatt hours are JSON null
SELECT COUNT(*) FILTER (WHERE features->'energy'->'kwh' = 'null'::jsonb) AS json_null, COUNT(*) FILTER (WHERE features->'energy'->>'kwh' IS NULL) AS null_as_text, COUNT(*) AS n FROM property WHERE features IS NOT NULL;

-- duplicates: Properties that look like doubles
SELECT a.property_id, b.property_id AS other FROM property a JOIN property b ON a.property_id < b.property_id AND a.region_id = b.region_id AND LOWER(a.kind) = LOWER(b.kind) AND a.street IS NOT DISTINCT FROM b.street AND a.house_no = b.house_no ORDER BY 1, 2;

-- completeness: Share of filled columns per property in classes
SELECT width_bucket(filled, 0, 8, 4) AS class, COUNT(*) AS n FROM (SELECT (CASE WHEN street IS NOT NULL THEN 1 ELSE 0 END + CASE WHEN postcode IS NOT NULL THEN 1 ELSE 0 END + CASE WHEN lat IS NOT NULL THEN 1 ELSE 0 END + CASE WHEN lon IS NOT NULL THEN 1 ELSE 0 END + CASE WHEN area_m2 IS NOT NULL THEN 1 ELSE 0 END + CASE WHEN year_built IS NOT NULL THEN 1 ELSE 0 END + CASE WHEN features IS NOT NULL THEN 1 ELSE 0 END) AS filled FROM property) f GROUP BY 1 ORDER BY 1;

-- median-area: Median and quartiles of the area by kind
SELECT LOWER(kind) AS kind, PERCENTILE_CONT(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY area_m2) AS quartiles, COUNT(area_m2) AS n FROM property GROUP BY LOWER(kind) ORDER BY 1;

-- area-rank: Share of properties that are smaller
SELECT property_id, area_m2, ROUND((PERCENT_RANK() OVER (ORDER BY area_m2))::numeric, 4) AS smaller FROM property WHERE area_m2 IS NOT NULL ORDER BY area_m2 DESC, property_id LIMIT 10;

-- area-square-feet: Areas in square feet, rounded to tens
SELECT property_id, area_m2, ROUND(area_m2 * 10.7639, -1) AS square_feet, CEILING(area_m2) AS up FROM property WHERE area_m2 > 390 ORDER BY property_id;

-- plots: Ratio of plot to living area
SELECT property_id, plot_m2, area_m2, plot_m2 / NULLIF(area_m2, 0) AS ratio FROM property WHERE plot_m2 IS NOT NULL ORDER BY ratio DESC NULLS LAST, property_id LIMIT 10;
