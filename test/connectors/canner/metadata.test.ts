/** Canner's metadata, against a FAKE of its GraphQL that says what it is told to; nobody has run this on Canner itself. */
import { describe, expect, it } from "vitest";
import type { CatalogAnswers, CatalogRequest } from "../../../src/connectors/catalog/types.ts";
import { parseCannerConnection } from "../../../src/connectors/connection/canner.ts";
import { ConnectorFailure } from "../../../src/connectors/failure.ts";
import { publicFetch } from "../../../src/connectors/http/public-fetch.ts";
import { openHere } from "../../../src/connectors/open-here.ts";
import { failureOf, patient } from "../contract.ts";

const FIELDS = { host: "canner.example.com", port: "7432", user: "canner", pat: "topsecret-token", workspace: "sales" };

type Answer = object | string | Response | (() => Promise<Response>);

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | null;
  readonly question: { readonly query: string; readonly variables?: unknown };
}

/** Each answer is `data`, the text of a body, or a response. */
function fake(...answers: readonly Answer[]) {
  const sent: Sent[] = [];
  const left = [...answers];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { method, url, headers } = new Request(input, init);
    const question = JSON.parse(String(init?.body)) as Sent["question"];
    sent.push({ method, url, authorization: headers.get("authorization"), question });
    const answer = left.shift() ?? {};
    if (typeof answer === "function") return answer();
    if (answer instanceof Response) return answer;
    return new Response(typeof answer === "string" ? answer : JSON.stringify({ data: answer }));
  };
  const ask = async <K extends CatalogRequest["kind"]>(
    request: Extract<CatalogRequest, { kind: K }>,
    {
      change = {},
      options = patient(),
      by = fetch,
    }: { change?: object; options?: ReturnType<typeof patient>; by?: typeof fetch } = {},
  ): Promise<CatalogAnswers[K]> => {
    const host = { fetch: by, dial: () => Promise.reject(new Error("dialled")), connectTimeoutMs: 1000 };
    const connector = await openHere(parseCannerConnection({ ...FIELDS, ...change }).info, host, options);
    try {
      return await connector.catalog<K>(request, options);
    } finally {
      await connector.close();
    }
  };
  return { sent, fetch, ask };
}

const WORKSPACES = {
  userMe: {
    workspaces: [
      { id: "w1", sqlName: "Sales" },
      { id: "w2", sqlName: "sales" },
    ],
  },
};
const described = (description: string | null) => ({ dataMetadata: { metadata: { description } } });
const column = (name: string, type: string, properties: unknown = {}, description: string | null = null) => ({
  originalColumn: { name, type, properties },
  ...described(description),
});
const DATASETS = {
  workspaceDatasets: [
    {
      __typename: "Table",
      sqlName: "orders",
      ...described("one row per order"),
      properties: { schema: "tpch_tiny", table: "orders_src" },
      columns: [
        column("o_orderkey", "bigint", { "jdbc-nullable": false, "jdbc-precision": 19 }),
        column("o_comment", "varchar(79)", { "jdbc-nullable": true }, "This is a comment"),
        column('odd "name', "DECIMAL(12,2)", null),
      ],
    },
    {
      __typename: "View",
      sqlName: "monthly",
      ...described(null),
      columns: [column("total", "float"), column("at", "timestamp(3) with time zone")],
    },
    {
      __typename: "Synonym",
      sqlName: "a_copy",
      dataMetadata: null,
      properties: { jdbc: "x" },
      columns: [column("tags", "array(varchar)")],
    },
    {
      __typename: "Table",
      sqlName: "clicks",
      ...described(""),
      properties: { schema: "web", table: "clicks" },
      columns: [],
    },
  ],
};

const TABLES = { kind: "tables", filter: {}, limit: undefined } as const;

