/** Statements over rows with rules run on servers alone that are known to keep them. */
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { keepsFences } from "../../../src/connectors/clickhouse/fences.ts";
import { type ClickHouseTestDatabase, startClickHouse } from "../../support/clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "../../support/clickhouse-server.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { openOn } from "./fixture.ts";
import { bytes, fake, HEADERS, header, ok, refused } from "./server.ts";

test.each<[answer: string, keeps: boolean]>([
  ["26.7.2.1\t0\n", true],
  ["26.12.1.1\t0\n", true],
  ["27.1.1.1\t0\n", true],
  ["26.6.9.9\t0\n", false],
  ["25.12.1.1\t0\n", false],
  ["26.7.2.1\t1\n", false],
  ["26.7.2.10001.altinitystable\t0\n", false],
  ["26.7\t0\n", false],
  ["26.7.2.1", false],
  ["", false],
])("what a server says of itself, %j: %j", (answer, keeps) => expect(keepsFences(answer)).toBe(keeps));

describe("a statement with fences", () => {
  const statement = { ...plain("SELECT 1"), fenced: true as const };
  const row = () => ok([header("UInt8"), bytes([7])], HEADERS);

  it("is sent to ClickHouse, which is asked what it is; others ask nothing", async () => {
    const { sent, open } = fake(new Response("26.7.2.1\t0\n"), row());
    expect(await drain(await (await open()).query(statement, patient()))).toEqual([[7]]);
    expect(sent.map(({ body }) => body)).toEqual([expect.stringContaining("version()"), "SELECT 1"]);
    const other = fake(row());
    await drain(await (await other.open()).query(plain("SELECT 1"), patient()));
    expect(other.sent.map(({ body }) => body)).toEqual(["SELECT 1"]);
  });

  it.each(["25.8.1.1\t0\n", "26.7.2.1\t1\n", "<html>"])("is not sent to another: %j", async (answer) => {
    for (const run of ["query", "dryRun"] as const) {
      const { sent, open } = fake(new Response(answer));
      expect(await failureOf((await open())[run](statement, patient()))).toMatchObject({ reason: "UNPROVEN_FENCE" });
      expect(sent.filter(({ body }) => !body.startsWith("KILL")).map(({ body }) => body)).not.toContain("SELECT 1");
    }
  });

  it("fails as the server says where that is not answered", async () => {
    const { open } = fake(refused(403, "516", "default: Authentication failed. (AUTHENTICATION_FAILED)"));
    const failure = await failureOf((await open()).query(statement, patient()));
    expect(failure).toMatchObject({ reason: "AUTHENTICATION" });
  });

  describe.skipIf(!hasClickHouse())(hasClickHouse() ? "on ClickHouse's engine" : WITHOUT_CLICKHOUSE, () => {
    let database: ClickHouseTestDatabase;
    beforeAll(async () => {
      database = await startClickHouse();
    });
    afterAll(() => database?.stop());

    it.each(["default", "restricted"])("runs, also for a user of little rights: %s", async (user) => {
      const connector = await openOn(database, { user });
      expect(await drain(await connector.query(statement, patient()))).toEqual([[1]]);
      await connector.close();
    });
  });
});
