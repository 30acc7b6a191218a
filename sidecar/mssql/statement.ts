/** One statement: runs it or describes it; returns its columns, and its rows on demand. */
import type { Statement } from "../../src/connectors/connector.ts";
import { ConnectorFailure } from "../../src/connectors/failure.ts";
import { asListMeant } from "../../src/connectors/json-lists.ts";
import { failureOfColumn } from "../../src/connectors/unreadable-value.ts";
import type { Batch, Column, Row, Value } from "../../src/result/types.ts";
import { notTds, type ServerError, statementFailure } from "./failures.ts";
import { MESSAGES } from "./packets.ts";
import { type Answer, batchOf, callOf, type TdsSession } from "./session.ts";
import { checkSingleQuery } from "./single-query.ts";

/** A batch is sent when it has this many rows, or when the next row has not arrived yet. */
const FULL_ROWS = 200;
/** Time to gather rows: packets are small, and one batch per packet costs more than the wait. */
const GATHER_MS = 2;

/** A column of the answer, and what is read of its values besides: lists, which are sent as texts. */
interface ReadColumn extends Column {
  readonly list: ((text: Value) => Value) | undefined;
}

export class MsSqlStatement {
  readonly #session: TdsSession;
  readonly #sql: string;
  #isOver = false;
  #isAnswered = false;
  /** Thrown after the rows that came before it were sent. */
  #failure: ConnectorFailure | undefined;
  #columns: readonly ReadColumn[] = [];

  constructor(session: TdsSession, sql: string) {
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
    // https://learn.microsoft.com/en-us/sql/relational-databases/system-stored-procedures/sp-describe-first-result-set-transact-sql
    await this.#session.send(MESSAGES.rpc, callOf("sp_describe_first_result_set", "@tsql", this.#sql));
    let columns = 0;
    for (let answer = await this.#next(); !this.#isOver; answer = await this.#next()) {
      if (answer.kind === "row") columns++;
    }
    this.#fail();
    if (columns === 0) throw new ConnectorFailure("SOURCE_INVALID_SQL", "Only queries are run: this has no result.");
  }

  /** Resolves when the columns are known. */
  async execute({ columns: meant }: Pick<Statement, "columns">): Promise<readonly Column[]> {
    await this.#session.send(MESSAGES.batch, batchOf(this.#sql));
    for (;;) {
      const answer = await this.#next();
      if (answer.kind === "columns" && answer.columns.length > 0) {
        this.#columns = answer.columns.map(({ name, type }, index) => {
          const plain = { type, read: (value: Value): Value => value };
          const reading = asListMeant(plain, meant[index]?.type);
          return { name, type: reading.type, list: reading === plain ? undefined : reading.read };
        });
        return this.#columns.map(({ name, type }) => ({ name, type }));
      }
      if (!this.#isOver) continue;
      this.#fail();
      throw new ConnectorFailure("SOURCE_INVALID_SQL", "Only queries are run: this has no result.");
    }
  }

  /** The rows that have come, waiting for some; `undefined` after the last. Rows that came before a failure go out first. */
  async batch(): Promise<Batch | undefined> {
    const rows: Row[] = [];
    let deadline: number | undefined;
    while (!this.#isOver && rows.length < FULL_ROWS) {
      const answer = this.#take();
      if (answer === undefined) {
        deadline ??= rows.length === 0 ? undefined : Date.now() + GATHER_MS;
        if (!(await this.#more(deadline))) break;
      } else if (answer.kind === "row") rows.push(this.#read(answer.row));
      else if (answer.kind === "columns") throw notTds();
    }
    if (rows.length > 0) return rows;
    this.#fail();
    return undefined;
  }

  #read(row: Row): Row {
    if (this.#columns.every(({ list }) => list === undefined)) return row;
    return row.map((value, index) => {
      const { name = "", list } = this.#columns[index] ?? {};
      if (value === null || list === undefined) return value;
      try {
        return list(value);
      } catch (error) {
        throw failureOfColumn(name, error, "NVARCHAR(MAX)");
      }
    });
  }

  /** Waits for more bytes, until `deadline` if given. */
  async #more(deadline: number | undefined): Promise<boolean> {
    const { reader } = this.#session;
    if (deadline === undefined) {
      await reader.more();
      return true;
    }
    if (reader.takeArrived()) return true;
    const left = deadline - Date.now();
    if (left <= 0) return false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), left);
    });
    try {
      const hasCome = await Promise.race([reader.arrival(), late]);
      return hasCome && !this.#session.isHalted;
    } finally {
      clearTimeout(timer);
    }
  }

  async #next(): Promise<Answer> {
    const answer = await this.#session.next();
    this.#note(answer);
    return answer;
  }

  #take(): Answer | undefined {
    const answer = this.#session.take();
    if (answer !== undefined) this.#note(answer);
    return answer;
  }

  #note(answer: Answer): void {
    this.#isAnswered = true;
    if (answer.kind === "error") this.#heed(answer.error);
    if (answer.kind !== "done" || answer.done.hasMore) return;
    if (!this.#session.reader.isOver) throw notTds();
    if (answer.done.isError && this.#failure === undefined) {
      this.#failure = new ConnectorFailure("SOURCE_ERROR", "The statement failed, and the server does not say why.");
    }
    this.#isOver = true;
  }

  /** The first error is the cause; later ones only report that the statement failed. */
  #heed(error: ServerError): void {
    this.#failure ??= statementFailure(error, this.#sql);
  }

  #fail(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }
}
