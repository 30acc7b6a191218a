-- tag-counts: Properties per tag
SELECT tag, COUNT(*) AS n FROM property_tag GROUP BY tag ORDER BY n DESC, tag;

-- tag-list: Tags of each property as a list, none as an empty text
SELECT p.property_id, COALESCE(STRING_AGG(t.tag, ', ' ORDER BY t.tag), '') AS tags FROM property p LEFT JOIN property_tag t ON t.property_id = p.property_id GROUP BY p.property_id ORDER BY p.property_id LIMIT 30;

-- both-tags: Properties with both tags, by counting
SELECT property_id FROM property_tag WHERE tag IN ('premium', 'sea view') GROUP BY property_id HAVING COUNT(*) = 2 ORDER BY 1;

-- neither: Properties without a bad tag
SELECT COUNT(*) AS n FROM property p WHERE NOT EXISTS (SELECT 1 FROM property_tag t WHERE t.property_id = p.property_id AND t.tag IN ('reduced', 'fixer-upper'));

-- co-occurrence: Tags that occur together, with lift
WITH n AS (SELECT COUNT(*)::numeric AS total FROM property), c AS (SELECT tag, COUNT(*) AS n FROM property_tag GROUP BY tag)
SELECT a.tag AS a, b.tag AS b, COUNT(*) AS together, ROUND(COUNT(*) * n.total / (ca.n * cb.n), 4) AS lift
FROM property_tag a JOIN property_tag b ON a.property_id = b.property_id AND a.tag < b.tag JOIN c ca ON ca.tag = a.tag JOIN c cb ON cb.tag = b.tag CROSS JOIN n
GROUP BY a.tag, b.tag, ca.n, cb.n, n.total ORDER BY lift DESC, 1, 2;

-- tag-pivot: Tags as columns of flags
SELECT p.property_id, BOOL_OR(t.tag = 'new') AS is_new, BOOL_OR(t.tag = 'premium') AS premium, COALESCE(BOOL_OR(t.tag = 'reduced'), FALSE) AS reduced FROM property p LEFT JOIN property_tag t USING (property_id) WHERE p.property_id <= 15 GROUP BY p.property_id ORDER BY 1;

-- really-reduced: Tagged as reduced and really reduced
SELECT COUNT(*) FILTER (WHERE t.tag IS NOT NULL AND r.drops > 0) AS both, COUNT(*) FILTER (WHERE t.tag IS NOT NULL AND r.drops = 0) AS only_tag, COUNT(*) FILTER (WHERE t.tag IS NULL AND r.drops > 0) AS only_price
FROM (SELECT property_id, COUNT(*) - 1 AS drops FROM price_change GROUP BY property_id) r LEFT JOIN property_tag t ON t.property_id = r.property_id AND t.tag = 'reduced';

-- intersect-tags: Properties with three tags, by set operations
SELECT property_id FROM property_tag WHERE tag = 'new' INTERSECT SELECT property_id FROM property_tag WHERE tag = 'premium' EXCEPT SELECT property_id FROM property_tag WHERE tag = 'reduced' ORDER BY 1;

-- symmetric-difference: Properties with exactly one of two tags
(SELECT property_id FROM property_tag WHERE tag = 'new' EXCEPT SELECT property_id FROM property_tag WHERE tag = 'sea view') UNION (SELECT property_id FROM property_tag WHERE tag = 'sea view' EXCEPT SELECT property_id FROM property_tag WHERE tag = 'new') ORDER BY property_id;

-- tag-array: Tags gathered as arrays and searched
SELECT property_id, tags FROM (SELECT property_id, ARRAY_AGG(tag ORDER BY tag) AS tags FROM property_tag GROUP BY property_id) t WHERE tags @> ARRAY['new', 'premium'] ORDER BY property_id;

-- tag-json: Tags gathered as JSON
SELECT property_id, json_agg(tag ORDER BY tag) AS tags FROM property_tag WHERE property_id <= 10 GROUP BY property_id ORDER BY property_id;
