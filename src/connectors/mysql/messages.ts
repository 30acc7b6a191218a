/** Parses the server's packets of the command phase, except rows (MySQL internals, "Text Resultset", "COM_STMT_PREPARE"). */
import type { ServerError } from "./failures.ts";
import type { PacketReader } from "./packet-reader.ts";
import type { ColumnDefinition } from "./types.ts";

const OK = 0x00;
const EOF = 0xfe;
const ERROR = 0xff;
/** A longer packet with the same first byte is a row with a long first value. */
const LONGEST_EOF = 9;

export function isOk(packet: PacketReader): boolean {
  return packet.peek() === OK;
}

export function isError(packet: PacketReader): boolean {
  return packet.peek() === ERROR;
}

export function isEnd(packet: PacketReader): boolean {
  return packet.peek() === EOF && packet.length < LONGEST_EOF;
}

/** The number of warnings in the packet at the end of a result. */
export function readWarningCount(packet: PacketReader): number {
  packet.skip(1);
  return packet.uint16();
}

/** Before the session begins there is no SQLSTATE. */
export function readError(packet: PacketReader): ServerError {
  packet.skip(1);
  const number = packet.uint16();
  const rest = packet.rest();
  const [, state, message = rest] = /^#([0-9A-Z]{5})([\s\S]*)$/.exec(rest) ?? [];
  return { number, state: state ?? "", message };
}

export interface PreparedStatement {
  readonly id: number;
  readonly columns: number;
  readonly parameters: number;
}

export function readPrepared(packet: PacketReader): PreparedStatement {
  packet.skip(1);
  return { id: packet.uint32(), columns: packet.uint16(), parameters: packet.uint16() };
}

/** `isExtended`: MariaDB's own block about the type precedes the fixed fields. */
export function readColumnDefinition(packet: PacketReader, isExtended: boolean): ColumnDefinition {
  for (let skipped = 0; skipped < NAMES_BEFORE; skipped++) packet.skip(packet.lengthEncoded() ?? 0);
  const name = packet.text();
  packet.skip(packet.lengthEncoded() ?? 0);
  const extended = isExtended ? readExtended(packet) : undefined;
  packet.skip(1);
  return {
    name,
    extendedType: extended?.get(EXTENDED_TYPE),
    format: extended?.get(EXTENDED_FORMAT),
    collation: packet.uint16(),
    length: packet.uint32(),
    type: packet.uint8(),
    flags: packet.uint16(),
    decimals: packet.uint8(),
  };
}

/** Catalogue, schema, table, and the table's own name. */
const NAMES_BEFORE = 4;
const EXTENDED_TYPE = 0;
const EXTENDED_FORMAT = 1;

function readExtended(packet: PacketReader): ReadonlyMap<number, string> {
  const parts = new Map<number, string>();
  const end = packet.length - 1;
  const length = packet.lengthEncoded() ?? 0;
  const left = Math.max(0, end - length);
  while (packet.length > left) parts.set(packet.uint8(), packet.ascii());
  return parts;
}
