/** Neon over HTTP, against the fake of `test/support/neon.ts`: the SQL is real PostgreSQL's, the transport is not Neon's. */
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parsePostgresConnection } from "../../../src/connectors/connection/postgres.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { type FakeNeon, startFakeNeon } from "../../support/neon.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";
import { describeConnector, drain, failureOf, patient, plain } from "../contract.ts";
import { never, startPostgresFixture } from "./fixture.ts";

const HOST = "ep-cool-darkness-123456-pooler.eu-central-1.aws.neon.tech";

function openNeon(fake: FakeNeon, database: TestDatabase, change: object = {}): Promise<Connector> {
  const { user, password } = database;
  const { info } = parsePostgresConnection({
    host: HOST,
    port: 5432,
    database: database.database,
    user,
    password,
    ...change,
  });
  const dial = () => Promise.reject(new Error("dialled"));
  return openHere(info, { dial, fetch: fake.fetch, connectTimeoutMs: 5000 }, { signal: never() });
}

describeConnector("Neon over HTTP (fake)", async () => {
  let fake: FakeNeon | undefined;
  const fixture = await startPostgresFixture(async (database) => {
    fake ??= await startFakeNeon(database);
    return openNeon(fake, database);
  });
  return {
    ...fixture,
    close: async () => {
      await fake?.close();
      await fixture.close();
    },
  };
});

