/** A source on which nobody has shown a fence refuses what might tell of withheld rows. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../src/planner/diagnostics.ts";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import type { Fence } from "../../../src/planner/expand/expansion-target.ts";
import { expandModels } from "../../../src/planner/expand/statement.ts";
import { lowerQuery } from "../../../src/planner/lowering/lower.ts";
import { statementOf } from "../../../src/planner/plan.ts";
import { boundStatement } from "../../support/bound.ts";
import { manifestOf, planned } from "../../support/plan.ts";

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
    { name: "over_ruled", baseObject: "ruled", columns },
  ],
  views: [{ name: "seen_ruled", statement: "SELECT id FROM free WHERE id IN (SELECT id FROM ruled)" }],
});

function outcomeOf(sql: string, fence: Fence): string {
  const { query, context } = boundStatement(sql, manifest);
  try {
    lowerQuery(expandModels(query, context, { ...POSTGRES, fence }), context, { ...POSTGRES, fence });
    return "planned";
  } catch (error) {
    if (error instanceof PlannerError) return `${error.reason}: ${error.message}`;
    throw error;
  }
}

const UNREAD = 'UNSUPPORTED_ON_SOURCE: not supported on this source: reading the model "ruled", which has row rules';
const RAISING =
  'UNSUPPORTED_ON_SOURCE: not supported on this source: an expression that can fail, in a statement over the model "ruled", which has row rules';

/** Nobody asked the engine what never raises, and nobody has shown that a fence holds there. */
const UNKNOWN: Fence = { whenRaising: "refuse", otherwise: "refuse", pushes: false, harmless: undefined };
/** The harmless expressions are known, a fence is not. */
const ASKED: Fence = { ...POSTGRES.fence, whenRaising: "refuse" };

describe("without a proven fence", () => {
  test.each<[sql: string, unknown: string, asked: string]>([
    ["SELECT id FROM free", "planned", "planned"],
    ["SELECT CAST(text AS integer) AS n FROM free", "planned", "planned"],
    ["SELECT id FROM ruled", UNREAD, "planned"],
    ["SELECT upper(text) AS t FROM ruled", UNREAD, "planned"],
    ["SELECT CAST(text AS integer) AS n FROM ruled", UNREAD, RAISING],
    ["SELECT f.id FROM free AS f JOIN ruled AS r ON f.id = r.id WHERE 1 / f.id = 1", UNREAD, RAISING],
  ])("%s", (sql, unknown, asked) => {
    expect({ unknown: outcomeOf(sql, UNKNOWN), asked: outcomeOf(sql, ASKED) }).toEqual({ unknown, asked });
  });
});

test.each(["ruled", "ruled AS r", "free AS f JOIN ruled AS r ON r.id = f.id", "over_ruled AS o", "seen_ruled AS s"])(
  "a refusal points at what the caller named: %s",
  (from) => {
    const sql = `SELECT 1 / 0 AS n FROM ${from}`;
    const { query, context } = boundStatement(sql, manifest);
    const raising = sql.indexOf("1 / 0");
    expect(() => expandModels(query, context, { ...POSTGRES, fence: ASKED })).toThrow(
      expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", span: { start: raising, end: raising + 5 } }),
    );
    const named = from.slice(Math.max(from.indexOf("ruled AS r"), 0));
    const table = /^(?:over_|seen_)?ruled(?: AS \w)?/.exec(named)?.[0] ?? "";
    const start = sql.indexOf(table);
    const again = boundStatement(sql, manifest);
    expect(() => expandModels(again.query, again.context, { ...POSTGRES, fence: UNKNOWN })).toThrow(
      expect.objectContaining({ reason: "UNSUPPORTED_ON_SOURCE", span: { start, end: start + table.length } }),
    );
  },
);

test.each<[sql: string, fenced: true | undefined]>([
  ["SELECT id FROM free", undefined],
  ["SELECT id FROM ruled", true],
  ["SELECT f.id FROM free AS f WHERE EXISTS (SELECT 1 FROM ruled AS r WHERE r.id = f.id)", true],
])("a statement says whether it has fences, for servers that may not keep them: %s", (sql, fenced) => {
  expect(statementOf(planned(sql, manifest, { source: "mysql" })).fenced).toBe(fenced);
});

test.each([
  "SELECT id FROM ruled",
  "SELECT count(*) FROM ruled",
  "SELECT id FROM ruled WHERE id = 1",
  "SELECT f.id FROM free AS f LEFT JOIN ruled AS r ON f.id = r.id",
])("on MySQL whatever is asked is fenced: %s", (sql) => {
  expect(planned(sql, manifest, { source: "mysql" }).sql).toMatch(
    /FROM `ruled` AS `_b` WHERE `_b`\.`id` = 1 LIMIT 18446744073709551615 OFFSET 0\)/,
  );
});
