/** Keys of JSON and containment, by a definition over types and members of documents. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ id: "INTEGER", doc: "JSON", tags: "JSON", s: "VARCHAR" });

function sent(condition: string, source: DataSource): string {
  try {
    return planned(`SELECT id FROM t WHERE ${condition}`, manifest, { source })
      .sql.replaceAll(/.* WHERE |`/g, "")
      .replaceAll("t.doc", "doc");
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace(/^not supported on [^:]+: /, "");
    throw error;
  }
}

test("a key of an object or a text, where an array of any elements raises", () => {
  expect(sent("doc ? 'a'", "bigquery")).toMatch(
    /^CASE json_type\(doc\) WHEN 'object' THEN json_query\(doc, '\$\."a"'\) IS NOT NULL WHEN 'array' THEN .*ERROR\(.* WHEN 'number' THEN FALSE WHEN 'boolean' THEN FALSE WHEN 'null' THEN FALSE END$/,
  );
});

describe.each(["mysql", "trino", "bigquery", "snowflake", "oracle", "doris"] as const)("%s", (source) => {
  test.each([
    ["doc ? 'a'", 1],
    ["doc ?| ARRAY['a', 'b']", 2],
    ["doc ?& ARRAY['a', 'b']", 2],
    ["NOT doc -> 'c' ? 'a'", 1],
    [`doc @> '{"a": {"b": true}}'`, 1],
    [`doc @> '{"a": "it''s", "b": null}'`, 1],
    [`doc @> '{}'`, 1],
  ])("%s is planned", (condition) => expect(sent(condition, source)).toMatch(/^(?:NOT )?\(?CASE /));

  test.each(["doc ? s", "doc ?| ARRAY[s]", `doc @> '{"a": 1}'`, `doc @> '[1]'`, `doc @> doc`, "doc <@ '{}'"])(
    "%s is refused",
    (condition) => expect(sent(condition, source)).not.toMatch(/CASE/),
  );
});
