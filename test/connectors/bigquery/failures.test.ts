import { describe, expect, it } from "vitest";
import { bigQueryFailure } from "../../../src/connectors/bigquery/failures.ts";
import { assertReads } from "../../../src/connectors/bigquery/queries.ts";

describe("places", () => {
  // Each was asked of GoogleSQL's own analyser.
  it.each([
    ["SELECT missing", "1:8"],
    ["/* é */ SELECT missing", "1:16"],
    ["/* 𝒳 é */ SELECT missing", "1:18"],
    ["\tSELECT missing", "1:16"],
    ["SELECT\t1,\tmissing", "1:17"],
    ["SELECT 1,\r\n missing", "2:2"],
    ["SELECT 1,\r missing", "2:2"],
    ["SELECT 1,\n\n  missing", "3:3"],
  ])("of %j at %s", (sql, place) => {
    const failure = bigQueryFailure(
      { reason: "invalidQuery", message: `Unrecognized name: missing at [${place}]` },
      sql,
      false,
    );
    expect([failure.reason, failure.position]).toEqual(["SOURCE_INVALID_SQL", sql.indexOf("missing")]);
  });

  it.each(["0:1", "1:0", "2:1", "1:99", "99999999999:1"])("at %s lie outside, and none is told", (place) => {
    const failure = bigQueryFailure({ reason: "invalidQuery", message: `x at [${place}]` }, "SELECT 1", false);
    expect([failure.reason, failure.position]).toEqual(["SOURCE_INVALID_SQL", undefined]);
  });
});

it.each<[string | undefined, string, string, number?]>([
  ["invalidQuery", "division by zero: 1 / 0", "SOURCE_ERROR"],
  ["invalidQuery", "Syntax error: Unexpected end of script", "SOURCE_INVALID_SQL"],
  ["notFound", "Not found: Dataset acme:sales was not found in location US", "SOURCE_INVALID_SQL"],
  ["accessDenied", "Access Denied: Project acme: User does not have bigquery.jobs.create permission", "AUTHENTICATION"],
  ["accessDenied", "Access Denied: Table acme:sales.t: User does not have permission to query it", "SOURCE_ERROR"],
  ["authError", "Invalid Credentials", "AUTHENTICATION"],
  ["quotaExceeded", "Quota exceeded: Your project exceeded quota for QueryUsagePerDay", "OVERLOADED", 60],
  ["rateLimitExceeded", "Exceeded rate limits: too many concurrent queries", "OVERLOADED", 5],
  ["backendError", "Error encountered during execution. Retrying may solve the problem.", "OVERLOADED", 5],
  ["responseTooLarge", "Response too large to return.", "SOURCE_ERROR"],
  ["resourcesExceeded", "Resources exceeded during query execution", "SOURCE_ERROR"],
  ["billingTierLimitExceeded", "Query exceeded resource limits for tier 1.", "SOURCE_ERROR"],
  [
    "bytesBilledLimitExceeded",
    "Query exceeded limit for bytes billed: 1. 10485760 or higher required.",
    "SOURCE_ERROR",
  ],
  ["stopped", "Job execution was cancelled: Job timed out after 1s", "STATEMENT_TIMEOUT"],
  ["stopped", "Job execution was cancelled: User requested cancellation", "SOURCE_ERROR"],
  ["blocked", "BigQuery has temporarily denied the operation", "SOURCE_ERROR"],
  [undefined, "Something", "SOURCE_ERROR"],
])("%s: %s", (reason, message, expected, retryAfter) => {
  const failure = bigQueryFailure({ reason, message }, "SELECT 1", false);
  expect(failure).toMatchObject({ reason: expected, message, engineCode: reason, retryAfter });
});

it("whatever a check finds is wrong with the statement", () => {
  const error = { reason: "invalidQuery", message: "Duplicate column names in the result are not supported." };
  expect(bigQueryFailure(error, "SELECT 1", true).reason).toBe("SOURCE_INVALID_SQL");
});

it("endless messages are cut", () => {
  expect(bigQueryFailure({ reason: "x".repeat(100), message: "y".repeat(1e6) }, "", false)).toMatchObject({
    message: `${"y".repeat(4096)}…`,
    engineCode: undefined,
  });
});

describe("what is sent is one query", () => {
  it.each([
    "SELECT 1",
    "  -- a ; b\n # c ; d\r/* ; */ ((select ';', \";\", `a;b`, r'\\';', '''\n;''', \"\"\"a\"b;\"\"\", 'it\\'s ;'))",
    "WITH a AS (SELECT 1 - 2 / 3) SELECT * FROM a",
    "SELECT ''",
    "SELECT '' , '' -- ;",
    `SELECT ${"'x', ".repeat(50_000)} 1`,
    `SELECT '${"x".repeat(1_000_000)}'`,
  ])("%.60s", (sql) => {
    expect(() => assertReads(sql)).not.toThrow();
  });

  it.each([
    "",
    "INSERT INTO t SELECT 1",
    "EXPORT DATA OPTIONS (uri = 'gs://b/*') AS SELECT 1",
    "BEGIN SELECT 1; END",
    "SELECTED",
    "/* SELECT */ DROP TABLE t",
    "SELECT 1; DROP TABLE t",
    "SELECT 1;",
    "SELECT 'a\\'; DROP TABLE t; --'; DROP TABLE t",
    "SELECT 'a\n; DROP TABLE t",
    "SELECT `a\\`b`; DROP TABLE t",
    "SELECT /* a */ 1 /* b **/; DROP TABLE t",
    "SELECT '' '' ; DROP TABLE t",
  ])("%s is refused", (sql) => {
    expect(() => assertReads(sql)).toThrow(expect.objectContaining({ reason: "SOURCE_INVALID_SQL" }));
  });
});
