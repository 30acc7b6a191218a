/** Reads a result of MySQL's protocol as it is pulled: shared by prepared statements and plain queries. */
import type { Batch, Column, Row } from "../../result/types.ts";
import { ConnectorFailure } from "../failure.ts";
import { notMySql, type ServerError } from "../mysql/failures.ts";
import { isEnd, isError, readColumnDefinition, readError, readWarningCount } from "../mysql/messages.ts";
import type { PacketReader } from "../mysql/packet-reader.ts";
import type { ColumnDefinition } from "../mysql/types.ts";
import type { MySqlSession } from "./mysql-session.ts";

/** A batch is returned at this size; the rows of one read may exceed it. */
const FULL_ROWS = 200;
const FULL_BYTES = 128 * 1024;
/** A server sends 16 KB at a time; such small batches cost more than their contents. */
const GATHER_MS = 2;

export abstract class MySqlAnswer<C extends Column> {
  protected readonly session: Pick<MySqlSession, "packets" | "hasExtendedTypes" | "rows">;
  protected readonly sql: string;
  protected columns: readonly C[] = [];
  #isOver = false;
  /** All rows have arrived, and the server reports warnings. */
  #isWarned = false;
  #isAnswered = false;

  constructor(session: MySqlAnswer<C>["session"], sql: string) {
    this.session = session;
    this.sql = sql;
  }

  protected abstract readRow(packet: PacketReader): Row;
  protected abstract failureOf(error: ServerError): ConnectorFailure;
  /** Called when all rows have arrived and the server reports warnings. */
  protected abstract heedWarnings(): Promise<void>;
  /** Called when the server has finished the statement. */
  protected released(): void {}

  /** The server has finished the statement: the session can take another. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The server has responded: the statement may have started. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  finish(): void {
    this.#isOver = true;
    this.released();
  }

  /** The first packet of an answer. */
  protected async answer(): Promise<PacketReader> {
    const packet = await this.session.packets.next();
    this.#isAnswered = true;
    if (isError(packet)) throw this.#failed(packet);
    return packet;
  }

  /** Reads this many column definitions, and the packet after them. */
  protected async definitions(count: number): Promise<readonly ColumnDefinition[]> {
    const { packets, hasExtendedTypes } = this.session;
    const read: ColumnDefinition[] = [];
    while (read.length < count) read.push(readColumnDefinition(await packets.next(), hasExtendedTypes));
    if (!isEnd(await packets.next())) throw notMySql();
    return read;
  }

  protected refused(message: string): ConnectorFailure {
    this.finish();
    return new ConnectorFailure("SOURCE_INVALID_SQL", message);
  }

  /**
   * The rows that have arrived, after a wait for at least one; `undefined` after the last. Rows that arrived before a failure are
   * returned first. Rejects with `SOURCE_ERROR` if the server warns that it truncated data.
   */
  async batch(): Promise<Batch | undefined> {
    const { packets } = this.session;
    const rows: Row[] = [];
    let bytes = 0;
    let deadline: number | undefined;
    while (!this.#isOver && !this.#isWarned && rows.length < FULL_ROWS && bytes < FULL_BYTES) {
      const packet = packets.take();
      if (packet !== undefined) {
        bytes += packet.length;
        if (!this.#takesRow(packet, rows)) break;
      } else if (rows.length === 0) {
        if (!(await packets.more())) throw notMySql();
      } else {
        deadline ??= Date.now() + GATHER_MS;
        if (!(await this.#gathers(deadline))) break;
      }
    }
    if (rows.length > 0) return rows;
    if (this.#isWarned) {
      this.#isWarned = false;
      await this.heedWarnings();
    }
    return undefined;
  }

  /** False at the end, and for an error that is reported after the rows before it. */
  #takesRow(packet: PacketReader, rows: Row[]): boolean {
    if (isEnd(packet)) {
      this.#isWarned = readWarningCount(packet) > 0;
      if (!this.#isWarned) this.finish();
      return false;
    }
    if (isError(packet)) {
      if (rows.length > 0) {
        this.session.packets.untake();
        return false;
      }
      throw this.#failed(packet);
    }
    rows.push(this.readRow(packet));
    return true;
  }

  /** Waits for more bytes, for a short time. */
  async #gathers(deadline: number): Promise<boolean> {
    const left = deadline - Date.now();
    if (left <= 0) return false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), left);
    });
    try {
      return await Promise.race([this.session.packets.more(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #failed(packet: PacketReader): ConnectorFailure {
    this.finish();
    return this.failureOf(readError(packet));
  }
}
