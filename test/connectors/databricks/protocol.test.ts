/**
 * The Statement Execution API against a FAKE that says what it is told to, in the shapes of its documentation and of recordings
 * of the maker's driver. Statements run in `test/engines/databricks.test.ts`, on a Spark behind such an API.
 */
import { int32, utf8 } from "@uwdata/flechette";
import { describe, expect, it } from "vitest";
import { openHere } from "../../../src/connectors/open-here.ts";
import { parseConnection } from "../../../src/connectors/sources.ts";
import { arrow } from "../../support/spark-arrow.ts";
import { drain, failureOf, patient, plain } from "../contract.ts";

const WORKSPACE = "https://dbc-1.cloud.databricks.com";
const STORAGE = "https://workspace.s3.eu-west-1.amazonaws.com";
const FIELDS = {
  serverHostname: "dbc-1.cloud.databricks.com",
  httpPath: "/sql/1.0/warehouses/abc",
  accessToken: "dapitopsecret",
};
const PRINCIPAL = {
  databricks_type: "service_principal",
  clientId: "the-client",
  clientSecret: "the:secret+&",
  accessToken: undefined,
};

interface Sent {
  readonly method: string;
  readonly origin: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

type Answer = object | Response | ((sent: Sent) => object | Response | Promise<Response>);

/** Settings queries get the expected answer, and are not in the lists. */
const SETTINGS = arrow({
  a: [["Etc/UTC"], utf8()],
  b: [["bigint"], utf8()],
  c: [["$" + "{spark.sql.session.timeZone}"], utf8()],
  d: [["1"], utf8()],
});

const bodies = new Map<Response, Promise<ArrayBuffer>>();

/** Can be read any number of times. A clone would not do: cancelling one of two waits for the other. */
async function again(response: Response): Promise<Response> {
  const body = bodies.get(response) ?? response.arrayBuffer();
  bodies.set(response, body);
  return new Response(await body, response);
}

/** Each answer is JSON, a response, or what makes one; the last goes on. */
function fake(...answers: readonly Answer[]) {
  const sent: Sent[] = [];
  const left = [...answers];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const { origin, pathname, search } = new URL(request.url);
    const body = await request.text();
    const { method, headers } = request;
    if (body.includes("current_timezone"))
      return Response.json(succeeded("settings", ["STRING", "STRING", "STRING", "STRING"], 1));
    if (pathname === "/settings/0") return new Response(SETTINGS as Uint8Array<ArrayBuffer>);
    if (pathname.includes("/settings")) return Response.json(linksOf("settings", 0, 1));
    const one: Sent = { method, origin, path: pathname + search, headers, body };
    sent.push(one);
    const answer = (left.length > 1 ? left.shift() : left[0]) ?? {};
    if (answer instanceof Response) return again(answer);
    const said = typeof answer === "function" ? await answer(one) : answer;
    return said instanceof Response ? said : Response.json(said);
  };
  const open = (change: object = {}) =>
    openHere(
      parseConnection("databricks", { ...FIELDS, ...change }).info,
      { fetch, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 1000 },
      { signal: new AbortController().signal },
    );
  const rows = async (options = patient(), change: object = {}) =>
    drain(await (await open(change)).query(plain("SELECT n FROM t"), options));
  return { sent, open, rows, lines: () => sent.map(({ method, path }) => `${method} ${path}`) };
}

const running = (state = "RUNNING") => ({ statement_id: "id", status: { state } });
const failed = (error_code: string, message: string, sql_state?: string) => ({
  statement_id: "id",
  status: { state: "FAILED", error: { error_code, message }, ...(sql_state !== undefined && { sql_state }) },
});
const succeeded = (id: string, types: readonly string[], rowsOf: number, change: object = {}, result?: object) => ({
  statement_id: id,
  status: { state: "SUCCEEDED" },
  manifest: {
    format: "ARROW_STREAM",
    schema: { column_count: types.length, columns: types.map((type_text, i) => ({ name: `n${i}`, type_text })) },
    total_chunk_count: 1,
    total_row_count: rowsOf,
    truncated: false,
    ...change,
  },
  result: result ?? linksOf(id, 0, rowsOf),
});
function linksOf(id: string, chunk_index: number, row_count: number, change: object = {}): object {
  const external_link = `${STORAGE}/${id}/${chunk_index}`;
  return { external_links: [{ chunk_index, row_offset: 0, row_count, external_link, ...change }] };
}
const part = (...values: readonly number[]) =>
  new Response(arrow({ n0: [values, int32()] }) as Uint8Array<ArrayBuffer>);
