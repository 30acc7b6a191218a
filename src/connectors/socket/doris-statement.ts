/** One statement as a plain query, whose values come as texts: what every frontend of Doris takes. */
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

/** As many as a table may have, and some more. */
const MOST_COLUMNS = 10_000;

export class DorisStatement extends MySqlAnswer<TextColumn> {
  /** Resolves when the columns are known; `meant` is what the plan says of them. */
  execute({ columns: meant }: Pick<Statement, "columns">): Promise<readonly Column[]> {
    return this.#ask(this.sql, meant);
  }

  /** Plans it, and does not run it (https://doris.apache.org/docs/dev/sql-manual/sql-statements/data-query/EXPLAIN). */
  async describe(): Promise<void> {
    await this.#ask(`EXPLAIN ${this.sql}`, []);
    while ((await this.batch()) !== undefined);
  }

  async #ask(sql: string, meant: Statement["columns"]): Promise<readonly Column[]> {
    await this.session.packets.command(COMMANDS.query, sql);
    const header = await this.answer();
    if (isOk(header)) throw this.refused("Only queries are run: this statement has no result.");
    // No length is a wish for one of our files.
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

  /** It warns of nothing that would make an answer another one. */
  protected override async heedWarnings(): Promise<void> {
    this.finish();
  }
}
