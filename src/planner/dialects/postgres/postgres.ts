/** PostgreSQL 15 to 18 as a target. */

import type { Harmless } from "../../access/harmless.ts";
import { BOUND_ONCE } from "../../lowering/bound-operands.ts";
import type { Target } from "../../lowering/target.ts";
import { typeSpellings } from "../../lowering/type-spellings.ts";
import { LANGUAGE_TYPES } from "../../types.ts";
import { boundInDerivedTable } from "../bound-once.ts";
import { defineTargetDialect } from "../input.ts";
import { POSTGRES_CONVERSIONS } from "./conversions.ts";
import { POSTGRES_FORBIDDEN } from "./forbidden.ts";
import { POSTGRES_COMPUTED } from "./harmless.ts";
import { POSTGRES_LEXICAL } from "./lexical.ts";
import { POSTGRES_FLAVOUR } from "./native.ts";
import { postgresRewrites } from "./rewrites.ts";
import { convertedColumn, POSTGRES_TYPE_NAMES } from "./type-names.ts";

const HARMLESS: Harmless = {
  conversions: POSTGRES_CONVERSIONS,
  computed: POSTGRES_COMPUTED,
};

export const postgresTarget = (): Target => ({
  name: "postgres",
  product: "PostgreSQL",
  print: defineTargetDialect({
    name: "postgres",
    lexical: POSTGRES_LEXICAL,
    types: typeSpellings(LANGUAGE_TYPES, {}),
    functions: { [BOUND_ONCE]: boundInDerivedTable("OFFSET 0") },
  }),
  native: POSTGRES_FLAVOUR,
  grammar: {
    nullsSort: "largest",
    nullsClause: true,
    qualify: "nowhere",
    distinctOn: true,
    groupingSets: true,
    computesOverGroups: true,
    sortsBesideWindows: true,
    havingNamesKeys: true,
    repeatsKeys: true,
    fullJoin: true,
    aggregateFilter: true,
    withTies: true,
    limits: "computed",
    limitsSetsByQuery: true,
    sortsSets: true,
    setsOfAll: true,
    columnsHideTables: "nowhere",
    valuesQuery: true,
    derivedColumnLists: true,
    lateral: "lateral",
    correlatedSubqueries: "all",
    groupsOuterColumns: true,
    frames: "all",
    selectsMadeRows: true,
    allDimensions: true,
    groupsMadeRows: true,
    ignoreNulls: false,
    setsBesideRecursion: true,
    outerAggregates: true,
    conditions: "values",
    commonTables: "anywhere",
    recursion: true,
    limitClause: true,
    windowClause: true,
    compositeTypes: false,
  },
  roundsRecursion: false,
  measuresRecursion: { text: [], decimal: [] },
  converts: convertedColumn,
  collations: { codePoints: "C", usual: "default" },
  fence: { whenRaising: "offset", otherwise: "none", pushes: true, harmless: HARMLESS },
  infersTypes: false,
  typeNames: POSTGRES_TYPE_NAMES,
  notAsColumns: [],
  unlisted: { postgres: "pass", unknown: "pass", forbidden: POSTGRES_FORBIDDEN },
  session: [{ name: "TimeZone", value: "UTC" }],
  rewrites: postgresRewrites(),
});
