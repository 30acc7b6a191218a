/**
 * A front before MySQL that behaves towards clients as a frontend of Doris does where the connector asks for what is Doris' own: its
 * greeting, its variables and its commands. What runs the statements is MySQL and NOT Doris.
 */
import { connect, type Socket } from "node:net";
import { startTcpServer, type TcpServer } from "../../support/tcp.ts";

/**
 * Variables of a frontend; others are an error on Doris
 * (https://doris.apache.org/docs/dev/sql-manual/basic-element/variables).
 */
const VARIABLES: ReadonlySet<string> = new Set(
  [
    "time_zone sql_mode sql_dialect sql_select_limit default_order_by_limit skip_missing_version skip_bad_tablet",
    "return_object_data_as_binary query_timeout enable_strict_cast enable_decimal256 group_concat_max_len",
    "decimal_overflow_scale check_overflow_for_decimal",
  ].flatMap((line) => line.split(" ")),
);

const QUERY = 0x03;
const PING = 0x0e;
const QUIT = 0x01;

export interface FrontOptions {
  readonly versionComment?: string;
  /** A variable that is told as something else than it was set to. */
  readonly forgets?: string;
}

export interface Front extends TcpServer {
  /** Statements received on all connections. */
  readonly asked: readonly string[];
}

export const VERSION = "Doris version doris-4.0.1-rc02-1b2c3d4e5f";

export async function startFront(
  target: { readonly host: string; readonly port: number },
  { versionComment = VERSION, forgets }: FrontOptions = {},
): Promise<Front> {
  const asked: string[] = [];
  const server = await startTcpServer((client) => {
    const behind = connect(target.port, target.host);
    const variables = new Map<string, string>();
    let number = "";
    behind.on("error", () => client.destroy());
    behind.on("close", () => client.end());
    client.on("close", () => behind.destroy());
    behind.once("data", (greeting: Buffer) => {
      const end = greeting.indexOf(0, 5);
      number = String(greeting.readUInt32LE(end + 1));
      client.write(disguised(greeting, end));
      pipe(behind, client);
    });
    client.on("data", (chunk: Buffer) => {
      const [, , , sequence, command = 0] = chunk;
      // Packets of the login are renumbered.
      if (sequence !== 0) return void behind.write(chunk);
      const text = chunk.toString("utf8", 5);
      if (command !== QUERY) {
        if (command === PING || command === QUIT) behind.write(chunk);
        else client.write(failure(1047, `Unsupported command(${command})`));
        return;
      }
      asked.push(text);
      const answer = answerTo(text, variables, { number, versionComment, forgets });
      if (answer !== undefined) client.write(answer);
      else behind.write(query(text.replace("CURRENT_CATALOG()", "'internal'")));
    });
  });
  return Object.assign(server, { asked });
}

/** Backpressure is passed on: a reader that does not read holds MySQL back. */
function pipe(from: Socket, to: Socket): void {
  from.on("data", (chunk) => {
    if (to.write(chunk)) return;
    from.pause();
    to.once("drain", () => from.resume());
  });
}

/** Another version in its place. */
function disguised(greeting: Buffer, end: number): Buffer {
  const payload = Buffer.concat([Buffer.of(10), Buffer.from("5.7.99"), greeting.subarray(end)]);
  return packet(0, payload);
}

interface Told {
  readonly number: string;
  readonly versionComment: string;
  readonly forgets: string | undefined;
}

function answerTo(text: string, variables: Map<string, string>, told: Told): Buffer | undefined {
  if (text === "SELECT @@version_comment") return row(["@@version_comment"], [told.versionComment]);
  if (text.startsWith("SET ")) {
    for (const [, name = "", value = ""] of text.matchAll(/@@SESSION\.(\w+) = ('[^']*'|-?[\d.]+)/g)) {
      if (!VARIABLES.has(name)) return failure(1193, `Unknown system variable '${name}'`);
      variables.set(name, value.replaceAll("'", ""));
    }
    return packet(1, Buffer.of(0, 0, 0, 2, 0, 0, 0));
  }
  if (!text.startsWith("SELECT CONNECTION_ID(), @@version_comment")) return undefined;
  const names = [...text.matchAll(/@@SESSION\.(\w+)/g)].map(([, name = ""]) => name);
  const values = names.map((name) => (name === told.forgets ? "" : (variables.get(name) ?? "")));
  return row(["id", "version", ...names], [told.number, told.versionComment, ...values]);
}

// ------------------------------------------------------------------------------------------------------- packets

function packet(sequence: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUIntLE(payload.length, 0, 3);
  header.writeUInt8(sequence, 3);
  return Buffer.concat([header, payload]);
}

const query = (text: string): Buffer => packet(0, Buffer.concat([Buffer.of(QUERY), Buffer.from(text)]));

const failure = (number: number, message: string): Buffer =>
  packet(1, Buffer.concat([Buffer.of(0xff, number & 0xff, number >> 8), Buffer.from(`#HY000${message}`)]));

const EOF = Buffer.of(0xfe, 0, 0, 2, 0);

/** A text of less than 251 bytes. */
const short = (text: string): Buffer => Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)]);

/** Lengths, character set and flags are what a frontend sends of any column. */
const definition = (name: string, type: number): Buffer =>
  Buffer.concat([
    ...["def", "", "", ""].map(short),
    short(name),
    short(name),
    Buffer.of(0x0c, 33, 0, 255, 0, 0, 0, type, 0, 0, 0, 0, 0),
  ]);

interface ToldColumn {
  readonly name: string;
  readonly type: number;
}

function result(columns: readonly ToldColumn[], rows: readonly (readonly (string | null)[])[]): Buffer {
  const packets = [
    Buffer.of(columns.length),
    ...columns.map(({ name, type }) => definition(name, type)),
    EOF,
    ...rows.map((values) => Buffer.concat(values.map((value) => (value === null ? Buffer.of(0xfb) : short(value))))),
    EOF,
  ];
  return Buffer.concat(packets.map((payload, index) => packet(index + 1, payload)));
}

const row = (names: readonly string[], values: readonly string[]): Buffer =>
  result(
    names.map((name) => ({ name, type: 0xfe })),
    [values],
  );
