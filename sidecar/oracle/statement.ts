/** One statement: runs it or describes it; returns its columns, and its rows on demand. */
import type { ResultSet } from "oracledb";
import type { Statement } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { failureOfColumn } from "../../src/connectors/unreadable-value.ts";
import type { Batch, Column, Row } from "../../src/result/types.ts";
import type { OracleSession } from "./session.ts";
import { checkSingleQuery } from "./single-query.ts";
import { type ColumnReading, columnOf, widthOf } from "./types.ts";

/** Rows of one fetch: about this many bytes, and at most MOST_ROWS. */
const ANSWER_BYTES = 2 * 1024 * 1024;
const MOST_ROWS = 1000;

export class OracleStatement {
  readonly #session: OracleSession;
  readonly #sql: string;
  #isOver = false;
  #isAnswered = false;
  #rows: ResultSet | undefined;
  #columns: readonly ColumnReading[] = [];
  #count = MOST_ROWS;

  constructor(session: OracleSession, sql: string) {
    this.#session = session;
    this.#sql = sql;
  }

  /** The server has sent everything about the statement: the session can run another. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The server has answered: the statement may have begun to run. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Fails with `SOURCE_INVALID_SQL` for a text that is not a query, before it is sent. */
  check(): void {
    try {
      checkSingleQuery(this.#sql);
    } catch (error) {
      this.#isOver = true;
      throw error;
    }
  }

  /** Looks names and types up, without running anything. */
  async describe(): Promise<void> {
    await this.#step(async () => {
      const found = await this.#session.describe(this.#sql);
      this.#isAnswered = true;
      if (found.length === 0) throw noRows();
      for (const column of found) columnOf(column, undefined);
    });
    this.#isOver = true;
  }

  /** Resolves when the columns are known. */
  execute({ columns: meant }: Pick<Statement, "columns">): Promise<readonly Column[]> {
    return this.#step(async () => {
      await this.#session.begin();
      const rows = await this.#session.open(this.#sql);
      this.#isAnswered = true;
      this.#rows = rows;
      if (rows.metaData.length === 0) throw noRows();
      this.#columns = rows.metaData.map((column, index) => columnOf(column, meant[index]?.type));
      this.#count = Math.max(1, Math.min(MOST_ROWS, Math.floor(ANSWER_BYTES / widthOf(rows.metaData))));
      return this.#columns.map(({ name, type }) => ({ name, type }));
    });
  }

  /** The next rows; `undefined` after the last. */
  batch(): Promise<Batch | undefined> {
    return this.#step(async () => {
      if (this.#rows === undefined) return undefined;
      const found = await this.#session.fetch(this.#rows, this.#count, this.#sql);
      if (found.length > 0) return found.map((row) => this.#read(row));
      await this.#finish();
      return undefined;
    });
  }

  #read(row: readonly unknown[]): Row {
    return this.#columns.map(({ name, read }, index) => {
      const value = row[index];
      if (value === null || value === undefined) return null;
      try {
        return read(value);
      } catch (error) {
        throw failureOfColumn(name, error, "VARCHAR2 (by TO_CHAR)");
      }
    });
  }

  async #finish(): Promise<void> {
    this.#rows = undefined;
    this.#isOver = true;
    await this.#session.release();
  }

  /** A failed statement has ended on the server, too. */
  async #step<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.#finish();
      throw error;
    }
  }
}

function noRows(): ConnectorFailure {
  return new ConnectorFailure("SOURCE_INVALID_SQL", "Only queries are run: this has no result.");
}
