/**
 * ClickHouse's engine behind its HTTP interface, in a process of its own: `clickhouse-process.ts ENGINE DATA PASSWORD`. The
 * engine is real (chDB is ClickHouse as a library): values, settings, errors, limits of time, `system.processes` and
 * KILL QUERY are its own. What stands here is a SHIM that only carries: HTTP in the shapes of a server of 25.11 and later
 * (https://clickhouse.com/docs/interfaces/http), the password, and which session a user begins in.
 *
 * Where the library has no way: a query's id is kept as its `log_comment`, and KILL QUERY asks for that; a user of a
 * `readonly` profile is a session in which `readonly` is set first, so what it refuses the engine refuses.
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { createGzip, type Gzip } from "node:zlib";

interface Chunk {
  readonly numBytes: number;
  raw(): Uint8Array;
}
interface Session {
  query(sql: string, format?: string): string;
  queryAsync(sql: string, options: { readonly format: string }): Promise<{ bytes(): Uint8Array }>;
  queryStream(sql: string, options: { readonly format: string }): AsyncIterable<Chunk>;
  close(): void;
}

const [, , engine = "", data = "", password = ""] = process.argv;
const { Session } = createRequire(engine)("chdb") as { readonly Session: new (path: string) => Session };

/** For killing, which a session cannot do for itself, and for keeping the engine up between requests. */
const control = new Session(data);

/** Users, who have the same password, and the settings of their profiles. */
const USERS: ReadonlyMap<string, string> = new Map([
  ["default", "readonly = 0"],
  ["restricted", "readonly = 2"],
  ["reader", "readonly = 1"],
  ["generous", "empty_result_for_aggregation_by_constant_keys_on_empty_set = 0"],
  [
    "contrary",
    [
      "empty_result_for_aggregation_by_empty_set = 1",
      "date_time_64_output_format_cut_trailing_zeros_align_to_groups_of_thousands = 1",
      "distributed_product_mode = 'local'",
      "transform_null_in = 1",
    ].join(", "),
  ],
]);

/** Parameters of the interface; any other is a setting. */
const PARAMETERS: ReadonlySet<string> = new Set("query query_id database default_format user password".split(" "));
/** Settings of HTTP, which the engine has and does not heed. */
const CANCELS = "cancel_http_readonly_queries_on_client_close";

/** `HTTPHandler` of the server; what is not here is 500. */
const STATUSES: ReadonlyMap<number, number> = new Map([
  [516, 403],
  [62, 400],
  [46, 404],
  [47, 404],
  [60, 404],
  [81, 404],
  [115, 404],
  [159, 408],
  [202, 503],
]);

// The client closes idle connections: a server that closes one can meet a request that is on its way.
const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
  answer(request, response).catch((error: Error) => response.destroy(error));
});
server.listen(0, "127.0.0.1", () => console.log(`ready at ${(server.address() as AddressInfo).port}`));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { searchParams, pathname } = new URL(request.url ?? "", "http://clickhouse");
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  if (pathname === "/ping") return void response.end("Ok.\n");
  const profile = profileOf(request);
  if (profile === undefined) {
    const user = "default: Authentication failed: password is incorrect, or there is no user with such name";
    return refuse(response, `Code: 516. DB::Exception: ${user}. (AUTHENTICATION_FAILED)`);
  }
  const sql = (searchParams.get("query") ?? "") + Buffer.concat(parts).toString("utf8");
  const format = searchParams.get("default_format") ?? "TabSeparated";
  const id = searchParams.get("query_id") ?? randomBytes(16).toString("hex");
  const settings = [...searchParams].filter(([name]) => !PARAMETERS.has(name));
  const session = new Session(data);
  let isOver = false;
  const cancels = settings.some(([name, value]) => name === CANCELS && value === "1");
  response.on("close", () => {
    if (!isOver && cancels) kill(id);
  });
  let body: Body | undefined;
  try {
    session.query(`USE ${quotedName(searchParams.get("database") ?? "default")}`);
    session.query(`SET log_comment = ${quoted(id)}`);
    session.query(`SET ${profile}`);
    const set = settings.map(([name, value]) => `${quotedName(name)} = ${quoted(value)}`);
    if (set.length > 0) session.query(`SET ${set.join(", ")}`);
    body = new Body(request, response, { id, format });
    for await (const chunk of run(session, sql, format)) {
      if (response.destroyed) break;
      await body.write(chunk);
    }
    await body.end();
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^Query failed: /, "") : String(error);
    const text = `${message.trim()} (version 26.7.2.1 (official build))`;
    if (response.headersSent) await body?.fail(text);
    else refuse(response, text);
  } finally {
    isOver = true;
    session.close();
  }
}

