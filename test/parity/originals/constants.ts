import type { Subject } from "./subject.ts";

const ONE = "FROM (VALUES (1), (2)) t(x)";

/**
 * PostgreSQL cannot tell the type of a text constant for a function of any type, where the plan had dropped its cast
 * (42804). Searched: all polymorphic functions and aggregates of the catalogue, functions that are sent on as written, arrays
 * and constants with `||`, window functions, GROUP BY and ORDER BY.
 */
export const TYPED_CONSTANTS: Subject = {
  name: "constants that are cast to text",
  queries: {
    "to-json-text": "SELECT to_json('x'::text) AS a",
    "to-jsonb-text": "SELECT to_jsonb('x'::text) AS a",
    "to-jsonb-varchar": "SELECT to_jsonb('x'::varchar) AS a",
    "to-jsonb-null-text": "SELECT to_jsonb(NULL::text) AS a",
    "json-agg-text": `SELECT json_agg('k'::text) ${ONE}`,
    "jsonb-agg-text": `SELECT jsonb_agg('k'::text) ${ONE}`,
    "mode-text": `SELECT mode() WITHIN GROUP (ORDER BY 'a'::text) ${ONE}`,
    "percentile-disc": `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY 'a'::text) ${ONE}`,
    "percentile-disc-array-0-5": `SELECT percentile_disc(ARRAY[0.5]) WITHIN GROUP (ORDER BY 'a'::text) ${ONE}`,
    "jsonb-set-jsonb-to-jsonb": "SELECT jsonb_set('{}'::jsonb, '{a}', to_jsonb('x'::text)) AS a",
    "jsonb-insert-jsonb-to-jsonb": "SELECT jsonb_insert('[1]'::jsonb, '{0}', to_jsonb('a'::text)) AS a",
    "array-fill": "SELECT array_fill('a'::text, ARRAY[2]) AS a",
    "pg-typeof-text": "SELECT pg_typeof('a'::text) AS a",
    "pg-column-size-text": "SELECT pg_column_size('a'::text) AS a",
    "array-joined-text": "SELECT ARRAY['a'] || 'b'::text AS a",
    "text-joined-array": "SELECT 'a'::text || ARRAY['b'] AS a",
    "array-joined": "SELECT ARRAY['a'] || '{b,c}' AS a",
    "array-agg-min-max": `SELECT array_agg('a'::text), min('b'::text), max('c'::text), any_value('d'::text) ${ONE}`,
    "lag-first-value-nth-value": `SELECT lag('a'::text) OVER (ORDER BY x), first_value('b'::text) OVER (), nth_value('c'::text, 1) OVER () ${ONE}`,
  },
};
