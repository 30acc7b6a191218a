/** PostgreSQL over a socket. */
import { CAPABILITIES } from "../capabilities.ts";
import { readPostgresCatalog } from "../catalog/postgres.ts";
import { connectionIdentity } from "../connection/connection.ts";
import { canonicalPostgresConnection, type PostgresConnection } from "../connection/postgres.ts";
import type { Connector, OpenOptions } from "../connector.ts";
import type { ConnectorHost } from "../host.ts";
import { settingsStatement } from "../postgres/session.ts";
import { openOnServer, type ServerKind } from "./postgres-connector.ts";
import { openSession } from "./postgres-session.ts";

const POSTGRES: ServerKind = {
  capabilities: CAPABILITIES.postgres,
  settings: settingsStatement,
  readCatalog: readPostgresCatalog,
};

/**
 * Resets settings, role, prepared statements, cursors, temporary objects, sequence values, subscriptions and advisory locks. The
 * server rejects it in an open transaction; a server that does not know it rejects it too.
 */
const FORGET_ALL = "DISCARD ALL";

/** Connects before it resolves, or takes a session of the host's pool. Rejects with `ConnectorFailure`. */
export function openPostgres(
  connection: PostgresConnection,
  { dial, connectTimeoutMs, pool }: Pick<ConnectorHost, "dial" | "connectTimeoutMs" | "pool">,
  { signal }: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  const timeoutMs = connection.connectTimeoutMs ?? connectTimeoutMs;
  const afterwards = pool === undefined ? undefined : FORGET_ALL;
  const access = {
    settings: connection.settings,
    identity: () => connectionIdentity(connection.source, canonicalPostgresConnection(connection)),
    open: () => openSession(connection, { dial, timeoutMs, signal, afterwards }),
  };
  return openOnServer(POSTGRES, access, pool, signal);
}
