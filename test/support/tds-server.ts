/**
 * A FAKE SQL Server: the protocol (MS-TDS), and no engine. It logs in whoever has the password, over TLS inside of packets or
 * before them, keeps settings as they are set, and answers a statement with what a test says; unknown ones are errors. That it
 * speaks the protocol is checked by the `tedious` client, which shares nothing with the connector
 * (`test/engines/judges/tedious.test.ts`).
 */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { createSecureContext, type SecureContextOptions, TLSSocket } from "node:tls";
import { FIXTURES } from "./postgres-server.ts";
import { startTcpServer } from "./tcp.ts";
import {
  columns,
  DONE,
  databaseChange,
  done,
  doneProcedure,
  error,
  type FakeColumn,
  type FakeError,
  features,
  info,
  int,
  loginAck,
  nvarchar,
  packetSize,
  packets,
  prelogin,
  row,
  TYPES,
  wasReset,
} from "./tds-messages.ts";

export const FAKE_USER = "reader";
export const FAKE_PASSWORD = "{R;3G1/8é]p@ss%";
export const FAKE_DATABASE = "shop";

/** The tokens of a statement's answer; the last DONE is written automatically. */
export type FakeAnswer = (statement: string) => Iterable<Buffer> | AsyncIterable<Buffer>;

/** A login as the server read it. */
export interface FakeLogin {
  readonly fields: Readonly<
    Record<"host" | "user" | "password" | "app" | "server" | "library" | "language" | "database", string>
  >;
  readonly version: number;
  readonly isReadOnly: boolean;
  readonly features: Buffer;
  readonly message: Buffer;
  readonly isEncrypted: boolean;
}

export interface FakeMsSqlOptions {
  /** Encryption option of the prelogin: 0 off, 1 on, 2 not supported, 3 required. */
  readonly encryption?: number;
  /** TLS before everything else. */
  readonly strict?: boolean;
  readonly tls?: SecureContextOptions;
  /** It begins a handshake anew before it answers anything. */
  readonly renegotiates?: boolean;
  /** The type of packets that its side of a handshake comes in. */
  readonly handshakeType?: number;
  /** Replaces the login's acknowledgement. */
  readonly onLogin?: (login: FakeLogin) => Buffer | undefined;
  readonly packetBytes?: number;
  readonly version?: readonly [number, number, number];
  readonly edition?: number;
  readonly compatibility?: number;
  /** Attentions are not answered. */
  readonly isDeaf?: boolean;
  /** Settings that it does not take. */
  readonly keeps?: readonly string[];
  /** How a request for a reset goes wrong: the session keeps its settings, or the batch fails. */
  readonly failsResets?: "unacknowledged" | "error";
}

export interface FakeMsSql {
  readonly host: string;
  readonly port: number;
  readonly logins: readonly FakeLogin[];
  /** Statements and calls, newest last. */
  readonly asked: readonly string[];
  readonly attentions: () => number;
  readonly resets: () => number;
  connections(): number;
  /** How many statements that hold this text run now. */
  running(marker: string): number;
  /** Bytes of the answers that were taken by the network. */
  sent(): number;
  answer: FakeAnswer;
  close(): Promise<void>;
}

const TLS = {
  cert: readFileSync(join(FIXTURES, "test-only-server.crt")),
  key: readFileSync(join(FIXTURES, "test-only-server.key")),
};

interface State {
  readonly settings: Map<string, string>;
}

const SWITCHES: Readonly<Record<string, number>> = {
  IMPLICIT_TRANSACTIONS: 2,
  ANSI_WARNINGS: 8,
  ANSI_PADDING: 16,
  ANSI_NULLS: 32,
  ARITHABORT: 64,
  ARITHIGNORE: 128,
  QUOTED_IDENTIFIER: 256,
  CONCAT_NULL_YIELDS_NULL: 4096,
  NUMERIC_ROUNDABORT: 8192,
};

