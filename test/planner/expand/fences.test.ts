/** A source on which nobody has shown a fence refuses what might tell of withheld rows. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import { lowerQuery } from "../../../src/planner/lowering/lower.ts";
import type { Fence } from "../../../src/planner/lowering/target.ts";
import { boundStatement } from "../../support/bound.ts";
import { manifestOf } from "../../support/plan.ts";

const POSTGRES = targetOf("postgres");
const columns = [
  { name: "id", type: "INTEGER" },
  { name: "text", type: "VARCHAR" },
];
const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "ruled",
      tableReference: { table: "ruled" },
      columns,
      rowLevelAccessControls: [{ name: "own", requiredProperties: [], condition: "id = 1" }],
    },
    { name: "free", tableReference: { table: "free" }, columns },
  ],
});

function outcomeOf(sql: string, fence: Fence): string {
  const { query, context } = boundStatement(sql, manifest);
  try {
    lowerQuery(query, context, { ...POSTGRES, fence });
    return "planned";
  } catch (error) {
    if (error instanceof PlannerError) return `${error.reason}: ${error.message}`;
    throw error;
  }
}

const REFUSED =
  'UNSUPPORTED_ON_SOURCE: this source is not known to keep what may fail away from the rows that rules of "ruled" withhold';

/** Nobody asked the engine what never raises, and nobody has shown that a fence holds there. */
const UNKNOWN: Fence = { whenRaising: "refuse", otherwise: "refuse", pushes: false, harmless: undefined };
/** What never raises is known, a fence is not. */
const ASKED: Fence = { ...POSTGRES.fence, whenRaising: "refuse" };

describe("without a proven fence", () => {
  test.each<[sql: string, unknown: string, asked: string]>([
    ["SELECT id FROM free", "planned", "planned"],
    ["SELECT CAST(text AS integer) AS n FROM free", "planned", "planned"],
    ["SELECT id FROM ruled", REFUSED, "planned"],
    ["SELECT upper(text) AS t FROM ruled", REFUSED, "planned"],
    ["SELECT CAST(text AS integer) AS n FROM ruled", REFUSED, REFUSED],
    ["SELECT f.id FROM free AS f JOIN ruled AS r ON f.id = r.id WHERE 1 / f.id = 1", REFUSED, REFUSED],
  ])("%s", (sql, unknown, asked) => {
    expect({ unknown: outcomeOf(sql, UNKNOWN), asked: outcomeOf(sql, ASKED) }).toEqual({ unknown, asked });
  });
});
