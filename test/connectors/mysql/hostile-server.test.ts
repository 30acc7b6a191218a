/** Servers that are no MySQL, or one that means harm: played, byte by byte (fakes of the protocol, not servers). */
import type { Socket } from "node:net";
import { afterAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import {
  column,
  end,
  error,
  type GreetingOptions,
  greeting,
  ok,
  packet,
  SSL,
  textRow,
  withCapabilities,
} from "../../support/mysql-messages.ts";
import { startPostgres } from "../../support/postgres.ts";
import { startTcpServer, type TcpServer } from "../../support/tcp.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";
import { NODE_HOST, openFromNode } from "./fixture.ts";

const servers: TcpServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Serves each connection by `play`; gives what clients have sent. */
async function played(play: (socket: Socket) => void) {
  const heard: Buffer[] = [];
  const server = await startTcpServer((socket) => {
    socket.on("data", (chunk: Buffer) => heard.push(chunk));
    play(socket);
  });
  servers.push(server);
  return { server, heard: () => Buffer.concat(heard) };
}

const connectionTo = ({ host, port }: TcpServer, change: object = {}) => ({
  host,
  port,
  user: "reader",
  password: "topsecret",
  database: "shop",
  sslMode: "DISABLED",
  ...change,
});

async function refusal(play: (socket: Socket) => void, change: object = {}) {
  const { server, heard } = await played(play);
  const host = { ...NODE_HOST, connectTimeoutMs: 500 };
  const failure = await failureOf(openFromNode(connectionTo(server, change), host));
  expect(JSON.stringify([failure.message, failure.hint])).not.toContain("topsecret");
  return { failure, heard };
}

describe("what is no MySQL", () => {
  it.each<[string, string | Buffer]>([
    ["HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n"],
    ["SSH", "SSH-2.0-OpenSSH_9.2p1\r\n"],
    ["SMTP", "220 mail.example.com ESMTP\r\n"],
    ["PostgreSQL's complaint", Buffer.from("E\0\0\0\x10SFATAL\0\0\0\0", "latin1")],
    ["zeroes", Buffer.alloc(64)],
    ["a greeting without an end", Buffer.concat([packet(0, 10, "8.0.40")])],
    ["an older protocol", greeting({ protocol: 9 })],
    ["a server before 4.1", greeting({ capabilities: withCapabilities(0x80_00) })],
    ["a greeting with more behind it", Buffer.concat([greeting(), ok(2)])],
    ["a length that is not believed", Buffer.from([0xff, 0xff, 0x7f, 0, 10])],
  ])("%s", async (_name, bytes) => {
    const { failure, heard } = await refusal((socket) => socket.write(bytes));
    expect([failure.reason, failure.message]).toEqual([
      "UPSTREAM_PROTOCOL",
      "The server's answer is not the MySQL protocol.",
    ]);
    expect(heard().length).toBe(0);
  });

  it("one that says nothing", async () => {
    const { failure } = await refusal(() => {});
    expect(failure.reason).toBe("HOST_UNREACHABLE");
  });

  it.each(["DISABLED", "ENABLED"])("%s: one that greets and says no more", async (sslMode) => {
    const { server } = await played((socket) => {
      socket.write(greeting({ capabilities: withCapabilities(SSL) }));
    });
    const host = { ...NODE_HOST, connectTimeoutMs: 300 };
    const failure = await failureOf(openFromNode(connectionTo(server, { sslMode }), host));
    expect(failure.reason).toBe("HOST_UNREACHABLE");
  });

  // A server of PostgreSQL's waits for the client to begin.
  it("a real PostgreSQL", async () => {
    const database = await startPostgres();
    const host = { ...NODE_HOST, connectTimeoutMs: 500 };
    const failure = await failureOf(
      openFromNode({ connectionUrl: `mysql://u:p@${new URL(database.url).host}/x` }, host),
    );
    expect(failure.reason).toBe("HOST_UNREACHABLE");
    await database.stop();
  });

  it("one that closes at once", async () => {
    const { failure } = await refusal((socket) => socket.end());
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  });
});

describe("before the session begins", () => {
  it.each<[string, Buffer, object]>([
    ["too many connections", error(0, 1040, "", "Too many connections"), { reason: "OVERLOADED", engineCode: "1040" }],
    ["a blocked host", error(0, 1129, "", "Host is blocked"), { reason: "AUTHENTICATION", engineCode: "1129" }],
    ["another host", error(0, 1130, "", "Host is not allowed"), { reason: "AUTHENTICATION", engineCode: "1130" }],
  ])("%s", async (_name, bytes, expected) => {
    expect((await refusal((socket) => socket.end(bytes))).failure).toMatchObject(expected);
  });

  it("an old server is told by its version", async () => {
    const { failure, heard } = await refusal((socket) => socket.write(greeting({ version: "5.7.44-log" })));
    expect(failure.message).toBe("MySQL 5.7 is not supported.");
    expect(heard().length).toBe(0);
  });

  it.each(["ENABLED", "VERIFY_IDENTITY"])("no TLS where %s asks for it: nothing is sent", async (sslMode) => {
    const { failure, heard } = await refusal((socket) => socket.write(greeting()), { sslMode });
    expect([failure.reason, failure.message]).toEqual([
      "TLS_UNTRUSTED",
      `(2026, "SSL connection error: SSL is required but the server doesn't support it")`,
    ]);
    expect(heard().length).toBe(0);
  });

  it("TLS that is offered and not spoken", async () => {
    const { failure } = await refusal(
      (socket) => {
        socket.write(greeting({ capabilities: withCapabilities(SSL) }));
        socket.once("data", () => socket.end("no"));
      },
      { sslMode: "ENABLED" },
    );
    expect(failure.reason).toBe("TLS_UNTRUSTED");
  });

  const asksFor =
    (plugin: string, options: GreetingOptions = {}) =>
    (socket: Socket) => {
      socket.write(greeting(options));
      socket.once("data", () =>
        socket.write(packet(2, 0xfe, plugin === "" ? "" : `${plugin}\0`, "12345678901234567890\0")),
      );
    };

  it.each(["mysql_clear_password", "mysql_old_password", "", "authentication_kerberos_client", "__proto__"])(
    "%j as the way to prove a password: refused, and nothing of it told",
    async (plugin) => {
      const { failure, heard } = await refusal(asksFor(plugin));
      expect(["AUTHENTICATION", "UPSTREAM_PROTOCOL"]).toContain(failure.reason);
      expect(heard().includes("topsecret")).toBe(false);
    },
  );

  it.each(["PREFERRED", "DISABLED"])(
    "%s: a key of the server's own is taken only where that was chosen",
    async (sslMode) => {
      const answers = [
        packet(2, 0xfe, "caching_sha2_password\0", "12345678901234567890\0"),
        // "Prove all of it", then a key.
        packet(4, 1, 4),
        packet(6, 1, "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"),
      ];
      const play = (socket: Socket) => {
        socket.write(greeting());
        socket.on("data", () => socket.write(answers.shift() ?? ok(8)));
      };
      const { failure, heard } = await refusal(play, { sslMode });
      expect(failure.reason).toBe(sslMode === "PREFERRED" ? "TLS_UNTRUSTED" : "UPSTREAM_PROTOCOL");
      expect(heard().includes("topsecret")).toBe(false);
    },
  );

  it("more than a session begins with", async () => {
    const { failure } = await refusal((socket) => {
      socket.write(greeting());
      socket.once("data", () => socket.write(Buffer.concat([packet(2, 1, Buffer.alloc(1_000_000))])));
    });
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("an end in the middle", async () => {
    const { failure } = await refusal((socket) => {
      socket.write(greeting());
      socket.once("data", () => socket.end());
    });
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  });
});

/** Lets everybody in, then answers each command with what `answers` has for it, in turn. */
const session =
  (answers: readonly Buffer[], options: GreetingOptions = {}) =>
  (socket: Socket): void => {
    socket.write(greeting({ plugin: "mysql_native_password", ...options }));
    const left = [ok(2), ...answers];
    socket.on("data", () => {
      const answer = left.shift();
      if (answer !== undefined) socket.write(answer);
      else socket.end();
    });
  };

describe("in the session", () => {
  const ask = async (...answers: readonly Buffer[]) => {
    const { server, heard } = await played(session(answers));
    const connector: Connector = await openFromNode(connectionTo(server));
    const failure = await failureOf(connector.query(plain("SELECT 1"), patient()).then(drain));
    await connector.close();
    return { failure, heard };
  };

  it("one that asks for a file of ours gets none", async () => {
    const { failure, heard } = await ask(packet(1, 0xfb, "/etc/passwd"));
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
    expect(heard().includes("root:")).toBe(false);
  });

  it.each<[string, Buffer]>([
    ["packets that do not follow each other", ok(7)],
    ["an answer of no bytes", packet(1)],
    ["an answer that is cut off", packet(1, 0xff)],
  ])("%s", async (_name, answer) => {
    expect((await ask(answer)).failure.reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("settings that are taken and not kept are noticed", async () => {
    const { SETTINGS } = await settingsOf();
    const told = Buffer.concat([
      packet(1, SETTINGS),
      ...Array.from({ length: SETTINGS }, (_, i) => column(2 + i, "v")),
      end(2 + SETTINGS),
      textRow(
        3 + SETTINGS,
        Array.from({ length: SETTINGS }, () => "7"),
      ),
      end(4 + SETTINGS),
    ]);
    const { failure } = await ask(ok(1), told);
    expect([failure.reason, failure.message]).toEqual([
      "SOURCE_ERROR",
      "The server, or a proxy before it, does not take character_set_client.",
    ]);
  });

  it.each(["query", "dryRun"] as const)("fences that are not known to hold are not sent: %s", async (operation) => {
    const { server, heard } = await played(session([], { version: "8.0.30-Vitess" }));
    const connector: Connector = await openFromNode(connectionTo(server));
    const failure = await failureOf(connector[operation]({ ...plain("SELECT 'secret'"), fenced: true }, patient()));
    await connector.close();
    expect(failure.reason).toBe("UNPROVEN_FENCE");
    expect(heard().includes("secret")).toBe(false);
  });

  it.each([
    ["8.0.13", { product: "mysql", from: [8, 0, 14] }],
    ["5.5.5-10.11.19-MariaDB", { product: "mysql", from: [8, 0, 14] }],
    ["8.0.30-Vitess", { product: "mysql", from: [8, 0, 14] }],
  ])("what was planned for others is not sent to %s", async (version, variant) => {
    const { server, heard } = await played(session([], { version }));
    const connector: Connector = await openFromNode(connectionTo(server));
    for (const operation of ["query", "dryRun"] as const) {
      const failure = await failureOf(connector[operation]({ ...plain("SELECT 'secret'"), variant }, patient()));
      expect(failure.reason).toBe("ANOTHER_VARIANT");
    }
    await connector.close();
    expect(heard().includes("secret")).toBe(false);
  });

  it("a server that ends between two statements", async () => {
    expect((await ask()).failure.reason).toBe("UPSTREAM_PROTOCOL");
  });
});

async function settingsOf() {
  const { appliedSettings } = await import("../../../src/connectors/mysql/session-settings.ts");
  const { settings } = appliedSettings([], { product: "mysql", version: [8, 0, 40], isItself: true }, 60_000);
  return { SETTINGS: settings.length + 1 };
}
