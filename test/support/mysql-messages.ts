/** Bytes of the MySQL protocol, as a server writes them: for playing servers that misbehave. */

export function packet(sequence: number, ...parts: readonly (number | string | Uint8Array)[]): Buffer {
  const payload = Buffer.concat(
    parts.map((part) => (typeof part === "number" ? Buffer.of(part) : Buffer.from(part as string))),
  );
  const header = Buffer.alloc(4);
  header.writeUIntLE(payload.length, 0, 3);
  header.writeUInt8(sequence, 3);
  return Buffer.concat([header, payload]);
}

/** Protocol 4.1, authentication by plugins. */
const CAPABILITIES = 0x00_08_82_08;
export const SSL = 0x08_00;

export interface GreetingOptions {
  readonly version?: string;
  readonly protocol?: number;
  readonly capabilities?: number;
  readonly plugin?: string;
}

export function greeting(options: GreetingOptions = {}): Buffer {
  const { version = "8.0.40", protocol = 10, capabilities = CAPABILITIES, plugin = "caching_sha2_password" } = options;
  const flags = Buffer.alloc(4);
  flags.writeUInt32LE(capabilities);
  const number = Buffer.of(42, 0, 0, 0);
  return packet(
    0,
    protocol,
    `${version}\0`,
    number,
    "12345678\0",
    flags.subarray(0, 2),
    46,
    Buffer.of(2, 0),
    flags.subarray(2, 4),
    21,
    Buffer.alloc(10),
    "123456789012\0",
    `${plugin}\0`,
  );
}

export const withCapabilities = (change: number): number => CAPABILITIES ^ change;

export function ok(sequence: number): Buffer {
  return packet(sequence, 0, 0, 0, Buffer.of(2, 0, 0, 0));
}

export function error(sequence: number, number: number, state: string, message: string): Buffer {
  return packet(sequence, 0xff, number & 0xff, number >> 8, state === "" ? "" : `#${state}`, message);
}

export function end(sequence: number): Buffer {
  return packet(sequence, 0xfe, Buffer.of(0, 0, 2, 0));
}

/** A column of text, or of the type that `type` numbers. */
export function column(sequence: number, name: string, type = 0xfd): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.of(value.length), Buffer.from(value)]);
  const names = ["def", "", "", "", name, name].map(text);
  return packet(sequence, ...names, 12, Buffer.of(46, 0, 255, 0, 0, 0, type, 0, 0, 0, 0, 0));
}

/** A row of the text form. */
export function textRow(sequence: number, values: readonly string[]): Buffer {
  return packet(sequence, ...values.map((value) => Buffer.concat([Buffer.of(value.length), Buffer.from(value)])));
}
