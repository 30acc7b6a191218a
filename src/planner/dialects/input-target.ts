/**
 * The input language as a target: what `dry-plan` without a data source prints (docs/decisions/0012-planning-without-a-source.md).
 */

import { functionNames } from "../functions/catalogue.ts";
import { castsOfAllKinds } from "../lowering/casts.ts";
import { expressionRules, fieldRules, operatorRules } from "../lowering/rules.ts";
import type { Target } from "../lowering/target.ts";
import { typeSpellings } from "../lowering/type-spellings.ts";
import { LANGUAGE_TYPES, USUAL_TYPE_NAMES } from "../types.ts";
import { forbiddenAnywhere } from "./forbidden.ts";
import { defineTargetDialect } from "./input.ts";
import { POSTGRES_FLAVOUR } from "./postgres/native.ts";

export const inputTarget = (): Target => ({
  name: "input",
  product: "the language itself",
  print: defineTargetDialect({ name: "input", types: typeSpellings(LANGUAGE_TYPES, {}) }),
  native: POSTGRES_FLAVOUR,
  grammar: {
    nullsSort: "last",
    nullsClause: true,
    qualify: "anywhere",
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
    ignoreNulls: true,
    setsBesideRecursion: true,
    outerAggregates: true,
    conditions: "values",
    commonTables: "anywhere",
    recursion: true,
    limitClause: true,
    windowClause: true,
    compositeTypes: true,
  },
  roundsRecursion: false,
  measuresRecursion: undefined,
  converts: undefined,
  collations: undefined,
  fence: { whenRaising: "none", otherwise: "none", pushes: false, harmless: undefined },
  infersTypes: false,
  typeNames: USUAL_TYPE_NAMES,
  notAsColumns: [],
  unlisted: { postgres: "pass", unknown: "pass", forbidden: forbiddenAnywhere() },
  session: [],
  rewrites: {
    expressions: expressionRules(
      [
        "number string boolean null bits typed interval column session unary logical like between in-list in-query quantified",
        "exists is case array array-query subscript slice field row scalar-query at-time-zone bound opaque",
      ],
      { collate: { refused: "COLLATE" } },
    ),
    operators: operatorRules(
      ["+ - * / // % ^ || & | # << >> -> ->> #> #>> #- @> <@ ? ?| ?& && ^@ ~ ~* !~ !~* = <> < <= > >= overlaps"],
      { "is distinct from": "same", "is not distinct from": "same" },
    ),
    casts: castsOfAllKinds("same"),
    fields: fieldRules(
      [
        "dow doy isodow isoyear julian week century day decade epoch millennium month quarter year",
        "hour microseconds milliseconds minute second timezone timezone_hour timezone_minute",
      ],
      {},
    ),
    functions: new Map(functionNames().map((name) => [name, "same"])),
    tableFunctions: new Map(),
  },
});
