/** A session on a PostgreSQL server: connecting, encrypting, authenticating, cancelling, closing. */
import { Buffer } from "node:buffer";
import pg from "pg";
import type { Secret } from "../../guard/secret.ts";
import type { PostgresOptions } from "../connection/postgres-options.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import type { Reusable } from "../pooling.ts";
import { notPostgres, startupFailure } from "../postgres/failures.ts";
import { type Ending, waitFor, within } from "../watch.ts";
import { PostgresChore } from "./postgres-chore.ts";
import { PostgresStream } from "./postgres-stream.ts";
import type { Dial, DialTarget, Wire, WireTls } from "./wire.ts";

/** Maximum wait for cancelling or closing; the socket is closed in any case. */
const FAREWELL_MS = 5000;
/** Pause between the first cancel request and the second; doubled each time up to the last. */
const FIRST_PAUSE_MS = 25;
const LAST_PAUSE_MS = 400;

export interface PostgresSession extends Reusable {
  /** The driver, authenticated and idle. */
  readonly client: pg.Client;
  readonly stream: PostgresStream;
  /** Submits a statement that calls `follow` after its own messages; one at a time. */
  submit(statement: pg.Submittable): void;
  /** Writes the messages that are sent together with a statement. */
  follow(connection: pg.Connection): void;
  /**
   * Ends the running statement by cancel requests over separate connections, then closes this one. `over` resolves when the
   * server has finished the statement. Never throws. A cancel request may still be in transit afterwards, so the session cannot
   * be used any more.
   */
  abandon(over: Promise<void>): Promise<void>;
}

export interface SessionOptions {
  readonly dial: Dial;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Sent after every statement, so that the next statement or user finds the session in its initial state. */
  readonly afterwards: string | undefined;
}

/** Server and login of a connection. */
export interface ServerLogin extends Pick<PostgresOptions, "tls" | "certificateAuthority" | "applicationName"> {
  /** Canonical (`guard/egress.ts`). */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: Secret | undefined;
}

/** Rejects with `ConnectorFailure`. `timeoutMs` covers connecting, encrypting and authenticating together. */
export async function openSession(
  connection: ServerLogin,
  { dial, timeoutMs, signal, afterwards }: SessionOptions,
): Promise<PostgresSession> {
  const { host, port } = connection;
  const givenUp = (ending: Ending): ConnectorFailure => {
    if (ending === "aborted") return cancelled(signal);
    return new ConnectorFailure("HOST_UNREACHABLE", `${host} port ${port} did not answer within ${timeoutMs} ms.`, {
      hint: "Check host and port, and that a firewall lets the connection through.",
    });
  };
  return within({ signal, milliseconds: timeoutMs }, givenUp, async (bounded) => {
    const wire = await dial(connection, { signal: bounded });
    const onAbort = () => wire.close();
    bounded.addEventListener("abort", onAbort, { once: true });
    try {
      bounded.throwIfAborted();
      const { wire: negotiated, tls } = await negotiateTls(wire, connection);
      const stream = new PostgresStream(negotiated);
      bounded.addEventListener("abort", () => stream.destroy(), { once: true });
      const client = await logIn(connection, stream);
      const target = { host, port, peer: wire.peer };
      return new Session(client, stream, afterwards, () => cancel(target, dial, tls, client));
    } catch (error) {
      wire.close();
      throw error;
    } finally {
      bounded.removeEventListener("abort", onAbort);
    }
  });
}

class Session implements PostgresSession {
  readonly client: pg.Client;
  readonly stream: PostgresStream;
  readonly ended: Promise<unknown>;
  readonly #afterwards: string | undefined;
  readonly #cancel: () => Promise<void>;
  #isUsable = true;
  /** The reset after the last statement. */
  #isReset: Promise<void> | undefined;

  constructor(client: pg.Client, stream: PostgresStream, afterwards: string | undefined, cancel: () => Promise<void>) {
    this.client = client;
    this.stream = stream;
    this.#afterwards = afterwards;
    this.#cancel = cancel;
    this.ended = new Promise((resolve) => {
      stream.once("close", resolve);
    });
    // A server that shuts down also notifies idle sessions.
    client.on("error", () => stream.destroy());
  }

  get isUsable(): boolean {
    return this.#isUsable && this.stream.writable;
  }

