import { describe, expect, it } from "vitest";
import { ConnectorFailure, type FailureReason } from "../../src/connectors/failure.ts";
import { PlannerError, type PlannerReason } from "../../src/planner/diagnostics.ts";
import { ERRORS, outcomeOf, type Reason } from "../../src/service/errors.ts";
import { ServiceError } from "../../src/service/failure.ts";
import type { Operation } from "../../src/service/operations.ts";
import { errorOf, QUERY, type TestApp, testApp } from "./test-app.ts";

const PLANNER: Record<PlannerReason, true> = {
  SYNTAX: true,
  SEVERAL_STATEMENTS: true,
  UNSUPPORTED_STATEMENT: true,
  LIMIT_DEPTH: true,
  LIMIT_SIZE: true,
  MODEL_NOT_FOUND: true,
  AMBIGUOUS_MODEL: true,
  COLUMN_NOT_FOUND: true,
  AMBIGUOUS_COLUMN: true,
  UNGROUPED_COLUMN: true,
  INVALID_QUERY: true,
  TYPE_MISMATCH: true,
  FANOUT: true,
  PRIMARY_KEY_REQUIRED: true,
  ACCESS_DENIED: true,
  SESSION_PROPERTY_REQUIRED: true,
  SESSION_PROPERTY_INVALID: true,
  FUNCTION_NOT_FOUND: true,
  FUNCTION_NOT_ALLOWED: true,
  ENUM_VALUE_NOT_FOUND: true,
  PARAMETER_INVALID: true,
  CUBE_NOT_FOUND: true,
  CUBE_FIELD_NOT_FOUND: true,
  CUBE_INVALID_QUERY: true,
  STRICT_WARNING: true,
  UNSUPPORTED_ON_SOURCE: true,
  TIME_ZONE_UNSUPPORTED: true,
  MANIFEST_BASE64: true,
  MANIFEST_JSON: true,
  MANIFEST_SCHEMA: true,
  MANIFEST_LAYOUT_VERSION: true,
  MANIFEST_DUPLICATE: true,
  MANIFEST_SOURCE: true,
  MANIFEST_EXPRESSION: true,
  MANIFEST_RELATIONSHIP: true,
  MANIFEST_CYCLE: true,
  NOT_IMPLEMENTED: true,
};

const FAILURES: Record<FailureReason, true> = {
  HOST_UNREACHABLE: true,
  TLS_UNTRUSTED: true,
  AUTHENTICATION: true,
  NEEDS_SIDECAR: true,
  EGRESS_DENIED: true,
  INVALID_CONNECTION: true,
  SIDECAR_UNREACHABLE: true,
  SIDECAR_REFUSED: true,
  CONNECTORS_UNREACHABLE: true,
  UPSTREAM_PROTOCOL: true,
  ANOTHER_VARIANT: true,
  UNPROVEN_FENCE: true,
  STATEMENT_TIMEOUT: true,
  SOURCE_INVALID_SQL: true,
  SOURCE_ERROR: true,
  SOURCE_OUT_OF_MEMORY: true,
  SOURCE_CRASHED: true,
  CANCELLED: true,
  OVERLOADED: true,
  FILE_NOT_FOUND: true,
  FILE_INVALID: true,
  COLUMN_NOT_FOUND: true,
  OBJECT_CHANGED: true,
  FILES_TOO_LARGE: true,
  DUCKDB_FILE_NOT_FOUND: true,
  ATTACH_DUCKDB_ERROR: true,
  NO_TABLES: true,
  NOT_IMPLEMENTED: true,
};

const VALIDATE = { ...QUERY, parameters: { modelName: "m", columnName: "c" } };

/** Every operation that reaches a source, and how it is called. */
const CALLS: readonly [Operation, (app: TestApp) => Promise<Response>][] = [
  ["query", (app) => app.post("/v3/connector/postgres/query", QUERY)],
  ["dryRun", (app) => app.post("/v2/connector/postgres/query?dryRun=true", QUERY)],
  ["validate", (app) => app.post("/v3/connector/postgres/validate/column_is_valid", VALIDATE)],
  ["tables", (app) => app.post("/v2/connector/postgres/metadata/tables", QUERY)],
  ["constraints", (app) => app.post("/v3/connector/postgres/metadata/constraints", QUERY)],
  ["schemas", (app) => app.post("/v3/connector/postgres/metadata/schemas", QUERY)],
  ["version", (app) => app.post("/v3/connector/postgres/metadata/version", QUERY)],
];

async function expectOutcome(response: Response, reason: Reason, operation: Operation): Promise<void> {
  const expected = outcomeOf(reason, operation);
  expect(response.status).toBe(expected.status);
  expect(await errorOf(response)).toEqual({
    errorCode: expected.code,
    message: expect.stringContaining("what happened"),
    metadata: expect.objectContaining({ reason }),
    phase: expected.phase,
    timestamp: expect.any(String),
    correlationId: response.headers.get("x-correlation-id"),
  });
  expect(response.headers.has("retry-after")).toBe(expected.retryAfter !== undefined);
  expect(response.headers.get("x-process-time")).toMatch(/^\d+\.\d+$/);
}

describe.each(CALLS)("every reason over HTTP, during %s", (operation, call) => {
  it.each(Object.keys(FAILURES) as FailureReason[])("a connector's %s", async (reason) => {
    const app = testApp({ script: { openError: new ConnectorFailure(reason, "what happened") } });
    await expectOutcome(await call(app), reason, operation);
    expect(app.gate.inFlight).toBe(0);
  });

  it.each(Object.keys(ERRORS) as Reason[])("the service's own %s", async (reason) => {
    const app = testApp({ script: { prepareError: new ServiceError(reason, "what happened", { operation }) } });
    await expectOutcome(await call(app), reason, operation);
  });
});

describe.each(CALLS.filter(([operation]) => ["query", "dryRun", "validate"].includes(operation)))(
  "every reason of the planner over HTTP, during %s",
  (operation, call) => {
    it.each(Object.keys(PLANNER) as PlannerReason[])("%s", async (reason) => {
      const app = testApp();
      app.services.planner.answer = () => ({ ok: false, error: new PlannerError(reason, "what happened") });
      await expectOutcome(await call(app), reason, operation);
    });
  },
);

describe.each(["/v2/connector/dry-plan", "/v3/connector/postgres/dry-plan"])(
  "every reason of the planner, at %s",
  (path) => {
    it.each(Object.keys(PLANNER) as PlannerReason[])("%s", async (reason) => {
      const app = testApp();
      app.services.planner.answer = () => ({ ok: false, error: new PlannerError(reason, "what happened") });
      await expectOutcome(await app.post(path, QUERY), reason, "dryPlan");
    });

    it("a manifest that cannot be read", async () => {
      const app = testApp({ load: () => ({ ok: false, error: new PlannerError("MANIFEST_JSON", "what happened") }) });
      await expectOutcome(await app.post(path, QUERY), "MANIFEST_JSON", "dryPlan");
    });
  },
);
