/** Redshift as a target, by its manual (https://docs.aws.amazon.com/redshift/latest/dg/c_redshift-and-postgres-sql.html): nothing here was seen on a cluster. */
import { plainOn } from "../../../access/plain.ts";
import { LEAST_GRAMMAR } from "../../../lowering/grammar.ts";
import type { Target } from "../../../lowering/target.ts";
import { spelled, words } from "../../../lowering/templates/template.ts";
import type { Expression } from "../../../syntax/tree.ts";
import { BINARY, PADDED_NAMES, PADDED_TEXT, type SqlType, TEXT, type TypeNames } from "../../../types.ts";
import { POSTGRES_FORBIDDEN } from "../forbidden.ts";
import { CODE_POINTS } from "./exact-text.ts";
import { REDSHIFT_LEXICAL } from "./lexical.ts";
import { REDSHIFT_PRINT } from "./print.ts";
import { REDSHIFT_PURE_FUNCTIONS } from "./pure-functions.ts";
import { redshiftRewrites } from "./rewrites.ts";

const TYPE_NAMES: TypeNames = {
  names: new Map<string, SqlType>([
    ["varbyte", BINARY],
    ...PADDED_NAMES.map((name): [string, SqlType] => [name, PADDED_TEXT]),
  ]),
};

/**
 * Values of CHAR are filled with blanks, which are no part of them once they are texts of another type. LIKE and what gives a CHAR
 * again see them (https://docs.aws.amazon.com/redshift/latest/dg/r_Character_types.html): the column is read as a text without them.
 */
const WITHOUT_BLANKS = words("rtrim(CAST($1 AS VARCHAR(65535)))", { type: TEXT, neverFails: true });

const convertedColumn = (column: Expression): Expression => spelled(WITHOUT_BLANKS, [column], column);

export const redshiftTarget = (): Target => ({
  name: "redshift",
  product: "Redshift",
  print: REDSHIFT_PRINT,
  native: { ...REDSHIFT_LEXICAL, spellings: { types: {}, functions: {} } },
  grammar: {
    ...LEAST_GRAMMAR,
    nullsSort: "largest",
    nullsClause: true,
    // It is there, and asks for an alias of a table that it follows.
    qualify: "nowhere",
    computesOverGroups: true,
    havingNamesKeys: true,
    repeatsKeys: true,
    fullJoin: true,
    sortsSets: true,
    derivedColumnLists: true,
    setsBesideRecursion: true,
    conditions: "values",
    commonTables: "outermost",
    // Within limits (`lowering/queries/declared-recursion.ts`).
    recursion: true,
    limitClause: true,
  },
  roundsRecursion: true,
  measuresRecursion: undefined,
  converts: convertedColumn,
  collations: { codePoints: CODE_POINTS, usual: CODE_POINTS },
  fence: {
    whenRaising: "refuse",
    otherwise: "none",
    pushes: false,
    harmless: plainOn("redshift"),
    bestEffort: { barrier: "ranked", guardsColumns: true },
  },
  infersTypes: false,
  typeNames: TYPE_NAMES,
  notAsColumns: ["row", "struct"],
  unlisted: { postgres: "refuse", unknown: "refuse", pure: REDSHIFT_PURE_FUNCTIONS, forbidden: POSTGRES_FORBIDDEN },
  session: [
    // Otherwise names in quotes are folded, and `"T"` is `t`.
    { name: "enable_case_sensitive_identifier", value: "true" },
    { name: "enable_numeric_rounding", value: "on" },
  ],
  rewrites: redshiftRewrites(),
});
