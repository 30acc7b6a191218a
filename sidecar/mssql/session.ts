/** A session on a SQL Server: its settings, ending what runs in it, using it again, leaving. */
import type { ConnectorFailure } from "../../src/connectors/failure.ts";
import type { Reusable } from "../../src/connectors/pooling.ts";
import type { Wire } from "../../src/connectors/socket/wire.ts";
import { within } from "../../src/connectors/watch.ts";
import type { SessionSetting } from "../../src/planner/plan.ts";
import type { Row } from "../../src/result/types.ts";
import { type AnswerReader, MORE } from "./answer-reader.ts";
import { closedEarly, notTds, statementFailure } from "./failures.ts";
import { MESSAGES, packetsOf } from "./packets.ts";
import { RowReader } from "./rows.ts";
import { type AppliedSettings, appliedSettings, checkApplied, type ServerFacts } from "./session-settings.ts";
import { tokenOf } from "./token-stream.ts";
import { readToken, type Token } from "./tokens.ts";

/** A token, or a row with its values. */
export type Answer = Exclude<Token, { kind: "row" }> | { readonly kind: "row"; readonly row: Row };

/** Maximum wait for a server to cancel a statement; then the socket is closed. */
const FAREWELL_MS = 5000;

/** Size limit of tokens other than rows: an error's text has 64 KiB of characters. */
const MOST_TOKEN_BYTES = 1024 * 1024;
/** A token that is longer is not read again before half as much more of it has come. */
const LONG_TOKEN_BYTES = 64 * 1024;

/** Rows of an answer to a statement of ours. */
const MOST_ROWS = 2;

export class TdsSession implements Reusable {
  readonly reader: AnswerReader;
  readonly ended: Promise<unknown>;
  readonly #wire: Wire;
  readonly #packetBytes: number;
  readonly #hasEnded = Promise.withResolvers<void>();
  #isUsable = true;
  #messages = 0;
  #isSending = false;
  /** Nothing is sent any more, and values are not read. */
  #isHalted = false;
  #rows: RowReader | undefined;
  /** The row being read, whose token has been read. */
  #row: { readonly isCompressed: boolean } | undefined;
  /** Number of bytes that must have arrived before an incomplete token is read again. */
  #tokenBytes = 0;
  #applied: { readonly settings: AppliedSettings; readonly facts: ServerFacts } | undefined;

  constructor(wire: Wire, reader: AnswerReader, packetBytes: number) {
    this.reader = reader;
    this.ended = this.#hasEnded.promise;
    this.#wire = wire;
    this.#packetBytes = packetBytes;
  }

  get isUsable(): boolean {
    return this.#isUsable;
  }

  /** The running statement was cancelled: `abandon` reads its answer. */
  get isHalted(): boolean {
    return this.#isHalted;
  }

  /** Applies settings for later statements; sends nothing if they are unchanged. */
  async apply(ofPlan: readonly SessionSetting[]): Promise<ServerFacts> {
    const wanted = appliedSettings(ofPlan);
    if (this.#applied?.settings.batch === wanted.batch) return this.#applied.facts;
    return this.#set(wanted, false);
  }

  async #set(wanted: AppliedSettings, resets: boolean): Promise<ServerFacts> {
    this.#applied = undefined;
    const { rows, wasReset } = await this.#run(wanted.batch, resets);
    const [row] = rows;
    if (row === undefined || (resets && !wasReset)) throw notTds();
    const facts = checkApplied(wanted, row);
    this.#applied = { settings: wanted, facts };
    return facts;
  }

