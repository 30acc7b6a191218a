/** Oracle from 19c on, by its manual (https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/): nothing here was seen on a server. */
import { plainOn } from "../../access/plain.ts";
import { LEAST_GRAMMAR } from "../../lowering/grammar.ts";
import type { Target } from "../../lowering/target.ts";
import { ORACLE_FORBIDDEN } from "./forbidden.ts";
import { ORACLE_LEXICAL } from "./lexical.ts";
import { ORACLE_PRINT } from "./print.ts";
import { ORACLE_PURE_FUNCTIONS } from "./pure-functions.ts";
import { oracleRewrites } from "./rewrites.ts";
import { convertedColumn, ORACLE_TYPE_NAMES } from "./type-names.ts";

export const oracleTarget = (): Target => ({
  name: "oracle",
  product: "Oracle",
  print: ORACLE_PRINT,
  native: { ...ORACLE_LEXICAL, spellings: { types: {}, functions: {} } },
  grammar: {
    ...LEAST_GRAMMAR,
    nullsSort: "largest",
    nullsClause: true,
    groupingSets: true,
    computesOverGroups: true,
    havingNamesKeys: true,
    repeatsKeys: true,
    fullJoin: true,
    withTies: true,
    sortsSets: true,
    lateral: "apply",
    ignoreNulls: true,
    setsBesideRecursion: true,
    conditions: "apart",
    commonTables: "outermost",
    // Within limits (`recursion.ts`).
    recursion: true,
    limitClause: true,
  },
  roundsRecursion: false,
  measuresRecursion: undefined,
  // The session sorts and compares by bytes.
  converts: convertedColumn,
  collations: undefined,
  fence: {
    whenRaising: "refuse",
    otherwise: "none",
    pushes: false,
    harmless: plainOn("oracle"),
    bestEffort: { barrier: "volatile", guardsColumns: true },
  },
  infersTypes: false,
  typeNames: ORACLE_TYPE_NAMES,
  notAsColumns: ["row", "struct"],
  unlisted: { postgres: "refuse", unknown: "refuse", pure: ORACLE_PURE_FUNCTIONS, forbidden: ORACLE_FORBIDDEN },
  // Each by ALTER SESSION SET: https://docs.oracle.com/en/database/oracle/oracle-database/19/refrn/initialization-parameters.html
  session: [
    // These two set others, and come first.
    { name: "NLS_LANGUAGE", value: "AMERICAN" },
    { name: "NLS_TERRITORY", value: "AMERICA" },
    { name: "NLS_CALENDAR", value: "GREGORIAN" },
    { name: "NLS_DATE_LANGUAGE", value: "AMERICAN" },
    { name: "NLS_NUMERIC_CHARACTERS", value: ".," },
    { name: "NLS_SORT", value: "BINARY" },
    { name: "NLS_COMP", value: "BINARY" },
    { name: "TIME_ZONE", value: "+00:00" },
  ],
  rewrites: oracleRewrites(),
});
