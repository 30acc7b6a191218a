-- org-chart: Agents with their manager and level
WITH RECURSIVE chart AS (
  SELECT agent_id, name, manager_id, 0 AS level, ARRAY[agent_id] AS path FROM agent WHERE manager_id IS NULL
  UNION ALL
  SELECT a.agent_id, a.name, a.manager_id, c.level + 1, c.path || a.agent_id FROM agent a JOIN chart c ON a.manager_id = c.agent_id
)
SELECT level, name, ARRAY_TO_STRING(path, '.') AS path FROM chart ORDER BY path;

-- listings-per-agent: Listings, viewings and sales of each agent
SELECT a.name, COUNT(DISTINCT p.property_id) AS listings, COUNT(DISTINCT v.viewing_id) AS viewings, COUNT(DISTINCT s.property_id) AS sales
FROM agent a LEFT JOIN property p ON p.agent_id = a.agent_id LEFT JOIN viewing v ON v.property_id = p.property_id LEFT JOIN sale s ON s.property_id = p.property_id
GROUP BY a.agent_id, a.name ORDER BY sales DESC, listings DESC, a.name;

-- commission: Commission earned, unknown rates as three percent
SELECT a.name, COUNT(*) AS sales, ROUND(SUM(s.price * COALESCE(a.commission_pct, 3) / 100), 2) AS commission FROM sale s JOIN property p USING (property_id) JOIN agent a ON a.agent_id = p.agent_id GROUP BY a.name ORDER BY commission DESC;

-- phone-digits: Telephone numbers as digits only, without extensions
SELECT name, phone, REGEXP_REPLACE(SPLIT_PART(phone, 'ext', 1), '[^0-9]', '', 'g') AS digits FROM agent ORDER BY agent_id;

-- phone-e164: Numbers in the international form where that is certain
SELECT agent_id, CASE WHEN phone LIKE '+%' THEN '+' || REGEXP_REPLACE(phone, '\D', '', 'g') WHEN phone LIKE '0%' THEN '+49' || SUBSTRING(REGEXP_REPLACE(phone, '\D', '', 'g') FROM 2) END AS e164 FROM agent ORDER BY 1;

-- tenure: Years and months in service
SELECT name, hired, EXTRACT(YEAR FROM AGE('2024-02-29'::date, hired)) AS years, EXTRACT(MONTH FROM AGE('2024-02-29'::date, hired)) AS months FROM agent ORDER BY hired;

-- anniversaries: Next anniversary of the hiring, leap days included
SELECT name, hired, (hired + (EXTRACT(YEAR FROM AGE(DATE '2024-03-15', hired)) + 1) * INTERVAL '1 year')::date AS next_anniversary FROM agent ORDER BY agent_id;

-- languages: Agents per language
SELECT l AS language, COUNT(*) AS agents, STRING_AGG(SPLIT_PART(name, ' ', 1), ', ' ORDER BY name) AS names FROM agent, UNNEST(languages) l GROUP BY l ORDER BY agents DESC, l;

-- names-split: First and last names, several blanks allowed
SELECT name, SPLIT_PART(REGEXP_REPLACE(name, '\s+', ' ', 'g'), ' ', 1) AS first_name, INITCAP(REGEXP_REPLACE(name, '^.*\s', '')) AS last_name FROM agent ORDER BY agent_id;

-- initials: Initials of every agent
SELECT name, UPPER(LEFT(name, 1) || LEFT(LTRIM(SUBSTRING(name FROM POSITION(' ' IN name))), 1)) AS initials FROM agent ORDER BY agent_id;

-- team-size: Direct and all reports of the managers
WITH RECURSIVE under AS (
  SELECT manager_id AS boss, agent_id FROM agent WHERE manager_id IS NOT NULL
  UNION
  SELECT u.boss, a.agent_id FROM under u JOIN agent a ON a.manager_id = u.agent_id
)
SELECT b.name, (SELECT COUNT(*) FROM agent d WHERE d.manager_id = b.agent_id) AS direct, COUNT(*) AS total FROM under u JOIN agent b ON b.agent_id = u.boss GROUP BY b.agent_id, b.name ORDER BY total DESC, b.name;

-- no-agent: Properties without an agent by kind
SELECT kind, COUNT(*) FILTER (WHERE agent_id IS NULL) AS without_agent, ROUND(AVG((agent_id IS NULL)::int) * 100, 1) AS pct FROM property GROUP BY kind ORDER BY kind;

-- above-manager: Agents whose rate is above their manager's
SELECT a.name, a.commission_pct, m.commission_pct AS manager_pct FROM agent a JOIN agent m ON m.agent_id = a.manager_id WHERE a.commission_pct > m.commission_pct ORDER BY a.agent_id;

-- best-month: Each agent's month with the most listings
SELECT name, month, n FROM (SELECT a.name, TO_CHAR(p.listed_on, 'YYYY-MM') AS month, COUNT(*) AS n, ROW_NUMBER() OVER (PARTITION BY a.agent_id ORDER BY COUNT(*) DESC, TO_CHAR(p.listed_on, 'YYYY-MM')) AS rn FROM agent a JOIN property p ON p.agent_id = a.agent_id GROUP BY a.agent_id, a.name, TO_CHAR(p.listed_on, 'YYYY-MM')) t WHERE rn = 1 ORDER BY name;
