/** The catalogue of a bucket by the files Worker's connector: what native DuckDB lists of the same files in a directory. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CatalogRequest } from "../../../src/connectors/catalog/types.ts";
import { openBucketInWasm } from "../../../src/connectors/duckdb-wasm/bucket.ts";
import type { WasmEngine } from "../../../src/connectors/duckdb-wasm/engine.ts";
import type { BucketConnection } from "../../../src/connectors/files/open-store.ts";
import { FooterCache } from "../../../src/connectors/files/parquet/footer-cache.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import { calling, connectTo, makeWith, type Playground, playground } from "../../sidecar/duckdb/fixtures.ts";
import { type S3Server, startS3Server } from "../../support/s3-server.ts";
import { failureOf } from "../contract.ts";
import { engineInNode } from "./engine-in-node.ts";

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "shop/orders.2024.csv": "id,at,price\n1,2024-01-01,1.5\n",
  "shop/packed.csv.gz": gzipSync("id,b\n1,true\n"),
  "shop/tabs.tsv": "a\tb\n1\tx\n",
  "shop/no-extension": "a,b\n1,x\n",
  "shop/.hidden.csv": "a\n1\n",
  "shop/many/b.csv": "n\n1\n",
  "shop/many/a.csv": "n\n1\n",
  "shop/many/other.json": "{}",
  "shop/empty-folder/deep/a.csv": "n\n1\n",
  "shop/day=2024-01-01/a.csv": "n\n1\n",
  "shop/odd name%2F.csv": "größe,B b\n1,2\n",
  "shop/unreadable.csv": Uint8Array.from([0x61, 0xff, 0xfe, 0x0a, 0x31]),
  "shop/broken.parquet": "PAR1 and nothing else PAR1",
  "layouts/names/a.csv": "id,name\n1,ann\n",
  "layouts/names/b.csv": "id,price\n2,1.5\n",
  "layouts/types/a.csv": "v\n1\n",
  "layouts/types/b.csv": "v\n2024-01-01\n",
  "layouts/names/a.json": '{"id":1,"name":"ann"}',
  "layouts/names/b.json": '{"id":2,"price":1.5}',
  "docs/other.json": '{"a": 1, "day": "2024-01-01"}',
  "docs/lines.ndjson": '{"a": 1}\n{"a": null, "ok": true}\n',
  "docs/many/a.json": '{"b": [1.5], "c": {"d": "x"}}',
  "docs/many/b.json": '{"b": [], "e": "x"}',
  "left/times.json": '{"a": "10:00:00"}',
};

const LAYOUTS: Readonly<Record<string, string>> = {
  name: "SELECT 1::BIGINT AS id, 'ann' AS name",
  price: "SELECT 2::INTEGER AS id, 1.5::DOUBLE AS price",
  day: "SELECT DATE '2024-01-01' AS id",
};
/** Each has the columns of one of `LAYOUTS`. */
const LAYOUT_FILES: Readonly<Record<string, string>> = {
  "layouts/names/a.parquet": "name",
  "layouts/names/b.parquet": "price",
  "layouts/types/a.parquet": "name",
  "layouts/types/b.parquet": "day",
  "layouts/day=2024-01-01/a.parquet": "name",
  "layouts/day=2024-01-01/b.parquet": "price",
  ...Object.fromEntries(
    Array.from({ length: 17 }, (_, at) => [`many/m/${10 + at}.parquet`, at === 0 ? "name" : "price"]),
  ),
};

let ground: Playground;
let server: S3Server;
let engine: WasmEngine;

beforeAll(async () => {
  ground = playground();
  server = await startS3Server({ pageSize: 5 });
  const parquet =
    "SELECT 1 AS i, 1.50::decimal(9,2) AS d, 'x' AS s, [1] AS l, {'a': DATE '2024-01-01'} AS r, '\\x00'::blob AS b";
  await makeWith([`COPY (${parquet}) TO '${ground.base}/types.parquet' (FORMAT parquet)`]);
  const types = readFileSync(`${ground.base}/types.parquet`);
  await makeWith(
    Object.entries(LAYOUTS).map(([name, sql]) => `COPY (${sql}) TO '${ground.base}/${name}.parquet' (FORMAT parquet)`),
  );
  const layouts = Object.fromEntries(
    Object.entries(LAYOUT_FILES).map(([path, name]) => [path, readFileSync(`${ground.base}/${name}.parquet`)]),
  );
  const files = {
    ...FILES,
    ...layouts,
    "shop/types.parquet": types,
    "shop/year/a.parquet": types,
    "shop/year/b.parquet": types,
  };
  for (const [name, content] of Object.entries(files)) {
    ground.write(name, content);
    server.objects.set(name, Buffer.from(content));
  }
  engine = await engineInNode();
}, 60_000);
afterAll(async () => {
  await server.close();
  ground.remove();
});

