/**
 * A FAKE of Databricks' Statement Execution API whose statements a real Spark runs, over Spark Connect: errors, types and Arrow
 * are Spark's. What an answer looks like is Databricks' documentation and recordings of its own driver's tests
 * (https://github.com/databricks/databricks-jdbc, `src/test/resources/sqlexecapi`).
 */
import { createServer, type IncomingMessage } from "node:http";
import { nodeDial } from "../../../sidecar/dial.ts";
import { openChannel, type SparkChannel } from "../../../sidecar/spark/channel.ts";
import { closed, engineErrorOf } from "../../../sidecar/spark/failures.ts";
import type { ErrorDetails, ExecutePlanResponse } from "../../../sidecar/spark/protocol.ts";
import { SparkSession } from "../../../sidecar/spark/session.ts";
import { readArrowStream } from "../../../src/connectors/arrow/stream.ts";
import { parseSparkConnection } from "../../../src/connectors/connection/spark.ts";
import { SETTINGS_QUERY } from "../../../src/connectors/databricks/warehouse-settings.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import type { SessionSetting } from "../../../src/planner/plan.ts";
import { listenOnLoopback } from "../../support/tcp.ts";
import { patient } from "../contract.ts";

export const TOKEN = "dapi0123456789abcdef";
export const WAREHOUSE = "abc123";
const STORAGE = "https://workspace.s3.eu-west-1.amazonaws.com";

export interface FakeDatabricks {
  /** `http://127.0.0.1:…`, in the place of the workspace and of where it keeps rows. */
  readonly url: string;
  /** Asks it whatever is asked. */
  readonly fetch: typeof fetch;
  /** Method and path of each request, newest last. */
  readonly asked: readonly string[];
  /** Session settings for statements, as the administrator has set them. */
  settings: readonly SessionSetting[];
  close(): Promise<void>;
}

interface Part {
  readonly bytes: Uint8Array;
  readonly rows: number;
}

interface Execution {
  state: "PENDING" | "SUCCEEDED" | "FAILED" | "CANCELED";
  error: { readonly message: string; readonly sqlState: string | undefined } | undefined;
  types: readonly (readonly [name: string, type: string])[];
  readonly parts: Part[];
  session: SparkSession | undefined;
}

/** The defaults of a SQL warehouse, by Spark's names. */
const WAREHOUSE_SETTINGS: readonly SessionSetting[] = [
  { name: "spark.sql.session.timeZone", value: "UTC" },
  { name: "spark.sql.ansi.enabled", value: "true" },
];

