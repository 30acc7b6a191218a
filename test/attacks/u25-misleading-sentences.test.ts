/** Refusals that named another fault than the one of the statement. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { manifestOf, planned } from "../support/plan.ts";

const manifest = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "Player",
      tableReference: { table: "Player" },
      columns: [
        { name: "player_api_id", type: "INTEGER" },
        { name: "j", type: "JSON" },
        { name: "d", type: "DATE" },
      ],
    },
  ],
});

function refusal(sql: string): string {
  try {
    planned(sql, manifest, { source: "duckdb" });
  } catch (error) {
    if (error instanceof PlannerError) return `${error.message} ${error.hint ?? ""}`;
    throw error;
  }
  return "planned";
}

describe("the refusal names the fault", () => {
  test.each([
    ["SELECT j #- '{a,b}' FROM Player", "#-"],
    ["SELECT rank(2) WITHIN GROUP (ORDER BY player_api_id) FROM Player", "rank(…) WITHIN GROUP Count instead"],
    ["SELECT XMLELEMENT(NAME a, 'x') FROM Player", "XMLELEMENT is not part of the language"],
    ["SELECT Player FROM Player", '"Player" is a table'],
    ["SELECT current_user", "knows the login of the connection"],
    ["```sql\nSELECT 1\n```", "Markdown code fence"],
  ])("%s", (sql, words) => expect(refusal(sql)).toContain(words));
});

test.each([
  "SELECT ARRAY['a'] || 'b'::text AS x",
  "SELECT date_part('month'::text, d) FROM Player",
  "SELECT string_to_array('a,b', ',', 'b') AS x",
])("%s is planned", (sql) => expect(refusal(sql)).toBe("planned"));
