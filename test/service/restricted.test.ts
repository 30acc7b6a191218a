/** Failures while access rules are active: neither the source's text nor SQL is returned. */
import { describe, expect, test } from "vitest";
import { ConnectorFailure, type FailureReason } from "../../src/connectors/failure.ts";
import type { Plan } from "../../src/planner/plan.ts";
import { toServiceError } from "../../src/service/translate.ts";
import { planOf } from "./in-memory.ts";

const SECRET = "CANARY of a hidden row";

function told(reason: FailureReason, restricted: boolean, engineCode = "42883", rowRules: Plan["rowRules"] = "fenced") {
  const request = { sql: "SELECT a FROM m", source: "postgres" } as Parameters<typeof planOf>[0];
  const plan: Plan = planOf(request, { restricted, rowRules, sql: `SELECT … WHERE owner = '${SECRET}'` });
  const failure = new ConnectorFailure(reason, `invalid input syntax: "${SECRET}"`, {
    engineCode,
    position: 8,
    hint: `near "${SECRET}"`,
  });
  return toServiceError(failure, {
    operation: "query",
    sql: request.sql,
    planned: { plan, originOf: () => ({ start: 7, end: 8 }), inputLanguage: () => plan.sql },
  });
}

describe("failures that may quote rows", () => {
  const REASONS = ["SOURCE_INVALID_SQL", "SOURCE_ERROR", "STATEMENT_TIMEOUT", "FILE_INVALID"] as const;

  test.each(REASONS)("%s says its code alone", (reason) => {
    const { message, metadata } = told(reason, true);
    expect(message).toContain("42883");
    expect(metadata).toEqual({ hint: "Access rules are active, so what the source says about it is not shown." });
    expect(JSON.stringify([message, metadata])).not.toContain("CANARY");
  });

  // Hidden rows may decide which of the caller's own errors over values is met first (docs/decisions/0020-row-rules.md#decision).
  test.each(["22P02", "22012", "22003", "Conversion", "Out of Range", "1690", "1242", "1365", "3141", "3685", "4038"])(
    "%s, which is about values, is not told",
    (code) => {
      expect(told("SOURCE_ERROR", true, code).message).toBe("The data source failed to run the statement.");
    },
  );

  test.each(["1146", "1142", "3024"])("%s of MySQL, which is not about values, is told", (code) => {
    expect(told("SOURCE_ERROR", true, code).message).toContain(`(${code})`);
  });

  test.each(REASONS)("%s is told whole without rules", (reason) => {
    expect(told(reason, false).message).toContain(SECRET);
  });

  test("positions and SQL are told without rules only", () => {
    expect(Object.keys(told("SOURCE_ERROR", false).metadata ?? {}).toSorted()).toEqual([
      "dialectSql",
      "hint",
      "plannedSql",
      "position",
    ]);
  });

  test("a time-out still begins as clients know it", () => {
    expect(told("STATEMENT_TIMEOUT", true).message).toMatch(
      /^Query was cancelled: the statement took too long \(42883\)/,
    );
  });
});

test.each(["HOST_UNREACHABLE", "AUTHENTICATION", "TLS_UNTRUSTED", "FILE_NOT_FOUND"] as const)(
  "%s is no row's secret",
  (reason) => {
    expect(told(reason, true).message).toBe(told(reason, false).message);
  },
);

test.each(
  (
    [
      ...([
        "SOURCE_INVALID_SQL",
        "SOURCE_ERROR",
        "SOURCE_OUT_OF_MEMORY",
        "SOURCE_CRASHED",
        "STATEMENT_TIMEOUT",
      ] as const),
      ...(["UPSTREAM_PROTOCOL", "OVERLOADED", "AUTHENTICATION", "HOST_UNREACHABLE", "FILE_INVALID"] as const),
    ] as const
  ).flatMap((reason) => ["42883", "100038", "1146", "245", "ORA-01722"].map((code) => [reason, code] as const)),
)("with a barrier that is not proven, %s with the code %s is one error", (reason, code) => {
  const { reason: shown, message, metadata } = told(reason, true, code, "besteffort");
  expect([shown, message]).toEqual(["SOURCE_ERROR", "The data source failed to run the statement."]);
  expect(metadata).toEqual({ hint: "Access rules are active, so what the source says about it is not shown." });
});
