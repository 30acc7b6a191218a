/** Lists that arrive as JSON texts, by the type that the plan has. */
import { describe, expect, test } from "vitest";
import { asListMeant, listOf, readList } from "../../src/connectors/json-lists.ts";
import type { SqlType } from "../../src/planner/plan.ts";

const arrayOf = (element: SqlType): SqlType => ({ kind: "array", element });
const read = (text: string, element: SqlType) => {
  const type = listOf(arrayOf(element));
  if (type === undefined) throw new Error("no list");
  return readList(text, type);
};

const TEXT: SqlType = { kind: "text" };
const BIGINT: SqlType = { kind: "integer", bits: 64 };
const INTEGER: SqlType = { kind: "integer", bits: 32 };
const SMALLINT: SqlType = { kind: "integer", bits: 16 };
const DECIMAL: SqlType = { kind: "decimal" };

describe("elements", () => {
  test.each<readonly [text: string, element: SqlType, value: unknown]>([
    ['["x", null, "q\\"\\\\", "\\u00e9😀", ""]', TEXT, ["x", null, 'q"\\', "é😀", ""]],
    ["[]", TEXT, []],
    [" [ ] ", TEXT, []],
    ["[1, -2, null, 2147483647]", INTEGER, [1, -2, null, 2147483647]],
    ["[32767, -32768]", SMALLINT, [32767, -32768]],
    ["[9223372036854775807, -9223372036854775808, 0]", BIGINT, [2n ** 63n - 1n, -(2n ** 63n), 0n]],
    ["[true, false, null]", { kind: "boolean" }, [true, false, null]],
    ["[1.50, -0.25, 12345678901234567890.12, null]", DECIMAL, ["1.50", "-0.25", "12345678901234567890.12", null]],
    ['["2024-02-29", null]', { kind: "date" }, [19782, null]],
  ])("%s", (text, element, value) => {
    expect(read(text, element)).toEqual(value);
  });

  test.each<readonly [text: string, element: SqlType]>([
    ["[1]", TEXT],
    ["[true]", TEXT],
    ['[["x"]]', TEXT],
    ['[{"k": "x"}]', TEXT],
    ['{"k": "x"}', TEXT],
    ['"x"', TEXT],
    ["x", TEXT],
    ["", TEXT],
    ['["1"]', INTEGER],
    ["[1.5]", INTEGER],
    ["[2147483648]", INTEGER],
    ["[40000]", SMALLINT],
    ["[9223372036854775808]", BIGINT],
    ["[1e400]", INTEGER],
    ['["1.5"]', DECIMAL],
    ["[1]", { kind: "boolean" }],
    ['["2024-02-30"]', { kind: "date" }],
    ['["infinity"]', { kind: "date" }],
  ])("%s is not read", (text, element) => {
    expect(() => read(text, element)).toThrow(/an array|an element/);
  });
});

test("Elements that JSON writes in forms of its own make no list", () => {
  for (const kind of ["float", "timestamp", "uuid", "binary", "interval"] as const) {
    expect(listOf({ kind: "array", element: { kind } as SqlType })).toBeUndefined();
  }
  expect(listOf(arrayOf(arrayOf(TEXT)))).toBeUndefined();
  expect(listOf(TEXT)).toBeUndefined();
});

test("Texts and documents are lists where the plan has an array, and any other type is as it comes", () => {
  const text = { type: { kind: "string" as const }, read: (source: string) => source };
  const list = asListMeant(text, arrayOf(TEXT));
  expect(list.type).toEqual({ kind: "list", element: { kind: "string" } });
  expect(list.read('["x"]')).toEqual(["x"]);
  expect(asListMeant(text, TEXT)).toBe(text);
  const bytes = { type: { kind: "binary" as const }, read: (source: string) => source };
  expect(asListMeant(bytes, arrayOf(TEXT))).toBe(bytes);
});
