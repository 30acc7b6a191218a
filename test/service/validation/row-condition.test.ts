import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { loadManifest } from "../../../src/planner/index.ts";
import { validate } from "../../../src/service/validate.ts";
import { type Script, testContext, testServices } from "../in-memory.ts";

const manifestStr = Buffer.from(
  JSON.stringify({
    catalog: "c",
    schema: "s",
    models: [
      { name: "orders", tableReference: { table: "orders" }, columns: [{ name: "region", type: "VARCHAR" }] },
      { name: "twice", tableReference: { table: "a" }, refSql: "SELECT 1", columns: [] },
    ],
  }),
).toString("base64");

const GOOD = {
  modelName: "orders",
  requiredProperties: [{ name: "Session_Region", required: "true", defaultExpr: "'EMEA'" }],
  condition: "region = @session_region",
};

function run(parameters: Readonly<Record<string, unknown>>, script: Script = {}) {
  const services = testServices({ script, load: (base64) => loadManifest(base64, 1_000_000) });
  const rule = "rlac_condition_syntax_is_valid";
  const request = { rule, source: "postgres", manifestStr, connectionInfo: {}, parameters } as const;
  return { services, validated: validate(services, testContext(), request) };
}

describe("rlac_condition_syntax_is_valid", () => {
  it.each<[string, object]>([
    ["a property that is named in another case", {}],
    ["required as a boolean, and no default", { requiredProperties: [{ name: "session_region", required: false }] }],
    ["a default that is null", { requiredProperties: [{ name: "session_region", required: true, defaultExpr: null }] }],
    ["no properties at all", { requiredProperties: [], condition: "region = 'x'" }],
  ])("holds for %s, and the source is not asked", async (_name, changes) => {
    const { services, validated } = run({ ...GOOD, ...changes });
    await expect(validated).resolves.toEqual({ warnings: [] });
    expect(services.sources.events).toEqual(["prepare"]);
  });

  const SHAPE = "requiredProperties must be a list of objects with name, required and defaultExpr";
  it.each([
    [{}, "modelName is required"],
    [{ requiredProperties: [], condition: "" }, "modelName is required"],
    [{ modelName: "orders" }, "requiredProperties is required"],
    [{ modelName: "orders", condition: "true" }, "requiredProperties is required"],
    [{ modelName: "orders", requiredProperties: null }, "requiredProperties is required"],
    [{ modelName: "orders", requiredProperties: [] }, "condition is required"],
    [{ ...GOOD, requiredProperties: {} }, SHAPE],
    [{ ...GOOD, requiredProperties: [1] }, SHAPE],
    [{ ...GOOD, requiredProperties: [{ required: true }] }, SHAPE],
    [{ ...GOOD, requiredProperties: [{ name: "", required: true }] }, SHAPE],
    [{ ...GOOD, requiredProperties: [{ name: "a", required: 1 }] }, SHAPE],
    [{ ...GOOD, requiredProperties: [{ name: "a", defaultExpr: 1 }] }, SHAPE],
    [{ ...GOOD, condition: 1 }, "condition must be a string"],
    [{ ...GOOD, modelName: "nope" }, "Model nope not found in manifest"],
  ])("refuses the parameters %j", async (parameters, message) => {
    await expect(run(parameters).validated).rejects.toMatchObject({
      message,
      outcome: { code: "VALIDATION_PARAMETER_ERROR", phase: "VALIDATION", status: 422 },
    });
  });

  it.each([
    [
      "region = @session_not_found",
      "Error during planning: The session property @session_not_found is used for `rlac_validation` rule, but not found in the session properties",
      10,
    ],
    ["foo = 1", "Error during planning: The column foo is not in the model orders", 1],
    ["region = 'open", "", 10],
  ])("%s is no condition, in the words that clients match", async (condition, message, column) => {
    await expect(run({ ...GOOD, condition }).validated).rejects.toMatchObject({
      message: message === "" ? expect.any(String) : message,
      reason: "RULE_VIOLATED",
      metadata: { position: { line: 1, column } },
      outcome: { code: "VALIDATION_ERROR", phase: "VALIDATION", status: 422 },
    });
  });

  it("needs a connection that is well formed", async () => {
    const prepareError = new ConnectorFailure("INVALID_CONNECTION", "connectionInfo.host is missing");
    await expect(run(GOOD, { prepareError }).validated).rejects.toMatchObject({
      outcome: { code: "INVALID_CONNECTION_INFO", status: 422 },
    });
  });

  it("tells what is wrong with the model itself", async () => {
    await expect(run({ ...GOOD, modelName: "twice" }).validated).rejects.toMatchObject({
      reason: "MANIFEST_SOURCE",
      outcome: { code: "GENERIC_USER_ERROR", phase: "VALIDATION" },
    });
  });
});
