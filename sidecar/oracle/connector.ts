/** Oracle Database, by its driver's thin mode. */
import { CAPABILITIES } from "../../src/connectors/capabilities.ts";
import { readOracleCatalog } from "../../src/connectors/catalog/oracle.ts";
import { connectionIdentity } from "../../src/connectors/connection/connection.ts";
import { canonicalOracleConnection, type OracleConnection } from "../../src/connectors/connection/oracle.ts";
import type { Connector, OpenOptions } from "../../src/connectors/connector.ts";
import type { ConnectionPool } from "../../src/connectors/pooling.ts";
import { openOnSession, type SessionKind } from "../../src/connectors/socket/session-connector.ts";
import type { Dial } from "../../src/connectors/socket/wire.ts";
import { ranOutOfTime } from "./failures.ts";
import { openSession } from "./opening.ts";
import type { OracleSession } from "./session.ts";
import { OracleStatement } from "./statement.ts";

export interface OracleHost {
  readonly dial: Dial;
  readonly connectTimeoutMs: number;
  readonly pool?: ConnectionPool;
}

const ORACLE: SessionKind<OracleSession, OracleStatement> = {
  capabilities: CAPABILITIES.oracle,
  readCatalog: readOracleCatalog,
  statement: (session, sql) => new OracleStatement(session, sql),
  prepare: async (own, session, statement) => {
    own.check();
    await session.apply(statement.session);
  },
  execute: (own, statement) => own.execute(statement),
  describe: (own) => own.describe(),
  // The server itself has no limit for a statement.
  graceMs: 0,
  ranOutOfTime,
};

/** Connects before it resolves, or takes a session of the host's pool. Fails with `ConnectorFailure`. */
export async function openOracle(
  connection: OracleConnection,
  { dial, connectTimeoutMs, pool }: OracleHost,
  { signal }: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  const timeoutMs = connection.connectTimeoutMs ?? connectTimeoutMs;
  const open = (): Promise<OracleSession> => openSession(connection, { dial, timeoutMs, signal });
  const identity = (): string => connectionIdentity(connection.source, canonicalOracleConnection(connection));
  return openOnSession(ORACLE, { identity, open }, pool, signal);
}
