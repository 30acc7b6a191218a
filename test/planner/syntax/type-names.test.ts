/** Type names as casts, manifests and catalogues write them. */
import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { parseTypeName } from "../../../src/planner/syntax/parser.ts";
import type { TypeName } from "../../../src/planner/syntax/tree.ts";
import { errorOf } from "./parsing.ts";

function read(text: string): TypeName {
  return parseTypeName(text, DEFAULT_LIMITS);
}

describe("type names", () => {
  it.each<[string, string, readonly number[], number]>([
    ["int", "int", [], 0],
    ["VARCHAR(255)", "varchar", [255], 0],
    ["Decimal(10, 2)", "decimal", [10, 2], 0],
    ["numeric(5,-2)", "numeric", [5, -2], 0],
    ["double precision", "double precision", [], 0],
    ["DOUBLE", "double", [], 0],
    ["character varying(10)", "character varying", [10], 0],
    ["national character varying(3)", "national character varying", [3], 0],
    ["bit varying", "bit varying", [], 0],
    ["timestamp", "timestamp", [], 0],
    ["timestamp(3)", "timestamp", [3], 0],
    ["timestamp(3) with time zone", "timestamp with time zone", [3], 0],
    ["TIMESTAMP WITHOUT TIME ZONE", "timestamp without time zone", [], 0],
    ["timestamp with local time zone", "timestamp with local time zone", [], 0],
    ["time with time zone", "time with time zone", [], 0],
    ["timestamptz", "timestamptz", [], 0],
    ["interval", "interval", [], 0],
    ["interval year to month", "interval year to month", [], 0],
    ["interval day to second(3)", "interval day to second", [3], 0],
    ["int[]", "int", [], 1],
    ["int[3][]", "int", [], 2],
    ["text array", "text", [], 1],
    ["text ARRAY[4]", "text", [], 1],
    ["unsigned integer", "unsigned integer", [], 0],
    ["FixedString(16)", "fixedstring", [16], 0],
    ["NULL", "null", [], 0],
    ["json", "json", [], 0],
  ])("%s", (text, name, parameters, dimensions) => {
    expect(read(text)).toMatchObject({
      name,
      parameters,
      dimensions,
      members: [],
      span: { start: 0, end: text.length },
    });
  });

  it.each<[string, string, readonly (readonly [string | undefined, string])[]]>([
    ["array<int>", "array", [[undefined, "int"]]],
    ["Array(String)", "array", [[undefined, "string"]]],
    ["list<array<array<int>>>", "list", [[undefined, "array"]]],
    [
      "map<text, int>",
      "map",
      [
        [undefined, "text"],
        [undefined, "int"],
      ],
    ],
    [
      "map(text, int[])",
      "map",
      [
        [undefined, "text"],
        [undefined, "int"],
      ],
    ],
    [
      "struct<a int, b double precision>",
      "struct",
      [
        ["a", "int"],
        ["b", "double precision"],
      ],
    ],
    [
      "struct<a: int, b: array<int>>",
      "struct",
      [
        ["a", "int"],
        ["b", "array"],
      ],
    ],
    [
      'row(a int, "B c" text)',
      "row",
      [
        ["a", "int"],
        ["B c", "text"],
      ],
    ],
    [
      "row(int, double precision, timestamp with time zone)",
      "row",
      [
        [undefined, "int"],
        [undefined, "double precision"],
        [undefined, "timestamp with time zone"],
      ],
    ],
    [
      "struct<select int, timestamp timestamp(3)>",
      "struct",
      [
        ["select", "int"],
        ["timestamp", "timestamp"],
      ],
    ],
  ])("%s", (text, name, members) => {
    const type = read(text);
    expect(type.name).toBe(name);
    expect(type.members.map((member) => [member.name?.name, member.type.name])).toEqual(members);
    expect(type.span).toEqual({ start: 0, end: text.length });
  });

  it.each([
    "",
    "int int",
    "varchar(max)",
    "decimal(1.5)",
    "array<int",
    "array<int>>",
    "select",
    '"Int"',
    "s.t",
    "int[",
    "1",
  ])("%j is refused", (text) => {
    expect(errorOf(() => read(text)).reason).toBe("SYNTAX");
  });
});