describe("Neon over HTTP (fake)", () => {
  let database: TestDatabase;
  let fake: FakeNeon;
  beforeAll(async () => {
    database = await startPostgres();
    fake = await startFakeNeon(database);
  });
  afterAll(async () => {
    await fake?.close();
    await database?.stop();
  });

  it("reads the same values in the same session as over a socket", async () => {
    const connector = await openNeon(fake, database);
    const sql = `SELECT 9007199254740993, 1.10::numeric(5, 2), timestamptz '2024-07-01 12:00', ARRAY[1, NULL], interval '1 month',
      current_setting('application_name') || current_setting('TimeZone'), current_setting('transaction_read_only'), current_setting('app.x')`;
    const result = await connector.query({ ...plain(sql), session: [{ name: "app.x", value: "y" }] }, patient());
    expect(result.columns.map(({ type }) => type.kind)).toEqual([
      "int64",
      "decimal",
      "timestamp",
      "list",
      "interval",
      "string",
      "string",
      "string",
    ]);
    expect(await drain(result)).toEqual([
      [
        9007199254740993n,
        "1.10",
        1719835200000000n,
        [1, null],
        { months: 1, days: 0, microseconds: 0n },
        "siskinUTC",
        "on",
        "y",
      ],
    ]);
  });

  it("asks Neon's own address, read-only, with credentials that survive their characters", async () => {
    const connector = await openNeon(fake, database);
    await drain(await connector.query(plain("SELECT 1"), patient()));
    const request = fake.requests.at(-1);
    expect(request?.url).toBe("/sql");
    expect(request?.headers["neon-batch-read-only"]).toBe("true");
    const sent = new URL(String(request?.headers["neon-connection-string"]));
    expect([sent.hostname, decodeURIComponent(sent.password)]).toEqual([HOST, database.password]);
    expect(request?.body).not.toContain(database.password);
  });

  it("keeps calls at the same time apart", async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        const connector = await openNeon(fake, database);
        return drain(await connector.query(plain(`SELECT ${i}, pg_sleep(0.02)::text`), patient()));
      }),
    );
    expect(answers.map((rows) => rows[0]?.[0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("does not send one call over another's fetch", async () => {
    const other = await startFakeNeon(database);
    try {
      const [mine, theirs] = await Promise.all([openNeon(fake, database), openNeon(other, database)]);
      const before = [fake.requests.length, other.requests.length];
      await Promise.all(
        [mine, theirs].map(async (connector) => drain(await connector.query(plain("SELECT 1"), patient()))),
      );
      expect([fake.requests.length, other.requests.length]).toEqual(before.map((count) => count + 1));
    } finally {
      await other.close();
    }
  });

  it("reads the catalogue", async () => {
    const connector = await openNeon(fake, database);
    expect(await connector.catalog({ kind: "version" }, patient())).toMatch(/^PostgreSQL 18/);
  });

  it.each<[string, object, string, RegExp]>([
    [
      "a wrong password",
      { password: "wrong-password" },
      "AUTHENTICATION",
      /password authentication failed for user "postgres"/,
    ],
    ["an unknown database", { database: "nowhere" }, "AUTHENTICATION", /database "nowhere" does not exist/],
  ])("%s", async (_, change, reason, message) => {
    const connector = await openNeon(fake, database, change);
    const failure = await failureOf(connector.query(plain("SELECT 1"), patient()));
    expect(failure.reason).toBe(reason);
    expect(failure.message).toMatch(message);
    expect(inspect(failure, { depth: 9 })).not.toContain("wrong-password");
  });

  it.each<[string, number, Record<string, string>, string, string, number | undefined]>([
    [
      "redirects, which could lead anywhere",
      302,
      { location: "https://evil.example/sql" },
      "",
      "UPSTREAM_PROTOCOL",
      undefined,
    ],
    ["asks for a login", 401, {}, "no", "AUTHENTICATION", undefined],
    ["is asked too often", 429, { "retry-after": "7" }, "slow down", "OVERLOADED", 7],
    ["is not there", 503, {}, "later", "OVERLOADED", 5],
    ["breaks", 500, {}, "oops", "UPSTREAM_PROTOCOL", undefined],
    ["answers with a page", 200, {}, "<html>", "UPSTREAM_PROTOCOL", undefined],
    ["answers with another JSON", 200, {}, "{}", "UPSTREAM_PROTOCOL", undefined],
    [
      "refuses without a code",
      400,
      {},
      '{"message":"password authentication failed for user \'x\'"}',
      "AUTHENTICATION",
      undefined,
    ],
    ["refuses for a reason of its own", 400, {}, '{"message":"response is too large"}', "UPSTREAM_PROTOCOL", undefined],
  ])("when it %s", async (_, status, headers, body, reason, retryAfter) => {
    const connector = await openNeon(fake, database);
    const before = fake.requests.length;
    fake.answerNext((response) => response.writeHead(status, headers).end(body));
    const failure = await failureOf(connector.query(plain("SELECT 1"), patient()));
    expect([failure.reason, failure.retryAfter]).toEqual([reason, retryAfter]);
    expect(fake.requests.length).toBe(before + 1);
    expect(inspect(failure, { depth: 9 })).not.toContain(database.password);
  });

  it("takes nothing but texts for values: numbers would have lost digits on the way", async () => {
    const connector = await openNeon(fake, database);
    const field = { name: "a", dataTypeID: 20, dataTypeModifier: -1 };
    const results = [
      { fields: [field], rows: [["1"]] },
      { fields: [field], rows: [[2 ** 53]] },
    ];
    fake.answerNext((response) => response.writeHead(200).end(JSON.stringify({ results })));
    const failure = await failureOf(connector.query(plain("SELECT 1"), patient()).then(drain));
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("an answer that does not fit is refused while it comes", async () => {
    const connector = await openNeon(fake, database);
    let sent = 0;
    fake.answerNext((response) => {
      response.writeHead(200);
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const more = () => {
        if (response.destroyed) return;
        sent += chunk.length;
        response.write(chunk, more);
      };
      more();
    });
    const failure = await failureOf(connector.query(plain("SELECT 1"), patient()));
    expect([failure.reason, failure.message]).toEqual(["SOURCE_ERROR", expect.stringContaining("larger than")]);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it("silence ends with the statement's time, or with the connector", async () => {
    const slow = await openNeon(fake, database);
    fake.answerNext(() => {});
    const options = { signal: new AbortController().signal, timeoutMs: 20 };
    expect((await failureOf(slow.query(plain("SELECT 1"), options))).reason).toBe("STATEMENT_TIMEOUT");
    const closed = await openNeon(fake, database);
    fake.answerNext(() => {});
    const before = fake.requests.length;
    const waiting = failureOf(closed.query(plain("SELECT 1"), patient()));
    await expect.poll(() => fake.requests.length).toBe(before + 1);
    await closed.close();
    expect((await waiting).reason).toBe("CANCELLED");
  });

  it("a connection that breaks is told as such", async () => {
    const broken = await openNeon(fake, database);
    fake.answerNext((response) => response.destroy());
    const failure = await failureOf(broken.query(plain("SELECT 1"), patient()));
    expect([failure.reason, failure.message]).toEqual([
      "HOST_UNREACHABLE",
      expect.stringContaining("eu-central-1.aws.neon.tech"),
    ]);
    const cut = await openNeon(fake, database);
    fake.answerNext((response) => {
      response.writeHead(200, { "content-length": "1000" }).write('{"results":');
      setImmediate(() => response.destroy());
    });
    expect((await failureOf(cut.query(plain("SELECT 1"), patient()))).reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("leaves no prepared statement behind after a dry run", async () => {
    const connector = await openNeon(fake, database);
    await connector.dryRun(plain("SELECT 1"), patient());
    expect(
      JSON.parse(fake.requests.at(-1)?.body ?? "")
        .queries.map((query: { query: string }) => query.query)
        .slice(1),
    ).toEqual(["PREPARE siskin_dry_run AS SELECT 1", "DEALLOCATE siskin_dry_run"]);
  });
});
