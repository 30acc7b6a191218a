/** An answer of rows by MySQL's protocol, read as they are pulled: what prepared statements and plain queries have in common. */
import type { Batch, Column, Row } from "../../result/types.ts";
import { ConnectorFailure } from "../failure.ts";
import { notMySql, type ServerError } from "../mysql/failures.ts";
import { isEnd, isError, readColumnDefinition, readError, readWarningCount } from "../mysql/messages.ts";
import type { PacketReader } from "../mysql/packet-reader.ts";
import type { ColumnDefinition } from "../mysql/types.ts";
import type { MySqlSession } from "./mysql-session.ts";

/** A batch goes out when it has this much; what a single read brought may go over it. */
const FULL_ROWS = 200;
const FULL_BYTES = 128 * 1024;
/** A server sends 16 KB at a time; batches so small cost more than what is in them. */
const GATHER_MS = 2;

export abstract class MySqlAnswer<C extends Column> {
  protected readonly session: Pick<MySqlSession, "packets" | "hasExtendedTypes" | "rows">;
  protected readonly sql: string;
  protected columns: readonly C[] = [];
  #isOver = false;
  /** All rows have come, and the server warns of something. */
  #isWarned = false;
  #isAnswered = false;

  constructor(session: MySqlAnswer<C>["session"], sql: string) {
    this.session = session;
    this.sql = sql;
  }

  protected abstract readRow(packet: PacketReader): Row;
  protected abstract failureOf(error: ServerError): ConnectorFailure;
  /** All rows have come, of which the server warns. */
  protected abstract heedWarnings(): Promise<void>;
  /** The server has nothing more to say. */
  protected released(): void {}

  /** The server has nothing more to say about it: the session could take another. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Something came back: it may have begun to run. */
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

  /** So many columns, and the packet behind them. */
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
   * The rows that have come, waiting for some; `undefined` after the last. Rows that came before a failure go out first.
   * Fails with `SOURCE_ERROR` where the server only warns that it cut something.
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

  /** False at the end, and for an error that waits until the rows before it have gone. */
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

  /** Waits for more bytes, but not for long. */
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
