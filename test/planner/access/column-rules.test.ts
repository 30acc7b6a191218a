import { describe, expect, test } from "vitest";
import { columnRule } from "../../../src/planner/access/column-rules.ts";
import type { ColumnRuleData, ColumnRuleOperator } from "../../../src/planner/manifest/data.ts";
import { manifestOf, planned } from "../../support/plan.ts";

const ruleOf = (operator: ColumnRuleOperator, threshold: string, property: object = {}): ColumnRuleData => ({
  name: "clearance",
  property: { name: "Level", required: true, defaultExpression: undefined, ...property },
  operator,
  threshold,
});

const outcome = (value: string | undefined, operator: ColumnRuleOperator, threshold: string, property: object = {}) =>
  columnRule(ruleOf(operator, threshold, property), new Map(value === undefined ? [] : [["level", value]]));

describe("comparisons", () => {
  test.each([
    // numbers, digit by digit
    ["5", "EQUALS", "5", true],
    ["5.0", "EQUALS", "5", true],
    ["50e-1", "EQUALS", "5", true],
    ["-5", "EQUALS", "5", false],
    ["-0", "EQUALS", "0", true],
    ["5", "NOT_EQUALS", "5.000", false],
    ["9007199254740993", "EQUALS", "9007199254740992", false],
    ["9007199254740993", "GREATER_THAN", "9007199254740992", true],
    ["0.1000000000000000000001", "GREATER_THAN", "0.1", true],
    ["10", "GREATER_THAN", "9", true],
    ["5", "GREATER_THAN", "5", false],
    ["5", "GREATER_THAN_OR_EQUALS", "5", true],
    ["4.999", "GREATER_THAN_OR_EQUALS", "5", false],
    ["-3", "LESS_THAN", "-2", true],
    ["-2", "LESS_THAN", "-2", false],
    ["-2", "LESS_THAN_OR_EQUALS", "-2", true],
    ["1e3", "LESS_THAN", "999", false],
    [".5", "EQUALS", "0.5", true],
    // texts, by code point
    ["'admin'", "EQUALS", "'admin'", true],
    ["'Admin'", "EQUALS", "'admin'", false],
    ["'admin '", "EQUALS", "'admin'", false],
    ["'b'", "GREATER_THAN", "'a'", true],
    ["'a'", "GREATER_THAN", "'B'", true],
    ["'ab'", "GREATER_THAN", "'a'", true],
    ["''", "LESS_THAN", "'a'", true],
    ["'10'", "LESS_THAN", "'9'", true],
    ["'\u{1f98a}'", "GREATER_THAN", "'\uffee'", true],
    ["'é'", "EQUALS", "'e\u0301'", false],
    // kinds that do not meet
    ["5", "EQUALS", "'5'", false],
    ["'5'", "EQUALS", "5", false],
    ["'5'", "NOT_EQUALS", "5", true],
    ["'9'", "GREATER_THAN", "5", false],
    ["'9'", "LESS_THAN_OR_EQUALS", "5", false],
    // NULL compares with nothing
    ["NULL", "EQUALS", "5", false],
    ["NULL", "NOT_EQUALS", "5", false],
    ["NULL", "EQUALS", "NULL", false],
    ["NULL", "LESS_THAN", "5", false],
  ] as const)("%s %s %s: %s", (value, operator, threshold, allowed) => {
    expect(outcome(value, operator, threshold)).toBe(allowed ? "allowed" : "denied");
  });
});

describe("properties", () => {
  test.each([
    ["absent, optional", { required: false }, "skipped"],
    ["absent with a default that passes", { required: false, defaultExpression: "9" }, "allowed"],
    ["absent with a default that does not", { required: false, defaultExpression: "0" }, "denied"],
  ])("%s", (_what, property, expected) => {
    expect(outcome(undefined, "GREATER_THAN_OR_EQUALS", "5", property)).toBe(expected);
  });

  test.each([
    ["required and absent", undefined, "SESSION_PROPERTY_REQUIRED"],
    ["a bare word", "admin", "SESSION_PROPERTY_INVALID"],
    ["a truth value", "TRUE", "SESSION_PROPERTY_INVALID"],
    ["a date", "DATE '2024-01-01'", "SESSION_PROPERTY_INVALID"],
    ["a list", "(1, 2)", "SESSION_PROPERTY_INVALID"],
    ["a number with too many powers", "1e9999", "SESSION_PROPERTY_INVALID"],
    ["a number with too many digits", "9".repeat(1001), "SESSION_PROPERTY_INVALID"],
  ])("%s", (_what, value, reason) => {
    expect(() => outcome(value, "EQUALS", "5")).toThrow(expect.objectContaining({ reason }));
  });

  test.each(["admin", "(SELECT 1)", "TRUE", "1 + 1", ""])("a threshold of %s is the manifest's fault", (threshold) => {
    expect(() => outcome("5", "EQUALS", threshold)).toThrow(
      expect.objectContaining({ reason: "MANIFEST_EXPRESSION", message: expect.stringContaining('"clearance"') }),
    );
  });
});

// Digits that turned out to be no number were divided between whole and fraction in every way.
test("a long threshold that is no number is refused at once", () => {
  expect(() => outcome("5", "EQUALS", `${"9".repeat(400_000)}e9999`)).toThrow(
    expect.objectContaining({ reason: "MANIFEST_EXPRESSION" }),
  );
});

describe("thresholds in both forms", () => {
  test.each([
    ["5", "5", true],
    ["5", "4", false],
    [{ value: "5", dataType: "NUMERIC" }, "5", true],
    [{ value: "5", dataType: "NUMERIC" }, "'5'", false],
    [{ value: "admin", dataType: "STRING" }, "'admin'", true],
    [{ value: "it's", dataType: "STRING" }, "'it''s'", true],
    [{ value: "5", dataType: "STRING" }, "5", false],
    ["'admin'", "'admin'", true],
  ])("%j against %s: %s", (threshold, level, allowed) => {
    const manifest = manifestOf({
      catalog: "c",
      schema: "s",
      models: [
        {
          name: "t",
          tableReference: { schema: "s", table: "t" },
          columns: [
            { name: "id", type: "INTEGER" },
            {
              name: "secret",
              type: "VARCHAR",
              columnLevelAccessControl: {
                name: "clearance",
                requiredProperties: [{ name: "LEVEL", required: true }],
                operator: "EQUALS",
                threshold,
              },
            },
          ],
        },
      ],
    });
    const { columns } = planned("SELECT * FROM t", manifest, { session: new Map([["level", level]]) });
    expect(columns.map(({ name }) => name)).toEqual(allowed ? ["id", "secret"] : ["id"]);
  });
});
