/** DuckDB 1.4 as a target: `duckdb` and the file sources. */
import type { Harmless } from "../../access/harmless.ts";
import { BOUND_ONCE, boundOnce } from "../../lowering/bound-operands.ts";
import { LEAST_GRAMMAR } from "../../lowering/grammar.ts";
import type { Target } from "../../lowering/target.ts";
import { typeSpellings } from "../../lowering/type-spellings.ts";
import type { Printer } from "../../syntax/printer.ts";
import type { Call } from "../../syntax/tree.ts";
import { defineTargetDialect } from "../input.ts";
import { DUCKDB_CONVERSIONS } from "./conversions.ts";
import { DUCKDB_FORBIDDEN } from "./forbidden.ts";
import { DUCKDB_COMPUTED } from "./harmless.ts";
import { DUCKDB_LEXICAL } from "./lexical.ts";
import { DUCKDB_FLAVOUR } from "./native.ts";
import { DUCKDB_PURE_FUNCTIONS } from "./pure-functions.ts";
import { duckdbRewrites } from "./rewrites.ts";
import { DUCKDB_TYPE_NAMES } from "./type-names.ts";

const HARMLESS: Harmless = {
  conversions: DUCKDB_CONVERSIONS,
  computed: DUCKDB_COMPUTED,
};

/** `list_transform([operand], (lambda _once1: body))[1]` */
function printBoundOnce(printer: Printer, node: Call): void {
  const { operand, variable, body } = boundOnce(node);
  printer.write("list_transform([");
  printer.expression(operand);
  printer.write("], (lambda ");
  printer.expression(variable);
  printer.write(": ");
  printer.expression(body);
  printer.write("))[1]");
}

export const duckdbTarget = (): Target => ({
  name: "duckdb",
  product: "DuckDB",
  print: defineTargetDialect({
    name: "duckdb",
    nullTreatment: "inside",
    lexical: DUCKDB_LEXICAL,
    functions: { [BOUND_ONCE]: printBoundOnce },
    types: typeSpellings(
      [
        "boolean smallint integer bigint numeric real text varchar char uuid json interval date time timestamp",
        "double precision",
        "time with time zone",
        "timestamp with time zone",
      ],
      { jsonb: "json", bytea: "blob" },
    ),
  }),
  native: DUCKDB_FLAVOUR,
  grammar: {
    ...LEAST_GRAMMAR,
    nullsSort: "last",
    nullsClause: true,
    qualify: "beside windows",
    distinctOn: true,
    groupingSets: true,
    computesOverGroups: true,
    havingNamesKeys: true,
    repeatsKeys: true,
    fullJoin: true,
    aggregateFilter: true,
    limits: "computed",
    sortsSets: true,
    setsOfAll: true,
    valuesQuery: true,
    derivedColumnLists: true,
    lateral: "lateral",
    frames: "all",
    selectsMadeRows: true,
    allDimensions: true,
    ignoreNulls: true,
    outerAggregates: true,
    conditions: "values",
    commonTables: "anywhere",
    recursion: true,
    limitClause: true,
    // Its windows of windows lose the PARTITION BY of the innermost, and it keeps one list of names for a statement.
    windowClause: false,
  },
  roundsRecursion: true,
  measuresRecursion: undefined,
  converts: undefined,
  collations: undefined,
  fence: { whenRaising: "materialized", otherwise: "offset", pushes: false, harmless: HARMLESS },
  infersTypes: true,
  typeNames: DUCKDB_TYPE_NAMES,
  notAsColumns: ["row"],
  // Callers' functions run in a process of ours, over files of ours: what is not listed is not called.
  unlisted: { postgres: "refuse", unknown: "refuse", pure: DUCKDB_PURE_FUNCTIONS, forbidden: DUCKDB_FORBIDDEN },
  session: [{ name: "TimeZone", value: "UTC" }],
  rewrites: duckdbRewrites(),
});
