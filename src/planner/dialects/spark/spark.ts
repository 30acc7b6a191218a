/**
 * Spark from 4.0 on as a target. Seen on Spark 4.0.1. What nobody has looked at is refused; what keeps rules of rows there is in
 * `docs/reference/access-rules.md`.
 */

import { LEAST_GRAMMAR } from "../../lowering/grammar.ts";
import type { Target } from "../../lowering/target.ts";
import { SPARK_FORBIDDEN } from "./forbidden.ts";
import { SPARK_LEXICAL } from "./lexical.ts";
import { SPARK_PRINT } from "./print.ts";
import { SPARK_PURE_FUNCTIONS } from "./pure-functions.ts";
import { sparkRewrites } from "./rewrites.ts";
import { convertedColumn, SPARK_TYPE_NAMES } from "./type-names.ts";

export const sparkTarget = (): Target => ({
  name: "spark",
  product: "Spark",
  print: SPARK_PRINT,
  native: { ...SPARK_LEXICAL, spellings: { types: {}, functions: {} } },
  grammar: {
    ...LEAST_GRAMMAR,
    setsOfAll: true,
    nullsSort: "smallest",
    nullsClause: true,
    // HAVING and ORDER BY find nothing else beside them, and a correlated subquery has to be a key.
    groupingSets: "of columns, apart",
    computesOverGroups: "without keys in subqueries",
    sortsBesideWindows: false,
    havingNamesKeys: true,
    repeatsKeys: true,
    fullJoin: true,
    aggregateFilter: "outside windows",
    // It computes no column, query, error or lambda there.
    valuesQuery: "of constants",
    derivedColumnLists: true,
    lateral: "lateral",
    correlatedSubqueries: "some",
    groupsOuterColumns: false,
    ignoreNulls: true,
    conditions: "values",
    commonTables: "anywhere",
    recursion: false,
    limitClause: true,
  },
  roundsRecursion: false,
  measuresRecursion: undefined,
  converts: convertedColumn,
  collations: undefined,
  // From 4.0 on; 3.5 has no collations, and there the cast is none.
  castsColumns: true,
  fence: {
    whenRaising: "volatile",
    otherwise: "volatile",
    pushes: false,
    harmless: undefined,
    bestEffort: { barrier: "volatile" },
  },
  infersTypes: false,
  typeNames: SPARK_TYPE_NAMES,
  notAsColumns: ["row", "struct"],
  unlisted: { postgres: "refuse", unknown: "refuse", pure: SPARK_PURE_FUNCTIONS, forbidden: SPARK_FORBIDDEN },
  session: [
    { name: "spark.sql.ansi.enabled", value: "true" },
    { name: "spark.sql.session.timeZone", value: "UTC" },
    // A product keeps all its digits, or raises: otherwise as few as six behind the point are left, and nothing is said.
    { name: "spark.sql.decimalOperations.allowPrecisionLoss", value: "false" },
    // Where two decimals come to one type, in a comparison too, and it is longer than 38 digits: 4.0 rounds what is behind the point
    // of 1.1234 until it equals 1.12, and this makes it raise what does not fit, as 3.5 does.
    { name: "spark.sql.legacy.decimal.retainFractionDigitsOnTruncate", value: "true" },
    { name: "spark.sql.legacy.exponentLiteralAsDecimal.enabled", value: "false" },
    { name: "spark.sql.legacy.statisticalAggregate", value: "false" },
    // NULL is in no empty list, and in no subquery without rows: 3.5 has NULL there, 4 with ANSI has not.
    { name: "spark.sql.legacy.nullInEmptyListBehavior", value: "false" },
    { name: "spark.sql.session.collation.default", value: "UTF8_BINARY" },
    // `text.`/etc/passwd`` is a file otherwise.
    { name: "spark.sql.runSQLOnFiles", value: "false" },
    { name: "spark.sql.legacy.timeParserPolicy", value: "CORRECTED" },
    { name: "spark.sql.groupByOrdinal", value: "true" },
    { name: "spark.sql.orderByOrdinal", value: "true" },
    // A column's alias of the same SELECT would take the place of what the statement names.
    { name: "spark.sql.lateralColumnAlias.enableImplicitResolution", value: "false" },
    { name: "spark.sql.groupByAliases", value: "false" },
  ],
  rewrites: sparkRewrites(),
});
