/** A session on a server with MySQL's protocol: connecting, settings, ending statements, reuse and closing. */
import type { SessionSetting } from "../../planner/plan.ts";
import type { MySqlServer } from "../connection/mysql-server.ts";
import { ConnectorFailure, cancelled } from "../failure.ts";
import { notMySql, statementFailure } from "../mysql/failures.ts";
import { isEnd, isError, isOk, readColumnDefinition, readError } from "../mysql/messages.ts";
import type { Reusable } from "../pooling.ts";
import { type Ending, within } from "../watch.ts";
import { type LoggedIn, logIn } from "./mysql-login.ts";
import { MySqlPackets } from "./mysql-packets.ts";
import type { Dial, DialTarget } from "./wire.ts";

/** Maximum wait for ending a statement; the socket is closed in any case. */
const FAREWELL_MS = 5000;

/** Commands of the protocol. */
export const COMMANDS = {
  quit: 0x01,
  query: 0x03,
  ping: 0x0e,
  prepare: 0x16,
  execute: 0x17,
  closeStatement: 0x19,
  reset: 0x1f,
} as const;

export interface SessionOptions {
  readonly dial: Dial;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The settings of a statement, as SQL of the connector. */
export interface AppliedSettings {
  /** Sets all settings; it returns no rows. */
  readonly set: string;
  /** Returns one row: the connection id, and the values that `check` needs. */
  readonly readBack: string;
  readonly columns: number;
  /** They hold values of the caller's session. */
  readonly ofCaller?: boolean;
  /** Throws `ConnectorFailure` if the server does not have the required settings. */
  readonly check: (row: readonly (string | null)[]) => void;
}

/** Differences between servers of the protocol. */
export interface SessionRules<Variant> {
  /** The variant of a server, from the version in its greeting. Throws `ConnectorFailure` for an unsupported version. */
  readonly variantOf: (version: string) => Variant;
  readonly settings: (ofPlan: readonly SessionSetting[], variant: Variant, timeoutMs: number) => AppliedSettings;
  /** The server has a command that resets a session; without one, only settings remain from earlier statements. */
  readonly forgets: boolean;
}

/** Rejects with `ConnectorFailure`. `timeoutMs` covers connecting, encrypting and authenticating together. */
export function openSession<Variant>(
  connection: MySqlServer,
  rules: SessionRules<Variant>,
  options: SessionOptions,
): Promise<MySqlSession<Variant>> {
  return openAt({ host: connection.host, port: connection.port }, connection, rules, options);
}

async function openAt<Variant>(
  target: DialTarget,
  connection: MySqlServer,
  rules: SessionRules<Variant>,
  { dial, timeoutMs, signal }: SessionOptions,
): Promise<MySqlSession<Variant>> {
  const { host, port } = target;
  const givenUp = (ending: Ending): ConnectorFailure => {
    if (ending === "aborted") return cancelled(signal);
    return new ConnectorFailure("HOST_UNREACHABLE", `${host} port ${port} did not answer within ${timeoutMs} ms.`, {
      hint: "Check host and port, and that a firewall lets the connection through.",
    });
  };
  return within({ signal, milliseconds: timeoutMs }, givenUp, async (bounded) => {
    const wire = await dial(target, { signal: bounded });
    const onAbort = () => wire.close();
    bounded.addEventListener("abort", onAbort, { once: true });
    try {
      bounded.throwIfAborted();
      const loggedIn = await logIn(wire, connection, rules.variantOf, bounded);
      return new MySqlSession(connection, rules, loggedIn, dial, { host, port, peer: wire.peer });
    } catch (error) {
      wire.close();
      throw error;
    } finally {
      bounded.removeEventListener("abort", onAbort);
    }
  });
}

export class MySqlSession<Variant = unknown> implements Reusable {
  readonly packets: MySqlPackets;
  readonly variant: Variant;
  readonly hasExtendedTypes: boolean;
  readonly ended: Promise<unknown>;
  readonly #connection: MySqlServer;
  readonly #rules: SessionRules<Variant>;
  readonly #dial: Dial;
  readonly #target: DialTarget;
  readonly #hasEnded = Promise.withResolvers<void>();
  #isUsable = true;
  #applied: AppliedSettings | undefined;
  /** The server's id of this connection, once known. */
  #number: string | undefined;

  constructor(
    connection: MySqlServer,
    rules: SessionRules<Variant>,
    { wire, variant, hasExtendedTypes }: LoggedIn<Variant>,
    dial: Dial,
    target: DialTarget,
  ) {
    this.packets = new MySqlPackets(wire);
    this.variant = variant;
    this.hasExtendedTypes = hasExtendedTypes;
    this.ended = this.#hasEnded.promise;
    this.#connection = connection;
    this.#rules = rules;
    this.#dial = dial;
    this.#target = target;
  }

