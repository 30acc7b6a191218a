/** Connections of the operator's, by name: every operation takes one, and nothing of what is in it comes out. */
import { describe, expect, it } from "vitest";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Authenticator } from "../../src/guard/authentication.ts";
import type { UsableConnections } from "../../src/guard/caller.ts";
import type { DataSource } from "../../src/planner/plan.ts";
import { type Script, testServices } from "../service/in-memory.ts";
import { errorOf, type TestApp, testApp } from "./test-app.ts";

const PASSWORD = "s3cret of the operator";
const HOST = "warehouse-7.internal.example";
const USER = "svc_reporting";

function withNames(script: Script = {}, usable: UsableConnections = "all", ownConnections = true): TestApp {
  const { sources } = testServices({ script });
  const hidden = { raw: { host: HOST, user: USER, password: PASSWORD }, whereAndWho: [HOST, USER] };
  const named = (source: DataSource) => ({ source, prepared: sources.prepare(source, {}), hidden });
  const connections = new Map([
    ["shop", named("postgres")],
    ["shop-archive", named("postgres")],
    ["files", named("local_file")],
  ]);
  const bound = new Set<string>();
  const caller = { id: "alice", claims: new Map(), bound, connections: usable, ownConnections, limits: {} };
  const authenticator: Authenticator = { scheme: "keys", authenticate: async () => ({ ok: true, caller }) };
  return testApp({ connections, api: { authenticator } });
}

const BODY = { sql: "SELECT a FROM m", manifestStr: "bTE=" };

/** Names of a validation; of a query, `parameters` are the values of `$1` and so on. */
const bodyFor = (path: string): object =>
  path.includes("/validate/") ? { ...BODY, parameters: { modelName: "m", columnName: "c" } } : BODY;

const OPERATIONS = [
  "/v3/connector/postgres/query",
  "/v2/connector/postgres/query?dryRun=true",
  "/v2/connector/postgres/validate/column_is_valid",
  "/v3/connector/postgres/metadata/tables",
  "/v3/connector/postgres/metadata/constraints",
  "/v3/connector/postgres/metadata/schemas",
  "/v3/connector/postgres/metadata/version",
  "/v2/connector/postgres/metadata/tables",
];

describe.each(OPERATIONS)("%s", (path) => {
  it.each<readonly [string, object]>([
    ["connectionInfo", { connectionInfo: { name: "shop" } }],
    // `/v2` knows no file for metadata.
    ...(path.includes("/v2/connector/postgres/metadata")
      ? []
      : [["connectionFilePath", { connectionFilePath: "shop" }] as const]),
  ])("takes a name by %s", async (_, fields) => {
    const app = withNames();
    expect((await app.post(path, { ...bodyFor(path), ...fields })).ok).toBe(true);
    // The caller's own would have been read here.
    expect(app.services.sources.events).toEqual([]);
  });

  it("refuses a connection of their own to callers that may use names only, whatever it looks like", async () => {
    for (const connectionInfo of [{ host: HOST }, {}, { name: "shop", host: "own.test" }, { name: 1 }]) {
      const app = withNames({}, "all", false);
      const response = await app.post(path, { ...bodyFor(path), connectionInfo });
      expect(response.status).toBe(403);
      expect(await errorOf(response)).toMatchObject({
        errorCode: "GENERIC_USER_ERROR",
        metadata: { reason: "CONNECTION_NOT_ALLOWED", hint: expect.stringContaining("name") },
      });
      expect(app.services.sources.events).toEqual([]);
      expect(app.services.sources.connectionInfo).toBeUndefined();
    }
  });

  it("shows nothing of the connection when the driver quotes it", async () => {
    const leak = `login of ${USER} at ${HOST} with ${PASSWORD} failed: postgres://${USER}:${encodeURIComponent(PASSWORD)}@${HOST}`;
    const error = new ConnectorFailure("AUTHENTICATION", leak, { hint: leak });
    for (const connection of [
      { connectionInfo: { name: "shop" } },
      { connectionInfo: {}, connectionFilePath: "shop" },
    ]) {
      if (path.includes("/v2/connector/postgres/metadata") && "connectionFilePath" in connection) continue;
      const app = withNames({ openError: error });
      const response = await app.post(path, { ...bodyFor(path), ...connection });
      const text = await response.text();
      await app.settled();
      expect(response.status).toBe(422);
      expect(text).toContain("***");
      for (const value of [PASSWORD, encodeURIComponent(PASSWORD), HOST, USER]) {
        expect(text).not.toContain(value);
        expect(JSON.stringify(app.logged)).not.toContain(value);
      }
    }
  });
});

