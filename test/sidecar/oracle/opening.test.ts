/** The way into Oracle: addresses, TLS, logins, and servers that are none. Against FAKES (`test/support/tns-server.ts`). */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { nodeDial } from "../../../sidecar/dial.ts";
import { oracleDriver } from "../../../sidecar/oracle/driver.ts";
import { drain, failureOf, patient, plain } from "../../connectors/contract.ts";
import { TEST_CA_PATH } from "../../support/postgres-server.ts";
import { startTcpServer } from "../../support/tcp.ts";
import { accept, PACKETS, packet, redirect, refuse, u8, u16, u32 } from "../../support/tns-messages.ts";
import {
  FAKE_PASSWORD,
  FAKE_SERVICE,
  FAKE_USER,
  type FakeOracle,
  type FakeOracleOptions,
  startFakeOracle,
} from "../../support/tns-server.ts";
import { connectionTo, NODE_HOST, open, STATEMENTS, shop } from "./fixture.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const before = getCACertificates("default");
beforeAll(() => setDefaultCACertificates([...before, readFileSync(TEST_CA_PATH, "utf8")]));
afterAll(() => setDefaultCACertificates(before));

async function fake(options: FakeOracleOptions = {}): Promise<FakeOracle> {
  const server = await startFakeOracle(shop().answer, options);
  opened.push(server);
  return server;
}

/** Opens, asks once, and closes with the test. */
async function asked(raw: object, dial = NODE_HOST.dial): Promise<unknown> {
  const connector = await open(raw, { ...NODE_HOST, dial });
  opened.push(connector);
  return drain(await connector.query(plain(STATEMENTS.numbers(1)), patient()));
}

async function refusal(raw: object, host: object = {}) {
  const failure = await failureOf(open(raw, { ...NODE_HOST, connectTimeoutMs: 700, ...host }));
  expect(JSON.stringify([failure.message, failure.hint])).not.toContain(FAKE_PASSWORD);
  return failure;
}

const tcps = (host: string, port: number, more = ""): { readonly dsn: string } => ({
  dsn: `tcps://${host}:${port}/${FAKE_SERVICE}${more}`,
});

describe("a login", () => {
  it.each([
    ["12c", 12],
    ["11g", 12],
    ["12c", 24],
    ["11g", 24],
  ] as const)("by a verifier of %s, in version %i of the protocol", async (verifier, fieldVersion) => {
    const server = await fake({ verifier, fieldVersion });
    expect(await asked(connectionTo(server))).toEqual([[1]]);
    const [login] = server.logins;
    expect([login?.get("user"), login?.get("SESSION_CLIENT_DRIVER_NAME")]).toEqual([FAKE_USER, "siskin"]);
    // Neither the machine nor the account that this runs under.
    expect(server.connects[0]).toContain("(CID=(PROGRAM=siskin)(HOST=siskin)(USER=siskin))");
    expect([...(login?.values() ?? [])].join()).not.toContain(FAKE_PASSWORD);
  });

  it.each([
    ["a service", {}, `(SERVICE_NAME=${FAKE_SERVICE})`],
    ["a SID", { by: "SID=ORCL" }, "(SID=ORCL)"],
    ["an instance", { by: "SERVICE_NAME=s)(INSTANCE_NAME=i1" }, "(SERVICE_NAME=s)(INSTANCE_NAME=i1)"],
  ])("asks the listener for %s", async (_name, { by }: { by?: string }, said) => {
    const server = await fake();
    const { host, port } = server;
    const dsn = by && { dsn: `(DESCRIPTION=(ADDRESS=(HOST=${host})(PORT=${port}))(CONNECT_DATA=(${by})))` };
    await asked(connectionTo(server, { ...dsn }));
    expect(server.connects[0]).toContain(said);
  });

  it.each<[string, FakeOracleOptions, object, string, string, string]>([
    ["a wrong password", {}, { password: "other" }, "AUTHENTICATION", "ORA-01017", "invalid username/password"],
    ["a user that is unknown", {}, { user: "nobody" }, "AUTHENTICATION", "ORA-01017", "invalid username/password"],
    [
      "an account that is locked",
      { refusal: { number: 28000, message: "ORA-28000: the account is locked" } },
      {},
      "AUTHENTICATION",
      "ORA-28000",
      "the account is locked",
    ],
    [
      "a database that starts",
      { refusal: { number: 1033, message: "ORA-01033: ORACLE initialization or shutdown in progress" } },
      {},
      "OVERLOADED",
      "ORA-01033",
      "initialization or shutdown",
    ],
    ["a service that is unknown", { onConnect: () => refuse(12514) }, {}, "AUTHENTICATION", "NJS-518", FAKE_SERVICE],
    ["a listener that refuses", { onConnect: () => refuse(12528) }, {}, "HOST_UNREACHABLE", "NJS-511", "ORA-12528"],
  ])("%s is refused", async (_name, options, change, reason, code, text) => {
    const failure = await refusal(connectionTo(await fake(options), change));
    expect([failure.reason, failure.engineCode]).toEqual([reason, code]);
    expect(failure.message).toContain(text);
    expect(failure.message).not.toMatch(/CONNECTION_ID|Help:/);
    expect(failure.hint ?? "none for this").not.toBe("");
  });

  it("to a server before 19c is refused", async () => {
    const failure = await refusal(connectionTo(await fake({ release: [18, 3] })));
    expect([failure.reason, failure.message]).toEqual(["SOURCE_ERROR", "Oracle Database before 19c is not supported."]);
  });

  it("heeds nothing of the environment", async () => {
    const server = await fake();
    process.env.ORA_SDTZ = "Asia/Tokyo";
    process.env.ORA_EDITION = "OTHER";
    try {
      await asked(connectionTo(server));
    } finally {
      delete process.env.ORA_SDTZ;
      delete process.env.ORA_EDITION;
    }
    const said = [...(server.logins[0] ?? [])].join();
    expect(said).not.toMatch(/Tokyo|OTHER/);
  });
});

