import type { Subject } from "./subject.ts";

const ONE = "FROM (VALUES (1), (2)) t(x)";

/**
 * PostgreSQL cannot tell the type of a text constant for a function of any type, where the plan had dropped its cast
 * (42804). Searched: all polymorphic functions and aggregates of the catalogue, functions that are sent on as written, arrays
 * and constants with `||`, window functions, GROUP BY and ORDER BY.
 */
export const TYPED_CONSTANTS: Subject = {
  name: "constants that are cast to text",
  queries: [
    ...["to_json('x'::text)", "to_jsonb('x'::text)", "to_jsonb('x'::varchar)", "to_jsonb(NULL::text)"].map(
      (value) => `SELECT ${value} AS a`,
    ),
    `SELECT json_agg('k'::text) ${ONE}`,
    `SELECT jsonb_agg('k'::text) ${ONE}`,
    `SELECT mode() WITHIN GROUP (ORDER BY 'a'::text) ${ONE}`,
    `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY 'a'::text) ${ONE}`,
    `SELECT percentile_disc(ARRAY[0.5]) WITHIN GROUP (ORDER BY 'a'::text) ${ONE}`,
    "SELECT jsonb_set('{}'::jsonb, '{a}', to_jsonb('x'::text)) AS a",
    "SELECT jsonb_insert('[1]'::jsonb, '{0}', to_jsonb('a'::text)) AS a",
    "SELECT array_fill('a'::text, ARRAY[2]) AS a",
    "SELECT pg_typeof('a'::text) AS a",
    "SELECT pg_column_size('a'::text) AS a",
    "SELECT ARRAY['a'] || 'b'::text AS a",
    "SELECT 'a'::text || ARRAY['b'] AS a",
    "SELECT ARRAY['a'] || '{b,c}' AS a",
    `SELECT array_agg('a'::text), min('b'::text), max('c'::text), any_value('d'::text) ${ONE}`,
    `SELECT lag('a'::text) OVER (ORDER BY x), first_value('b'::text) OVER (), nth_value('c'::text, 1) OVER () ${ONE}`,
  ],
};
