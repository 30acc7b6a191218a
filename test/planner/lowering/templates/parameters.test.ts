import { describe, expect, test } from "vitest";
import { INPUT_LANGUAGE } from "../../../../src/planner/dialects/input.ts";
import { rule } from "../../../../src/planner/lowering/templates/parameters.ts";
import { words } from "../../../../src/planner/lowering/templates/template.ts";
import { call, integer, text, typed } from "../../../../src/planner/syntax/build.ts";
import { printExpression } from "../../../../src/planner/syntax/printer.ts";
import type { Expression } from "../../../../src/planner/syntax/tree.ts";
import { INTEGER, NULL_TYPE, type SqlType, TEXT } from "../../../../src/planner/types.ts";

const AT = { span: { start: 0, end: 1 } };
const column = (type: SqlType): Expression => ({
  kind: "column",
  parts: [{ name: "a", quoted: false, span: AT.span }],
  ...AT,
  type,
});
const [WORDS, NUMBER, NOTHING] = [
  column(TEXT),
  column(INTEGER),
  { kind: "null", ...AT, type: NULL_TYPE } as Expression,
];

const fits = (parameters: string, ...list: readonly Expression[]): boolean => {
  try {
    return rule(parameters, "native")(call("f", list, typed(TEXT, AT))) === undefined;
  } catch {
    return false;
  }
};

describe("argument patterns", () => {
  test.each<[string, readonly Expression[], boolean]>([
    ["text", [WORDS], true],
    ["text", [NUMBER], false],
    ["text", [], false],
    ["text", [WORDS, WORDS], false],
    ["text | null", [NOTHING], true],
    ["text | null, integer", [WORDS, NUMBER], true],
    ["text | null, integer", [NUMBER, WORDS], false],
    ["literal integer", [NUMBER], false],
    ["literal integer", [integer(-3, AT)], true],
    ["literal integer >= 1", [integer(1, AT)], true],
    ["literal integer >= 1", [integer(0, AT)], false],
    ["literal integer > 1", [integer(1, AT)], false],
    ["literal integer <> 0", [integer(-1, AT)], true],
    ["literal integer <> 0", [integer(0, AT)], false],
    ["literal text <> ''", [text("", AT)], false],
    ["literal text <> ''", [text(" ", AT)], true],
    ["literal text", [WORDS], false],
  ])("%s", (parameters, list, expected) => {
    expect(fits(parameters, ...list)).toBe(expected);
  });
});

test("arguments that fit are the parts of the template", () => {
  const node = rule("text, integer", words("g($2, $1)"))(call("f", [WORDS, integer(2, AT)], typed(TEXT, AT)));
  expect(node && printExpression(node, INPUT_LANGUAGE)).toBe("g(2, a)");
});

test("others are refused by the function's name, with the way out", () => {
  const refused = () => rule("text", "native", "Write a text.")(call("f", [NUMBER], typed(TEXT, AT)));
  expect(refused).toThrow(expect.objectContaining({ message: expect.stringContaining("f with these arguments") }));
  expect(refused).toThrow(expect.objectContaining({ hint: "Write a text." }));
});
