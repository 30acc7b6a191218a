import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeDial } from "../../../sidecar/dial.ts";
import { parsePostgresConnection } from "../../../src/connectors/connection/postgres.ts";
import type { Connector } from "../../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import type { ConnectorHost } from "../../../src/connectors/host.ts";
import { openPostgres } from "../../../src/connectors/socket/postgres.ts";
import type { Wire } from "../../../src/connectors/socket/wire.ts";
import { type ConnectorEnvironment, openConnector } from "../../../src/connectors/sources.ts";
import { startPostgres, type TestDatabase } from "../../support/postgres.ts";
import { startTcpProxy, type TcpServer } from "../../support/tcp.ts";
import { pairOver } from "../bound-worker/pair.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { NODE_HOST, never, openFromNode } from "./fixture.ts";

let database: TestDatabase;
let fields: { host: string; port: number; database: string; user: string; password: string };
/** The same server without TLS: it answers `N` to the request for it. */
let withoutTls: TcpServer;

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

beforeAll(async () => {
  database = await startPostgres();
  const { host, port, user, password } = database;
  fields = { host, port, database: database.database, user, password };
  withoutTls = await startTcpProxy(database, {
    fromClient: (chunk) => (chunk.equals(SSL_REQUEST) ? Buffer.from("N") : undefined),
  });
});
afterAll(async () => {
  await withoutTls?.close();
  await database?.stop();
});

async function ask(connector: Connector, sql: string): Promise<unknown> {
  try {
    const [row] = await drain(await connector.query(plain(sql), patient()));
    return row?.[0];
  } finally {
    await connector.close();
  }
}

async function refusal(raw: unknown, host: ConnectorHost = NODE_HOST): Promise<ConnectorFailure> {
  const failure = await failureOf(openFromNode(raw, host));
  for (let error: unknown = failure; error instanceof Error; error = error.cause) {
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(fields.password);
  }
  return failure;
}

