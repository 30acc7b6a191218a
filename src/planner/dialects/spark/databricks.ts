/**
 * Databricks SQL as a target: Spark's with what differs. Its API has no sessions: ANSI and UTC are what the connector asks the
 * warehouse about, and nothing else is set. So what might lose digits of decimals without a word is refused, and so are files
 * that are named as tables. What it is sent was run on Spark 4.0.1 with such settings, and never on Databricks itself
 * (https://docs.databricks.com/aws/en/sql/language-manual/). Common tables that name themselves are by its manual alone: Spark 4.0
 * has none.
 */
import { plainOn } from "../../access/plain.ts";
import { unsupported } from "../../diagnostics.ts";
import { MAX_PRECISION } from "../../lowering/numbers/long-decimals.ts";
import { type DeclaredRecursion, withRecursiveTables } from "../../lowering/queries/declared-recursion.ts";
import type { Target } from "../../lowering/target.ts";
import { transformQuery } from "../../syntax/rewrite.ts";
import type { Query } from "../../syntax/tree.ts";
import { walk } from "../../syntax/walk.ts";
import { JAVA_TEXT } from "./casts.ts";
import { productOfLengths, quotientOfLengths } from "./decimal-operations.ts";
import { refuseFile } from "./file-tables.ts";
import { wholeDecimals } from "./fitted-decimals.ts";
import { refuseQueriesInLambdas } from "./lambdas.ts";
import { withoutUnknownMembership } from "./quirks/null-aware.ts";
import { sparkTarget } from "./spark.ts";

/**
 * UNION ALL alone, and the rows of the step before may be read once, in FROM or an inner join, without aggregates. More than a hundred
 * steps raise RECURSION_LEVEL_LIMIT_EXCEEDED, and more than a million rows RECURSION_ROW_LIMIT_EXCEEDED: no row is cut off. In
 * releases before Runtime 17.0 it is an error of syntax. Columns have the types of the first SELECT.
 * https://docs.databricks.com/aws/en/sql/language-manual/sql-ref-syntax-qry-select-cte
 */
const RECURSION: DeclaredRecursion = {
  // Decimals that grow are refused: the first rows have a type with a length, and all others the same.
  scaleOf: ({ type }) => (type?.kind === "decimal" && type.precision !== undefined ? (type.scale ?? 0) : undefined),
  lengthsOf: (scale, { precision = MAX_PRECISION }) => [precision, scale],
  aggregates: new Set("count sum avg min max any_value collect_list collect_set percentile mode median".split(" ")),
  hasReals: true,
  refusesArrays: true,
};

export function databricksTarget(): Target {
  const spark = sparkTarget();
  return {
    ...spark,
    name: "databricks",
    product: "Databricks",
    // Databricks has an optimizer and an engine of its own, and was never run: no fence is proven on it.
    fence: {
      whenRaising: "refuse",
      otherwise: "none",
      pushes: false,
      harmless: plainOn("databricks"),
      bestEffort: { barrier: "volatile" },
    },
    grammar: { ...spark.grammar, recursion: true },
    roundsRecursion: true,
    session: [
      { name: "ANSI_MODE", value: "true" },
      { name: "TIMEZONE", value: "UTC" },
    ],
    rewrites: {
      ...spark.rewrites,
      operators: new Map([...spark.rewrites.operators, ["*", productOfLengths], ["/", quotientOfLengths]]),
      statement: (statement, holds) => {
        const { hasCommonTables, hasMembership, hasSubqueries, calls, tables } = holds(statement);
        tables.forEach(refuseFile);
        if (hasSubqueries) refuseQueriesInLambdas(statement);
        const declared = hasCommonTables ? withRecursion(statement) : statement;
        const known = hasMembership ? withoutUnknownMembership(declared) : declared;
        const shown = calls.has(JAVA_TEXT) ? withoutDoubleTexts(known) : known;
        return wholeDecimals(shown);
      },
    },
  };
}

/** WITH may stand in front of any query. */
const withRecursion = (statement: Query): Query =>
  transformQuery(statement, { query: (query) => withRecursiveTables(query, RECURSION) });

/** Databricks has an engine that is not in Java, and its manual does not say which digits it writes. */
function withoutDoubleTexts(statement: Query): Query {
  walk(statement, (node) => {
    if (node.kind === "call" && node.name[0]?.name === JAVA_TEXT) {
      throw unsupported("the text of a double", node.span, "Round it first: CAST(CAST(… AS numeric(12, 2)) AS text).");
    }
    return true;
  });
  return statement;
}
