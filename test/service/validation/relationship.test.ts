import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { loadManifest, plan } from "../../../src/planner/index.ts";
import type { Batch, Row } from "../../../src/result/types.ts";
import { validate } from "../../../src/service/validate.ts";
import { type Script, testContext, testServices } from "../in-memory.ts";

const model = (name: string): object => ({
  name,
  tableReference: { schema: "main", table: name },
  columns: ["id", "other_id"].map((column) => ({ name: column, type: "INTEGER" })),
});

const MANIFEST = {
  catalog: "c",
  schema: "s",
  models: [model("t1"), model("t2"), { name: "wrong", columns: 1 }],
  relationships: [
    { name: "valid", models: ["t1", "t2"], joinType: "one_to_one", condition: "t1.id = t2.other_id" },
    { name: "many", models: ["t1", "t2"], joinType: "MANY_TO_MANY", condition: "t1.id = t2.other_id" },
    { name: "lost", models: ["t1", "t9"], joinType: "ONE_TO_ONE", condition: "t1.id = t9.id" },
    { name: "unknown", models: ["t1", "t2"], joinType: "Sometimes", condition: "t1.id = t2.id" },
    { name: "unequal", models: ["t1", "t2"], joinType: "ONE_TO_ONE", condition: "t1.id > t2.id" },
    { name: "typeless", models: ["t1", "wrong"], joinType: "ONE_TO_ONE", condition: "t1.id = wrong.id" },
  ],
};

function run(relationshipName: unknown, script: Script = {}, manifest: object = MANIFEST) {
  const services = testServices({ script, load: (base64) => loadManifest(base64, 1_000_000) });
  services.planner.answer = plan;
  const context = testContext();
  const validated = validate(services, context, {
    rule: "relationship_is_valid",
    source: "postgres",
    manifestStr: Buffer.from(JSON.stringify(manifest)).toString("base64"),
    connectionInfo: {},
    parameters: { relationshipName },
  });
  return { services, context, validated };
}

const answering = (...batches: Batch[]): Script => ({ batches });

describe("relationship_is_valid", () => {
  it.each<[string, Batch[]]>([
    ["numbers", [[[1, 1, 1]]]],
    ["64-bit integers", [[[1n, 1n, 1n]]]],
    ["texts, after an empty batch", [[], [["1", "1", "1"]]]],
  ])("holds when every finding is one, as %s", async (_name, batches) => {
    const { services, context, validated } = run("valid", answering(...batches));
    await expect(validated).resolves.toEqual({ warnings: [] });
    await context.settled();
    const { events } = services.sources;
    expect(events.filter((event) => event !== "next")).toEqual([
      "prepare",
      "open",
      "query",
      "stream closed",
      "connector closed",
    ]);
  });

  it.each<[name: string, row: Row, told: string]>([
    ["valid", [0, 1, 1], "'is_related': 'False', 'left_table_unique': 'True', 'right_table_unique': 'True'"],
    ["valid", [1, 0, 1], "'is_related': 'True', 'left_table_unique': 'False', 'right_table_unique': 'True'"],
    ["valid", [0, 0, 0], "'is_related': 'False', 'left_table_unique': 'False', 'right_table_unique': 'False'"],
    ["many", [0], "'is_related': 'False'"],
  ])("%s with %j says what does not hold, letter by letter", async (name, row, told) => {
    await expect(run(name, answering([row])).validated).rejects.toMatchObject({
      message: `Relationship ${name} is not valid: {'result': 'False', ${told}}`,
      reason: "RULE_VIOLATED",
      outcome: { code: "VALIDATION_ERROR", phase: "VALIDATION", status: 422 },
    });
  });

  it.each([
    [undefined, "relationshipName is required", []],
    ["", "relationshipName is required", []],
    [7, "relationshipName must be a string", []],
    ["nope", "Relationship nope not found in manifest", ["prepare"]],
    ["lost", "Model t9 not found in manifest", ["prepare"]],
    ["unknown", "Unknown relationship type: Sometimes", ["prepare"]],
  ])("%j: %s, and nothing is dialled", async (name, message, events) => {
    const { services, validated } = run(name);
    await expect(validated).rejects.toMatchObject({
      message,
      outcome: { code: "VALIDATION_PARAMETER_ERROR", phase: "VALIDATION", status: 422 },
    });
    expect(services.sources.events).toEqual(events);
  });

  it.each([
    ["unequal", "GENERIC_USER_ERROR", "VALIDATION", "must be equalities"],
    ["typeless", "INVALID_MDL", "MDL_EXTRACTION", "columns must be an array"],
  ])("%s is a fault of the manifest: %s", async (name, code, phase, message) => {
    await expect(run(name).validated).rejects.toMatchObject({
      message: expect.stringContaining(message),
      outcome: { code, phase, status: 422 },
    });
  });

  it("says that a manifest without relationships has none of that name", async () => {
    const { validated } = run("valid", {}, { ...MANIFEST, relationships: undefined });
    await expect(validated).rejects.toMatchObject({ message: "Relationship valid not found in manifest" });
  });

  it.each<[string, Script, object]>([
    [
      "what the source refuses is the rule's answer",
      { queryError: new ConnectorFailure("SOURCE_INVALID_SQL", "no such table") },
      { message: "no such table", outcome: { code: "GENERIC_USER_ERROR", phase: "VALIDATION" } },
    ],
    [
      "so is what it refuses with the rows",
      { batches: [], lateError: new ConnectorFailure("SOURCE_ERROR", "broken") },
      { message: "broken", outcome: { code: "GENERIC_USER_ERROR", phase: "VALIDATION" } },
    ],
    [
      "a refused connection stays what it is",
      { openError: new ConnectorFailure("AUTHENTICATION", "no") },
      { outcome: { code: "GET_CONNECTION_ERROR" } },
    ],
    [
      "an answer without a row is a fault",
      { batches: [] },
      { outcome: { code: "GENERIC_INTERNAL_ERROR", status: 500 } },
    ],
  ])("%s", async (_name, script, expected) => {
    const { services, context, validated } = run("valid", script);
    await expect(validated).rejects.toMatchObject(expected);
    await context.settled();
    expect(services.sources.events.includes("open") && !services.sources.events.includes("query")).toBe(
      script.openError !== undefined,
    );
  });

  it("gives up when the time is over, and closes the connector", async () => {
    const services = testServices({
      script: { hang: "batches", batches: [] },
      limits: { applicationTimeoutMs: 20 },
      load: (base64) => loadManifest(base64, 1_000_000),
    });
    services.planner.answer = plan;
    const context = testContext();
    const validated = validate(services, context, {
      rule: "relationship_is_valid",
      source: "postgres",
      manifestStr: Buffer.from(JSON.stringify(MANIFEST)).toString("base64"),
      connectionInfo: {},
      parameters: { relationshipName: "valid" },
    });
    await expect(validated).rejects.toMatchObject({ reason: "APPLICATION_TIMEOUT", outcome: { status: 504 } });
    await context.settled();
    expect(services.sources.events).toContain("connector closed");
  });
});
