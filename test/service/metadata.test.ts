import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { type MetadataKind, metadata } from "../../src/service/metadata.ts";
import { testContext, testServices } from "./in-memory.ts";

const KINDS: readonly [MetadataKind, string][] = [
  ["tables", "Get Table List"],
  ["constraints", "Get Constraints"],
  ["schemas", "Get Schema List"],
  ["version", "Get Database Version"],
];

function request<K extends MetadataKind>(kind: K) {
  return { kind, source: "postgres", connectionInfo: {}, filter: { schema: "p*" }, limit: 3, warnings: [] } as const;
}

describe("metadata", () => {
  it.each(KINDS)("asks the catalogue for %s and closes the connection", async (kind) => {
    const services = testServices();
    const context = testContext();
    await metadata(services, context, request(kind));
    await context.settled();
    const expected = kind === "version" ? { kind } : { kind, filter: { schema: "p*" }, limit: 3 };
    expect(services.sources.requests).toEqual([expected]);
    expect(services.sources.events).toEqual(["prepare", "open", "catalog", "connector closed"]);
  });

  it("hands on what the catalogue says", async () => {
    const services = testServices({ script: { catalog: { schemas: [{ name: "c", schemas: ["s"] }] } } });
    expect((await metadata(services, testContext(), request("schemas"))).records).toEqual([
      { name: "c", schemas: ["s"] },
    ]);
  });

  it.each(KINDS)("puts failures of %s into the phase METADATA_FETCHING", async (kind, label) => {
    const catalogError = new ConnectorFailure("SOURCE_ERROR", "permission denied");
    const failing = metadata(testServices({ script: { catalogError } }), testContext(), request(kind));
    await expect(failing).rejects.toMatchObject({
      message: "permission denied",
      outcome: { code: "GENERIC_USER_ERROR", phase: "METADATA_FETCHING", status: 422 },
    });
    const slow = testServices({ script: { hang: "catalog" }, limits: { applicationTimeoutMs: 1 } });
    await expect(metadata(slow, testContext(), request(kind))).rejects.toMatchObject({
      message: expect.stringContaining(`${label} timeout after 0.001 seconds`),
      outcome: { code: "DATABASE_TIMEOUT", status: 504 },
    });
  });

  it("refuses options that are not honoured when the caller is strict, before anything is dialled", async () => {
    const warnings = [{ code: "UNKNOWN_OPTION", message: "kwargs.x is not honoured" }] as const;
    const services = testServices({ script: { warnings } });
    await expect(metadata(services, testContext({ strict: true }), request("tables"))).rejects.toMatchObject({
      reason: "STRICT_WARNING",
    });
    expect(services.sources.events).toEqual(["prepare"]);
  });
});
