import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { PlannerError } from "../../src/planner/diagnostics.ts";
import { validate } from "../../src/service/validate.ts";
import { testContext, testServices } from "./in-memory.ts";

function request(parameters: Readonly<Record<string, unknown>>, rule = "column_is_valid") {
  return { rule, source: "postgres", manifestStr: "bTE=", connectionInfo: {}, parameters } as const;
}

const COLUMN = { modelName: "orders", columnName: "total" };

describe("validate", () => {
  it("column_is_valid plans the column and checks it on the source without running it", async () => {
    const services = testServices();
    const context = testContext();
    await validate(services, context, request({ modelName: 'my "orders"', columnName: "total" }));
    await context.settled();
    expect(services.planner.requests[0]?.sql).toBe('SELECT "total" FROM "my ""orders""" LIMIT 1');
    expect(services.sources.events).toEqual(["prepare", "open", "dryRun", "connector closed"]);
  });

  it.each([
    [{}, "modelName is required"],
    [{ columnName: "c" }, "modelName is required"],
    [{ modelName: "m" }, "columnName is required"],
    [{ modelName: "", columnName: "c" }, "modelName is required"],
    [{ modelName: null, columnName: "c" }, "modelName is required"],
    [{ modelName: 3, columnName: "c" }, "modelName must be a string"],
    [JSON.parse('{"__proto__":{"modelName":"m","columnName":"c"}}'), "modelName is required"],
  ])("refuses the parameters %j", async (parameters, message) => {
    const services = testServices();
    await expect(validate(services, testContext(), request(parameters))).rejects.toMatchObject({
      message,
      outcome: { code: "VALIDATION_PARAMETER_ERROR", phase: "VALIDATION", status: 422 },
    });
    expect(services.sources.events).toEqual([]);
  });

  it("an unknown rule is told before anything is dialled, with the exact words", async () => {
    const services = testServices();
    await expect(validate(services, testContext(), request(COLUMN, "unknown_rule"))).rejects.toMatchObject({
      message:
        "The rule `unknown_rule` is not in the rules, rules: ['column_is_valid', 'relationship_is_valid', 'rlac_condition_syntax_is_valid']",
      outcome: { code: "VALIDATION_RULE_NOT_FOUND", status: 404 },
      metadata: {
        hint: "The rules are column_is_valid, relationship_is_valid, rlac_condition_syntax_is_valid, manifest_is_valid.",
      },
    });
    expect(services.sources.events).toEqual([]);
  });

  it("an unknown column is the rule's answer, without a place in SQL that the caller has not written", async () => {
    const services = testServices();
    services.planner.answer = () => ({
      ok: false,
      error: new PlannerError("COLUMN_NOT_FOUND", "no column totl", {
        span: { start: 0, end: 4 },
        suggestions: ["total"],
      }),
    });
    await expect(validate(services, testContext(), request(COLUMN))).rejects.toMatchObject({
      message: "no column totl",
      reason: "COLUMN_NOT_FOUND",
      metadata: { suggestions: ["total"] },
      outcome: { code: "GENERIC_USER_ERROR", phase: "VALIDATION", status: 422 },
    });
  });

  it("what the source refuses is the rule's answer too", async () => {
    const dryRunError = new ConnectorFailure("SOURCE_INVALID_SQL", "no such column", { position: 3 });
    const services = testServices({ script: { dryRunError } });
    services.planner.origin = { start: 0, end: 1 };
    const failing = validate(services, testContext(), request(COLUMN));
    await expect(failing).rejects.toMatchObject({
      message: "no such column",
      outcome: { code: "GENERIC_USER_ERROR", phase: "VALIDATION", status: 422 },
    });
    await expect(failing).rejects.not.toHaveProperty("metadata.position");
  });

  it("a refused connection stays what it is", async () => {
    const openError = new ConnectorFailure("AUTHENTICATION", "password authentication failed");
    await expect(
      validate(testServices({ script: { openError } }), testContext(), request(COLUMN)),
    ).rejects.toMatchObject({
      outcome: { code: "GET_CONNECTION_ERROR", status: 422 },
    });
  });
});
