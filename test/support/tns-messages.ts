/**
 * Messages of an Oracle database, as bytes. Oracle publishes no description of its protocol: this file follows the
 * reader of its driver's open thin mode (`oracledb/lib/thin`), independently of the connector.
 */

export const PACKETS = { connect: 1, accept: 2, refuse: 4, redirect: 5, data: 6, resend: 11, marker: 12 } as const;
export const MARKERS = { break: 1, reset: 2, interrupt: 3 } as const;

export const u8 = (...values: readonly number[]): Buffer => Buffer.from(values);
export const u16 = (value: number): Buffer => {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
};
const u16le = (value: number): Buffer => u16(value).swap16();
export const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
export const hex = (text: string): Buffer => Buffer.from(text.replaceAll(/\s/g, ""), "hex");

/** A number behind the count of its bytes. */
export function ub(value: number): Buffer {
  if (value === 0) return u8(0);
  const digits = value.toString(16);
  const bytes = hex(digits.padStart(digits.length + (digits.length % 2), "0"));
  return Buffer.concat([u8(bytes.length), bytes]);
}

/** Bytes behind their length, in chunks where they are long; none are NULL. */
export function clr(bytes: Uint8Array, chunk = 32_767): Buffer {
  if (bytes.length <= 252) return Buffer.concat([u8(bytes.length), bytes]);
  const parts: Buffer[] = [u8(254)];
  for (let at = 0; at < bytes.length; at += chunk) {
    const part = bytes.subarray(at, at + chunk);
    parts.push(ub(part.length), Buffer.from(part));
  }
  return Buffer.concat([...parts, ub(0)]);
}

const named = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return bytes.length === 0 ? ub(0) : Buffer.concat([ub(bytes.length), clr(bytes)]);
};

/** Until the connection is accepted lengths have two bytes, and then four. */
export function packet(type: number, body: Uint8Array, isLarge: boolean, flags = 0): Buffer {
  const length = body.length + 8;
  return Buffer.concat([isLarge ? u32(length) : Buffer.concat([u16(length), u16(0)]), u8(type, flags), u16(0), body]);
}

export const END_OF_RESPONSE = 0x2000;

/** A message in as many packets as it takes. */
export function dataPackets(message: Uint8Array, size: number, flags = 0): Buffer {
  const parts: Buffer[] = [];
  const room = size - 10;
  for (let at = 0; at < message.length || at === 0; at += room) {
    const isLast = at + room >= message.length;
    const body = Buffer.concat([u16(isLast ? flags : 0), message.subarray(at, at + room)]);
    parts.push(packet(PACKETS.data, body, true));
  }
  return Buffer.concat(parts);
}

export const marker = (data: number): Buffer => packet(PACKETS.marker, u8(1, 0, data), true);

export interface FakeAccept {
  readonly version: number;
  readonly size: number;
  readonly compression?: number;
  readonly flags?: number;
}

export function accept({ version, size, compression = 0, flags = 0 }: FakeAccept): Buffer {
  const body = Buffer.concat([
    ...[u16(version), u16(0x0801), u16(Math.min(size, 65_535)), u16(65_535), u16(1), u16(0), u16(45)],
    ...[u8(8, 8), Buffer.alloc(8), u32(size), u32(2_097_152), u8(compression), u32(flags)],
  ]);
  return packet(PACKETS.accept, body, false);
}

export function refuse(number: number): Buffer {
  const text = Buffer.from(
    `(DESCRIPTION=(TMP=)(VSNNUM=318767104)(ERR=${number})(ERROR_STACK=(ERROR=(CODE=${number})(EMFI=4))))`,
  );
  return packet(PACKETS.refuse, Buffer.concat([u8(34, 0), u16(text.length), text]), false);
}

/** Where else the database is to be had, and what to say there. */
export function redirect(address: string, connectData: string): Buffer {
  const text = Buffer.from(`${address}\0${connectData}`);
  const head = packet(PACKETS.redirect, u16(text.length), false, 2);
  return Buffer.concat([head, packet(PACKETS.data, Buffer.concat([u16(0), text]), false)]);
}

/** UTF-16 for national texts, and AL32UTF8 for the others. */
const NATIONAL = 2000;
const UTF8 = 873;

export function protocol(fieldVersion: number, isRegion: boolean): Buffer {
  const compile = Buffer.alloc(53);
  compile[7] = fieldVersion;
  const run = Buffer.alloc(7);
  run[1] = isRegion ? 0 : 1;
  run[6] = 4;
  const forms = Buffer.concat([Buffer.alloc(6 + 3), u16(NATIONAL)]);
  return Buffer.concat([
    ...[u8(1, 6, 0), Buffer.from("x86_64/Linux 2.4.xx\0"), u16le(UTF8), u8(1), u16le(0)],
    ...[u16(forms.length), forms, clr(compile), clr(run)],
  ]);
}

/** `offset` is the database's own, in minutes; undefined where it tells none. */
export function dataTypes(offset: number | undefined): Buffer {
  const zone = Buffer.alloc(11);
  zone.writeUInt32BE(0x80000000, 0);
  zone[4] = Math.trunc((offset ?? 0) / 60) + 60;
  zone[5] = ((offset ?? 0) % 60) + 60;
  return Buffer.concat([u8(2), offset === undefined ? Buffer.alloc(0) : zone, u16(0)]);
}

