/** Tokens of an answer (MS-TDS §2.2.7), except the values of rows. */
import type { AnswerReader } from "./answer-reader.ts";
import { notTds, type ServerError } from "./failures.ts";
import { passValue, type ReadColumn } from "./rows.ts";
import { readColumnType } from "./types.ts";

export type Token =
  | { readonly kind: "columns"; readonly columns: readonly ReadColumn[] }
  /** The row's values follow the token. */
  | { readonly kind: "row"; readonly isCompressed: boolean }
  | { readonly kind: "error"; readonly error: ServerError }
  | { readonly kind: "change"; readonly change: Change }
  | { readonly kind: "done"; readonly done: Done }
  | { readonly kind: "login"; readonly version: readonly number[] }
  /** Ignored tokens. */
  | { readonly kind: "other" };

export type Change =
  | { readonly of: "packet size"; readonly bytes: number }
  | { readonly of: "route"; readonly host: string; readonly port: number }
  | { readonly of: "reset" }
  | { readonly of: "other" };

export interface Done {
  /** Another result of the same message follows. */
  readonly hasMore: boolean;
  readonly isError: boolean;
  /** Acknowledges the client's cancellation. */
  readonly isAttention: boolean;
}

const TOKENS = {
  returnStatus: 0x79,
  columns: 0x81,
  tableNames: 0xa4,
  columnInfo: 0xa5,
  order: 0xa9,
  error: 0xaa,
  info: 0xab,
  returnValue: 0xac,
  login: 0xad,
  features: 0xae,
  row: 0xd1,
  compressedRow: 0xd2,
  change: 0xe3,
  sessionState: 0xe4,
  done: 0xfd,
  doneProcedure: 0xfe,
  doneInProcedure: 0xff,
} as const;

const NO_COLUMNS = 0xffff;
/** A query has no more columns; a larger count from the server is rejected. */
const MOST_COLUMNS = 4096;
const END_OF_FEATURES = 0xff;

const OTHER: Token = { kind: "other" };

/** Throws `MORE` if the token is incomplete: the caller resets the reader's position. */
export function readToken(reader: AnswerReader): Token {
  const token = reader.uint8();
  switch (token) {
    case TOKENS.columns:
      return { kind: "columns", columns: readColumns(reader) };
    case TOKENS.row:
      return { kind: "row", isCompressed: false };
    case TOKENS.compressedRow:
      return { kind: "row", isCompressed: true };
    case TOKENS.error:
      return { kind: "error", error: readError(reader) };
    case TOKENS.change:
      return { kind: "change", change: readChange(reader) };
    case TOKENS.done:
    case TOKENS.doneProcedure:
    case TOKENS.doneInProcedure:
      return { kind: "done", done: readDone(reader) };
    case TOKENS.login:
      return { kind: "login", version: readLogin(reader) };
    case TOKENS.info:
    case TOKENS.order:
    case TOKENS.tableNames:
    case TOKENS.columnInfo:
      reader.skip(reader.uint16());
      return OTHER;
    case TOKENS.sessionState:
      reader.skip(reader.uint32());
      return OTHER;
    case TOKENS.returnStatus:
      reader.skip(4);
      return OTHER;
    case TOKENS.returnValue:
      reader.skip(2);
      reader.shortText();
      reader.skip(7);
      passValue(reader, readColumnType(reader));
      return OTHER;
    case TOKENS.features:
      for (let feature = reader.uint8(); feature !== END_OF_FEATURES; feature = reader.uint8()) {
        reader.skip(reader.uint32());
      }
      return OTHER;
  }
  throw notTds();
}

function readColumns(reader: AnswerReader): readonly ReadColumn[] {
  const count = reader.uint16();
  if (count === NO_COLUMNS) return [];
  if (count > MOST_COLUMNS) throw notTds();
  const columns: ReadColumn[] = [];
  for (let read = 0; read < count; read++) {
    // The type that a user gave it a name for, and what may be done with the column.
    reader.skip(6);
    const type = readColumnType(reader);
    columns.push({ ...type, name: reader.shortText() });
  }
  return columns;
}

function readError(reader: AnswerReader): ServerError {
  const { end, close } = bounded(reader);
  const number = reader.int32();
  const state = reader.uint8();
  const level = reader.uint8();
  const message = reader.longText();
  // The server and the procedure.
  reader.shortText();
  reader.shortText();
  const line = reader.uint32();
  close(end);
  return { number, state, level, message, line };
}

const CHANGES = { packetSize: 4, reset: 18, route: 20 } as const;

function readChange(reader: AnswerReader): Change {
  const { end } = bounded(reader);
  const type = reader.uint8();
  let change: Change = { of: "other" };
  if (type === CHANGES.packetSize) change = { of: "packet size", bytes: Number(reader.shortText()) };
  else if (type === CHANGES.reset) change = { of: "reset" };
  else if (type === CHANGES.route) {
    reader.skip(2);
    // TCP is the only protocol that a route may name.
    if (reader.uint8() !== 0) throw notTds();
    change = { of: "route", port: reader.uint16(), host: reader.longText() };
  }
  if (reader.at > end) throw notTds();
  reader.at = end;
  return change;
}

const DONE = { more: 0x01, error: 0x02, attention: 0x20, serverError: 0x100 } as const;

function readDone(reader: AnswerReader): Done {
  const status = reader.uint16();
  // The command, and its row count.
  reader.skip(2 + 8);
  return {
    hasMore: (status & DONE.more) !== 0,
    isError: (status & (DONE.error | DONE.serverError)) !== 0,
    isAttention: (status & DONE.attention) !== 0,
  };
}

/** The version of the program, as it counts it. */
function readLogin(reader: AnswerReader): readonly number[] {
  const { end, close } = bounded(reader);
  reader.skip(5);
  reader.shortText();
  const version = [reader.uint8(), reader.uint8(), reader.uint8() * 256 + reader.uint8()];
  close(end);
  return version;
}

/** A token that begins with its length. It is read only when complete. */
function bounded(reader: AnswerReader): { readonly end: number; readonly close: (end: number) => void } {
  const length = reader.uint16();
  const end = reader.skip(length) + length;
  reader.at = end - length;
  return {
    end,
    close: (expected) => {
      if (reader.at !== expected) throw notTds();
    },
  };
}
