/**
 * Compressed answers that are cut: whether the connection breaks or the bytes merely end, no part of an answer is taken for the
 * whole. The `fetch` here unpacks as workerd's does, which tells that bytes are missing (seen with gzip and Brotli); Node's own
 * would not, and the sidecar's unpacks nothing.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openHere } from "../../../src/connectors/open-here.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import type { DataSource } from "../../../src/planner/plan.ts";
import { bytes, HEADERS, header } from "../clickhouse/server.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";

/** Texts that do not pack well, or half of the bytes would be all of the rows. */
const TEXTS = Array.from({ length: 2000 }, (_, index) => String((index * 7_919) % 99_991).padStart(60, String(index)));

interface Said {
  readonly connection: object;
  /** Bodies in the order in which they are asked for; the last is the one that is cut. */
  readonly answers: readonly (string | Uint8Array)[];
  readonly headers?: Readonly<Record<string, string>>;
}

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
];

/** Of each source: how its last answer ends. */
type Ending = "whole" | "broken" | "ended";

describe.each(SAID)("%s", (source, { connection, answers, headers }) => {
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

  async function rows(how: Ending) {
    asked = 0;
    ending = how;
    const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const fetch: typeof globalThis.fetch = async (_address, init) => {
      const packed = await globalThis.fetch(here, { ...init, method: "POST", body: (init?.body as string) ?? "" });
      return new Response(packed.body?.pipeThrough(new DecompressionStream("gzip")), packed);
    };
    const connector = await openHere(
      parseConnection(source, connection).info,
      { fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 1000 },
      { signal: new AbortController().signal },
    );
    return drain(await connector.query(plain("SELECT t FROM x"), patient())).finally(() => connector.close());
  }

  it("is read whole when it comes whole", async () => expect(await rows("whole")).toHaveLength(TEXTS.length));

  it.each<Ending>(["broken", "ended"])("%s in the middle is no answer", async (how) => {
    expect((await failureOf(rows(how))).reason).toBe("UPSTREAM_PROTOCOL");
  });
});
