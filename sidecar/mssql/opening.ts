/** The way into a SQL Server: what both sides can do, TLS, who we are, and where the server sends us instead. */
import type { MsSqlConnection } from "../../src/connectors/connection/mssql.ts";
import { ConnectorFailure, cancelled } from "../../src/connectors/failure.ts";
import type { Dial, DialTarget, Wire, WireTls } from "../../src/connectors/socket/wire.ts";
import { type Ending, within } from "../../src/connectors/watch.ts";
import { canonicalHost } from "../../src/guard/egress.ts";
import { AnswerReader } from "./answer-reader.ts";
import { loginFailure, notTds, type ServerError } from "./failures.ts";
import { encrypted } from "./handshake-stream.ts";
import { loginMessage } from "./login.ts";
import { FIRST_PACKET_BYTES, MESSAGES, packetsOf, readMessage } from "./packets.ts";
import { ENCRYPTION, preloginMessage, readPrelogin } from "./prelogin.ts";
import { TdsSession } from "./session.ts";
import { nextToken } from "./token-stream.ts";
import { readToken, type Token } from "./tokens.ts";

export interface OpeningOptions {
  readonly dial: Dial;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Limit for the server's messages before the session begins; they are short. */
const MOST_PRELOGIN_BYTES = 4096;
const MOST_LOGIN_TOKENS = 256;
const MOST_LOGIN_BYTES = 64 * 1024;

/** A gateway leads to a server, and a listener to a replica: more is a circle. */
const MOST_ROUTES = 3;

/** Fails with `ConnectorFailure`. `timeoutMs` covers reaching, encrypting, authenticating and being led elsewhere together. */
export function openSession(connection: MsSqlConnection, options: OpeningOptions): Promise<TdsSession> {
  const { dial, timeoutMs, signal } = options;
  const { host, port } = connection;
  const givenUp = (ending: Ending): ConnectorFailure => {
    if (ending === "aborted") return cancelled(signal);
    return new ConnectorFailure("HOST_UNREACHABLE", `${host} port ${port} did not answer within ${timeoutMs} ms.`, {
      hint: "Check host and port, and that a firewall lets the connection through.",
    });
  };
  return within({ signal, milliseconds: timeoutMs }, givenUp, async (bounded) => {
    let target: DialTarget = { host, port };
    for (let routes = 0; routes <= MOST_ROUTES; routes++) {
      const outcome = await openAt(target, connection, dial, bounded);
      if (outcome instanceof TdsSession) return outcome;
      target = outcome;
    }
    throw new ConnectorFailure("UPSTREAM_PROTOCOL", "The server leads from one address to the next without an end.");
  });
}

/** Opens a session, or returns the server that this one routes to, which is dialled and checked like any other host. */
async function openAt(
  target: DialTarget,
  connection: MsSqlConnection,
  dial: Dial,
  signal: AbortSignal,
): Promise<TdsSession | DialTarget> {
  let wire = await dial(target, { signal });
  const onAbort = () => wire.close();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    signal.throwIfAborted();
    wire = await agreed(wire, target, connection);
    for (const packet of packetsOf(MESSAGES.login, loginMessage(connection, target.host), FIRST_PACKET_BYTES)) {
      await wire.write(packet);
    }
    const { route, packetBytes, reader } = await loggedIn(wire);
    if (route === undefined) return new TdsSession(wire, reader, packetBytes);
    wire.close();
    return routed(route);
  } catch (error) {
    wire.close();
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** The wire for the login. Without the requested encryption the connection fails. */
async function agreed(wire: Wire, target: DialTarget, connection: MsSqlConnection): Promise<Wire> {
  const { encryption, trustsCertificate, certificateName } = connection;
  const tls: WireTls = {
    serverName: certificateName ?? target.host,
    verify: trustsCertificate ? "none" : "name",
    certificateAuthority: undefined,
  };
  if (encryption === "strict") {
    const secure = await trusted(wire.startTls({ ...tls, protocol: "tds/8.0" }));
    await preloginOver(secure, ENCRYPTION.notSupported);
    return secure;
  }
  const wanted = encryption === "mandatory";
  const offered = await preloginOver(wire, wanted ? ENCRYPTION.on : ENCRYPTION.notSupported);
  const isOffered = offered === ENCRYPTION.on || offered === ENCRYPTION.required;
  if (wanted && !isOffered) {
    throw new ConnectorFailure("TLS_UNTRUSTED", "The server does not offer the TLS that is asked for.", {
      hint: "Turn TLS on at the server, or set Encrypt to no if the network is safe.",
    });
  }
  if (!wanted && isOffered) {
    throw new ConnectorFailure("TLS_UNTRUSTED", "The server takes connections over TLS only.", {
      hint: "Leave Encrypt out, or set it to yes.",
    });
  }
  return wanted ? trusted(encrypted(wire, tls)) : wire;
}

async function preloginOver(wire: Wire, encryption: number): Promise<number> {
  const [packet = Buffer.alloc(0)] = packetsOf(MESSAGES.prelogin, preloginMessage(encryption), FIRST_PACKET_BYTES);
  await wire.write(packet);
  return readPrelogin(await readMessage(() => wire.read(), MOST_PRELOGIN_BYTES));
}

/** With a hint of this source's. */
async function trusted(secure: Promise<Wire>): Promise<Wire> {
  try {
    return await secure;
  } catch (error) {
    if (!(error instanceof ConnectorFailure) || error.reason !== "TLS_UNTRUSTED") throw error;
    throw new ConnectorFailure("TLS_UNTRUSTED", error.message, {
      hint: "Give the sidecar the authority of the certificate (NODE_EXTRA_CA_CERTS), name what it is for with HostNameInCertificate, or set TrustServerCertificate to yes.",
      cause: error.cause,
    });
  }
}

interface LoggedIn {
  readonly route: { readonly host: string; readonly port: number } | undefined;
  readonly packetBytes: number;
  readonly reader: AnswerReader;
}

async function loggedIn(wire: Wire): Promise<LoggedIn> {
  const reader = new AnswerReader(wire);
  reader.begin();
  let isIn = false;
  let packetBytes = FIRST_PACKET_BYTES;
  let route: LoggedIn["route"];
  let failure: ServerError | undefined;
  for (let count = 0; count < MOST_LOGIN_TOKENS; count++) {
    const token: Token = await nextToken(reader, readToken, MOST_LOGIN_BYTES);
    if (token.kind === "error") failure ??= token.error;
    else if (token.kind === "login") isIn = true;
    else if (token.kind === "change" && token.change.of === "route") route = token.change;
    else if (token.kind === "change" && token.change.of === "packet size") packetBytes = token.change.bytes;
    else if (token.kind === "columns" || token.kind === "row") throw notTds();
    else if (token.kind === "done" && !token.done.hasMore) {
      if (failure !== undefined) throw loginFailure(failure);
      if (!isIn || !reader.isOver || !(packetBytes >= 512 && packetBytes <= 32_767)) throw notTds();
      return { route, packetBytes, reader };
    }
  }
  throw notTds();
}

/** An instance name follows a backslash; the port in the message is the instance's. */
function routed({ host, port }: { readonly host: string; readonly port: number }): DialTarget {
  const canonical = canonicalHost(host.replace(/\\.*/s, ""));
  if (canonical === undefined || port === 0) throw notTds();
  return { host: canonical, port };
}
