/** Messages of a PostgreSQL server, for servers that are played. */

export function message(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(5);
  header.write(type, 0, "latin1");
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

const int16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
};
export const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const cstring = (text: string): Buffer => Buffer.from(`${text}\0`);

export const authenticationOk = message("R", int32(0));
export const authenticationRequest = (code: number, more: Buffer = Buffer.alloc(0)): Buffer =>
  message("R", Buffer.concat([int32(code), more]));
const backendKeyData = message("K", Buffer.concat([int32(4711), int32(42)]));
export const readyForQuery = message("Z", Buffer.from("I"));
export const parseComplete = message("1");
export const bindComplete = message("2");
export const commandComplete = (tag = "SELECT 1"): Buffer => message("C", cstring(tag));

/** Columns of type text. */
export function rowDescription(...names: string[]): Buffer {
  const fields = names.map((name) =>
    Buffer.concat([cstring(name), int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)]),
  );
  return message("T", Buffer.concat([int16(names.length), ...fields]));
}

export function dataRow(...values: (string | null)[]): Buffer {
  const fields = values.map((value) =>
    value === null ? int32(-1) : Buffer.concat([int32(Buffer.byteLength(value)), Buffer.from(value)]),
  );
  return message("D", Buffer.concat([int16(values.length), ...fields]));
}

export function errorResponse(code: string, text: string, severity = "ERROR"): Buffer {
  const fields = [
    ["S", severity],
    ["V", severity],
    ["C", code],
    ["M", text],
  ].map(([k, v]) => cstring(`${k}${v}`));
  return message("E", Buffer.concat([...fields, Buffer.from([0])]));
}

/** Everything up to the first statement. */
export const loggedIn = Buffer.concat([authenticationOk, backendKeyData, readyForQuery]);
/** The answer to the settings that go before every statement. */
export const settingsApplied = Buffer.concat([parseComplete, bindComplete, dataRow("C"), commandComplete()]);
