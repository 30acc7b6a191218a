/** Nothing in the texts that is not so: examples are planned, and what is said to be refused is. */
import { describe, expect, test } from "vitest";
import { type Knowledge, knowledgeOf } from "../../../src/planner/describe/knowledge.ts";
import { targetOf } from "../../../src/planner/dialects/targets.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { ERRORS } from "../../../src/service/errors.ts";
import { OPERATIONS } from "../../../src/service/operations.ts";
import { planned } from "../../support/plan.ts";
import { ordersOn } from "./orders.ts";

const SOURCES = ["postgres", "duckdb", "local_file"] as const satisfies readonly DataSource[];

const textsOf = (knowledge: Knowledge): readonly string[] => [
  knowledge.text_to_sql_rule,
  knowledge.sql_correction_rule,
  ...Object.values(knowledge.instructions),
];

const plan = (sql: string, source: DataSource) => planned(sql, ordersOn(source), { source });

describe.each(SOURCES)("%s", (source) => {
  const knowledge = knowledgeOf(source, targetOf(source).name);
  const examples = [...new Set(textsOf(knowledge).flatMap((text) => text.match(/^(?:SELECT|WITH) .*$/gm) ?? []))];

  test("has the keys that clients read, and a note of its own", () => {
    expect(Object.keys(knowledge)).toEqual(["text_to_sql_rule", "instructions", "sql_correction_rule"]);
    expect(Object.keys(knowledge.instructions)).toEqual([
      "array_usage",
      "calculated_field",
      "date_and_time_functionality",
      "semi_structured_type",
      "structured_type",
      "calculated_field_instructions",
      "metric_instructions",
      "json_field_instructions",
      source,
    ]);
    expect(textsOf(knowledge).every((text) => text.length > 80)).toBe(true);
    expect(examples.length).toBeGreaterThan(20);
  });

  test.each(examples)("%s", (sql) => {
    expect(plan(sql, source).warnings).toEqual([]);
  });

  test.each([
    ["SELECT * FROM pg_tables", "MODEL_NOT_FOUND"],
    ["SELECT * FROM public.orders_raw", "MODEL_NOT_FOUND"],
    ["INSERT INTO orders VALUES (1)", "UNSUPPORTED_STATEMENT"],
    ["UPDATE orders SET id = 1", "UNSUPPORTED_STATEMENT"],
    ["DELETE FROM orders", "UNSUPPORTED_STATEMENT"],
    ["CREATE TABLE x AS SELECT 1", "UNSUPPORTED_STATEMENT"],
    ["SELECT 1; SELECT 2", "SEVERAL_STATEMENTS"],
    ['SELECT "City" FROM orders', "COLUMN_NOT_FOUND"],
    ['SELECT id FROM orders WHERE city = "Rome"', "COLUMN_NOT_FOUND"],
    ["SELECT city, count(*) FROM orders GROUP BY ALL", "SYNTAX"],
    ["SELECT pg_sleep(1)", "FUNCTION_NOT_ALLOWED"],
    ["SELECT * FROM read_csv('x.csv')", "FUNCTION_NOT_ALLOWED"],
    ["SELECT dayofweek(day) FROM orders", "FUNCTION_NOT_ALLOWED"],
    ["SELECT weekday(day) FROM orders", "FUNCTION_NOT_ALLOWED"],
    ["SELECT doc.city FROM orders", "COLUMN_NOT_FOUND"],
    ["SELECT {'a': 1} FROM orders", "SYNTAX"],
    ["SELECT city, avg(revenue) FROM order_cube GROUP BY city", "INVALID_QUERY"],
    ["SELECT city, name FROM orders GROUP BY city", "UNGROUPED_COLUMN"],
    ["SELECT id FROM orders WHERE price > day", "TYPE_MISMATCH"],
  ])("%s is refused: %s", (sql, reason) => {
    expect(() => plan(sql, source)).toThrow(expect.objectContaining({ reason }));
  });

  test.each([
    "SELECT City FROM Orders",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT i FROM n",
    "SELECT c.name, (SELECT max(o.day) FROM orders AS o WHERE o.customer_id = c.id) AS last FROM customers AS c",
    "SELECT city, is_paid, count(*) FROM orders GROUP BY GROUPING SETS ((city), (is_paid), ())",
    "SELECT id FROM orders UNION SELECT id FROM customers",
    "SELECT city, rank() OVER (ORDER BY sum(total) DESC) FROM orders GROUP BY city",
  ])("%s is planned", (sql) => {
    expect(plan(sql, source).warnings).toEqual([]);
  });

  test("what is warned of is", () => {
    const codes = (sql: string): readonly string[] => plan(sql, source).warnings.map(({ code }) => code);
    expect(codes("SELECT count(*) FILTER (WHERE is_paid) / count(*) FROM orders")).toEqual(["INTEGER_DIVISION"]);
    expect(codes("SELECT sum(c.id) FROM customers AS c JOIN orders AS o ON o.customer_id = c.id")).toEqual([
      "FANOUT_RISK",
    ]);
  });

  test("functions that are not listed are sent on to PostgreSQL alone", () => {
    const ask = () => plan("SELECT my_function(id) FROM orders", source);
    if (source === "postgres") expect(ask().warnings.map(({ code }) => code)).toEqual(["UNKNOWN_FUNCTION"]);
    else expect(ask).toThrow(expect.objectContaining({ reason: "FUNCTION_NOT_FOUND" }));
  });
});

test("what it says of errors is in the table of errors", () => {
  const { sql_correction_rule } = knowledgeOf("postgres", "postgres");
  const rows = Object.values(ERRORS);
  const phases = Object.values(OPERATIONS).map(({ phase }) => phase);
  const known = new Set<unknown>([
    ...Object.keys(ERRORS),
    ...rows.flatMap(({ code, phase }) => [code, phase]),
    ...phases,
    "SQL",
    "CAST",
  ]);
  const words = sql_correction_rule.match(/\b[A-Z][A-Z_]{2,}\b/g) ?? [];
  expect(words.length).toBeGreaterThan(10);
  expect(words.filter((word) => !known.has(word))).toEqual([]);
});
