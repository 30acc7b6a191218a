/** Sessions on a front before MySQL, which is NOT Doris. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasMySql, withoutMySql } from "../../support/mysql-server.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { type DorisFixture, openFromNode, startDorisFixture } from "./fixture.ts";
import { startFront } from "./front.ts";

describe.skipIf(!hasMySql("mysql"))(hasMySql("mysql") ? "a session" : withoutMySql("mysql"), () => {
  let fixture: DorisFixture;
  beforeAll(async () => {
    fixture = await startDorisFixture();
  });
  afterAll(() => fixture?.close());

  it("sets what statements mean, and the time in whole seconds, and nothing that a plan says of that", async () => {
    const connector = await openFromNode(fixture.fields);
    const session = [
      { name: "enable_strict_cast", value: "1" },
      { name: "query_timeout", value: "9999" },
    ];
    await drain(await connector.query({ ...plain("SELECT 1"), session }, { ...patient(), timeoutMs: 1500 }));
    await connector.close();
    const set = fixture.front.asked.findLast((text) => text.startsWith("SET ")) ?? "";
    expect(set).toContain("@@SESSION.enable_strict_cast = 1, @@SESSION.query_timeout = 2");
    expect(set).toContain("@@SESSION.time_zone = '+00:00', @@SESSION.sql_mode = 'ONLY_FULL_GROUP_BY'");
  });

  it("refuses a setting that the server does not have", async () => {
    const connector = await openFromNode(fixture.fields);
    const session = [{ name: "made_up", value: "1" }];
    const failure = await failureOf(connector.query({ ...plain("SELECT 1"), session }, patient()));
    expect(failure.message).toContain("Unknown system variable");
    await connector.close();
  });

  it("runs nothing that has no rows", async () => {
    const connector = await openFromNode(fixture.fields);
    const failure = await failureOf(connector.query(plain("DO 1"), patient()));
    expect(failure).toMatchObject({ reason: "SOURCE_INVALID_SQL" });
    expect(await drain(await connector.query(plain("SELECT 1"), patient()))).toEqual([[1n]]);
    await connector.close();
  });

  it("lends no row to a model with rules, which no fence holds there", async () => {
    const connector = await openFromNode(fixture.fields);
    const failure = await failureOf(connector.query({ ...plain("SELECT 1"), fenced: true }, patient()));
    expect(failure.reason).toBe("UNPROVEN_FENCE");
    await connector.close();
  });

  it.each([
    ["Doris version doris-3.0.6-rc01-abc", "Doris 3 is not supported."],
    ["MySQL Community Server - GPL", "The server does not say that it is Apache Doris."],
    ["StarRocks version 3.3.0", "The server does not say that it is Apache Doris."],
  ])("on a server that is %s is refused", async (versionComment, message) => {
    const front = await startFront(fixture.behind.database, { versionComment });
    const connector = await openFromNode({ ...fixture.fields, port: front.port });
    expect((await failureOf(connector.query(plain("SELECT 1"), patient()))).message).toBe(message);
    await connector.close();
    await front.close();
  });

  it("on a server that does not take a setting is refused", async () => {
    const front = await startFront(fixture.behind.database, { forgets: "sql_mode" });
    const connector = await openFromNode({ ...fixture.fields, port: front.port });
    expect((await failureOf(connector.query(plain("SELECT 1"), patient()))).message).toContain(
      "does not take sql_mode",
    );
    await connector.close();
    await front.close();
  });
});
