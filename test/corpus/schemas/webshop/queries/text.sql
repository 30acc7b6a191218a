-- concat-ws-address: Name, city and country as one line; missing parts leave no comma
SELECT customer_id, CONCAT_WS(', ', NULLIF(TRIM(name), ''), NULLIF(city, ''), country) AS address FROM customers ORDER BY customer_id;

-- pipe-null: The same by ||, which loses the line where a part is missing
SELECT customer_id, name || ', ' || city || ', ' || country AS address FROM customers ORDER BY customer_id LIMIT 40;

-- mail-user: User part of each address by position and left
SELECT email, LEFT(email, POSITION('@' IN email) - 1) AS user_part, STRPOS(email, '@') AS at, SUBSTRING(email FROM POSITION('@' IN email) + 1) AS host
FROM customers
WHERE email IS NOT NULL
ORDER BY customer_id
LIMIT 30;

-- masked-mail: Addresses with the middle hidden
SELECT customer_id, OVERLAY(email PLACING '***' FROM 2 FOR 3) AS masked FROM customers WHERE email IS NOT NULL ORDER BY customer_id LIMIT 25;

-- starts-and-ends: Names that start with a capital and end with a blank
SELECT name, name ~ '^[A-Z]' AS capital, name LIKE '% ' AS blank_at_end, STARTS_WITH(name, 'Bob') AS is_bob
FROM customers
GROUP BY name
ORDER BY name;

-- trim-kinds: Trimming at the left, the right and both ends, of blanks and of digits
SELECT DISTINCT phone, LTRIM(phone, '+0') AS ltrimmed, RTRIM(phone, '0123456789') AS rtrimmed, BTRIM(phone, '+0123456789 -') AS inner_part
FROM customers
WHERE phone <> '';

-- words-of-names: Number of words in each name, blanks squeezed
SELECT DISTINCT name, LENGTH(TRIM(name)) - LENGTH(REPLACE(TRIM(name), ' ', '')) + 1 AS naive, CARDINALITY(STRING_TO_ARRAY(TRIM(name), ' ')) AS by_array
FROM customers;

-- reversed-and-padded: Names reversed, padded and cut
SELECT DISTINCT name, REVERSE(name) AS reversed, LPAD(name, 12, '.') AS lpadded, RPAD(name, 5) AS cut, LENGTH(RPAD(name, 20, 'äb')) AS len
FROM customers;

-- code-points: First code point and upper and lower case of each name
SELECT DISTINCT name, ASCII(name) AS code, CHR(ASCII(name)) AS chr, UPPER(name) AS upper_name, LOWER(name) AS lower_name
FROM customers;

-- case-insensitive-in: Cities of a list in any case
SELECT city, COUNT(*) AS n FROM customers WHERE LOWER(city) IN ('london', 'berlin', 'lyon') GROUP BY city ORDER BY city;

-- like-escape: Notes with an underscore or percent sign, by ESCAPE
SELECT order_id, note FROM orders WHERE note LIKE '%!_%' ESCAPE '!' OR note LIKE '%!%%' ESCAPE '!' ORDER BY order_id;

-- similar-to: SKUs by SIMILAR TO
SELECT sku FROM products WHERE sku SIMILAR TO 'SKU-0(0|1)[0-9]{3}b?' ORDER BY sku;

-- regexp-groups: Words of product names turned around
SELECT DISTINCT name, REGEXP_REPLACE(name, '^(\S+) (\S+).*$', '\2 (\1)') AS turned FROM products ORDER BY name;

-- regexp-flags: Vowels replaced, all of them and only the first, in any case
SELECT DISTINCT name, REGEXP_REPLACE(name, '[aeiou]', '*', 'g') AS all_vowels, REGEXP_REPLACE(name, '[aeiou]', '*') AS first_vowel, REGEXP_REPLACE(name, '[aeiou]', '*', 'gi') AS any_case
FROM products;

-- not-like-null: Names unlike a pattern; NULL notes are in neither group
SELECT COUNT(*) FILTER (WHERE note LIKE '%e%') AS with_e, COUNT(*) FILTER (WHERE note NOT LIKE '%e%') AS without_e, COUNT(*) AS all_orders FROM orders;

-- sorted-texts: Order of texts with capitals, umlauts and digits
SELECT DISTINCT name FROM products ORDER BY name DESC;

-- min-max-texts: First and last of names, in order of code points, and the longest
SELECT MIN(name) AS first_name, MAX(name) AS last_name, MAX(LENGTH(name)) AS longest, MIN(NULLIF(city, '')) AS first_city
FROM customers;

-- split-negative: Last part of an address by a negative index
SELECT DISTINCT SPLIT_PART(email, '.', -1) AS tld FROM customers WHERE email IS NOT NULL ORDER BY tld;

-- translate-umlauts: Category names without umlauts
SELECT name, TRANSLATE(name, 'äöüÄÖÜ', 'aouAOU') AS ascii_name, REPLACE(REPLACE(name, 'ü', 'ue'), 'ö', 'oe') AS spelled FROM categories ORDER BY category_id;

-- quoted-quotes: Quotes inside of texts and of aliases
SELECT 'It''s' AS "a ""quoted"" name", name AS "Name", COUNT(*) AS "count of 'things'"
FROM categories
WHERE name LIKE '%''%'
GROUP BY name;

-- format-skus: SKUs in another format
SELECT sku, FORMAT('%s/%s', LEFT(sku, 3), SUBSTR(sku, 5)) AS formatted FROM products ORDER BY sku LIMIT 15;

-- text-to-number: Digits of phones as numbers, where there are any
SELECT DISTINCT phone, NULLIF(REGEXP_REPLACE(phone, '\D', '', 'g'), '')::bigint AS number FROM customers WHERE phone IS NOT NULL ORDER BY number NULLS LAST, phone;

-- repeat-and-strings: Stars for the number of tags
SELECT product_id, REPEAT('*', COALESCE(CARDINALITY(tags), 0)) AS stars, QUOTE_LITERAL(name) AS literal FROM products ORDER BY product_id LIMIT 20;

-- md5-buckets: Products per first digit of a hash of their SKU
SELECT LEFT(MD5(sku), 1) AS bucket, COUNT(*) AS n FROM products GROUP BY 1 ORDER BY 1;

-- ordered-words: Words of reviews in alphabetical order with their count
SELECT w.word, COUNT(*) AS n
FROM reviews r, UNNEST(STRING_TO_ARRAY(LOWER(r.body), ' ')) AS w(word)
WHERE w.word ~ '^[a-z]+$'
GROUP BY w.word
HAVING COUNT(*) > 5
ORDER BY w.word;
