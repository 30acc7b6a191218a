/** Redshift over a socket, by the protocol of PostgreSQL 8.0. */
import type { Secret } from "../../guard/secret.ts";
import { clusterLogin } from "../aws/cluster-login.ts";
import { CAPABILITIES } from "../capabilities.ts";
import { readRedshiftCatalog } from "../catalog/redshift.ts";
import { connectionIdentity } from "../connection/connection.ts";
import { canonicalRedshiftConnection, type RedshiftConnection } from "../connection/redshift.ts";
import type { Connector, OpenOptions } from "../connector.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import type { ConnectorHost } from "../host.ts";
import { listsOf } from "../redshift/lists.ts";
import { AFTERWARDS, redshiftSettings } from "../redshift/settings.ts";
import { within } from "../watch.ts";
import { openOnServer, type ServerKind } from "./postgres-connector.ts";
import { openSession } from "./postgres-session.ts";

const REDSHIFT: ServerKind = {
  capabilities: CAPABILITIES.redshift,
  settings: redshiftSettings,
  reading: listsOf,
  readCatalog: readRedshiftCatalog,
};

/** Connects before it resolves, or takes a session of the host's pool. Rejects with `ConnectorFailure`. */
export function openRedshift(
  connection: RedshiftConnection,
  { dial, fetch, connectTimeoutMs, pool }: Pick<ConnectorHost, "dial" | "fetch" | "connectTimeoutMs" | "pool">,
  { signal }: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  const timeoutMs = connection.connectTimeoutMs ?? connectTimeoutMs;
  const access = {
    settings: connection.settings,
    // Depends on the keys and not on the temporary password: a session outlives the password.
    identity: () => connectionIdentity(connection.source, canonicalRedshiftConnection(connection)),
    open: async () => {
      const server = await serverOf(connection, fetch, timeoutMs, signal);
      return openSession({ ...connection, ...server }, { dial, timeoutMs, signal, afterwards: AFTERWARDS });
    },
  };
  return openOnServer(REDSHIFT, access, pool, signal);
}

interface Server {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: Secret | undefined;
}

async function serverOf(
  connection: RedshiftConnection,
  fetch: typeof globalThis.fetch,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Server> {
  const { login, user } = connection;
  if (login.by === "password") return { ...login, user };
  return within(
    { signal, milliseconds: timeoutMs },
    (ending) => (ending === "aborted" ? cancelled(signal) : unanswered()),
    (asking) => clusterLogin(connection, login, fetch, asking),
  );
}

function unanswered(): ConnectorFailure {
  return new ConnectorFailure(
    "HOST_UNREACHABLE",
    "AWS did not answer in time where the cluster is, or who may log in.",
  );
}