  /** Begins a message; its answer is read by tokens. One packet is one record of TLS, as servers expect it. */
  async send(type: number, payload: Uint8Array, resets = false): Promise<void> {
    if (this.#isHalted) throw closedEarly();
    this.reader.begin();
    this.#messages++;
    this.#rows = undefined;
    this.#isSending = true;
    for (const packet of packetsOf(type, payload, this.#packetBytes, resets)) await this.#wire.write(packet);
    this.#isSending = false;
  }

  /** The next of the answer, waiting for it. */
  async next(): Promise<Answer> {
    for (;;) {
      const answer = this.take();
      if (answer !== undefined) return answer;
      await this.reader.more();
    }
  }

  /** The next of the answer, if all of it has come. */
  take(): Answer | undefined {
    if (this.#row === undefined) {
      if (this.reader.held < this.#tokenBytes && !this.reader.isWhole) return undefined;
      const token = tokenOf(this.reader, readToken);
      const { held } = this.reader;
      // A long token is not read from its beginning again for each of its packets.
      this.#tokenBytes = token === MORE && held > LONG_TOKEN_BYTES ? Math.min(held * 1.5, MOST_TOKEN_BYTES + 1) : 0;
      if (token === MORE) {
        if (held > MOST_TOKEN_BYTES) throw notTds();
        return undefined;
      }
      if (token.kind === "columns") this.#rows = new RowReader(token.columns);
      if (token.kind !== "row") return token;
      this.#row = token;
    }
    const rows = this.#rows;
    if (rows === undefined) throw notTds();
    const { isCompressed } = this.#row;
    const row = tokenOf(this.reader, (reader) =>
      this.#isHalted ? rows.pass(reader, isCompressed) : rows.read(reader, isCompressed),
    );
    if (row === MORE) return undefined;
    this.#row = undefined;
    return { kind: "row", row };
  }

  /** Runs an internal batch and returns its rows. */
  async #run(sql: string, resets = false): Promise<{ readonly rows: readonly Row[]; readonly wasReset: boolean }> {
    await this.send(MESSAGES.batch, batchOf(sql), resets);
    const rows: Row[] = [];
    let wasReset = false;
    let failure: ConnectorFailure | undefined;
    for (;;) {
      const answer = await this.next();
      if (answer.kind === "error") failure ??= statementFailure(answer.error, undefined);
      else if (answer.kind === "row") {
        if (rows.length === MOST_ROWS) throw notTds();
        rows.push(answer.row);
      } else if (answer.kind === "change" && answer.change.of === "reset") wasReset = true;
      else if (answer.kind === "done" && !answer.done.hasMore) {
        if (!this.reader.isOver) throw notTds();
        if (failure !== undefined) throw failure;
        return { rows, wasReset };
      }
    }
  }

  /**
   * Cancels the running statement: sends an attention and waits for its acknowledgement (MS-TDS §2.2.1.7), skipping
   * rows that were sent before. Closes the session if that takes too long; the session must be reset before its next
   * use. Never throws.
   */
  async abandon(): Promise<void> {
    this.#isHalted = true;
    // The last answer was read to its end and nothing is being sent: there is nothing to cancel.
    if (this.reader.isOver) return;
    try {
      // A message that is cut short could not be separated from the next one.
      if (this.#isSending) throw closedEarly();
      this.reader.interrupt();
      await within({ milliseconds: FAREWELL_MS }, closedEarly, async () => {
        const [packet = Buffer.alloc(0)] = packetsOf(MESSAGES.attention, new Uint8Array(), this.#packetBytes);
        await this.#wire.write(packet);
        await this.#passAll();
      });
    } catch {
      this.#end();
    }
  }

  async #passAll(): Promise<void> {
    for (;;) {
      // The statement had finished before the attention arrived: the acknowledgement is a separate message.
      if (this.reader.isOver) this.reader.begin();
      const answer = await this.next();
      if (answer.kind !== "done" || !answer.done.isAttention) continue;
      if (!this.reader.isOver) throw notTds();
      return;
    }
  }

  /**
   * Resets the session like `sp_reset_connection`: temporary tables, transactions, the database, settings. Then applies
   * the last user's settings, which the next user probably shares.
   */
  async reset(): Promise<void> {
    this.#isHalted = false;
    const last = this.#applied?.settings;
    // Values of the last caller's session are not set again.
    await this.#set(last === undefined || last.ofCaller.length > 0 ? appliedSettings([]) : last, true);
    this.#listen();
  }

  async check(): Promise<void> {
    await this.#run("SELECT 1");
    this.#listen();
  }

  /** A server may close an idle connection: the session then is over. */
  #listen(): void {
    const messages = this.#messages;
    const over = (): void => {
      if (this.#messages === messages) this.#end();
    };
    this.reader.arrival().then(over, over);
  }

  async close(): Promise<void> {
    this.#end();
  }

  #end(): void {
    this.#isUsable = false;
    this.#wire.close();
    this.#hasEnded.resolve();
  }
}

/** No transaction, and one message at a time (MS-TDS §2.2.5.3). */
const HEADERS = Buffer.alloc(22);
HEADERS.writeUInt32LE(22, 0);
HEADERS.writeUInt32LE(18, 4);
HEADERS.writeUInt16LE(2, 8);
HEADERS.writeUInt32LE(1, 18);

export function batchOf(sql: string): Buffer {
  return Buffer.concat([HEADERS, Buffer.from(sql, "utf16le")]);
}

const BY_NAME = [0, 0] as const;
const NVARCHAR = 0xe7;
const WITHOUT_BOUND = 0xffff;
const NO_COLLATION = 5;

/** A call of a procedure with one text (MS-TDS §2.2.6.6). */
export function callOf(procedure: string, parameter: string, value: string): Buffer {
  const text = Buffer.from(value, "utf16le");
  const name = Buffer.from(procedure, "utf16le");
  const parts = Buffer.alloc(2);
  parts.writeUInt16LE(procedure.length, 0);
  const type = Buffer.alloc(3 + NO_COLLATION);
  type[0] = NVARCHAR;
  type.writeUInt16LE(WITHOUT_BOUND, 1);
  // All of it in one chunk, and no more.
  const chunks = Buffer.alloc(12);
  chunks.writeBigUInt64LE(BigInt(text.length), 0);
  chunks.writeUInt32LE(text.length, 8);
  return Buffer.concat([
    HEADERS,
    parts,
    name,
    Buffer.from(BY_NAME),
    Buffer.from([parameter.length]),
    Buffer.from(parameter, "utf16le"),
    Buffer.from([0]),
    type,
    chunks,
    text,
    Buffer.alloc(text.length > 0 ? 4 : 0),
  ]);
}