describe("metadata", () => {
  it("is that of the workspace that the connection names, asked with the token", async () => {
    const { sent, ask } = fake(WORKSPACES, DATASETS);
    const found = await ask(TABLES, { change: { enableSSL: true } });
    expect(found.map(({ name }) => name)).toEqual(["a_copy", "clicks", "monthly", "orders"]);
    expect(found[3]).toEqual({
      name: "orders",
      description: "one row per order",
      properties: { schema: "tpch_tiny", catalog: "canner", table: "orders_src", path: null },
      primaryKey: "",
      columns: [
        {
          name: "o_orderkey",
          type: "BIGINT",
          notNull: true,
          description: null,
          properties: { "jdbc-nullable": false, "jdbc-precision": 19 },
          nestedColumns: null,
        },
        {
          name: "o_comment",
          type: "VARCHAR",
          notNull: false,
          description: "This is a comment",
          properties: { "jdbc-nullable": true },
          nestedColumns: null,
        },
        {
          name: 'odd "name',
          type: "DECIMAL",
          notNull: false,
          description: null,
          properties: null,
          nestedColumns: null,
        },
      ],
    });
    expect(found[2]).toMatchObject({ properties: null, description: null });
    // Views and synonyms.
    expect(found.map(({ readMayFail }) => readMayFail)).toEqual([true, undefined, true, undefined]);
    expect(found.flatMap(({ columns }) => columns.map(({ type }) => type))).toEqual([
      "UNKNOWN",
      "FLOAT8",
      "TIMESTAMPTZ",
      "BIGINT",
      "VARCHAR",
      "DECIMAL",
    ]);
    expect(sent.map(({ method, url, authorization }) => [method, url, authorization])).toEqual(
      Array(2).fill(["POST", "https://canner.example.com/web/graphql", "Token topsecret-token"]),
    );
    expect(sent[1]?.question.variables).toEqual({ where: { workspaceId: "w2" } });
  });

  it.each<[object, number | undefined, string[]]>([
    [{ table: "ORDERS*" }, undefined, ["orders"]],
    [{ schema: "web" }, undefined, ["clicks"]],
    [{ table: "a_copy" }, undefined, ["a_copy"]],
    [{ catalog: "hive" }, undefined, []],
    [{}, 2, ["a_copy", "clicks"]],
    [{}, 0, []],
  ])("by the filter %o and limit %s", async (filter, limit, names) => {
    const found = await fake(WORKSPACES, DATASETS).ask({ kind: "tables", filter, limit });
    expect(found.map(({ name }) => name)).toEqual(names);
  });

  it("has schemas, a version and no keys", async () => {
    const schemas = await fake(WORKSPACES, DATASETS).ask({ kind: "schemas", filter: {}, limit: undefined });
    expect(schemas).toEqual([{ name: "canner", schemas: ["tpch_tiny", "web"] }]);
    expect(await fake({ systemInfo: { version: "4.17.0" } }).ask({ kind: "version" })).toBe("4.17.0");
    const { sent, ask } = fake();
    expect(await ask({ kind: "constraints", filter: {}, limit: undefined })).toEqual([]);
    expect(sent).toEqual([]);
  });

  it.each<[object, string]>([
    [{}, "http://canner.example.com/web/graphql"],
    [{ enableSSL: true }, "https://canner.example.com/web/graphql"],
    [{ kwargs: { sslmode: "verify-full" } }, "https://canner.example.com/web/graphql"],
    [{ host: "[2606:4700::1111]" }, "http://[2606:4700::1111]/web/graphql"],
    [
      { connectionUrl: "postgres://canner:pat@other.example.com:7432/sales", enableSSL: true },
      "https://other.example.com/web/graphql",
    ],
  ])("of %o is asked at %s", async (change, url) => {
    const { sent, ask } = fake({ systemInfo: { version: "4" } });
    await ask({ kind: "version" }, { change });
    expect(sent[0]?.url).toBe(url);
  });

  it("over plain HTTP is asked by no Worker", async () => {
    const { sent, fetch, ask } = fake({ systemInfo: { version: "4" } });
    expect((await failureOf(ask({ kind: "version" }, { by: publicFetch(fetch) }))).reason).toBe("EGRESS_DENIED");
    expect(sent).toEqual([]);
  });

  it("of an unknown workspace", async () => {
    const failure = await failureOf(fake(WORKSPACES, DATASETS).ask(TABLES, { change: { workspace: "nowhere" } }));
    expect([failure.reason, failure.message]).toEqual(["INVALID_CONNECTION", "Workspace nowhere not found"]);
  });
});

