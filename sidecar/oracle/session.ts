/** A session on an Oracle database: its settings, ending what runs in it, using it again, leaving. */
import type { Duplex } from "node:stream";
import type { Connection, Metadata, ResultSet } from "oracledb";
import type { Reusable } from "../../src/connectors/pooling.ts";
import { within } from "../../src/connectors/watch.ts";
import type { SessionSetting } from "../../src/planner/plan.ts";
import { oracleDriver } from "./driver.ts";
import { closedEarly, notOracle, statementFailure } from "./failures.ts";
import { type AppliedSettings, appliedSettings, checkApplied, MOST_SETTINGS } from "./session-settings.ts";
import { fetchType } from "./types.ts";

/** Maximum wait for a server to cancel a statement; then the socket is closed. */
const FAREWELL_MS = 5000;

/** Ends a transaction left open by an earlier query, then forbids writes: one round trip for both. */
const BEGIN = "BEGIN ROLLBACK; SET TRANSACTION READ ONLY; END;";

/** Package state belongs to the session and is reset; settings that functions could have changed are set again. */
const RESET = "BEGIN ROLLBACK; DBMS_SESSION.RESET_PACKAGE; END;";
const RESET_IDENTIFIED = "BEGIN ROLLBACK; DBMS_SESSION.RESET_PACKAGE; DBMS_SESSION.CLEAR_IDENTIFIER; END;";

export class OracleSession implements Reusable {
  readonly ended: Promise<unknown>;
  readonly #connection: Connection;
  readonly #stream: Duplex & { readonly failure?: unknown };
  readonly #hasEnded = Promise.withResolvers<void>();
  #isUsable = true;
  /** The call that is on its way: the driver takes one at a time. */
  #call: Promise<unknown> | undefined;
  #rows: ResultSet | undefined;
  #applied: AppliedSettings | undefined;

  constructor(connection: Connection, stream: Duplex & { readonly failure?: unknown }) {
    this.ended = this.#hasEnded.promise;
    this.#connection = connection;
    this.#stream = stream;
    stream.once("close", () => this.#end());
    if (stream.destroyed) this.#end();
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** Applies settings for later statements; sends nothing if they are unchanged. */
  async apply(ofPlan: readonly SessionSetting[]): Promise<void> {
    const wanted = appliedSettings(ofPlan);
    if (this.#applied?.block !== wanted.block) await this.#set(wanted);
  }

  async #set(wanted: AppliedSettings): Promise<void> {
    this.#applied = undefined;
    await this.#run(wanted.block);
    const rows = await this.open(wanted.readBack);
    checkApplied(wanted, await this.fetch(rows, MOST_SETTINGS));
    await this.release();
    this.#applied = wanted;
  }

  /** Nothing is written from now on, until `reset`. */
  begin(): Promise<void> {
    return this.#run(BEGIN);
  }

  /** A query's columns; rows are fetched on demand. */
  async open(sql: string): Promise<ResultSet> {
    const driver = await oracleDriver();
    const { resultSet } = await this.#asked(sql, () =>
      this.#connection.execute(sql, [], {
        resultSet: true,
        outFormat: driver.OUT_FORMAT_ARRAY,
        prefetchRows: 0,
        keepInStmtCache: false,
        fetchTypeHandler: (column) => fetchType(driver, column),
      }),
    );
    if (resultSet === undefined) throw notOracle();
    this.#rows = resultSet;
    return resultSet;
  }

  fetch(rows: ResultSet, count: number, sql?: string): Promise<unknown[][]> {
    return this.#asked(sql, () => rows.getRows(count));
  }

  async describe(sql: string): Promise<readonly Metadata[]> {
    const { metaData } = await this.#asked(sql, () => this.#connection.getStatementInfo(sql));
    return metaData ?? [];
  }

  /** Drops the remaining rows: the server learns it with the next message. */
  async release(): Promise<void> {
    const rows = this.#rows;
    this.#rows = undefined;
    await rows?.close();
  }

  /** A block of ours, which has no answer. */
  async #run(block: string): Promise<void> {
    await this.#asked(undefined, () => this.#connection.execute(block, [], {}));
  }

  async #asked<T>(sql: string | undefined, work: () => Promise<T>): Promise<T> {
    if (this.#call !== undefined || !this.#isUsable) throw closedEarly();
    const call = work();
    const settled = call.then(
      () => {},
      () => {},
    );
    this.#call = settled;
    try {
      return await call;
    } catch (error) {
      const failure = statementFailure(this.#stream.failure ?? error, sql);
      if (failure.reason === "UPSTREAM_PROTOCOL") this.#end();
      throw failure;
    } finally {
      if (this.#call === settled) this.#call = undefined;
    }
  }

  /**
   * Cancels the running statement: sends a break, waits for its acknowledgement, and closes open cursors. Closes the
   * session if that takes too long. Never throws.
   */
  async abandon(): Promise<void> {
    if (!this.#isUsable) return;
    try {
      await within({ milliseconds: FAREWELL_MS }, closedEarly, async () => {
        if (this.#call !== undefined) {
          await this.#connection.break();
          await this.#call;
        }
        await this.release();
        if (this.#isUsable) await this.#asked(undefined, () => this.#connection.rollback());
      });
    } catch {
      this.#end();
    }
  }

  /** Ends transactions and resets packages. The settings of the last user stay: the next user has the same ones. */
  async reset(): Promise<void> {
    await this.release();
    const last = this.#applied;
    // Values of the last caller's session are cleared, and not set again.
    const isClean = last !== undefined && last.identifier === undefined;
    await this.#run(isClean ? RESET : RESET_IDENTIFIED);
    await this.#set(isClean ? last : appliedSettings([]));
  }

  async check(): Promise<void> {
    await this.#asked(undefined, () => this.#connection.ping());
  }

  async close(): Promise<void> {
    this.#end();
  }

  /** Without a farewell: the server notices, and a connection that is stuck would not hear one. */
  #end(): void {
    this.#isUsable = false;
    this.#stream.destroy();
    this.#hasEnded.resolve();
  }
}
