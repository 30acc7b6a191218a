/**
 * The way into a MySQL server: its greeting, TLS by the wire's own means, and who we are by the driver. With the session
 * begun the driver has done its part: commands and rows are read here, as they are pulled.
 */
import { Buffer } from "node:buffer";
import { EventEmitter } from "node:events";
import { authPlugins, type Connection, type ConnectionOptions, createConnection } from "mysql2";
import type { MySqlServer } from "../connection/mysql-server.ts";
import { ConnectorFailure } from "../failure.ts";
import { closedEarly, notMySql, type ServerError, startupFailure } from "../mysql/failures.ts";
import { isError, readError } from "../mysql/messages.ts";
import { asBuffer, PacketReader } from "../mysql/packet-reader.ts";
import type { Wire, WireTls } from "./wire.ts";

export interface LoggedIn<Variant> {
  /** What is spoken over from now on. */
  readonly wire: Wire;
  readonly variant: Variant;
  /** MariaDB tells its own types with every column. */
  readonly hasExtendedTypes: boolean;
}

/** Until the session begins a server has little to say; more is not MySQL, and the driver would keep it all. */
const MAX_STARTUP_BYTES = 64 * 1024;

/**
 * `variantOf` says what a server is by the version in its greeting, and may refuse it. Fails with `ConnectorFailure`, or at all once the
 * signal has fired. The wire is used up, whatever comes of it.
 */
export async function logIn<Variant>(
  wire: Wire,
  connection: MySqlServer,
  variantOf: (version: string) => Variant,
  signal: AbortSignal,
): Promise<LoggedIn<Variant>> {
  const greeting = await readGreeting(wire);
  const variant = variantOf(greeting.version);
  const tls = wireTls(greeting, wire, connection);
  const stream = new LoginStream(wire, greeting.bytes, tls);
  const driver = createConnection(driverOptions(connection, stream, tls !== undefined));
  // The driver would bring its own TLS, which knows nothing of dials.
  (driver as unknown as Upgradable).startTLS = (done) => stream.startTls(done);
  const onAbort = () => stream.destroy();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await begun(driver, stream);
    signal.throwIfAborted();
  } catch (error) {
    stream.release().close();
    throw stream.failure ?? logInFailure(error, connection);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  const { _mariadbExtendedMetadata: hasExtendedTypes } = driver as unknown as { _mariadbExtendedMetadata: boolean };
  return { wire: stream.release(), variant, hasExtendedTypes };
}

interface Upgradable {
  startTLS: (done: (error?: unknown) => void) => void;
}

interface Greeting {
  readonly bytes: Buffer;
  readonly version: string;
  readonly offersTls: boolean;
}

const PROTOCOL_VERSION = 10;
const ERROR = 0xff;
const SSL_CAPABILITY = 0x08_00;
const SECURE_CONNECTION_CAPABILITY = 0x80_00;

/** The first packet, and nothing behind it: the server speaks first, then waits. */
async function readGreeting(wire: Wire): Promise<Greeting> {
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const more = await wire.read();
    if (more === undefined) throw bytes.length === 0 ? closedEarly() : notMySql();
    bytes = Buffer.concat([bytes, asBuffer(more)]);
    // Whoever speaks something else is told by the first bytes, and not believed a length.
    if (bytes.length > MAX_STARTUP_BYTES || (bytes.length > 3 && bytes[3] !== 0)) throw notMySql();
    if (bytes.length < 5) continue;
    if (bytes[4] !== PROTOCOL_VERSION && bytes[4] !== ERROR) throw notMySql();
    const length = bytes.readUIntLE(0, 3);
    if (length > MAX_STARTUP_BYTES || length === 0) throw notMySql();
    if (bytes.length < 4 + length) continue;
    if (bytes.length > 4 + length) throw notMySql();
    return parseGreeting(bytes);
  }
}

function parseGreeting(bytes: Buffer): Greeting {
  const packet = new PacketReader(bytes, 4);
  if (isError(packet)) throw startupFailure(readError(packet));
  packet.skip(1);
  const end = bytes.indexOf(0, 5);
  if (end < 0) throw notMySql();
  const version = bytes.toString("latin1", 5, end);
  // The connection's number, eight bytes of the scramble and a filler.
  const capabilities = end + 1 + 4 + 8 + 1;
  if (bytes.length < capabilities + 2) throw notMySql();
  const flags = bytes.readUInt16LE(capabilities);
  // Before 4.1, which nobody has: its passwords are proven by what can be turned back.
  if ((flags & SECURE_CONNECTION_CAPABILITY) === 0) throw notMySql();
  return { bytes, version, offersTls: (flags & SSL_CAPABILITY) !== 0 };
}

function wireTls(greeting: Greeting, wire: Wire, connection: MySqlServer): WireTls | undefined {
  const { tls, serverName, certificateAuthority } = connection;
  if (tls === "disable" || (tls === "prefer" && !greeting.offersTls)) return undefined;
  if (!greeting.offersTls) {
    // The words of the reference, which clients look for (contract §2.5).
    const message = `(2026, "SSL connection error: SSL is required but the server doesn't support it")`;
    throw new ConnectorFailure("TLS_UNTRUSTED", message, {
      hint: "Turn TLS on there, or set sslMode to DISABLED if the network is safe.",
    });
  }
  const asked = tls === "verify-identity" ? "name" : tls === "verify-ca" ? "chain" : "none";
  // A runtime that always verifies makes more of the modes that ask for less (decisions C2).
  return { serverName, verify: wire.alwaysVerifies ? "name" : asked, certificateAuthority, authorityMember: "sslCA" };
}

/**
 * What the driver asks servers for is cut down to what is used. `LOCAL_FILES` would let a server ask for files of this
 * process; the rest changes what statements mean or what packets look like.
 */