const result = (rowsOf: number, change: object = {}, links?: object) => succeeded("id", ["INT"], rowsOf, change, links);

describe("a statement", () => {
  it("is sent, asked after, and fetched part by part from its storage, which is told nothing", async () => {
    const { sent, rows, lines } = fake(
      running("PENDING"),
      running(),
      result(
        3,
        { total_chunk_count: 2 },
        linksOf("id", 0, 2, { next_chunk_index: 1, http_headers: { "x-amz-key": "k" } }),
      ),
      part(1, 2),
      linksOf("id", 1, 1, { row_offset: 2 }),
      part(3),
    );
    expect(await rows()).toEqual([[1], [2], [3]]);
    expect(lines()).toEqual([
      "POST /api/2.0/sql/statements",
      "GET /api/2.0/sql/statements/id",
      "GET /api/2.0/sql/statements/id",
      "GET /id/0",
      "GET /api/2.0/sql/statements/id/result/chunks/1",
      "GET /id/1",
    ]);
    expect(JSON.parse(sent[0]?.body ?? "")).toEqual({
      warehouse_id: "abc",
      statement: "(SELECT n FROM t\n)",
      disposition: "EXTERNAL_LINKS",
      format: "ARROW_STREAM",
      wait_timeout: "0s",
    });
    for (const { origin, headers } of sent) {
      const isStorage = origin === STORAGE;
      if (!isStorage) expect(origin).toBe(WORKSPACE);
      expect(headers.get("authorization")).toBe(isStorage ? null : "Bearer dapitopsecret");
    }
    expect(sent[3]?.headers.get("x-amz-key")).toBe("k");
  });

  it("without rows has its columns", async () => {
    const { open } = fake(succeeded("id", ["INT", "DECIMAL(10,2)"], 0, { total_chunk_count: 0 }, {}));
    const connector = await open();
    const { columns, batches } = await connector.query(plain("SELECT 1"), patient());
    expect(columns).toEqual([
      { name: "n0", type: { kind: "int32" } },
      { name: "n1", type: { kind: "decimal", precision: 10, scale: 2 } },
    ]);
    expect((await batches.next()).done).toBe(true);
  });

  it.each([429, 503])("whose state cannot be asked after for a moment (%i) goes on", async (status) => {
    const { rows } = fake(running(), new Response("", { status }), result(1), new Response("", { status }), part(7));
    expect(await rows()).toEqual([[7]]);
  });

  it("is not sent twice", async () => {
    const { rows, lines } = fake(new Response("", { status: 503, headers: { "retry-after": "7" } }));
    expect(await failureOf(rows())).toMatchObject({ reason: "OVERLOADED", retryAfter: 7 });
    expect(lines()).toHaveLength(1);
  });

  it.each<[string, (controller: AbortController) => void, number, string]>([
    ["its caller goes", (controller) => setTimeout(() => controller.abort(), 50), 60_000, "CANCELLED"],
    ["its time is over", () => {}, 50, "STATEMENT_TIMEOUT"],
  ])("is cancelled, once, when %s", async (_, end, timeoutMs, reason) => {
    const { rows, lines } = fake(running());
    const controller = new AbortController();
    end(controller);
    expect((await failureOf(rows({ signal: controller.signal, timeoutMs }))).reason).toBe(reason);
    const cancels = () => lines().filter((line) => line === "POST /api/2.0/sql/statements/id/cancel");
    await expect.poll(cancels, { timeout: 30_000, interval: 10 }).toHaveLength(1);
    expect(lines().at(-1)).toBe(cancels()[0]);
  });

  it("that nobody waits for is cancelled behind the answer that names it", async () => {
    const { rows, lines } = fake(
      () => new Promise<Response>((resolve) => setTimeout(() => resolve(Response.json(running())), 100)),
      {},
    );
    expect((await failureOf(rows({ signal: patient().signal, timeoutMs: 20 }))).reason).toBe("STATEMENT_TIMEOUT");
    await expect.poll(lines, { timeout: 30_000 }).toContain("POST /api/2.0/sql/statements/id/cancel");
  });

  it("whose warehouse never answers ends with its time", async () => {
    const { rows } = fake(() => new Promise<Response>(() => {}));
    expect((await failureOf(rows({ signal: patient().signal, timeoutMs: 50 }))).reason).toBe("STATEMENT_TIMEOUT");
  });

  it("whose storage never answers ends with its time", async () => {
    const { rows } = fake(result(1), () => new Promise<Response>(() => {}));
    expect((await failureOf(rows({ signal: patient().signal, timeoutMs: 50 }))).reason).toBe("STATEMENT_TIMEOUT");
  });
});

