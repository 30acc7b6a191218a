/**
 * Rules for writing SQL for a source, mainly for language models: short and verified. A test plans every line that
 * begins with SELECT or WITH, and tries everything that is described as rejected.
 */
import type { DataSource } from "../plan.ts";

/** docs/spec/contract.md#functions-and-knowledge */
export interface Knowledge {
  readonly text_to_sql_rule: string;
  readonly instructions: Readonly<Record<string, string>>;
  readonly sql_correction_rule: string;
}

/**
 * Knowledge about a source that is planned as `dialect`. This file imports nothing else, so that a bundle need not wrap
 * it.
 */
export function knowledgeOf(source: DataSource, dialect: string): Knowledge {
  const note = SOURCE_NOTES[dialect];
  return {
    text_to_sql_rule: TEXT_TO_SQL,
    instructions: {
      array_usage: ARRAYS,
      calculated_field: CALCULATED,
      date_and_time_functionality: DATES,
      semi_structured_type: JSON_VALUES,
      structured_type: STRUCTURES,
      // The names that existing clients look for.
      calculated_field_instructions: CALCULATED,
      metric_instructions: METRICS,
      json_field_instructions: JSON_VALUES,
      ...(note !== undefined && { [source]: note }),
    },
    sql_correction_rule: CORRECTION,
  };
}

const TEXT_TO_SQL = `Write one SELECT statement in PostgreSQL's SQL, whatever the data source is: it is translated, and means the same on every source.
- Only models, views, cubes and columns of the manifest exist. Physical tables, other schemas, and INSERT, UPDATE, DELETE or DDL are refused.
- Names need double quotes only when they hold capitals, blanks or reserved words; in double quotes case counts. Texts stand in single quotes.
- WITH, WITH RECURSIVE, subqueries (correlated ones too), set operations, window functions, FILTER, GROUPING SETS, LATERAL and QUALIFY may be used.
- GROUP BY and ORDER BY take output names and numbers of columns. GROUP BY ALL does not exist.
SELECT city, sum(total) AS revenue FROM orders GROUP BY 1 ORDER BY revenue DESC LIMIT 10
- The best row of each group: QUALIFY. Ranks with ties: rank or dense_rank.
SELECT city, name, price FROM orders QUALIFY row_number() OVER (PARTITION BY city ORDER BY price DESC) = 1
- Integer division cuts off. For a share multiply by 1.0 first.
SELECT 1.0 * count(*) FILTER (WHERE is_paid) / count(*) AS paid_share FROM orders
- Join models on the columns of their relationship. An aggregate over rows that a join repeats counts them twice: aggregate first, then join.
SELECT c.country, sum(o.total) AS revenue FROM orders AS o JOIN customers AS c ON o.customer_id = c.id GROUP BY c.country
- Convert with CAST; TRY_CAST gives NULL where that fails. Compare texts without case with ILIKE.
SELECT id, TRY_CAST(name AS integer) AS number FROM orders WHERE city ILIKE 'par%'
- NULLs sort last, ascending and descending, unless NULLS FIRST is written.
- Use the functions of the function list; a function that waits, reads files or other tables, or changes something is refused.`;

const ARRAYS = `Arrays count from 1. A value among the elements: = ANY. A row for each element: unnest in FROM.
SELECT id, tags[1] AS first_tag FROM orders WHERE 'new' = ANY(tags)
SELECT t.tag, count(*) AS orders FROM orders AS o CROSS JOIN LATERAL unnest(o.tags) AS t(tag) GROUP BY t.tag
SELECT city, array_agg(name ORDER BY name) AS names FROM orders GROUP BY city`;

const CALCULATED = `A calculated column (isCalculated) is computed already: name it like any other, and neither write its expression again nor join the models that it reads. Many-to-one relationships can be followed by a path.
SELECT customer_name, sum(total) AS revenue FROM orders GROUP BY customer_name
SELECT orders.customer.country, count(*) AS orders FROM orders GROUP BY 1`;

const METRICS = `Metrics and cubes are tables of dimensions and measures. Name the dimensions and the measures: grouping and aggregation are done already, so a measure is not put into an aggregate. WHERE over a measure filters after grouping.
SELECT city, revenue FROM order_cube WHERE revenue > 100 ORDER BY revenue DESC`;

