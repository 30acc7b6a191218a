/** Runs one statement as a plain query with text values, which every Doris frontend supports. */
import type { Column, Row } from "../../result/types.ts";
import type { Statement } from "../connector.ts";
import { dorisFailure } from "../doris/failures.ts";
import { dorisColumn } from "../doris/values.ts";
import type { ConnectorFailure } from "../failure.ts";
import { notMySql, type ServerError } from "../mysql/failures.ts";
import { isOk } from "../mysql/messages.ts";
import type { PacketReader } from "../mysql/packet-reader.ts";
import type { TextColumn } from "../mysql/text-values.ts";
import { failureOfColumn } from "../unreadable-value.ts";
import { MySqlAnswer } from "./mysql-answer.ts";
import { COMMANDS } from "./mysql-session.ts";

/** More than the column limit of a Doris table. */
const MOST_COLUMNS = 10_000;

export class DorisStatement extends MySqlAnswer<TextColumn> {
  /** Resolves when the columns are known; `meant` contains the columns of the plan. */
  execute({ columns: meant }: Pick<Statement, "columns">): Promise<readonly Column[]> {
    return this.#ask(this.sql, meant);
  }

  /** Plans the statement without running it (https://doris.apache.org/docs/dev/sql-manual/sql-statements/data-query/EXPLAIN). */
  async describe(): Promise<void> {
    await this.#ask(`EXPLAIN ${this.sql}`, []);
    while ((await this.batch()) !== undefined);
  }

  async #ask(sql: string, meant: Statement["columns"]): Promise<readonly Column[]> {
    await this.session.packets.command(COMMANDS.query, sql);
    const header = await this.answer();
    if (isOk(header)) throw this.refused("Only queries are run: this statement has no result.");
    // A missing length is a request for a local file, which is not granted.
    const count = header.lengthEncoded() ?? 0;
    if (count === 0 || count > MOST_COLUMNS || header.length !== 0) throw notMySql();
    this.columns = (await this.definitions(count)).map((definition, index) => dorisColumn(definition, meant[index]));
    return this.columns.map(({ name, type }) => ({ name, type }));
  }

  protected override readRow(packet: PacketReader): Row {
    const row = this.columns.map(({ name, read }) => {
      const bytes = packet.nullableData();
      if (bytes === undefined) return null;
      try {
        return read(bytes);
      } catch (error) {
        throw failureOfColumn(name, error, "STRING");
      }
    });
    if (packet.length !== 0) throw notMySql();
    return row;
  }

  protected override failureOf(error: ServerError): ConnectorFailure {
    return dorisFailure(error, this.sql);
  }

  /** No warning of Doris changes the meaning of an answer. */
  protected override async heedWarnings(): Promise<void> {
    this.finish();
  }
}
