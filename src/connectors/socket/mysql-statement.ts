/**
 * One statement, prepared and then run: preparing takes one statement and no more, tells what would write by its having no
 * columns, and makes the values come in their binary form.
 */
import { Buffer } from "node:buffer";
import type { Batch, Column, Row, Value } from "../../result/types.ts";
import type { Statement } from "../connector.ts";
import { ConnectorFailure } from "../failure.ts";
import { notMySql, statementFailure } from "../mysql/failures.ts";
import { asMeant, inFullWidth } from "../mysql/meant-types.ts";
import {
  isEnd,
  isError,
  isOk,
  readColumnDefinition,
  readError,
  readPrepared,
  readWarningCount,
} from "../mysql/messages.ts";
import type { PacketReader } from "../mysql/packet-reader.ts";
import { type ColumnDefinition, type ColumnReader, columnReader } from "../mysql/types.ts";
import { incompleteBy, WARNINGS } from "../mysql/warnings.ts";
import { failureOfColumn } from "../unreadable-value.ts";
import { COMMANDS, type MySqlSession } from "./mysql-session.ts";

/** A batch goes out when it has this much; what a single read brought may go over it. */
const FULL_ROWS = 200;
const FULL_BYTES = 128 * 1024;
/** A server sends 16 KB at a time; batches so small cost more than what is in them. */
const GATHER_MS = 2;

interface ReadColumn extends Column, ColumnReader {}

export class MySqlStatement {
  readonly #session: MySqlSession;
  readonly #sql: string;
  #id: number | undefined;
  #columns: readonly ReadColumn[] = [];
  /** How many columns preparing has told. */
  #promised = 0;
  #isOver = false;
  /** All rows have come, and the server warns of something. */
  #isWarned = false;
  #isAnswered = false;

  constructor(session: MySqlSession, sql: string) {
    this.#session = session;
    this.#sql = sql;
  }

  /** The server has nothing more to say about it: the session could take another. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Something came back: it may have begun to run. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Fails with `SOURCE_INVALID_SQL` for what is no query, and for a column that cannot be read: it is not begun then. */
  async prepare(): Promise<void> {
    const { packets } = this.#session;
    await packets.command(COMMANDS.prepare, this.#sql);
    const answer = await this.#answer();
    if (!isOk(answer)) throw notMySql();
    const { id, columns, parameters } = readPrepared(answer);
    this.#id = id;
    this.#promised = columns;
    const definitions: ColumnDefinition[] = [];
    for (const [count, keep] of [
      [parameters, false],
      [columns, true],
    ] as const) {
      if (count === 0) continue;
      for (let read = 0; read < count; read++) {
        const definition = readColumnDefinition(await packets.next(), this.#session.hasExtendedTypes);
        if (keep) definitions.push(definition);
      }
      if (!isEnd(await packets.next())) throw notMySql();
    }
    if (columns === 0) throw this.#refused("Only queries are run: this statement has no result.");
    if (parameters > 0) throw this.#refused("The statement has parameters, and no values for them.");
    try {
      for (const definition of definitions) columnReader(definition);
    } catch (error) {
      this.finish();
      throw error;
    }
  }

  /** Found right, and not run. */
  finish(): void {
    this.#isOver = true;
    this.#release();
  }

  /** Resolves when the columns are known; `columns` is what the plan says of them. */
  async execute({ columns: meant, fenced }: Pick<Statement, "columns" | "fenced">): Promise<readonly Column[]> {
    const { packets } = this.#session;
    // No cursor, once, no values.
    const payload = Buffer.alloc(9);
    payload.writeUInt32LE(this.#id ?? 0, 0);
    payload.writeUInt32LE(1, 5);
    await packets.command(COMMANDS.execute, payload);
    const header = await this.#answer();
    const count = header.lengthEncoded();
    // What was promised when it was prepared: a count of the server's own could go on for ever.
    if (count !== this.#promised) throw notMySql();
    const definitions: ColumnDefinition[] = [];
    for (let read = 0; read < count; read++) {
      definitions.push(readColumnDefinition(await packets.next(), this.#session.hasExtendedTypes));
    }
    if (!isEnd(await packets.next())) throw notMySql();
    this.#columns = definitions.map((definition, index) => {
      const reading = asMeant(columnReader(definition), meant[index]?.type);
      return { name: definition.name, ...(fenced ? inFullWidth(reading) : reading) };
    });
    return this.#columns.map(({ name, type }) => ({ name, type }));
  }

  /**
   * The rows that have come, waiting for some; `undefined` after the last. Rows that came before a failure go out first.
   * Fails with `SOURCE_ERROR` where the server only warns that it cut something.
   */
  async batch(): Promise<Batch | undefined> {
    const { packets } = this.#session;
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
    if (this.#isWarned) await this.#heedWarnings();
    return undefined;
  }

  async #heedWarnings(): Promise<void> {
    this.#isWarned = false;
    const { sql, columns, kept } = WARNINGS;
    const warnings = await this.#session.rows(sql, columns, kept);
    this.finish();
    const failure = incompleteBy(warnings);
    if (failure !== undefined) throw failure;
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
        this.#session.packets.untake();
        return false;
      }
      throw this.#failed(packet);
    }
    rows.push(this.#readRow(packet));
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
      return await Promise.race([this.#session.packets.more(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** A zero, a bit for each column that says whether it is NULL, the values that are not. */
  #readRow(packet: PacketReader): Row {
    const columns = this.#columns;
    if (packet.uint8() !== 0) throw notMySql();
    const nulls = packet.skip((columns.length + 9) >> 3);
    const row: Value[] = [];
    for (let index = 0; index < columns.length; index++) {
      const bit = index + 2;
      const isNull = ((packet.bytes[nulls + (bit >> 3)] ?? 0) & (1 << (bit & 7))) !== 0;
      row.push(isNull ? null : readField(packet, columns[index] as ReadColumn));
    }
    if (packet.length !== 0) throw notMySql();
    return row;
  }

  async #answer(): Promise<PacketReader> {
    const packet = await this.#session.packets.next();
    this.#isAnswered = true;
    if (isError(packet)) throw this.#failed(packet);
    return packet;
  }

  #failed(packet: PacketReader): ConnectorFailure {
    this.finish();
    return statementFailure(readError(packet), this.#sql);
  }

  #refused(message: string): ConnectorFailure {
    this.finish();
    return new ConnectorFailure("SOURCE_INVALID_SQL", message);
  }

  /** The server forgets it, and says nothing. */
  #release(): void {
    if (this.#id === undefined) return;
    const payload = Buffer.alloc(4);
    payload.writeUInt32LE(this.#id, 0);
    this.#id = undefined;
    this.#session.packets.silentCommand(COMMANDS.closeStatement, payload);
  }
}

/** Fails with `SOURCE_ERROR` for a value that has no canonical form, naming the column and not the value. */
function readField(packet: PacketReader, { name, read }: ReadColumn): Value {
  try {
    return read(packet);
  } catch (error) {
    throw failureOfColumn(name, error, "text");
  }
}
