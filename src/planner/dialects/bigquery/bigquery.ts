/**
 * BigQuery as a target. Seen on the reference evaluator of GoogleSQL, its language, which is not BigQuery: what depends on tables,
 * jobs or its optimizer was never run. What was not looked at is refused.
 */
import { plainOn } from "../../access/plain.ts";
import { LEAST_GRAMMAR } from "../../lowering/grammar.ts";
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
    ...LEAST_GRAMMAR,
    nullsSort: "smallest",
    nullsClause: "outside calls",
    computesOverGroups: true,
    havingNamesKeys: true,
    repeatsKeys: false,
    correlatedSubqueries: "some",
    columnsHideTables: "in all keys",
    fullJoin: true,
    conditions: "values",
    commonTables: "anywhere",
    recursion: true,
    limitClause: true,
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
