-- per-country: Accounts per country, unknown countries as a question mark
SELECT COALESCE(country, '?') AS country, COUNT(*) AS accounts FROM accounts WHERE NOT is_test GROUP BY 1 ORDER BY 2 DESC, 1;

-- signups-per-month: Sign-ups by month in UTC
SELECT DATE_TRUNC('month', signed_up_at) AS month, COUNT(*) AS signups FROM accounts GROUP BY 1 ORDER BY 1;

-- signups-berlin-time: Sign-ups by hour of the day in Berlin
SELECT EXTRACT(HOUR FROM signed_up_at AT TIME ZONE 'Europe/Berlin') AS hour, COUNT(*) FROM accounts GROUP BY 1 ORDER BY 1;

-- cumulative-signups: Cumulative sign-ups by week
SELECT week, n, SUM(n) OVER (ORDER BY week) AS total FROM (SELECT date_trunc('week', signed_up_at)::date AS week, COUNT(*) AS n FROM accounts GROUP BY 1) w ORDER BY week;

-- by-tag: How many accounts carry each tag?
SELECT tag, COUNT(*) AS accounts FROM accounts, UNNEST(tags) AS tag GROUP BY tag ORDER BY accounts DESC, tag;

-- tagged-vip: Accounts tagged vip
SELECT name FROM accounts WHERE 'vip' = ANY(tags) ORDER BY name, id;

-- contains-both: Accounts with both beta and eu
SELECT name, tags FROM accounts WHERE tags @> ARRAY['beta', 'eu'] ORDER BY name;

-- overlap-tags: Accounts with vip or partner, by array overlap
SELECT COUNT(*) AS n FROM accounts WHERE tags && ARRAY['vip', 'partner'];

-- tag-count: Accounts by the number of tags; no tags and unknown tags differ
SELECT CARDINALITY(tags) AS tags, ARRAY_LENGTH(tags, 1) AS array_length, COUNT(*) AS n FROM accounts GROUP BY 1, 2 ORDER BY 1 NULLS FIRST;

-- tags-text: Tags as one text
SELECT name, ARRAY_TO_STRING(tags, '; ') AS tags, tags[1] AS first_tag FROM accounts WHERE tags IS NOT NULL ORDER BY name, id LIMIT 20;

-- tag-pairs: Tags that occur together
SELECT a.tag AS tag_a, b.tag AS tag_b, COUNT(*) AS n
FROM accounts ac CROSS JOIN LATERAL UNNEST(ac.tags) AS a(tag) CROSS JOIN LATERAL UNNEST(ac.tags) AS b(tag)
WHERE a.tag < b.tag GROUP BY 1, 2 ORDER BY n DESC, tag_a, tag_b;

-- theme: Themes from the settings
SELECT settings->>'theme' AS theme, COUNT(*) AS n FROM accounts GROUP BY settings->>'theme' ORDER BY n DESC, theme;

