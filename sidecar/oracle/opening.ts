/** Opens a connection to an Oracle database: a listener, its redirects, TLS if requested, and the login. */
import type { OracleConnection } from "../../src/connectors/connection/oracle.ts";
import { ConnectorFailure, cancelled } from "../../src/connectors/failure.ts";
import type { Dial, DialTarget } from "../../src/connectors/socket/wire.ts";
import { type Ending, within } from "../../src/connectors/watch.ts";
import { canonicalHost } from "../../src/guard/egress.ts";
import { connectBy, type DriverDial } from "./driver.ts";
import { notOracle, openingFailure } from "./failures.ts";
import { checkServer } from "./server-version.ts";
import { OracleSession } from "./session.ts";
import { WireStream } from "./wire-stream.ts";

export interface OpeningOptions {
  readonly dial: Dial;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Client facts sent to servers: nothing about the machine or its account. */
const US = { driverName: "siskin", machine: "siskin", osUser: "siskin", program: "siskin", terminal: "siskin" };

/** Fails with `ConnectorFailure`. `timeoutMs` covers reaching, being led elsewhere, encrypting and authenticating together. */
export async function openSession(connection: OracleConnection, options: OpeningOptions): Promise<OracleSession> {
  const { dial, timeoutMs, signal } = options;
  const { host, port, password } = connection;
  if (password === undefined) {
    const message = `The connection to ${host} has no password.`;
    throw new ConnectorFailure("AUTHENTICATION", message, {
      hint: "Give password: Siskin logs in to Oracle by user and password.",
    });
  }
  const givenUp = (ending: Ending): ConnectorFailure => {
    if (ending === "aborted") return cancelled(signal);
    return new ConnectorFailure("HOST_UNREACHABLE", `${host} port ${port} did not answer within ${timeoutMs} ms.`, {
      hint: "Check host and port, and that a firewall lets the connection through.",
    });
  };
  return within({ signal, milliseconds: timeoutMs }, givenUp, async (bounded) => {
    const line = new Line(dial, connection.isEncrypted, bounded);
    const onAbort = () => line.close();
    bounded.addEventListener("abort", onAbort, { once: true });
    try {
      const { user, certificateDn, matchesName } = connection;
      const own = await connectBy(line, {
        user,
        password: password.reveal(),
        connectString: descriptorOf(connection),
        stmtCacheSize: 0,
        sslServerDNMatch: matchesName,
        ...(certificateDn !== undefined && { sslServerCertDN: certificateDn }),
        ...US,
      });
      bounded.throwIfAborted();
      checkServer(own.oracleServerVersion);
      return new OracleSession(own, line.stream());
    } catch (error) {
      line.close();
      throw openingFailure(line.failure ?? error);
    } finally {
      bounded.removeEventListener("abort", onAbort);
    }
  });
}

/** The sockets of one connection: first the listener's, then those of its redirects. The last one stays. */
class Line implements DriverDial {
  readonly #dial: Dial;
  readonly #wantsTls: boolean;
  readonly #signal: AbortSignal;
  #stream: WireStream | undefined;
  #failure: unknown;

  constructor(dial: Dial, wantsTls: boolean, signal: AbortSignal) {
    this.#dial = dial;
    this.#wantsTls = wantsTls;
    this.#signal = signal;
  }

  get failure(): unknown {
    return this.#stream?.failure ?? this.#failure;
  }

  async open(target: DialTarget, isEncrypted: boolean): Promise<WireStream> {
    this.close();
    const host = canonicalHost(target.host);
    try {
      if (this.#wantsTls && !isEncrypted) {
        throw new ConnectorFailure("TLS_UNTRUSTED", "The listener leads from TLS to an address without.", {
          hint: "Let the database register its address of tcps with the listener.",
        });
      }
      if (host === undefined || !(target.port >= 1 && target.port <= 65_535)) throw notOracle();
      // Another failure is what counts from now on: a name may have several addresses.
      this.#failure = undefined;
      const wire = await this.#dial({ ...target, host, port: Number(target.port) }, { signal: this.#signal });
      this.#stream = new WireStream(wire);
      if (this.#signal.aborted) this.close();
      return this.#stream;
    } catch (error) {
      this.#failure = error;
      throw error;
    }
  }

  stream(): WireStream {
    if (this.#stream === undefined) throw notOracle();
    return this.#stream;
  }

  close(): void {
    this.#stream?.destroy();
  }
}

/** Made of parts that were checked (`connection/oracle.ts`): nothing in it is looked up in files or directories. */
function descriptorOf({ host, port, isEncrypted, database }: OracleConnection): string {
  const address = `(ADDRESS=(PROTOCOL=${isEncrypted ? "tcps" : "tcp"})(HOST=${host})(PORT=${port}))`;
  const target = database.by === "sid" ? `(SID=${database.name})` : `(SERVICE_NAME=${database.name})`;
  const instance = database.instance === undefined ? "" : `(INSTANCE_NAME=${database.instance})`;
  return `(DESCRIPTION=${address}(CONNECT_DATA=${target}${instance}))`;
}