export async function startFakeMsSql(answer: FakeAnswer, options: FakeMsSqlOptions = {}): Promise<FakeMsSql> {
  const logins: FakeLogin[] = [];
  const asked: string[] = [];
  const running = new Set<{ readonly text: string }>();
  const counts = { attentions: 0, resets: 0, sent: 0 };
  const fake = { answer };

  const serve = async (socket: Socket): Promise<void> => {
    const plain = options.strict
      ? new TLSSocket(socket, {
          isServer: true,
          secureContext: createSecureContext({ ...TLS, ...options.tls }),
          ALPNProtocols: ["tds/8.0"],
        })
      : socket;
    plain.on("error", () => socket.destroy());
    let channel = new Channel(plain);
    const greeting = await channel.next();
    if (greeting?.type !== 0x12) return void socket.destroy();
    const encryption = options.encryption ?? 1;
    await channel.send(prelogin(encryption));
    const asks = wantsTls(greeting.payload);
    const isInside = options.strict !== true && asks && (encryption === 1 || encryption === 3);
    if (isInside) channel = await encryptedInside(channel, options);
    const message = await channel.next();
    if (message?.type !== 0x10) return void socket.destroy();
    const login = readLogin(message.payload, isInside || options.strict === true);
    logins.push(login);
    const refusal = options.onLogin?.(login) ?? refusalOf(login);
    if (refusal !== undefined) {
      await channel.send(refusal);
      return void channel.end();
    }
    const size = options.packetBytes ?? 8000;
    await channel.send(
      Buffer.concat([
        databaseChange(login.fields.database),
        loginAck(options.version),
        packetSize(size),
        features(),
        done(),
      ]),
    );
    channel.room = size - 8;
    const state: State = {
      settings: new Map([
        ["DATEFIRST", "7"],
        ["LANGUAGE", "us_english"],
      ]),
    };
    for (let request = await channel.next(); request !== undefined; request = await channel.next()) {
      if (options.renegotiates && channel.stream instanceof TLSSocket) channel.stream.renegotiate({}, () => {});
      await handle(channel, request, state);
    }
  };

  const handle = async (channel: Channel, request: Message, state: State): Promise<void> => {
    if (request.type === 0x06) {
      counts.attentions++;
      if (options.isDeaf !== true) await channel.send(done(DONE.attention));
      return;
    }
    const before: Buffer[] = [];
    if (request.resets) {
      counts.resets++;
      if (options.failsResets !== "unacknowledged") {
        state.settings.clear();
        state.settings.set("DATEFIRST", "7");
        before.push(wasReset());
      }
      if (options.failsResets === "error") before.push(error({ number: 18_056, level: 20, message: "reset failed" }));
    }
    const statement = textOf(request);
    asked.push(statement.text);
    const entry = { text: statement.text };
    running.add(entry);
    try {
      await channel.begin();
      const parts = isSettings(statement.text)
        ? settle(statement.text, state, options)
        : answered(statement, fake.answer);
      for (const part of before) await channel.add(part);
      let hasFailed = false;
      for await (const part of whileWanted(parts, channel)) {
        if (part[0] === 0xaa) hasFailed = true;
        await channel.add(part);
        counts.sent += part.length;
      }
      if (channel.attention !== undefined) {
        counts.attentions++;
        if (options.isDeaf === true) return void (await new Promise(() => {}));
        channel.attention = undefined;
        await channel.add(done(DONE.attention));
      } else if (statement.isCall) await channel.add(doneProcedure(hasFailed ? DONE.error : DONE.final));
      else await channel.add(done(hasFailed ? DONE.error : DONE.count));
      await channel.finish();
    } finally {
      running.delete(entry);
    }
  };

  const server = await startTcpServer((socket) => {
    serve(socket).catch(() => socket.destroy());
  });
  return Object.assign(fake, {
    host: server.host,
    port: server.port,
    logins,
    asked,
    attentions: () => counts.attentions,
    resets: () => counts.resets,
    sent: () => counts.sent,
    connections: () => server.connections(),
    running: (marker: string) => [...running].filter(({ text }) => text.includes(marker)).length,
    close: () => server.close(),
  });
}

