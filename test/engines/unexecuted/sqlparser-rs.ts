/**
 * Second grammars: the parsers of sqlparser-rs (PyPI `sqloxide`), which share nothing with the planner nor with the first ones. They
 * take more than their sources do, and all statements in a second.
 */
import { fileURLToPath } from "node:url";
import { type Grammar, judgedBy, type Unknown, withoutUnknown } from "./grammar.ts";
import { hasModule } from "./readers.ts";

const SCRIPT = fileURLToPath(new URL("sqlparser_rs.py", import.meta.url));

function sqlParserRs(dialect: string, unknown: readonly Unknown[] = []): Grammar {
  return {
    isThere: () => hasModule("sqloxide"),
    open: () =>
      judgedBy(SCRIPT, (statements) => ({
        dialect,
        statements: statements.map((sql) => withoutUnknown(sql, unknown)),
      })),
  };
}

/** https://learn.microsoft.com/en-us/sql/t-sql/queries/select-group-by-transact-sql and …/queries/option-clause-transact-sql */
const UNKNOWN_OF_T_SQL: readonly Unknown[] = [
  [/ GROUP BY GROUPING SETS \(/g, " GROUP BY ROLLUP ("],
  [/ GROUP BY \(\)/g, ""],
  [/, \(\)(?=[,)])/g, ""],
  [/ OPTION \(MAXRECURSION 0\)$/g, ""],
];

/** https://docs.oracle.com/en/database/oracle/oracle-database/21/sqlrf/JSON_VALUE.html: clauses behind a path. */
const UNKNOWN_OF_ORACLE: readonly Unknown[] = [
  [/ RETURNING [A-Z0-9]+(?:\(\d+\))?| (?:ERROR|NULL) ON (?:ERROR|EMPTY)/g, ""],
];

/** https://docs.aws.amazon.com/redshift/latest/dg/query-super.html: the place of an element of a path. */
const UNKNOWN_OF_REDSHIFT: readonly Unknown[] = [[/ AT _unnest_\w+_at\b/g, ""]];

export const SQLPARSER_RS = {
  mssql: sqlParserRs("mssql", UNKNOWN_OF_T_SQL),
  oracle: sqlParserRs("oracle", UNKNOWN_OF_ORACLE),
  redshift: sqlParserRs("redshift", UNKNOWN_OF_REDSHIFT),
  snowflake: sqlParserRs("snowflake"),
};

/** A statement has to be one to both. */
export const both = (one: Grammar, other: Grammar): Grammar => ({
  isThere: () => one.isThere() && other.isThere(),
  open: () => {
    const [judge, further] = [one.open(), other.open()];
    return (statements) => {
      const others = further(statements);
      return judge(statements).map((fault, index) => fault ?? others[index]);
    };
  },
});