function profileOf({ headers }: IncomingMessage): string | undefined {
  const [scheme, encoded = ""] = (headers.authorization ?? "").split(" ");
  const [, user = "", given = ""] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  return scheme === "Basic" && given === password ? USERS.get(user) : undefined;
}

/** Only queries stream in the library. The header of `…WithNamesAndTypes` stands before each of its chunks. */
async function* run(session: Session, sql: string, format: string): AsyncGenerator<Uint8Array> {
  if (!/^(?:\s|\(|--.*\n|\/\*[\s\S]*?\*\/)*(?:SELECT|WITH|VALUES|FROM)\b/i.test(sql)) {
    const killed = sql.replace(/\bquery_id\s*=/, "Settings['log_comment'] =");
    const isKill = /^\s*KILL\b/i.test(sql);
    yield (await (isKill ? control : session).queryAsync(isKill ? killed : sql, { format })).bytes();
    return;
  }
  let header = 0;
  for await (const chunk of session.queryStream(sql, { format })) {
    const bytes = chunk.raw();
    yield bytes.subarray(header);
    if (header === 0 && format.endsWith("WithNamesAndTypes")) header = headerLength(bytes);
  }
}

function headerLength(bytes: Uint8Array): number {
  let at = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const columns = number();
  for (let text = 0; text < 2 * columns; text++) {
    const length = number();
    at += length;
  }
  return at;
}

/** A whole query is gone when this answers; the library's own way lets it run on. */
function kill(id: string): void {
  control
    .queryAsync(`KILL QUERY WHERE Settings['log_comment'] = ${quoted(id)} ASYNC`, { format: "Null" })
    .catch(() => {});
}

class Body {
  readonly #response: ServerResponse;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #tag = randomBytes(8).toString("hex");
  #gzip: Gzip | undefined;
  #hasBegun = false;

  constructor(request: IncomingMessage, response: ServerResponse, { id, format }: { id: string; format: string }) {
    this.#response = response;
    const encodings = String(request.headers["accept-encoding"] ?? "");
    const asks = new URL(request.url ?? "", "http://clickhouse").searchParams.get("enable_http_compression") === "1";
    if (asks && encodings.includes("gzip")) this.#gzip = createGzip();
    this.#headers = {
      "content-type": "application/octet-stream",
      "x-clickhouse-query-id": id,
      "x-clickhouse-format": format,
      "x-clickhouse-timezone": "UTC",
      "x-clickhouse-exception-tag": this.#tag,
      ...(this.#gzip !== undefined && { "content-encoding": "gzip" }),
    };
  }

  #begin(): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#response.writeHead(200, this.#headers);
    this.#gzip?.on("data", (bytes: Uint8Array) => this.#response.write(bytes));
  }

  /** Resolves when the reader has room for more. */
  async write(bytes: Uint8Array): Promise<void> {
    this.#begin();
    if (this.#gzip !== undefined) {
      const gzip = this.#gzip;
      await new Promise<void>((resolve) => gzip.write(bytes, () => gzip.flush(() => resolve())));
    } else this.#response.write(bytes);
    while (this.#response.writableNeedDrain && !this.#response.destroyed) {
      await new Promise<void>((resolve) => {
        this.#response.once("drain", resolve);
        this.#response.once("close", resolve);
      });
    }
  }

  async end(): Promise<void> {
    this.#begin();
    if (this.#gzip !== undefined) {
      const gzip = this.#gzip;
      await new Promise<void>((resolve) => gzip.once("end", resolve).end());
    }
    this.#response.end();
  }

  /** Fails like a server that has sent its status: the exception between marks, and no end of the last chunk. */
  async fail(text: string): Promise<void> {
    const message = `${text}\n`;
    const length = Buffer.byteLength(message);
    await this.write(
      Buffer.from(`\r\n__exception__\r\n${this.#tag}\r\n${message}${length} ${this.#tag}\r\n__exception__\r\n`),
    );
    setTimeout(() => this.#response.destroy(), 20);
  }
}

function refuse(response: ServerResponse, text: string): void {
  const [, code = "1000"] = /^Code: (\d+)/.exec(text) ?? [];
  response.writeHead(STATUSES.get(Number(code)) ?? 500, {
    "content-type": "text/plain; charset=UTF-8",
    "x-clickhouse-exception-code": code,
  });
  response.end(`${text}\n`);
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

function quotedName(name: string): string {
  return `\`${name.replace(/[\\`]/g, "\\$&")}\``;
}