function refusalOf({ fields }: FakeLogin): Buffer | undefined {
  const refuse = (refused: FakeError) => Buffer.concat([error(refused), done(DONE.error)]);
  if (fields.user !== FAKE_USER || fields.password !== FAKE_PASSWORD) {
    return refuse({ number: 18456, level: 14, message: `Login failed for user '${fields.user}'.` });
  }
  if (fields.database !== FAKE_DATABASE) {
    const message = `Cannot open database "${fields.database}" requested by the login. The login failed.`;
    return refuse({ number: 4060, level: 11, message });
  }
  return undefined;
}

/** Until the client has had enough; what there is goes out while more of it is waited for. */
async function* whileWanted(parts: Iterable<Buffer> | AsyncIterable<Buffer>, channel: Channel): AsyncIterable<Buffer> {
  const iterator = (async function* () {
    yield* parts;
  })();
  for (;;) {
    const next = iterator.next();
    const step = await Promise.race([
      next,
      new Promise<undefined>((resolve) => setImmediate(() => resolve(undefined))),
    ]);
    if (step === undefined) await channel.flush();
    const part = step ?? (await Promise.race([next, channel.interrupted()]));
    if (part === undefined || part.done === true || channel.attention !== undefined || channel.isOver) return;
    yield part.value;
  }
}

interface Asked {
  readonly text: string;
  readonly isCall: boolean;
}

/** `sp_describe_first_result_set` says a row for each column that the statement would answer with. */
async function* answered({ text, isCall }: Asked, answer: FakeAnswer): AsyncIterable<Buffer> {
  for await (const part of answer(text)) {
    if (!isCall) yield part;
    else if (part[0] === 0xaa) yield part;
    else if (part[0] === 0x81) {
      yield columns([
        { name: "is_hidden", type: TYPES.bit },
        { name: "column_ordinal", type: TYPES.int },
      ]);
      for (let ordinal = 1; ordinal <= part.readUInt16LE(1); ordinal++) yield row(Buffer.from([1, 0]), int(ordinal));
      return;
    }
  }
}

const isSettings = (text: string): boolean => /^SET \w+ /.test(text);

function* settle(text: string, { settings }: State, options: FakeMsSqlOptions): Iterable<Buffer> {
  for (const [, name = "", value = ""] of text.matchAll(/SET (\w+) (-?\w+);/g)) {
    if (!options.keeps?.includes(name)) settings.set(name, value);
    if (name === "LANGUAGE") yield info(5703, "Changed language setting to us_english.");
  }
  // Keys of SESSION_CONTEXT are read only: the first value stays until the session is reset.
  for (const [, key = "", value = ""] of text.matchAll(
    /@key = N'(\w+)', @value = N'((?:[^']|'')*)', @read_only = 1/g,
  )) {
    if (!settings.has(`@${key}`)) settings.set(`@${key}`, value.replaceAll("''", "'"));
  }
  const keys = [...text.matchAll(/CAST\(SESSION_CONTEXT\(N'(\w+)'\) AS NVARCHAR\(4000\)\)/g)].map(
    ([, key = ""]) => key,
  );
  let flags = 0;
  for (const [name, bit] of Object.entries(SWITCHES)) if (settings.get(name) === "ON") flags |= bit;
  const names: FakeColumn[] = [
    TYPES.int,
    TYPES.nvarchar,
    TYPES.int,
    TYPES.int,
    TYPES.int,
    TYPES.int,
    TYPES.nvarchar,
    TYPES.int,
    ...keys.map(() => TYPES.nvarchar),
  ].map((type) => ({ name: "", type }));
  yield columns(names);
  yield row(
    int(flags),
    nvarchar(settings.get("LANGUAGE") ?? "us_english"),
    int(Number(settings.get("DATEFIRST"))),
    int(Number(settings.get("TEXTSIZE") ?? 4096)),
    int(Number(settings.get("LOCK_TIMEOUT") ?? -1)),
    int(options.edition ?? 3),
    nvarchar(String(options.version?.[0] ?? 16)),
    int(options.compatibility ?? 160),
    ...keys.map((key) => nvarchar(settings.get(`@${key}`) ?? "")),
  );
}

