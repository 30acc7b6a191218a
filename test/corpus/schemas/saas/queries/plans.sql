-- price-list: Plans with yearly prices, two months free
SELECT plan_code, monthly_price, monthly_price * 10 AS yearly, CAST(monthly_price * 10 / 12 AS DECIMAL(10, 2)) AS per_month FROM plans ORDER BY monthly_price, plan_code;

-- feature-matrix: Which plan has which feature?
SELECT f.feature, BOOL_OR(p.plan_code = 'free' AND f.feature = ANY(p.features)) AS free, BOOL_OR(p.plan_code = 'team' AND f.feature = ANY(p.features)) AS team, BOOL_OR(p.plan_code = 'scale' AND f.feature = ANY(p.features)) AS scale
FROM plans p CROSS JOIN (SELECT DISTINCT UNNEST(features) AS feature FROM plans) f GROUP BY f.feature ORDER BY f.feature;

-- feature-positions: Features numbered by their position
SELECT p.plan_code, f.ord, f.feature FROM plans p, UNNEST(p.features) WITH ORDINALITY AS f(feature, ord) ORDER BY p.plan_code, f.ord;

-- limits: Limits from JSON, unlimited where null
SELECT plan_code, COALESCE(limits->>'projects', 'unlimited') AS projects, (limits->>'storage_gb')::numeric AS storage_gb, limits->'support'->>'hours' AS hours, (limits #>> '{support,sla}')::float8 AS sla FROM plans ORDER BY plan_code;

-- exclusive-features: Features that the plan has more than the basic one
SELECT plan_code, ARRAY(SELECT UNNEST(features) EXCEPT SELECT UNNEST(b.features) FROM plans b WHERE b.plan_code = 'basic' ORDER BY 1) AS more FROM plans WHERE features IS NOT NULL ORDER BY plan_code;

-- retired: Plans not sold any more, with current subscribers
SELECT p.plan_code, p.retired_on, COUNT(s.id) AS subscribers FROM plans p LEFT JOIN subscriptions s ON s.plan_code = p.plan_code AND s.ended_on IS NULL WHERE p.retired_on IS NOT NULL GROUP BY p.plan_code, p.retired_on;

-- sold-after-retirement: Were retired plans still sold?
SELECT p.name, COUNT(*) AS sold_after FROM plans p JOIN subscriptions s ON s.plan_code = p.plan_code AND s.started_on > p.retired_on GROUP BY p.name;

-- price-per-feature: Price per feature
SELECT plan_code, ROUND(monthly_price / NULLIF(CARDINALITY(features), 0), 3) AS per_feature FROM plans ORDER BY per_feature NULLS FIRST, plan_code;

-- next-plan: The next dearer plan and its surcharge
SELECT plan_code, monthly_price, LEAD(plan_code) OVER (ORDER BY monthly_price) AS next_plan, LEAD(monthly_price) OVER (ORDER BY monthly_price) - monthly_price AS surcharge FROM plans ORDER BY monthly_price;

-- plans-values: The list price joined with a table of values
SELECT v.code, p.name, COALESCE(p.monthly_price, -1) AS price FROM (VALUES ('free'), ('team'), ('gone')) AS v(code) LEFT JOIN plans p ON p.plan_code = v.code ORDER BY v.code;
