/** PostgreSQL over a socket. */
import { CAPABILITIES } from "../capabilities.ts";
import { readPostgresCatalog } from "../catalog/postgres.ts";
import { connectionIdentity } from "../connection/connection.ts";
import { canonicalPostgresConnection, type PostgresConnection } from "../connection/postgres.ts";
import type { Connector, OpenOptions } from "../connector.ts";
import type { ConnectorHost } from "../open-here.ts";
import { settingsStatement } from "../postgres/session.ts";
import { openOnServer, type ServerKind } from "./postgres-connector.ts";
import { openSession } from "./postgres-session.ts";

const POSTGRES: ServerKind = {
  capabilities: CAPABILITIES.postgres,
  settings: settingsStatement,
  readCatalog: readPostgresCatalog,
};

/**
 * Settings, role, prepared statements, cursors, temporary objects, sequences' values, subscriptions, advisory locks. The
 * server refuses it while a transaction is open, and what it does not know, it refuses as well.
 */
const FORGET_ALL = "DISCARD ALL";

/** Connects before it resolves, or takes a session of the host's pool. Fails with `ConnectorFailure`. */
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
