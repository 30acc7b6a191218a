/**
 * A FAKE of PlanetScale's SQL over HTTP: the request and answer shapes that `@planetscale/database` 1.20 sends and reads, with
 * the SQL run on a real MySQL under the credentials that came in. It translates transport only. Nothing here has been
 * compared with PlanetScale itself beyond what the driver's source shows; Vitess's own SQL and variables are not played.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Connection, createConnection, type FieldPacket } from "mysql2/promise";

export interface FakePlanetScale {
  /** A `fetch` that finds the fake under any of PlanetScale's hosts. */
  readonly fetch: typeof fetch;
  /** The driver's requests, newest last. */
  readonly requests: readonly { readonly url: string; readonly query: string }[];
  /** Replaces the next answers, one each. */
  answerNext(answer: (response: ServerResponse) => void): void;
  close(): Promise<void>;
}

/** Vitess's names of the types that the protocol numbers. */
const NAMES: Readonly<Record<number, string>> = {
  1: "INT8",
  2: "INT16",
  3: "INT32",
  4: "FLOAT32",
  5: "FLOAT64",
  7: "TIMESTAMP",
  8: "INT64",
  9: "INT24",
  10: "DATE",
  11: "TIME",
  12: "DATETIME",
  13: "YEAR",
  16: "BIT",
  245: "JSON",
  246: "DECIMAL",
  252: "TEXT",
  253: "VARCHAR",
  254: "CHAR",
  255: "GEOMETRY",
};
const BYTES: Readonly<Record<string, string>> = { TEXT: "BLOB", VARCHAR: "VARBINARY", CHAR: "BINARY" };

export async function startFakePlanetScale(target: {
  readonly host: string;
  readonly port: number;
  readonly database: string;
}): Promise<FakePlanetScale> {
  const requests: { url: string; query: string }[] = [];
  const instead: ((response: ServerResponse) => void)[] = [];
  const sessions = new Map<string, Connection>();
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { query, session } = JSON.parse(Buffer.concat(chunks).toString()) as {
      query: string;
      session: string | null;
    };
    requests.push({ url: request.url ?? "", query });
    const other = instead.shift();
    if (other !== undefined) return other(response);
    const name = session ?? `session ${sessions.size + 1}`;
    try {
      const connection = sessions.get(name) ?? (await createConnection({ ...target, ...credentialsOf(request) }));
      sessions.set(name, connection);
      response.on("close", () => {
        // A disconnect cancels the statement.
        if (!response.writableFinished) connection.destroy();
      });
      const result = await answer(connection, query);
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ session: name, result, timing: 0 }));
    } catch (error) {
      const { errno, sqlState, message } = error as { errno: number; sqlState: string; message: string };
      const told = `target: shop.-.primary: vttablet: rpc error: code = Unknown desc = ${message} (errno ${errno}) (sqlstate ${sqlState}) (CallerID: x)`;
      const body = errno === 1045 ? { code: "UNAUTHENTICATED", message } : { code: "UNKNOWN", message: told };
      response
        .writeHead(errno === 1045 ? 401 : 200, { "content-type": "application/json" })
        .end(JSON.stringify({ error: body }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    fetch: (input, init) => {
      const url = new URL(String(input));
      if (url.protocol !== "https:" || !url.hostname.endsWith(".psdb.cloud"))
        throw new Error(`not PlanetScale: ${url.href}`);
      return fetch(`http://127.0.0.1:${port}${url.pathname}`, init);
    },
    requests,
    answerNext: (answered) => {
      instead.push(answered);
    },
    close: async () => {
      server.closeAllConnections();
      for (const connection of sessions.values()) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function credentialsOf(request: IncomingMessage): { user: string; password: string } {
  const [, encoded = ""] = /^Basic (.*)$/.exec(request.headers.authorization ?? "") ?? [];
  const [, user = "", password = ""] = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(encoded, "base64").toString()) ?? [];
  return { user, password };
}

async function answer(connection: Connection, sql: string): Promise<object> {
  const typeCast = (field: { buffer(): Buffer | null }) => field.buffer();
  const [rows, fields] = await connection.query({ sql, rowsAsArray: true, typeCast: typeCast as never });
  if (!Array.isArray(rows)) return { rowsAffected: "0", insertId: "0" };
  return {
    fields: fields.map(toField),
    rows: (rows as unknown as (Buffer | null)[][]).map((row) => ({
      lengths: row.map((value) => String(value === null ? -1 : value.length)),
      values: Buffer.concat(row.flatMap((value) => (value === null ? [] : [value]))).toString("base64"),
    })),
  };
}

function toField(packet: FieldPacket): object {
  const {
    name,
    columnLength,
    decimals,
    characterSet,
    columnType = 0,
    flags,
  } = packet as FieldPacket & {
    characterSet: number;
  };
  const numbered = NAMES[columnType] ?? "NULL_TYPE";
  const bits = Number(flags);
  const isUnsigned = (bits & 0x20) !== 0 && numbered.startsWith("INT");
  const marked = (bits & 0x100) !== 0 ? "ENUM" : (bits & 0x800) !== 0 ? "SET" : numbered;
  const type = isUnsigned ? `U${numbered}` : characterSet === 63 ? (BYTES[marked] ?? marked) : marked;
  return { name, type, columnLength, decimals, flags: bits, charset: characterSet };
}