const FLAGS = [
  "-FOUND_ROWS",
  "-ODBC",
  "-LOCAL_FILES",
  "-IGNORE_SPACE",
  "-MULTI_RESULTS",
  "-SESSION_TRACK",
  "-CLIENT_QUERY_ATTRIBUTES",
];

function driverOptions(connection: MySqlServer, stream: LoginStream, isEncrypted: boolean): ConnectionOptions {
  const { user, password, database, trustsServerKey } = connection;
  return {
    user,
    password: password?.reveal() ?? "",
    database,
    stream,
    charset: "UTF8MB4_BIN",
    flags: FLAGS,
    connectAttributes: { program_name: "siskin" },
    connectTimeout: 0,
    disableEval: true,
    // Only says that there is TLS: the upgrade is ours.
    ...(isEncrypted && { ssl: {} }),
    // With TLS no key is asked for.
    ...(!isEncrypted && !trustsServerKey && { authPlugins: WITHOUT_SERVER_KEY }),
  };
}

/** Somebody between could name a key of his own, and have the password. */
const WITHOUT_SERVER_KEY: NonNullable<ConnectionOptions["authPlugins"]> = {
  caching_sha2_password: authPlugins.caching_sha2_password({ onServerPublicKey: refuseKey }),
  sha256_password: authPlugins.sha256_password({ onServerPublicKey: refuseKey }),
};

function refuseKey(): never {
  throw new ConnectorFailure(
    "TLS_UNTRUSTED",
    "Without TLS the password would be encrypted with whatever key the server names.",
    { hint: "Use TLS (sslMode VERIFY_IDENTITY), or set sslMode to DISABLED if the network is safe." },
  );
}

/** Resolves when the server has let us in. */
function begun(driver: Connection, stream: LoginStream): Promise<void> {
  return new Promise((resolve, reject) => {
    driver.once("connect", () => {
      stream.finish();
      resolve();
    });
    // Each listener that fails tells again; nobody else listens.
    driver.on("error", reject);
    stream.once("close", () => reject(closedEarly()));
    stream.begin();
  });
}

function logInFailure(error: unknown, { password }: MySqlServer): ConnectorFailure {
  if (error instanceof ConnectorFailure) return error;
  const { errno, sqlState, sqlMessage, code, message } = error as Partial<Record<string, unknown>>;
  if (typeof errno === "number") {
    const told: ServerError = { number: errno, state: String(sqlState ?? ""), message: String(sqlMessage ?? message) };
    const failure = startupFailure(told);
    if (failure.reason !== "AUTHENTICATION" || password !== undefined) return failure;
    return new ConnectorFailure("AUTHENTICATION", failure.message, {
      engineCode: String(errno),
      hint: failure.hint ?? "Give the connection a password.",
      cause: error,
    });
  }
  if (code === "AUTH_SWITCH_PLUGIN_ERROR" || code === "MYSQL_CLEAR_PASSWORD_NOT_ENABLED") {
    return new ConnectorFailure(
      "AUTHENTICATION",
      "The server asks for a method of authentication that is not supported.",
      {
        hint: "Let the user have caching_sha2_password, or mysql_native_password on MariaDB.",
        cause: error,
      },
    );
  }
  return notMySql(error);
}

/** What the driver takes for its socket. */
class LoginStream extends EventEmitter {
  #wire: Wire;
  readonly #greeting: Buffer;
  readonly #tls: WireTls | undefined;
  #sent: Promise<void> = Promise.resolve();
  #upgrade: Promise<void> | undefined;
  #isOver = false;
  /** Why it ended, where the wire or a certificate says so. */
  failure: ConnectorFailure | undefined;

  constructor(wire: Wire, greeting: Buffer, tls: WireTls | undefined) {
    super();
    this.#wire = wire;
    this.#greeting = greeting;
    this.#tls = tls;
  }

  begin(): void {
    void this.#pump();
  }

  async #pump(): Promise<void> {
    let budget = MAX_STARTUP_BYTES;
    try {
      for (let bytes: Uint8Array | undefined = this.#greeting; bytes !== undefined; bytes = await this.#wire.read()) {
        budget -= bytes.byteLength;
        if (budget < 0) throw notMySql();
        this.emit("data", asBuffer(bytes));
        await this.#upgrade;
        if (this.#isOver) return;
      }
    } catch (error) {
      this.failure ??= error instanceof ConnectorFailure ? error : notMySql(error);
    }
    this.destroy();
  }

  /** Called while the greeting is taken: nothing else of the server's has come, and nothing is being read. */
  startTls(done: (error?: unknown) => void): void {
    const tls = this.#tls;
    if (tls === undefined) {
      done(notMySql());
      return;
    }
    this.#upgrade = this.#sent.then(async () => {
      this.#wire = await this.#wire.startTls(tls);
      this.#upgrade = undefined;
      done();
    });
  }

  write(bytes: Uint8Array, done?: (error?: Error) => void): boolean {
    // The driver fills the same bytes again.
    const copy = Uint8Array.from(bytes);
    this.#sent = this.#sent.then(() => this.#wire.write(copy));
    this.#sent.then(
      () => done?.(),
      (error) => {
        this.failure ??= error;
        this.destroy();
      },
    );
    return true;
  }

  /** The session has begun: nothing more is read for the driver. */
  finish(): void {
    this.#isOver = true;
  }

  /** The wire, for whoever speaks over it from now on. */
  release(): Wire {
    this.#isOver = true;
    this.removeAllListeners();
    // The driver may still tell of its end.
    this.on("error", () => {});
    return this.#wire;
  }

  end(): void {
    this.destroy();
  }

  destroy(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#wire.close();
    this.emit("close");
  }

  pause(): this {
    return this;
  }

  resume(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }
}