it("a connection that was closed is collected as garbage without a word", async () => {
  const server = await fake();
  for (let left = 3; left > 0; left--) await (await open(connectionTo(server))).close();
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const collected = Promise.withResolvers<void>();
  const registry = new FinalizationRegistry(() => collected.resolve());
  registry.register({}, undefined);
  // An error that the driver throws later could not be caught: it would fail this file.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  await collected.promise;
  await new Promise((resolve) => setImmediate(resolve));
});

describe("TLS", () => {
  it.each<[string, string, string]>([
    ["for the host's own name", "localhost", ""],
    ["for any name", "127.0.0.1", "?ssl_server_dn_match=no"],
    ["for a name that is given", "127.0.0.1", "?ssl_server_cert_dn=CN=localhost,O=Siskin test-only"],
  ])("%s", async (_name, host, more) => {
    const server = await fake({ tls: true });
    const dial = nodeDial(["localhost", "127.0.0.1"]);
    expect(await asked(connectionTo(server, tcps(host, server.port, more)), dial)).toEqual([[1]]);
  });

  it.each<[string, string, string]>([
    ["a name that the certificate is not for", "127.0.0.1", ""],
    ["another name that is given", "localhost", "?ssl_server_cert_dn=CN=other"],
  ])("%s: the login is not sent", async (_name, host, more) => {
    const server = await fake({ tls: true });
    const dial = nodeDial(["localhost", "127.0.0.1"]);
    const failure = await refusal(connectionTo(server, tcps(host, server.port, more)), { dial });
    expect(failure.reason).toBe("TLS_UNTRUSTED");
    expect([server.connects, server.logins]).toEqual([[], []]);
  });

  it("of an authority that nobody trusts is refused", async () => {
    setDefaultCACertificates(before);
    try {
      const server = await fake({ tls: true });
      const failure = await refusal(connectionTo(server, tcps("localhost", server.port)), {
        dial: nodeDial(["localhost", "127.0.0.1"]),
      });
      expect([failure.reason, failure.hint]).toEqual(["TLS_UNTRUSTED", expect.stringContaining("NODE_EXTRA_CA_CERTS")]);
    } finally {
      setDefaultCACertificates([...before, readFileSync(TEST_CA_PATH, "utf8")]);
    }
  });

  it("is not there: nothing is sent in clear", async () => {
    const server = await fake();
    const failure = await refusal(connectionTo(server, tcps("127.0.0.1", server.port)));
    expect(["TLS_UNTRUSTED", "HOST_UNREACHABLE"]).toContain(failure.reason);
    expect(server.logins).toEqual([]);
  });
});

describe("a listener that leads elsewhere", () => {
  const leads = (to: string, port: number) => (said: string) =>
    redirect(`(ADDRESS=(PROTOCOL=tcp)(HOST=${to})(PORT=${port}))`, said);

  it("is followed to a host that may be dialled", async () => {
    const node = await fake();
    const listener = await fake({ onConnect: leads("127.0.0.1", node.port) });
    expect(await asked(connectionTo(listener))).toEqual([[1]]);
    expect([node.logins.length, listener.logins.length]).toEqual([1, 0]);
  });

  it.each([
    ["an address that may not be dialled", "10.1.2.3"],
    ["a metadata service", "169.254.169.254"],
  ])("is not followed to %s", async (_name, host) => {
    const node = await fake();
    const listener = await fake({ onConnect: leads(host, node.port) });
    const failure = await refusal(connectionTo(listener));
    expect([failure.reason, node.connections()]).toEqual(["EGRESS_DENIED", 0]);
  });

  it("is not followed from TLS to where there is none", async () => {
    const node = await fake();
    const listener = await fake({ tls: true, onConnect: leads("127.0.0.1", node.port) });
    const dial = nodeDial(["localhost", "127.0.0.1"]);
    const failure = await refusal(connectionTo(listener, tcps("localhost", listener.port)), { dial });
    expect([failure.reason, node.connections()]).toEqual(["TLS_UNTRUSTED", 0]);
  });

  it("is not followed in circles", async () => {
    const listener: FakeOracle = await fake({ onConnect: (said) => leads("127.0.0.1", listener.port)(said) });
    expect((await refusal(connectionTo(listener))).reason).toBe("UPSTREAM_PROTOCOL");
    expect(listener.connections()).toBeLessThan(6);
  });
});

