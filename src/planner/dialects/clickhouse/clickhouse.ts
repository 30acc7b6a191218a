/** ClickHouse from 25.8 on. Untested constructs are refused; `docs/reference/access-rules.md` describes how access rules are enforced. */

import { LEAST_GRAMMAR } from "../../lowering/grammar.ts";
import type { Target } from "../../lowering/target.ts";
import { convertedColumn } from "./converted-columns.ts";
import { CLICKHOUSE_FORBIDDEN } from "./forbidden.ts";
import { CLICKHOUSE_FOREIGN } from "./foreign.ts";
import { CLICKHOUSE_LEXICAL } from "./lexical.ts";
import { CLICKHOUSE_PRINT } from "./print.ts";
import { CLICKHOUSE_PURE_FUNCTIONS } from "./pure-functions.ts";
import { clickHouseRewrites } from "./rewrites.ts";
import { CLICKHOUSE_TYPE_NAMES } from "./type-names.ts";

export const clickhouseTarget = (): Target => ({
  name: "clickhouse",
  product: "ClickHouse",
  print: CLICKHOUSE_PRINT,
  native: { ...CLICKHOUSE_LEXICAL, spellings: { types: {}, functions: {} }, foreign: CLICKHOUSE_FOREIGN },
  grammar: {
    ...LEAST_GRAMMAR,
    nullsSort: "last",
    nullsClause: true,
    computesOverGroups: false,
    havingNamesKeys: true,
    repeatsKeys: true,
    fullJoin: true,
    aggregateFilter: true,
    conditions: "values",
    commonTables: "anywhere",
    recursion: true,
    correlatedSubqueries: "some",
    limitClause: true,
    windowClause: true,
  },
  roundsRecursion: true,
  measuresRecursion: undefined,
  collations: undefined,
  converts: convertedColumn,
  fence: {
    whenRaising: "copied",
    otherwise: "copied",
    pushes: false,
    harmless: undefined,
    bestEffort: { barrier: "copied" },
  },
  infersTypes: false,
  typeNames: CLICKHOUSE_TYPE_NAMES,
  notAsColumns: ["row", "struct"],
  unlisted: { postgres: "refuse", unknown: "refuse", pure: CLICKHOUSE_PURE_FUNCTIONS, forbidden: CLICKHOUSE_FORBIDDEN },
  session: [
    { name: "join_use_nulls", value: "1" },
    { name: "group_by_use_nulls", value: "1" },
    { name: "aggregate_functions_null_for_empty", value: "1" },
    { name: "cast_keep_nullable", value: "1" },
    { name: "transform_null_in", value: "0" },
    { name: "prefer_column_name_to_alias", value: "1" },
    { name: "union_default_mode", value: "DISTINCT" },
    { name: "intersect_default_mode", value: "DISTINCT" },
    { name: "except_default_mode", value: "DISTINCT" },
    { name: "count_distinct_implementation", value: "uniqExact" },
    { name: "enable_extended_results_for_datetime_functions", value: "1" },
    { name: "decimal_check_overflow", value: "1" },
    { name: "short_circuit_function_evaluation", value: "force_enable" },
    { name: "precise_float_parsing", value: "1" },
    // Overrides the user's profile.
    { name: "enable_analyzer", value: "1" },
    { name: "join_default_strictness", value: "ALL" },
    { name: "extremes", value: "0" },
    { name: "limit", value: "0" },
    { name: "offset", value: "0" },
    { name: "use_query_cache", value: "0" },
    // min(CASE WHEN c THEN NULL ELSE x END) would otherwise skip the rows where c is NULL.
    { name: "optimize_rewrite_aggregate_function_with_if", value: "0" },
  ],
  rewrites: clickHouseRewrites(),
});
