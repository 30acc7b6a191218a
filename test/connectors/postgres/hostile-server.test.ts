/** Servers that are none, that stop, that lie: each ends in one typed failure, in bounded time, and tells no secret. */
import type { Socket } from "node:net";
import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import type { ConnectorFailure } from "../../../src/connectors/failure.ts";
import {
  authenticationRequest,
  bindComplete,
  commandComplete,
  dataRow,
  errorResponse,
  int32,
  loggedIn,
  message,
  parseComplete,
  readyForQuery,
  rowDescription,
  settingsApplied,
} from "../../support/postgres-messages.ts";
import { startTcpServer, type TcpServer } from "../../support/tcp.ts";
import { drain, failureOf, plain } from "../contract.ts";
import { NODE_HOST, openFromNode } from "./fixture.ts";

const PASSWORD = "top-s3cret-password";

const servers: TcpServer[] = [];
const connectors: Connector[] = [];
afterEach(async () => {
  await Promise.all(connectors.splice(0).map((connector) => connector.close()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function connection(serve: (socket: Socket) => void, kwargs: Record<string, string> = { sslmode: "disable" }) {
  const server = await startTcpServer(serve);
  servers.push(server);
  return { host: server.host, port: server.port, database: "d", user: "test", password: PASSWORD, kwargs };
}

async function failureToOpen(
  serve: (socket: Socket) => void,
  kwargs?: Record<string, string>,
  connectTimeoutMs = 5000,
): Promise<ConnectorFailure> {
  const failure = await failureOf(openFromNode(await connection(serve, kwargs), { ...NODE_HOST, connectTimeoutMs }));
  tellsNothing(failure);
  return failure;
}

/** Answers the start-up with `loggedIn` and hands over at the first statement. */
function afterLogin(serve: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => {
    socket.once("data", () => {
      socket.write(loggedIn);
      socket.once("data", () => serve(socket));
    });
  };
}

async function failureOfQuery(serve: (socket: Socket) => void, timeoutMs = 20_000): Promise<ConnectorFailure> {
  const connector = await openFromNode(await connection(afterLogin(serve)));
  connectors.push(connector);
  const options = { signal: new AbortController().signal, timeoutMs };
  const failure = await failureOf(connector.query(plain("SELECT 1"), options).then(drain));
  tellsNothing(failure);
  return failure;
}

function tellsNothing(failure: ConnectorFailure): void {
  for (let error: unknown = failure; error instanceof Error; error = error.cause) {
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(PASSWORD);
  }
  expect(failure.message.length).toBeLessThan(10_000);
}

const SEEDS = Array.from({ length: 30 }, (_, i) => i + 1);

/** Up to 4,000 bytes, the same for the same seed. */
function noiseOf(seed: number): Buffer {
  let state = seed * 0x9e3779b1;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x297a2d39) | 0;
    return (state ^ (state >>> 12)) >>> 0;
  };
  return Buffer.from(Array.from({ length: 1 + (next() % 4000) }, () => next() & 255));
}

const started = (...rows: Buffer[]): Buffer =>
  Buffer.concat([settingsApplied, parseComplete, bindComplete, rowDescription("a"), ...rows]);

describe("before the session", () => {
  it("says nothing: the connect time-out", async () => {
    for (const sslmode of ["disable", "prefer"]) {
      const failure = await failureToOpen(() => {}, { sslmode }, 150);
      expect(failure.reason).toBe("HOST_UNREACHABLE");
      expect(failure.message).toMatch(/did not answer within 150 ms/);
    }
  });

  it("says nothing: the connection's own connect_timeout", async () => {
    const failure = await failureToOpen(() => {}, { sslmode: "disable", connect_timeout: "1" }, 60_000);
    expect(failure.message).toMatch(/did not answer within 1000 ms/);
  });

  it("begins TLS and says nothing", async () => {
    const failure = await failureToOpen((socket) => socket.write("S"), { sslmode: "require" }, 150);
    expect(failure.reason).toBe("HOST_UNREACHABLE");
  });

  it("drips its answer", async () => {
    const failure = await failureToOpen(
      (socket) => {
        const timer = setInterval(() => socket.write("R"), 5);
        socket.on("close", () => clearInterval(timer));
      },
      { sslmode: "disable" },
      300,
    );
    expect(["HOST_UNREACHABLE", "UPSTREAM_PROTOCOL"]).toContain(failure.reason);
  });

  it.each<[string, string, string]>([
    ["an HTTP server, plain", "disable", "UPSTREAM_PROTOCOL"],
    ["an HTTP server, asked for TLS", "prefer", "UPSTREAM_PROTOCOL"],
  ])("is %s", async (_, sslmode, reason) => {
    const failure = await failureToOpen(
      (socket) => socket.once("data", () => socket.end("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")),
      { sslmode },
    );
    expect(failure.reason).toBe(reason);
    expect(failure.hint).toContain("PostgreSQL server");
  });

  it("closes at once", async () => {
    for (const sslmode of ["disable", "prefer", "require"]) {
      const failure = await failureToOpen((socket) => socket.destroy(), { sslmode });
      expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
    }
  });

  it("does not offer TLS that was asked for", async () => {
    const failure = await failureToOpen((socket) => socket.once("data", () => socket.write("N")), {
      sslmode: "require",
    });
    expect(failure.reason).toBe("TLS_UNTRUSTED");
    expect(failure.message).toBe("The server does not offer TLS.");
  });

  it("slips plain text in before TLS begins (CVE-2021-23222)", async () => {
    const failure = await failureToOpen(
      (socket) => socket.once("data", () => socket.write(Buffer.concat([Buffer.from("S"), loggedIn]))),
      { sslmode: "require" },
    );
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("breaks the TLS handshake", async () => {
    const failure = await failureToOpen(
      (socket) =>
        socket.once("data", () => {
          socket.write("S");
          socket.once("data", () => socket.end("no TLS at all"));
        }),
      { sslmode: "require" },
    );
    expect(failure.reason).toBe("TLS_UNTRUSTED");
  });

  it("announces a message that would fill the memory", async () => {
    const huge = Buffer.concat([Buffer.from("R"), int32(0x7fff_ffff)]);
    const failure = await failureToOpen((socket) => socket.once("data", () => socket.write(huge)));
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("asks for a method of authentication that we do not have", async () => {
    const gss = authenticationRequest(7);
    const failure = await failureToOpen((socket) => socket.once("data", () => socket.write(gss)));
    expect(failure.reason).toBe("AUTHENTICATION");
    expect(failure.message).toContain("method");
  });

  it("asks for SCRAM and then cheats", async () => {
    const mechanisms = authenticationRequest(10, Buffer.from("SCRAM-SHA-256\0\0"));
    const challenge = authenticationRequest(11, Buffer.from("r=not-your-nonce,s=c2FsdA==,i=4096"));
    const failure = await failureToOpen((socket) =>
      socket.once("data", () => {
        socket.write(mechanisms);
        socket.once("data", () => socket.write(challenge));
      }),
    );
    expect(failure.reason).toBe("AUTHENTICATION");
  });

  it("refuses with a text without end", async () => {
    const failure = await failureToOpen((socket) =>
      socket.once("data", () => socket.end(errorResponse("28000", "no ".repeat(10_000), "FATAL"))),
    );
    expect(failure.reason).toBe("AUTHENTICATION");
  });

  it.each([
    ["53300", "OVERLOADED"],
    ["57P03", "OVERLOADED"],
    ["28P01", "AUTHENTICATION"],
    ["3D000", "AUTHENTICATION"],
    ["42501", "AUTHENTICATION"],
    ["08P01", "AUTHENTICATION"],
  ])("refuses with SQLSTATE %s: %s", async (code, reason) => {
    const failure = await failureToOpen((socket) =>
      socket.once("data", () => socket.end(errorResponse(code, "no", "FATAL"))),
    );
    expect([failure.reason, failure.engineCode, failure.message]).toEqual([reason, code, "no"]);
    expect(failure.retryAfter).toBe(reason === "OVERLOADED" ? 5 : undefined);
  });

  it.each(SEEDS)("sends noise (%i)", async (seed) => {
    const noise = noiseOf(seed);
    const failure = await failureToOpen((socket) => socket.once("data", () => socket.end(noise)), undefined, 2000);
    expect(["UPSTREAM_PROTOCOL", "AUTHENTICATION"]).toContain(failure.reason);
  });
});

describe("during a statement", () => {
  it("says nothing: the statement's time is over", async () => {
    const failure = await failureOfQuery(() => {}, 50);
    expect(failure.reason).toBe("STATEMENT_TIMEOUT");
    expect(failure.message).toMatch(/^canceling statement due to statement timeout/);
  });

  it("drips a row: the statement's time is over", async () => {
    const failure = await failureOfQuery((socket) => {
      socket.write(started());
      const row = dataRow("x".repeat(10_000));
      let sent = 0;
      const timer = setInterval(() => socket.write(row.subarray(sent, ++sent)), 5);
      socket.on("close", () => clearInterval(timer));
    }, 50);
    expect(failure.reason).toBe("STATEMENT_TIMEOUT");
  });

  it("closes in the middle of a row", async () => {
    const failure = await failureOfQuery((socket) => {
      socket.end(Buffer.concat([started(dataRow("1")), dataRow("x".repeat(1000)).subarray(0, 300)]));
    });
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("resets the connection between rows", async () => {
    const failure = await failureOfQuery((socket) => {
      socket.write(started(dataRow("1")), () => socket.resetAndDestroy());
    });
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  });

  it.each<[string, Buffer]>([
    ["text that is no message", Buffer.from("HTTP/1.1 500 Internal Server Error\r\n\r\n")],
    ["a length below its own", Buffer.concat([Buffer.from("D"), int32(3)])],
    ["a length of 2 GB that is no row", Buffer.concat([Buffer.from("T"), int32(0x7fff_ffff)])],
    ["a row longer than announced", Buffer.concat([rowDescription("a"), dataRow("1", "2")])],
    [
      "a row of a negative number of values",
      Buffer.concat([rowDescription("a"), message("D", Buffer.from([255, 255]))]),
    ],
    ["a byte of zero", Buffer.alloc(64)],
    ["an offer to copy", message("G", Buffer.from([0, 0, 0]))],
  ])("sends %s", async (_, bytes) => {
    const failure = await failureOfQuery((socket) =>
      socket.end(
        Buffer.concat([settingsApplied, parseComplete, bindComplete, bytes, commandComplete(), readyForQuery]),
      ),
    );
    expect(failure.reason).toBe("UPSTREAM_PROTOCOL");
  });

  it("announces a row that does not fit", async () => {
    const failure = await failureOfQuery((socket) => {
      socket.write(Buffer.concat([started(), Buffer.from("D"), int32(0x7fff_ffff)]));
    });
    expect(failure.reason).toBe("SOURCE_ERROR");
    expect(failure.hint).toContain("shorter columns");
  });

  it("sends an error text of megabytes", async () => {
    const failure = await failureOfQuery((socket) => {
      socket.write(Buffer.concat([settingsApplied, errorResponse("22012", "x".repeat(5_000_000)), readyForQuery]));
    });
    expect(failure.reason).toBe("SOURCE_ERROR");
    expect(failure.message.length).toBeLessThan(5000);
  });

  it("ends without an answer", async () => {
    const connector = await openFromNode(
      await connection(
        afterLogin((socket) =>
          socket.write(Buffer.concat([settingsApplied, parseComplete, bindComplete, commandComplete(), readyForQuery])),
        ),
      ),
    );
    connectors.push(connector);
    const result = await connector.query(plain("SELECT 1"), { signal: new AbortController().signal, timeoutMs: 5000 });
    expect([result.columns, await drain(result)]).toEqual([[], []]);
  });

  it.each(SEEDS)("sends noise in the middle (%i)", async (seed) => {
    const noise = noiseOf(seed);
    const failure = await failureOfQuery((socket) => socket.end(Buffer.concat([started(dataRow("1")), noise])));
    expect(["UPSTREAM_PROTOCOL", "SOURCE_ERROR"]).toContain(failure.reason);
  });
});

it("waits for the cancel request for five seconds, not for ever", async () => {
  let connections = 0;
  const serve = (socket: Socket) => {
    if (++connections === 1) afterLogin(() => socket.write(started(dataRow("1"))))(socket);
  };
  const connector = await openFromNode(await connection(serve));
  const result = await connector.query(plain("SELECT 1"), { signal: new AbortController().signal, timeoutMs: 60_000 });
  await result.batches.next();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let closed = false;
    const closing = result.close().then(() => {
      closed = true;
    });
    // The cancel request is the second connection; nobody answers it.
    await expect.poll(() => connections).toBe(2);
    vi.advanceTimersByTime(4999);
    expect(closed).toBe(false);
    vi.advanceTimersByTime(1);
    await closing;
  } finally {
    vi.useRealTimers();
  }
  await connector.close();
});