export async function startDatabricksOverSpark(spark: {
  readonly host: string;
  readonly port: number;
}): Promise<FakeDatabricks> {
  const executions = new Map<string, Execution>();
  const described = new Map<string, Promise<Execution["types"]>>();
  /**
   * Cached answers about the settings, by settings: every statement reads them, and a real warehouse caches results
   * too.
   */
  const settled = new Map<string, Execution>();
  const asked: string[] = [];
  const fake = { settings: WAREHOUSE_SETTINGS };

  const channelTo = () =>
    openChannel(
      parseSparkConnection(spark).info,
      { dial: nodeDial([spark.host]), connectTimeoutMs: 10_000 },
      patient().signal,
    );

  /** A session has what the warehouse has. The statement ends with it. */
  async function begin(channel: SparkChannel): Promise<SparkSession> {
    const session = new SparkSession(channel, "databricks", patient(), () => {});
    await session.set(fake.settings);
    return session;
  }

  async function describe(sql: string): Promise<Execution["types"]> {
    const channel = await channelTo();
    const session = await begin(channel);
    try {
      const rows = await session.list({ sql: { query: `DESCRIBE QUERY ${sql}` } });
      return rows.map((row) => [String(row["col_name"]), typeText(String(row["data_type"]))] as const);
    } finally {
      await session.end(closed());
      channel.close();
    }
  }

  async function run(execution: Execution, sql: string): Promise<void> {
    const channel = await channelTo();
    const details = recording(channel, execution.parts);
    try {
      execution.session = await begin(channel);
      const result = await execution.session.query({ sql: "", before: 0 }, { sql: { query: sql } });
      for await (const _ of result.batches);
      const key = JSON.stringify([sql, fake.settings]);
      if (!described.has(key)) described.set(key, describe(sql));
      execution.types = (await described.get(key)) ?? [];
      if (execution.state === "PENDING") execution.state = "SUCCEEDED";
    } catch (error) {
      if (execution.state !== "PENDING") return;
      const root = engineErrorOf(details() ?? { errors: [] });
      const message = root?.message ?? (error instanceof ConnectorFailure ? error.message : String(error));
      Object.assign(execution, { state: "FAILED", error: { message, sqlState: root?.sqlState } });
    } finally {
      await execution.session?.end(closed());
      channel.close();
    }
  }

  function result(id: string, { parts }: Execution, index: number): object {
    if (parts.length === 0) return {};
    const rowOffset = parts.slice(0, index).reduce((sum, { rows }) => sum + rows, 0);
    return {
      external_links: [
        {
          chunk_index: index,
          row_offset: rowOffset,
          row_count: parts[index]?.rows,
          byte_count: parts[index]?.bytes.length,
          ...(index + 1 < parts.length && {
            next_chunk_index: index + 1,
            next_chunk_internal_link: `/api/2.0/sql/statements/${id}/result/chunks/${index + 1}`,
          }),
          external_link: `${STORAGE}/results/${id}/${index}?X-Amz-Signature=0a`,
          expiration: new Date(Date.now() + 900_000).toISOString(),
        },
      ],
    };
  }

  function statement(id: string, execution: Execution): object {
    const { state, error, types, parts } = execution;
    if (state !== "SUCCEEDED") {
      const failed = error && {
        error: { error_code: "BAD_REQUEST", message: error.message },
        sql_state: error.sqlState,
      };
      return { statement_id: id, status: { state, ...failed } };
    }
    return {
      statement_id: id,
      status: { state },
      manifest: {
        format: "ARROW_STREAM",
        schema: {
          column_count: types.length,
          columns: types.map(([name, type_text], position) => ({ name, type_text, position })),
        },
        total_chunk_count: parts.length,
        total_row_count: parts.reduce((sum, { rows }) => sum + rows, 0),
        truncated: false,
      },
      result: result(id, execution, 0),
    };
  }

  async function answer(request: IncomingMessage): Promise<[status: number, body: object | Uint8Array]> {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { method = "", url = "", headers } = request;
    asked.push(`${method} ${url}`);
    const [, stored, part] = /^\/results\/([\w-]+)\/(\d+)\?X-Amz-Signature=0a$/.exec(url) ?? [];
    if (stored !== undefined) {
      // Storages accept one credential and reject two.
      if (headers.authorization !== undefined) return [400, { Code: "InvalidArgument" }];
      return [200, executions.get(stored)?.parts[Number(part)]?.bytes ?? {}];
    }
    if (headers.authorization !== `Bearer ${TOKEN}`)
      return [403, { error_code: 403, message: "Invalid access token." }];
    const [, id = "", action = ""] = /^\/api\/2\.0\/sql\/statements(?:\/([\w-]+))?(.*)$/.exec(url) ?? [];
    const execution = executions.get(id);
    if (method === "POST" && id === "") {
      const { statement: sql, ...rest } = JSON.parse(body) as Readonly<Record<string, string>>;
      if (rest["warehouse_id"] !== WAREHOUSE) return [404, { error_code: "NOT_FOUND", message: "No such warehouse." }];
      const name = crypto.randomUUID();
      const key = sql?.includes(SETTINGS_QUERY) ? JSON.stringify(fake.settings) : name;
      const known = settled.get(key);
      const made = known ?? { state: "PENDING", error: undefined, types: [], parts: [], session: undefined };
      executions.set(name, made);
      if (key !== name) settled.set(key, made);
      if (known === undefined) void run(made, String(sql));
      return [200, statement(name, made)];
    }
    if (execution === undefined)
      return [404, { error_code: "NOT_FOUND", message: `The statement ${id} was not found.` }];
    if (action === "/cancel") {
      // Others may wait for what is known of the settings.
      if (execution.state === "PENDING" && ![...settled.values()].includes(execution)) {
        execution.state = "CANCELED";
        await execution.session?.end(closed());
      }
      return [200, {}];
    }
    const [, chunk] = /^\/result\/chunks\/(\d+)$/.exec(action) ?? [];
    return [200, chunk === undefined ? statement(id, execution) : result(id, execution, Number(chunk))];
  }

  const server = createServer(async (request, response) => {
    const [status, body] = await answer(request);
    response.writeHead(status).end(body instanceof Uint8Array ? body : JSON.stringify(body));
  });
  const { url, close } = await listenOnLoopback(server);
  return Object.assign(fake, {
    url,
    asked,
    fetch: ((input, init) => {
      const { pathname, search } = new URL(String(input));
      return fetch(url + pathname + search, init);
    }) as typeof fetch,
    close,
  });
}

/** Keeps what a statement's channel brings: parts in Arrow, and what the engine tells of an error. */
function recording(channel: SparkChannel, parts: Part[]): () => ErrorDetails | undefined {
  let details: ErrorDetails | undefined;
  const [execute, ask] = [channel.execute.bind(channel), channel.ask.bind(channel)];
  const record = (message: ExecutePlanResponse | undefined): void => {
    if (message?.arrowBatch == null) return;
    const bytes = new Uint8Array(message.arrowBatch.data);
    const rows = readArrowStream(bytes).batches.reduce((sum, batch) => sum + batch.rows, 0);
    if (rows > 0) parts.push({ bytes, rows });
  };
  channel.execute = (request) => {
    const execution = execute(request);
    const next = execution.next.bind(execution);
    execution.next = async () => {
      const message = await next();
      record(message);
      return message;
    };
    return execution;
  };
  channel.ask = async (method, request, signal) => {
    const answered = await ask(method, request, signal);
    if (method === "FetchErrorDetails") details = answered as ErrorDetails;
    return answered;
  };
  return () => details;
}

/** In Databricks' spelling: `array<struct<a:decimal(10,2)>>` is `ARRAY<STRUCT<a: DECIMAL(10,2)>>`. */
function typeText(spark: string): string {
  return spark.replace(/(`(?:[^`]|``)*`|[^<>,:`]+):|(\w+)/g, (_, name, word) =>
    name === undefined ? word.toUpperCase() : `${name}: `,
  );
}
