import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { loadManifest } from "../../../src/planner/index.ts";
import { validate } from "../../../src/service/validate.ts";
import { type Script, testContext, testServices } from "../in-memory.ts";

const table = (name: string, columns: readonly object[], more: object = {}) => ({
  name,
  tableReference: { table: name },
  columns,
  ...more,
});
const REGION = { name: "region", type: "VARCHAR" };
const ORDERS = table("orders", [REGION], {
  rowLevelAccessControls: [
    { name: "own", condition: "region = @region", requiredProperties: [{ name: "region", required: true }] },
  ],
});
const wrong = (name: string) => ({ name, type: "INTEGER", isCalculated: true, expression: `no_${name} + 1` });
const COPY = { name: "copy", refSql: "SELECT region FROM orders", columns: [REGION] };

function run(models: readonly object[], { script = {}, strict = false }: { script?: Script; strict?: boolean } = {}) {
  const services = testServices({ script, load: (base64) => loadManifest(base64, 1_000_000) });
  const manifestStr = Buffer.from(JSON.stringify({ catalog: "c", schema: "s", models })).toString("base64");
  const rule = "manifest_is_valid";
  const request = { rule, source: "postgres", manifestStr, connectionInfo: {}, parameters: {} } as const;
  return { services, validated: validate(services, { ...testContext(), strict }, request) };
}

describe("manifest_is_valid", () => {
  it("holds for a manifest without faults, whatever its rules require, and the source is not asked", async () => {
    const { services, validated } = run([ORDERS]);
    await expect(validated).resolves.toEqual({ warnings: [] });
    expect(services.sources.events).toEqual(["prepare"]);
  });

  it("is violated by one fault, with its message", async () => {
    await expect(run([table("m", [wrong("a")])]).validated).rejects.toMatchObject({
      reason: "RULE_VIOLATED",
      message:
        'The manifest has 1 problem: column "a" of model "m": model "m" has no column "no_a" (at character 1 of its expression)',
      outcome: { code: "VALIDATION_ERROR", phase: "VALIDATION", status: 422 },
      metadata: { problems: [{ reason: "MANIFEST_EXPRESSION", object: 'column "a" of model "m"' }] },
    });
  });

  it("tells of many in its metadata and of the first in its message", async () => {
    const names = Array.from({ length: 104 }, (_, index) => `a${index}`);
    const { validated } = run([table("m", names.map(wrong))]);
    const error = await validated.catch((each: unknown) => each);
    expect(error).toMatchObject({ metadata: { moreProblems: 4 } });
    const { message, metadata } = error as { message: string; metadata: { problems: readonly unknown[] } };
    expect(metadata.problems).toHaveLength(100);
    expect(message).toMatch(/^The manifest has 104 problems: column "a0" .*; column "a1" .*; column "a2" .*; …$/);
  });

  it("warns of the table of a ruled model in a refSql, after what the connection warns of", async () => {
    const option = { code: "UNKNOWN_OPTION", message: "x" } as const;
    const { warnings } = await run([ORDERS, COPY], { script: { warnings: [option] } }).validated;
    expect(warnings.map(({ code }) => code)).toEqual(["UNKNOWN_OPTION", "RULED_TABLE_READ"]);
  });

  it("is refused for a warning when the caller is strict", async () => {
    await expect(run([ORDERS, COPY], { strict: true }).validated).rejects.toMatchObject({
      reason: "STRICT_WARNING",
      message: expect.stringMatching(/^RULED_TABLE_READ: refSql of model "copy"/),
    });
  });

  it("a manifest that cannot be read is refused as everywhere", async () => {
    await expect(run([{}]).validated).rejects.toMatchObject({ reason: "MANIFEST_SCHEMA", outcome: { status: 422 } });
  });

  it("a wrong connection is told first", async () => {
    const prepareError = new ConnectorFailure("INVALID_CONNECTION", "host is missing");
    const { validated } = run([table("m", [wrong("a")])], { script: { prepareError } });
    await expect(validated).rejects.toMatchObject({ reason: "INVALID_CONNECTION" });
  });
});