describe("who, and where to", () => {
  it.each<[string, () => object, string, RegExp]>([
    [
      "a wrong password",
      () => ({ user: "test", password: "wrong-password" }),
      "AUTHENTICATION",
      /password authentication failed for user "test"/,
    ],
    ["no password", () => ({ password: null }), "AUTHENTICATION", /asks for a password and the connection has none/],
    ["an unknown database", () => ({ database: "nowhere" }), "AUTHENTICATION", /database "nowhere" does not exist/],
    [
      "a port that nobody listens on",
      () => ({ port: 1 }),
      "HOST_UNREACHABLE",
      /Could not connect to 127\.0\.0\.1 port 1: .*ECONNREFUSED/,
    ],
    [
      "a host that does not exist",
      () => ({ host: "nowhere.invalid" }),
      "HOST_UNREACHABLE",
      /Could not connect to nowhere\.invalid port \d+: .*ENOTFOUND/,
    ],
  ])("%s", async (_, change, reason, message) => {
    const failure = await refusal({ ...fields, ...change() });
    expect(failure.reason).toBe(reason);
    expect(failure.message).toMatch(message);
    expect(failure.message).not.toContain("wrong-password");
    expect(failure.hint).toBeDefined();
  });

  it("a password that must be encoded in URLs", async () => {
    expect(await ask(await openFromNode({ connectionUrl: database.url }), "SELECT current_user")).toBe("postgres");
  });

  it("takes nothing from this process's environment", async () => {
    const { PGPASSWORD, PGUSER, PGOPTIONS, PGAPPNAME } = process.env;
    Object.assign(process.env, {
      PGPASSWORD: fields.password,
      PGUSER: "x",
      PGOPTIONS: "-c work_mem=77kB",
      PGAPPNAME: "x",
    });
    try {
      expect((await refusal({ ...fields, password: undefined })).reason).toBe("AUTHENTICATION");
      const shown = "SELECT current_setting('work_mem') || current_setting('application_name')";
      expect(await ask(await openFromNode(fields), shown)).toBe("4MBsiskin");
    } finally {
      for (const [name, value] of Object.entries({ PGPASSWORD, PGUSER, PGOPTIONS, PGAPPNAME })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  it("is given up when the caller goes before there is a connection", async () => {
    const signal = AbortSignal.abort(new Error("gone"));
    const aborted = openPostgres(parsePostgresConnection(fields).info, NODE_HOST, { signal });
    expect((await failureOf(aborted)).reason).toBe("CANCELLED");
  });

  it("closes a connection that comes up after the caller has gone", async () => {
    const controller = new AbortController();
    let closed = false;
    const late: Wire = {
      peer: "late",
      alwaysVerifies: false,
      read: () => new Promise(() => {}),
      write: () => new Promise(() => {}),
      startTls: () => Promise.reject(new Error("encrypted")),
      close: () => {
        closed = true;
      },
    };
    let comesUp = (_wire: Wire): void => {};
    const dial = (): Promise<Wire> =>
      new Promise((resolve) => {
        comesUp = resolve;
      });
    const opening = failureOf(
      openPostgres(parsePostgresConnection(fields).info, { ...NODE_HOST, dial }, { signal: controller.signal }),
    );
    controller.abort(new Error("gone"));
    expect((await opening).reason).toBe("CANCELLED");
    comesUp(late);
    await expect.poll(() => closed).toBe(true);
  });

  it("is refused where the dialler may not go", async () => {
    const denied = await refusal(fields, { ...NODE_HOST, dial: nodeDial(["10.0.0.0/8", ".internal"]) });
    expect([denied.reason, denied.hint]).toEqual(["EGRESS_DENIED", expect.stringContaining("ALLOWED_HOSTS")]);
    const metadata = await refusal({ ...fields, host: "169.254.169.254" }, { ...NODE_HOST, dial: nodeDial(["*"]) });
    expect(metadata.reason).toBe("EGRESS_DENIED");
    const allowed = { ...NODE_HOST, dial: nodeDial(["127.0.0.0/8"]) };
    expect(await ask(await openFromNode(fields, allowed), "SELECT 1")).toBe(1);
    expect(await ask(await openFromNode({ ...fields, host: "localhost" }, allowed), "SELECT 1")).toBe(1);
  });
});

describe("TLS", () => {
  const encrypted = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
  const named = () => ({ ...fields, host: "localhost" });

  it.each<[string, () => object, Record<string, string>, boolean]>([
    ["disable", () => fields, { sslmode: "disable" }, false],
    ["nothing said: encrypted where offered", () => fields, {}, true],
    ["require: encrypted, whatever the certificate", () => fields, { sslmode: "require" }, true],
  ])("%s", async (_, connection, kwargs, expected) => {
    expect(await ask(await openFromNode({ ...connection(), kwargs }), encrypted)).toBe(expected);
  });

  it("verify-full: an authority that is trusted and the right name", async () => {
    const kwargs = { sslmode: "verify-full", sslrootcert: database.ca };
    expect(await ask(await openFromNode({ ...named(), kwargs }), encrypted)).toBe(true);
  });

  it("verify-ca: any name", async () => {
    const kwargs = { sslmode: "verify-ca", sslrootcert: database.ca };
    expect(await ask(await openFromNode({ ...fields, kwargs }), encrypted)).toBe(true);
  });

  it.each<[string, () => object, () => Record<string, string>, RegExp]>([
    ["an authority nobody knows", named, () => ({ sslmode: "verify-full" }), /unable to verify|self.signed|issuer/i],
    [
      "an authority nobody knows, under verify-ca",
      named,
      () => ({ sslmode: "verify-ca" }),
      /unable to verify|self.signed|issuer/i,
    ],
    [
      "a certificate for another name",
      () => fields,
      () => ({ sslmode: "verify-full", sslrootcert: database.ca }),
      /IP: 127\.0\.0\.1 is not in the cert/,
    ],
  ])("refuses %s", async (_, connection, kwargs, message) => {
    const failure = await refusal({ ...connection(), kwargs: kwargs() });
    expect(failure.reason).toBe("TLS_UNTRUSTED");
    expect(failure.message).toMatch(message);
    expect(failure.hint).toContain("sslrootcert");
  });

  describe("of a server that has none", () => {
    const there = () => ({ ...fields, port: withoutTls.port });
    it("nothing said: plain", async () => {
      expect(await ask(await openFromNode(there()), encrypted)).toBe(false);
    });

    it.each(["require", "verify-ca", "verify-full"])("%s: refused", async (sslmode) => {
      const failure = await refusal({ ...there(), kwargs: { sslmode } });
      expect([failure.reason, failure.message]).toEqual(["TLS_UNTRUSTED", "The server does not offer TLS."]);
    });
  });

  it("also around the cancel request", async () => {
    const requests: Buffer[] = [];
    const proxy = await startTcpProxy(database, {
      fromClient: (chunk) => {
        requests.push(Buffer.from(chunk));
        return undefined;
      },
    });
    try {
      const kwargs = { sslmode: "require" };
      const connector = await openFromNode({ ...fields, port: proxy.port, kwargs });
      const controller = new AbortController();
      const observer = await database.connect();
      const running = async () =>
        (
          await observer.query(
            "SELECT count(*)::int AS n FROM pg_stat_activity WHERE query LIKE '%tls_cancel%' AND state = 'active' AND pid <> pg_backend_pid()",
          )
        ).rows[0].n;
      const waiting = failureOf(
        connector.query(plain("SELECT pg_sleep(60) /* tls_cancel */"), patient(controller.signal)).then(drain),
      );
      await expect.poll(running).toBe(1);
      controller.abort();
      expect((await waiting).reason).toBe("CANCELLED");
      await expect.poll(running).toBe(0);
      await connector.close();
      // One connection for itself, and one for each cancel request, which is repeated until the statement has ended
      // (docs/decisions/0034-abort.md#decision).
      expect(proxy.connections()).toBeGreaterThanOrEqual(2);
      // The number of a cancel request, 80877102, must not be readable on the way.
      expect(Buffer.concat(requests).includes(Buffer.from([4, 210, 22, 46]))).toBe(false);
    } finally {
      await proxy.close();
    }
  });
});

describe("openConnector in a Worker's environment", () => {
  const sidecar = async (): Promise<Connector> => {
    throw new ConnectorFailure("SIDECAR_UNREACHABLE", "asked the sidecar");
  };
  const dialNothing: ConnectorHost["dial"] = () => Promise.reject(new Error("dialled"));
  /** Fails as the first statement does. */
  const open = async (
    raw: unknown,
    { dial = dialNothing, ...environment }: Partial<ConnectorEnvironment & ConnectorHost>,
  ) => {
    const connector = await openConnector(
      parsePostgresConnection(raw).info,
      { worker: pairOver({ ...NODE_HOST, dial }).open, allowPrivateHosts: false, ...environment },
      { signal: never(), correlationId: "test" },
    );
    return connector.query(plain("SELECT 1"), patient()).finally(() => connector.close());
  };

  it.each<[string, () => object, object, string]>([
    ["a private host", () => fields, {}, "EGRESS_DENIED"],
    ["a private host with a sidecar", () => fields, { sidecar }, "SIDECAR_UNREACHABLE"],
    [
      "unverified TLS",
      () => ({ ...fields, host: "db.example.com", kwargs: { sslmode: "require" } }),
      {},
      "NEEDS_SIDECAR",
    ],
    [
      "unverified TLS with a sidecar",
      () => ({ ...fields, host: "db.example.com", kwargs: { sslmode: "require" } }),
      { sidecar },
      "SIDECAR_UNREACHABLE",
    ],
    [
      "a metadata service",
      () => ({ ...fields, host: "169.254.169.254" }),
      { sidecar, allowPrivateHosts: true },
      "EGRESS_DENIED",
    ],
  ])("%s is not dialled from there", async (_, connection, environment, reason) => {
    expect((await failureOf(open(connection(), environment))).reason).toBe(reason);
  });

  it("hands over to the sidecar when the certificate is not trusted", async () => {
    const untrusted = { ...fields, host: "localhost", kwargs: { sslmode: "verify-full" } };
    const here = { dial: NODE_HOST.dial, allowPrivateHosts: true };
    expect((await failureOf(open(untrusted, here))).reason).toBe("TLS_UNTRUSTED");
    // A private host goes to the sidecar at once; a public one only after its certificate was refused.
    const dialLocally: ConnectorHost["dial"] = (target, options) =>
      NODE_HOST.dial({ ...target, host: "localhost" }, options);
    const publicHost = { ...untrusted, host: "db.example.com" };
    expect((await failureOf(open(publicHost, { dial: dialLocally }))).reason).toBe("TLS_UNTRUSTED");
    expect((await failureOf(open(publicHost, { dial: dialLocally, sidecar }))).message).toBe("asked the sidecar");
    const wrongPassword = { ...publicHost, password: "wrong", kwargs: { sslmode: "disable" } };
    expect((await failureOf(open(wrongPassword, { dial: dialLocally, sidecar }))).reason).toBe("AUTHENTICATION");
  });
});
