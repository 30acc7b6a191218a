/** The way into a SQL Server: TLS, logins, routes, and servers that are none. Against FAKES (`test/support/tds-server.ts`). */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { nodeDial } from "../../../sidecar/dial.ts";
import { openMsSql } from "../../../sidecar/mssql/connector.ts";
import { parseMsSqlConnection } from "../../../src/connectors/connection/mssql.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { drain, failureOf, patient, plain } from "../../connectors/contract.ts";
import { TEST_CA_PATH } from "../../support/postgres-server.ts";
import { startTcpServer } from "../../support/tcp.ts";
import { DONE, done, error, hex, loginAck, packets, prelogin, route } from "../../support/tds-messages.ts";
import {
  FAKE_DATABASE,
  FAKE_PASSWORD,
  FAKE_USER,
  type FakeMsSql,
  type FakeMsSqlOptions,
  startFakeMsSql,
} from "../../support/tds-server.ts";
import { connectionTo, NODE_HOST, open, STATEMENTS, shop } from "./fixture.ts";

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const before = getCACertificates("default");
beforeAll(() => setDefaultCACertificates([...before, readFileSync(TEST_CA_PATH, "utf8")]));
afterAll(() => setDefaultCACertificates(before));

async function fake(options: FakeMsSqlOptions = {}): Promise<FakeMsSql> {
  const server = await startFakeMsSql(shop().answer, options);
  opened.push(server);
  return server;
}

const trusted = { HostNameInCertificate: "localhost" };
const OLD = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT:@SECLEVEL=0" } as const;
const plainly = { Encrypt: "no" };

async function refusal(server: { readonly host: string; readonly port: number }, kwargs: object, change: object = {}) {
  const failure = await failureOf(
    open(connectionTo(server, { kwargs, ...change }), { ...NODE_HOST, connectTimeoutMs: 700 }),
  );
  expect(JSON.stringify([failure.message, failure.hint])).not.toContain(FAKE_PASSWORD);
  return failure;
}