describe("a part of the rows", () => {
  const soon = new Date(Date.now() + 60_000).toISOString();

  it("whose address has expired is asked for anew", async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    const { rows, lines } = fake(
      result(1, {}, linksOf("id", 0, 1, { expiration: past })),
      linksOf("id", 0, 1, { expiration: soon, external_link: `${STORAGE}/new` }),
      part(1),
    );
    expect(await rows()).toEqual([[1]]);
    expect(lines().slice(1)).toEqual(["GET /api/2.0/sql/statements/id/result/chunks/0", "GET /new"]);
  });

  it.each([400, 403])("that is refused (%i) is asked for anew, once", async (status) => {
    const refused = new Response("<Error><Code>AccessDenied</Code></Error>", { status });
    const again = fake(result(1), refused, linksOf("id", 0, 1), part(1));
    expect(await again.rows()).toEqual([[1]]);
    const never = fake(result(1), refused, linksOf("id", 0, 1), refused);
    expect((await failureOf(never.rows())).reason).toBe("SOURCE_ERROR");
    expect(never.lines()).toHaveLength(4);
  });

  it("of a result that is no longer there fails the statement", async () => {
    const gone = Response.json({ error_code: "NOT_FOUND", message: "gone" }, { status: 404 });
    const { rows } = fake(result(2, { total_chunk_count: 2 }, linksOf("id", 0, 1)), part(1), gone);
    expect(await failureOf(rows())).toMatchObject({
      reason: "SOURCE_ERROR",
      message: "The result no longer exists.",
    });
  });

  it.each([
    "https://evil.example/rows",
    "https://amazonaws.com.evil.example/rows",
    "https://evilamazonaws.com/rows",
    "http://workspace.s3.eu-west-1.amazonaws.com/rows",
    "https://user:pw@workspace.s3.eu-west-1.amazonaws.com/rows",
    "https://169.254.169.254/latest/meta-data",
    "https://localhost/rows",
    "file:///etc/passwd",
    "//nowhere",
    "",
  ])("is not fetched from %s", async (external_link) => {
    const { rows, lines } = fake(result(1, {}, linksOf("id", 0, 1, { external_link })));
    const failure = await failureOf(rows());
    expect(failure.reason).toBe("EGRESS_DENIED");
    expect(failure.message).not.toContain("pw@");
    expect(lines()).toHaveLength(1);
  });

  it.each([
    "https://x.blob.core.windows.net/rows",
    "https://x.dfs.core.windows.net/rows",
    "https://storage.googleapis.com/x/rows",
    `${WORKSPACE}/rows`,
  ])("is fetched from %s, without the token", async (external_link) => {
    const { rows, sent } = fake(result(1, {}, linksOf("id", 0, 1, { external_link })), part(1));
    expect(await rows()).toEqual([[1]]);
    expect(sent.at(-1)?.headers.get("authorization")).toBeNull();
  });

  it.each<[string, Answer[]]>([
    [
      "is the same part again",
      [result(2, { total_chunk_count: 2 }, linksOf("id", 0, 1)), part(1), linksOf("id", 0, 1)],
    ],
    ["leads back", [result(2, { total_chunk_count: 2 }, linksOf("id", 0, 1, { next_chunk_index: 0 })), part(1)]],
    ["begins elsewhere", [result(1, {}, linksOf("id", 0, 1, { row_offset: 5 })), part(1)]],
    ["has fewer rows than were told", [result(2), part(1)]],
    ["has more rows than were told", [result(1), part(1, 2)]],
    ["is the last before all rows were there", [result(5, {}, linksOf("id", 0, 1)), part(1)]],
    ["has no address", [result(1, {}, {}), {}]],
    [
      "is to be asked for with the headers of somebody",
      [result(1, {}, linksOf("id", 0, 1, { http_headers: { cookie: "a" } }))],
    ],
    ["is not Arrow", [result(1), new Response("[[1]]")]],
    ["is an HTML page", [result(1), new Response("<html>Sign in</html>".repeat(100))]],
    ["is cut", [result(1), async () => new Response((await part(1).arrayBuffer()).slice(0, -20))]],
    ["has another number of columns", [succeeded("id", ["INT", "INT"], 1), part(1)]],
    [
      "breaks off",
      [
        result(1),
        () => new Response(new ReadableStream({ start: (controller) => controller.error(new Error("cut")) })),
      ],
    ],
  ])("that %s fails the statement", async (_, answers) => {
    expect((await failureOf(fake(...answers).rows())).reason).toBe("UPSTREAM_PROTOCOL");
  });

  it.each(["BIGINT", "STRING", "DATE", "ARRAY<INT>"])(
    "that is not of its column's type (%s) fails it",
    async (type) => {
      const failure = await failureOf(fake(succeeded("id", [type], 1), part(1)).rows());
      expect(failure).toMatchObject({ reason: "SOURCE_ERROR", hint: "Cast the column to STRING." });
      expect(failure.message).toContain('"n0"');
    },
  );

  it("that is too large fails the statement", async () => {
    let left = 50;
    const endless = new ReadableStream({
      pull: (controller) => (left-- > 0 ? controller.enqueue(new Uint8Array(1024 * 1024)) : controller.close()),
    });
    const { rows } = fake(result(1), () => new Response(endless));
    expect((await failureOf(rows())).message).toMatch(/larger than/);
  });
});