  get isUsable(): boolean {
    return this.#isUsable && !this.packets.isClosed;
  }

  /** Applies settings for the next statements; sends nothing if they are unchanged. Rejects with `ConnectorFailure`. */
  async apply(ofPlan: readonly SessionSetting[], timeoutMs: number): Promise<void> {
    const wanted = this.#rules.settings(ofPlan, this.variant, timeoutMs);
    if (wanted.set === this.#applied?.set) return;
    this.#applied = undefined;
    await this.run(wanted.set);
    const row = await this.row(wanted.readBack, wanted.columns);
    wanted.check(row);
    this.#number = /^\d{1,20}$/.test(row[0] ?? "") ? (row[0] ?? undefined) : undefined;
    this.#applied = wanted;
  }

  /** Runs a statement of the connector that returns no rows. */
  async run(sql: string): Promise<void> {
    await this.packets.command(COMMANDS.query, sql);
    const answer = await this.packets.next();
    if (isError(answer)) throw statementFailure(readError(answer), undefined);
    if (!isOk(answer)) throw notMySql();
  }

  /** Runs a statement of the connector that returns one row of this many columns, as texts. */
  async row(sql: string, columns: number): Promise<(string | null)[]> {
    const [row] = await this.rows(sql, columns, 1);
    if (row === undefined) throw notMySql();
    return row;
  }

  /** The same for up to `most` rows. */
  async rows(sql: string, columns: number, most: number): Promise<(string | null)[][]> {
    await this.packets.command(COMMANDS.query, sql);
    const header = await this.packets.next();
    if (isError(header)) throw statementFailure(readError(header), undefined);
    if (header.lengthEncoded() !== columns) throw notMySql();
    for (let read = 0; read < columns; read++) readColumnDefinition(await this.packets.next(), this.hasExtendedTypes);
    if (!isEnd(await this.packets.next())) throw notMySql();
    const rows: (string | null)[][] = [];
    for (;;) {
      const packet = await this.packets.next();
      if (isError(packet)) throw statementFailure(readError(packet), undefined);
      if (isEnd(packet)) return rows;
      if (rows.length === most) throw notMySql();
      rows.push(Array.from({ length: columns }, () => packet.nullableText()));
    }
  }

  /**
   * Ends the running statement by a second connection, and this connection with it. It uses `KILL` of the connection: a `KILL
   * QUERY` that arrives before its statement has no effect, and the statement would then run for nobody. Never throws.
   */
  async abandon(): Promise<void> {
    this.#end();
    const number = this.#number;
    if (number === undefined) return;
    try {
      const options = { dial: this.#dial, timeoutMs: FAREWELL_MS, signal: new AbortController().signal };
      const session = await openAt(this.#target, this.#connection, this.#rules, options);
      try {
        await within({ milliseconds: FAREWELL_MS }, notMySql, () => session.run(`KILL ${number}`));
      } finally {
        session.#end();
      }
    } catch {
      // The connection is closed in any case, and the server limits the statement's time.
    }
  }

  /**
   * Resets variables, temporary tables, locks and prepared statements, and then restores the settings of the last user, because
   * the next one probably needs the same.
   */
  async reset(): Promise<void> {
    const applied = this.#applied;
    this.#applied = undefined;
    await this.#ask(this.#rules.forgets ? COMMANDS.reset : COMMANDS.ping);
    // Values of the last caller's session are not set again.
    if (applied !== undefined && applied.ofCaller !== true) {
      await this.run(applied.set);
      this.#applied = applied;
    }
    this.#listen();
  }

  async check(): Promise<void> {
    await this.#ask(COMMANDS.ping);
    this.#listen();
  }

  /** A server that closes an idle connection may send a message before: in both cases the session is over. */
  #listen(): void {
    const { commands } = this.packets;
    const over = (): void => {
      if (this.packets.commands === commands) this.#end();
    };
    this.packets.more().then(over, over);
  }

  async #ask(command: number): Promise<void> {
    await this.packets.command(command);
    const answer = await this.packets.next();
    if (isError(answer)) throw statementFailure(readError(answer), undefined);
    if (!isOk(answer)) throw notMySql();
  }

  async close(): Promise<void> {
    if (this.isUsable) await this.packets.command(COMMANDS.quit).catch(() => {});
    this.#end();
  }

  #end(): void {
    this.#isUsable = false;
    this.packets.close();
    this.#hasEnded.resolve();
  }
}
