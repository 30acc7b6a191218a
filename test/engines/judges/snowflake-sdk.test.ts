/** Snowflake's own driver for Node.js speaks to our fake of the protocol of sessions: a judge of the fake, not a driver of ours. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STATEMENTS } from "../../connectors/snowflake/rest.ts";
import { type FakeSessions, PASSWORD, startFakeSessions } from "../../connectors/snowflake/sessions.ts";
import { hasJudges, judge } from "../../judges/judge.ts";

type Done<Value> = (error: Error | undefined, first: unknown, value: Value) => void;

interface SnowflakeSdk {
  configure(options: object): void;
  createConnection(options: object): Connection;
}
interface Connection {
  connect(done: Done<void>): void;
  execute(statement: { readonly sqlText: string; readonly complete: Done<readonly object[]> }): void;
  destroy(done: Done<void>): void;
}

const settled = <Value>(start: (done: Done<Value>) => void): Promise<Value> =>
  new Promise((resolve, reject) => start((error, _first, value) => (error ? reject(error) : resolve(value))));

describe.skipIf(!hasJudges)("snowflake-sdk", () => {
  let fake: FakeSessions;
  let connection: Connection;

  const connectionWith = (password: string): Connection => {
    const sdk = judge<SnowflakeSdk>("snowflake-sdk");
    sdk.configure({ logLevel: "OFF", additionalLogToConsole: false });
    const user = { account: "ab12345", username: "reader", password, database: "D" };
    return sdk.createConnection({ ...user, accessUrl: fake.url, sfRetryMaxLoginRetries: 1 });
  };
  const rowsOf = (sqlText: string) =>
    settled<readonly object[]>((complete) => connection.execute({ sqlText, complete }));

  beforeAll(async () => {
    fake = await startFakeSessions({ hasStorage: true });
    connection = connectionWith(PASSWORD);
    await settled<void>((done) => connection.connect(done));
  });
  afterAll(() => fake.close());

  it("reads rows, NULL and no rows", async () => {
    expect(await rowsOf(STATEMENTS.numbers(3))).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(await rowsOf(STATEMENTS.nulls)).toEqual([{ A: 1, B: "x", C: null, D: null }]);
    expect(await rowsOf(STATEMENTS.numbers(0))).toEqual([]);
  });

  it("fetches chunks from the storage with the key of the answer", async () => {
    const rows = await rowsOf(STATEMENTS.numbers(2500));
    expect([rows.length, rows.at(-1)]).toEqual([2500, { n: 2500 }]);
    expect(fake.asked.filter((line) => line.startsWith("GET /stored/"))).toHaveLength(2);
  });

  it.each([
    ["a syntax error", STATEMENTS.syntaxError, "001003", /unexpected 'FROM'/],
    ["an error while it runs", STATEMENTS.failsWhenRun, "100051", /^Division by zero$/],
  ])("reports %s", async (_name, sql, code, message) => {
    await expect(rowsOf(sql)).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it("is refused with a wrong password", async () => {
    const other = connectionWith("wrong");
    await expect(settled<void>((done) => other.connect(done))).rejects.toThrow("Incorrect username or password");
  });

  it("closes its session", async () => {
    expect(fake.open.size).toBe(1);
    await settled<void>((done) => connection.destroy(done));
    expect(fake.open.size).toBe(0);
  });
});
