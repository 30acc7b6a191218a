/** Connectors in a Worker of their own: both ends of the binding, and what the far one refuses. In workerd: test/e2e. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FarEndOptions, serveBinding } from "../../../src/connectors/bound-worker/far-end.ts";
import {
  BOUND_ADDRESS,
  boundWorker,
  CONNECT_TIMEOUT_HEADER,
  CONNECTORS,
  FILES,
} from "../../../src/connectors/bound-worker/near-end.ts";
import { parsePostgresConnection } from "../../../src/connectors/connection/postgres.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { PROTOCOL_VERSION, VERSION_HEADER } from "../../../src/connectors/remote/protocol.ts";
import { remoteState } from "../../../src/connectors/remote/readiness.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";
import { describeConnector, drain, failureOf, patient, plain } from "../contract.ts";
import { NODE_HOST, never, startPostgresFixture } from "../postgres/fixture.ts";
import { pairOver } from "./pair.ts";

const open: FarEndOptions["open"] = (info, { signal, connectTimeoutMs }) =>
  openHere(info, { ...NODE_HOST, connectTimeoutMs }, { signal });
const OPENING = { signal: never(), correlationId: "the caller's" };

describeConnector("PostgreSQL behind a service binding", () =>
  startPostgresFixture(({ host, port, user, password, database }) => {
    const { info } = parsePostgresConnection({ host, port, user, password, database, kwargs: { sslmode: "disable" } });
    return pairOver(NODE_HOST).open(info, OPENING);
  }),
);

describe("over a real PostgreSQL", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await startPostgres();
  });
  afterAll(() => database?.stop());

  const info = () => {
    const { host, port, user, password, database: name } = database;
    return parsePostgresConnection({ host, port, user, password, database: name, kwargs: { sslmode: "disable" } }).info;
  };

  it("a call leaves one line, which says in whose trace it was and no word of the statement", async () => {
    const pair = pairOver(NODE_HOST);
    const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
    const connector = await pair.open(info(), { ...OPENING, traceHeaders: { traceparent } });
    expect(await drain(await connector.query(plain("SELECT 'a secret value'"), patient()))).toHaveLength(1);
    await connector.close();
    await pair.idle();
    expect(pair.lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        event: "call",
        outcome: "complete",
        rows: 1,
        correlationId: "the caller's",
        traceId: "a".repeat(32),
        parentId: "b".repeat(16),
        phases: { connect: expect.any(Number), firstRow: expect.any(Number), lastRow: expect.any(Number) },
      }),
    ]);
    expect(pair.lines.join()).not.toContain("a secret value");
    expect(pair.lines.join()).not.toContain(database.password);
  });

  it("a Hyperdrive is the far end's own, and the near one sends its name alone", async () => {
    const { host, port, user, password, database: name } = database;
    const bindings = { SHOP_DB: { connectionString: "", host, port, user, password, database: name } };
    const sent: string[] = [];
    const bound = boundWorker({
      peer: CONNECTORS,
      connectTimeoutMs: 5000,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        sent.push(await request.clone().text());
        return serveBinding(request, { open, bindings, log: () => {}, defer: () => {} });
      },
    });
    const connector = await bound(info(), OPENING, { hyperdrive: "SHOP_DB" });
    expect(await drain(await connector.query(plain("SELECT 7"), patient()))).toEqual([[7]]);
    expect(sent.join()).not.toContain(JSON.stringify(password).slice(1, -1));
    const other = await bound(info(), OPENING, { hyperdrive: "constructor" });
    expect(await failureOf(other.query(plain("SELECT 7"), patient()))).toMatchObject({ reason: "INVALID_CONNECTION" });
  });
});

describe("the near end", () => {
  const NOWHERE = parsePostgresConnection({ connectionUrl: "postgres://u@db.example.com/d" }).info;

  it.each<[string, typeof fetch | undefined, string, RegExp]>([
    ["without a binding", undefined, "CONNECTORS_UNREACHABLE", /no service binding CONNECTORS/],
    ["of a Worker that fails", () => Promise.reject(new Error("gone")), "CONNECTORS_UNREACHABLE", /gone/],
    ["of a Worker that breaks", async () => new Response("", { status: 500 }), "CONNECTORS_UNREACHABLE", /500/],
    ["of another Worker", async () => new Response("hello"), "UPSTREAM_PROTOCOL", /another program/],
  ])("%s says so", async (_, fetch, reason, message) => {
    const connector = await boundWorker({ peer: CONNECTORS, fetch, connectTimeoutMs: 5000 })(NOWHERE, OPENING);
    const failure = await failureOf(connector.query(plain("SELECT 1"), patient()));
    expect(failure).toMatchObject({
      reason,
      message: expect.stringMatching(message),
      hint: expect.stringContaining("npm run deploy"),
    });
  });
});

it("a Worker of files that is not bound is named by its own binding", async () => {
  const { info } = parsePostgresConnection({ connectionUrl: "postgres://u@db.example.com/d" });
  const connector = await boundWorker({ peer: FILES, fetch: undefined, connectTimeoutMs: 5000 })(info, OPENING);
  const failure = await failureOf(connector.query(plain("SELECT 1"), patient()));
  expect(failure).toMatchObject({ message: expect.stringMatching(/no service binding FILES/) });
});

describe("the far end", () => {
  const OPTIONS: FarEndOptions = { open, bindings: {}, log: () => {}, defer: () => {} };
  const HEADERS = { [VERSION_HEADER]: PROTOCOL_VERSION, [CONNECT_TIMEOUT_HEADER]: "1000" };
  const BODY = {
    source: "postgres",
    connection: {},
    correlationId: "c",
    timeoutMs: 1000,
    statement: { sql: "SELECT 1", columns: [], session: [], reads: [] },
  };

  it("says of which release it is", async () => {
    const ready = (path: string) => serveBinding(new Request(BOUND_ADDRESS + path), OPTIONS);
    expect(await remoteState(BOUND_ADDRESS, async () => ready("/ready"), 1000)).toBe("ok");
    expect(await remoteState(BOUND_ADDRESS, async () => ready("/other"), 1000)).toBe("unreachable");
  });

  it.each<[string, string, Record<string, string>, unknown]>([
    ["another path", "/v1/other", HEADERS, BODY],
    ["another release", "/v1/query", { ...HEADERS, [VERSION_HEADER]: "0" }, BODY],
    ["no time", "/v1/query", { [VERSION_HEADER]: PROTOCOL_VERSION }, BODY],
    ["no operation", "/v1/query", HEADERS, { ...BODY, statement: 1 }],
  ])("refuses %s", async (_, path, headers, body) => {
    const request = new Request(BOUND_ADDRESS + path, { method: "POST", headers, body: JSON.stringify(body) });
    const response = await serveBinding(request, OPTIONS);
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ reason: "UPSTREAM_PROTOCOL", hint: expect.stringContaining("npm run deploy") }),
    ]);
  });
});
