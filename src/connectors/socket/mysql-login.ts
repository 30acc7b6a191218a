/**
 * Login to a MySQL server: this file reads the greeting, the wire starts TLS, and the driver authenticates. After the login, the
 * driver is no longer used: commands and rows are handled in this directory, as they are pulled.
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
  /** The connection after the login. */
  readonly wire: Wire;
  readonly variant: Variant;
  /** MariaDB sends its own types with every column. */
  readonly hasExtendedTypes: boolean;
}

/**
 * A server sends little before the session begins; more bytes are not MySQL's protocol, and the driver would buffer all of them.
 */
const MAX_STARTUP_BYTES = 64 * 1024;

/**
 * `variantOf` derives the variant from the version in the greeting, and may reject it. Rejects with `ConnectorFailure`, or with
 * any error once the signal has fired. The wire cannot be used afterwards in any case.
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
  // The driver's own TLS would bypass the dialler.
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

/** Reads exactly the first packet: the server speaks first, then waits. */
async function readGreeting(wire: Wire): Promise<Greeting> {
  let bytes: Buffer = Buffer.alloc(0);
  for (;;) {
    const more = await wire.read();
    if (more === undefined) throw bytes.length === 0 ? closedEarly() : notMySql();
    bytes = Buffer.concat([bytes, asBuffer(more)]);
    // The first bytes reveal another protocol, whose length field must not be trusted.
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
  // Skips the connection id, eight bytes of the scramble and a filler.
  const capabilities = end + 1 + 4 + 8 + 1;
  if (bytes.length < capabilities + 2) throw notMySql();
  const flags = bytes.readUInt16LE(capabilities);
  // Before MySQL 4.1, which is not in use: its password hashes are reversible.
  if ((flags & SECURE_CONNECTION_CAPABILITY) === 0) throw notMySql();
  return { bytes, version, offersTls: (flags & SSL_CAPABILITY) !== 0 };
}

function wireTls(greeting: Greeting, wire: Wire, connection: MySqlServer): WireTls | undefined {
  const { tls, serverName, certificateAuthority } = connection;
  if (tls === "disable" || (tls === "prefer" && !greeting.offersTls)) return undefined;
  if (!greeting.offersTls) {
    // The text of the reference, which clients match (docs/spec/contract.md#mysqls-tls-modes).
    const message = `(2026, "SSL connection error: SSL is required but the server doesn't support it")`;
    throw new ConnectorFailure("TLS_UNTRUSTED", message, {
      hint: "Turn TLS on at the server, or set sslMode to DISABLED if the network is safe.",
    });
  }
  const asked = tls === "verify-identity" ? "name" : tls === "verify-ca" ? "chain" : "none";
  // A runtime that always verifies is stricter than the weaker modes (docs/decisions/0026-placement.md).
  return { serverName, verify: wire.alwaysVerifies ? "name" : asked, certificateAuthority, authorityMember: "sslCA" };
}

/**
 * Capabilities that the driver requests, reduced to the used ones. `LOCAL_FILES` would let a server request files of this
 * process; the others change the meaning of statements or the format of packets.
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
    // Only announces TLS: the wire performs the upgrade.
    ...(isEncrypted && { ssl: {} }),
    // Over TLS, no public key is requested.
    ...(!isEncrypted && !trustsServerKey && { authPlugins: WITHOUT_SERVER_KEY }),
  };
}

/** A man in the middle could present a key of his own and read the password. */
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

/** Resolves when the server has accepted the login. */
function begun(driver: Connection, stream: LoginStream): Promise<void> {
  return new Promise((resolve, reject) => {
    driver.once("connect", () => {
      stream.finish();
      resolve();
    });
    // Several listeners may report the same failure; there is no other listener.
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

/** The socket that the driver uses. */
class LoginStream extends EventEmitter {
  #wire: Wire;
  readonly #greeting: Buffer;
  readonly #tls: WireTls | undefined;
  #sent: Promise<void> = Promise.resolve();
  #upgrade: Promise<void> | undefined;
  #isOver = false;
  /** The reason for the end, if the wire or a certificate reports one. */
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

  /** Called while the driver handles the greeting: no other bytes have arrived, and no read is pending. */
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
    // The driver reuses its buffer.
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

  /** The session has begun: no more bytes are read for the driver. */
  finish(): void {
    this.#isOver = true;
  }

  /** Returns the wire to its next user. */
  release(): Wire {
    this.#isOver = true;
    this.removeAllListeners();
    // The driver may still emit errors when it ends.
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
