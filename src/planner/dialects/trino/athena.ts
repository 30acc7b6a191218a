/**
 * Athena as a target, engine version 3: Trino's SQL
 * (https://docs.aws.amazon.com/athena/latest/ug/engine-versions-reference-0003.html), in sessions that nobody can set. What it is
 * sent was run on Trino 476 and never on Athena.
 */
import type { Target } from "../../lowering/target.ts";
import { trinoTarget } from "./trino.ts";
import { withWrittenZones } from "./written-zones.ts";

export function athenaTarget(): Target {
  const trino = trinoTarget();
  return {
    ...trino,
    name: "athena",
    product: "Athena",
    // WITH TIES is not in its grammar (https://docs.aws.amazon.com/athena/latest/ug/select.html).
    grammar: { ...trino.grammar, withTies: false },
    // Its answers are texts, and `[a, b]` may be of one element or of two (src/connectors/athena/values.ts).
    notAsColumns: ["array", "row", "struct", "map"],
    // No fence was proven there, and what was proven on Trino is no property of a service with an optimizer of its own.
    fence: {
      whenRaising: "refuse",
      otherwise: "refuse",
      pushes: false,
      harmless: undefined,
      bestEffort: { barrier: "numbered" },
    },
    rewrites: {
      ...trino.rewrites,
      statement: (statement, ...facts) =>
        withWrittenZones(trino.rewrites.statement?.(statement, ...facts) ?? statement),
    },
  };
}
