/** Apache Doris from 4.0 on, by its manual (https://doris.apache.org/docs/dev/sql-manual/sql-statements/data-query/SELECT): nothing here was seen on a cluster. */
import { plainOn } from "../../../access/plain.ts";
import { LEAST_GRAMMAR } from "../../../lowering/grammar.ts";
import type { Target } from "../../../lowering/target.ts";
import { MYSQL_LEXICAL } from "../lexical.ts";
import { DORIS_FORBIDDEN } from "./forbidden.ts";
import { DORIS_PRINT } from "./print.ts";
import { DORIS_PURE_FUNCTIONS } from "./pure-functions.ts";
import { dorisRewrites } from "./rewrites.ts";
import { DORIS_TYPE_NAMES } from "./type-names.ts";

export const dorisTarget = (): Target => ({
  name: "doris",
  product: "Doris",
  print: DORIS_PRINT,
  native: { ...MYSQL_LEXICAL, spellings: { types: {}, functions: {} } },
  grammar: {
    ...LEAST_GRAMMAR,
    nullsSort: "smallest",
    nullsClause: true,
    computesOverGroups: false,
    havingNamesKeys: false,
    repeatsKeys: true,
    correlatedSubqueries: "some",
    fullJoin: true,
    // Behind a set operation ORDER BY may be taken for one of its last query.
    sortsSets: false,
    setsBesideRecursion: true,
    conditions: "values",
    commonTables: "anywhere",
    // From 4.1 on.
    recursion: false,
    limitClause: true,
  },
  roundsRecursion: false,
  measuresRecursion: undefined,
  converts: undefined,
  collations: undefined,
  fence: {
    whenRaising: "refuse",
    otherwise: "none",
    pushes: false,
    harmless: plainOn("doris"),
    bestEffort: { barrier: "copied in order" },
  },
  infersTypes: false,
  typeNames: DORIS_TYPE_NAMES,
  notAsColumns: ["row", "struct"],
  unlisted: { postgres: "refuse", unknown: "refuse", pure: DORIS_PURE_FUNCTIONS, forbidden: DORIS_FORBIDDEN },
  session: [
    { name: "time_zone", value: "+00:00" },
    { name: "sql_mode", value: "ONLY_FULL_GROUP_BY" },
    { name: "enable_strict_cast", value: "1" },
    // Decimals of 76 digits, and products that keep those behind the point where they have more.
    { name: "enable_decimal256", value: "1" },
    { name: "decimal_overflow_scale", value: "30" },
    { name: "check_overflow_for_decimal", value: "1" },
  ],
  rewrites: dorisRewrites(),
});
