/** A session on a server that speaks MySQL's protocol: reaching it, its settings, ending what runs in it, using it again, leaving. */
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

/** Ending a statement that takes longer is not worth waiting for; the socket is closed in any case. */
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

/** The settings of a statement, as statements of ours. */
export interface AppliedSettings {
  /** Of all of them, without an answer. */
  readonly set: string;
  /** One row: the number of the connection, and then what `check` wants. */
  readonly readBack: string;
  readonly columns: number;
  /** Fails with `ConnectorFailure` where the server is not set as it should be. */
  readonly check: (row: readonly (string | null)[]) => void;
}

/** What servers of the protocol differ in. */
export interface SessionRules<Variant> {
  /** What a server is, by the version in its greeting. Fails with `ConnectorFailure` for one that is not supported. */
  readonly variantOf: (version: string) => Variant;
  readonly settings: (ofPlan: readonly SessionSetting[], variant: Variant, timeoutMs: number) => AppliedSettings;
  /** The server forgets a session's state when it is told to; where there is no such command, nothing but settings is left behind. */
  readonly forgets: boolean;
}

/** Fails with `ConnectorFailure`. `timeoutMs` covers reaching, encrypting and authenticating together. */
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
  /** What the server calls this connection, once it has said so. */
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

  /** Settings for the statements from now on; nothing is sent where they are what they were. Fails with `ConnectorFailure`. */
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

  /** A statement of ours that answers without rows. */
  async run(sql: string): Promise<void> {
    await this.packets.command(COMMANDS.query, sql);
    const answer = await this.packets.next();
    if (isError(answer)) throw statementFailure(readError(answer), undefined);
    if (!isOk(answer)) throw notMySql();
  }

  /** A statement of ours that answers with one row of so many columns, as texts. */
  async row(sql: string, columns: number): Promise<(string | null)[]> {
    const [row] = await this.rows(sql, columns, 1);
    if (row === undefined) throw notMySql();
    return row;
  }

  /** The same, of `most` rows. */
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
   * Ends the statement that runs, by a second connection, and this one with it. `KILL` of the connection, since a `KILL QUERY`
   * that overtakes its statement finds nothing to end, and the statement then runs on for nobody. Never throws.
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
      // The connection is closed in any case, and the server keeps the statement's time.
    }
  }

  /** Variables, temporary tables, locks and prepared statements; then the settings of the last user, whom the next one resembles. */
  async reset(): Promise<void> {
    const applied = this.#applied;
    this.#applied = undefined;
    await this.#ask(this.#rules.forgets ? COMMANDS.reset : COMMANDS.ping);
    if (applied !== undefined) await this.run(applied.set);
    this.#applied = applied;
    this.#listen();
  }

  async check(): Promise<void> {
    await this.#ask(COMMANDS.ping);
    this.#listen();
  }

  /** A server that goes away while nobody asks says so, or just goes: either way this is over. */
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
