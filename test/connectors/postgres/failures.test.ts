import { describe, expect, it } from "vitest";
import { startupFailure, statementFailure } from "../../../src/connectors/postgres/failures.ts";
import { effectiveTimeout, settingsStatement } from "../../../src/connectors/postgres/session.ts";

const error = (code: string, message = "no", more: object = {}) => ({ code, message, ...more });

describe("SQLSTATE of a statement", () => {
  it.each([
    ["42601", "SOURCE_INVALID_SQL"],
    ["42P01", "SOURCE_INVALID_SQL"],
    ["42703", "SOURCE_INVALID_SQL"],
    ["42883", "SOURCE_INVALID_SQL"],
    ["42804", "SOURCE_INVALID_SQL"],
    ["3F000", "SOURCE_INVALID_SQL"],
    ["42501", "SOURCE_ERROR"],
    ["22012", "SOURCE_ERROR"],
    ["22P02", "SOURCE_ERROR"],
    ["25006", "SOURCE_ERROR"],
    ["53200", "SOURCE_ERROR"],
    ["54001", "SOURCE_ERROR"],
    ["40001", "SOURCE_ERROR"],
    ["XX000", "SOURCE_ERROR"],
    ["", "SOURCE_ERROR"],
    ["53300", "OVERLOADED"],
    ["53400", "OVERLOADED"],
    ["57P03", "OVERLOADED"],
    ["57P01", "UPSTREAM_PROTOCOL"],
    ["57P02", "UPSTREAM_PROTOCOL"],
    ["57P04", "UPSTREAM_PROTOCOL"],
    ["57P05", "UPSTREAM_PROTOCOL"],
    ["08006", "UPSTREAM_PROTOCOL"],
    ["08P01", "UPSTREAM_PROTOCOL"],
    ["28P01", "AUTHENTICATION"],
    ["28000", "AUTHENTICATION"],
    ["3D000", "AUTHENTICATION"],
    ["25P03", "STATEMENT_TIMEOUT"],
    ["25P04", "STATEMENT_TIMEOUT"],
  ])("%s is %s", (code, reason) => {
    const failure = statementFailure(error(code), "SELECT 1");
    expect([failure.reason, failure.engineCode]).toEqual([reason, code]);
    expect(failure.retryAfter).toBe(reason === "OVERLOADED" ? 5 : undefined);
  });

  it.each([
    ["canceling statement due to statement timeout", "STATEMENT_TIMEOUT"],
    ["storniere Anfrage wegen Zeitüberschreitung der Anfrage", "STATEMENT_TIMEOUT"],
    ["canceling statement due to user request", "SOURCE_ERROR"],
  ])("57014: %s", (message, reason) => {
    expect(statementFailure(error("57014", message), undefined).reason).toBe(reason);
  });

  it.each([
    ["1", "abc", 0],
    ["3", "abc", 2],
    ["4", "abc", 3],
    ["5", "abc", undefined],
    ["2", "𝒳b", 2],
    ["3", "é𝒳b", 3],
    ["0", "abc", undefined],
    ["-1", "abc", undefined],
    ["x", "abc", undefined],
    ["99999999999999999999", "abc", undefined],
    [undefined, "abc", undefined],
    ["1", undefined, undefined],
  ])("position %s in %j", (position, sql, expected) => {
    expect(statementFailure(error("42601", "no", { position }), sql).position).toBe(expected);
  });

  it("is cut when it is long, and shows detail and hint", () => {
    const failure = statementFailure(
      error("22012", "m".repeat(9000), { detail: "d".repeat(9000), hint: "h".repeat(9000) }),
      undefined,
    );
    expect(failure.message).toMatch(/^m{4096}…\nd{4096}…$/);
    expect(failure.hint).toHaveLength(4097);
  });
});

it.each([
  ["28P01", "AUTHENTICATION"],
  ["42501", "AUTHENTICATION"],
  ["08P01", "AUTHENTICATION"],
  ["53300", "OVERLOADED"],
  ["57P03", "OVERLOADED"],
])("%s during the start-up is %s", (code, reason) => {
  expect(startupFailure(error(code)).reason).toBe(reason);
});

it.each([
  ["53300", /raise the server's connection limit/],
  ["57P03", /^The server starts or stops: try again in a moment\.$/],
])("%s says what to do", (code, hint) => {
  expect(startupFailure(error(code)).hint).toMatch(hint);
});

describe("the statement's time", () => {
  it.each<[string | undefined, number | undefined]>([
    [undefined, 1000],
    ["5s", 5000],
    ["250", 250],
    ["250 ms", 250],
    ["1.5s", 1500],
    ["2min", 120_000],
    ["1h", 3_600_000],
    ["1d", 86_400_000],
    ["500us", 0.5],
    ["0", undefined],
    ["soon", 1000],
  ])("statement_timeout=%s of the connection", (value, expected) => {
    const settings = value === undefined ? [] : [{ name: "statement_timeout", value }];
    expect(effectiveTimeout(settings, 1000)).toBe(expected);
  });

  it("is at least a millisecond on the server, where 0 would be none", () => {
    const { values } = settingsStatement([], [], 0.2);
    expect(values[values.indexOf("statement_timeout") + 1]).toBe("1");
  });
});

it.each(["transaction_read_only", "Transaction_Read_Only"])(
  "neither connection nor plan can make a statement write by %s",
  (name) => {
    const off = [{ name, value: "off" }];
    const { values } = settingsStatement(off, off, 1000);
    const set = values.filter((_, i) => values[i - 1]?.toLowerCase() === "transaction_read_only");
    expect(set).toEqual(["on"]);
  },
);

it.each(["role", "ROLE", "session_authorization", "row_security"])("a plan cannot set %s", (name) => {
  expect(settingsStatement([], [{ name, value: "owner" }], 1000).values).not.toContain(name);
  const own = [{ name: "role", value: "reader" }];
  expect(settingsStatement(own, [{ name, value: "owner" }], 1000).values).not.toContain("owner");
});

it("settings: the plan's win over ours, ours over the connection's, names without case", () => {
  const { sql, values } = settingsStatement(
    [
      { name: "search_path", value: "a" },
      { name: "datestyle", value: "German" },
      { name: "statement_timeout", value: "7" },
    ],
    [{ name: "timezone", value: "Asia/Tokyo" }],
    1000,
  );
  const set = new Map<string | undefined, string | undefined>();
  for (let i = 0; i < values.length; i += 2) set.set(values[i]?.toLowerCase(), values[i + 1]);
  expect([set.get("search_path"), set.get("datestyle"), set.get("statement_timeout"), set.get("timezone")]).toEqual([
    "a",
    "ISO, MDY",
    "7",
    "Asia/Tokyo",
  ]);
  expect(values).toHaveLength(set.size * 2);
  expect(sql.match(/set_config/g)).toHaveLength(set.size);
});
