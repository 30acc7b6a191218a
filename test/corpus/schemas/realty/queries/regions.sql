-- region-tree: All regions with their path from the root
WITH RECURSIVE tree AS (
  SELECT region_id, name, 1 AS depth, name AS path FROM region WHERE parent_id IS NULL
  UNION ALL
  SELECT r.region_id, r.name, t.depth + 1, t.path || ' / ' || r.name FROM region r JOIN tree t ON t.region_id = r.parent_id
)
SELECT region_id, REPEAT('  ', depth - 1) || name AS indented, path FROM tree ORDER BY path;

-- ancestors: Ancestors of one district, nearest first
WITH RECURSIVE up(region_id, parent_id, name, steps) AS (
  SELECT region_id, parent_id, name, 0 FROM region WHERE name = 'Triana'
  UNION ALL
  SELECT r.region_id, r.parent_id, r.name, up.steps + 1 FROM region r, up WHERE r.region_id = up.parent_id
)
SELECT name, steps FROM up WHERE steps > 0 ORDER BY steps;

-- leaves: Regions without children
SELECT r.name FROM region r LEFT JOIN region c ON c.parent_id = r.region_id WHERE c.region_id IS NULL ORDER BY r.region_id;

-- density: Inhabitants per square kilometre
SELECT name, ROUND((population / area_km2)::numeric, 2) AS per_km2 FROM region WHERE population IS NOT NULL AND area_km2 > 0 ORDER BY per_km2 DESC, name;

-- share-of-parent: Share of the parent's population
SELECT c.name, p.name AS parent, ROUND(100.0 * c.population / p.population, 3) AS pct FROM region c JOIN region p ON p.region_id = c.parent_id WHERE c.population IS NOT NULL ORDER BY pct DESC NULLS LAST, c.name;

-- properties-per-country: Properties rolled up to the countries
WITH RECURSIVE down AS (
  SELECT region_id AS country_id, name AS country, region_id FROM region WHERE level = 'country'
  UNION ALL
  SELECT d.country_id, d.country, r.region_id FROM down d JOIN region r ON r.parent_id = d.region_id
)
SELECT d.country, COUNT(p.property_id) AS properties, ROUND(AVG(p.area_m2), 2) AS avg_area FROM down d LEFT JOIN property p ON p.region_id = d.region_id GROUP BY d.country ORDER BY properties DESC, d.country;

-- levels: Regions by level in their order
SELECT level, COUNT(*) AS n, SUM(population) AS people, STRING_AGG(name, ', ' ORDER BY name) AS names FROM region GROUP BY level ORDER BY CASE level WHEN 'world' THEN 0 WHEN 'country' THEN 1 WHEN 'state' THEN 2 WHEN 'city' THEN 3 ELSE 4 END;

-- population-format: Populations with grouped digits
SELECT name, TO_CHAR(population, 'FM9,999,999,999') AS people FROM region WHERE population > 1000000 ORDER BY population DESC;

-- siblings: Siblings of Dresden's state
SELECT s.name FROM region r JOIN region s ON s.parent_id = r.parent_id AND s.region_id <> r.region_id WHERE r.name = 'Sachsen' ORDER BY 1;

-- subtree-sizes: Size of every subtree
WITH RECURSIVE pairs AS (
  SELECT region_id AS root, region_id FROM region
  UNION ALL
  SELECT p.root, r.region_id FROM pairs p JOIN region r ON r.parent_id = p.region_id
)
SELECT r.name, COUNT(*) - 1 AS below FROM pairs p JOIN region r ON r.region_id = p.root GROUP BY r.region_id, r.name HAVING COUNT(*) > 1 ORDER BY below DESC, r.name;

-- population-check: Do the children's populations exceed the parent's?
SELECT p.name, p.population, SUM(c.population) AS children, SUM(c.population) > p.population AS too_many FROM region p JOIN region c ON c.parent_id = p.region_id GROUP BY p.name, p.population ORDER BY p.name;

-- umlauts: Names with characters beyond ASCII, transliterated
SELECT name, REPLACE(REPLACE(REPLACE(REPLACE(name, 'ü', 'ue'), 'ß', 'ss'), 'ñ', 'n'), 'á', 'a') AS ascii FROM region WHERE name ~ '[^\x01-\x7F]' ORDER BY region_id;

-- bigint-sum: Sum and average of large numbers
SELECT SUM(population) AS total, AVG(population) AS mean, MAX(population) * 1000000 AS big FROM region;