const DATES = `Filter a period as a half-open range, with typed literals.
SELECT id FROM orders WHERE day >= DATE '2024-01-01' AND day < DATE '2024-02-01'
SELECT id FROM orders WHERE created >= now() - INTERVAL '7 days'
Periods: date_trunc gives a timestamp (weeks begin on Monday), extract a number, to_char a text.
SELECT date_trunc('month', day) AS month, sum(total) AS revenue FROM orders GROUP BY 1 ORDER BY 1
SELECT extract(year FROM day) AS year, extract(isodow FROM day) AS weekday FROM orders
SELECT to_char(day, 'YYYY-MM') AS month, count(*) AS orders FROM orders GROUP BY 1
Differences: two dates give days; date_diff('unit', start, end) counts boundaries. Later and earlier: an interval.
SELECT day - DATE '2024-01-01' AS days, date_diff('month', day, current_date) AS months FROM orders
SELECT day + INTERVAL '1 month' AS due FROM orders
Now and today are in UTC; AT TIME ZONE gives the local time of an instant.
SELECT created AT TIME ZONE 'Europe/Paris' AS local_time FROM orders
Every month, those without orders too:
SELECT m.month, count(o.id) AS orders FROM generate_series(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1 month') AS m(month) LEFT JOIN orders AS o ON date_trunc('month', o.day) = m.month GROUP BY m.month
dayofweek and weekday mean different days on different sources and are refused: use extract(dow …) (Sunday = 0) or extract(isodow …) (Monday = 1).`;

const JSON_VALUES = `JSON: -> gives a member as JSON, ->> as text, which is cast to compare or compute with it. Elements count from 0.
SELECT doc->'address'->>'city' AS city FROM orders WHERE CAST(doc->>'amount' AS numeric) > 3
SELECT doc#>>'{items,0,sku}' AS first_sku, json_array_length(doc->'items') AS items FROM orders
A row for each element of an array:
SELECT o.id, e.value->>'sku' AS sku FROM orders AS o, LATERAL json_array_elements(o.doc->'items') AS e(value)`;

const STRUCTURES = `A dot stands between a model and its column, and along relationships; it does not take a member out of a value (doc.city is refused). Members of JSON are taken by -> and ->> or by name in brackets.
SELECT o.doc['address'] AS address FROM orders AS o`;

const CORRECTION = `How a statement runs: it is parsed and planned over the manifest, translated into the data source's dialect, and run there. An error tells where it failed.
1. Read \`phase\`: SQL_PARSING and SQL_PLANNING are about the SQL that you wrote, SQL_TRANSPILE about something that is not supported on this source, SQL_DRY_RUN and SQL_EXECUTION about the data source's own answer.
2. Read \`message\` and \`metadata.hint\`: they name the fix, near names, and the columns that can be seen. \`metadata.position\` is the place in your SQL, \`metadata.reason\` the kind.
3. MODEL_NOT_FOUND, COLUMN_NOT_FOUND: use a suggested name. UNGROUPED_COLUMN: group by it or aggregate it. TYPE_MISMATCH: write a CAST. FUNCTION_NOT_FOUND, FUNCTION_NOT_ALLOWED, UNSUPPORTED_ON_SOURCE: write what the hint says instead. FANOUT: aggregate before joining. ACCESS_DENIED: leave the column out; no other spelling reaches it.
4. \`metadata.plannedSql\` and \`metadata.dialectSql\` show what became of the SQL. They name physical tables: never copy them, change your own SQL.
5. GET_CONNECTION_ERROR and DATABASE_TIMEOUT are not about the SQL's words; of a time-out, read less.`;

/** By the name of the dialect. */
const SOURCE_NOTES: Readonly<Record<string, string>> = {
  postgres: `PostgreSQL: sums and quotients of exact numbers are exact and have as many digits as they need; CAST(… AS numeric(18, 2)) gives them a size. Functions that are not listed are sent on with a warning, and refused where access rules are active.
SELECT CAST(sum(total) AS numeric(18, 2)) AS revenue FROM orders`,
  duckdb: `DuckDB and files: the SQL stays PostgreSQL's. Functions that are not listed are refused, and so are DuckDB's own forms such as {'a': 1} and read_csv(…). Quotients and means are floats.
SELECT city, avg(price) AS mean_price FROM orders GROUP BY city`,
};
