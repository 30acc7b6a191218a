/**
 * Snowflake as a target, by its manual: nothing here was seen on an account. A statement says what settings of an account would decide
 * otherwise (the order of NULLs, the first day of a week, formats of dates): the SQL API sets few of them
 * (https://docs.snowflake.com/en/developer-guide/sql-api/reference, "parameters").
 */
import { plainOn } from "../../access/plain.ts";
import { LEAST_GRAMMAR } from "../../lowering/grammar.ts";
import type { Target } from "../../lowering/target.ts";
import { SNOWFLAKE_FORBIDDEN } from "./forbidden.ts";
import { SNOWFLAKE_LEXICAL } from "./lexical.ts";
import { SNOWFLAKE_PRINT } from "./print.ts";
import { SNOWFLAKE_PURE_FUNCTIONS } from "./pure-functions.ts";
import { snowflakeRewrites } from "./rewrites.ts";
import { SNOWFLAKE_TYPE_NAMES } from "./type-names.ts";

export const snowflakeTarget = (): Target => ({
  name: "snowflake",
  product: "Snowflake",
  print: SNOWFLAKE_PRINT,
  native: { ...SNOWFLAKE_LEXICAL, spellings: { types: {}, functions: {} } },
  grammar: {
    ...LEAST_GRAMMAR,
    // DEFAULT_NULL_ORDERING.
    nullsSort: "as set",
    nullsClause: true,
    // https://docs.snowflake.com/en/sql-reference/constructs/qualify
    qualify: "beside windows",
    // They stand alone in GROUP BY there.
    groupingSets: false,
    computesOverGroups: "without keys in subqueries",
    havingNamesKeys: true,
    repeatsKeys: true,
    fullJoin: true,
    sortsSets: true,
    lateral: "some",
    correlatedSubqueries: "some",
    ignoreNulls: true,
    setsBesideRecursion: true,
    conditions: "values",
    commonTables: "outermost",
    // Within limits (`lowering/queries/declared-recursion.ts`).
    recursion: true,
    limitClause: true,
  },
  roundsRecursion: true,
  measuresRecursion: undefined,
  // Texts of columns without a collation are in the order of their bytes: https://docs.snowflake.com/en/sql-reference/collation
  converts: undefined,
  collations: undefined,
  fence: {
    whenRaising: "refuse",
    otherwise: "none",
    pushes: false,
    harmless: plainOn("snowflake"),
    bestEffort: { barrier: "ranked", guardsColumns: true },
  },
  infersTypes: false,
  typeNames: SNOWFLAKE_TYPE_NAMES,
  notAsColumns: ["row", "struct"],
  unlisted: { postgres: "refuse", unknown: "refuse", pure: SNOWFLAKE_PURE_FUNCTIONS, forbidden: SNOWFLAKE_FORBIDDEN },
  session: [
    { name: "TIMEZONE", value: "UTC" },
    // An account may cut answers.
    { name: "ROWS_PER_RESULTSET", value: "0" },
    { name: "BINARY_OUTPUT_FORMAT", value: "HEX" },
  ],
  rewrites: snowflakeRewrites(),
});
