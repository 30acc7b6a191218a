/** User and database of the session: the LOGIN7 message (MS-TDS §2.2.6.4). */
import type { MsSqlConnection } from "../../src/connectors/connection/mssql.ts";

const TDS_7_4 = 0x74_00_00_04;
const TDS_8_0 = 0x08_00_00_00;

/** Requested packet size; servers accept it or return another. */
const PACKET_BYTES = 8000;

const FIXED_BYTES = 94;

/** This machine's byte order and character set, no bulk load; an unknown database or language is an error. */
const FLAGS_1 = 0xf0;
/** Starts with ANSI settings, like ODBC's sessions. */
const FLAGS_2 = 0x03;
const READ_ONLY_INTENT = 0x20;
/** The client accepts unknown collations; the message ends with features. */
const FLAGS_3 = 0x18;

/**
 * UTF-8 texts arrive as stored: otherwise the server would replace characters that the session's code page lacks by
 * `?`.
 */
const UTF8_SUPPORT = Buffer.from([0x0a, 1, 0, 0, 0, 1]);
const END_OF_FEATURES = 0xff;

/** `serverName` is the server as it was named. */
export function loginMessage(connection: MsSqlConnection, serverName: string): Buffer {
  const { user, password, database, encryption, readOnlyIntent } = connection;
  const fixed = Buffer.alloc(FIXED_BYTES);
  fixed.writeUInt32LE(encryption === "strict" ? TDS_8_0 : TDS_7_4, 4);
  fixed.writeUInt32LE(PACKET_BYTES, 8);
  fixed[24] = FLAGS_1;
  fixed[25] = FLAGS_2;
  fixed[26] = readOnlyIntent ? READ_ONLY_INTENT : 0;
  fixed[27] = FLAGS_3;

  const parts: Buffer[] = [];
  let at = FIXED_BYTES;
  const part = (slot: number, bytes: Buffer, count: number): void => {
    fixed.writeUInt16LE(at, slot);
    fixed.writeUInt16LE(count, slot + 2);
    parts.push(bytes);
    at += bytes.length;
  };
  const text = (slot: number, value: string): void => part(slot, Buffer.from(value, "utf16le"), value.length);
  const secret = password?.reveal() ?? "";

  text(36, "siskin");
  text(40, user);
  part(44, obscured(secret), secret.length);
  text(48, "siskin");
  text(52, serverName);
  // The offset of the features is stored behind a separate pointer.
  const pointer = Buffer.alloc(4);
  part(56, pointer, pointer.length);
  text(60, "siskin");
  text(64, "us_english");
  text(68, database);
  // No Windows login, no attached database file, no password change: these fields are empty.
  for (const slot of [78, 82, 86]) part(slot, Buffer.alloc(0), 0);
  pointer.writeUInt32LE(at, 0);
  parts.push(UTF8_SUPPORT, Buffer.from([END_OF_FEATURES]));
  const message = Buffer.concat([fixed, ...parts]);
  message.writeUInt32LE(message.length, 0);
  return message;
}

/** Swapped nibbles XOR a constant: it hides nothing, only TLS protects the password. */
function obscured(password: string): Buffer {
  const bytes = Buffer.from(password, "utf16le");
  for (const [index, byte] of bytes.entries()) bytes[index] = (((byte & 0x0f) << 4) | (byte >> 4)) ^ 0xa5;
  return bytes;
}
