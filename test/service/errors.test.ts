import { describe, expect, it } from "vitest";
import { ERRORS, type ErrorCode, outcomeOf, type Reason } from "../../src/service/errors.ts";
import { OPERATIONS, type Operation } from "../../src/service/operations.ts";

const reasons = Object.keys(ERRORS) as Reason[];

/** docs/spec/contract.md#error-codes, with the statuses that the retired service did not have. */
const STATUSES: Record<ErrorCode, readonly number[]> = {
  GENERIC_USER_ERROR: [422, 401, 403, 406, 408, 413, 415, 429, 499],
  NOT_FOUND: [404],
  INVALID_SQL: [422],
  INVALID_MDL: [422],
  DUCKDB_FILE_NOT_FOUND: [422],
  ATTACH_DUCKDB_ERROR: [422],
  VALIDATION_RULE_NOT_FOUND: [404],
  VALIDATION_ERROR: [422],
  VALIDATION_PARAMETER_ERROR: [422],
  GET_CONNECTION_ERROR: [422],
  INVALID_CONNECTION_INFO: [422],
  GENERIC_INTERNAL_ERROR: [500, 503],
  NOT_IMPLEMENTED: [501],
  GENERIC_EXTERNAL_ERROR: [502, 503],
  DATABASE_TIMEOUT: [504],
};

describe("the table of errors", () => {
  it.each(reasons)("gives %s a status that its code allows", (reason) => {
    const row = ERRORS[reason];
    expect(STATUSES[row.code]).toContain(row.status);
  });

  it.each([
    ["SYNTAX", "INVALID_SQL", "SQL_PARSING", 422],
    ["SEVERAL_STATEMENTS", "INVALID_SQL", "SQL_PARSING", 422],
    ["MODEL_NOT_FOUND", "INVALID_SQL", "SQL_PLANNING", 422],
    ["STRICT_WARNING", "INVALID_SQL", "SQL_PLANNING", 422],
    ["UNSUPPORTED_ON_SOURCE", "INVALID_SQL", "SQL_TRANSPILE", 422],
    ["MANIFEST_JSON", "INVALID_MDL", "MDL_EXTRACTION", 422],
    ["MANIFEST_CYCLE", "INVALID_MDL", "SQL_PLANNING", 422],
    ["AUTHENTICATION", "GET_CONNECTION_ERROR", null, 422],
    ["NEEDS_SIDECAR", "GET_CONNECTION_ERROR", null, 422],
    ["INVALID_CONNECTION", "INVALID_CONNECTION_INFO", null, 422],
    ["CONNECTION_MISSING", "INVALID_CONNECTION_INFO", null, 422],
    ["SIDECAR_UNREACHABLE", "GENERIC_EXTERNAL_ERROR", "SQL_EXECUTION", 502],
    ["CONNECTORS_UNREACHABLE", "GENERIC_EXTERNAL_ERROR", "SQL_EXECUTION", 502],
    ["STATEMENT_TIMEOUT", "DATABASE_TIMEOUT", "SQL_EXECUTION", 504],
    ["APPLICATION_TIMEOUT", "DATABASE_TIMEOUT", "SQL_EXECUTION", 504],
    ["SOURCE_INVALID_SQL", "GENERIC_USER_ERROR", "SQL_EXECUTION", 422],
    ["BODY_TOO_LARGE", "GENERIC_USER_ERROR", "REQUEST_RECEIVED", 413],
    ["NOT_IMPLEMENTED", "NOT_IMPLEMENTED", null, 501],
    ["INTERNAL", "GENERIC_INTERNAL_ERROR", null, 500],
  ] as const)("%s in a query is %s, %s, %i", (reason, code, phase, status) => {
    expect(outcomeOf(reason, "query")).toMatchObject({ code, phase, status });
  });

  it.each([
    ["MODEL_NOT_FOUND", "NOT_FOUND", "SQL_SUBSTITUTE", 404],
    ["AMBIGUOUS_MODEL", "GENERIC_USER_ERROR", "SQL_SUBSTITUTE", 422],
    ["SYNTAX", "INVALID_SQL", "SQL_SUBSTITUTE", 422],
    ["MANIFEST_JSON", "INVALID_MDL", "MDL_EXTRACTION", 422],
  ] as const)("%s in a substitution is %s, %s, %i", (reason, code, phase, status) => {
    expect(outcomeOf(reason, "substitute")).toMatchObject({ code, phase, status });
  });

  it("asks the client of an overloaded service to come back", () => {
    expect(outcomeOf("OVERLOADED", undefined)).toMatchObject({ status: 503, retryAfter: 1 });
  });

  it.each([
    ["query", "SQL_EXECUTION"],
    ["dryRun", "SQL_DRY_RUN"],
    ["tables", "METADATA_FETCHING"],
    ["version", "METADATA_FETCHING"],
  ] as const)("puts what the source refuses during %s into the phase %s", (operation, phase) => {
    expect(outcomeOf("SOURCE_ERROR", operation).phase).toBe(phase);
  });

  it("knows no phase of the operation before the operation is known", () => {
    expect(outcomeOf("UPSTREAM_PROTOCOL", undefined).phase).toBeNull();
  });

  it.each([
    "COLUMN_NOT_FOUND",
    "MODEL_NOT_FOUND",
    "SOURCE_INVALID_SQL",
    "SOURCE_ERROR",
    "MANIFEST_CYCLE",
    "SYNTAX",
  ] as const)("makes %s the answer of a validation rule", (reason) => {
    expect(outcomeOf(reason, "validate")).toMatchObject({
      code: "GENERIC_USER_ERROR",
      phase: "VALIDATION",
      status: 422,
    });
  });

  it.each([
    ["AUTHENTICATION", "GET_CONNECTION_ERROR"],
    ["STATEMENT_TIMEOUT", "DATABASE_TIMEOUT"],
    ["MANIFEST_BASE64", "INVALID_MDL"],
    ["RULE_NOT_FOUND", "VALIDATION_RULE_NOT_FOUND"],
    ["RULE_VIOLATED", "VALIDATION_ERROR"],
    ["NOT_IMPLEMENTED", "NOT_IMPLEMENTED"],
    ["INTERNAL", "GENERIC_INTERNAL_ERROR"],
  ] as const)("keeps %s what it is in a validation: %s", (reason, code) => {
    expect(outcomeOf(reason, "validate").code).toBe(code);
  });

  it.each(Object.keys(OPERATIONS) as Operation[])("has a phase and a label for %s", (operation) => {
    expect(OPERATIONS[operation].phase).toMatch(/^[A-Z_]+$/);
    expect(OPERATIONS[operation].label).not.toBe("");
  });
});
