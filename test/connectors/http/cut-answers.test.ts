/**
 * Compressed answers that are cut: whether the connection breaks or the bytes merely end, no part of an answer is taken for the
 * whole. The `fetch` here unpacks as workerd's does, which tells that bytes are missing (seen with gzip and Brotli); Node's own
 * would not, and the sidecar's unpacks nothing.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { utf8 } from "@uwdata/flechette";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connector } from "../../../src/connectors/connector.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { arrow } from "../../support/spark-arrow.ts";
import { bytes, HEADERS, header } from "../clickhouse/server.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";

/** Texts that do not pack well, or half of the bytes would be all of the rows. */
const TEXTS = Array.from({ length: 2000 }, (_, index) => String((index * 7_919) % 99_991).padStart(60, String(index)));

type Body = string | Uint8Array<ArrayBuffer>;

interface Said {
  readonly connection: object;
  /** Bodies in the order in which they are asked for; the last is the one that is cut. */
  readonly answers: readonly Body[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers further requests, at any time. */
  readonly beside?: (url: string, body: string) => Body | undefined;
  /** Resolves with how much of it there was; of the rows of a statement without it. */
  readonly read?: (connector: Connector) => Promise<number>;
}

const STORAGE = "https://workspace.s3.eu-west-1.amazonaws.com";
/** An answer of Databricks' that has as many columns of texts. */
const databricks = (id: string, columns: number, rows: number): string =>
  JSON.stringify({
    statement_id: id,
    status: { state: "SUCCEEDED" },
    manifest: {
      format: "ARROW_STREAM",
      schema: { columns: Array.from({ length: columns }, (_, i) => ({ name: `n${i}`, type_text: "STRING" })) },
      total_chunk_count: 1,
      total_row_count: rows,
    },
    result: {
      external_links: [{ chunk_index: 0, row_offset: 0, row_count: rows, external_link: `${STORAGE}/${id}` }],
    },
  });
/** How a warehouse is set. */
const SETTINGS = ["UTC", "bigint", "$" + "{spark.sql.session.timeZone}", "1"];
const texts = (columns: readonly (readonly string[])[]) =>
  arrow(Object.fromEntries(columns.map((values, i) => [`n${i}`, [values, utf8()]]))) as Uint8Array<ArrayBuffer>;

const athena = (body: object): string => JSON.stringify(body);

const SAID: readonly (readonly [DataSource, Said])[] = [
  [
    "trino",
    {
      connection: { host: "trino.example.com", port: 8080, catalog: "c", schema: "s", user: "u" },
      answers: [
        JSON.stringify({ stats: {}, nextUri: "http://trino.example.com:8080/v1/statement/executing/id/slug/1" }),
        JSON.stringify({
          stats: {},
          columns: [{ name: "t", type: "varchar", typeSignature: { rawType: "varchar", arguments: [] } }],
          data: TEXTS.map((text) => [text]),
        }),
      ],
    },
  ],
  [
    "clickhouse",
    {
      connection: { host: "ch.example.com", port: 8123, database: "d", user: "u" },
      answers: [Uint8Array.from([...header("String"), ...TEXTS.flatMap((text) => [...bytes([text.length], text)])])],
      headers: HEADERS,
    },
  ],
  [
    "athena",
    {
      connection: {
        s3_staging_dir: "s3://bucket/q/",
        region_name: "eu-west-1",
        aws_access_key_id: "AKIAEXAMPLE",
        aws_secret_access_key: "k",
      },
      answers: [
        athena({ QueryExecutionId: "id" }),
        athena({ QueryExecution: { Status: { State: "SUCCEEDED" } } }),
        athena({
          ResultSet: {
            ResultSetMetadata: { ColumnInfo: [{ Name: "t", Type: "varchar" }] },
            Rows: ["t", ...TEXTS].map((text) => ({ Data: [{ VarCharValue: text }] })),
          },
        }),
      ],
    },
  ],
  [
    "databricks",
    {
      connection: { serverHostname: "dbc-1.cloud.databricks.com", httpPath: "/sql/1.0/warehouses/a", accessToken: "t" },
      answers: [databricks("rows", 1, TEXTS.length), texts([TEXTS])],
      beside: (url, body) => {
        if (body.includes("current_timezone")) return databricks("settings", SETTINGS.length, 1);
        return url === `${STORAGE}/settings` ? texts(SETTINGS.map((text) => [text])) : undefined;
      },
    },
  ],
  [
    "canner",
    {
      connection: { host: "canner.example.com", port: "7432", user: "u", pat: "p", workspace: "w" },
      answers: [
        JSON.stringify({ data: { userMe: { workspaces: [{ id: "1", sqlName: "w" }] } } }),
        JSON.stringify({ data: { workspaceDatasets: TEXTS.map((sqlName) => ({ sqlName, columns: [] })) } }),
      ],
      read: async (connector) =>
        (await connector.catalog({ kind: "tables", filter: {}, limit: undefined }, patient())).length,
    },
  ],
];

const ofRows = async (connector: Connector): Promise<number> =>
  (await drain(await connector.query(plain("SELECT t FROM x"), patient()))).length;

/** For each source: how its last answer ends. */
type Ending = "whole" | "broken" | "ended";

describe.each(SAID)("%s", (source, { connection, answers, headers, beside, read = ofRows }) => {
  let asked = 0;
  let ending: Ending = "whole";
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    const answer = answers[asked++] ?? "{}";
    const packed = gzipSync(answer);
    response.writeHead(200, { "content-type": "application/json", ...headers });
    if (ending === "whole" || asked !== answers.length) return response.end(packed);
    const half = packed.subarray(0, packed.length >> 1);
    if (ending === "ended") return response.end(half);
    response.write(half, () => response.destroy());
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function rows(how: Ending): Promise<number> {
    asked = 0;
    ending = how;
    const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const fetch: typeof globalThis.fetch = async (address, init) => {
      const body = (init?.body as string | undefined) ?? "";
      const known = beside?.(String(address), body);
      if (known !== undefined) return new Response(known);
      const packed = await globalThis.fetch(here, { ...init, method: "POST", body });
      return new Response(packed.body?.pipeThrough(new DecompressionStream("gzip")), packed);
    };
    const connector = await openHere(
      parseConnection(source, connection).info,
      { fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 1000 },
      { signal: new AbortController().signal },
    );
    return read(connector).finally(() => connector.close());
  }

  it("is read whole when it comes whole", async () => expect(await rows("whole")).toBe(TEXTS.length));

  it.each<Ending>(["broken", "ended"])("%s in the middle is no answer", async (how) => {
    expect((await failureOf(rows(how))).reason).toBe("UPSTREAM_PROTOCOL");
  });
});
