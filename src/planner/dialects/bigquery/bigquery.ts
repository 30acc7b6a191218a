/**
 * BigQuery as a target. Seen on the reference evaluator of GoogleSQL, its language, which is not BigQuery: what depends on tables,
 * jobs or its optimizer was never run. What was not looked at is refused.
 */
import { plainOn } from "../../access/plain.ts";
import type { Target } from "../../lowering/target.ts";
import { BIGQUERY_LEXICAL } from "./lexical.ts";
import { BIGQUERY_PRINT } from "./print.ts";
import { BIGQUERY_PURE_FUNCTIONS } from "./pure-functions.ts";
import { bigqueryRewrites } from "./rewrites.ts";
import { BIGQUERY_TYPE_NAMES } from "./type-names.ts";

export const bigqueryTarget = (): Target => ({
  name: "bigquery",
  product: "BigQuery",
  print: BIGQUERY_PRINT,
  native: { ...BIGQUERY_LEXICAL, spellings: { types: {}, functions: {} } },
  grammar: {
    nullsSort: "smallest",
    nullsClause: "outside calls",
    qualify: "nowhere",
    distinctOn: false,
    groupingSets: false,
    computesOverGroups: true,
    havingNamesKeys: true,
    repeatsKeys: false,
    fullJoin: true,
    aggregateFilter: false,
    withTies: false,
    limits: "literal",
    limitsSetsByQuery: false,
    sortsSets: false,
    valuesQuery: false,
    derivedColumnLists: false,
    lateral: "none",
    frames: "rows and ranges",
    selectsMadeRows: false,
    groupsMadeRows: false,
    ignoreNulls: false,
    setsBesideRecursion: false,
    outerAggregates: false,
    conditions: "values",
    commonTables: "anywhere",
    recursion: true,
    limitClause: true,
    windowClause: false,
    compositeTypes: false,
  },
  roundsRecursion: false,
  measuresRecursion: { text: [], decimal: [76, 38] },
  converts: undefined,
  collations: undefined,
  fence: {
    whenRaising: "refuse",
    otherwise: "none",
    pushes: false,
    harmless: plainOn("bigquery"),
    // No barrier is documented. "Evaluation errors in unchosen expressions are ignored":
    // https://cloud.google.com/bigquery/docs/reference/standard-sql/conditional_expressions
    bestEffort: { barrier: "conditional" },
  },
  infersTypes: false,
  typeNames: BIGQUERY_TYPE_NAMES,
  notAsColumns: ["row", "struct"],
  unlisted: { postgres: "refuse", unknown: "refuse", pure: BIGQUERY_PURE_FUNCTIONS, forbidden: new Set() },
  session: [],
  rewrites: bigqueryRewrites(),
});
