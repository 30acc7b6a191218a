import { describe, expect, it } from "vitest";
import { type ServerError, startupFailure, statementFailure } from "../../../src/connectors/mysql/failures.ts";

const error = (number: number, state: string, message: string): ServerError => ({ number, state, message });
const near = (text: string, line: number): ServerError =>
  error(1064, "42000", `You have an error in your SQL syntax; … near '${text}' at line ${line}`);

describe("what a number and a state mean", () => {
  it.each<[number, string, string]>([
    [1064, "42000", "SOURCE_INVALID_SQL"],
    [1146, "42S02", "SOURCE_INVALID_SQL"],
    [1054, "42S22", "SOURCE_INVALID_SQL"],
    [1049, "42000", "SOURCE_INVALID_SQL"],
    // Rights stand in class 42 and are no fault of the SQL.
    [1142, "42000", "SOURCE_ERROR"],
    [1143, "42000", "SOURCE_ERROR"],
    [1370, "42000", "SOURCE_ERROR"],
    [1242, "21000", "SOURCE_ERROR"],
    [1792, "25006", "SOURCE_ERROR"],
    [1317, "70100", "SOURCE_ERROR"],
    [3024, "HY000", "STATEMENT_TIMEOUT"],
    [1969, "70100", "STATEMENT_TIMEOUT"],
    [1040, "08004", "OVERLOADED"],
    [1226, "42000", "OVERLOADED"],
    [1820, "HY000", "AUTHENTICATION"],
    [4031, "HY000", "UPSTREAM_PROTOCOL"],
    [1927, "70100", "UPSTREAM_PROTOCOL"],
  ])("%i %s of a statement is %s", (number, state, reason) => {
    expect(statementFailure(error(number, state, "…"), undefined)).toMatchObject({
      reason,
      engineCode: String(number),
    });
  });

  it.each<[number, string, string]>([
    [1045, "28000", "AUTHENTICATION"],
    [1049, "42000", "AUTHENTICATION"],
    [1130, "", "AUTHENTICATION"],
    [3118, "HY000", "AUTHENTICATION"],
    [1040, "08004", "OVERLOADED"],
    [1053, "08S01", "OVERLOADED"],
    [3159, "HY000", "TLS_UNTRUSTED"],
  ])("%i %s before the session is %s", (number, state, reason) => {
    expect(startupFailure(error(number, state, "…")).reason).toBe(reason);
  });

  it("a long text is shortened", () => {
    expect(statementFailure(error(1, "HY000", "x".repeat(100_000)), undefined).message.length).toBe(4097);
  });
});

it.each<[string, string]>([
  ["DOUBLE value is out of range in 'exp((1000 + length(`s`.`t`.`a`)))'", "A value cannot be read"],
  ["DOUBLE value is out of range in 'exp(1000 + octet_length(`s`.`t`.`a`))'", "A value cannot be read"],
  ["DOUBLE value is out of range in 'exp(`s`.`t`.`a`)'", "DOUBLE value is out of range"],
])("%s, told as %s", (message, told) => {
  expect(statementFailure(error(1690, "22003", message), undefined).message).toMatch(told);
});

describe("positions, of what the server repeats", () => {
  it.each<[string, ServerError, number | undefined]>([
    ["SELECT 1 FROM WHERE", near("WHERE", 1), 14],
    ["SELECT 'ä𝒳',\n  1 FROM FROM t", near("FROM t", 2), 23],
    // Twice on that line and behind: nobody knows which.
    ["SELECT x x x", near("x", 1), undefined],
    ["SELECT 1", near("", 1), undefined],
    ["SELECT 1", near("else", 9), undefined],
    ["SELECT nope FROM t", error(1054, "42S22", "Unknown column 'nope' in 'field list'"), 7],
    ["SELECT t.nope FROM t", error(1054, "42S22", "Unknown column 't.nope' in 'field list'"), 9],
    ["SELECT nope, nope FROM t", error(1054, "42S22", "Unknown column 'nope' in 'field list'"), undefined],
    ["SELECT nopes FROM nope", error(1146, "42S02", "Table 'shop.nope' doesn't exist"), 18],
    ["SELECT 1", error(1146, "42S02", "Table 'a(b' doesn't exist"), undefined],
    ["SELECT x", error(1242, "21000", "Subquery returns more than 1 row 'x'"), undefined],
  ])("%j", (sql, failure, position) => {
    expect(statementFailure(failure, sql).position).toBe(position);
  });
});
