/** MySQL 8 and 9 and MariaDB from 10.6 on as one target: what both say, with the same meaning. */

import { LEAST_GRAMMAR } from "../../lowering/grammar.ts";
import type { Target } from "../../lowering/target.ts";
import { CODE_POINTS } from "./exact-text.ts";
import { MYSQL_FORBIDDEN } from "./forbidden.ts";
import { MYSQL_FOREIGN } from "./foreign.ts";
import { MYSQL_LEXICAL } from "./lexical.ts";
import { MYSQL_MEMBERS } from "./members.ts";
import { MYSQL_PRINT } from "./print.ts";
import { MYSQL_PURE_FUNCTIONS } from "./pure-functions.ts";
import { sessionOfSharedTables } from "./quirks/shared-tables.ts";
import { mysqlRewrites } from "./rewrites.ts";
import { MYSQL_TYPE_NAMES } from "./type-names.ts";

export const mysqlTarget = (): Target => ({
  name: "mysql",
  product: "MySQL",
  members: MYSQL_MEMBERS,
  print: MYSQL_PRINT,
  native: {
    ...MYSQL_LEXICAL,
    // MariaDB has NVL as another name of IFNULL, MySQL has it not.
    spellings: { types: {}, functions: { nvl: { as: "ifnull", arguments: 2 } } },
    foreign: MYSQL_FOREIGN,
  },
  grammar: {
    ...LEAST_GRAMMAR,
    nullsSort: "smallest",
    nullsClause: false,
    computesOverGroups: false,
    havingNamesKeys: false,
    repeatsKeys: true,
    fullJoin: false,
    sortsSets: true,
    setsOfAll: true,
    setsBesideRecursion: true,
    conditions: "values",
    commonTables: "anywhere",
    recursion: true,
    limitClause: true,
    windowClause: true,
  },
  roundsRecursion: false,
  measuresRecursion: { text: [4096], decimal: [65, 30] },
  // Texts are folded by their letters in that one as well, and any other that is put there would not go with a column's own.
  converts: undefined,
  collations: { codePoints: CODE_POINTS, usual: CODE_POINTS },
  fence: {
    whenRaising: "offset",
    otherwise: "offset",
    pushes: false,
    harmless: undefined,
    bestEffort: { barrier: "offset" },
  },
  infersTypes: false,
  typeNames: MYSQL_TYPE_NAMES,
  notAsColumns: ["row", "struct"],
  unlisted: {
    postgres: "refuse",
    unknown: "refuse",
    pure: MYSQL_PURE_FUNCTIONS,
    ofNamedSchemas: "pass",
    forbidden: MYSQL_FORBIDDEN,
  },
  session: [
    { name: "time_zone", value: "+00:00" },
    {
      name: "sql_mode",
      value: "STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_UNSIGNED_SUBTRACTION",
    },
    { name: "div_precision_increment", value: "16" },
    { name: "group_concat_max_len", value: "1073741824" },
  ],
  sessionOf: sessionOfSharedTables,
  rewrites: mysqlRewrites(),
});