describe("TLS", () => {
  it.each<[string, FakeMsSqlOptions, object, string, boolean]>([
    ["is inside the protocol", {}, trusted, "127.0.0.1", true],
    ["is inside the protocol, in packets of answers", { handshakeType: 0x04 }, trusted, "127.0.0.1", true],
    ["is inside the protocol where the server requires it", { encryption: 3 }, trusted, "127.0.0.1", true],
    ["is for the host's own name", {}, {}, "localhost", true],
    ["takes any certificate where it may", {}, { TrustServerCertificate: "yes" }, "127.0.0.1", true],
    ["is before the protocol", { strict: true }, { Encrypt: "strict", ...trusted }, "127.0.0.1", true],
    ["is not there where nobody wants it", { encryption: 2 }, plainly, "127.0.0.1", false],
    ["is not there where the server would have it for logins alone", { encryption: 0 }, plainly, "127.0.0.1", false],
  ])("%s", async (_name, options, kwargs, host, isEncrypted) => {
    const server = await fake(options);
    const dial = nodeDial(["localhost", "127.0.0.1"]);
    const connector = await open(connectionTo({ host, port: server.port }, { kwargs }), { ...NODE_HOST, dial });
    opened.push(connector);
    expect(await drain(await connector.query(plain(STATEMENTS.numbers(1)), patient()))).toEqual([[1]]);
    expect(server.logins.map((login) => login.isEncrypted)).toEqual([isEncrypted]);
  });

  it.each<[string, FakeMsSqlOptions, object, string]>([
    ["a name that the certificate is not for", {}, {}, "The TLS handshake with 127.0.0.1 failed: "],
    [
      "a name that it is not for, before the protocol",
      { strict: true },
      { Encrypt: "strict" },
      "The TLS handshake with 127.0.0.1",
    ],
    ["no TLS where it is wanted", { encryption: 2 }, trusted, "The server does not offer the TLS that is asked for."],
    ["TLS for the login alone", { encryption: 0 }, trusted, "The server does not offer the TLS that is asked for."],
    [
      "no TLS, although any certificate would do",
      { encryption: 2 },
      { TrustServerCertificate: "yes" },
      "The server does not offer",
    ],
    ["TLS before 1.2", { tls: OLD }, trusted, "The TLS handshake with localhost failed: "],
    [
      "TLS before 1.2, although any certificate would do",
      { tls: OLD },
      { TrustServerCertificate: "yes" },
      "The TLS handshake with 127.0.0.1",
    ],
    [
      "TLS before 1.2, before the protocol",
      { strict: true, tls: OLD },
      { Encrypt: "strict", ...trusted },
      "The TLS handshake with localhost failed: ",
    ],
    ["TLS where none is wanted", { encryption: 3 }, plainly, "The server takes connections over TLS only."],
  ])("%s: the login is not sent", async (_name, options, kwargs, message) => {
    const server = await fake(options);
    const failure = await refusal(server, kwargs);
    expect([failure.reason, failure.message.slice(0, message.length)]).toEqual(["TLS_UNTRUSTED", message]);
    expect(failure.hint).not.toBe("");
    expect(server.logins).toEqual([]);
  });

  it.each<[string, FakeMsSqlOptions, object]>([
    ["inside the protocol", {}, trusted],
    ["before the protocol", { strict: true, tls: { maxVersion: "TLSv1.2" } }, { Encrypt: "strict", ...trusted }],
  ])("%s that is negotiated anew ends the connection, and nothing is answered", async (_name, options, kwargs) => {
    const server = await fake({ ...options, renegotiates: true });
    const opening = open(connectionTo(server, { kwargs }));
    opening.then(
      (connector) => opened.push(connector),
      () => {},
    );
    const answer = opening.then((connector) => connector.query(plain(STATEMENTS.numbers(1)), patient())).then(drain);
    expect((await failureOf(answer)).reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("of an authority that nobody trusts is refused", async () => {
    setDefaultCACertificates(before);
    try {
      const failure = await refusal(await fake(), trusted);
      expect([failure.reason, failure.hint]).toEqual(["TLS_UNTRUSTED", expect.stringContaining("NODE_EXTRA_CA_CERTS")]);
    } finally {
      setDefaultCACertificates([...before, readFileSync(TEST_CA_PATH, "utf8")]);
    }
  });
});

describe("a login", () => {
  it.each([
    ["inside the protocol", {}, { ...trusted, ApplicationIntent: "ReadOnly" }, 0x74_00_00_04],
    ["before the protocol", { strict: true }, { ...trusted, Encrypt: "strict" }, 0x08_00_00_00],
  ])("says who asks for what, with TLS %s", async (_name, options, kwargs, version) => {
    const server = await fake(options);
    opened.push(await open(connectionTo(server, { kwargs })));
    const [login] = server.logins;
    expect(login?.fields).toEqual({
      host: "siskin",
      user: FAKE_USER,
      password: FAKE_PASSWORD,
      app: "siskin",
      server: "127.0.0.1",
      library: "siskin",
      language: "us_english",
      database: FAKE_DATABASE,
    });
    expect([login?.version, login?.isReadOnly]).toEqual([version, "ApplicationIntent" in kwargs]);
  });

  it.each<[string, number, number, string, string]>([
    ["a wrong password", 18456, 14, "Login failed for user 'reader'.", "AUTHENTICATION"],
    [
      "an expired password",
      18488,
      14,
      "Login failed for user 'reader'. Reason: The password must be changed.",
      "AUTHENTICATION",
    ],
    ["no such database", 4060, 11, 'Cannot open database "shop".', "AUTHENTICATION"],
    ["a database that is being resumed", 40613, 17, "Database 'shop' is not currently available.", "OVERLOADED"],
    ["a firewall", 40615, 14, "Cannot open server 'acme' requested by the login.", "AUTHENTICATION"],
    ["too much at once", 10928, 16, "Resource ID : 1. The request limit has been reached.", "OVERLOADED"],
    ["what nobody has heard of", 99_999, 20, "No.", "AUTHENTICATION"],
  ])("is refused for %s", async (_name, number, level, message, reason) => {
    const server = await fake({ onLogin: () => Buffer.concat([error({ number, level, message }), done(DONE.error)]) });
    const failure = await refusal(server, trusted);
    expect(failure).toMatchObject({ reason, message, engineCode: String(number) });
    expect(failure.hint !== undefined).toBe(reason === "AUTHENTICATION" || number === 40613);
    expect(failure.retryAfter).toBe(reason === "OVERLOADED" ? 10 : undefined);
  });

  it("with a wrong password is refused by the fake itself", async () => {
    expect(await refusal(await fake(), trusted, { password: "wrong" })).toMatchObject({ engineCode: "18456" });
    expect(await refusal(await fake(), trusted, { database: "other" })).toMatchObject({ engineCode: "4060" });
  });
});

describe("a route", () => {
  const routed = (to: () => number, host = "127.0.0.1") =>
    fake({ onLogin: () => Buffer.concat([loginAck(), route(host, to()), done()]) });

  it("is followed, to be judged and logged in to like any other", async () => {
    const target = await fake();
    const gateway = await routed(() => target.port, "127.0.0.1\\INSTANCE");
    const connector = await open(connectionTo(gateway, { kwargs: trusted }));
    opened.push(connector);
    expect(await drain(await connector.query(plain(STATEMENTS.numbers(2)), patient()))).toHaveLength(2);
    expect([gateway.logins.length, target.logins.length]).toEqual([1, 1]);
  });

  it.each(["127.0.0.2", "169.254.169.254"])("to %s is not dialled where that is not allowed", async (host) => {
    const failure = await refusal(await routed(() => 1433, host), trusted);
    expect(failure.reason).toBe("EGRESS_DENIED");
  });

  it("to a host with another name in its certificate is not logged in to", async () => {
    const target = await fake();
    const gateway = await routed(() => target.port);
    const dial = nodeDial(["localhost", "127.0.0.1"]);
    // The gateway is `localhost`, which the certificate is for; the route is not.
    const connecting = open(connectionTo({ host: "localhost", port: gateway.port }, { kwargs: {} }), {
      ...NODE_HOST,
      dial,
    });
    expect((await failureOf(connecting)).reason).toBe("TLS_UNTRUSTED");
    expect([gateway.logins.length, target.logins.length]).toEqual([1, 0]);
  });

  it("in a circle ends", async () => {
    const circle: { port: number } = { port: 0 };
    const server = await routed(() => circle.port);
    circle.port = server.port;
    const failure = await refusal(server, trusted);
    expect([failure.reason, server.logins.length]).toEqual(["UPSTREAM_PROTOCOL", 4]);
  });

  it.each<[string, string, number]>([
    ["to no port", "127.0.0.1", 0],
    ["to no host", "", 1433],
    ["to several hosts", "a,b", 1433],
  ])("%s is none", async (_name, host, port) => {
    expect((await refusal(await routed(() => port, host), trusted)).reason).toBe("UPSTREAM_PROTOCOL");
  });
});

describe("what is no SQL Server", () => {
  async function played(play: (socket: Socket, heard: () => Buffer) => void) {
    const chunks: Buffer[] = [];
    const server = await startTcpServer((socket) => {
      socket.on("data", (chunk: Buffer) => chunks.push(chunk));
      play(socket, () => Buffer.concat(chunks));
    });
    opened.push(server);
    return { ...server, heard: () => Buffer.concat(chunks) };
  }
  const secret = Buffer.from(FAKE_PASSWORD, "utf16le");

  it.each<[string, Buffer]>([
    ["HTTP", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n")],
    ["MySQL", hex("4a 00 00 00 0a 38 2e 30")],
    ["zeroes", Buffer.alloc(64)],
    ["a packet of another type", packets(Buffer.alloc(8), 4088, 0x12)],
    ["a packet that is shorter than its header", hex("04 01 00 07 00 00 01 00")],
    ["a prelogin without a word of TLS", packets(hex("ff"))],
    ["a prelogin that points behind its end", packets(hex("01 ff ff 00 01 ff"))],
    ["a prelogin of two bytes where one stands", packets(hex("01 00 06 00 02 ff 01 00"))],
    ["a prelogin with more behind it", Buffer.concat([packets(prelogin(1)), packets(done())])],
    ["a prelogin that does not end", packets(Buffer.alloc(5000, 0xaa), 4088)],
  ])("%s", async (_name, bytes) => {
    const server = await played((socket) => socket.write(bytes));
    const failure = await refusal(server, trusted);
    expect([failure.reason, failure.message]).toEqual([
      "UPSTREAM_PROTOCOL",
      "The server's answer is not SQL Server's protocol.",
    ]);
    expect(server.heard().includes(secret)).toBe(false);
  });

  it.each<[string, (socket: Socket) => void]>([
    ["says nothing", () => {}],
    ["says that it has TLS, and nothing more", (socket) => socket.write(packets(prelogin(1)))],
    ["begins a packet", (socket) => socket.write(hex("04 01 00 20 00 00"))],
  ])("one that %s is given up in time", async (_name, play) => {
    const failure = await refusal(await played(play), trusted);
    expect([failure.reason, failure.message]).toEqual([
      "HOST_UNREACHABLE",
      expect.stringMatching(/^127\.0\.0\.1 port \d+ did not answer within 700 ms\.$/),
    ]);
  });

  it("one that is down: nobody listens", async () => {
    const server = await startTcpServer(() => {});
    await server.close();
    expect((await refusal(server, trusted)).reason).toBe("HOST_UNREACHABLE");
  });

  it("one that closes at once", async () => {
    const failure = await refusal(await played((socket) => socket.end()), trusted);
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("one that says that it has TLS, and then has not", async () => {
    const play = (socket: Socket): void => {
      socket.write(packets(prelogin(1)));
      // The start of a handshake, in a packet.
      socket.on("data", (chunk: Buffer) => {
        if (chunk.includes(hex("16 03 01"))) socket.write(packets(Buffer.from("not a handshake")));
      });
    };
    expect((await refusal(await played(play), trusted)).reason).toBe("TLS_UNTRUSTED");
  });

  const afterLogin = (answer: Buffer) => fake({ onLogin: () => answer });
  it.each<[string, Buffer]>([
    ["nothing but an end", done()],
    ["an unknown token", hex("00 01 02")],
    ["rows", hex("d1 00")],
    ["an acknowledgement that is longer than it", Buffer.concat([hex("ad 03 00 01 74 00"), done()])],
    ["an error that ends before its text", Buffer.concat([hex("aa 08 00 01 00 00 00 01 0e ff ff"), done(DONE.error)])],
    [
      "a packet size that is none",
      Buffer.concat([loginAck(), hex("e3 0b 00 04 01 39 00 04 34 00 30 00 39 00"), done()]),
    ],
  ])("one that answers a login with %s", async (_name, answer) => {
    expect((await refusal(await afterLogin(answer), trusted)).reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("one that answers a login for ever", async () => {
    const info = hex("ab 16 00 01 00 00 00 01 00 02 00 61 00 62 00 00 00 01 00 00 00 00 00 00 00");
    const failure = await refusal(await afterLogin(Buffer.concat(Array.from({ length: 4000 }, () => info))), trusted);
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("is not dialled where that is not allowed", async () => {
    const server = await fake();
    const host = { ...NODE_HOST, dial: nodeDial(["10.0.0.0/8"]) };
    expect((await failureOf(open(connectionTo(server), host))).reason).toBe("EGRESS_DENIED");
    expect(server.connections()).toBe(0);
  });

  it("is given up when the caller goes", async () => {
    const server = await played(() => {});
    const controller = new AbortController();
    const { info } = parseMsSqlConnection(connectionTo(server));
    const connecting = failureOf(openMsSql(info, NODE_HOST, { signal: controller.signal }));
    await expect.poll(() => server.heard().length).toBeGreaterThan(0);
    controller.abort(new ConnectorFailure("CANCELLED", "gone"));
    expect((await connecting).reason).toBe("CANCELLED");
  });
});
