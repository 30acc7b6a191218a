/**
 * Errors of engines over statements whose barrier is not proven: each connector's own failure becomes one sentence without the engine's
 * text or code, in the Worker and through the sidecar's frames.
 */
import { describe, expect, test } from "vitest";
import { statementFailure as mssqlFailure } from "../../sidecar/mssql/failures.ts";
import { statementFailure as oracleFailure } from "../../sidecar/oracle/failures.ts";
import { clickHouseFailure } from "../../src/connectors/clickhouse/failures.ts";
import { endFailure as databricksFailure } from "../../src/connectors/databricks/failures.ts";
import { dorisFailure } from "../../src/connectors/doris/failures.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { statementFailure as mysqlFailure } from "../../src/connectors/mysql/failures.ts";
import { statementFailure as postgresFailure } from "../../src/connectors/postgres/failures.ts";
import { failureToJson } from "../../src/connectors/remote/failure-json.ts";
import { failureFromJson } from "../../src/connectors/remote/failure-wire.ts";
import { snowflakeFailure } from "../../src/connectors/snowflake/failures.ts";
import { statementFailure as sparkFailure } from "../../src/connectors/spark/failures.ts";
import { trinoFailure } from "../../src/connectors/trino/failures.ts";
import { query } from "../../src/service/query.ts";
import { toServiceError } from "../../src/service/translate.ts";
import { planOf, testContext, testServices } from "./in-memory.ts";

const SQL = "SELECT a FROM m";
const TEXT = "cannot read 'CANARY' at line 1";

const databricks = (code: string | undefined, sqlState: string): ConnectorFailure =>
  databricksFailure(
    { id: "1", state: "FAILED", error: { message: TEXT, code, sqlState }, manifest: undefined, links: [] },
    SQL,
    0,
  );
const oracle = (errorNum: number): ConnectorFailure =>
  oracleFailure(Object.assign(new Error(`ORA-0${errorNum}: ${TEXT}`), { errorNum, code: `ORA-0${errorNum}` }), SQL);
const mssql = (number: number, level: number): ConnectorFailure =>
  mssqlFailure({ number, state: 1, level, message: TEXT, line: 1 }, SQL);
const mysql = (number: number, state: string): ConnectorFailure => mysqlFailure({ number, state, message: TEXT }, SQL);
const trino = (errorName: string): ConnectorFailure =>
  trinoFailure({ message: TEXT, errorName, errorType: "USER_ERROR" }, SQL, 0);
const clickHouse = (name: string, code: string): ConnectorFailure =>
  clickHouseFailure({ name, code, message: TEXT }, { sql: SQL, before: 0 }, "d");
const snowflake = (code: string, sqlState: string): ConnectorFailure =>
  snowflakeFailure({ code, sqlState, message: TEXT }, SQL, 0);

/** Over a value, over the statement, and of a server that is full or ends the session. */
const FAILURES: Readonly<Record<string, readonly ConnectorFailure[]>> = {
  snowflake: [
    snowflake("100038", "22018"),
    snowflake("002003", "42S02"),
    snowflake("000625", ""),
    snowflake("000630", ""),
  ],
  mssql: [mssql(245, 16), mssql(8134, 16), mssql(208, 16), mssql(701, 17), mssql(596, 21)],
  oracle: [oracle(1722), oracle(1476), oracle(942), oracle(28)],
  "redshift and canner": ["22P02", "22012", "42P01", "57014", "53200"].map((code) =>
    postgresFailure({ message: TEXT, code, detail: TEXT, hint: TEXT }, SQL),
  ),
  databricks: [databricks(undefined, "22018"), databricks("DEADLINE_EXCEEDED", ""), databricks(undefined, "42P01")],
  doris: [1105, 1146].map((number) => dorisFailure({ number, state: "HY000", message: TEXT }, SQL)),
  "trino and athena": ["INVALID_CAST_ARGUMENT", "TABLE_NOT_FOUND", "EXCEEDED_TIME_LIMIT", "QUERY_QUEUE_FULL"].map(
    trino,
  ),
  clickhouse: [
    clickHouse("CANNOT_PARSE_TEXT", "6"),
    clickHouse("UNKNOWN_TABLE", "60"),
    clickHouse("TIMEOUT_EXCEEDED", "159"),
  ],
  "mysql, planetscale and tidb": [
    mysql(1690, "22003"),
    mysql(1146, "42S02"),
    mysql(3024, "HY000"),
    mysql(1205, "40001"),
  ],
  spark: [true, false].map((isOfTheStatement) =>
    sparkFailure(
      { message: TEXT, isOfTheStatement, errorClass: "CAST_INVALID_INPUT", sqlState: "22018", startIndex: 3 },
      SQL,
      0,
    ),
  ),
  "a connection that ends": [new ConnectorFailure("UPSTREAM_PROTOCOL", TEXT)],
};

const shown = (failure: ConnectorFailure): unknown => {
  const plan = planOf({ sql: SQL, source: "snowflake" } as Parameters<typeof planOf>[0], {
    restricted: true,
    rowRules: "besteffort",
  });
  const { reason, message, metadata } = toServiceError(failure, {
    operation: "query",
    sql: SQL,
    planned: { plan, originOf: () => ({ start: 7, end: 8 }), inputLanguage: () => plan.sql },
  });
  return { reason, message, metadata };
};

const ONE = {
  reason: "SOURCE_ERROR",
  message: "The data source failed to run the statement.",
  metadata: { hint: "Access rules are active, so what the source says about it is not shown." },
};

describe.each(Object.entries(FAILURES))("%s", (_, failures) => {
  test.each(failures.map((failure) => ({ failure, code: failure.engineCode ?? failure.reason })))(
    "$code",
    ({ failure }) => {
      expect(failure.message).toContain("CANARY");
      expect(shown(failure)).toEqual(ONE);
      const received = failureFromJson(JSON.parse(JSON.stringify(failureToJson(failure))));
      expect(received?.message).toContain("CANARY");
      expect(shown(received as ConnectorFailure)).toEqual(ONE);
    },
  );
});

test("an error behind the first rows is the same sentence", async () => {
  const made = testServices({ script: { batches: [[[1]]], lateError: mssql(8134, 16) } });
  const plan = made.planner.plan.bind(made.planner);
  made.planner.plan = (request) => {
    const outcome = plan(request);
    return outcome.ok ? { ok: true, value: planOf(request, { restricted: true, rowRules: "besteffort" }) } : outcome;
  };
  const request = { source: "mssql", sql: SQL, manifestStr: "bTE=", connectionInfo: {} } as const;
  const answer = await query(made, testContext(), request);
  const read = async (): Promise<void> => {
    for await (const batch of answer.rows.batches) expect(batch).toHaveLength(1);
  };
  const error: unknown = await read().catch((each: unknown) => each);
  expect(error).toMatchObject({ reason: ONE.reason, message: ONE.message });
});