-- billing-method: Nested settings with a default
SELECT COALESCE(settings->'billing'->>'method', 'not set') AS method, COUNT(*) AS n, COUNT(settings #>> '{billing,vat}') AS with_vat
FROM accounts GROUP BY 1 ORDER BY 1;

-- seats-in-settings: Seats kept as a JSON number
SELECT name, (settings->>'seats')::int AS seats FROM accounts WHERE (settings->>'seats')::int > 60 ORDER BY seats DESC, name;

-- has-billing: Accounts whose settings have the key billing
SELECT COUNT(*) FILTER (WHERE settings ? 'billing') AS with_billing, COUNT(*) FILTER (WHERE NOT settings ? 'billing') AS without_billing, COUNT(*) FILTER (WHERE settings IS NULL) AS no_settings FROM accounts;

-- flags: Flags switched on, from a JSON array
SELECT flag, COUNT(*) AS accounts
FROM accounts a CROSS JOIN LATERAL jsonb_array_elements_text(a.settings->'flags') AS flag
GROUP BY flag ORDER BY 2 DESC, 1;

-- flag-lengths: Accounts by the number of flags
SELECT jsonb_array_length(settings->'flags') AS flags, COUNT(*) FROM accounts WHERE settings->'flags' IS NOT NULL GROUP BY 1 ORDER BY 1;

-- first-flag: First flag by subscript
SELECT settings->'flags'->>0 AS first_flag, COUNT(*) AS n FROM accounts GROUP BY 1 ORDER BY 1 NULLS LAST;

-- setting-keys: All top-level keys of the settings
SELECT key, COUNT(*) AS n FROM accounts, jsonb_object_keys(settings) AS key GROUP BY key ORDER BY key;

-- key-types: Keys of settings with the JSON type of their values
SELECT e.key, jsonb_typeof(e.value) AS type, COUNT(*) AS n FROM accounts a, jsonb_each(a.settings) AS e GROUP BY 1, 2 ORDER BY 1, 2;

-- json-containment: Accounts with the dark theme, by containment
SELECT COUNT(*) AS dark FROM accounts WHERE settings @> '{"theme": "dark"}';

-- email-parts: Domains and plus-addresses
SELECT LOWER(SPLIT_PART(owner_email, '@', 2)) AS domain, COUNT(*) AS n, COUNT(*) FILTER (WHERE owner_email LIKE '%+%@%') AS plus_addresses
FROM accounts WHERE owner_email IS NOT NULL GROUP BY 1 ORDER BY n DESC, domain;

-- email-check: Addresses that are not plain ASCII
SELECT owner_email FROM accounts WHERE owner_email !~ '^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$' ORDER BY owner_email;

-- trimmed-names: Names that need trimming
SELECT '>' || name || '<' AS shown, LENGTH(name) AS raw, LENGTH(TRIM(name)) AS trimmed FROM accounts WHERE name <> TRIM(name) ORDER BY name;

-- name-prefix: Names by first letter, case folded
SELECT UPPER(SUBSTRING(TRIM(name), 1, 1)) AS letter, COUNT(*) AS n FROM accounts GROUP BY 1 ORDER BY 1;

-- referral-tree: Depth of the referral tree
WITH RECURSIVE tree AS (
  SELECT id, name, 0 AS depth FROM accounts WHERE referred_by IS NULL
  UNION ALL
  SELECT a.id, a.name, t.depth + 1 FROM accounts a JOIN tree t ON a.referred_by = t.id
)
SELECT depth, COUNT(*) AS accounts FROM tree GROUP BY depth ORDER BY depth;

-- best-referrers: Accounts that referred most others
SELECT r.name, COUNT(*) AS referred, MIN(a.signed_up_at)::date AS first_referral
FROM accounts a JOIN accounts r ON r.id = a.referred_by
GROUP BY r.id ORDER BY referred DESC, r.name LIMIT 5;

-- without-subscription: Accounts that never subscribed
SELECT a.id, a.name FROM accounts a WHERE NOT EXISTS (SELECT * FROM subscriptions s WHERE s.account_id = a.id) ORDER BY a.name, a.id;

-- days-to-subscribe: Days from sign-up to the first subscription
SELECT days, COUNT(*) AS accounts FROM (
  SELECT a.id, MIN(s.started_on) - a.signed_up_at::date AS days FROM accounts a JOIN subscriptions s ON s.account_id = a.id GROUP BY a.id, a.signed_up_at
) x GROUP BY days ORDER BY days;

-- uuid-text: The first group of the ids as text
SELECT LEFT(id::text, 8) AS short_id, name FROM accounts ORDER BY id LIMIT 10;

-- uuid-lookup: One account by a written uuid
SELECT COUNT(*) FROM accounts WHERE id = '00000000-0000-4000-a000-000000000000';

-- uuid-min: Smallest and largest id by their text
SELECT MIN(id::text) AS lo, MAX(id::text) AS hi FROM accounts;

-- health-score: A score from several facts
SELECT a.name,
       (CASE WHEN EXISTS (SELECT 1 FROM subscriptions s WHERE s.account_id = a.id AND s.ended_on IS NULL) THEN 50 ELSE 0 END
      + LEAST(30, (SELECT COUNT(*) FROM events e WHERE e.account_id = a.id AND e.name = 'login') * 3)
      - 5 * (SELECT COUNT(*) FROM tickets t WHERE t.account_id = a.id AND t.priority IN ('high', 'urgent'))) AS score
FROM accounts a WHERE a.is_test IS FALSE ORDER BY score DESC, a.name, a.id LIMIT 20;

-- age-days: Age of the accounts in days on the first of April
SELECT name, EXTRACT(DAY FROM TIMESTAMPTZ '2024-04-01 00:00:00+00' - signed_up_at) AS days FROM accounts ORDER BY days DESC, name LIMIT 10;

-- epoch: Sign-up as epoch seconds and back
SELECT EXTRACT(EPOCH FROM signed_up_at)::bigint AS seconds, TO_TIMESTAMP(EXTRACT(EPOCH FROM signed_up_at)) = signed_up_at AS same FROM accounts ORDER BY 1 LIMIT 5;

-- country-list: Countries as one line without doubles
SELECT STRING_AGG(DISTINCT country, '/') AS countries, ARRAY_AGG(DISTINCT country) AS list FROM accounts WHERE country IS NOT NULL;