function inWasm(fields: Readonly<Record<string, unknown>>) {
  const { info } = parseConnection("minio_file", server.connectionInfo(fields));
  return openBucketInWasm(info as BucketConnection, { engine, footers: new FooterCache(0), fetch });
}

const tables = (filter: object = {}, limit?: number): Extract<CatalogRequest, { kind: "tables" }> => ({
  kind: "tables",
  filter,
  limit,
});

describe("tables of a bucket", () => {
  it.each<[string, { url: string; format: string }, CatalogRequest]>([
    ["of CSV", { url: "/shop", format: "csv" }, tables()],
    ["of a folder that is written otherwise", { url: "shop//", format: "csv" }, tables()],
    ["of Parquet", { url: "/shop", format: "parquet" }, tables()],
    ["of JSON", { url: "/docs", format: "json" }, tables()],
    ["of CSV in several layouts", { url: "/layouts", format: "csv" }, tables()],
    ["of Parquet in several layouts", { url: "/layouts", format: "parquet" }, tables()],
    ["of JSON in several layouts", { url: "/layouts", format: "json" }, tables()],
    ["of the top", { url: "/", format: "csv" }, tables()],
    ["by a pattern", { url: "/shop", format: "csv" }, tables({ table: "*o*" })],
    ["no more than asked for", { url: "/shop", format: "csv" }, tables({}, 2)],
    ["constraints", { url: "/shop", format: "csv" }, { kind: "constraints", filter: {}, limit: undefined }],
    ["schemas", { url: "/shop", format: "csv" }, { kind: "schemas", filter: {}, limit: undefined }],
    ["the version", { url: "/shop", format: "csv" }, { kind: "version" }],
  ])("%s, as native DuckDB lists them", async (_, fields, request) => {
    const native = await connectTo(ground, fields);
    try {
      const there = await native.catalog(request, calling());
      expect(await inWasm(fields).catalog(request, calling())).toEqual(there);
      if (request.kind === "tables" && fields.url !== "/") expect(there).not.toHaveLength(0);
    } finally {
      await native.close();
    }
  });

  it.each([
    [
      "a format that there is not",
      { url: "/shop", format: "xml" },
      "FILE_INVALID",
      /^Failed to list files: Unsupported/,
    ],
    ["a file that takes the sidecar", { url: "/left", format: "json" }, "NEEDS_SIDECAR", /does not read of "left/],
  ])("%s", async (_, fields, reason, message) => {
    const failure = await failureOf(inWasm(fields).catalog(tables(), calling()));
    expect(failure).toMatchObject({ reason, message: expect.stringMatching(message) });
  });

  it("databases take the sidecar", () => {
    expect(() => inWasm({ format: "duckdb" })).toThrow(expect.objectContaining({ reason: "NEEDS_SIDECAR" }));
  });

  it("have the columns of all Parquet files of a folder with at most sixteen, else those of the first one", async () => {
    const columns = async (url: string): Promise<Record<string, string[]>> => {
      const answer = await inWasm({ url, format: "parquet" }).catalog(tables(), calling());
      return Object.fromEntries(answer.map((table) => [table.name, table.columns.map(({ name }) => name)]));
    };
    expect(await columns("/layouts")).toEqual({
      "day=2024-01-01": ["id", "name", "price", "day"],
      names: ["id", "name", "price"],
      types: ["id", "name"],
    });
    expect(await columns("/many")).toEqual({ m: ["id", "name"] });
  });

  it("read of Parquet the footers of a folder's files, and no rows", async () => {
    const before = server.requests.length;
    await inWasm({ url: "/shop/year", format: "parquet" }).catalog(tables(), calling());
    const read = server.requests.slice(before).filter((request) => request.startsWith("GET"));
    expect(new Set(read.map((request) => request.split(" ")[1]))).toEqual(
      new Set(["shop/year/a.parquet", "shop/year/b.parquet"]),
    );
    const more = server.requests.length;
    await inWasm({ url: "/shop", format: "parquet" }).catalog(tables({ table: "year" }), calling());
    expect(server.requests.slice(more).filter((request) => request.startsWith("GET"))).toHaveLength(2);
  });

  it("end with their time", async () => {
    const late = inWasm({ url: "/shop", format: "csv" }).catalog(tables(), calling({ timeoutMs: 1 }));
    expect((await failureOf(late)).reason).toBe("STATEMENT_TIMEOUT");
  });
});
