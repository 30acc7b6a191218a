/**
 * One statement in the extended protocol, in the form that the driver can submit: settings, Parse, Describe and, unless it is
 * only checked, Bind and Execute, all in one batch. Rows are read without a portal limit, which would prevent parallel plans: not
 * reading the socket makes the server wait.
 */
import pg from "pg";
import type { Batch, Column } from "../../result/types.ts";
import { ConnectorFailure } from "../failure.ts";
import { DataRows } from "../postgres/data-rows.ts";
import { statementFailure } from "../postgres/failures.ts";
import { FrameRows } from "../postgres/frame-rows.ts";
import type { ColumnReading, FieldDescription, ReadColumn, TextRow } from "../postgres/rows.ts";
import { type SettingsStatement, valueContext } from "../postgres/session.ts";
import type { ValueContext } from "../postgres/types.ts";
import type { PostgresSession } from "./postgres-session.ts";
import type { RowSink } from "./postgres-stream.ts";

/** Reading pauses when this much waits to be pulled; the rows of one read may exceed it. */
const HOLD_ROWS = 200;
const HOLD_BYTES = 128 * 1024;
/** A server sends 8 KB at a time; such small batches cost more than their contents. */
const GATHER_MS = 2;

interface RowDescription {
  readonly fields: readonly FieldDescription[];
}

export class PostgresStatement implements pg.Submittable, RowSink {
  readonly #sql: string;
  readonly #settings: SettingsStatement | undefined;
  readonly #reading: ColumnReading;
  readonly #checkOnly: boolean;
  readonly #session: Pick<PostgresSession, "stream" | "follow">;

  #context: ValueContext | undefined;
  #description: RowDescription | undefined;
  readonly #rows = new DataRows();
  #failure: ConnectorFailure | undefined;
  readonly #over = Promise.withResolvers<void>();
  #isOver = false;
  #isAnswered = false;
  #discards = false;
  #wake: (() => void) | undefined;
  #columns: readonly ReadColumn[] | undefined;
  #frames: FrameRows | undefined;

  readonly #onOver: () => void;

  /** `onOver` is called once, when the server has finished and the session can take another statement. */
  constructor(
    sql: string,
    settings: SettingsStatement | undefined,
    reading: ColumnReading,
    checkOnly: boolean,
    session: Pick<PostgresSession, "stream" | "follow">,
    onOver: () => void,
  ) {
    this.#sql = sql;
    this.#settings = settings;
    if (settings === undefined) this.#context = valueContext([]);
    this.#reading = reading;
    this.#checkOnly = checkOnly;
    this.#session = session;
    this.#onOver = onOver;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The server has responded to the statement: it may have started. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Resolves when the server has finished this statement. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  /** No more pulls follow: rows are dropped as they arrive, so that the end after them is read. */
  discard(): void {
    this.#discards = true;
    this.#rows.clear();
    this.#session.stream.resume();
  }

  /** Resolves when the columns are known. For array columns, this is when the first rows have arrived. */
  async columns(): Promise<readonly ReadColumn[]> {
    const { needsSample, readColumns } = this.#reading;
    await this.#until(() => {
      if (this.#isOver || this.#rows.count > 0) return true;
      return this.#description !== undefined && !needsSample(this.#description.fields);
    });
    const context = this.#context ?? valueContext([]);
    const fields = this.#description?.fields ?? [];
    this.#columns ??= readColumns(fields, context, needsSample(fields) ? this.#rows.texts(fields.length) : []);
    return this.#columns;
  }

