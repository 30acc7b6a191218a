/** MySQL and MariaDB over a socket. */
import { CAPABILITIES } from "../capabilities.ts";
import { readMySqlCatalog } from "../catalog/mysql.ts";
import { connectionIdentity } from "../connection/connection.ts";
import { canonicalMySqlConnection, type MySqlConnection } from "../connection/mysql.ts";
import type { Connector, OpenOptions } from "../connector.ts";
import type { ConnectorHost } from "../host.ts";
import { silentPastTimeout } from "../mysql/failures.ts";
import { checkFences } from "../mysql/fences.ts";
import { appliedSettings, checkApplied } from "../mysql/session-settings.ts";
import { type MySqlVariant, variantOf } from "../mysql/variant.ts";
import { isOfCaller } from "../session-properties.ts";
import { checkVariant } from "../variants.ts";
import { type MySqlSession, openSession, type SessionRules } from "./mysql-session.ts";
import { MySqlStatement } from "./mysql-statement.ts";
import { openOnSession, type SessionKind } from "./session-connector.ts";

const RULES: SessionRules<MySqlVariant> = {
  variantOf,
  settings: (ofPlan, variant, timeoutMs) => {
    const texts = appliedSettings(ofPlan, variant, timeoutMs);
    return {
      ...texts,
      ofCaller: ofPlan.some(isOfCaller),
      columns: texts.settings.length + 1,
      check: (row) => checkApplied(texts, row),
    };
  },
  forgets: true,
};

const MYSQL: SessionKind<MySqlSession<MySqlVariant>, MySqlStatement> = {
  capabilities: CAPABILITIES.mysql,
  readCatalog: readMySqlCatalog,
  check: ({ variant }, statement) => {
    checkFences(statement, variant.isItself);
    checkVariant(statement, variant.isItself ? variant : undefined);
  },
  statement: (session, sql) => new MySqlStatement(session, sql),
  prepare: async (own, session, { session: settings }, timeoutMs) => {
    await session.apply(settings, timeoutMs);
    await own.prepare();
  },
  execute: (own, statement) => own.execute(statement),
  describe: async (own) => own.finish(),
  // The server enforces the time limit; the connector ends the statement when the server does not.
  graceMs: 1000,
  ranOutOfTime: silentPastTimeout,
};

/** Connects before it resolves, or takes a session of the host's pool. Rejects with `ConnectorFailure`. */
export async function openMySql(
  connection: MySqlConnection,
  host: ConnectorHost,
  { signal }: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  const timeoutMs = connection.connectTimeoutMs ?? host.connectTimeoutMs;
  const { dial, pool } = host;
  const open = (): Promise<MySqlSession<MySqlVariant>> => openSession(connection, RULES, { dial, timeoutMs, signal });
  const identity = (): string => connectionIdentity(connection.source, canonicalMySqlConnection(connection));
  return openOnSession(MYSQL, { identity, open }, pool, signal);
}
