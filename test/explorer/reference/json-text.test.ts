import { describe, expect, test } from "vitest";
import { compact, laidOut } from "../../../src/explorer/reference/json-text.ts";

describe("a JSON text is laid out", () => {
  test.each([
    ['{"a":1}', '{ "a": 1 }'],
    ["[]", "[]"],
    ["{}", "{}"],
    ['{"a":[1,2],"b":{"c":"d, e: {"}}', '{\n  "a": [1, 2],\n  "b": { "c": "d, e: {" }\n}'],
    ['[[12345678901234567890,1.10],["\\"]"]]', '[\n  [12345678901234567890, 1.10],\n  ["\\"]"]\n]'],
    ["true", "true"],
  ])("%s", (text, expected) => {
    expect(laidOut(text)).toBe(expected);
    expect(compact(expected)).toBe(text);
  });

  test("long lists have one member a line", () => {
    const list = Array.from({ length: 40 }, (_, index) => index * 1000);
    expect(laidOut(JSON.stringify(list)).split("\n").length).toBe(42);
    expect(JSON.parse(laidOut(JSON.stringify(list)))).toEqual(list);
  });
});