it("does not take a part of a result for the whole", async () => {
  const failure = await failureOf(fake(result(1, { truncated: true }), part(1)).rows());
  expect(failure).toMatchObject({ reason: "SOURCE_ERROR", message: expect.stringContaining("not whole") });
});

it("reads a catalogue of a million columns a part at a time, and keeps what was asked for", async () => {
  const texts = (count: number, ...values: readonly string[]) =>
    Object.fromEntries(
      values.map((value, i) => [`n${i}`, [Array.from({ length: count }, () => value), utf8()] as const]),
    );
  const [PARTS, ROWS] = [20, 50_000];
  const types = (count: number) => Array.from({ length: count }, () => "STRING");
  const columns = new Response(
    arrow(texts(ROWS, "main", "other", "wide", "c", "int", "YES", "")) as Uint8Array<ArrayBuffer>,
  );
  const { open, sent } = fake(
    succeeded("id", types(4), 1),
    new Response(arrow(texts(1, "main", "sales", "orders", "")) as Uint8Array<ArrayBuffer>),
    succeeded("id", types(7), PARTS * ROWS, { total_chunk_count: PARTS }, linksOf("id", 0, ROWS)),
    ...Array.from({ length: PARTS }, (_, i) => [columns, linksOf("id", i + 1, ROWS, { row_offset: (i + 1) * ROWS })])
      .flat()
      .slice(0, -1),
    succeeded("id", types(4), 0, { total_chunk_count: 0 }, {}),
  );
  const connector = await open();
  const tables = await connector.catalog({ kind: "tables", filter: {}, limit: 1 }, patient());
  expect(tables).toMatchObject([{ name: "main.sales.orders", columns: [], primaryKey: "" }]);
  expect(sent).toHaveLength(2 + 2 * PARTS + 1);
});

