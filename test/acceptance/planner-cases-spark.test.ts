/** The same cases with the same answers, planned for Spark and run on it, or refused as its list says. */
import { describe } from "vitest";
import { REFUSED_BY_SPARK } from "../parity/refused/spark.ts";
import { openSparkTables } from "../support/spark.ts";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import type { Spelling } from "./cases.ts";
import { writeFixtures } from "./fixture-files.ts";
import { askCases } from "./several-at-once.ts";

/** Its own catalogue has no blanks in names of tables, and a connection to it no schema of its own. */
const SPELLINGS: readonly Spelling[] = [
  ["a table's name", /"table":"Order Details"/g, '"table":"Order_Details"'],
  ["no schema", /"schema":""/g, '"schema":"main"'],
  ["a table without a schema", /(?<="select \* from )customer/g, "main.customer"],
];

describe.skipIf(!hasSpark())(hasSpark() ? "Spark" : WITHOUT_SPARK, () => {
  askCases("spark", REFUSED_BY_SPARK.acceptance, async () => {
    const { files, remove } = await writeFixtures();
    // The schema that the manifests say.
    const { connector, close } = await openSparkTables(
      "main",
      files.map(({ name, file }) => ({ name: name.replace(" ", "_"), file })),
    );
    return {
      connector,
      close: () => close().finally(remove),
      engine: { source: "spark", scaleOfValues: true, spellings: SPELLINGS },
    };
  });
});
