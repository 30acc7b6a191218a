/**
 * Canner as a target: Trino's SQL over PostgreSQL's protocol, in sessions whose time zone nobody is known to set. What it is sent
 * was run on Trino 476 and never on Canner.
 */
import type { Target } from "../../lowering/target.ts";
import { trinoTarget } from "./trino.ts";
import { withWrittenZones } from "./written-zones.ts";

export function cannerTarget(): Target {
  const trino = trinoTarget();
  return {
    ...trino,
    name: "canner",
    product: "Canner",
    // Nobody has asked it what becomes of these in PostgreSQL's texts.
    notAsColumns: ["array", "row", "struct", "map"],
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