describe("failures", () => {
  it.each<[string, object, object]>([
    [
      "syntax, as it was recorded",
      failed(
        "BAD_REQUEST",
        "\n[PARSE_SYNTAX_ERROR] Syntax error at or near 'FROM'. SQLSTATE: 42601 (line 1, pos 10)\n\n== SQL ==\n(SELECT n FROM t\n^^^\n",
      ),
      {
        reason: "SOURCE_INVALID_SQL",
        engineCode: "PARSE_SYNTAX_ERROR",
        message: "[PARSE_SYNTAX_ERROR] Syntax error at or near 'FROM'. SQLSTATE: 42601",
        position: 9,
      },
    ],
    [
      "rights",
      failed("BAD_REQUEST", "[INSUFFICIENT_PERMISSIONS] No SELECT on t. SQLSTATE: 42501", "42501"),
      { reason: "SOURCE_ERROR", engineCode: "INSUFFICIENT_PERMISSIONS" },
    ],
    [
      "values",
      failed(
        "BAD_REQUEST",
        "[DIVIDE_BY_ZERO] Division by zero. SQLSTATE: 22012\n== SQL (line 1, position 9) ==\nn\n^",
        "22012",
      ),
      { reason: "SOURCE_ERROR", engineCode: "DIVIDE_BY_ZERO", position: 7 },
    ],
    ["no class", failed("INTERNAL_ERROR", "Oops"), { reason: "SOURCE_ERROR", engineCode: "INTERNAL_ERROR" }],
    ["no message", { statement_id: "id", status: { state: "FAILED" } }, { reason: "SOURCE_ERROR" }],
    ["a busy service", failed("TEMPORARILY_UNAVAILABLE", "Later."), { reason: "OVERLOADED", retryAfter: 5 }],
    ["time of the warehouse's", failed("DEADLINE_EXCEEDED", "Too long."), { reason: "STATEMENT_TIMEOUT" }],
    [
      "a warehouse that does not start",
      failed("BAD_REQUEST", "Cluster abc was terminated. Reason: INVALID_ARGUMENT"),
      { reason: "SOURCE_ERROR", engineCode: "BAD_REQUEST", message: expect.stringContaining("was terminated") },
    ],
    [
      "a workspace that is closed for a while",
      failed("WORKSPACE_TEMPORARILY_UNAVAILABLE", "Later."),
      { reason: "OVERLOADED", retryAfter: 5 },
    ],
    ["somebody else's cancel", running("CANCELED"), { reason: "SOURCE_ERROR" }],
    ["a result that was closed", running("CLOSED"), { reason: "SOURCE_ERROR" }],
  ])("of a statement: %s", async (_, answer, expected) => {
    expect(await failureOf(fake(answer).rows())).toMatchObject(expected);
  });

  it.each<[number, object | string, object]>([
    [401, { error_code: 401, message: "Credential was not sent." }, { reason: "AUTHENTICATION" }],
    [
      403,
      { error_code: "PERMISSION_DENIED", message: "No." },
      { reason: "AUTHENTICATION", engineCode: "PERMISSION_DENIED" },
    ],
    [403, "<html>Forbidden</html>", { reason: "AUTHENTICATION" }],
    [404, { error_code: "NOT_FOUND", message: "No warehouse." }, { reason: "AUTHENTICATION" }],
    [
      400,
      { error_code: "INVALID_STATE", message: "Warehouse abc is STOPPED and may not be started by you." },
      { reason: "SOURCE_ERROR", engineCode: "INVALID_STATE", message: expect.stringContaining("is STOPPED") },
    ],
    [
      400,
      { error_code: "INVALID_PARAMETER_VALUE", message: "abc is not a valid endpoint id: it is DELETED." },
      { reason: "SOURCE_ERROR", message: expect.stringContaining("DELETED") },
    ],
    [429, {}, { reason: "OVERLOADED", retryAfter: 5 }],
    [502, "<html>Bad gateway</html>", { reason: "OVERLOADED" }],
    [500, "<html>Error</html>", { reason: "UPSTREAM_PROTOCOL" }],
    [302, "", { reason: "UPSTREAM_PROTOCOL" }],
    [200, "<html>Sign in</html>", { reason: "UPSTREAM_PROTOCOL" }],
    [200, "[]", { reason: "UPSTREAM_PROTOCOL" }],
    [200, { statement_id: "a/b", status: { state: "RUNNING" } }, { reason: "UPSTREAM_PROTOCOL" }],
    [200, { statement_id: "id", status: { state: "DREAMING" } }, { reason: "UPSTREAM_PROTOCOL" }],
    [200, { statement_id: "id", status: { state: "SUCCEEDED" } }, { reason: "UPSTREAM_PROTOCOL" }],
    [200, result(1, { format: "JSON_ARRAY" }), { reason: "UPSTREAM_PROTOCOL" }],
    [200, result(1, { result_compression: "LZ4_FRAME" }), { reason: "UPSTREAM_PROTOCOL" }],
    [200, result(-1), { reason: "UPSTREAM_PROTOCOL" }],
  ])("of a request: %i %j", async (status, body, expected) => {
    const headers = status === 302 ? { location: "https://evil.example/" } : {};
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const { rows, lines } = fake(new Response(text, { status, headers }));
    const failure = await failureOf(rows());
    expect(failure).toMatchObject(expected);
    expect(failure.message).not.toContain("<html>");
    expect(lines()).toHaveLength(1);
  });

  it("of a host that is not Databricks' are not passed on", async () => {
    const refused = Response.json({ error_code: "X", message: "inner secret" }, { status: 400 });
    const { rows } = fake(refused);
    const failure = await failureOf(rows(patient(), { serverHostname: "metadata.example" }));
    expect(failure.message).toBe("metadata.example answered with HTTP status 400.");
  });

  it("of the settings' statement are those of the statement", async () => {
    const { open } = fake(() => new Promise<Response>(() => {}));
    const connector = await open();
    const session = [{ name: "LEGACY_TIME_PARSER_POLICY", value: "LEGACY" }];
    await expect(connector.query({ ...plain("SELECT 1"), session }, patient())).rejects.toThrow(/cannot be set/);
    await connector.close();
  });
});

