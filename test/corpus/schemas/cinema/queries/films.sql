-- runtimes: Running times in hours and minutes
SELECT title, runtime_min / 60 || 'h ' || LPAD((runtime_min % 60)::text, 2, '0') || 'm' AS runtime FROM dim_film ORDER BY runtime_min DESC NULLS LAST, title;

-- end-time: When does each show end that starts at a quarter to eleven at night?
SELECT title, TIME '22:45' + runtime_min * INTERVAL '1 minute' AS ends_at FROM dim_film WHERE runtime_min IS NOT NULL ORDER BY film_key;

-- genres: Films per genre
SELECT g.genre, COUNT(*) AS films, AVG(f.runtime_min)::numeric(6, 2) AS avg_runtime FROM dim_film f CROSS JOIN LATERAL UNNEST(f.genres) AS g(genre) GROUP BY g.genre ORDER BY films DESC, g.genre;

-- genre-tickets: Tickets by genre; films of several genres count in each
SELECT genre, COUNT(*) AS tickets, SUM(t.gross) AS gross FROM fact_ticket t JOIN (SELECT film_key, UNNEST(genres) AS genre FROM dim_film) g ON g.film_key = t.film_key GROUP BY genre ORDER BY tickets DESC, genre;

-- no-genre: Films without any genre: empty and unknown
SELECT title, genres IS NULL AS unknown, genres = ARRAY[]::text[] AS empty, COALESCE(ARRAY_LENGTH(genres, 1), 0) AS n FROM dim_film WHERE COALESCE(CARDINALITY(genres), 0) = 0 ORDER BY title;

-- comedies: Comedies by membership and by containment
SELECT title, 'comedy' = ANY(genres) AS member, genres @> ARRAY['comedy'] AS contains FROM dim_film ORDER BY film_key;

-- genre-text: Genres as text with the first one apart
SELECT title, ARRAY_TO_STRING(genres, '/') AS genres, genres[1] AS main, genres[2:3] AS others FROM dim_film WHERE genres IS NOT NULL ORDER BY film_key;

-- budget: Budgets in millions, unknown and zero kept apart
SELECT title, CASE WHEN budget_usd IS NULL THEN 'n/a' WHEN budget_usd = 0 THEN 'none' ELSE ROUND(budget_usd / 1000000.0, 2)::text || ' M' END AS budget FROM dim_film ORDER BY budget_usd DESC NULLS LAST, title;

-- budget-integer: Budgets divided as integers
SELECT film_key, budget_usd / 7 AS seventh, budget_usd % 7 AS rest, (budget_usd * 100) AS cents FROM dim_film WHERE budget_usd IS NOT NULL ORDER BY film_key;

-- return-on-budget: Gross against the budget
SELECT m.title, SUM(t.gross) AS gross, m.budget_usd, SUM(t.gross) / NULLIF(m.budget_usd, 0) AS ratio FROM dim_film m JOIN fact_ticket t USING (film_key) GROUP BY m.film_key ORDER BY ratio DESC NULLS LAST, m.title;

-- original-titles: Titles with the original one where it differs
SELECT CASE WHEN original_title IS NULL OR original_title = title THEN title ELSE title || ' (' || original_title || ')' END AS shown FROM dim_film ORDER BY film_key;

-- article-sort: Titles sorted without their article
SELECT title FROM dim_film ORDER BY LOWER(REGEXP_REPLACE(title, '^(The|A|An)\s+', '', 'i')) COLLATE "C";

-- slug: Slugs for addresses
SELECT title, TRIM(BOTH '-' FROM REGEXP_REPLACE(LOWER(title), '[^a-z0-9]+', '-', 'g')) AS slug FROM dim_film ORDER BY film_key;

-- title-lengths: Lengths of titles in characters
SELECT title, LENGTH(title) AS n, LENGTH(REPLACE(title, ' ', '')) AS without_blanks, LENGTH(title) - LENGTH(REPLACE(title, ' ', '')) + 1 AS words FROM dim_film ORDER BY n DESC, title;

-- percent-title: Titles that contain a percent sign or a quotation mark
SELECT title FROM dim_film WHERE title LIKE '%\%%' OR title LIKE '%"%' OR title LIKE '%''%' ORDER BY 1;

-- quarter-releases: Releases by quarter
SELECT TO_CHAR(release_date, 'YYYY "Q"Q') AS quarter, COUNT(*) AS films, STRING_AGG(title, ' · ' ORDER BY release_date, title) AS titles FROM dim_film GROUP BY 1 ORDER BY 1;

-- friday-releases: Releases by weekday
SELECT TO_CHAR(release_date, 'ID') AS iso_day, TRIM(TO_CHAR(release_date, 'DAY')) AS day, COUNT(*) FROM dim_film GROUP BY 1, 2 ORDER BY 1;

-- days-in-cinemas: Days between the release and the last ticket
SELECT m.title, MAX(d.full_date) - m.release_date AS days FROM dim_film m JOIN fact_ticket t ON t.film_key = m.film_key JOIN dim_date d ON d.date_key = t.date_key GROUP BY m.film_key, m.title, m.release_date ORDER BY days DESC, m.title;

-- score-matrix: Scores by source as columns
SELECT f.title, MAX(r.score) FILTER (WHERE r.source = 'critics') AS critics, MAX(r.score) FILTER (WHERE r.source = 'audience') AS audience, MAX(r.score) FILTER (WHERE r.source = 'imdb') AS imdb, ROUND(AVG(r.score), 2) AS mean FROM dim_film f LEFT JOIN film_rating r USING (film_key) GROUP BY f.title ORDER BY mean DESC NULLS LAST, f.title;

-- weighted-score: Scores weighted by votes
SELECT film_key, ROUND(SUM(score * votes) / NULLIF(SUM(votes) FILTER (WHERE score IS NOT NULL), 0), 3) AS weighted FROM film_rating GROUP BY film_key ORDER BY weighted DESC, film_key;

-- bayes: Bayesian average with a thousand votes of the mean
SELECT r.film_key, ROUND((SUM(r.score * r.votes) + 1000 * a.mean) / (SUM(r.votes) + 1000), 4) AS bayes FROM film_rating r CROSS JOIN (SELECT AVG(score) AS mean FROM film_rating) a WHERE r.score IS NOT NULL GROUP BY r.film_key, a.mean ORDER BY bayes DESC, 1;

-- disagreement: Films about which critics and audience disagree most
SELECT a.film_key, a.score AS critics, b.score AS audience, ABS(a.score - b.score) AS gap FROM film_rating a INNER JOIN film_rating b ON a.film_key = b.film_key AND a.source = 'critics' AND b.source = 'audience' ORDER BY gap DESC NULLS LAST, 1;

-- distributors: Distributors with their films as a list
SELECT COALESCE(distributor, '—') AS distributor, COUNT(*) AS films, STRING_AGG(title, '; ' ORDER BY title) AS titles, SUM(budget_usd) AS budget FROM dim_film GROUP BY distributor ORDER BY films DESC, 1;

-- rating-order: Age ratings in their order
SELECT rating, COUNT(*) AS n FROM dim_film GROUP BY rating ORDER BY ARRAY_POSITION(ARRAY['G', 'PG', 'PG-13', 'R', 'NR'], rating) NULLS LAST;

-- unsold: Films without tickets
SELECT title FROM dim_film WHERE film_key NOT IN (SELECT film_key FROM fact_ticket) ORDER BY title;

-- similar-films: Films that share a genre
SELECT a.title AS one, b.title AS other FROM dim_film a JOIN dim_film b ON a.film_key < b.film_key AND a.genres && b.genres ORDER BY 1, 2;
