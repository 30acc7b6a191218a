/** Trino as a target. Seen on Trino 476; what keeps rules of rows there is in `docs/reference/access-rules.md`. */

import { LEAST_GRAMMAR } from "../../lowering/grammar.ts";
import type { Target } from "../../lowering/target.ts";
import { TRINO_FORBIDDEN } from "./forbidden.ts";
import { TRINO_FOREIGN } from "./foreign.ts";
import { TRINO_LEXICAL } from "./lexical.ts";
import { TRINO_PRINT } from "./print.ts";
import { TRINO_PURE_FUNCTIONS } from "./pure-functions.ts";
import { trinoRewrites } from "./rewrites.ts";
import { convertedColumn, TRINO_TYPE_NAMES } from "./type-names.ts";

export const trinoTarget = (): Target => ({
  name: "trino",
  product: "Trino",
  print: TRINO_PRINT,
  native: { ...TRINO_LEXICAL, spellings: { types: {}, functions: {} }, foreign: TRINO_FOREIGN },
  grammar: {
    ...LEAST_GRAMMAR,
    nullsSort: "last",
    nullsClause: true,
    groupingSets: "of columns",
    computesOverGroups: true,
    havingNamesKeys: true,
    repeatsKeys: true,
    fullJoin: true,
    aggregateFilter: "outside windows",
    withTies: true,
    sortsSets: true,
    setsOfAll: true,
    columnsHideTables: "in sort keys",
    valuesQuery: "without queries",
    derivedColumnLists: true,
    lateral: "some",
    correlatedSubqueries: "some",
    ignoreNulls: true,
    conditions: "values",
    commonTables: "anywhere",
    recursion: true,
    limitClause: true,
    windowClause: true,
  },
  roundsRecursion: true,
  measuresRecursion: { text: [], decimal: [38, 18] },
  converts: convertedColumn,
  collations: undefined,
  fence: {
    whenRaising: "numbered",
    otherwise: "numbered",
    pushes: false,
    harmless: undefined,
    bestEffort: { barrier: "numbered" },
  },
  infersTypes: false,
  typeNames: TRINO_TYPE_NAMES,
  notAsColumns: ["row", "struct"],
  unlisted: { postgres: "refuse", unknown: "pass", pure: TRINO_PURE_FUNCTIONS, forbidden: TRINO_FORBIDDEN },
  // The connector sends the time zone with every request. How deep recursion goes (10) is the server's: each step is planned
  // before the first is run, so 16 take twice as long to plan, and 30 are more than a coordinator has room for.
  session: [],
  rewrites: trinoRewrites(),
});