describe("a service principal", () => {
  const given = { access_token: "eyJ.token", token_type: "Bearer", expires_in: 3600 };

  it("is given a token by the workspace", async () => {
    const { sent, rows } = fake(given, result(1), part(1));
    expect(await rows(patient(), PRINCIPAL)).toEqual([[1]]);
    expect(`${sent[0]?.method} ${sent[0]?.origin}${sent[0]?.path}`).toBe(`POST ${WORKSPACE}/oidc/v1/token`);
    expect(Object.fromEntries(new URLSearchParams(sent[0]?.body))).toEqual({
      grant_type: "client_credentials",
      client_id: "the-client",
      client_secret: "the:secret+&",
      scope: "all-apis",
    });
    expect(sent[0]?.headers.get("authorization")).toBeNull();
    expect(sent[1]?.headers.get("authorization")).toBe("Bearer eyJ.token");
  });

  it.each([
    ["adb-1.2.azuredatabricks.net", "https://login.microsoftonline.com"],
    ["adb-1.2.databricks.azure.us", "https://login.microsoftonline.us"],
    ["adb-1.2.databricks.azure.cn", "https://login.chinacloudapi.cn"],
  ])("of a tenant of Microsoft's is given one by Microsoft: %s", async (serverHostname, login) => {
    const { sent, rows } = fake(given, result(1), part(1));
    await rows(patient(), { ...PRINCIPAL, serverHostname, azureTenantId: "tenant-1" });
    expect(`${sent[0]?.origin}${sent[0]?.path}`).toBe(`${login}/tenant-1/oauth2/v2.0/token`);
    expect(new URLSearchParams(sent[0]?.body).get("scope")).toBe("2ff814a6-3304-4ab8-8cfa-cb0e4f79dd03/.default");
    expect(sent[1]?.origin).toBe(`https://${serverHostname}`);
  });

  it.each<[Answer, object]>([
    [
      Response.json({ error: "invalid_client", error_description: "Client authentication failed" }, { status: 401 }),
      {
        reason: "AUTHENTICATION",
        engineCode: "invalid_client",
        message: expect.stringContaining("authentication failed"),
      },
    ],
    [Response.json({ error: "invalid_request" }, { status: 400 }), { reason: "AUTHENTICATION" }],
    [{ access_token: "a\r\nb" }, { reason: "UPSTREAM_PROTOCOL" }],
    [{}, { reason: "UPSTREAM_PROTOCOL" }],
    [new Response("<html>", { status: 401 }), { reason: "UPSTREAM_PROTOCOL" }],
    [new Response("x".repeat(100_000)), { reason: "SOURCE_ERROR" }],
    [new Response("", { status: 429 }), { reason: "OVERLOADED" }],
    [() => new Promise<Response>(() => {}), { reason: "HOST_UNREACHABLE" }],
  ])("that is given none: %o", async (answer, expected) => {
    const { rows, lines } = fake(answer);
    const failure = await failureOf(rows(patient(), PRINCIPAL));
    expect(failure).toMatchObject(expected);
    expect(failure.message).not.toContain("the:secret");
    expect(lines()).toHaveLength(1);
  });
});
