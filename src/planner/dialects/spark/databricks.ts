/**
 * Databricks SQL as a target: Spark's with what differs. Its API has no sessions: ANSI and UTC are what the connector asks the
 * warehouse about, and nothing else is set. So what might lose digits of decimals without a word is refused, and so are files
 * that are named as tables. What it is sent was run on Spark 4.0.1 with such settings, and never on Databricks itself
 * (https://docs.databricks.com/aws/en/sql/language-manual/).
 */
import { plainOn } from "../../access/plain.ts";
import { unsupported } from "../../diagnostics.ts";
import type { Target } from "../../lowering/target.ts";
import type { Query } from "../../syntax/tree.ts";
import { walk } from "../../syntax/walk.ts";
import { JAVA_TEXT } from "./casts.ts";
import { productOfLengths, quotientOfLengths } from "./decimal-operations.ts";
import { withoutFiles } from "./file-tables.ts";
import { wholeDecimals } from "./fitted-decimals.ts";
import { withoutUnknownMembership } from "./null-aware.ts";
import { sparkTarget } from "./spark.ts";

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
    session: [
      { name: "ANSI_MODE", value: "true" },
      { name: "TIMEZONE", value: "UTC" },
    ],
    rewrites: {
      ...spark.rewrites,
      operators: new Map([...spark.rewrites.operators, ["*", productOfLengths], ["/", quotientOfLengths]]),
      statement: (statement) => wholeDecimals(withoutDoubleTexts(withoutFiles(withoutUnknownMembership(statement)))),
    },
  };
}

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
