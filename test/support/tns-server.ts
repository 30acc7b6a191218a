/**
 * A FAKE Oracle database: a listener and the protocol, and no engine. It logs in whoever has the password, by the verifiers of 11g or
 * of 12c, keeps settings as they are set, and answers a statement with what a test says. The driver that the connector uses is
 * Oracle's own, and what the fake says is what that reads: it shows how the connector uses the driver, and nothing of a real
 * server.
 */
import { createCipheriv, createDecipheriv, createHash, pbkdf2Sync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { createSecureContext, TLSSocket } from "node:tls";
import { FIXTURES } from "./postgres-server.ts";
import { startTcpServer } from "./tcp.ts";
import {
  accept,
  dataPackets,
  dataTypes,
  describe,
  END_OF_RESPONSE,
  end,
  type FakeColumn,
  type FakeEnd,
  MARKERS,
  marker,
  PACKETS,
  parameters,
  protocol,
  row,
  rowHeader,
  status,
  text,
  u8,
} from "./tns-messages.ts";

export const FAKE_USER = "READER";
export const FAKE_PASSWORD = "{R;3G1/8é]p@ss%";
export const FAKE_SERVICE = "shop.example";

export type FakeRow = readonly Buffer[];

/** Columns are there when the statement is parsed; its rows are made when it runs. */
export interface FakeResult {
  readonly columns: readonly FakeColumn[];
  readonly rows: () => Iterable<FakeRow> | AsyncIterable<FakeRow>;
}

/** An error of the server's, for a statement or in the midst of its rows. */
export class FakeFault extends Error {
  readonly end: FakeEnd;

  constructor(number: number, message: string, offset = 0) {
    const code = `ORA-${String(number).padStart(5, "0")}`;
    super(message);
    this.end = { number, message: `${code}: ${message}`, offset };
  }
}

/** The result of a statement; undefined if it has no rows. Throws `FakeFault`. */
export type FakeAnswer = (statement: string) => FakeResult | undefined;

export interface FakeOracleOptions {
  /** 12: as 19c, 24: as 23ai. */
  readonly fieldVersion?: number;
  readonly verifier?: "11g" | "12c";
  readonly tls?: boolean;
  readonly release?: readonly [number, number];
  /** Replaces the acceptance of the connection: a refusal, or a redirect. */
  readonly onConnect?: (connectData: string) => Buffer | undefined;
  /** Compression flag of the acceptance. */
  readonly compression?: number;
  /** Packet size. */
  readonly size?: number;
  /** The time zone of the database: minutes, or a region. */
  readonly databaseZone?: number | string;
  /** Settings that it does not take. */
  readonly keeps?: readonly string[];
  /** Nobody is told that anything ended. */
  readonly isDeaf?: boolean;
  /** A session's first statement comes later than this. */
  readonly refusal?: FakeEnd;
}

export interface FakeOracle {
  readonly host: string;
  readonly port: number;
  /** Connect strings that clients sent to the listener, newest last. */
  readonly connects: readonly string[];
  /** Names and values of logins. */
  readonly logins: readonly ReadonlyMap<string, string>[];
  /** Statements that were run, newest last; and those that were only looked at. */
  readonly asked: readonly string[];
  readonly described: readonly string[];
  readonly breaks: () => number;
  connections(): number;
  /** How many statements that hold this text run now, or have rows left that somebody could ask for. */
  running(marker: string): number;
  /** Rows that were sent. */
  rows(): number;
  /** Ends all connections. */
  cut(): void;
  answer: FakeAnswer;
  close(): Promise<void>;
}

const TLS = {
  cert: readFileSync(join(FIXTURES, "test-only-server.crt")),
  key: readFileSync(join(FIXTURES, "test-only-server.key")),
};

const FAST_AUTH = 0x10000000;
const ENDS_REQUESTS = 0x02000000;

export async function startFakeOracle(answer: FakeAnswer, options: FakeOracleOptions = {}): Promise<FakeOracle> {
  const fake = { answer };
  const connects: string[] = [];
  const logins: ReadonlyMap<string, string>[] = [];
  const asked: string[] = [];
  const described: string[] = [];
  const running = new Set<{ readonly text: string }>();
  const counts = { breaks: 0, rows: 0 };
  const { fieldVersion = 12, size = 8192, databaseZone = 0 } = options;
  const isNew = fieldVersion >= 24;

  const serve = async (socket: Socket): Promise<void> => {
    const secure = options.tls
      ? new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(TLS) })
      : socket;
    secure.on("error", () => socket.destroy());
    const channel = new Channel(secure, size, isNew);
    const connect = await channel.connect();
    connects.push(connect);
    const instead = options.onConnect?.(connect);
    if (instead !== undefined) return void secure.end(instead);
    const flags = isNew ? FAST_AUTH | ENDS_REQUESTS : 0;
    const compression = options.compression ?? 0;
    secure.write(accept({ version: isNew ? 319 : 318, size, compression, flags }));
    channel.isLarge = true;
    const login = await loggedIn(channel);
    if (login === undefined) return void secure.end();
    logins.push(login);
    const session = new Session();
    try {
      for (;;) {
        // A break that comes late finds nothing to break off, and is answered all the same.
        if (await channel.isInterrupted()) await brokenOff(channel, session);
        const request = await channel.request();
        if (request === undefined) return;
        await handle(channel, request, session);
      }
    } finally {
      for (const cursor of session.cursors.values()) running.delete(cursor);
    }
  };

  const loggedIn = async (channel: Channel): Promise<ReadonlyMap<string, string> | undefined> => {
    const isRegion = typeof databaseZone === "string";
    const zone = typeof databaseZone === "string" ? undefined : databaseZone;
    const greeting = [protocol(fieldVersion, isRegion), dataTypes(zone)];
    const keys = new Verifier(options.verifier ?? "12c");
    if (!isNew) {
      await channel.request();
      channel.reply(protocol(fieldVersion, isRegion));
      await channel.request();
      channel.reply(dataTypes(zone));
    }
    await channel.request();
    channel.reply(Buffer.concat([...(isNew ? greeting : []), parameters(keys.challenge()), status()]));
    const proof = await channel.request();
    if (proof === undefined) return undefined;
    const pairs = readPairs(new RequestReader(proof, fieldVersion));
    if (options.refusal !== undefined) {
      channel.reply(end(options.refusal, fieldVersion));
      return undefined;
    }
    if (pairs.get("user")?.toUpperCase() !== FAKE_USER || keys.passwordOf(pairs) !== FAKE_PASSWORD) {
      const message = "ORA-01017: invalid username/password; logon denied";
      channel.reply(end({ number: 1017, message }, fieldVersion));
      return undefined;
    }
    const [major, minor] = options.release ?? (isNew ? [23, 4] : [19, 3]);
    const version = String(((major << 24) | (minor << (fieldVersion >= 11 ? 16 : 20))) >>> 0);
    const facts = [
      ["AUTH_VERSION_NO", version],
      ["AUTH_SVR_RESPONSE", keys.response()],
    ] as const;
    channel.reply(Buffer.concat([parameters(facts), status()]));
    return pairs;
  };

  const handle = async (channel: Channel, message: Buffer, session: Session): Promise<void> => {
    const reader = new RequestReader(message, fieldVersion);
    const request = reader.request();
    for (const id of request.closed) {
      const cursor = session.cursors.get(id);
      if (cursor !== undefined) running.delete(cursor);
      session.cursors.delete(id);
    }
    const outcome = await Promise.race([perform(request, session), channel.interrupted()]);
    if (outcome === "interrupted") await brokenOff(channel, session);
    else channel.reply(outcome);
  };

  const brokenOff = async (channel: Channel, session: Session): Promise<void> => {
    counts.breaks++;
    if (options.isDeaf) return void (await new Promise(() => {}));
    for (const cursor of session.cursors.values()) running.delete(cursor);
    session.cursors.clear();
    await channel.resetMarkers();
    const message = "ORA-01013: user requested cancel of current operation";
    channel.reply(end({ number: 1013, message }, fieldVersion));
  };

  const perform = async (request: Request, session: Session): Promise<Buffer> => {
    try {
      switch (request.kind) {
        case "execute":
          return execute(request, session);
        case "fetch":
          return await fetchRows(request, session);
        case "other":
          return end({}, fieldVersion);
        default:
          return request satisfies never;
      }
    } catch (error) {
      if (error instanceof FakeFault) return end(error.end, fieldVersion);
      throw error;
    }
  };

  const execute = ({ sql, runs, cursor: known }: Execute, session: Session): Buffer => {
    if (known !== 0) {
      // Asked again with the types that rows are to come in.
      return end({ cursor: known }, fieldVersion);
    }
    (runs ? asked : described).push(sql);
    const result = settled(sql, session) ?? fake.answer(sql);
    if (result === undefined) return end({}, fieldVersion);
    if (!runs)
      return Buffer.concat([describe(result.columns, fieldVersion), end({ cursor: ++session.last }, fieldVersion)]);
    const cursor = { text: sql, rows: iteratorOf(result.rows()), pending: undefined };
    session.cursors.set(++session.last, cursor);
    running.add(cursor);
    return Buffer.concat([describe(result.columns, fieldVersion), end({ cursor: session.last }, fieldVersion)]);
  };

  const fetchRows = async ({ cursor: id, count }: Fetch, session: Session): Promise<Buffer> => {
    const cursor = session.cursors.get(id);
    if (cursor === undefined) throw new FakeFault(1001, "invalid cursor");
    const parts: Buffer[] = [rowHeader()];
    let sent = 0;
    try {
      while (sent < count) {
        const next = await cursor.rows.next();
        if (next.done) {
          running.delete(cursor);
          const message = "ORA-01403: no data found";
          return Buffer.concat([...parts, end({ cursor: id, number: 1403, message, rows: sent }, fieldVersion)]);
        }
        parts.push(row(next.value));
        sent++;
        counts.rows++;
      }
    } catch (error) {
      running.delete(cursor);
      session.cursors.delete(id);
      throw error;
    }
    return Buffer.concat([...parts, end({ cursor: id, rows: sent }, fieldVersion)]);
  };

  /** Answers statements that set or read the session's settings. */
  const settled = (sql: string, session: Session): FakeResult | undefined => {
    if (/^SELECT DBTIMEZONE/.test(sql)) return texts(["DBTIMEZONE"], [[String(databaseZone)]]);
    if (/nls_session_parameters/.test(sql)) {
      const isAsked = sql.includes("CLIENT_IDENTIFIER");
      const rows = [...session.settings].filter(([name]) => isAsked || name !== "CLIENT_IDENTIFIER");
      return texts(["PARAMETER", "VALUE"], rows);
    }
    if (/DBMS_SESSION\.CLEAR_IDENTIFIER/.test(sql)) session.settings.delete("CLIENT_IDENTIFIER");
    const [, identifier] = /DBMS_SESSION\.SET_IDENTIFIER\('((?:[^']|'')*)'\)/.exec(sql) ?? [];
    if (identifier !== undefined && !options.keeps?.includes("CLIENT_IDENTIFIER")) {
      session.settings.set("CLIENT_IDENTIFIER", identifier.replaceAll("''", "'"));
    }
    for (const [, name = "", value = ""] of sql.matchAll(/(NLS_\w+|TIME_ZONE) = ''([^']*)''/g)) {
      if (options.keeps?.includes(name)) session.settings.set(name, "AS IT WAS");
      else session.settings.set(name, value);
    }
    return undefined;
  };

  const sockets: Socket[] = [];
  const server = await startTcpServer((socket) => {
    sockets.push(socket);
    serve(socket).catch(() => socket.destroy());
  });
  return Object.assign(fake, {
    host: server.host,
    port: server.port,
    connects,
    logins,
    asked,
    described,
    breaks: () => counts.breaks,
    rows: () => counts.rows,
    connections: () => server.connections(),
    cut: () => {
      for (const socket of sockets.splice(0)) socket.destroy();
    },
    running: (text: string) => [...running].filter((each) => each.text.includes(text)).length,
    close: () => server.close(),
  });
}

/** A result of texts. */
export function texts(names: readonly string[], rows: readonly (readonly (string | null)[])[]): FakeResult {
  const columns = names.map((name) => ({ name, type: 1, form: 1, size: 4000 }));
  return { columns, rows: () => rows.map((values) => values.map((value) => (value === null ? u8(0) : text(value)))) };
}

interface Cursor {
  readonly text: string;
  readonly rows: AsyncIterator<FakeRow>;
}

class Session {
  readonly settings = new Map([["NLS_LANGUAGE", "GERMAN"]]);
  readonly cursors = new Map<number, Cursor>();
  last = 0;
}

async function* iteratorOf(rows: Iterable<FakeRow> | AsyncIterable<FakeRow>): AsyncGenerator<FakeRow> {
  yield* rows;
}

/** Packets of one client, a request at a time. */
class Channel {
  isLarge = false;
  readonly #stream: Duplex;
  readonly #size: number;
  readonly #isNew: boolean;
  #bytes = Buffer.alloc(0);
  #isOver = false;
  readonly #packets: { readonly type: number; readonly body: Buffer }[] = [];
  #wake = Promise.withResolvers<void>();

  constructor(stream: Duplex, size: number, isNew: boolean) {
    this.#stream = stream;
    this.#size = size;
    this.#isNew = isNew;
    const over = () => {
      this.#isOver = true;
      this.#stir();
    };
    stream
      .on("data", (chunk: Buffer) => this.#take(chunk))
      .on("end", over)
      .on("close", over);
  }

  #stir(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  #take(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    for (;;) {
      if (this.#bytes.length < 8) break;
      const length = this.isLarge ? this.#bytes.readUInt32BE(0) : this.#bytes.readUInt16BE(0);
      if (this.#bytes.length < length) break;
      this.#packets.push({ type: this.#bytes[4] ?? 0, body: this.#bytes.subarray(8, length) });
      this.#bytes = this.#bytes.subarray(length);
    }
    this.#stir();
  }

  async #next(): Promise<{ readonly type: number; readonly body: Buffer } | undefined> {
    while (this.#packets.length === 0 && !this.#isOver) await this.#wake.promise;
    return this.#packets.shift();
  }

  /** The client's connect string; long texts come in a packet of their own. */
  async connect(): Promise<string> {
    const first = await this.#next();
    const text = first?.body.subarray(66).toString() ?? "";
    if (first?.type !== PACKETS.connect || text !== "") return text;
    return (await this.#next())?.body.subarray(2).toString() ?? "";
  }

  /** Waits for something to come. */
  async isInterrupted(): Promise<boolean> {
    while (this.#packets.length === 0 && !this.#isOver) await this.#wake.promise;
    return this.#packets[0]?.type === PACKETS.marker;
  }

  async request(): Promise<Buffer | undefined> {
    const parts: Buffer[] = [];
    for (;;) {
      const next = await this.#next();
      if (next === undefined) return undefined;
      if (next.type !== PACKETS.data) continue;
      const flags = next.body.readUInt16BE(0);
      if ((flags & 0x40) !== 0) return undefined;
      parts.push(next.body.subarray(2));
      if ((flags & 0x0800) !== 0) return Buffer.concat(parts);
    }
  }

  /** Resolves when the client wants no more; that it does is still there to be read. */
  async interrupted(): Promise<"interrupted"> {
    for (;;) {
      const [first] = this.#packets;
      if (first?.type === PACKETS.marker) return "interrupted";
      if (this.#isOver) throw new Error("The client has gone.");
      await this.#wake.promise;
    }
  }

  /** Both sides agree that what was on its way is forgotten. */
  async resetMarkers(): Promise<void> {
    await this.#next();
    this.#stream.write(marker(MARKERS.break));
    for (;;) {
      const next = await this.#next();
      if (next === undefined) throw new Error("The client has gone.");
      if (next.type === PACKETS.marker && next.body[2] === MARKERS.reset) break;
    }
    this.#stream.write(marker(MARKERS.reset));
  }

  reply(message: Buffer): void {
    const whole = this.#isNew ? Buffer.concat([message, u8(29)]) : message;
    this.#stream.write(dataPackets(whole, this.#size, this.#isNew ? END_OF_RESPONSE : 0));
  }
}

interface Execute {
  readonly kind: "execute";
  readonly sql: string;
  readonly runs: boolean;
  readonly cursor: number;
  readonly closed: readonly number[];
}

interface Fetch {
  readonly kind: "fetch";
  readonly cursor: number;
  readonly count: number;
  readonly closed: readonly number[];
}

type Request = Execute | Fetch | { readonly kind: "other"; readonly closed: readonly number[] };

const FUNCTIONS = { execute: 94, fetch: 5, closeCursors: 105 } as const;

class RequestReader {
  readonly #bytes: Buffer;
  readonly #fieldVersion: number;
  #at = 0;

  constructor(bytes: Buffer, fieldVersion: number) {
    this.#bytes = bytes;
    this.#fieldVersion = fieldVersion;
  }

  u8(): number {
    return this.#bytes.readUInt8(this.#at++);
  }

  ub(): number {
    const length = this.u8() & 0x7f;
    this.#at += length;
    return length === 0 ? 0 : this.#bytes.readUIntBE(this.#at - length, length);
  }

  clr(): Buffer {
    const length = this.u8();
    if (length !== 254) {
      this.#at += length;
      return this.#bytes.subarray(this.#at - length, this.#at);
    }
    const parts: Buffer[] = [];
    for (let part = this.ub(); part > 0; part = this.ub()) {
      parts.push(this.#bytes.subarray(this.#at, this.#at + part));
      this.#at += part;
    }
    return Buffer.concat(parts);
  }

  skip(pattern: string): void {
    for (const kind of pattern) {
      if (kind === "u") this.u8();
      else this.ub();
    }
  }

  /** Type, function and number of a message, and its token where there are some. */
  head(): { readonly type: number; readonly call: number } {
    const [type, call] = [this.u8(), this.u8()];
    this.u8();
    if (this.#fieldVersion >= 18) this.ub();
    return { type, call };
  }

  request(): Request {
    const closed: number[] = [];
    for (;;) {
      const { type, call } = this.head();
      if (type === 17) {
        if (call !== FUNCTIONS.closeCursors) throw new Error("An unknown piggyback.");
        this.u8();
        for (let left = this.ub(); left > 0; left--) closed.push(this.ub());
      } else if (call === FUNCTIONS.execute) return this.#execute(closed);
      else if (call === FUNCTIONS.fetch) return { kind: "fetch", cursor: this.ub(), count: this.ub(), closed };
      else return { kind: "other", closed };
    }
  }

  #execute(closed: readonly number[]): Execute {
    const options = this.ub();
    const cursor = this.ub();
    this.skip("ub" + "ub" + "uuu" + "bb" + "ub" + "uuuuu" + "ub" + "b" + "uuu" + "b" + "ub" + "b" + "ubu");
    if (this.#fieldVersion >= 8) this.skip("ububu");
    if (this.#fieldVersion >= 9) this.skip("ub");
    const sql = cursor === 0 ? this.clr().toString() : "";
    return { kind: "execute", sql, runs: (options & 0x20) !== 0, cursor, closed };
  }
}

/** User, and pairs of names and values. */
function readPairs(reader: RequestReader): ReadonlyMap<string, string> {
  reader.head();
  reader.skip("u" + "b" + "b" + "u");
  const count = reader.ub();
  reader.skip("uu");
  const pairs = new Map([["user", reader.clr().toString()]]);
  for (let read = 0; read < count; read++) {
    reader.ub();
    const name = reader.clr().toString();
    const length = reader.ub();
    pairs.set(name, length === 0 ? "" : reader.clr().toString());
    reader.ub();
  }
  return pairs;
}

const NO_IV = Buffer.alloc(16);

/** How a password is proved (O5LOGON): both sides make a key of halves that only who knows it can read. */
class Verifier {
  readonly #kind: "11g" | "12c";
  readonly #salt: Buffer;
  readonly #mixing = randomBytes(16);
  readonly #half: Buffer;
  readonly #hash: Buffer;
  #key: Buffer = Buffer.alloc(0);

  constructor(kind: "11g" | "12c") {
    this.#kind = kind;
    this.#salt = randomBytes(kind === "11g" ? 10 : 16);
    this.#half = randomBytes(kind === "11g" ? 48 : 32);
    this.#hash = kind === "11g" ? this.#old() : this.#slow();
  }

  #old(): Buffer {
    const digest = createHash("sha1").update(FAKE_PASSWORD).update(this.#salt).digest();
    return Buffer.concat([digest, Buffer.alloc(4)]);
  }

  #slow(): Buffer {
    const salt = Buffer.concat([this.#salt, Buffer.from("AUTH_PBKDF2_SPEEDY_KEY")]);
    const key = pbkdf2Sync(FAKE_PASSWORD, salt, 64, 64, "sha512");
    return createHash("sha512").update(key).update(this.#salt).digest().subarray(0, 32);
  }

  challenge(): (readonly [string, string, number?])[] {
    const type = this.#kind === "11g" ? 0x1b25 : 0x4815;
    return [
      ["AUTH_SESSKEY", upper(this.#ciphered(this.#hash, this.#half))],
      ["AUTH_VFR_DATA", upper(this.#salt), type],
      ["AUTH_PBKDF2_CSK_SALT", upper(this.#mixing)],
      ["AUTH_PBKDF2_VGEN_COUNT", "64"],
      ["AUTH_PBKDF2_SDER_COUNT", "3"],
    ];
  }

  passwordOf(pairs: ReadonlyMap<string, string>): string {
    const other = this.#plain(this.#hash, Buffer.from(pairs.get("AUTH_SESSKEY") ?? "", "hex"));
    this.#key = this.#kind === "11g" ? this.#mixed(other) : this.#derived(other);
    const padded = this.#plain(this.#key, Buffer.from(pairs.get("AUTH_PASSWORD") ?? "", "hex"));
    return padded.subarray(16, padded.length - (padded.at(-1) ?? 0)).toString();
  }

  response(): string {
    return upper(this.#ciphered(this.#key, Buffer.concat([randomBytes(16), Buffer.from("SERVER_TO_CLIENT")])));
  }

  #mixed(other: Buffer): Buffer {
    const mixed = Buffer.from(
      Array.from({ length: 24 }, (_, at) => (this.#half[at + 16] ?? 0) ^ (other[at + 16] ?? 0)),
    );
    const digest = (bytes: Buffer) => createHash("md5").update(bytes).digest();
    return Buffer.concat([digest(mixed.subarray(0, 16)), digest(mixed.subarray(16))]).subarray(0, 24);
  }

  #derived(other: Buffer): Buffer {
    const both = upper(Buffer.concat([other.subarray(0, 32), this.#half]));
    return pbkdf2Sync(both, this.#mixing, 3, 32, "sha512");
  }

  #ciphered(key: Buffer, bytes: Buffer): Buffer {
    const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, NO_IV).setAutoPadding(false);
    return Buffer.concat([cipher.update(bytes), cipher.final()]);
  }

  #plain(key: Buffer, bytes: Buffer): Buffer {
    const cipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, NO_IV).setAutoPadding(false);
    const whole = bytes.subarray(0, bytes.length - (bytes.length % 16));
    return Buffer.concat([cipher.update(whole), cipher.final()]);
  }
}

const upper = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex").toUpperCase();
