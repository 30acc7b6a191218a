/**
 * Attempts to get around access rules on Spark, with what only it has. A statement takes it a tenth of a second and more, so every
 * sixtieth of what is answered elsewhere is asked, beside all that is its own and all that is refused; `ACCESS_RULES=all` asks everything.
 */
import { describe } from "vitest";
import { hasSpark, WITHOUT_SPARK } from "../support/spark-server.ts";
import { describeAttacks, oneByTurns } from "./attacks/describe.ts";
import { sampled } from "./attacks/index.ts";
import { SPARK_ATTACKS } from "./attacks/spark.ts";
import { openSparkWorld } from "./spark-shop.ts";

describe.skipIf(!hasSpark())(hasSpark() ? "Spark" : WITHOUT_SPARK, () => {
  describeAttacks(openSparkWorld, oneByTurns(), [...sampled(60), ...SPARK_ATTACKS]);
});
