import { describe, expect, test } from "vitest";
import { parseSessionValue } from "../../../src/planner/access/session-value.ts";
import { PlannerError } from "../../../src/planner/diagnostics.ts";

const refusal = (text: string): PlannerError => {
  try {
    parseSessionValue(text, "region");
  } catch (error) {
    if (error instanceof PlannerError) return error;
    throw error;
  }
  throw new Error(`taken: ${text}`);
};

describe("literals are taken as their trees", () => {
  test.each([
    ["'EMEA'", { kind: "string", value: "EMEA" }],
    ["''", { kind: "string", value: "" }],
    ["'it''s'", { kind: "string", value: "it's" }],
    [String.raw`'back\slash'`, { kind: "string", value: String.raw`back\slash` }],
    [String.raw`E'a\'b'`, { kind: "string", value: "a'b" }],
    ["$$it's$$", { kind: "string", value: "it's" }],
    ["'x'' OR 1=1 --'", { kind: "string", value: "x' OR 1=1 --" }],
    ["'/* no comment */'", { kind: "string", value: "/* no comment */" }],
    ["'@other'", { kind: "string", value: "@other" }],
    ["'日本 🦊'", { kind: "string", value: "日本 🦊" }],
    ["42", { kind: "number", text: "42" }],
    ["  42  ", { kind: "number", text: "42" }],
    ["1.50", { kind: "number", text: "1.50" }],
    ["1e3", { kind: "number" }],
    ["123456789012345678901234567890", { kind: "number", text: "123456789012345678901234567890" }],
    ["-5", { kind: "unary", operator: "-", operand: { kind: "number", text: "5" } }],
    ["+5", { kind: "unary", operator: "+" }],
    ["-(5)", { kind: "unary", operator: "-" }],
    ["TRUE", { kind: "boolean", value: true }],
    ["false", { kind: "boolean", value: false }],
    ["NULL", { kind: "null" }],
    ["DATE '2024-01-31'", { kind: "typed", value: "2024-01-31" }],
    ["TIMESTAMP '2024-01-31 10:00:00'", { kind: "typed" }],
    ["INTERVAL '1 day'", { kind: "interval" }],
    ["('a', 'b')", { kind: "row", elements: [{ value: "a" }, { value: "b" }] }],
    ["(1, -2, NULL)", { kind: "row", elements: [{ kind: "number" }, { kind: "unary" }, { kind: "null" }] }],
    ["ARRAY['a']", { kind: "array", elements: [{ value: "a" }] }],
    ["['a', 'b']", { kind: "array" }],
    ["('a')", { kind: "string", value: "a" }],
  ])("%s", (text, tree) => {
    expect(parseSessionValue(text, "region")).toMatchObject(tree);
  });

  test("a megabyte of text is one literal", () => {
    const text = "x''".repeat(349_000);
    expect(parseSessionValue(`'${text}'`, "region")).toMatchObject({ kind: "string", value: "x'".repeat(349_000) });
  });

  test("it stands nowhere in the caller's SQL", () => {
    const value = parseSessionValue("'EMEA'", "region");
    expect(value.span.end - value.span.start).toBe(0);
  });
});

describe("everything else is refused without being repeated", () => {
  test.each([
    "EMEA",
    '"EMEA"',
    "region",
    "orders.region",
    "*",
    "1 + 1",
    "'a' || 'b'",
    "- -5",
    `'${"x".repeat(1_100_000)}'`,
    "-'5'",
    "NOT TRUE",
    "upper('a')",
    "now()",
    "current_date",
    "current_user",
    "CAST('1' AS INTEGER)",
    "'1'::int",
    "(SELECT 'EMEA')",
    "(SELECT max(secret) FROM orders)",
    "EXISTS (SELECT 1)",
    "CASE WHEN true THEN 'a' END",
    "'a' OR true",
    "'a') OR (1 = 1",
    "'a'; DROP TABLE orders",
    "'a', 'b'",
    "('a', region)",
    "(1, (SELECT 2))",
    "((1, 2), (3, 4))",
    "ARRAY[ARRAY[1]]",
    "ARRAY[upper('a')]",
    "[[['a']]]",
    "@other",
    "$1",
    "?",
    ":x",
    "'unclosed",
    "'a\u0000b'",
    "'\ud800'",
    "",
    "   ",
    "-- nothing",
    "/* 'a' */",
    "42 -- of course",
    "/**/ 42",
    "'bob' -- , 'ann'",
    "'bob' /* , 'ann' */",
    "(1, /* 2, */ 3)",
    "'bob' --\n",
    `${"(".repeat(2000)}1${")".repeat(2000)}`,
    `${"[".repeat(2000)}1${"]".repeat(2000)}`,
  ])("%s", (text) => {
    const { reason, message, hint, span, suggestions } = refusal(text);
    expect(reason).toBe("SESSION_PROPERTY_INVALID");
    expect(message).toBe("session property region is no SQL literal: allow only literal value");
    expect(hint).toContain("Write text with its quotes");
    expect([span, suggestions]).toEqual([undefined, []]);
  });
});

/** Headers of one name are joined by a comma (Fetch, and every proxy): what a caller puts before or behind a gateway's value. */
describe("two values are never one", () => {
  const GATEWAY = [
    "'ann'",
    "'O''Brien'",
    "7",
    "-7",
    "DATE '2024-01-31'",
    "('ann', 'x')",
    "ARRAY['ann']",
    "NULL",
    "E'a\\'b'",
    "$$ann$$",
  ];
  const CALLERS = [
    ...[
      "'bob'",
      "'bob' --",
      "'bob' /*",
      "*/ 'bob'",
      "'bob",
      "bob'",
      "('bob'",
      "'bob')",
      "(",
      ")",
      "E'bob\\'",
      "E'bob\\",
      "$$bob",
      "$$",
    ],
    ...[
      "$a$",
      "ARRAY['bob'",
      "ARRAY[",
      "['bob'",
      "DATE",
      "INTERVAL",
      "-",
      "U&'bob",
      '"',
      '"bob',
      "--",
      "/*",
      "'",
      "''",
      "N'bob",
    ],
  ];

  test.each(GATEWAY)("%s", (own) => {
    for (const other of CALLERS) {
      for (const joined of [`${other}, ${own}`, `${own}, ${other}`, `${other},${own}`]) {
        expect(() => parseSessionValue(joined, "user"), joined).toThrow("no SQL literal");
      }
    }
  });
});
