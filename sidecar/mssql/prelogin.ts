/** Negotiation before the login: mainly whether TLS is used (MS-TDS §2.2.6.5). */
import { notTds } from "./failures.ts";

const OPTIONS = { version: 0x00, encryption: 0x01, instance: 0x02, thread: 0x03, mars: 0x04, end: 0xff } as const;

/** `off` is TLS for the login only, which is never requested. */
export const ENCRYPTION = { off: 0x00, on: 0x01, notSupported: 0x02, required: 0x03 } as const;

const OPTION_BYTES = 5;

export function preloginMessage(encryption: number): Buffer {
  const options: readonly (readonly [number, Buffer])[] = [
    // The client's version, which servers ignore.
    [OPTIONS.version, Buffer.from([1, 0, 0, 0, 0, 0])],
    [OPTIONS.encryption, Buffer.from([encryption])],
    // Any instance on that port.
    [OPTIONS.instance, Buffer.from([0])],
    [OPTIONS.thread, Buffer.alloc(4)],
    [OPTIONS.mars, Buffer.from([0])],
  ];
  const table = Buffer.alloc(options.length * OPTION_BYTES + 1);
  let at = table.length;
  options.forEach(([token, value], index) => {
    table[index * OPTION_BYTES] = token;
    table.writeUInt16BE(at, index * OPTION_BYTES + 1);
    table.writeUInt16BE(value.length, index * OPTION_BYTES + 3);
    at += value.length;
  });
  table[table.length - 1] = OPTIONS.end;
  return Buffer.concat([table, ...options.map(([, value]) => value)]);
}

/** The server's encryption option. */
export function readPrelogin(message: Buffer): number {
  for (let at = 0; at + OPTION_BYTES <= message.length && message[at] !== OPTIONS.end; at += OPTION_BYTES) {
    if (message[at] !== OPTIONS.encryption) continue;
    const offset = message.readUInt16BE(at + 1);
    const value = message[offset];
    if (message.readUInt16BE(at + 3) !== 1 || value === undefined) throw notTds();
    return value;
  }
  throw notTds();
}
