/** PlanetScale's SQL over HTTP, against a FAKE of it over a real MySQL (`support/planetscale.ts`). */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseMySqlConnection } from "../../../src/connectors/connection/mysql.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { hasMySql, withoutMySql } from "../../support/mysql-server.ts";
import { type FakePlanetScale, startFakePlanetScale } from "../../support/planetscale.ts";
import { describeConnector, drain, failureOf, patient, plain } from "../contract.ts";
import { type MySqlFixture, NODE_HOST, startMySqlFixture } from "./fixture.ts";

const HOST = "aws.connect.psdb.cloud";

describe.skipIf(!hasMySql("mysql"))(hasMySql("mysql") ? "PlanetScale (a fake)" : withoutMySql("mysql"), () => {
  let fixture: MySqlFixture;
  let fake: FakePlanetScale;
  const open = (change: object = {}): Promise<Connector> => {
    const { user, password, database } = fixture.database;
    const raw = { host: HOST, port: 3306, user, password, database, ...change };
    const host = { ...NODE_HOST, fetch: fake.fetch };
    return openHere(parseMySqlConnection(raw).info, host, { signal: new AbortController().signal });
  };

  beforeAll(async () => {
    fixture = await startMySqlFixture("mysql");
    fake = await startFakePlanetScale(fixture.database);
  });
  afterAll(async () => {
    await fake?.close();
    await fixture?.close();
  });

  describeConnector("over HTTP", async () => {
    const own = await startMySqlFixture("mysql");
    const ownFake = await startFakePlanetScale(own.database);
    const { user, password, database } = own.database;
    const info = parseMySqlConnection({ host: HOST, port: 3306, user, password, database }).info;
    const host = { ...NODE_HOST, fetch: ownFake.fetch };
    // Over HTTP nothing can be prepared: what writes is for the planner to refuse.
    const { writes: _, ...statements } = own.statements;
    const { running: __, ...rest } = own;
    return {
      ...rest,
      statements,
      open: () => openHere(info, host, { signal: new AbortController().signal }),
      close: async () => {
        await ownFake.close();
        await own.close();
      },
    };
  });

  it("sends what is asked to the one host, under TLS, in one session", async () => {
    const connector = await open();
    const before = fake.requests.length;
    await drain(await connector.query(plain("SELECT 1"), patient()));
    const asked = fake.requests.slice(before).map(({ url, query }) => `${url} ${query.slice(0, 8)}`);
    expect(asked).toEqual(
      ["SET @@SE", "SELECT C", "SELECT 1"].map((text) => `/psdb.v1alpha1.Database/Execute ${text}`),
    );
  });

  it.each<[string, unknown, unknown]>([
    ["18446744073709551615", "uint64", 18_446_744_073_709_551_615n],
    ["-9223372036854775808", "int64", -9_223_372_036_854_775_808n],
    ["CAST('-0.50' AS DECIMAL(5, 2))", "decimal", "-0.50"],
    ["0.1e0", "float64", 0.1],
    ["'ä𝒳'", "string", "ä𝒳"],
    ["x'00ff'", "binary", Uint8Array.of(0, 255)],
    ["DATE '2024-02-29'", "date", 19_782],
    ["TIME '-01:00:00.000001'", "time", -3_600_000_001_000],
    ["TIMESTAMP '2024-07-01 12:00:00.123456'", "timestamp", 1_719_835_200_123_456n],
    ["CAST('[1]' AS JSON)", "json", "[1]"],
    ["NULL", "string", null],
  ])("%s", async (sql, kind, value) => {
    const connector = await open();
    const result = await connector.query(plain(`SELECT ${sql} AS v`), patient());
    expect([result.columns[0]?.type.kind, await drain(result)]).toEqual([kind, [[value]]]);
  });

  it.each([
    ["SELECT CAST(1 AS FLOAT) AS v", "Cast the column: CAST(column AS DOUBLE)."],
    ["SELECT ST_GeomFromText('POINT(1 2)') AS v", "Select its text: ST_AsText(column)."],
  ])("%s is refused with what to do", async (sql, hint) => {
    const failure = await failureOf((await open()).query(plain(sql), patient()));
    expect([failure.reason, failure.hint]).toEqual(["SOURCE_ERROR", hint]);
  });

  it.each([
    "INSERT INTO effect VALUES (now())",
    "SET @a = 1",
    "/* SELECT */ DELETE FROM effect",
    "/*!50000 DELETE */ FROM t",
  ])("%s is not sent", async (sql) => {
    const before = fake.requests.length;
    expect((await failureOf((await open()).query(plain(sql), patient()))).reason).toBe("SOURCE_INVALID_SQL");
    expect(fake.requests.length).toBe(before);
  });

  it.each(["query", "dryRun"] as const)("fences that are not known to hold are not sent: %s", async (operation) => {
    const before = fake.requests.length;
    const connector = await open();
    const failure = await failureOf(connector[operation]({ ...plain("SELECT 1"), fenced: true }, patient()));
    expect([failure.reason, fake.requests.length]).toEqual(["UNPROVEN_FENCE", before]);
  });

  it("what was planned for MySQL alone is not sent", async () => {
    const before = fake.requests.length;
    const statement = { ...plain("SELECT 1"), variant: { product: "mysql", from: [8] } };
    const failure = await failureOf((await open()).query(statement, patient()));
    expect([failure.reason, fake.requests.length]).toEqual(["ANOTHER_VARIANT", before]);
  });

  it("errors of the server are told in its words, with number and place", async () => {
    const failure = await failureOf((await open()).query(plain("SELECT nope FROM digits"), patient()));
    expect(failure).toMatchObject({
      reason: "SOURCE_INVALID_SQL",
      engineCode: "1054",
      position: 7,
      message: "Unknown column 'nope' in 'field list'",
    });
  });

  it.each<[string, (response: import("node:http").ServerResponse) => void, string]>([
    [
      "a wrong password",
      (response) => response.writeHead(401).end('{"error":{"code":"UNAUTHENTICATED"}}'),
      "AUTHENTICATION",
    ],
    ["too many requests", (response) => response.writeHead(429).end(), "OVERLOADED"],
    ["something else", (response) => response.end("<html>"), "UPSTREAM_PROTOCOL"],
    [
      "elsewhere",
      (response) => response.writeHead(302, { location: "https://evil.example" }).end(),
      "UPSTREAM_PROTOCOL",
    ],
    ["a fault", (response) => response.writeHead(500).end("no"), "UPSTREAM_PROTOCOL"],
  ])("%s", async (_name, instead, reason) => {
    fake.answerNext(instead);
    const failure = await failureOf((await open()).query(plain("SELECT 1"), patient()));
    expect(failure.reason).toBe(reason);
  });

  it("a setting that is not taken fails the statement", async () => {
    fake.answerNext((response) => response.end(JSON.stringify({ session: null, result: {} })));
    const session = [{ name: "div_precision_increment", value: "11" }];
    const failure = await failureOf((await open()).query({ ...plain("SELECT 1"), session }, patient()));
    expect(failure.message).toContain("does not take");
  });
});
