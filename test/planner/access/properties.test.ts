import { describe, expect, test } from "vitest";
import { propertyValue } from "../../../src/planner/access/properties.ts";

const property = (required: boolean, defaultExpression?: string) => ({ name: "Region", required, defaultExpression });
const session = (text: string | undefined) => new Map(text === undefined ? [] : [["region", text]]);

describe("which value a property has", () => {
  test.each([
    ["sent", true, undefined, "'EMEA'", { value: { value: "EMEA" } }],
    ["sent, over a default", false, "'APAC'", "'EMEA'", { value: { value: "EMEA" } }],
    ["sent as NULL", true, undefined, "NULL", { value: { kind: "null" } }],
    ["sent as an empty text", true, undefined, "''", { value: { value: "" } }],
    ["absent with a default", false, "'APAC'", undefined, { value: { value: "APAC" } }],
    ["absent, optional, without default", false, undefined, undefined, { kind: "skip" }],
  ])("%s", (_what, required, byDefault, sent, outcome) => {
    expect(propertyValue(property(required, byDefault), "the rule", session(sent))).toMatchObject(outcome);
  });

  test.each([
    [
      "absent",
      true,
      undefined,
      undefined,
      "SESSION_PROPERTY_REQUIRED",
      "is required for `the rule` rule but not found",
    ],
    ["empty", true, undefined, "", "SESSION_PROPERTY_REQUIRED", "is required for `the rule` rule but not found"],
    ["blank", true, undefined, " \t", "SESSION_PROPERTY_REQUIRED", "is required for `the rule` rule but not found"],
    ["absent in spite of a default", true, "'APAC'", undefined, "SESSION_PROPERTY_REQUIRED", "not found in headers"],
    ["empty and optional", false, undefined, "", "SESSION_PROPERTY_INVALID", "should not be empty"],
    ["empty over a default", false, "'APAC'", " ", "SESSION_PROPERTY_INVALID", "should not be empty"],
    ["no literal", false, "'APAC'", "EMEA", "SESSION_PROPERTY_INVALID", "allow only literal value"],
    ["a default that is no literal", false, "now()", undefined, "SESSION_PROPERTY_INVALID", "allow only literal value"],
  ])("%s: %s", (_what, required, byDefault, sent, reason, message) => {
    expect(() => propertyValue(property(required, byDefault), "the rule", session(sent))).toThrow(
      expect.objectContaining({ reason, message: expect.stringContaining(message) }),
    );
  });

  test("the message names the property as the manifest spells it, and both ways to send it", () => {
    expect(() => propertyValue(property(true), "the rule", new Map())).toThrow(
      expect.objectContaining({
        message: "session property Region is required for `the rule` rule but not found in headers",
        hint: expect.stringMatching(/x-wren-variable-Region.*sessionProperties/),
      }),
    );
  });
});
