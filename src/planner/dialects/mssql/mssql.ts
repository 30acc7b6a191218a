/** SQL Server from 2019 on, by its manual (https://learn.microsoft.com/en-us/sql/t-sql/language-reference): nothing here was seen on a server. */
import { plainOn } from "../../access/plain.ts";
import { LEAST_GRAMMAR } from "../../lowering/grammar.ts";
import type { Target } from "../../lowering/target.ts";
import { CODE_POINTS, USUAL } from "./exact-text.ts";
import { MSSQL_LEXICAL } from "./lexical.ts";
import { MSSQL_MEMBERS } from "./members.ts";
import { MSSQL_PRINT } from "./print.ts";
import { MSSQL_PURE_FUNCTIONS } from "./pure-functions.ts";
import { mssqlRewrites } from "./rewrites.ts";
import { convertedColumn, MSSQL_TYPE_NAMES } from "./type-names.ts";

export const mssqlTarget = (): Target => ({
  name: "mssql",
  product: "SQL Server",
  members: MSSQL_MEMBERS,
  print: MSSQL_PRINT,
  native: { ...MSSQL_LEXICAL, spellings: { types: {}, functions: {} } },
  grammar: {
    ...LEAST_GRAMMAR,
    nullsSort: "smallest",
    nullsClause: false,
    groupingSets: true,
    computesOverGroups: true,
    havingNamesKeys: true,
    repeatsKeys: true,
    fullJoin: true,
    sortsSets: true,
    derivedColumnLists: true,
    lateral: "apply",
    setsBesideRecursion: true,
    conditions: "apart",
    commonTables: "outermost",
    // Within limits (`recursion.ts`).
    recursion: true,
    limitClause: false,
  },
  roundsRecursion: true,
  measuresRecursion: undefined,
  converts: convertedColumn,
  collations: { codePoints: CODE_POINTS, usual: USUAL },
  fence: {
    whenRaising: "refuse",
    otherwise: "none",
    pushes: false,
    harmless: plainOn("mssql"),
    bestEffort: { barrier: "ranked and limited", guardsColumns: true },
  },
  infersTypes: false,
  typeNames: MSSQL_TYPE_NAMES,
  notAsColumns: ["row", "struct"],
  unlisted: { postgres: "refuse", unknown: "refuse", pure: MSSQL_PURE_FUNCTIONS, forbidden: new Set() },
  session: [],
  rewrites: mssqlRewrites(),
});