describe("bad answers", () => {
  const json = (value: unknown, status = 200) => new Response(JSON.stringify(value), { status });

  it.each<[string, Answer, object]>([
    ["a wrong token, by status", new Response("no", { status: 401 }), { reason: "AUTHENTICATION" }],
    ["a token without rights", new Response("no", { status: 403 }), { reason: "AUTHENTICATION" }],
    [
      "a wrong token, in GraphQL's way",
      json({ errors: [{ message: "Invalid token", extensions: { code: "UNAUTHENTICATED" } }], data: null }),
      { reason: "AUTHENTICATION", message: "Invalid token", engineCode: "UNAUTHENTICATED" },
    ],
    [
      "a document that the server does not understand",
      json({ errors: [{ message: 'Cannot query field "version"' }] }, 400),
      { reason: "SOURCE_ERROR", message: 'Cannot query field "version"' },
    ],
    [
      "an error beside half of an answer",
      json({ errors: [{ message: "lost" }], data: { systemInfo: null } }),
      { reason: "SOURCE_ERROR" },
    ],
    ["errors of another shape", json({ errors: ["lost"] }), { reason: "UPSTREAM_PROTOCOL" }],
    ["a proxy's page", "<html><body>Sign in</body></html>", { reason: "UPSTREAM_PROTOCOL" }],
    ["a proxy's error page", new Response("<html>", { status: 500 }), { reason: "UPSTREAM_PROTOCOL" }],
    ["nothing", "", { reason: "UPSTREAM_PROTOCOL" }],
    ["a list", "[]", { reason: "UPSTREAM_PROTOCOL" }],
    ["null", "null", { reason: "UPSTREAM_PROTOCOL" }],
    ["no data", "{}", { reason: "UPSTREAM_PROTOCOL" }],
    [
      "a redirect",
      new Response(null, { status: 302, headers: { location: "https://evil.example/" } }),
      { reason: "UPSTREAM_PROTOCOL" },
    ],
    [
      "too many requests",
      new Response("", { status: 429, headers: { "retry-after": "7" } }),
      { reason: "OVERLOADED", retryAfter: 7 },
    ],
    ["a server that is not there yet", new Response("", { status: 503 }), { reason: "OVERLOADED", retryAfter: 5 }],
    ["more than fits", `{"data":"${"x".repeat(17 * 1024 * 1024)}"}`, { reason: "SOURCE_ERROR" }],
    [
      "a million columns, which are more than fits",
      `{"data":{"workspaceDatasets":[{"sqlName":"wide","columns":[${Array(1_000_000).fill('{"originalColumn":{"name":"c","type":"int"}}').join(",")}]}]}}`,
      { reason: "SOURCE_ERROR", message: expect.stringContaining("larger than") },
    ],
    ["nobody there", () => Promise.reject(new TypeError("fetch failed")), { reason: "HOST_UNREACHABLE" }],
    ["workspaces of another shape", { userMe: { workspaces: { id: 1 } } }, { reason: "UPSTREAM_PROTOCOL" }],
    ["nobody", { userMe: null }, { reason: "UPSTREAM_PROTOCOL" }],
  ])("%s", async (_, answer, expected) => {
    const failure = await failureOf(fake(answer).ask(TABLES));
    expect(failure).toMatchObject(expected);
    expect(failure.message.length).toBeLessThan(5000);
    expect(failure.message).not.toMatch(/topsecret|<html>/);
  });

  it.each([
    {},
    { sqlName: "t" },
    { columns: [] },
    { sqlName: 1, columns: [] },
    { sqlName: "t", columns: [{ originalColumn: { type: "integer" } }] },
    { sqlName: "t", columns: {} },
  ])("a dataset without what it should have is not made up: %j", async (dataset) => {
    const broken = { workspaceDatasets: [dataset] };
    expect((await failureOf(fake(WORKSPACES, broken).ask(TABLES))).reason).toBe("UPSTREAM_PROTOCOL");
  });

  /** Until its signal fires. */
  const hanging = (): { readonly fetch: typeof globalThis.fetch; readonly ended: Promise<unknown> } => {
    const { promise: ended, resolve } = Promise.withResolvers<unknown>();
    const fetch: typeof globalThis.fetch = (_input, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener("abort", () => {
          resolve(init.signal?.reason);
          reject(init.signal?.reason);
        });
      });
    return { fetch, ended };
  };

  it("a server that hangs is given up when the time is over", async () => {
    const { fetch, ended } = hanging();
    const options = { signal: new AbortController().signal, timeoutMs: 50 };
    expect((await failureOf(fake().ask(TABLES, { options, by: fetch }))).reason).toBe("STATEMENT_TIMEOUT");
    expect(await ended).toBeInstanceOf(ConnectorFailure);
  });

  it("… and when the caller goes", async () => {
    const { fetch, ended } = hanging();
    const controller = new AbortController();
    const waiting = failureOf(fake().ask(TABLES, { options: patient(controller.signal), by: fetch }));
    setTimeout(() => controller.abort(new Error("gone")), 20);
    expect((await waiting).reason).toBe("CANCELLED");
    expect(await ended).toBeInstanceOf(ConnectorFailure);
  });
});