describe("a name", () => {
  const ask = async (connection: object, usable: UsableConnections = "all") => {
    const app = withNames({}, usable);
    const response = await app.post("/v3/connector/postgres/query", { ...BODY, ...connection });
    return { status: response.status, ...(await errorOf(response)) };
  };

  it.each<[string, string, UsableConnections, readonly string[]]>([
    ["that is not there", "nothing", "all", []],
    ["that is near to others", "shopp", "all", ["shop"]],
    ["that the caller may not use", "shop", new Set(["files"]), []],
    ["near to one that the caller may not use", "shopp", new Set(["shop-archive"]), []],
    ["of a member of every object", "constructor", "all", []],
    ["of nothing", "", "all", []],
  ])("%s is not found, with near names of the caller's only", async (_, name, usable, suggestions) => {
    for (const connection of [{ connectionInfo: { name } }, { connectionFilePath: name }]) {
      expect(await ask(connection, usable)).toMatchObject({
        status: 422,
        errorCode: "INVALID_CONNECTION_INFO",
        metadata: { reason: "CONNECTION_NOT_FOUND", hint: expect.any(String) },
      });
      const { metadata } = await ask(connection, usable);
      expect(metadata?.suggestions ?? []).toEqual(suggestions);
    }
  });

  it("says nothing of whether it exists to who may not use it", async () => {
    const strip = ({ timestamp: _, correlationId: __, ...rest }: Record<string, unknown>) => rest;
    const none = new Set<string>();
    const existing = await ask({ connectionInfo: { name: "shop" } }, none);
    expect(strip({ ...existing })).toEqual(strip({ ...(await ask({ connectionInfo: { name: "nope" } }, none)) }));
  });

  it("is not repeated: it may be a password in the wrong place", async () => {
    const answer = await ask({ connectionFilePath: PASSWORD });
    expect(JSON.stringify(answer)).not.toContain(PASSWORD);
  });

  it("of another kind of source is refused", async () => {
    expect(await ask({ connectionInfo: { name: "files" } })).toMatchObject({
      status: 422,
      errorCode: "INVALID_CONNECTION_INFO",
      metadata: { reason: "CONNECTION_OF_ANOTHER_SOURCE" },
      message: expect.stringContaining("local_file"),
    });
  });

  it("stands alone: beside other members it is one that no connection has", async () => {
    const app = withNames();
    await app.post("/v3/connector/postgres/query", { ...BODY, connectionInfo: { name: "shop", host: "own.test" } });
    expect(app.services.sources.connectionInfo).toEqual({ name: "shop", host: "own.test" });
  });

  it("by connectionFilePath wins over connectionInfo", async () => {
    const app = withNames();
    const fields = { connectionInfo: { host: "own.test" }, connectionFilePath: "shop" };
    expect((await app.post("/v3/connector/postgres/query", { ...BODY, ...fields })).status).toBe(200);
    expect(app.services.sources.events).toEqual([]);
  });
});

it("callers may bring connections of their own beside", async () => {
  const app = withNames({}, new Set());
  const connectionInfo = { host: "own.test" };
  expect((await app.post("/v3/connector/postgres/query", { ...BODY, connectionInfo })).status).toBe(200);
  expect(app.services.sources.connectionInfo).toEqual(connectionInfo);
});
