/** Apache Doris over a socket: the query port of a frontend, by MySQL's protocol. */
import { CAPABILITIES } from "../capabilities.ts";
import { readDorisCatalog } from "../catalog/doris.ts";
import { connectionIdentity } from "../connection/connection.ts";
import { canonicalDorisConnection, type DorisConnection } from "../connection/doris.ts";
import type { Connector, OpenOptions } from "../connector.ts";
import { dorisSettings } from "../doris/session-settings.ts";
import { ConnectorFailure } from "../failure.ts";
import type { ConnectorHost } from "../host.ts";
import { checkFences } from "../mysql/fences.ts";
import { DorisStatement } from "./doris-statement.ts";
import { type MySqlSession, openSession, type SessionRules } from "./mysql-session.ts";
import { openOnSession, type SessionKind } from "./session-connector.ts";

/** The settings query returns the version, and `dorisSettings` checks it. */
const RULES: SessionRules<undefined> = {
  variantOf: () => undefined,
  settings: (ofPlan, _variant, timeoutMs) => dorisSettings(ofPlan, timeoutMs),
  forgets: false,
};

const DORIS: SessionKind<MySqlSession<undefined>, DorisStatement> = {
  capabilities: CAPABILITIES.doris,
  readCatalog: readDorisCatalog,
  check: (_session, statement) => checkFences(statement, false),
  statement: (session, sql) => new DorisStatement(session, sql),
  prepare: (_own, session, { session: settings }, timeoutMs) => session.apply(settings, timeoutMs),
  execute: (own, statement) => own.execute(statement),
  describe: (own) => own.describe(),
  // Doris' own limit is in whole seconds, and later than ours.
  graceMs: 0,
  ranOutOfTime: (timeoutMs) =>
    new ConnectorFailure("STATEMENT_TIMEOUT", `canceling statement due to statement timeout (${timeoutMs} ms)`),
};

/** Connects before it resolves, or takes a session of the host's pool. Rejects with `ConnectorFailure`. */
export async function openDoris(
  connection: DorisConnection,
  { dial, pool, connectTimeoutMs }: Pick<ConnectorHost, "dial" | "pool" | "connectTimeoutMs">,
  { signal }: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  const timeoutMs = connection.connectTimeoutMs ?? connectTimeoutMs;
  const open = (): Promise<MySqlSession<undefined>> => openSession(connection, RULES, { dial, timeoutMs, signal });
  const identity = (): string => connectionIdentity(connection.source, canonicalDorisConnection(connection));
  return openOnSession(DORIS, { identity, open }, pool, signal);
}
