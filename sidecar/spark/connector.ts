/** Spark over Spark Connect (https://spark.apache.org/docs/4.0.1/spark-connect-overview.html), from 3.5 on. */
import { CAPABILITIES } from "../../src/connectors/capabilities.ts";
import type { CatalogAnswers, CatalogRequest } from "../../src/connectors/catalog/types.ts";
import type { SparkConnection } from "../../src/connectors/connection/spark.ts";
import type { CallOptions, Connector, DryRunReport, OpenOptions, Statement } from "../../src/connectors/connector.ts";
import { cancelled } from "../../src/connectors/failure.ts";
import { sendableSql } from "../../src/connectors/sql-text.ts";
import type { SessionSetting } from "../../src/planner/plan.ts";
import type { ResultStream } from "../../src/result/types.ts";
import { readSparkCatalog } from "./catalog.ts";
import { type ChannelHost, openChannel, type SparkChannel } from "./channel.ts";
import { closed } from "./failures.ts";
import { checkFences } from "./fences.ts";
import type { Relation } from "./protocol.ts";
import { checkRelease, type Explained } from "./release.ts";
import { type SentSql, SparkSession } from "./session.ts";

/** Dials before it resolves; nothing is sent before the first statement. */
export async function openSpark(
  connection: SparkConnection,
  host: ChannelHost,
  { signal }: Pick<OpenOptions, "signal">,
): Promise<Connector> {
  return new SparkConnector(connection, await openChannel(connection, host, signal));
}

/** Settings that value readers and SQL semantics rely on, whatever the server's defaults. */
const FIXED: readonly SessionSetting[] = [
  { name: "spark.sql.session.timeZone", value: "UTC" },
  { name: "spark.sql.timestampType", value: "TIMESTAMP_LTZ" },
  { name: "spark.sql.ansi.enabled", value: "true" },
  // Names and strings are as the lexical rules of Spark say.
  { name: "spark.sql.ansi.doubleQuotedIdentifiers", value: "false" },
  { name: "spark.sql.ansi.enforceReservedKeywords", value: "false" },
  { name: "spark.sql.caseSensitive", value: "false" },
  { name: "spark.sql.parser.escapedStringLiterals", value: "false" },
];

/**
 * Not changeable by plans: otherwise a text with `${…}` would be replaced from the server's settings and environment.
 */
const LITERAL: SessionSetting = { name: "spark.sql.variable.substitute", value: "false" };

class SparkConnector implements Connector {
  readonly capabilities = CAPABILITIES.spark;
  readonly #connection: SparkConnection;
  readonly #channel: SparkChannel;
  readonly #sessions = new Set<SparkSession>();
  #closing: Promise<void> | undefined;

  constructor(connection: SparkConnection, channel: SparkChannel) {
    this.#connection = connection;
    this.#channel = channel;
  }

  async query(statement: Statement, options: CallOptions): Promise<ResultStream> {
    const { sent, root } = queryOf(statement);
    const session = this.#begin(options);
    try {
      const explained = await prepare(session, statement);
      return await session.query(sent, root, statement.columns).catch(explained);
    } catch (error) {
      void session.end(closed());
      throw error;
    }
  }

  async dryRun(statement: Statement, options: CallOptions): Promise<DryRunReport> {
    const { sent, root } = queryOf(statement);
    await this.#within(options, async (session) => {
      const explained = await prepare(session, statement);
      await session.analyze(sent, root).catch(explained);
    });
    return {};
  }

  catalog<K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    options: CallOptions,
  ): Promise<CatalogAnswers[K]> {
    return this.#within(options, async (session) => {
      await session.set([...FIXED, LITERAL]);
      return readSparkCatalog(session, request);
    });
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await Promise.all([...this.#sessions].map((session) => session.end(closed())));
      this.#channel.close();
    })();
    return this.#closing;
  }

  #begin(options: CallOptions): SparkSession {
    if (options.signal.aborted) throw cancelled(options.signal);
    if (this.#closing !== undefined) throw closed();
    const session = new SparkSession(this.#channel, this.#connection.user, options, (one) =>
      this.#sessions.delete(one),
    );
    this.#sessions.add(session);
    return session;
  }

  async #within<T>(options: CallOptions, work: (session: SparkSession) => Promise<T>): Promise<T> {
    const session = this.#begin(options);
    try {
      return await work(session);
    } finally {
      void session.end(closed());
    }
  }
}

async function prepare(session: SparkSession, statement: Statement): Promise<Explained> {
  await session.set(settingsOf(statement));
  // The meaning of a plan depends on settings; a statement without settings has the same meaning on every release.
  const explained = statement.session.length > 0 ? await checkRelease(session) : asItIs;
  if (statement.fenced === true) await checkFences(session);
  return explained;
}

const asItIs: Explained = (failure) => {
  throw failure;
};

function settingsOf({ session }: Statement): readonly SessionSetting[] {
  const settings = new Map([...FIXED, ...session, LITERAL].map((setting) => [setting.name, setting]));
  return [...settings.values()];
}

/**
 * Spark runs a command as soon as it is sent, even as a relation, and 3.5 even when asked for its schema. Parentheses
 * allow only a query: `WITH … INSERT` is grammatical, `(WITH … INSERT)` a syntax error (`SqlBaseParser.g4`: only a
 * query may begin with a parenthesis).
 */
function queryOf({ sql }: Statement): { readonly sent: SentSql; readonly root: Relation } {
  // The line's end ends a comment too.
  const query = `(${sendableSql(sql)}\n)`;
  return { sent: { sql, before: 1 }, root: { sql: { query } } };
}
