import { expect, it } from "vitest";
import { dorisFailure } from "../../../src/connectors/doris/failures.ts";

const SQL = "SELECT x FROM t WHERE";

/** Messages in the form of frontends and backends. */
it.each([
  ["errCode = 2, detailMessage = \nno viable alternative at input '<EOF>'(line 1, pos 16)", "SOURCE_INVALID_SQL", 16],
  ["errCode = 2, detailMessage = Table [t] does not exist in database [d].", "SOURCE_INVALID_SQL", undefined],
  [
    "errCode = 2, detailMessage = Unknown column 'x' in 'table list' in PROJECT clause",
    "SOURCE_INVALID_SQL",
    undefined,
  ],
  ["errCode = 2, detailMessage = abc can't cast to INT in strict mode.", "SOURCE_ERROR", undefined],
  ["errCode = 2, detailMessage = (10.0.0.1)[INVALID_ARGUMENT]Arithmetic overflow", "SOURCE_ERROR", undefined],
  ["errCode = 2, detailMessage = query is timeout, killed by timeout checker", "STATEMENT_TIMEOUT", undefined],
  ["errCode = 2, detailMessage = SELECT command denied to user 'u'@'h' for table 't'", "SOURCE_ERROR", undefined],
  ["something else", "SOURCE_ERROR", undefined],
])("%j", (message, reason, position) => {
  const failure = dorisFailure({ number: 1105, state: "HY000", message }, SQL);
  expect(failure).toMatchObject({ reason, message, engineCode: "1105" });
  expect(failure.position).toBe(position);
});

it("numbers that mean something keep their meaning", () => {
  const failure = dorisFailure({ number: 1203, state: "42000", message: "Too many connections" }, SQL);
  expect(failure.reason).toBe("OVERLOADED");
});
