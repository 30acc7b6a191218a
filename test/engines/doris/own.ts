/** Doris, as the suites of sources that are not run want it. */
import { REFUSED_BY_DORIS } from "../../parity/refused/doris.ts";
import type { ReadBack } from "../unexecuted/describe.ts";
import type { Unexecuted } from "../unexecuted/questions.ts";
import { suitesOf } from "../unexecuted/suites.ts";

export const DORIS: Unexecuted = { source: "doris", ownType: (type) => type, schema: "main" };

const AVERAGES = "averages and quotients of decimals are doubles on DuckDB, and decimals on Doris";
const SEPARATOR = "sqlglot takes the separator behind DISTINCT for a second value, as MySQL does";
const ARRAYS = "DuckDB has no such functions and rows of arrays: arrays.test.ts says them otherwise";
const DIGITS = "beside a sum DuckDB has 38 digits in all, and rounds to those of the sum; Doris has 76";

/** Statements that DuckDB answers differently when they are read back, with the reason why the statement is right. */
const DIFFERENT: Readonly<Record<string, string>> = {
  "AT TIME ZONE, timestamptz/literals": "DuckDB knows no zone +00:00",
  "AT TIME ZONE, timestamptz/named-zone-in-literal": "DuckDB knows no zone +00:00",
  "bits/and-or-xor": "DuckDB has no bitand and bitor",
  "bits/shift-right": "DuckDB has no bitand and bitor",
  "bits/shift-left": "DuckDB has no bitand and bitor",
  "bits/mixed": "DuckDB has no bitand and bitor",
  "operator precedence/concatenation-and-bits": "DuckDB has no bitand and bitor",
  "functions/generate-series": "DuckDB has no numbers()",
  "functions/date-trunc-in-zones": "DuckDB knows no zone +00:00",
  Q16: "DuckDB has no regexp_replace_one",
  Q27: "sqlglot takes a cast in JSON for a number",
  Q32: "DuckDB has no numbers()",
  Q52: ARRAYS,
  "regexp_replace/flags": "DuckDB has no regexp_replace_one",
  "clocks of named zones around their changes/four-zones": "DuckDB knows no zone +00:00",
  "clocks of named zones around their changes/parts-and-texts": "DuckDB knows no zone +00:00",
  "string_agg, listagg, group_concat, array_agg/distinct-upper": "DuckDB orders distinct texts by themselves alone",
  "string_agg, listagg, group_concat, array_agg/distinct-filter": "DuckDB orders distinct texts by themselves alone",
  "text functions/upper-lower-initcap": "sqlglot says INITCAP by lists, which are NULL of an empty text",
  "set-returning functions in the select list/distinct": "DuckDB has no numbers()",
  "set-returning functions in the select list/union": "DuckDB has no numbers()",
  "decimals of different scales in one column/case-mod-greatest": DIGITS,
  "functions/series-of-months": "DuckDB has no numbers()",
  "clocks of named zones around their changes/by-day": "DuckDB has no zone +00:00",
  "set-returning functions in the select list/two-series": "DuckDB has no numbers()",
  "functions/json-object-agg": "jsonb is written without blanks on DuckDB",
  "clocks of named zones around their changes/by-week-and-month": "DuckDB knows no zone +00:00",
  "VALUES, UNNEST, generate_series/series-by-two": "DuckDB has no numbers()",
  "VALUES, UNNEST, generate_series/series-of-dates": "DuckDB has no numbers()",
  "VALUES, UNNEST, generate_series/series-of-instants": "DuckDB has no numbers()",
  "VALUES, UNNEST, generate_series/series-of-hours": "DuckDB has no numbers()",
  "VALUES, UNNEST, generate_series/series-backwards": "DuckDB has no numbers()",
  "VALUES, UNNEST, generate_series/count-of-series": "DuckDB has no numbers()",
  "set-returning functions in the select list/series-of-dates": "DuckDB has no numbers()",
  "arrays/cardinality-array-length": "CARDINALITY is of maps on DuckDB",
  "arrays/slices": "sqlglot takes the length of a slice for its last place",
  "set-returning functions in the select list/unnest-limit": "sqlglot knows EXPLODE of one array alone",
  "string_agg, listagg, group_concat, array_agg/array-agg": ARRAYS,
  "string_agg, listagg, group_concat, array_agg/no-rows": ARRAYS,
  "functions/string-agg-array-agg-any-value": ARRAYS,
  "arrays/overlap-vip-new": ARRAYS,
  "arrays/slice-from-minus": ARRAYS,
  "functions/first": ARRAYS,
  "functions/string-to-table-left-join": ARRAYS,
  "regexp_replace/back-references": "DuckDB has no REGEXP_REPLACE_ONE",
  "regexp_replace/classes": "DuckDB has no REGEXP_REPLACE_ONE",
  "bank/balances/products-matrix": SEPARATOR,
  "cinema/screens/program": SEPARATOR,
  "freight/shipments/carriers-per-lane": SEPARATOR,
  "hospital/labs/test-pairs": SEPARATOR,
  "hr/payroll/first-and-last": AVERAGES,
  "realty/questions/offer-vs-budget": AVERAGES,
  "school/reports/string-agg-distinct": SEPARATOR,
  "webshop/orders/coupon-usage": SEPARATOR,
  "decimal /, avg(decimal)/divided-in-between": AVERAGES,
  "decimal /, avg(decimal)/round-avg-decimal": AVERAGES,
  "round(x, n)/avg-sum-count": AVERAGES,
  "round(x, n)/round-avg-pg-catalog": AVERAGES,
  "string_agg, listagg, group_concat, array_agg/distinct": SEPARATOR,
  "decimals of different scales in one column/coalesce": DIGITS,
  "decimals of different scales in one column/union": DIGITS,
  "decimals of different scales in one column/in-query": DIGITS,
  "functions/count-sum-avg": "any value is any: the greatest here",
};

const script = new URL("read_back.py", import.meta.url);

export const DORIS_READ_BACK: ReadBack = {
  own: DORIS,
  suites: suitesOf(DORIS, REFUSED_BY_DORIS, script),
  script,
  different: DIFFERENT,
};
