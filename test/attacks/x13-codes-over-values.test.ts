/** Under access rules every source reports errors over values alike: one reason, one message, no code. */
import { expect, test } from "vitest";
import { clickHouseFailure, parseException } from "../../src/connectors/clickhouse/failures.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { trinoFailure } from "../../src/connectors/trino/failures.ts";
import type { Plan } from "../../src/planner/plan.ts";
import { toServiceError } from "../../src/service/translate.ts";
import { planOf } from "../service/in-memory.ts";

const SQL = "SELECT a FROM m";

function reported(failure: ConnectorFailure): { readonly reason: string; readonly message: string } {
  const request = { sql: SQL, source: "postgres" } as Parameters<typeof planOf>[0];
  const plan: Plan = planOf(request, { restricted: true });
  const planned = { plan, originOf: () => undefined, inputLanguage: () => undefined };
  const { reason, message } = toServiceError(failure, { operation: "query", sql: SQL, planned });
  return { reason, message };
}

const trino = (errorName: string, errorLocation: { lineNumber: number; columnNumber: number } | null = null) =>
  trinoFailure({ message: "secret", errorName, errorType: "USER_ERROR", errorLocation }, SQL, 0);
const clickHouse = (code: number, name: string) => {
  const exception = parseException(`Code: ${code}. DB::Exception: secret. (${name}) (version 26.7.2.1)`);
  if (exception === undefined) throw new Error("no exception");
  return clickHouseFailure(exception, { sql: SQL, before: 0 }, "default");
};
const source = (engineCode: string, reason: "SOURCE_ERROR" | "SOURCE_INVALID_SQL" = "SOURCE_ERROR") =>
  new ConnectorFailure(reason, "secret", { engineCode });

const OVER_VALUES: readonly (readonly [what: string, failure: ConnectorFailure])[] = [
  ...["INVALID_CAST_ARGUMENT", "DIVISION_BY_ZERO", "NUMERIC_VALUE_OUT_OF_RANGE", "INVALID_FUNCTION_ARGUMENT"].map(
    (name) => [`Trino, ${name}`, trino(name)] as const,
  ),
  ["Trino, with a place in the statement", trino("INVALID_CAST_ARGUMENT", { lineNumber: 1, columnNumber: 8 })],
  ["Trino, a scalar subquery of two rows", trino("SUBQUERY_MULTIPLE_ROWS")],
  ...(
    [
      [6, "CANNOT_PARSE_TEXT"],
      [41, "CANNOT_PARSE_DATETIME"],
      [43, "ILLEGAL_TYPE_OF_ARGUMENT"],
      [44, "ILLEGAL_COLUMN"],
      [69, "ARGUMENT_OUT_OF_BOUND"],
      [125, "INCORRECT_RESULT_OF_SCALAR_SUBQUERY"],
      [153, "ILLEGAL_DIVISION"],
      [395, "FUNCTION_THROW_IF_VALUE_IS_NON_ZERO"],
      [407, "DECIMAL_OVERFLOW"],
      [427, "CANNOT_COMPILE_REGEXP"],
    ] as const
  ).map(([code, name]) => [`ClickHouse, ${name}`, clickHouse(code, name)] as const),
  ...["CAST_INVALID_INPUT", "DIVIDE_BY_ZERO", "ARITHMETIC_OVERFLOW", "SCALAR_SUBQUERY_TOO_MANY_ROWS", "22018"].map(
    (code) => [`Spark, ${code}`, source(code)] as const,
  ),
  ...["54000", "2201B", "42P22", "42846", "0A000", "XX000", "P0001", "38000", "22P02", "21000"].flatMap((code) => [
    [`PostgreSQL, ${code}`, source(code)] as const,
    [`PostgreSQL, ${code} in class 42`, source(code, "SOURCE_INVALID_SQL")] as const,
  ]),
  ...["1301", "1235", "1366", "3020", "1267", "1918", "4079"].map((code) => [`MySQL, ${code}`, source(code)] as const),
  ...["Conversion", "Out of Range", "Invalid Input", "Not implemented", "INTERNAL", "Invalid type", "Constraint"].map(
    (code) => [`DuckDB, ${code}`, source(code)] as const,
  ),
  ...["invalidQuery", "ORA-01722", "ORA-01476", "8134", "245", "100038"].map(
    (code) => [`another source, ${code}`, source(code)] as const,
  ),
];

test.each(OVER_VALUES)("%s", (_what, failure) => {
  expect(reported(failure)).toEqual({
    reason: "SOURCE_ERROR",
    message: "The data source failed to run the statement.",
  });
});

/** Found before a row is read. */
test.each([
  ["Trino", trino("TABLE_NOT_FOUND", { lineNumber: 1, columnNumber: 15 }), "TABLE_NOT_FOUND"],
  ["ClickHouse", clickHouse(60, "UNKNOWN_TABLE"), "60"],
  ["PostgreSQL", source("42P01", "SOURCE_INVALID_SQL"), "42P01"],
  ["MySQL", source("1146", "SOURCE_INVALID_SQL"), "1146"],
  ["DuckDB", source("Catalog", "SOURCE_INVALID_SQL"), "Catalog"],
] as const)("%s reports a missing table by its code", (_source, failure, code) => {
  expect(reported(failure)).toEqual({
    reason: "SOURCE_INVALID_SQL",
    message: `The data source does not accept the statement (${code}).`,
  });
});
