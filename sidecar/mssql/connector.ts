/** SQL Server over TDS. */
import { CAPABILITIES } from "../../src/connectors/capabilities.ts";
import { readMsSqlCatalog } from "../../src/connectors/catalog/mssql.ts";
import { connectionIdentity } from "../../src/connectors/connection/connection.ts";
import { canonicalMsSqlConnection, type MsSqlConnection } from "../../src/connectors/connection/mssql.ts";
import type { Connector, OpenOptions } from "../../src/connectors/connector.ts";
import { msSqlVariantOf } from "../../src/connectors/mssql-level.ts";
import type { ConnectionPool } from "../../src/connectors/pooling.ts";
import { openOnSession, type SessionKind } from "../../src/connectors/socket/session-connector.ts";
import type { Dial } from "../../src/connectors/socket/wire.ts";
import { checkVariant } from "../../src/connectors/variants.ts";
import { ranOutOfTime } from "./failures.ts";
import { openSession } from "./opening.ts";
import { checkServer } from "./server-version.ts";
import type { TdsSession } from "./session.ts";
import { MsSqlStatement } from "./statement.ts";

export interface MsSqlHost {
  readonly dial: Dial;
  readonly connectTimeoutMs: number;
  readonly pool?: ConnectionPool;
}

const SQL_SERVER: SessionKind<TdsSession, MsSqlStatement> = {
  capabilities: CAPABILITIES.mssql,
  readCatalog: readMsSqlCatalog,
  statement: (session, sql) => new MsSqlStatement(session, sql),
  prepare: async (own, session, statement) => {
    own.check();
    const facts = await session.apply(statement.session);
    checkServer(facts);
    checkVariant(statement, msSqlVariantOf(facts.compatibility));
  },
  execute: (own, statement) => own.execute(statement),
  describe: (own) => own.describe(),
  // The server itself has no limit for a statement.
  graceMs: 0,
  ranOutOfTime,
};

/** Connects before it resolves, or takes a session of the host's pool. Fails with `ConnectorFailure`. */
export async function openMsSql(
  connection: MsSqlConnection,
  { dial, connectTimeoutMs, pool }: MsSqlHost,
  { signal }: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  const timeoutMs = connection.connectTimeoutMs ?? connectTimeoutMs;
  const open = (): Promise<TdsSession> => openSession(connection, { dial, timeoutMs, signal });
  const identity = (): string => connectionIdentity(connection.source, canonicalMsSqlConnection(connection));
  return openOnSession(SQL_SERVER, { identity, open }, pool, signal);
}
