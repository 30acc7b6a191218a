/** The ClickHouse of the tests: what its front carries of the engine's own. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClickHouseTestDatabase, startClickHouse } from "./clickhouse.ts";
import { hasClickHouse, WITHOUT_CLICKHOUSE } from "./clickhouse-server.ts";

describe.skipIf(!hasClickHouse())(hasClickHouse() ? "ClickHouse's engine" : WITHOUT_CLICKHOUSE, () => {
  let database: ClickHouseTestDatabase;
  beforeAll(async () => {
    database = await startClickHouse();
  });
  afterAll(() => database?.stop());

  const send = (
    sql: string,
    parameters: Readonly<Record<string, string>> = {},
    user = "default",
    signal?: AbortSignal,
  ) =>
    fetch(`http://${database.host}:${database.port}/?${new URLSearchParams(parameters)}`, {
      method: "POST",
      body: sql,
      headers: { authorization: `Basic ${Buffer.from(`${user}:${database.password}`).toString("base64")}` },
      ...(signal !== undefined && { signal }),
    });

  it("is of one version", async () => {
    expect(await database.query("SELECT version()")).toEqual([["26.7.2.1"]]);
  });

  it("keeps tables between requests, in a database of its own", async () => {
    await database.query("CREATE TABLE t (n Int32) ENGINE = MergeTree ORDER BY n");
    await database.query("INSERT INTO t SELECT number FROM numbers(3)");
    expect(await database.query("SELECT sum(n), currentDatabase() FROM t")).toEqual([["3", database.database]]);
  });

  it.each(["", "gzip"])("gives every row of an answer that comes in chunks, with one header (%j)", async (encoding) => {
    const response = await fetch(
      `http://${database.host}:${database.port}/?${new URLSearchParams({ default_format: "RowBinaryWithNamesAndTypes", enable_http_compression: "1" })}`,
      {
        method: "POST",
        body: "SELECT number AS n FROM numbers(200000)",
        headers: {
          authorization: `Basic ${Buffer.from(`default:${database.password}`).toString("base64")}`,
          "accept-encoding": encoding,
        },
      },
    );
    expect(response.headers.get("content-encoding") ?? "").toBe(encoding);
    expect((await response.arrayBuffer()).byteLength).toBe(10 + 200_000 * 8);
  });

  it("keeps settings for a request", async () => {
    expect(await database.query("SELECT getSetting('max_threads')", { max_threads: "3" })).toEqual([["3"]]);
    expect(await database.query("SELECT getSetting('max_threads')", { max_threads: "2" })).toEqual([["2"]]);
  });

  it.each<[string, string, number, string, string]>([
    ["default", "SELECT 1 +", 400, "62", "Syntax error"],
    ["default", "SELECT 1 FROM nowhere", 404, "60", "nowhere"],
    ["default", "SELECT throwIf(1)", 500, "395", "throwIf"],
    ["nobody", "SELECT 1", 403, "516", "Authentication failed"],
    ["reader", "SELECT 1 SETTINGS max_threads = 1", 500, "164", "readonly mode"],
    ["restricted", "CREATE TABLE x (n Int8) ENGINE = Memory", 500, "164", "readonly mode"],
  ])("tells %s's %s as %i, code %s", async (user, sql, status, code, text) => {
    const response = await send(sql, {}, user);
    expect([response.status, response.headers.get("x-clickhouse-exception-code")]).toEqual([status, code]);
    expect(await response.text()).toContain(text);
  });

  it("breaks off where a statement fails behind its first rows, with the exception between marks", async () => {
    const response = await send("SELECT throwIf(number = 50) FROM numbers(100) SETTINGS max_block_size = 10");
    expect(response.status).toBe(200);
    const tag = response.headers.get("x-clickhouse-exception-tag");
    let text = "";
    const decoder = new TextDecoder();
    await expect(async () => {
      for await (const bytes of response.body as ReadableStream<Uint8Array>) text += decoder.decode(bytes);
    }).rejects.toThrow();
    expect(text).toMatch(new RegExp(`\r\n__exception__\r\n${tag}\r\nCode: 395[\\s\\S]* ${tag}\r\n__exception__\r\n$`));
  });

  it.each([
    ["closing the connection, where that was asked for", false],
    ["KILL QUERY by its id", true],
  ])("ends a statement by %s", async (_, kills) => {
    const id = `by-${kills}`;
    const running = async () =>
      Number((await database.query(`SELECT count() FROM system.processes WHERE Settings['log_comment'] = '${id}'`))[0]);
    const leaving = new AbortController();
    const settings = kills ? {} : { readonly: "2", cancel_http_readonly_queries_on_client_close: "1" };
    const sql = "SELECT count() FROM numbers(1000000000000) WHERE sipHash64(number) = 7";
    const answer = send(sql, { ...settings, query_id: id }, "default", leaving.signal).then(
      (response) => response.status,
      String,
    );
    await expect.poll(running, { interval: 20 }).toBe(1);
    if (kills) await database.query(`KILL QUERY WHERE query_id = '${id}' ASYNC`);
    else leaving.abort();
    await expect.poll(running, { interval: 20 }).toBe(0);
    expect(await answer).toEqual(kills ? 500 : expect.stringContaining("Abort"));
  });
});
