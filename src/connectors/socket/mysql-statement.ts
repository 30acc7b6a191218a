/**
 * Runs one statement, which is first prepared: PREPARE accepts only one statement, reveals a statement that writes by its missing
 * columns, and makes the server send binary values.
 */
import { Buffer } from "node:buffer";
import type { Column, Row, Value } from "../../result/types.ts";
import type { Statement } from "../connector.ts";
import type { ConnectorFailure } from "../failure.ts";
import { asListMeant } from "../json-lists.ts";
import { notMySql, type ServerError, statementFailure } from "../mysql/failures.ts";
import { asMeant, inFullWidth } from "../mysql/meant-types.ts";
import { isOk, readPrepared } from "../mysql/messages.ts";
import type { PacketReader } from "../mysql/packet-reader.ts";
import { type ColumnReader, columnReader } from "../mysql/types.ts";
import { incompleteBy, WARNINGS } from "../mysql/warnings.ts";
import { failureOfColumn } from "../unreadable-value.ts";
import { MySqlAnswer } from "./mysql-answer.ts";
import { COMMANDS } from "./mysql-session.ts";

interface ReadColumn extends Column, ColumnReader {}

export class MySqlStatement extends MySqlAnswer<ReadColumn> {
  #id: number | undefined;
  /** Number of columns that PREPARE reported. */
  #promised = 0;

  /**
   * Rejects with `SOURCE_INVALID_SQL` for a statement that is not a query, and for a column of an unreadable type; it is not
   * started then.
   */
  async prepare(): Promise<void> {
    await this.session.packets.command(COMMANDS.prepare, this.sql);
    const answer = await this.answer();
    if (!isOk(answer)) throw notMySql();
    const { id, columns, parameters } = readPrepared(answer);
    this.#id = id;
    this.#promised = columns;
    if (parameters > 0) await this.definitions(parameters);
    const definitions = columns > 0 ? await this.definitions(columns) : [];
    if (columns === 0) throw this.refused("Only queries are run: this statement has no result.");
    if (parameters > 0) throw this.refused("The statement has parameters, and no values for them.");
    try {
      for (const definition of definitions) columnReader(definition);
    } catch (error) {
      this.finish();
      throw error;
    }
  }

  /** Resolves when the columns are known; `columns` contains the columns of the plan. */
  async execute({ columns: meant, fenced }: Pick<Statement, "columns" | "fenced">): Promise<readonly Column[]> {
    // No cursor, one iteration, no parameters.
    const payload = Buffer.alloc(9);
    payload.writeUInt32LE(this.#id ?? 0, 0);
    payload.writeUInt32LE(1, 5);
    await this.session.packets.command(COMMANDS.execute, payload);
    const header = await this.answer();
    const count = header.lengthEncoded();
    // Must equal the number that PREPARE reported: an arbitrary number could make the loop endless.
    if (count !== this.#promised) throw notMySql();
    this.columns = (await this.definitions(count)).map((definition, index) => {
      const told = meant[index]?.type;
      const reading = asListMeant(asMeant(columnReader(definition), told), told);
      return { name: definition.name, ...(fenced ? inFullWidth(reading) : reading) };
    });
    return this.columns.map(({ name, type }) => ({ name, type }));
  }

  protected override async heedWarnings(): Promise<void> {
    const { sql, columns, kept } = WARNINGS;
    const warnings = await this.session.rows(sql, columns, kept);
    this.finish();
    const failure = incompleteBy(warnings);
    if (failure !== undefined) throw failure;
  }

  /** A zero byte, a NULL bit per column, the values that are not NULL. */
  protected override readRow(packet: PacketReader): Row {
    const { columns } = this;
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

  protected override failureOf(error: ServerError): ConnectorFailure {
    return statementFailure(error, this.sql);
  }

  /** The server frees the statement without an answer. */
  protected override released(): void {
    if (this.#id === undefined) return;
    const payload = Buffer.alloc(4);
    payload.writeUInt32LE(this.#id, 0);
    this.#id = undefined;
    this.session.packets.silentCommand(COMMANDS.closeStatement, payload);
  }
}

/** Throws `SOURCE_ERROR` for a value without a canonical form; the error names the column and not the value. */
function readField(packet: PacketReader, { name, read }: ReadColumn): Value {
  try {
    return read(packet);
  } catch (error) {
    throw failureOfColumn(name, error, "text");
  }
}
