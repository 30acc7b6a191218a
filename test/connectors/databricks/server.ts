/**
 * A FAKE workspace of Databricks: its Statement Execution API and its storage, and no engine. `rows COUNT` in a comment of the
 * statement is how many rows it has, of one bigint column, a thousand a part; without it the statement runs and brings nothing.
 * It tells its settings, and its version.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";
import { int64, utf8 } from "@uwdata/flechette";
import { arrow } from "../../support/spark-arrow.ts";
import { listenOnLoopback } from "../../support/tcp.ts";

export interface FakeWorkspace {
  readonly url: string;
  /** `METHOD path`, of what came for statements of the tests, newest last; without what is asked for by the connector itself. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

const PART_ROWS = 1000;
/** A double cannot hold this value. */
const FIRST_VALUE = 9007199254740993n;
const VARIABLE = `$${"{spark.sql.session.timeZone}"}`;
/** One row of texts, by what their statement asks for. */
const TOLD = [
  ["current_timezone", ["UTC", "bigint", VARIABLE, "1"]],
  ["current_version", ["2025.40"]],
] as const;

interface FakeStatement {
  readonly texts: readonly string[] | undefined;
  /** Undefined while it runs, without end. */
  readonly rows: number | undefined;
}

/** `origin` is where answers say that rows lie. */
export async function startFakeWorkspace(origin: string | undefined, tls?: ServerOptions): Promise<FakeWorkspace> {
  const asked: string[] = [];
  const statements: FakeStatement[] = [];
  let own = "";

  const linkTo = (id: number, part: number) => {
    const { rows = 0 } = statements[id] ?? {};
    const row_offset = part * PART_ROWS;
    return {
      chunk_index: part,
      row_offset,
      row_count: Math.min(PART_ROWS, rows - row_offset),
      external_link: `${origin ?? own}/rows/${id}/${part}`,
    };
  };
  const told = (id: number): object => {
    const { texts = undefined, rows = undefined } = statements[id] ?? {};
    if (rows === undefined) return { statement_id: String(id), status: { state: "RUNNING" } };
    const type_text = texts === undefined ? "BIGINT" : "STRING";
    return {
      statement_id: String(id),
      status: { state: "SUCCEEDED" },
      manifest: {
        format: "ARROW_STREAM",
        schema: { columns: (texts ?? ["n"]).map((_, i) => ({ name: `n${i}`, type_text })) },
        total_chunk_count: Math.ceil(rows / PART_ROWS),
        total_row_count: rows,
        truncated: false,
      },
      result: { external_links: [linkTo(id, 0)] },
    };
  };
  const partOf = (id: number, part: number): Uint8Array => {
    const { texts } = statements[id] ?? {};
    if (texts !== undefined) return arrow(Object.fromEntries(texts.map((text, i) => [`n${i}`, [[text], utf8()]])));
    const { row_offset, row_count } = linkTo(id, part);
    return arrow({ n: [Array.from({ length: row_count }, (_, i) => FIRST_VALUE + BigInt(row_offset + i)), int64()] });
  };

  async function answer(request: IncomingMessage): Promise<object | Uint8Array> {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "" } = request;
    const [, posted] = /^\/api\/2\.0\/sql\/statements(\/.*)?$/.exec(url) ?? [];
    const [, name, part] = /\/(\d+)(?:\/(?:result\/chunks\/)?(\d+))?(?:\/cancel)?$/.exec(posted ?? url) ?? [];
    let id = Number(name);
    if (name === undefined) {
      const [, texts] = TOLD.find(([what]) => body.includes(what)) ?? [];
      const [, count = texts && 1] = /rows (\d+)/.exec(body) ?? [];
      id = statements.push({ texts, rows: count === undefined ? undefined : Number(count) }) - 1;
    }
    if (statements[id]?.texts === undefined) asked.push(`${method} ${url.replace(/\/\d+(?=\/|$)/, "/id")}`);
    if (url.startsWith("/rows/")) return partOf(id, Number(part));
    if (part !== undefined) return { external_links: [linkTo(id, Number(part))] };
    return told(id);
  }

  const listen = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const said = await answer(request);
    response.end(said instanceof Uint8Array ? said : JSON.stringify(said));
  };
  const server = tls === undefined ? createServer(listen) : createSecureServer(tls, listen);
  const { url, close } = await listenOnLoopback(server);
  own = tls === undefined ? url : url.replace("http://127.0.0.1", "https://localhost");
  return { url: own, asked, close };
}