interface Message {
  readonly type: number;
  readonly resets: boolean;
  readonly payload: Buffer;
}

/** A batch's text, or the text that a call of a procedure has for its only parameter. */
function textOf({ type, payload }: Message): Asked {
  const body = payload.subarray(payload.readUInt32LE(0));
  if (type === 0x01) return { text: body.toString("utf16le"), isCall: false };
  let at = 2 + body.readUInt16LE(0) * 2 + 2;
  // The parameter's name, its flags, its type with a collation, the length of all its chunks.
  at += 1 + (body[at] as number) * 2 + 1 + 8 + 8;
  const parts: Buffer[] = [];
  for (let length = body.readUInt32LE(at); length > 0; length = body.readUInt32LE(at)) {
    parts.push(body.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return { text: Buffer.concat(parts).toString("utf16le"), isCall: true };
}

function wantsTls(payload: Buffer): boolean {
  for (let at = 0; payload[at] !== 0xff; at += 5) {
    if (payload[at] === 1) return [1, 3].includes(payload[payload.readUInt16BE(at + 1)] ?? 2);
  }
  return false;
}

const SLOTS = {
  host: 36,
  user: 40,
  password: 44,
  app: 48,
  server: 52,
  library: 60,
  language: 64,
  database: 68,
} as const;

function readLogin(message: Buffer, isEncrypted: boolean): FakeLogin {
  const slice = (slot: number): Buffer => {
    const at = message.readUInt16LE(slot);
    return Buffer.from(message.subarray(at, at + message.readUInt16LE(slot + 2) * 2));
  };
  const text = (slot: number): string => slice(slot).toString("utf16le");
  const password = slice(SLOTS.password).map((byte) => ((byte ^ 0xa5) >> 4) | (((byte ^ 0xa5) & 0x0f) << 4));
  const fields = Object.fromEntries(Object.entries(SLOTS).map(([name, slot]) => [name, text(slot)]));
  const extension = message.readUInt32LE(message.readUInt16LE(56));
  return {
    fields: { ...fields, password: Buffer.from(password).toString("utf16le") } as FakeLogin["fields"],
    version: message.readUInt32LE(4),
    isReadOnly: ((message[26] as number) & 0x20) !== 0,
    features: message.subarray(extension),
    message,
    isEncrypted,
  };
}

/** Messages over a stream, and what a client says while it is answered. */
class Channel {
  room = 4088;
  /** The client wants what is being said to end. */
  attention: Message | undefined;
  isOver = false;
  readonly stream: Duplex;
  #bytes: Buffer = Buffer.alloc(0);
  readonly #messages: Message[] = [];
  #parts: Buffer[] = [];
  #wake: (() => void) | undefined;
  #isAnswering = false;
  #pending: Buffer = Buffer.alloc(0);
  #number = 1;
  readonly #onData = (chunk: Buffer): void => this.#take(chunk);

  constructor(stream: Duplex) {
    this.stream = stream;
    stream.on("data", this.#onData);
    stream.on("close", () => this.#close());
    stream.on("end", () => this.#close());
    stream.on("error", () => this.#close());
  }

  /** Gives the stream away. */
  release(): void {
    this.stream.off("data", this.#onData);
    this.stream.pause();
  }

  #close(): void {
    this.isOver = true;
    this.#wake?.();
  }

  #take(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]);
    while (this.#bytes.length >= 8 && this.#bytes.length >= this.#bytes.readUInt16BE(2)) {
      const length = this.#bytes.readUInt16BE(2);
      const [type = 0, status = 0] = this.#bytes;
      this.#parts.push(this.#bytes.subarray(8, length));
      this.#bytes = this.#bytes.subarray(length);
      if ((status & 1) === 0) continue;
      const message = { type, resets: (status & 8) !== 0, payload: Buffer.concat(this.#parts) };
      this.#parts = [];
      if (type === 0x06 && this.#isAnswering) this.attention = message;
      else this.#messages.push(message);
      this.#wake?.();
    }
  }

  async next(): Promise<Message | undefined> {
    while (this.#messages.length === 0) {
      if (this.isOver) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#messages.shift();
  }

  /** Resolves when the client wants what is being said to end, or has gone. */
  async interrupted(): Promise<undefined> {
    while (this.attention === undefined && !this.isOver) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async send(payload: Buffer): Promise<void> {
    await this.#write(packets(payload, this.room));
  }

  async begin(): Promise<void> {
    this.#isAnswering = true;
    this.#number = 1;
    this.#pending = Buffer.alloc(0);
  }

  /** Full packets go out. */
  async add(part: Buffer): Promise<void> {
    this.#pending = Buffer.concat([this.#pending, part]);
    while (this.#pending.length > this.room) await this.#packet(this.room, 0);
  }

  /** Sends the buffered bytes, like a server that has nothing more for a while. */
  async flush(): Promise<void> {
    if (this.#pending.length > 0) await this.#packet(this.#pending.length, 0);
  }

  async finish(): Promise<void> {
    await this.#packet(this.#pending.length, 1);
    this.#isAnswering = false;
    if (this.attention !== undefined) {
      this.#messages.push(this.attention);
      this.attention = undefined;
    }
  }

  async #packet(length: number, status: number): Promise<void> {
    const header = Buffer.from([4, status, 0, 0, 0, 0, this.#number++ & 0xff, 0]);
    header.writeUInt16BE(length + 8, 2);
    const part = this.#pending.subarray(0, length);
    this.#pending = this.#pending.subarray(length);
    await this.#write(Buffer.concat([header, part]));
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.isOver) return;
    if (this.stream.write(bytes)) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        this.stream.off("drain", go).off("close", go);
        resolve();
      };
      this.stream.on("drain", go).on("close", go);
    });
  }

  end(): void {
    this.stream.end();
  }
}

/** TLS whose handshake travels in packets of the prelogin. */
async function encryptedInside(
  channel: Channel,
  { handshakeType: type = 0x12, tls }: FakeMsSqlOptions,
): Promise<Channel> {
  let isDone = false;
  let held: Buffer = Buffer.alloc(0);
  const raw = channel.stream;
  channel.release();
  const duplex = new Duplex({
    read: () => raw.resume(),
    write: (chunk: Buffer, _encoding, next) => {
      raw.write(isDone ? chunk : packets(chunk, 4088, type), () => next());
    },
    writev: (chunks, next) => {
      const all = Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer));
      raw.write(isDone ? all : packets(all, 4088, type), () => next());
    },
  });
  raw.on("data", (chunk: Buffer) => {
    if (isDone) return void duplex.push(chunk);
    held = Buffer.concat([held, chunk]);
    // A handshake's packet has the type of the prelogin; what begins otherwise is TLS itself.
    while (held.length >= 8 && held[0] === 0x12 && held.length >= held.readUInt16BE(2)) {
      duplex.push(held.subarray(8, held.readUInt16BE(2)));
      held = held.subarray(held.readUInt16BE(2));
    }
    if (held.length > 0 && held[0] !== 0x12) {
      isDone = true;
      duplex.push(held);
    }
  });
  raw.on("close", () => duplex.push(null));
  const secure = new TLSSocket(duplex as Socket, {
    isServer: true,
    secureContext: createSecureContext({ ...TLS, maxVersion: "TLSv1.2", ...tls }),
  });
  secure.on("error", () => raw.destroy());
  secure.on("close", () => raw.destroy());
  await new Promise<void>((resolve, reject) => {
    secure.once("secure", resolve);
    secure.once("close", () => reject(new Error("closed")));
  });
  return new Channel(secure);
}
