/**
 * Messages of a SQL Server, as bytes: written from the protocol's description (MS-TDS §2.2), independently of the
 * connector.
 */

export const u8 = (...values: readonly number[]): Buffer => Buffer.from(values);
export const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
};
export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, value));
  return bytes;
};
export const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ""), "hex");
export const ucs2 = (text: string): Buffer => Buffer.from(text, "utf16le");
const shortText = (text: string): Buffer => Buffer.concat([u8(text.length), ucs2(text)]);
const longText = (text: string): Buffer => Buffer.concat([u16(text.length), ucs2(text)]);
const sized = (body: Buffer): Buffer => Buffer.concat([u16(body.length), body]);

/** SQL_Latin1_General_CP1_CI_AS. */
export const LATIN1 = hex("09 04 d0 00 34");
/** Latin1_General_100_CI_AS_SC_UTF8. */
export const UTF8 = hex("09 04 d0 24 00");

/** TYPE_INFO of what has a length of its own (MS-TDS §2.2.5.4). */
export const TYPES = {
  int: hex("26 04"),
  bigint: hex("26 08"),
  bit: hex("68 01"),
  nvarchar: Buffer.concat([hex("e7 40 1f"), LATIN1]),
  nvarcharMax: Buffer.concat([hex("e7 ff ff"), LATIN1]),
  varbinaryMax: hex("a5 ff ff"),
} as const;

export interface FakeColumn {
  readonly name: string;
  readonly type: Buffer;
}

export function columns(list: readonly FakeColumn[]): Buffer {
  const described = list.map(({ name, type }) => Buffer.concat([u32(0), u16(0x09), type, shortText(name)]));
  return Buffer.concat([u8(0x81), u16(list.length), ...described]);
}

export const row = (...values: readonly Buffer[]): Buffer => Buffer.concat([u8(0xd1), ...values]);

/** A row that says first which columns are NULL; their values are left out. */
export function compressedRow(...values: readonly (Buffer | null)[]): Buffer {
  const nulls = Buffer.alloc((values.length + 7) >> 3);
  values.forEach((value, index) => {
    if (value === null) nulls[index >> 3] = (nulls[index >> 3] as number) | (1 << (index & 7));
  });
  return Buffer.concat([u8(0xd2), nulls, ...values.filter((value) => value !== null)]);
}

export const NULL = { byte: u8(0), short: hex("ff ff"), max: hex("ff ff ff ff ff ff ff ff") } as const;

export const int = (value: number): Buffer => Buffer.concat([u8(4), u32(value)]);
export const nvarchar = (text: string): Buffer => sized(ucs2(text));
/** In chunks of so many bytes. */
export function max(bytes: Buffer, chunk = bytes.length): Buffer {
  const parts: Buffer[] = [u64(BigInt(bytes.length))];
  for (let at = 0; at < bytes.length; at += chunk) {
    const part = bytes.subarray(at, at + chunk);
    parts.push(u32(part.length), part);
  }
  return Buffer.concat([...parts, u32(0)]);
}

export const DONE = { final: 0x00, more: 0x01, error: 0x02, count: 0x10, attention: 0x20 } as const;
export const done = (status: number = DONE.final, count = 0n): Buffer =>
  Buffer.concat([u8(0xfd), u16(status), u16(0xc1), u64(count)]);
export const doneProcedure = (status: number = DONE.final): Buffer =>
  Buffer.concat([u8(0x79), u32(0), u8(0xfe), u16(status), u16(0xe0), u64(0n)]);

export interface FakeError {
  readonly number: number;
  readonly message: string;
  readonly level?: number;
  readonly state?: number;
  readonly line?: number;
}

export function error({ number, message, level = 16, state = 1, line = 1 }: FakeError): Buffer {
  const body = [u32(number), u8(state, level), longText(message), shortText("FAKE"), shortText(""), u32(line)];
  return Buffer.concat([u8(0xaa), sized(Buffer.concat(body))]);
}

export function info(number: number, message: string): Buffer {
  const body = [u32(number), u8(1, 0), longText(message), shortText("FAKE"), shortText(""), u32(1)];
  return Buffer.concat([u8(0xab), sized(Buffer.concat(body))]);
}

const change = (type: number, body: Buffer): Buffer =>
  Buffer.concat([u8(0xe3), sized(Buffer.concat([u8(type), body]))]);
export const packetSize = (size: number, before = 4096): Buffer =>
  change(4, Buffer.concat([shortText(String(size)), shortText(String(before))]));
export const databaseChange = (name: string): Buffer =>
  change(1, Buffer.concat([shortText(name), shortText("master")]));
export const wasReset = (): Buffer => change(18, hex("00 00"));
export function route(host: string, port: number): Buffer {
  const target = Buffer.concat([u8(0), u16(port), longText(host)]);
  return change(20, Buffer.concat([sized(target), u16(0)]));
}

export function loginAck(version: readonly [number, number, number] = [16, 0, 4085]): Buffer {
  const [major, minor, build] = version;
  const body = Buffer.concat([
    u8(1),
    hex("74 00 00 04"),
    shortText("Microsoft SQL Server"),
    u8(major, minor, build >> 8, build & 0xff),
  ]);
  return Buffer.concat([u8(0xad), sized(body)]);
}

/** That the server sends texts in UTF-8. */
export const features = (): Buffer => Buffer.concat([u8(0xae, 0x0a), u32(1), u8(1, 0xff)]);

/** The packets of a message of type `type`, each with at most so many bytes of it. */
export function packets(payload: Buffer, room = 4088, type = 4): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0, number = 1; at === 0 || at < payload.length; at += room, number++) {
    const part = payload.subarray(at, at + room);
    const header = Buffer.alloc(8);
    header[0] = type;
    header[1] = at + room >= payload.length ? 1 : 0;
    header.writeUInt16BE(part.length + 8, 2);
    header[6] = number & 0xff;
    parts.push(header, part);
  }
  return Buffer.concat(parts);
}

export function prelogin(encryption: number): Buffer {
  return Buffer.concat([hex("00 00 0b 00 06  01 00 11 00 01  ff"), hex("10 00 10 00 00 00"), u8(encryption)]);
}
