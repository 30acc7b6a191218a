import { describe, expect, test } from "vitest";
import { digitsOf, digitsOfText, isFloatText, numberParts } from "../../../src/planner/syntax/number-parts.ts";

describe("numbers as they are written", () => {
  test.each([
    ["12", { whole: "12", fraction: "", exponent: undefined }],
    ["12.", { whole: "12", fraction: "", exponent: undefined }],
    [".5", { whole: "", fraction: "5", exponent: undefined }],
    ["1.50e-3", { whole: "1", fraction: "50", exponent: "-3" }],
    ["1e", undefined],
    ["-1", undefined],
    ["1.2.3", undefined],
  ])("%s", (text, parts) => expect(numberParts(text)).toEqual(parts));

  test.each([
    ["1.5", { whole: "1", fraction: "5" }],
    ["1e5", undefined],
  ])("digits of %s", (text, digits) => {
    if (digits === undefined) expect(digitsOf(text)).toBeUndefined();
    else expect(digitsOf(text)).toMatchObject(digits);
  });

  test.each([
    [" -1.5\t", true, true],
    ["+ 1", false, false],
    ["1e400", false, true],
    ["1e40000", false, false],
    [" ", true, false],
    ["x", false, false],
  ])("of the text '%s'", (text, isDecimal, isFloat) => {
    expect([digitsOfText(text) !== undefined, isFloatText(text, 4)]).toEqual([isDecimal, isFloat]);
  });
});