describe("a server that is none", () => {
  const behind = async (serve: (socket: Socket) => void) => {
    const server = await startTcpServer(serve);
    opened.push(server);
    return server;
  };

  it.each<[string, (socket: Socket) => void, string]>([
    ["it breaks off", (socket) => socket.resetAndDestroy(), "UPSTREAM_PROTOCOL"],
    ["it says nothing", () => {}, "HOST_UNREACHABLE"],
    ["it speaks HTTP", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), "UPSTREAM_PROTOCOL"],
    ["a packet of no length", (socket) => socket.write(Buffer.concat([u16(0), u16(0), u32(0)])), "UPSTREAM_PROTOCOL"],
    [
      "a packet that does not end",
      (socket) => socket.write(Buffer.concat([u16(60_000), u8(0, 0, 2)])),
      "HOST_UNREACHABLE",
    ],
    ["a packet of no kind", (socket) => socket.write(packet(99, Buffer.alloc(8), false)), "UPSTREAM_PROTOCOL"],
    ["an acceptance cut short", (socket) => socket.write(packet(PACKETS.accept, u16(319), false)), "UPSTREAM_PROTOCOL"],
    ["an old protocol", (socket) => socket.write(accept({ version: 314, size: 8192 })), "SOURCE_ERROR"],
    [
      "packed answers",
      (socket) => socket.write(accept({ version: 318, size: 8192, compression: 0x88 })),
      "UPSTREAM_PROTOCOL",
    ],
    [
      "silence after the acceptance",
      (socket) => socket.write(accept({ version: 318, size: 8192 })),
      "HOST_UNREACHABLE",
    ],
    [
      "a refusal of nothing",
      (socket) => socket.end(packet(PACKETS.refuse, Buffer.from("\x22\x00\x00\x02()"), false)),
      "UPSTREAM_PROTOCOL",
    ],
    [
      "resending without an end",
      (socket) => socket.on("data", () => socket.write(packet(PACKETS.resend, Buffer.alloc(0), false))),
      "HOST_UNREACHABLE",
    ],
  ])("%s", async (_name, serve, reason) => {
    const server = await behind((socket) => {
      socket.once("data", () => serve(socket));
    });
    expect((await refusal(connectionTo(server))).reason).toBe(reason);
  });

  it("is down: nobody listens", async () => {
    const server = await startTcpServer(() => {});
    await server.close();
    const failure = await refusal(connectionTo(server));
    expect([failure.reason, failure.message]).toEqual(["HOST_UNREACHABLE", expect.stringContaining("127.0.0.1")]);
  });

  it("is not waited for by who has gone", async () => {
    const server = await behind(() => {});
    const controller = new AbortController();
    const { openOracle } = await import("../../../sidecar/oracle/connector.ts");
    const { parseOracleConnection } = await import("../../../src/connectors/connection/oracle.ts");
    const waiting = failureOf(
      openOracle(parseOracleConnection(connectionTo(server)).info, NODE_HOST, { signal: controller.signal }),
    );
    await expect.poll(() => server.connections()).toBe(1);
    controller.abort(new Error("gone"));
    expect((await waiting).reason).toBe("CANCELLED");
  });

  it("is not dialled for a connection that is nobody's", async () => {
    const server = await fake();
    const driver = await oracleDriver();
    const connectString = `${server.host}:${server.port}/${FAKE_SERVICE}`;
    const own = { user: FAKE_USER, password: FAKE_PASSWORD, connectString, stmtCacheSize: 0, sslServerDNMatch: true };
    const us = { driverName: "x", machine: "x", osUser: "x", program: "x", terminal: "x" };
    expect((await failureOf(driver.getConnection({ ...own, ...us }))).reason).toBe("EGRESS_DENIED");
    expect(server.connections()).toBe(0);
  });

  it("cannot be dialled without the rules that hold for all", async () => {
    const server = await fake();
    const failure = await refusal(connectionTo(server), { dial: nodeDial([]) });
    expect([failure.reason, server.connections()]).toEqual(["EGRESS_DENIED", 0]);
  });
});

it("a connection without a password is not opened", async () => {
  const raw = connectionTo(await fake(), { password: undefined });
  expect(await failureOf(open(raw))).toMatchObject({
    reason: "AUTHENTICATION",
    message: `The connection to ${raw.host} has no password.`,
    hint: "Give password: Siskin logs in to Oracle by user and password.",
  });
});
