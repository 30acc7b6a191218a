/** Rows that are made of JSON: which sources make them, and what is left out. */
import { describe, expect, test } from "vitest";
import { PlannerError } from "../../../../src/planner/diagnostics.ts";
import type { DataSource } from "../../../../src/planner/plan.ts";
import { manifestOfTable, planned } from "../../../support/plan.ts";

const manifest = manifestOfTable({ id: "INTEGER", doc: "JSON", s: "VARCHAR" });

function sent(sql: string, source: DataSource): string {
  try {
    return planned(sql, manifest, { source }).sql;
  } catch (error) {
    if (error instanceof PlannerError) return error.message.replace(/^not supported on [^:]+: /, "refused: ");
    throw error;
  }
}

const REFUSED = /^refused: /;
const MAKING = ["trino", "athena", "spark", "databricks", "clickhouse"] as const;

const FROM = {
  json_array_elements: "SELECT e.value ->> 'k' AS k FROM t, json_array_elements(t.doc) AS e",
  jsonb_array_elements_text: "SELECT e FROM t CROSS JOIN LATERAL jsonb_array_elements_text(t.doc) AS e",
  "jsonb_array_elements_text of a member": "SELECT e FROM t, jsonb_array_elements_text(t.doc -> 'a') AS e(e)",
  "with ordinality": "SELECT e.v, e.n FROM t, json_array_elements_text(t.doc) WITH ORDINALITY AS e(v, n)",
} as const;

describe.each([...MAKING, "mysql", "bigquery"] as const)("%s", (source) => {
  test.each(Object.entries(FROM))("%s", (_, sql) => expect(sent(sql, source)).not.toMatch(REFUSED));

  test.each([
    "SELECT k, n FROM t, jsonb_object_keys(t.doc) WITH ORDINALITY AS u(k, n)",
    "SELECT k, n FROM t, jsonb_each_text(t.doc) WITH ORDINALITY AS u(k, v, n)",
  ])("the order of members is refused: %s", (sql) => {
    expect(sent(sql, source)).toMatch(/^refused: (?:the order of the members of json|rows that are made of json)/);
  });
});

test.each([...MAKING, "mysql"] as const)("keys on %s", (source) => {
  expect(sent("SELECT k FROM t, LATERAL jsonb_object_keys(t.doc) AS u(k)", source)).not.toMatch(REFUSED);
});

describe.each(MAKING)("%s", (source) => {
  test.each(["json_each(t.doc)", "jsonb_each(t.doc)", "json_each_text(t.doc)", "jsonb_each_text(t.doc)"])(
    "%s",
    (made) => {
      expect(sent(`SELECT e.key FROM t, ${made} AS e`, source)).not.toMatch(REFUSED);
    },
  );
});

test("on MySQL an engine may hold a name twice, or write members in an order of its own", () => {
  expect(sent("SELECT k FROM t, json_object_keys(t.doc) AS k", "mysql")).toBe("refused: the keys of json");
  expect(sent("SELECT e.key FROM t, jsonb_each(t.doc) AS e", "mysql")).toBe("refused: rows that are made of json");
});

test.each(["trino", "bigquery", "mysql"] as const)(
  "a literal whose object has a name twice is refused on %s",
  (source) => {
    const element = (type: string, document: string): string =>
      sent(`SELECT e.value ->> 'a' AS a FROM ${type}_array_elements('${document}'::${type}) AS e`, source);
    const twice = "refused: a name that comes twice in an object of json";
    expect(element("json", '[{"a": 1, "b": {"c": 1, "c": 2}}]')).toBe(twice);
    expect(element("json", '[{"a": "\\":", "b": "a:"}, {"a": 1}]')).not.toMatch(REFUSED);
    if (source === "mysql") expect(element("jsonb", '[{"a": 1, "a": 2}]')).toBe(twice);
    else expect(element("jsonb", '[{"a": 1, "a": 2}]')).not.toMatch(REFUSED);
  },
);

test("a literal may be nested more deeply than calls", () => {
  const document = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  expect(sent(`SELECT id FROM t, json_array_elements('${document}'::json) AS e`, "trino")).not.toMatch(REFUSED);
});

describe("ClickHouse has no LATERAL", () => {
  const where = "SELECT t.id, e.v FROM t";
  test("an array is joined behind all tables, and its columns are names without a table", () => {
    expect(
      sent(
        `${where} CROSS JOIN LATERAL jsonb_object_keys(t.doc) AS e(v) JOIN t AS o ON o.id = t.id ORDER BY e.v`,
        "clickhouse",
      ),
    ).toMatch(/ JOIN .* ARRAY JOIN .* AS "v of e" ORDER BY CAST\("v of e" AS String\)$/);
  });
  test.each([
    `${where} LEFT JOIN LATERAL jsonb_object_keys(t.doc) AS e(v) ON TRUE`,
    `${where} CROSS JOIN LATERAL jsonb_object_keys(t.doc) AS e(v) RIGHT JOIN t AS o ON o.id = t.id`,
    `${where} CROSS JOIN LATERAL jsonb_object_keys(t.doc) AS e(v) LEFT JOIN t AS o ON o.s = e.v`,
    "SELECT t.id, (SELECT count(*) FROM jsonb_object_keys(t.doc) AS k) AS n FROM t",
  ])("%s is refused", (sql) => expect(sent(sql, "clickhouse")).toMatch(REFUSED));
});