  /** The rows that have arrived since the last call, after a wait for at least one; `undefined` after the last. */
  async batch(described: readonly Column[]): Promise<Batch | undefined> {
    const columns = await this.columns();
    await this.#until(() => this.#rows.count > 0 || this.#isOver);
    if (!this.#isFull && !this.#isOver) await this.#gather();
    if (this.#rows.count === 0) {
      // The statement may have been abandoned during the wait, and then these rows were not the last.
      if (this.#failure !== undefined) throw this.#failure;
      return undefined;
    }
    this.#frames ??= new FrameRows(described, columns);
    const batch = this.#frames.take(this.#rows);
    if (!this.#isFull) this.#session.stream.resume();
    return batch;
  }

  get #isFull(): boolean {
    return this.#rows.count >= HOLD_ROWS || this.#rows.byteLength >= HOLD_BYTES;
  }

  /** Waits for a full batch, for a short time. Rows that have arrived are returned before a failure. */
  async #gather(): Promise<void> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.#wake?.();
    }, GATHER_MS);
    while (!isLate && !this.#isFull && !this.#isOver && this.#failure === undefined) await this.#woken();
    clearTimeout(timer);
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Resolves when a statement that is only checked is valid. */
  async checked(): Promise<void> {
    await this.#until(() => this.#isOver);
  }

  /** Ends all current and future waits, unless the statement is over. The first failure is kept. */
  fail(failure: ConnectorFailure): void {
    if (!this.#isOver) this.#failure ??= failure;
    this.#wake?.();
  }

  /** Waits until `holds` is true; rows that arrived before a failure are returned before it. */
  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      if (this.#failure !== undefined) throw this.#failure;
      await this.#woken();
    }
    if (this.#failure !== undefined && this.#rows.count === 0) throw this.#failure;
  }

  submit(connection: pg.Connection): void {
    // The previous statement may have left rows that were not pulled.
    this.#session.stream.resume();
    if (this.#settings !== undefined) apply(this.#settings, connection);
    connection.parse({ name: "", text: this.#sql, types: [] }, true);
    if (this.#checkOnly) {
      connection.describe({ type: "S" }, true);
    } else {
      connection.bind({}, true);
      connection.describe({ type: "P" }, true);
      // Otherwise the server holds back the description until it has 8 KB of rows to send with it.
      connection.flush();
      connection.execute({}, true);
    }
    connection.sync();
    this.#session.follow(connection);
  }

  handleRowDescription(description: RowDescription): void {
    this.#isAnswered = true;
    this.#description = description;
    this.#session.stream.rows = this;
    this.#wake?.();
  }

  /** The row of the settings. Rows after the description are taken before the driver sees them. */
  handleDataRow({ fields }: { readonly fields: TextRow }): void {
    this.#isAnswered = true;
    this.#context = valueContext(fields);
  }

  beginRow(length: number): void {
    if (!this.#discards) this.#rows.begin(length);
  }

  addToRow(chunk: Uint8Array, from: number, to: number): void {
    if (!this.#discards) this.#rows.append(chunk, from, to);
  }

  finishRow(): void {
    if (this.#discards) return;
    this.#rows.finish();
    if (this.#isFull) this.#session.stream.hold();
    if (this.#rows.count === 1 || this.#isFull) this.#wake?.();
  }

  /** The ReadyForQuery that follows contains all that is needed. */
  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}

  /** Also called when the connection ends. The driver does not pass on the ReadyForQuery that follows an error. */
  handleError(error: unknown): void {
    this.fail(this.#asFailure(error));
    this.#end();
  }

  handleReadyForQuery(): void {
    this.#end();
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#session.stream.rows = undefined;
    this.#over.resolve();
    this.#wake?.();
    this.#onOver();
  }

  #asFailure(error: unknown): ConnectorFailure {
    if (error instanceof ConnectorFailure) return error;
    if (!(error instanceof pg.DatabaseError) || error.code === undefined) {
      return new ConnectorFailure(
        "UPSTREAM_PROTOCOL",
        "The server closed the connection before the answer was complete.",
        {
          cause: error,
        },
      );
    }
    const { message, code } = error;
    // Until the settings' row has arrived, only a setting of the connection can be invalid.
    if (this.#context === undefined && code.startsWith("22")) {
      return new ConnectorFailure("INVALID_CONNECTION", `The server refuses a session setting: ${message}`, {
        engineCode: code,
        hint: "Check the settings in kwargs.options.",
        cause: error,
      });
    }
    return statementFailure({ ...error, message, code }, this.#context === undefined ? undefined : this.#sql);
  }
}

function apply({ begin, sql, values }: SettingsStatement, connection: pg.Connection): void {
  if (begin !== undefined) {
    connection.parse({ name: "", text: begin, types: [] }, true);
    connection.bind({}, true);
    connection.execute({}, true);
  }
  connection.parse({ name: "", text: sql, types: [] }, true);
  connection.bind({ values: [...values] }, true);
  connection.execute({}, true);
}
