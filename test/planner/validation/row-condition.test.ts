import { describe, expect, test } from "vitest";
import { checkOfRowCondition, type RuleProperty } from "../../../src/planner/index.ts";
import { DEFAULT_LIMITS } from "../../../src/planner/limits.ts";
import { manifestOf } from "../../support/plan.ts";

const MANIFEST = manifestOf({
  catalog: "c",
  schema: "s",
  models: [
    {
      name: "orders",
      tableReference: { table: "orders" },
      columns: [
        { name: "region", type: "VARCHAR" },
        { name: "level", type: "INTEGER", isHidden: true },
        { name: "twice", type: "INTEGER", isCalculated: true, expression: "level * 2" },
        { name: "customer", type: "customer", relationship: "R" },
      ],
    },
    { name: "customer", tableReference: { table: "customer" }, columns: [{ name: "nation", type: "VARCHAR" }] },
  ],
  relationships: [
    {
      name: "R",
      models: ["orders", "customer"],
      joinType: "MANY_TO_ONE",
      condition: "orders.region = customer.nation",
    },
  ],
});

const REGION: RuleProperty = { name: "session_region", defaultExpr: undefined };

function check(condition: string, properties: readonly RuleProperty[] = [REGION]): void {
  const model = MANIFEST.model("orders");
  if (model === undefined) throw new TypeError("no model");
  const outcome = checkOfRowCondition({ manifest: MANIFEST, model, condition, properties, limits: DEFAULT_LIMITS });
  if (!outcome.ok) throw outcome.error;
}

describe("conditions that can be rules", () => {
  test.each([
    "region = @session_region",
    "region = @SESSION_REGION AND level >= 3 OR twice IS NULL",
    "Region = @session_region",
    '"region" = @session_region',
    "orders.region = @session_region",
    "customer.nation = @session_region",
    "orders.customer.nation IN ('a', @session_region)",
    "region IN (SELECT nation FROM customer WHERE nation = @session_region)",
    "EXISTS (SELECT 1 FROM customer c WHERE c.nation = orders.region)",
    "EXISTS (SELECT 1 FROM orders o WHERE o.level = level AND o.customer.nation = @session_region)",
    "region IN (WITH c AS (SELECT nation AS n FROM customer) SELECT n FROM c WHERE n > orders.region)",
    "level = (SELECT max(level) FROM orders WHERE region = @session_region)",
    "region IN (SELECT no_such_function(nation) FROM customer)",
    "region IN (SELECT nation FROM customer WHERE nation = 5)",
    "CASE WHEN lower(region) = 'x' THEN true ELSE false END",
    "true -- always",
  ])("%s", (condition) => expect(() => check(condition)).not.toThrow());
});

describe("conditions that cannot", () => {
  test.each<[condition: string, reason: string, message: string]>([
    ["foo = 1", "COLUMN_NOT_FOUND", "Error during planning: The column foo is not in the model orders"],
    ["lower(foo) = 'x'", "COLUMN_NOT_FOUND", "Error during planning: The column foo is not in the model orders"],
    ['"Region" = 1', "COLUMN_NOT_FOUND", "Error during planning: The column Region is not in the model orders"],
    ["customer = 1", "COLUMN_NOT_FOUND", "Error during planning: The column customer is not in the model orders"],
    [
      "customer.foo = 1",
      "COLUMN_NOT_FOUND",
      "Error during planning: The column customer.foo is not in the model orders",
    ],
    ["region.foo = 1", "COLUMN_NOT_FOUND", "Error during planning: The column region.foo is not in the model orders"],
    ["orders.foo = 1", "COLUMN_NOT_FOUND", "Error during planning: The column foo is not in the model orders"],
    [
      "region = @session_not_found",
      "SESSION_PROPERTY_INVALID",
      "Error during planning: The session property @session_not_found is used for `rlac_validation` rule, but not found in the session properties",
    ],
    ["region IN (SELECT nation FROM customers)", "MODEL_NOT_FOUND", 'model "customers" not found'],
    ["region IN (SELECT foo FROM customer)", "COLUMN_NOT_FOUND", 'column "foo" not found'],
    ["region IN (SELECT c.foo FROM customer c)", "COLUMN_NOT_FOUND", ""],
    ["EXISTS (SELECT 1 FROM customer c WHERE c.nation = orders.foo)", "COLUMN_NOT_FOUND", ""],
    ["EXISTS (SELECT 1 FROM customer a, customer b WHERE nation = 'x')", "AMBIGUOUS_COLUMN", ""],
    [
      "region IN (SELECT nation FROM (SELECT nation FROM customer WHERE x = @session_region) t)",
      "COLUMN_NOT_FOUND",
      "",
    ],
    [
      "EXISTS (SELECT 1 FROM customer WHERE nation = @x)",
      "SESSION_PROPERTY_INVALID",
      "Error during planning: The session property @x is used for `rlac_validation` rule, but not found in the session properties",
    ],
    ["region = ", "SYNTAX", ""],
    ["region = 'a", "SYNTAX", ""],
    ["region = 1; DROP TABLE x", "SYNTAX", ""],
    ["(".repeat(600), "LIMIT_DEPTH", ""],
    ["a".repeat(1024 * 1024 + 1), "LIMIT_SIZE", ""],
  ])("%s", (condition, reason, message) => {
    expect(() => check(condition)).toThrowError(
      expect.objectContaining({ reason, message: message === "" ? expect.any(String) : message }),
    );
  });

  test.each<[defaultExpr: string, fine: boolean]>([
    ["'EMEA'", true],
    ["-3", true],
    ["DATE '2024-01-01'", true],
    ["INTERVAL '1' DAY", true],
    ["ARRAY[1, 2]", true],
    ["('a', 'b')", true],
    ["NULL", true],
    ["EMEA", false],
    ["1 + 1", false],
    ["lower('x')", false],
    ["(SELECT 1)", false],
    ["'open", false],
  ])("default %s: %s", (defaultExpr, fine) => {
    const run = (): void => check("true", [{ name: "session_region", defaultExpr }]);
    if (fine) expect(run).not.toThrow();
    else expect(run).toThrow("Error during planning: The session property session_region allow only literal value");
  });
});
