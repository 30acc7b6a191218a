import { expect, it } from "vitest";
import { readTypeText, type TypeText } from "../../../src/connectors/duckdb/type-text.ts";

/** Names and members, in brackets. */
function shown({ name, children, members }: TypeText): string {
  const inside = children.map((child, index) => [members[index], shown(child)].filter(Boolean).join(" "));
  return inside.length === 0 ? name : `${name}<${inside.join(", ")}>`;
}

it.each([
  ["INTEGER", "INTEGER"],
  ["DECIMAL(4,2)", "DECIMAL(4,2)"],
  ["TIMESTAMP WITH TIME ZONE", "TIMESTAMP WITH TIME ZONE"],
  ["BOOLEAN[]", "LIST<BOOLEAN>"],
  ["BOOLEAN[3][]", "LIST<ARRAY<BOOLEAN>>"],
  ["MAP(VARCHAR, BOOLEAN)", "MAP<VARCHAR, BOOLEAN>"],
  ["MAP(DECIMAL(9,9), TIME WITH TIME ZONE)[]", "LIST<MAP<DECIMAL(9,9), TIME WITH TIME ZONE>>"],
  ['STRUCT("a b" INTEGER, c MAP(UUID, BIT[]))', 'STRUCT<"a b" INTEGER, c MAP<UUID, LIST<BIT>>>'],
  ['STRUCT("a "")(," TIME, b STRUCT(t TIME))', 'STRUCT<"a "")(," TIME, b STRUCT<t TIME>>'],
  ["UNION(num INTEGER, str VARCHAR)", "UNION<num INTEGER, str VARCHAR>"],
  ["MAP(ENUM('a)', 'it''s'), BOOLEAN)", "MAP<ENUM('a)','it''s'), BOOLEAN>"],
])("%s", (text, expected) => {
  const type = readTypeText(text);
  expect(type && shown(type)).toBe(expected);
});

it.each([
  "",
  "MAP(",
  "MAP(VARCHAR, BOOLEAN",
  "STRUCT(INTEGER, INTEGER)",
  "INTEGER]",
  'STRUCT("a INTEGER)',
  "[]",
  "A()B",
  `${"MAP(A,".repeat(200)}A${")".repeat(200)}`,
])("%s is none", (text) => {
  expect(readTypeText(text)).toBeUndefined();
});