export function parameters(pairs: readonly (readonly [name: string, value: string, flag?: number])[]): Buffer {
  return Buffer.concat([
    ...[u8(8), ub(pairs.length)],
    ...pairs.map(([name, value, flag = 0]) => Buffer.concat([named(name), named(value), ub(flag)])),
  ]);
}

export const status = (): Buffer => Buffer.concat([u8(9), ub(0), ub(0)]);

export interface FakeColumn {
  readonly name: string;
  /** Its number in the protocol: 2 is NUMBER. */
  readonly type: number;
  /** 1: of the database's characters, 2: of the national ones. */
  readonly form?: number;
  readonly precision?: number;
  readonly scale?: number;
  /** Bytes that a value may have. */
  readonly size?: number;
}

export function describe(columns: readonly FakeColumn[], fieldVersion: number): Buffer {
  const head = Buffer.concat([u8(16, 0), ub(100), ub(columns.length), columns.length > 0 ? u8(0) : Buffer.alloc(0)]);
  const parts = columns.map(({ name, type, form = 0, precision = 0, scale = 0, size = 22 }, index) => {
    const [bytes, owner] = [Buffer.from(name), ub(0)];
    return Buffer.concat([
      ...[u8(type, 0), Buffer.from(Int8Array.of(precision, scale).buffer), ub(size), ub(0), ub(0), ub(0), ub(0), ub(0)],
      ...[u8(form), ub(size), fieldVersion >= 8 ? ub(0) : u8(), u8(1, bytes.length), named(name), owner, ub(0)],
      ...[ub(index + 1), ub(0), fieldVersion >= 17 ? Buffer.concat([ub(0), ub(0)]) : u8()],
      ...[fieldVersion >= 20 ? ub(0) : u8(), fieldVersion >= 24 ? Buffer.concat([ub(0), u8(0, 0)]) : u8()],
    ]);
  });
  return Buffer.concat([head, ...parts, ub(0), ub(0), ub(0), ub(0), ub(0), ub(0)]);
}

export const rowHeader = (): Buffer => Buffer.concat([u8(6, 0), ub(0), ub(0), ub(0), ub(0), ub(0), ub(0)]);
export const row = (values: readonly Buffer[]): Buffer => Buffer.concat([u8(7), ...values]);

export interface FakeEnd {
  readonly cursor?: number;
  readonly number?: number;
  readonly message?: string;
  readonly offset?: number;
  readonly rows?: number;
}

/** The end of every call; without an error number it succeeded. */
export function end(
  { cursor = 0, number = 0, message = "", offset = 0, rows = 0 }: FakeEnd,
  fieldVersion: number,
): Buffer {
  const rowId = Buffer.concat([ub(0), ub(0), u8(0), ub(0), ub(0)]);
  return Buffer.concat([
    ...[u8(4), ub(0), ub(0), ub(rows), ub(Math.min(number, 65_535)), ub(0), ub(0), ub(cursor), ub(offset)],
    ...[u8(0, 0, 0, 0, 0, 0), rowId, ub(0), u8(0, 0), ub(0), ub(0), ub(0), ub(0), ub(0), ub(0)],
    ...[ub(number), ub(rows), fieldVersion >= 14 ? Buffer.concat([ub(0), ub(0)]) : u8()],
    number === 0 ? u8() : clr(Buffer.from(`${message}\n`)),
  ]);
}

export const NULL = u8(0);
export const text = (value: string): Buffer => clr(Buffer.from(value));
export const national = (value: string): Buffer => clr(Buffer.from(value, "utf16le").swap16());
/** Two numbers follow a LONG value. */
export const long = (bytes: Uint8Array): Buffer => Buffer.concat([clr(bytes), ub(0), ub(0)]);
export const NULL_LONG = Buffer.concat([NULL, ub(0), ub(0)]);

/** Digits in pairs from the point on, each with 1 added; of what is negative they are taken from 101. */
export function number(value: string): Buffer {
  const [, sign, whole = "", fraction = ""] = /^(-?)(\d*)(?:\.(\d+))?$/.exec(value) ?? [];
  const left = whole.replace(/^0+/, "");
  const even = (left.length % 2 === 1 ? "0" : "") + left;
  const digits = even + (fraction.length % 2 === 1 ? `${fraction}0` : fraction);
  const pairs = digits.match(/\d\d/g)?.map(Number) ?? [];
  let exponent = even.length / 2 - 1;
  while (pairs[0] === 0) {
    pairs.shift();
    exponent--;
  }
  while (pairs.at(-1) === 0) pairs.pop();
  if (pairs.length === 0) return clr(u8(0x80));
  if (sign === "") return clr(u8(exponent + 193, ...pairs.map((pair) => pair + 1)));
  const end = pairs.length < 20 ? [102] : [];
  return clr(u8((exponent + 193) ^ 0xff, ...pairs.map((pair) => 101 - pair), ...end));
}

/** Seven bytes, four more for nanoseconds, two more for how clocks were set. */
export function moment(
  [year, month, day, hour = 0, minute = 0, second = 0]: readonly number[],
  nanoseconds?: number,
  zone?: readonly [number, number],
): Buffer {
  const century = Math.trunc((year ?? 0) / 100) + 100;
  const body = u8(century, ((year ?? 0) % 100) + 100, month ?? 1, day ?? 1, hour + 1, minute + 1, second + 1);
  const fraction = nanoseconds === undefined ? u8() : u32(nanoseconds);
  return clr(Buffer.concat([body, fraction, zone === undefined ? u8() : u8(zone[0] + 20, zone[1] + 60)]));
}