  async abandon(over: Promise<void>): Promise<void> {
    this.#isUsable = false;
    await cancelUntil(over, this.#cancel);
    this.stream.destroy();
  }

  /**
   * The reset is sent in the same write as the statement, so that it wakes up neither the server nor the connector; the driver
   * sends nothing more for it and only waits for its answer.
   */
  submit(statement: pg.Submittable): void {
    this.client.query(statement);
    if (this.#afterwards === undefined) return;
    this.#isReset = this.#run(new PostgresChore(this.stream, () => {}));
    this.#isReset.catch(() => {});
  }

  follow(connection: pg.Connection): void {
    if (this.#afterwards !== undefined) connection.query(this.#afterwards);
  }

  /** If the server rejects the reset, the session has state left and is closed. */
  reset(): Promise<void> {
    const reset = this.#isReset ?? this.#run(new PostgresChore(this.stream, (connection) => this.follow(connection)));
    this.#isReset = undefined;
    return reset;
  }

  check(): Promise<void> {
    return this.#run(new PostgresChore(this.stream, (connection) => connection.sync()));
  }

  async #run(chore: PostgresChore): Promise<void> {
    this.client.query(chore);
    await chore.done;
  }

  async close(): Promise<void> {
    this.#isUsable = false;
    if (this.stream.writable) await sayGoodbye(this.client, this.stream);
  }
}

/** `SSLRequest`: a length of 8 and the number 80877103. */
const SSL_REQUEST = new Uint8Array([0, 0, 0, 8, 4, 210, 22, 47]);

async function negotiateTls(wire: Wire, connection: ServerLogin): Promise<{ wire: Wire; tls: WireTls | undefined }> {
  if (connection.tls === "disable") return { wire, tls: undefined };
  await wire.write(SSL_REQUEST);
  const answer = await wire.read();
  const accepted = answer?.[0] === "S".charCodeAt(0);
  const declined = answer?.[0] === "N".charCodeAt(0);
  // More than one byte would be plain text that was injected before the encryption began (CVE-2021-23222).
  if (answer?.length !== 1 || (!accepted && !declined)) throw notPostgres();
  if (declined) {
    if (connection.tls === "prefer") return { wire, tls: undefined };
    throw new ConnectorFailure("TLS_UNTRUSTED", "The server does not offer TLS.", {
      hint: "Turn TLS on at the server, or set sslmode=disable if the network is safe.",
    });
  }
  const tls = wireTls(connection, wire);
  return { wire: await wire.startTls(tls), tls };
}

function wireTls({ host, tls, certificateAuthority }: ServerLogin, wire: Wire): WireTls {
  const asked = tls === "verify-full" ? "name" : tls === "verify-ca" ? "chain" : "none";
  return {
    serverName: host,
    // A runtime that always verifies is stricter than the weaker modes (docs/decisions/0026-placement.md).
    verify: wire.alwaysVerifies ? "name" : asked,
    certificateAuthority,
    authorityMember: "sslrootcert",
  };
}

async function logIn(connection: ServerLogin, stream: PostgresStream): Promise<pg.Client> {
  const client = new Driver(connection, stream);
  // The waiting code gets the failures; without a listener, the process would end.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    stream.destroy();
    throw logInFailure(error, connection);
  }
}

/** The driver, without access to environment variables and the password file of this process. */
class Driver extends pg.Client {
  readonly #startup: Readonly<Record<string, string>>;

  constructor({ host, port, user, database, password, applicationName }: ServerLogin, stream: PostgresStream) {
    super({
      host,
      port,
      user,
      database,
      // A function, because the driver looks for an empty password elsewhere.
      password: () => password?.reveal() ?? "",
      // The wire handles TLS.
      ssl: false,
      stream: (() => stream) as unknown as NonNullable<pg.ClientConfig["stream"]>,
    });
    this.#startup = { user, database, application_name: applicationName ?? "siskin" };
  }

  /** The driver's default would add the contents of `PGOPTIONS`; poolers reject unknown parameters. */
  getStartupConf(): Readonly<Record<string, string>> {
    return this.#startup;
  }
}

function logInFailure(error: unknown, { password }: ServerLogin): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  const { message, code } = error instanceof pg.DatabaseError ? error : { message: String(error), code: undefined };
  if (error instanceof pg.DatabaseError && code !== undefined) return startupFailure({ ...error, message, code });
  if (message.includes("SASL")) {
    return password === undefined
      ? new ConnectorFailure("AUTHENTICATION", "The server asks for a password and the connection has none.", {
          hint: "Give the connection a password.",
          cause: error,
        })
      : new ConnectorFailure("AUTHENTICATION", message.replace(/^Error: /, ""), { cause: error });
  }
  return new ConnectorFailure("UPSTREAM_PROTOCOL", "The server closed the connection before the session began.", {
    hint: "Check that host and port are those of a PostgreSQL server.",
    cause: error,
  });
}

/**
 * A cancel request that arrives before its statement finds an idle backend and does nothing, and the statement then runs for
 * nobody until its time-out: this happened to half of those whose caller left within 200 ms. So the request is repeated until the
 * server has ended the statement.
 */
async function cancelUntil(over: Promise<void>, request: () => Promise<void>): Promise<void> {
  let ended = false;
  const done = waitFor(over, { milliseconds: FAREWELL_MS }, tooLong)
    .catch(() => {})
    .then(() => {
      ended = true;
    });
  for (let pause = FIRST_PAUSE_MS; !ended; pause = Math.min(2 * pause, LAST_PAUSE_MS)) {
    await Promise.race([request(), done]);
    await waitFor(done, { milliseconds: pause }, tooLong).catch(() => {});
  }
}

/** Rejects a wait that was abandoned; never shown. */
function tooLong(): ConnectorFailure {
  return new ConnectorFailure("CANCELLED", "The server takes its time to end.");
}

/** `CancelRequest` for the backend of the session; the server closes the connection when it has processed the request. */
async function cancel(target: DialTarget, dial: Dial, tls: WireTls | undefined, client: pg.Client): Promise<void> {
  const { processID, secretKey } = client as unknown as { processID: number | null; secretKey: number | null };
  if (processID === null || secretKey === null) return;
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80877102, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  let wire: Wire | undefined;
  try {
    await within({ milliseconds: FAREWELL_MS }, tooLong, async (signal) => {
      wire = await dial(target, { signal });
      if (signal.aborted) return wire.close();
      if (tls !== undefined) {
        await wire.write(SSL_REQUEST);
        await wire.read();
        wire = await wire.startTls(tls);
      }
      await wire.write(request);
      await wire.read();
    });
  } catch {
    // The connection is closed in any case; a server that sends rows detects that.
  } finally {
    wire?.close();
  }
}

async function sayGoodbye(client: pg.Client, stream: PostgresStream): Promise<void> {
  try {
    await waitFor(client.end(), { milliseconds: FAREWELL_MS }, tooLong);
  } catch {
    // The server has closed the connection, or soon will.
  } finally {
    stream.destroy();
  }
}
